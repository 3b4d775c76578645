//! Moves a branch from the commit that was expected to its successor, or not at all.
//!
//! The library could do this, but its locks would be indistinguishable from git's after a kill; see `git_lock`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::time::Duration;

use gix::bstr::ByteSlice;
use gix::refs::store::WriteReflog;

use crate::git::Repository;

use super::disk::{Disk, DiskStep};
use super::error::{StoreError, git, io};
use super::git_lock::GitLock;

/// What is checked out, as a commit needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tip {
    /// The branch's full name; `HEAD` when none is checked out.
    pub(super) name: String,
    /// The commit there, unless the branch is unborn.
    pub(super) commit: Option<gix::ObjectId>,
}

impl Tip {
    /// Reads what is checked out. A detached `HEAD` is refused unless allowed.
    pub(super) fn read(repository: &Repository, allow_detached: bool) -> Result<Self, StoreError> {
        let mut head = repository.handle().head().map_err(git("read HEAD"))?;
        let commit = head.try_peel_to_id().map_err(git("read HEAD"))?.map(|id| id.detach());
        match head.referent_name().map(|name| name.as_bstr().to_str()) {
            // A name that is not Unicode would be written as another one.
            Some(Ok(name)) if name.starts_with("refs/heads/") => Ok(Self { name: name.to_owned(), commit }),
            Some(_) => Err(StoreError::NoBranch),
            None if allow_detached => Ok(Self { name: HEAD.to_owned(), commit }),
            None => Err(StoreError::Detached),
        }
    }
}

const HEAD: &str = "HEAD";

/// A line for the reflogs.
pub(super) struct ReflogEntry<'a> {
    pub(super) commit: gix::ObjectId,
    pub(super) by: &'a gix::actor::Signature,
    pub(super) subject: &'a str,
}

/// Moves `tip` to the new commit and tells whether that happened; it does not when somebody moved `HEAD` first.
pub(super) fn advance(
    disk: &Disk,
    repository: &Repository,
    tip: &Tip,
    entry: &ReflogEntry<'_>,
    wait: Duration,
) -> Result<bool, StoreError> {
    let mut lock = GitLock::acquire(disk, repository, &tip.name, wait)?;
    if Tip::read(repository, tip.name == HEAD)? != *tip {
        return Ok(false);
    }
    let written = lock.file(DiskStep::WriteBranch).and_then(|file| {
        writeln!(file, "{}", entry.commit)?;
        file.sync_all()
    });
    written.map_err(io("write", &*tip.name))?;
    log(disk, repository, tip, entry).map_err(io("write the log of", &*tip.name))?;
    lock.publish(DiskStep::MoveBranch).map_err(io("write", &*tip.name))?;
    Ok(true)
}

/// Appends to the reflogs of `HEAD` and of the branch.
fn log(disk: &Disk, repository: &Repository, tip: &Tip, entry: &ReflogEntry<'_>) -> io::Result<()> {
    let line = gix::refs::log::Line {
        previous_oid: tip.commit.unwrap_or_else(|| repository.handle().object_hash().null()),
        new_oid: entry.commit,
        signature: entry.by.clone(),
        message: match tip.commit {
            Some(_) => format!("commit: {}", entry.subject),
            None => format!("commit (initial): {}", entry.subject),
        }
        .into(),
    };
    let mut text = Vec::new();
    line.write_to(&mut text)?;
    let mut logs = vec![repository.git_dir().join("logs/HEAD")];
    if tip.name != HEAD {
        logs.push(repository.common_dir().join("logs").join(&tip.name));
    }
    let is_wanted = repository.handle().refs.write_reflog != WriteReflog::Disable;
    for path in logs {
        disk.reach(DiskStep::Log)?;
        if is_wanted && let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        match OpenOptions::new().append(true).create(is_wanted).open(path) {
            Ok(mut log) => log.write_all(&text)?,
            Err(error) if !is_wanted && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
