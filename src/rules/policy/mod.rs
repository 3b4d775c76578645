//! Policies: what a team says to its rules reaches them.

mod bad_glob;
mod section_twice;
mod unknown_rule;

use super::{Check, Rule, Scene};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use crate::vocabulary::{Policy, Record};
use crate::workspace::Entry;

pub(super) const RULES: &[Rule] = &[bad_glob::RULE, section_twice::RULE, unknown_rule::RULE];

/// The readable policies, in the order of their paths.
fn policies<'a>(scene: &Scene<'a>) -> impl Iterator<Item = (usize, &'a Entry, &'a Policy)> {
    scene.workspace.entries.iter().enumerate().filter_map(|(number, entry)| match &entry.record {
        Some(Record::Policy(policy)) => Some((number, entry, policy)),
        _ => None,
    })
}

/// The route to a key that may hold dots.
fn route(section: &str, key: &str) -> Route {
    Route::of(section).key(key)
}
