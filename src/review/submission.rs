//! What is to be reviewed: both revisions with what follows from each, the files and the commits of the change.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::commit::ChangeCommit;
use super::versions::Version;
use crate::finding::Finding;
use crate::reconcile::{Permit, Plan, World};
use crate::vocabulary::{Id, Instant, Record};
use crate::workspace::Workspace;

/// One revision, with what follows from it.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// What it holds.
    pub workspace: &'a Workspace,
    /// What is wrong with it, by the base's policies.
    pub findings: &'a [Finding],
    /// What follows from it.
    pub plan: &'a Plan,
    /// What agents may do.
    pub permits: &'a [Permit],
    /// What it holds, as reconcile looks at it.
    pub world: &'a World<'a>,
}

/// One file that the change touches.
#[derive(Debug, Clone)]
pub struct FileChange {
    /// Its path below the state directory.
    pub path: Arc<str>,
    /// What it said where the branches parted.
    pub start: Option<Record>,
    /// What the commits made of it, each version after those of its parents; the last one is what the change says.
    pub versions: Vec<Version>,
    /// Who alone held the todo of this file up before the change: the actors who had a part in every commit of the hold,
    /// from the one that began it, whatever its form since. Empty where nobody did, or nobody can tell.
    pub held_by: Vec<Id>,
    /// Whether the base changed it too since then.
    pub is_of_both: bool,
    /// Whether two branches gave its id to different documents, and a merge kept one of them.
    pub is_given_twice: bool,
}

/// What is to be reviewed.
#[derive(Debug, Clone, Copy)]
pub struct Submission<'a> {
    /// The base.
    pub before: Side<'a>,
    /// The base with the change merged into it.
    pub after: Side<'a>,
    /// The files that the change touches, by path.
    pub files: &'a [FileChange],
    /// The commits of the change, the oldest first.
    pub commits: &'a [ChangeCommit],
    /// The instant of the review.
    pub as_of: Instant,
    /// People who reviewed this very change, as whoever runs the review vouches.
    pub reviewers: Option<&'a BTreeSet<String>>,
    /// The receipts that merging lacks until they are recorded.
    pub unrecorded: usize,
}
