//! Carries out what was decided: the only writer.
//!
//! Comes in: what each file shall hold, and the message of a commit. Goes out: files that appear whole or not at all,
//! and a commit of exactly those files. Must not know: what any document means, nor why it is written.

mod child;
mod clone_settings;
mod commit;
mod disk;
mod contents;
mod error;
mod files;
mod git_lock;
mod index;
mod local_files;
mod reference;
mod run_lock;
mod settle;
mod via_git;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::git::Repository;

pub use clone_settings::name_authority;
pub use commit::{CommitMessage, CommitMethod, CommitRequest};
pub use disk::{DiskStep, Probe};
pub use error::StoreError;
pub use files::{Durability, Wanted, WrittenFiles};
pub use local_files::{LocalFiles, shared_facts_file, shared_facts_folder};

use disk::Disk;

/// Tells whether a file, given its path and what it holds now, is one that this program wrote and may replace.
pub type Owned<'a> = &'a (dyn Fn(&str, &[u8]) -> bool + Sync);

/// How long a `git` command may take. Hooks run tests, and a person may have to unlock a key.
const DEADLINE: Duration = Duration::from_secs(600);

/// The right to write to one state directory. While it lives, no other run writes there.
pub struct Store {
    root: PathBuf,
    repository: Option<Repository>,
    wait: Duration,
    /// How long a `git` command with its hooks may take.
    deadline: Duration,
    disk: Disk,
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
