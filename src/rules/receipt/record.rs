//! The receipt of a document.

use super::super::DocumentContext;
use crate::vocabulary::{Receipt, Record};

/// The receipt that a rule looks at.
pub(super) fn receipt<'a>(it: &DocumentContext<'a>) -> Option<&'a Receipt> {
    match it.record {
        Record::Receipt(receipt) => Some(receipt),
        _ => None,
    }
}
