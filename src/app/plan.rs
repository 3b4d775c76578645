//! What follows from a state directory, what would change on disk, and the change itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{Error, ErrorCode};
use super::world::{Records, world};
use crate::facts::Repository;
use crate::reconcile::{Plan, reconcile};
use crate::render::{Change, outputs};
use crate::rules::open;
use crate::store::{Durability, Store, Wanted, Written};
use crate::vocabulary::Instant;
use crate::workspace::{Emitted, Folder, Workspace};

/// How long a run waits for another one to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A state directory, reconciled in memory.
#[derive(Debug)]
pub struct State {
    /// The state directory on disk.
    pub root: PathBuf,
    /// What was read.
    pub workspace: Workspace,
    /// What follows from it.
    pub plan: Plan,
    /// The instant it was reconciled for.
    pub as_of: Instant,
    repository: Option<Repository>,
}

/// A reconciled state directory beside what stands on disk.
#[derive(Debug)]
pub struct Planned {
    /// What follows.
    pub state: State,
    /// The outputs that differ, by path.
    pub changes: Vec<Change>,
    /// How many outputs are as they should be.
    pub kept: usize,
}

impl State {
    /// Reads and reconciles the state directory of a place.
    ///
    /// # Errors
    /// There is none, or git cannot be read.
    pub fn read(place: &Path, as_of: Instant) -> Result<Self, Error> {
        let root = super::state_directory(place)?;
        let workspace = open(&Folder::open(&root));
        let repository = Repository::discover(&root)?;
        let records = Records::read(repository.as_ref(), &workspace)?;
        let plan = reconcile(&world(&workspace, &records), &workspace.wall, as_of);
        Ok(Self { root, workspace, plan, as_of, repository })
    }

    /// How many documents were read.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.workspace.entries.iter().filter(|entry| entry.is_document).count()
    }

    /// How many documents cannot be used.
    #[must_use]
    pub fn troubles(&self) -> usize {
        let trouble = |entry: &&crate::workspace::Entry| entry.unreadable.is_some() || entry.refused.is_some();
        self.workspace.entries.iter().filter(trouble).count()
    }
}

/// Compares what follows from the state directory of a place with what stands on disk.
///
/// # Errors
/// There is none, git cannot be read, or no goal has a document that can be read.
pub fn plan(place: &Path, as_of: Instant) -> Result<Planned, Error> {
    let state = State::read(place, as_of)?;
    let emitted = Emitted::open(&state.root);
    let wanted = outputs(&state.plan);
    let mut changes = Vec::new();
    let mut kept = 0;
    for (path, new) in &wanted {
        match emitted.read(path) {
            Some(old) if old == *new => kept += 1,
            old => changes.push(Change { path: path.clone(), old, new: Some(new.clone()) }),
        }
    }
    for path in emitted.list().iter().filter(|path| !wanted.contains_key(*path)) {
        let old = emitted.read(path).filter(|bytes| Emitted::is_own(path, bytes));
        if old.is_some() {
            changes.push(Change { path: path.clone(), old, new: None });
        }
    }
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Planned { state, changes, kept })
}

/// Writes the outputs that differ; everything else stays untouched.
///
/// # Errors
/// As [`plan`], or the files cannot be written: another run holds the lock, the disk is full, a place holds a file
/// that loopx did not write.
pub fn apply(place: &Path, as_of: Instant) -> Result<(Planned, Written), Error> {
    let planned = plan(place, as_of)?;
    let wanted: BTreeMap<String, Wanted> = planned
        .changes
        .iter()
        .map(|change| (change.path.clone(), change.new.clone().map_or(Wanted::Absent, Wanted::Content)))
        .collect();
    if wanted.is_empty() {
        return Ok((planned, Written::default()));
    }
    let store = Store::open(&planned.state.root, planned.state.repository.as_ref().map(Repository::reopen).transpose()?, PATIENCE)?;
    let written = store.write(&wanted, &|path, bytes| Emitted::is_own(path, bytes), Durability::Derived)?;
    Ok((planned, written))
}

/// A goal that the state directory does not have.
pub(super) fn unknown_goal(plan: &Plan, goal: &str) -> Error {
    let near = crate::vocabulary::nearest(goal, plan.goals.keys().map(crate::vocabulary::Id::as_str));
    let help = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    Error::about(ErrorCode::UnknownGoal, format!("{goal}{help}"))
}
