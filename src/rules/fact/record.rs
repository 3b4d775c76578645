//! The facts of a document.

use super::super::DocumentContext;
use crate::vocabulary::{Facts, Record};

/// The facts that a rule looks at.
pub(super) fn facts<'a>(it: &DocumentContext<'a>) -> Option<&'a Facts> {
    match it.record {
        Record::Facts(facts) => Some(facts),
        _ => None,
    }
}
