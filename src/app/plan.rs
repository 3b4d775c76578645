//! What follows from a state directory, what would change on disk, and the change itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::error::Error;
pub use super::reconciled::ReconciledDirectory;
use super::recording::Recording;
use crate::document::to_json_pretty;
use crate::git::Repository;
use crate::reconcile::{GoalSummary, Plan};
use crate::render::{OutputChange, RecordingRoute, outputs, receipt_json, writebacks_json};
use crate::store::{Durability, Store, Wanted, WrittenFiles};
use crate::vocabulary::{Id, Instant, Receipt};
use crate::workspace::{Emitted, Workspace};

/// How long a run waits for another one to end.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// A reconciled state directory beside what stands on disk.
#[derive(Debug)]
pub struct Planned {
    /// What follows.
    pub state: ReconciledDirectory,
    /// The outputs that differ, by path.
    pub changes: Vec<OutputChange>,
    /// How many outputs are as they should be.
    pub kept: usize,
    /// The receipts that decisions lack, and what follows once they count; nothing when that was not asked for.
    pub recording: Recording,
}

impl Planned {
    /// Compares what follows with what stands on disk.
    pub(super) fn of(state: ReconciledDirectory) -> Self {
        let emitted = Emitted::open(&state.root);
        let standing = removable(&state.workspace, emitted.list());
        let (changes, kept) = changes(&outputs(&state.plan), &standing, &|path| emitted.read(path));
        Self { state, changes, kept, recording: Recording::default() }
    }

    /// Writes the outputs that differ; everything else stays untouched.
    pub(super) fn write(&self, store: &Store) -> Result<WrittenFiles, Error> {
        write(store, &self.changes)
    }

    /// Whether anything can be planned at all: no document, or none of a goal that can be read, is not success.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.state.plan.goals.is_empty() && self.state.unusable() == 0
            || any_goal_is_read(&self.state.plan, &self.state.workspace)
    }

    /// Whether reconcile would write, remove or record anything here; what counts only after a merge is no change.
    #[must_use]
    pub fn is_change(&self) -> bool {
        let records =
            matches!(self.recording.way, RecordingRoute::Commit { .. }) && !self.state.plan.unrecorded.is_empty();
        records || !self.changes.is_empty()
    }

    /// Returns the plan as the JSON that programs read.
    #[must_use]
    pub fn to_json(&self) -> String {
        let wall = &self.state.workspace.wall;
        let changes: Vec<_> = self.changes.iter().map(|change| change.to_json(wall)).collect();
        let receipts = |receipts: &[Receipt]| receipts.iter().map(|one| receipt_json(one, wall)).collect::<Vec<_>>();
        let then: Vec<_> = self.recording.then.iter().map(|change| change.to_json(wall)).collect();
        to_json_pretty(&json!({
            "schema_version": "loopx_plan_v0",
            "changes": changes,
            "kept": self.kept,
            "documents": self.state.documents(),
            "unusable_documents": self.state.unusable(),
            "receipts": receipts(&self.recording.receipts),
            "uncommitted": receipts(&self.recording.uncommitted),
            "then": then,
            "writebacks": writebacks_json(&self.state.plan),
            "commit": self.recording.commit.as_ref().map(|commit| commit.id.to_string()),
            "notes": self.state.plan.notes,
            "valid_until": self.state.plan.valid_until,
        }))
    }
}

/// The outputs that may be removed when nothing implies them: not those of goals of which documents cannot be read.
pub(super) fn removable(workspace: &Workspace, standing: &[String]) -> Vec<String> {
    let goal = |path: &str| path.split_once('/').and_then(|(_, path)| Some(path.split_once('/')?.0.to_owned()));
    let may_go = |path: &&String| goal(path).is_none_or(|goal| !workspace.hides_documents_of(&goal));
    standing.iter().filter(may_go).cloned().collect()
}

/// Whether any goal has a document here that can be read.
pub(super) fn any_goal_is_read(plan: &Plan, workspace: &Workspace) -> bool {
    let is_read = |(id, goal): (&Id, &GoalSummary)| goal.status.is_some() && !workspace.has_unusable_goal(id.as_str());
    plan.goals.iter().any(is_read)
}

/// Compares what outputs shall be with what stands in their places; also says how many are as they should be.
pub(super) fn changes(
    wanted: &BTreeMap<String, Vec<u8>>,
    standing: &[String],
    read: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> (Vec<OutputChange>, usize) {
    let mut changes = Vec::new();
    let mut kept = 0;
    for (path, new) in wanted {
        match read(path) {
            Some(old) if old == *new => kept += 1,
            old => changes.push(OutputChange { path: path.clone(), old, new: Some(new.clone()) }),
        }
    }
    for path in standing.iter().filter(|path| !wanted.contains_key(*path)) {
        let old = read(path).filter(|bytes| Emitted::is_own(path, bytes));
        if old.is_some() {
            changes.push(OutputChange { path: path.clone(), old, new: None });
        }
    }
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    (changes, kept)
}

/// Makes outputs what they shall be.
pub(super) fn write(store: &Store, changes: &[OutputChange]) -> Result<WrittenFiles, Error> {
    let wanted = |change: &OutputChange| change.new.clone().map_or(Wanted::Absent, Wanted::Content);
    let wanted: BTreeMap<String, Wanted> = changes.iter().map(|change| (change.path.clone(), wanted(change))).collect();
    // Every path here is one that reconcile derives, or a file of its own schema that it no longer derives.
    Ok(store.write(&wanted, &|_, _| true, Durability::Derived)?)
}

/// Compares what follows from the state directory of a place with what stands on disk.
///
/// # Errors
/// There is none, git cannot be read, or no goal has a document that can be read.
pub fn plan(place: &Path, as_of: Instant) -> Result<Planned, Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let state = ReconciledDirectory::of(root, repository.as_ref(), as_of)?;
    let mut recording = Recording::of(&state, repository.as_ref())?;
    recording.foresee(&state);
    Ok(Planned { recording, ..Planned::of(state) })
}

/// Writes the outputs that differ; everything else stays untouched.
///
/// # Errors
/// As [`plan`], or the files cannot be written: another run holds the lock, the disk is full, a place holds a link.
pub fn apply(place: &Path, as_of: Instant) -> Result<(Planned, WrittenFiles), Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let store = Store::open(&root, repository.clone(), PATIENCE)?;
    let planned = Planned::of(ReconciledDirectory::of(root, repository.as_ref(), as_of)?);
    let written = planned.write(&store)?;
    planned.state.records.keep_sums(repository.as_ref(), &planned.state.root);
    Ok((planned, written))
}
