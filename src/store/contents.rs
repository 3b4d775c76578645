//! A request on its way to becoming a commit: its objects are written, nothing is moved.

use std::io::Read;
use std::path::Path;

use gix::objs::tree::EntryKind;
use gix::worktree::stack::state::attributes::Source;

use crate::git::{CommitId, Repository};

use super::Owned;
use super::error::{StoreError, git, io};
use super::files::{self, Wanted};
use super::index::{GitIndex, IndexEntry};
use super::reference::Tip;
use super::request::CommitRequest;

/// What a commit is made of.
pub(super) struct CommitContents<'a> {
    pub(super) repository: &'a Repository,
    pub(super) request: &'a CommitRequest<'a>,
    pub(super) work_tree: &'a Path,
    author: gix::actor::Signature,
    pub(super) committer: gix::actor::Signature,
    /// Empty until the blobs are written.
    pub(super) entries: Vec<IndexEntry<'a>>,
}

impl<'a> CommitContents<'a> {
    /// Finds out who commits, as git knows them. Nobody is ever invented.
    pub(super) fn new(repository: &'a Repository, request: &'a CommitRequest<'a>) -> Result<Self, StoreError> {
        let work_tree = repository.work_tree().ok_or(StoreError::NoRepository)?;
        let time = gix::date::Time { seconds: request.time.as_second(), offset: 0 };
        let known = |who: Option<gix::Result<gix::actor::SignatureRef<'_>>>| {
            let who = who.and_then(Result::ok).ok_or(StoreError::NoIdentity)?.trim();
            Ok::<_, StoreError>(gix::actor::Signature { name: who.name.to_owned(), email: who.email.to_owned(), time })
        };
        let handle = repository.handle();
        let (author, committer) = (known(handle.author())?, known(handle.committer())?);
        Ok(Self { repository, request, work_tree, author, committer, entries: Vec::new() })
    }

    /// Writes the blobs, as the repository's attributes and filters make them from what is in the work tree.
    pub(super) fn write_blobs(&mut self, index: &GitIndex) -> Result<(), StoreError> {
        let handle = self.repository.handle();
        let attributes = handle.attributes_only(index.state(), Source::WorktreeThenIdMapping);
        let filters = attributes.and_then(|attributes| gix::filter::Pipeline::new(handle, attributes.detach()));
        let mut filters = filters.map_err(git("read the attributes"))?;
        for (path, wanted) in self.request.files {
            if !files::is_inside(path) {
                return Err(StoreError::Outside { path: path.clone() });
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
            self.entries.push(IndexEntry { path, executable: index.is_executable(&full), full, content });
        }
        Ok(())
    }

    /// Refuses to replace what the user has staged for one of the files and not committed.
    pub(super) fn check_index(&self, index: &GitIndex, tip: &Tip, owned: Owned<'_>) -> Result<(), StoreError> {
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
                return Err(StoreError::Staged { path: entry.path.to_owned() });
            }
        }
        Ok(())
    }

    /// Writes the tree that `tip` has with the files in it; none when nothing changes.
    pub(super) fn write_tree(&self, tip: &Tip) -> Result<Option<gix::ObjectId>, StoreError> {
        let before = self.tree(tip)?;
        let mut editor = before.edit().map_err(git("read a tree"))?;
        for entry in &self.entries {
            let kind = if entry.executable { EntryKind::BlobExecutable } else { EntryKind::Blob };
            let edited = match entry.content {
                Some((_, id)) => editor.upsert(&entry.full, kind, id),
                None => editor.remove_leaf(&entry.full),
            };
            edited.map_err(git("change a tree"))?;
        }
        let after = editor.write().map_err(git("write a tree"))?.detach();
        Ok((after != before.id).then_some(after))
    }

    /// Writes the commit of a tree on top of `tip`.
    pub(super) fn write_commit(&self, tip: &Tip, tree: gix::ObjectId) -> Result<CommitId, StoreError> {
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

    fn tree(&self, tip: &Tip) -> Result<gix::Tree<'_>, StoreError> {
        let handle = self.repository.handle();
        match tip.commit {
            Some(id) => handle.find_commit(id).and_then(|commit| commit.tree()).map_err(git("read a commit")),
            None => Ok(handle.empty_tree()),
        }
    }
}
