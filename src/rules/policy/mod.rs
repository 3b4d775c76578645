//! Policies: what a team says to its rules reaches them.

mod bad_glob;
mod exception_expired;
mod exception_unlawful;
mod exception_unused;
mod level_unlawful;
mod never_matches;
mod section_twice;
mod unknown_rule;

use super::{Rule, RuleCheck, RuleContext};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use crate::vocabulary::{Policy, PrivacyException, Record};
use crate::workspace::LoadedFile;

pub(super) const RULES: &[Rule] = &[
    bad_glob::RULE,
    exception_expired::RULE,
    exception_unlawful::RULE,
    exception_unused::RULE,
    level_unlawful::RULE,
    never_matches::RULE,
    section_twice::RULE,
    unknown_rule::RULE,
];

/// The readable policies, in the order of their paths.
fn policies<'a>(context: &RuleContext<'a>) -> impl Iterator<Item = (usize, &'a LoadedFile, &'a Policy)> {
    context.workspace.entries.iter().enumerate().filter_map(|(number, entry)| match &entry.record {
        Some(Record::Policy(policy)) => Some((number, entry, policy)),
        _ => None,
    })
}

/// Every exception from a privacy rule, with its policy and its number there.
fn exceptions<'a>(context: &RuleContext<'a>) -> impl Iterator<Item = (&'a LoadedFile, usize, &'a PrivacyException)> {
    policies(context).flat_map(|(_, entry, policy)| {
        let rows = policy.privacy.iter().flat_map(|section| section.exceptions.iter().enumerate());
        rows.map(move |(index, row)| (entry, index, row))
    })
}

/// The route to a key that may hold dots.
fn route(section: &str, key: &str) -> Route {
    Route::of(section).key(key)
}
