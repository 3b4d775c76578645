//! The right to write to one state directory.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::{Disk, Probe};
use super::error::StoreError;
use super::{error, files, git_lock, run_lock};
use crate::git::Repository;

/// Tells whether a file, given its path and what it holds now, is one that this program wrote and may replace.
pub type Owned<'a> = &'a (dyn Fn(&str, &[u8]) -> bool + Sync);

/// How long a `git` command may take. Hooks run tests, and a person may have to unlock a key.
pub(super) const DEADLINE: Duration = Duration::from_secs(600);

/// The right to write to one state directory. While it lives, no other run writes there.
pub struct Store {
    pub(super) root: PathBuf,
    pub(super) repository: Option<Repository>,
    pub(super) wait: Duration,
    /// How long a `git` command with its hooks may take.
    pub(super) deadline: Duration,
    pub(super) disk: Disk,
    /// Released by the operating system, also when the run is killed.
    _lock: File,
}

impl Store {
    /// Waits for other runs, at most `wait`, then clears away what a killed one left behind.
    ///
    /// `repository` is the one that holds `root`, discovered from there. `wait` also bounds every later wait for a lock.
    ///
    /// # Errors
    ///
    /// Another run goes on for longer, or the directory cannot be written.
    pub fn open(root: &Path, repository: Option<Repository>, wait: Duration) -> Result<Self, StoreError> {
        Self::open_probed(root, repository, wait, None)
    }

    /// As [`Store::open`], for a directory that may not be there yet.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn create(root: &Path, repository: Option<Repository>, wait: Duration) -> Result<Self, StoreError> {
        std::fs::create_dir_all(root).map_err(error::io("create", "."))?;
        Self::open(root, repository, wait)
    }

    /// As [`Store::open`], with a probe that is asked before every change to the disk and may stop it there.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    #[doc(hidden)]
    pub fn open_probed(
        root: &Path,
        repository: Option<Repository>,
        wait: Duration,
        probe: Option<Probe>,
    ) -> Result<Self, StoreError> {
        let root = root.canonicalize().map_err(error::io("open", "."))?;
        // Locks belong outside the work tree; a repository of somebody else is not written to at all.
        let repository = repository.filter(|found| found.work_tree().is_some());
        let lock = match repository.as_ref().filter(|found| found.is_trusted()) {
            Some(found) => run_lock::acquire(&found.git_dir().join(git_lock::FOLDER), wait)?,
            None => {
                files::make_scratch(&root)?;
                run_lock::acquire(&root.join(files::SCRATCH), wait)?
            }
        };
        let store = Self { root, repository, wait, deadline: DEADLINE, disk: Disk::new(probe), _lock: lock };
        store.sweep()?;
        Ok(store)
    }

    /// Asks the probe before a file outside the state directory is put in its place.
    ///
    /// # Errors
    ///
    /// The probe stops the run here.
    pub fn before_publish(&self) -> Result<(), StoreError> {
        self.disk.reach(super::disk::DiskStep::Publish).map_err(error::io("write", "facts"))
    }

    /// The same, whose `git` commands are ended after another time than ten minutes.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Clears away what a killed run left: staged files, and git's locks that it held.
    fn sweep(&self) -> Result<(), StoreError> {
        files::sweep(&self.root)?;
        match self.repository.as_ref().filter(|found| found.is_trusted()) {
            Some(repository) => git_lock::recover(repository),
            None => Ok(()),
        }
    }
}
