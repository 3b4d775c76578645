//! Every change to the disk passes here, so that a test can stop a run before any one of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// A change to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskStep {
    /// Folders for a file.
    MakeFolder,
    /// A file's new content, beside its place.
    Stage,
    /// The file in its place.
    Publish,
    /// The file gone.
    Remove,
    /// A lock of git taken.
    LockGit,
    /// The new index, beside its place.
    WriteIndex,
    /// What the commit is about to do, so that a later run can finish it.
    Announce,
    /// The line in a reflog.
    Log,
    /// The branch's new commit written, still under its lock.
    WriteBranch,
    /// The branch moved.
    MoveBranch,
    /// The index in its place.
    PublishIndex,
    /// What was announced withdrawn.
    Withdraw,
    /// The lock of the index released.
    Release,
}

/// Asked before each change; an error stops the run there.
pub type Probe = Arc<dyn Fn(DiskStep) -> io::Result<()> + Send + Sync>;

pub(super) struct Disk {
    probe: Option<Probe>,
}

impl Disk {
    pub(super) fn new(probe: Option<Probe>) -> Self {
        Self { probe }
    }

    pub(super) fn reach(&self, step: DiskStep) -> io::Result<()> {
        self.probe.as_ref().map_or(Ok(()), |probe| probe(step))
    }

    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.reach(DiskStep::MakeFolder)?;
        fs::create_dir_all(path)
    }

    /// Writes a file that is not there yet.
    pub(super) fn create(&self, step: DiskStep, path: &Path, bytes: &[u8], sync: bool) -> io::Result<File> {
        self.reach(step)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)?;
        if sync {
            file.sync_all()?;
        }
        Ok(file)
    }

    pub(super) fn rename(&self, step: DiskStep, from: &Path, to: &Path) -> io::Result<()> {
        self.reach(step)?;
        fs::rename(from, to)
    }

    pub(super) fn remove(&self, step: DiskStep, path: &Path) -> io::Result<()> {
        self.reach(step)?;
        fs::remove_file(path)
    }
}
