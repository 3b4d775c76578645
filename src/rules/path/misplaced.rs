//! The files whose path and content disagree.

use super::super::{Rule, RuleContext};
use crate::workspace::{LoadedFile, Misplaced};

/// The files that a rule finds misplaced.
pub(super) fn misplaced<'a>(
    rule: &Rule,
    context: &RuleContext<'a>,
) -> impl Iterator<Item = (&'a LoadedFile, &'a Misplaced)> {
    let id = rule.id;
    let entries = context.workspace.entries.iter();
    entries.filter_map(move |entry| Some((entry, entry.misplaced.as_ref().filter(|why| why.rule() == id)?)))
}
