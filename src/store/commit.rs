//! One commit of exactly the given files, on what is checked out, beside whatever the user is doing.
//!
//! The order is what keeps both sides whole. The index is locked first, so that no `git commit` runs meanwhile; the
//! branch moves only from the commit that the new one was built on; the index is read and written under that one
//! lock, and only our entries change; and the lock outlives the change, see `settle`. Any other order has lost either
//! the user's staged work or our files.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::git::{CommitId, Repository};

use super::contents::CommitContents;
use super::disk::DiskStep;
use super::error::{StoreError, io};
use super::files::Wanted;
use super::git_lock::{self, GitLock};
use super::index::GitIndex;
use super::reference::{self, Tip};
use super::settle::{GitProcesses, settle};
use super::{Owned, Store, via_git};

/// How often a commit is built anew because somebody moved the branch meanwhile.
const ATTEMPTS: usize = 16;

/// The text of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMessage {
    subject: String,
    trailers: Vec<(String, String)>,
}

impl CommitMessage {
    /// Builds a message of one line and trailers, in the given order.
    ///
    /// # Errors
    ///
    /// An empty subject, a line break, or a key that is not of letters, digits and hyphens.
    pub fn new(subject: &str, trailers: &[(&str, &str)]) -> Result<Self, StoreError> {
        let is_line = |text: &str| !text.trim().is_empty() && !text.contains(char::is_control);
        let is_key = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_line(subject) || !trailers.iter().all(|(key, value)| is_line(key) && is_key(key) && is_line(value)) {
            return Err(StoreError::Message);
        }
        let trailers = trailers.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Ok(Self { subject: subject.to_owned(), trailers })
    }

    /// Returns the first line of the message.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns the trailers, one a line.
    pub(super) fn trailers(&self) -> String {
        self.trailers.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> String {
        let trailers = self.trailers();
        let gap = if trailers.is_empty() { "" } else { "\n" };
        format!("{}\n{gap}{trailers}", self.subject)
    }
}

/// How a commit is made: by this program or by `git commit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommitMethod {
    /// This program. Hooks do not run and nothing is signed.
    #[default]
    Gix,
    /// The `git` command, with its hooks and signatures. Takes what the files hold in the work tree.
    Git,
}

/// The paths and the message of a commit to make.
#[derive(Debug, Clone)]
pub struct CommitRequest<'a> {
    /// The files, relative to the state directory; what they hold here is what is committed.
    pub files: &'a BTreeMap<String, Wanted>,
    /// The text.
    pub message: &'a CommitMessage,
    /// The author's and committer's time, written in UTC.
    pub time: jiff::Timestamp,
    /// Who makes it.
    pub via: CommitMethod,
    /// The short name of the branch that the files belong to; none takes whatever is checked out.
    pub branch: Option<&'a str>,
    /// Commits also when no branch is checked out, moving `HEAD` itself.
    pub allow_detached: bool,
}

impl CommitRequest<'_> {
    /// Reads what is checked out, which must be what the files belong to.
    pub(super) fn tip(&self, repository: &Repository) -> Result<Tip, StoreError> {
        let tip = Tip::read(repository, self.allow_detached)?;
        match self.branch {
            Some(branch) if tip.name.strip_prefix("refs/heads/") != Some(branch) => {
                Err(StoreError::OtherBranch { branch: branch.to_owned() })
            }
            _ => Ok(tip),
        }
    }
}

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

/// Refuses while git has something unfinished: a commit would become part of it, or end it.
pub(super) fn check_state(repository: &Repository) -> Result<(), StoreError> {
    repository.operation().map_or(Ok(()), |operation| Err(StoreError::Unfinished(operation)))
}
