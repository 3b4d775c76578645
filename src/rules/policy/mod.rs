//! Policies: what a team says to its rules reaches them.

mod bad_glob;
mod expired_exception;
mod refused_exception;
mod section_twice;
mod unknown_rule;
mod unused_exception;

use super::{Check, Rule, Scene};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use crate::vocabulary::{Policy, PrivacyException, Record};
use crate::workspace::Entry;

pub(super) const RULES: &[Rule] = &[
    bad_glob::RULE,
    expired_exception::RULE,
    refused_exception::RULE,
    section_twice::RULE,
    unknown_rule::RULE,
    unused_exception::RULE,
];

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

/// The privacy exceptions, each with its file and its place in the list.
fn exceptions<'a>(scene: &Scene<'a>) -> impl Iterator<Item = (&'a Entry, usize, &'a PrivacyException)> {
    policies(scene).flat_map(|(_, entry, policy)| {
        let exceptions = policy.privacy.iter().flat_map(|section| &section.exceptions).enumerate();
        exceptions.map(move |(index, exception)| (entry, index, exception))
    })
}

/// The route to an exception.
fn exception_route(index: usize) -> Route {
    Route::of("privacy.exceptions").index(index)
}
