//! A state directory, reconciled in memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::checkout::CheckedOut;
use super::error::Error;
use super::world::{Records, facts_absent, world, world_around};
use crate::git::Repository;
use crate::reconcile::{Plan, reconcile};
use crate::rules::open_under;
use crate::vocabulary::{Instant, Kind, Receipt};
use crate::workspace::{LoadedFile, Workspace};

/// A state directory, reconciled in memory.
#[derive(Debug)]
pub struct ReconciledDirectory {
    /// The state directory on disk.
    pub root: PathBuf,
    /// What was read.
    pub workspace: Workspace,
    /// What is recorded.
    pub records: Records,
    /// What follows from it.
    pub plan: Plan,
    /// The instant it was reconciled for.
    pub as_of: Instant,
    /// The goals that were read; `None`: all of them.
    pub(super) scope: Option<BTreeSet<String>>,
}

impl ReconciledDirectory {
    /// Reads and reconciles the state directory of a place.
    ///
    /// # Errors
    /// There is none, or git cannot be read.
    pub fn read(place: &Path, as_of: Instant) -> Result<Self, Error> {
        let root = super::state_directory(place)?;
        let repository = Repository::discover(&root)?;
        Self::of(root, repository.as_ref(), as_of)
    }

    /// Reads and reconciles a state directory in its repository.
    pub(super) fn of(root: PathBuf, repository: Option<&Repository>, as_of: Instant) -> Result<Self, Error> {
        let mut records = Records::read(repository, &root)?;
        let files = CheckedOut::open(&root, repository)?;
        let workspace = open_under(&files, records.judge(), as_of);
        records.join(repository, &workspace, None, as_of)?;
        Ok(Self::with(root, workspace, records, None, as_of))
    }

    /// The same of some goals alone: their documents, the policies, and the facts and receipts of these goals are read,
    /// not the directory.
    pub(super) fn of_goals(
        root: PathBuf,
        repository: Option<&Repository>,
        goals: BTreeSet<String>,
        as_of: Instant,
    ) -> Result<Self, Error> {
        let mut records = Records::read_goals(repository, &root, &goals)?;
        let files = CheckedOut::of_goals(&root, &goals, repository)?;
        let workspace = open_under(&files, records.judge(), as_of);
        records.join(repository, &workspace, Some(&goals), as_of)?;
        // Only the whole directory says whether anybody reports facts here at all.
        if facts_absent(&workspace, &records) && has_facts(&root) {
            return Self::of(root, repository, as_of);
        }
        Ok(Self::with(root, workspace, records, Some(goals), as_of))
    }

    /// Reconciles what was read: some goals, or all.
    pub(super) fn with(
        root: PathBuf,
        workspace: Workspace,
        records: Records,
        scope: Option<BTreeSet<String>>,
        as_of: Instant,
    ) -> Self {
        let plan = plan_of(&workspace, &records, scope.as_ref(), &[], as_of);
        Self { root, workspace, records, plan, as_of, scope }
    }

    /// What follows once these receipts count too. Only the goals that they are of are judged again, where that can be.
    pub(super) fn once_recorded(&self, receipts: &[Receipt]) -> Plan {
        let goals: BTreeSet<String> = receipts.iter().map(|receipt| receipt.goal_id.to_string()).collect();
        let mut around = world_around(&self.workspace, &self.records, &goals);
        around.record(receipts);
        let mut plan = self.plan.clone();
        if plan.renew(&around, &self.workspace.wall, self.as_of, &goals) {
            return plan;
        }
        plan_of(&self.workspace, &self.records, self.scope.as_ref(), receipts, self.as_of)
    }

    /// What the work tree holds under the name of a receipt.
    pub(super) fn standing(&self, receipt: &Receipt) -> Option<&LoadedFile> {
        self.workspace.file_of(receipt.goal_id.as_str(), Kind::Receipt, receipt.run_id.as_str())
    }

    /// How many documents were read.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.workspace.entries.iter().filter(|entry| entry.is_document).count()
    }

    /// How many documents cannot be used.
    #[must_use]
    pub fn unusable(&self) -> usize {
        let trouble = |entry: &&LoadedFile| entry.unreadable.is_some() || entry.refused.is_some();
        self.workspace.entries.iter().filter(trouble).count()
    }
}

/// What follows once these receipts count too, from some goals or from all.
fn plan_of(
    workspace: &Workspace,
    records: &Records,
    scope: Option<&BTreeSet<String>>,
    receipts: &[Receipt],
    as_of: Instant,
) -> Plan {
    let mut world = scope.map_or_else(|| world(workspace, records), |goals| world_around(workspace, records, goals));
    world.record(receipts);
    let plan = reconcile(&world, &workspace.wall, as_of);
    // Of goals that only share a session with these not all is known.
    scope.map_or_else(|| plan.clone(), |goals| plan.part(goals))
}

/// Whether any facts stand here, of whatever session.
pub(super) fn has_facts(root: &Path) -> bool {
    let names = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    names(root.join("facts")).any(|runtime| names(runtime.path()).next().is_some())
}
