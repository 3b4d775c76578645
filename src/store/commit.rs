//! One commit of exactly the given files, on what is checked out, beside whatever the user is doing.
//!
//! The order is what keeps both sides whole. The index is locked first, so that no `git commit` runs meanwhile; the
//! branch moves only from the commit that the new one was built on; the index is read and written under that one
//! lock, and only our entries change. Any other order has lost either the user's staged work or our files.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use gix::index::entry::Mode;
use gix::objs::tree::EntryKind;
use gix::worktree::stack::state::attributes::Source;

use crate::facts::{CommitId, Repository};

use super::disk::Step;
use super::error::{Error, git, io};
use super::files::{self, Wanted};
use super::git_lock::{self, GitLock};
use super::index::{Entry, Index};
use super::reference::{self, Tip};
use super::{Owned, Store, via_git};

/// How often a commit is built anew because somebody moved the branch meanwhile.
const ATTEMPTS: usize = 16;

/// The text of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    subject: String,
    trailers: Vec<(String, String)>,
}

impl Message {
    /// Builds a message of one line and trailers, in the given order.
    ///
    /// # Errors
    ///
    /// An empty subject, a line break, or a key that is not of letters, digits and hyphens.
    pub fn new(subject: &str, trailers: &[(&str, &str)]) -> Result<Self, Error> {
        let is_line = |text: &str| !text.trim().is_empty() && !text.contains(char::is_control);
        let is_key = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_line(subject) || !trailers.iter().all(|(key, value)| is_line(key) && is_key(key) && is_line(value)) {
            return Err(Error::Message);
        }
        let trailers = trailers.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Ok(Self { subject: subject.to_owned(), trailers })
    }

    /// Returns the first line.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    pub(super) fn trailers(&self) -> String {
        self.trailers.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
    }

    fn text(&self) -> String {
        let trailers = self.trailers();
        let gap = if trailers.is_empty() { "" } else { "\n" };
        format!("{}\n{gap}{trailers}", self.subject)
    }
}

/// Who makes the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Via {
    /// This program. Hooks do not run and nothing is signed.
    #[default]
    Gix,
    /// The `git` command, with its hooks and signatures. Takes what the files hold in the work tree.
    Git,
}

/// What to commit.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The files, relative to the state directory; what they hold here is what is committed.
    pub files: &'a BTreeMap<String, Wanted>,
    /// The text.
    pub message: &'a Message,
    /// The author's and committer's time, written in UTC.
    pub time: jiff::Timestamp,
    /// Who makes it.
    pub via: Via,
    /// The short name of the branch that the files belong to; none takes whatever is checked out.
    pub branch: Option<&'a str>,
    /// Commits also when no branch is checked out, moving `HEAD` itself.
    pub allow_detached: bool,
}

impl Request<'_> {
    /// Reads what is checked out, which must be what the files belong to.
    pub(super) fn tip(&self, repository: &Repository) -> Result<Tip, Error> {
        let tip = Tip::read(repository, self.allow_detached)?;
        match self.branch {
            Some(branch) if tip.name.strip_prefix("refs/heads/") != Some(branch) => {
                Err(Error::OtherBranch { branch: branch.to_owned() })
            }
            _ => Ok(tip),
        }
    }
}

/// A request, ready to become a commit.
pub(super) struct Draft<'a> {
    pub(super) repository: &'a Repository,
    pub(super) request: &'a Request<'a>,
    pub(super) work_tree: &'a Path,
    author: gix::actor::Signature,
    committer: gix::actor::Signature,
    /// Empty until the blobs are written.
    pub(super) entries: Vec<Entry<'a>>,
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
    pub fn commit(&self, request: &Request<'_>, owned: Owned<'_>) -> Result<Option<CommitId>, Error> {
        let repository = &self.ready(request)?;
        let work_tree = repository.work_tree().ok_or(Error::NoRepository)?;
        let (author, committer) = signatures(repository, request.time)?;
        let mut draft = Draft { repository, request, work_tree, author, committer, entries: Vec::new() };
        match request.via {
            Via::Gix => self.commit_with_gix(&mut draft, owned),
            Via::Git => via_git::commit(self, &mut draft, owned),
        }
    }

    /// Says why a commit would be refused, before anything is written for it.
    ///
    /// # Errors
    ///
    /// As [`Store::commit`], except for what only shows on the way.
    pub fn check(&self, request: &Request<'_>) -> Result<(), Error> {
        let repository = self.ready(request)?;
        signatures(&repository, request.time)?;
        Index::read(&repository).map(drop)
    }

    /// Opens the repository anew, for its configuration may have changed, and refuses where nothing may be committed.
    fn ready(&self, request: &Request<'_>) -> Result<Repository, Error> {
        let repository = self.repository.as_ref().ok_or(Error::NoRepository)?;
        if !repository.is_trusted() {
            return Err(Error::Untrusted);
        }
        let repository = repository.reopen()?;
        check_state(&repository)?;
        request.tip(&repository)?;
        Ok(repository)
    }

    fn commit_with_gix(&self, draft: &mut Draft<'_>, owned: Owned<'_>) -> Result<Option<CommitId>, Error> {
        let repository = draft.repository;
        let mut lock = GitLock::acquire(&self.disk, repository, &repository.handle().index_path(), self.wait)?;
        check_state(repository)?;
        let mut index = Index::read(repository)?;
        draft.write_blobs(&index)?;
        let mut is_staged = false;
        for _ in 0..ATTEMPTS {
            let tip = draft.request.tip(repository)?;
            if !is_staged {
                draft.check_index(&index, &tip, owned)?;
            }
            let Some((tree, modes)) = draft.write_tree(&tip)? else { return Ok(None) };
            let commit = draft.write_commit(&tip, tree)?;
            if !is_staged {
                index.stage(&draft.entries, &modes, draft.work_tree);
                index.write_to(lock.file(Step::WriteIndex).map_err(io("write", "index"))?)?;
                is_staged = true;
            }
            git_lock::announce(&self.disk, repository, commit).map_err(io("announce", "the commit"))?;
            let subject = draft.request.message.subject();
            let line = reference::Entry { commit: commit.0, by: &draft.committer, subject };
            if reference::advance(&self.disk, repository, &tip, &line, self.wait)? {
                lock.publish(Step::PublishIndex).map_err(io("write", "index"))?;
                git_lock::withdraw(&self.disk, repository).map_err(io("withdraw", "the commit"))?;
                return Ok(Some(commit));
            }
        }
        Err(Error::Moving { attempts: ATTEMPTS })
    }
}

/// Refuses while git has something unfinished: a commit would become part of it, or end it.
fn check_state(repository: &Repository) -> Result<(), Error> {
    repository.operation().map_or(Ok(()), |operation| Err(Error::Unfinished(operation)))
}

/// Author and committer as git knows them, at the given time. Never invented.
fn signatures(
    repository: &Repository,
    time: jiff::Timestamp,
) -> Result<(gix::actor::Signature, gix::actor::Signature), Error> {
    let time = gix::date::Time { seconds: time.as_second(), offset: 0 };
    let handle = repository.handle();
    let known = |who: Option<gix::Result<gix::actor::SignatureRef<'_>>>| {
        let who = who.and_then(Result::ok).ok_or(Error::NoIdentity)?.trim();
        Ok::<_, Error>(gix::actor::Signature { name: who.name.to_owned(), email: who.email.to_owned(), time })
    };
    Ok((known(handle.author())?, known(handle.committer())?))
}

impl<'a> Draft<'a> {
    /// Writes the blobs, as the repository's attributes and filters make them from what is in the work tree.
    pub(super) fn write_blobs(&mut self, index: &Index) -> Result<(), Error> {
        let handle = self.repository.handle();
        let attributes = handle.attributes_only(index.state(), Source::WorktreeThenIdMapping);
        let filters = attributes.and_then(|attributes| gix::filter::Pipeline::new(handle, attributes.detach()));
        let mut filters = filters.map_err(git("read the attributes"))?;
        for (path, wanted) in self.request.files {
            if !files::is_inside(path) {
                return Err(Error::Outside { path: path.clone() });
            }
            let full = format!("{}{path}", self.repository.prefix());
            let content = match wanted {
                Wanted::Absent => None,
                Wanted::Content(bytes) => {
                    let mut blob = Vec::with_capacity(bytes.len());
                    filters
                        .convert_to_git(bytes.as_slice(), Path::new(&full), index.state())
                        .map_err(git("apply the filters of a file"))?
                        .read_to_end(&mut blob)
                        .map_err(io("filter", path))?;
                    let id = handle.write_blob(&blob).map_err(git("write a file's content"))?;
                    Some((bytes.as_slice(), id.detach()))
                }
            };
            self.entries.push(Entry { path, full, content });
        }
        Ok(())
    }

    /// Refuses to replace what the user has staged for one of the files and not committed.
    pub(super) fn check_index(&self, index: &Index, tip: &Tip, owned: Owned<'_>) -> Result<(), Error> {
        let handle = self.repository.handle();
        let tree = self.tree(tip)?;
        for entry in &self.entries {
            index.check(entry)?;
            let staged = index.staged(&entry.full);
            let wanted = entry.content.map(|(_, id)| id);
            let found = tree.lookup_entry(entry.full.split('/')).map_err(git("read a tree"))?;
            let committed = found.map(|found| found.object_id());
            if staged == committed || staged == wanted {
                continue;
            }
            // What is lost: the staged version, or else the decision to remove the committed one.
            let Some(lost) = staged.or(committed) else { continue };
            let bytes = handle.find_blob(lost).map_err(git("read what is staged"))?;
            if !owned(entry.path, &bytes.data) {
                return Err(Error::Staged { path: entry.path.to_owned() });
            }
        }
        Ok(())
    }

    /// Writes the tree that `tip` has with the files in it, and the mode of each; none when nothing changes.
    pub(super) fn write_tree(&self, tip: &Tip) -> Result<Option<(gix::ObjectId, Vec<Mode>)>, Error> {
        let before = self.tree(tip)?;
        let mut editor = before.edit().map_err(git("read a tree"))?;
        let mut modes = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let found = before.lookup_entry(entry.full.split('/')).map_err(git("read a tree"))?;
            let (kind, mode) = match found.is_some_and(|found| found.mode().is_executable()) {
                true => (EntryKind::BlobExecutable, Mode::FILE_EXECUTABLE),
                false => (EntryKind::Blob, Mode::FILE),
            };
            modes.push(mode);
            let edited = match entry.content {
                Some((_, id)) => editor.upsert(&entry.full, kind, id),
                None => editor.remove(&entry.full),
            };
            edited.map_err(git("change a tree"))?;
        }
        let after = editor.write().map_err(git("write a tree"))?.detach();
        Ok((after != before.id).then_some((after, modes)))
    }

    /// Writes the commit of a tree on top of `tip`, and moves nothing.
    fn write_commit(&self, tip: &Tip, tree: gix::ObjectId) -> Result<CommitId, Error> {
        let commit = gix::objs::Commit {
            tree,
            parents: tip.commit.into_iter().collect(),
            author: self.author.clone(),
            committer: self.committer.clone(),
            encoding: None,
            message: self.request.message.text().into(),
            extra_headers: Vec::new(),
        };
        let written = self.repository.handle().write_object(&commit);
        written.map(|id| CommitId(id.detach())).map_err(git("write a commit"))
    }

    fn tree(&self, tip: &Tip) -> Result<gix::Tree<'_>, Error> {
        let handle = self.repository.handle();
        match tip.commit {
            Some(id) => handle.find_commit(id).and_then(|commit| commit.tree()).map_err(git("read a commit")),
            None => Ok(handle.empty_tree()),
        }
    }
}
