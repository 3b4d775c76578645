//! The same commit, made by the `git` command with its hooks and signatures.
//!
//! Git works on a copy of the index, and the index itself is locked meanwhile. When a commit is made the copy takes the
//! index's place; when none is, because a hook refuses, the time is up or somebody interrupts, the index is untouched.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use crate::git::{CommitId, Repository};

use super::child::Child;
use super::contents::CommitContents;
use super::disk::DiskStep;
use super::error::{StoreError, git, io};
use super::git_lock::{self, GitLock};
use super::index::GitIndex;
use super::reference::Tip;
use super::request::check_state;
use super::settle::{GitProcesses, settle};
use super::{Owned, Store};

/// Commits what the files hold in the work tree.
pub(super) fn commit(
    store: &Store,
    draft: &mut CommitContents<'_>,
    owned: Owned<'_>,
) -> Result<Option<CommitId>, StoreError> {
    let repository = draft.repository;
    let lock = GitLock::acquire(&store.disk, repository, git_lock::INDEX, store.wait)?;
    let begun = Instant::now();
    check_state(repository)?;
    let tip = draft.request.tip(repository)?;
    let index = GitIndex::read(repository)?;
    draft.write_blobs(&index)?;
    draft.check_index(&index, &tip, owned)?;
    let Some(wanted) = draft.write_tree(&tip)? else { return Ok(None) };
    let copy = Copy::make(repository)?;
    git_lock::announce_after(&store.disk, repository, tip.commit).map_err(io("announce", "the commit"))?;
    let ended = copy.commit(store, draft, &index);
    let made = Tip::read(&repository.reopen()?, draft.request.allow_detached)?;
    // A hook that runs after the commit may fail, and the commit is made all the same.
    let is_made = made.commit != tip.commit && (ended.is_ok() || is_ours(draft, &tip, &made)?);
    if let Some(commit) = made.commit.filter(|_| is_made) {
        let paths = widened(draft, wanted, commit)?;
        if !paths.is_empty() {
            let is_undone = undo(store, draft, &tip, commit)?;
            if !is_undone {
                copy.publish(store, repository)?;
            }
            git_lock::withdraw(&store.disk, repository).map_err(io("withdraw", "the commit"))?;
            drop(lock);
            return Err(StoreError::Widened { paths, is_undone });
        }
    }
    if !is_made {
        git_lock::withdraw(&store.disk, repository).map_err(io("withdraw", "the commit"))?;
        drop(lock);
        return ended.map(|()| None);
    }
    copy.publish(store, repository)?;
    let running = GitProcesses::of(draft.work_tree);
    git_lock::withdraw(&store.disk, repository).map_err(io("withdraw", "the commit"))?;
    settle(&index, draft.work_tree, begun, &running);
    store.disk.reach(DiskStep::Release).map_err(io("release", "index"))?;
    drop(lock);
    Ok(made.commit.map(CommitId))
}

/// Whether the commit that a branch moved to is the one that was asked for.
fn is_ours(draft: &CommitContents<'_>, tip: &Tip, made: &Tip) -> Result<bool, StoreError> {
    let Some(id) = made.commit.filter(|_| made.name == tip.name) else { return Ok(false) };
    let commit = draft.repository.handle().find_commit(id).map_err(git("read the commit"))?;
    let parent = commit.parent_ids().next().map(|id| id.detach());
    Ok(parent == tip.commit && commit.message_raw_sloppy().starts_with(draft.request.message.subject().as_bytes()))
}

/// The paths at which a commit holds something else than it was to hold: a hook has changed its index.
fn widened(
    draft: &CommitContents<'_>,
    wanted: gix::ObjectId,
    commit: gix::ObjectId,
) -> Result<Vec<String>, StoreError> {
    let commit = draft.repository.handle().find_commit(commit).map_err(git("read the commit"))?;
    let tree = commit.tree_id().map_err(git("read the commit"))?.detach();
    Ok(draft.repository.differing_paths(wanted, tree)?)
}

/// Moves the branch back to where it stood. A commit that was not made right there stays: somebody built on it.
fn undo(store: &Store, draft: &CommitContents<'_>, tip: &Tip, made: gix::ObjectId) -> Result<bool, StoreError> {
    let commit = draft.repository.handle().find_commit(made).map_err(git("read the commit"))?;
    let parents: Vec<_> = commit.parent_ids().map(|id| id.detach()).collect();
    if parents != tip.commit.into_iter().collect::<Vec<_>>() {
        return Ok(false);
    }
    let mut child = Child::git(draft.work_tree);
    child.command.args(["update-ref", "-m", "loopx: take back a commit that a hook has changed"]);
    match tip.commit {
        Some(before) => child.command.args(["HEAD".to_owned(), before.to_string(), made.to_string()]),
        None => child.command.args(["-d".to_owned(), "HEAD".to_owned(), made.to_string()]),
    };
    child.run("update-ref", store.deadline).map(|()| true)
}

/// A copy of the index for git to work on. It goes when nothing was made of it.
struct Copy {
    place: PathBuf,
    /// Where a new file is listed by name for git, which would wait for ever at a pipe that nobody reads.
    paths: PathBuf,
}

impl Copy {
    fn make(repository: &Repository) -> Result<Self, StoreError> {
        let place = git_lock::staged_index(repository);
        let copy = Self { paths: place.with_extension("paths"), place };
        copy.clear();
        match fs::copy(git_lock::place(repository, git_lock::INDEX), &copy.place) {
            // An empty repository has none.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io("copy", "index")(error)),
            _ => Ok(copy),
        }
    }

    fn commit(&self, store: &Store, draft: &CommitContents<'_>, index: &GitIndex) -> Result<(), StoreError> {
        let paths = |wanted: &dyn Fn(&str) -> bool| {
            let full = draft.entries.iter().map(|entry| entry.full.as_str()).filter(|full| wanted(full));
            full.flat_map(|full| [full, "\0"]).collect::<String>()
        };
        // `git commit` takes only files that the index knows.
        let new = paths(&|full| index.staged(full).is_none());
        self.run(store, draft, "add", &["--intent-to-add", "--force"], &new)?;
        let trailers = draft.request.message.trailers();
        let mut options = vec!["--quiet", "--only", "--message", draft.request.message.subject()];
        if !trailers.is_empty() {
            options.extend(["--message", &trailers]);
        }
        self.run(store, draft, "commit", &options, &paths(&|_| true))
    }

    /// Runs `git` on the given paths, each of which ends in a NUL; none is nothing to do.
    fn run(
        &self,
        store: &Store,
        draft: &CommitContents<'_>,
        act: &'static str,
        options: &[&str],
        paths: &str,
    ) -> Result<(), StoreError> {
        if paths.is_empty() {
            return Ok(());
        }
        fs::write(&self.paths, paths).map_err(io("list", "the files of the commit"))?;
        let mut child = Child::git(draft.work_tree);
        child.command.arg(act).args(options).arg("--pathspec-file-nul");
        child.command.arg(format!("--pathspec-from-file={}", self.paths.display()));
        let time = format!("{} +0000", draft.request.time.as_second());
        child.command.env("GIT_AUTHOR_DATE", &time).env("GIT_COMMITTER_DATE", &time);
        child.command.env("GIT_INDEX_FILE", &self.place).env("GIT_LITERAL_PATHSPECS", "1");
        child.run(act, store.deadline)
    }

    /// Puts the copy in place of the index.
    fn publish(self, store: &Store, repository: &Repository) -> Result<(), StoreError> {
        let place = git_lock::place(repository, git_lock::INDEX);
        store.disk.rename(DiskStep::PublishIndex, &self.place, &place).map_err(io("write", "index"))
    }

    /// Removes what is left of a copy. All of it stands in a folder of ours.
    fn clear(&self) {
        for left in [self.place.with_extension("lock"), self.place.clone(), self.paths.clone()] {
            let _ = fs::remove_file(left);
        }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        self.clear();
    }
}
