//! Receipts: each is named by its effect, and says what its document says.

mod conflict;
mod misnamed;
mod unknown_effect;

use super::{Check, Rule, Subject};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use crate::vocabulary::{Kind, Receipt, Record};

pub(super) const RULES: &[Rule] = &[conflict::RULE, misnamed::RULE, unknown_effect::RULE];

/// The receipt that a rule looks at.
fn receipt<'a>(it: &Subject<'a>) -> Option<&'a Receipt> {
    match it.record {
        Record::Receipt(receipt) => Some(receipt),
        _ => None,
    }
}
