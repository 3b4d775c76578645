//! The policies of a directory, with where their parts stand.

use super::super::RuleContext;
use crate::document::Route;
use crate::vocabulary::{Policy, PrivacyException, Record};
use crate::workspace::LoadedFile;

/// The readable policies, in the order of their paths.
pub(super) fn policies<'a>(context: &RuleContext<'a>) -> impl Iterator<Item = (usize, &'a LoadedFile, &'a Policy)> {
    context.workspace.entries.iter().enumerate().filter_map(|(number, entry)| match &entry.record {
        Some(Record::Policy(policy)) => Some((number, entry, policy)),
        _ => None,
    })
}

/// Every exception from a privacy rule, with its policy and its number there.
pub(super) fn exceptions<'a>(
    context: &RuleContext<'a>,
) -> impl Iterator<Item = (&'a LoadedFile, usize, &'a PrivacyException)> {
    policies(context).flat_map(|(_, entry, policy)| {
        let rows = policy.privacy.iter().flat_map(|section| section.exceptions.iter().enumerate());
        rows.map(move |(index, row)| (entry, index, row))
    })
}

/// The route to a key that may hold dots.
pub(super) fn route(section: &str, key: &str) -> Route {
    Route::of(section).key(key)
}
