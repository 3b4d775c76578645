//! A state directory, reconciled in memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::checkout::CheckedOut;
use super::error::Error;
use super::world::{Records, world, world_around};
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
        Ok(Self::with(root, workspace, records, as_of))
    }

    /// Reconciles what was read.
    pub(super) fn with(root: PathBuf, workspace: Workspace, records: Records, as_of: Instant) -> Self {
        let plan = reconcile(&world(&workspace, &records), &workspace.wall, as_of);
        Self { root, workspace, records, plan, as_of }
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
        let mut world = world(&self.workspace, &self.records);
        world.record(receipts);
        reconcile(&world, &self.workspace.wall, self.as_of)
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
