//! One commit of exactly the given files, on what is checked out, beside whatever the user is doing.
//!
//! The order is what keeps both sides whole. The index is locked first, so that no `git commit` runs meanwhile; the
//! branch moves only from the commit that the new one was built on; the index is read and written under that one
//! lock, and only our entries change; and the lock outlives the change, see `settle`. Any other order has lost either
//! the user's staged work or our files.

use std::time::Instant;

use super::contents::CommitContents;
use super::disk::DiskStep;
use super::error::{StoreError, io};
use super::git_lock::{self, GitLock};
use super::index::GitIndex;
use super::reference::{self};
use super::request::{CommitMethod, CommitRequest, check_state};
use super::settle::{GitProcesses, settle};
use super::{Owned, Store, via_git};
use crate::git::{CommitId, Repository};

/// How often a commit is built anew because somebody moved the branch meanwhile.
const ATTEMPTS: usize = 16;

impl Store {
    /// Commits the files and nothing else; none when what is checked out already holds them so.
    ///
    /// What the user has staged stays staged, and what is unstaged stays so. Only a version of one of these files that
    /// is `owned` is replaced in the index.
    ///
    /// # Errors
    ///
    /// The repository is in a state where a commit would harm somebody's work, a lock is held for too long, or the
    /// commit cannot be made; each says what to do.
    pub fn commit(&self, request: &CommitRequest<'_>, owned: Owned<'_>) -> Result<Option<CommitId>, StoreError> {
        let repository = &self.ready(request)?;
        let mut draft = CommitContents::new(repository, request)?;
        match request.via {
            CommitMethod::Gix => self.commit_with_gix(&mut draft, owned),
            CommitMethod::Git => via_git::commit(self, &mut draft, owned),
        }
    }

    /// Says why a commit would be refused, before anything is written for it.
    ///
    /// # Errors
    ///
    /// As [`Store::commit`], except for what only shows on the way.
    pub fn check(&self, request: &CommitRequest<'_>) -> Result<(), StoreError> {
        let repository = self.ready(request)?;
        CommitContents::new(&repository, request)?;
        GitIndex::read(&repository).map(drop)
    }

    /// Opens the repository anew, for its configuration may have changed, and refuses where nothing may be committed.
    fn ready(&self, request: &CommitRequest<'_>) -> Result<Repository, StoreError> {
        let repository = self.repository.as_ref().ok_or(StoreError::NoRepository)?;
        if !repository.is_trusted() {
            return Err(StoreError::Untrusted);
        }
        let repository = repository.reopen()?;
        check_state(&repository)?;
        request.tip(&repository)?;
        Ok(repository)
    }

    fn commit_with_gix(
        &self,
        draft: &mut CommitContents<'_>,
        owned: Owned<'_>,
    ) -> Result<Option<CommitId>, StoreError> {
        let repository = draft.repository;
        let lock = GitLock::acquire(&self.disk, repository, git_lock::INDEX, self.wait)?;
        let begun = Instant::now();
        check_state(repository)?;
        let mut index = GitIndex::read(repository)?;
        draft.write_blobs(&index)?;
        let mut tip = draft.request.tip(repository)?;
        draft.check_index(&index, &tip, owned)?;
        let Some(mut tree) = draft.write_tree(&tip)? else { return Ok(None) };
        index.stage(&draft.entries, draft.work_tree);
        index.write(&self.disk, &git_lock::staged_index(repository))?;
        for _ in 0..ATTEMPTS {
            let commit = draft.write_commit(&tip, tree)?;
            git_lock::announce(&self.disk, repository, commit).map_err(io("announce", "the commit"))?;
            let subject = draft.request.message.subject();
            let line = reference::ReflogEntry { commit: commit.0, by: &draft.committer, subject };
            if reference::advance(&self.disk, repository, &tip, &line, self.wait)? {
                self.publish_index(draft, &index, begun)?;
                drop(lock);
                return Ok(Some(commit));
            }
            tip = draft.request.tip(repository)?;
            match draft.write_tree(&tip)? {
                Some(other) => tree = other,
                None => return Ok(None),
            }
        }
        Err(StoreError::Moving { attempts: ATTEMPTS })
    }

    /// Puts the new index in place, and lets nobody undo that.
    fn publish_index(&self, draft: &CommitContents<'_>, index: &GitIndex, begun: Instant) -> Result<(), StoreError> {
        let repository = draft.repository;
        let (staged, place) = (git_lock::staged_index(repository), git_lock::place(repository, git_lock::INDEX));
        self.disk.rename(DiskStep::PublishIndex, &staged, &place).map_err(io("write", "index"))?;
        let running = GitProcesses::of(draft.work_tree);
        git_lock::withdraw(&self.disk, repository).map_err(io("withdraw", "the commit"))?;
        settle(index, draft.work_tree, begun, &running);
        self.disk.reach(DiskStep::Release).map_err(io("release", "index"))
    }
}
