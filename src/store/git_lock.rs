//! The locks that git itself respects: `index.lock`, and `<ref>.lock` for each ref.
//!
//! Such a lock is a file that exists. Git leaves it behind when it is killed, and a person must remove it. A run of
//! ours that is killed must not do that to its user, so each lock is made as a second name of a file in
//! `.git/loopx/`. A lock that is the same file as one found there is ours, and as runs exclude each other its holder is
//! dead. Nothing else is ever removed. Where a file cannot have two names, a lock is made as git makes it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::{Disk, DiskStep};
use super::error::io;
use super::error::{StoreError, git};
use super::index::GitIndex;
pub(super) use super::index::{INDEX, place};
use super::run_lock::Patience;
use crate::git::{Ancestry, CommitId, Head, Repository};

/// The folder beside the index, so that each work tree cleans up after itself.
pub(super) const FOLDER: &str = "loopx";

const WITNESS: &str = "held-";

const ANNOUNCEMENT: &str = "commit";

/// What begins the announcement of a commit that `git` makes, whose id nobody knows beforehand.
const AFTER: &str = "after ";

/// The announcement's word for a branch without a commit.
const NO_COMMIT: &str = "nothing";

const STAGED_INDEX: &str = "index";

/// A lock that is held until it is published or dropped.
pub(super) struct GitLock<'a> {
    disk: &'a Disk,
    file: File,
    target: PathBuf,
    lock: PathBuf,
    witness: PathBuf,
    held: bool,
}

impl<'a> GitLock<'a> {
    /// Takes the lock of the index, `HEAD` or a ref, waiting at most `wait`.
    pub(super) fn acquire(
        disk: &'a Disk,
        repository: &Repository,
        name: &str,
        wait: Duration,
    ) -> Result<Self, StoreError> {
        let target = place(repository, name);
        let lock = lock_of(&target);
        let witness = repository.git_dir().join(FOLDER).join(format!("{WITNESS}{}", encoded(name)));
        let mut patience = Patience::new(wait);
        let file = loop {
            match take(disk, &lock, &witness) {
                Ok(file) => break file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && patience.rest() => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(StoreError::Held { name: name.to_owned(), age: age(&lock) });
                }
                // Git removes folders of refs that have become empty; packed refs leave none at all.
                Err(error) if error.kind() == io::ErrorKind::NotFound && patience.rest() => {
                    let folder = lock.parent().unwrap_or(&lock);
                    fs::create_dir_all(folder).map_err(io("create the folder of", name))?;
                }
                Err(error) => return Err(io("lock", name)(error)),
            }
        };
        Ok(Self { disk, file, target, lock, witness, held: true })
    }

    /// Gives the file that holds, once it is published, what is written to it.
    pub(super) fn file(&mut self, step: DiskStep) -> io::Result<&mut File> {
        self.disk.reach(step)?;
        Ok(&mut self.file)
    }

    /// Puts what was written in place of the locked file, which releases the lock.
    pub(super) fn publish(mut self, step: DiskStep) -> io::Result<()> {
        self.disk.rename(step, &self.lock, &self.target)?;
        self.held = false;
        Ok(())
    }
}

impl Drop for GitLock<'_> {
    fn drop(&mut self) {
        // The lock first: without its witness it could not be told from git's own.
        if self.held {
            let _ = fs::remove_file(&self.lock);
        }
        let _ = fs::remove_file(&self.witness);
    }
}

/// Creates the lock file if there is none.
fn take(disk: &Disk, lock: &Path, witness: &Path) -> io::Result<File> {
    // Removed, never emptied: it may still be a second name of a file that is in use.
    match fs::remove_file(witness) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = disk.create(DiskStep::LockGit, witness, &[], false)?;
    match fs::hard_link(witness, lock) {
        Ok(()) => Ok(file),
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => Err(error),
        Err(_) => {
            drop(file);
            fs::remove_file(witness)?;
            File::options().write(true).create_new(true).open(lock)
        }
    }
}

/// Where the new index is written before it takes its place. Its lock is held longer than that.
pub(super) fn staged_index(repository: &Repository) -> PathBuf {
    repository.git_dir().join(FOLDER).join(STAGED_INDEX)
}

/// Says what a commit is about to do, once the new index is complete.
pub(super) fn announce(disk: &Disk, repository: &Repository, commit: CommitId) -> io::Result<()> {
    disk.reach(DiskStep::Announce)?;
    fs::write(repository.git_dir().join(FOLDER).join(ANNOUNCEMENT), format!("{commit}\n"))
}

/// Says that `git` is about to commit on top of a commit, or as the first one; the new index is complete once it has.
pub(super) fn announce_after(disk: &Disk, repository: &Repository, tip: Option<gix::ObjectId>) -> io::Result<()> {
    disk.reach(DiskStep::Announce)?;
    let tip = tip.map_or_else(|| NO_COMMIT.to_owned(), |tip| tip.to_string());
    fs::write(repository.git_dir().join(FOLDER).join(ANNOUNCEMENT), format!("{AFTER}{tip}\n"))
}

/// Forgets what was announced.
pub(super) fn withdraw(disk: &Disk, repository: &Repository) -> io::Result<()> {
    disk.remove(DiskStep::Withdraw, &repository.git_dir().join(FOLDER).join(ANNOUNCEMENT))
}

/// Releases the locks of a run that was killed. A commit that had reached its branch is completed by the index that
/// was ready for it; nobody can have changed the index since, for it was locked.
pub(super) fn recover(repository: &Repository) -> Result<(), StoreError> {
    let folder = repository.git_dir().join(FOLDER);
    let announced = folder.join(ANNOUNCEMENT);
    let is_done = reached_branch(repository, &announced)?;
    let entries = fs::read_dir(&folder).map_err(io("read", FOLDER))?;
    for entry in entries {
        let entry = entry.map_err(io("read", FOLDER))?;
        let witness = entry.path();
        let Some(name) = entry.file_name().to_str().and_then(|name| name.strip_prefix(WITNESS)).and_then(decoded)
        else {
            continue;
        };
        let lock = lock_of(&place(repository, &name));
        if is_same_file(&witness, &lock) {
            if is_done && name == INDEX {
                publish_index(repository).map_err(io("complete", "index"))?;
            }
            fs::remove_file(&lock).map_err(io("release", name))?;
        }
        fs::remove_file(&witness).map_err(io("clear", FOLDER))?;
    }
    for left in [announced, staged_index(repository)] {
        match fs::remove_file(left) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io("clear", FOLDER)(error)),
            _ => {}
        }
    }
    Ok(())
}

/// Puts the index of a commit that had reached its branch in place, unless that was done.
fn publish_index(repository: &Repository) -> io::Result<()> {
    let staged = staged_index(repository);
    // After a power failure even a file that was complete may be torn.
    let is_whole = staged.exists() && GitIndex::at(&staged, repository.handle().object_hash()).is_ok();
    if is_whole { fs::rename(staged, place(repository, INDEX)) } else { Ok(()) }
}

/// Tells whether the announced commit is part of what is checked out.
fn reached_branch(repository: &Repository, announced: &Path) -> Result<bool, StoreError> {
    // A text that is not a whole line was never completed, so the branch had not moved either.
    let text = fs::read_to_string(announced).unwrap_or_default();
    let Some(line) = text.strip_suffix('\n') else { return Ok(false) };
    let tip = match repository.head()? {
        Head::Branch { commit: Some(tip), .. } | Head::Detached(tip) => tip,
        Head::Branch { commit: None, .. } => return Ok(false),
    };
    if let Some(before) = line.strip_prefix(AFTER) {
        let commit = repository.handle().find_commit(tip.0).map_err(git("read a commit"))?;
        let parent = commit.parent_ids().next().map_or_else(|| NO_COMMIT.to_owned(), |parent| parent.to_string());
        return Ok(parent == before);
    }
    let Ok(commit) = gix::ObjectId::from_hex(line.as_bytes()) else { return Ok(false) };
    Ok(repository.reaches(tip, CommitId(commit))? == Ancestry::Yes)
}

fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// A name that fits in one path component, and back.
fn encoded(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F")
}

fn decoded(name: &str) -> Option<String> {
    let name = name.replace("%2F", "/").replace("%25", "%");
    (!name.split('/').any(|part| matches!(part, "" | "." | ".."))).then_some(name)
}

fn age(lock: &Path) -> u64 {
    let taken = fs::metadata(lock).and_then(|found| found.modified()).ok();
    taken.and_then(|taken| taken.elapsed().ok()).map_or(0, |age| age.as_secs())
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path| fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

/// Without a way to tell, no lock is ours to remove.
#[cfg(not(unix))]
fn is_same_file(_one: &Path, _other: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_survives_being_one_path_component() {
        for name in ["index", "refs/heads/a/b", "refs/heads/100%2F", "worktrees/x/index", "HEAD"] {
            let component = encoded(name);
            assert!(!component.contains('/'));
            assert_eq!(decoded(&component).as_deref(), Some(name));
        }
        assert_eq!(decoded("..%2F..%2Fetc%2Fpasswd"), None);
    }

    #[test]
    fn where_a_file_cannot_have_two_names_the_lock_is_made_as_git_makes_it() {
        let here = tempfile::tempdir().expect("a folder");
        let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return };
        let (lock, witness) = (here.path().join("index.lock"), elsewhere.path().join("held-index"));
        let disk = Disk::new(None);
        take(&disk, &lock, &witness).expect("a lock");
        assert!(lock.exists());
        let again = take(&disk, &lock, &witness).expect_err("a lock that is held");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }
}
