//! The files of a commit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use gix::bstr::{BString, ByteSlice};
use gix::objs::TreeRefIter;
use gix::objs::tree::{EntryKind, EntryMode};
use rayon::prelude::*;

use super::{BlobId, CommitId, Fetch, GitError, Repository, TreeId, failed};

/// Folders below the one asked for that are looked into; a state directory has four levels.
pub const DEEPEST: usize = 32;

/// Below this many files one thread is quicker than waking the others.
const PARALLEL: usize = 256;

/// The files below one folder of a commit, unread.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Each path, with slashes, and what it holds.
    pub blobs: BTreeMap<String, BlobId>,
    /// Each symbolic link, with the text of its target.
    pub links: BTreeMap<String, BlobId>,
    /// What is there and is no readable file.
    pub skipped: Vec<Skipped>,
}

/// The files below one folder of a commit, read.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CommitFiles {
    /// Each path, with slashes, and its bytes.
    pub bytes: BTreeMap<String, Vec<u8>>,
    /// What is there and was not read.
    pub skipped: Vec<Skipped>,
}

/// An entry of a tree that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Skipped {
    /// The name is not Unicode; given with each such byte escaped.
    Name(String),
    /// A symbolic link.
    Link(String),
    /// A commit of a submodule.
    Submodule(String),
    /// A folder nested too deeply.
    Depth(String),
    /// A file larger than the caller reads.
    Size(String),
}

impl Repository {
    /// Lists the files below the folder `under` of a commit; no such folder is no files.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn list(&self, commit: CommitId, under: &str) -> Result<Listing, GitError> {
        self.list_named(commit, under, &|_| true)
    }

    /// Lists the files below the folder `under` of a commit whose own names are wanted; what is no readable file is
    /// listed whatever its name.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn list_named(
        &self,
        commit: CommitId,
        under: &str,
        is_wanted: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Listing, GitError> {
        let mut listing = Listing::default();
        if let Some(top) = self.folder(commit, under)? {
            self.list_tree(top, BString::default(), is_wanted, &mut listing)?;
        }
        Ok(listing)
    }

    /// Names the folders directly below the folder `under` of a commit; no such folder has none.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn folders(&self, commit: CommitId, under: &str) -> Result<Vec<String>, GitError> {
        let Some(id) = self.folder(commit, under)? else { return Ok(Vec::new()) };
        let tree = self.git.find_tree(id).map_err(|error| self.absent("read a tree", &error))?;
        let mut names = Vec::new();
        for entry in TreeRefIter::from_bytes(&tree.data, self.git.object_hash()) {
            let entry = entry.map_err(failed("read a tree"))?;
            if entry.mode.is_tree() {
                names.extend(entry.filename.to_str().map(str::to_owned));
            }
        }
        Ok(names)
    }

    /// The id of the tree of a folder; no such folder has none.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn tree_id(&self, commit: CommitId, under: &str) -> Result<Option<TreeId>, GitError> {
        Ok(self.folder(commit, under)?.map(TreeId))
    }

    /// Lists the files that one tree holds beyond another; `None` where it lacks or changed any of the other's, or the
    /// other is not here. Trees that are equal are not opened.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn added(&self, old: TreeId, new: TreeId) -> Result<Option<BTreeMap<String, BlobId>>, GitError> {
        let mut added = BTreeMap::new();
        let mut waiting = vec![(String::new(), old.0, new.0)];
        while let Some((path, old, new)) = waiting.pop() {
            if old == new {
                continue;
            }
            let Some(old) = self.entries_of(old).ok() else { return Ok(None) };
            let new = self.entries_of(new)?;
            for (name, (is_tree, id)) in &new {
                let path = format!("{path}{name}");
                match old.get(name) {
                    Some((was_tree, before)) if *is_tree && *was_tree => {
                        waiting.push((format!("{path}/"), *before, *id));
                    }
                    Some((_, before)) if before == id => {}
                    Some(_) => return Ok(None),
                    None if *is_tree => {
                        let mut listing = Listing::default();
                        self.list_tree(*id, format!("{path}/").into(), &|_| true, &mut listing)?;
                        added.extend(listing.blobs);
                    }
                    None => drop(added.insert(path, BlobId(*id))),
                }
            }
            if old.keys().any(|name| !new.contains_key(name)) {
                return Ok(None);
            }
        }
        Ok(Some(added))
    }

    fn entries_of(&self, tree: gix::ObjectId) -> Result<BTreeMap<String, (bool, gix::ObjectId)>, GitError> {
        let tree = self.git.find_tree(tree).map_err(|error| self.absent("read a tree", &error))?;
        let mut entries = BTreeMap::new();
        for entry in TreeRefIter::from_bytes(&tree.data, self.git.object_hash()) {
            let entry = entry.map_err(failed("read a tree"))?;
            entries.insert(entry.filename.to_string(), (entry.mode.is_tree(), entry.oid.to_owned()));
        }
        Ok(entries)
    }

    /// Adds the files of a tree to a listing; `start` is its path there: empty, or ending in a slash.
    pub(super) fn list_tree(
        &self,
        top: gix::ObjectId,
        start: BString,
        is_wanted: &dyn Fn(&[u8]) -> bool,
        listing: &mut Listing,
    ) -> Result<(), GitError> {
        let mut folders = vec![(start, top, 0)];
        while let Some((path, id, depth)) = folders.pop() {
            let tree = self.git.find_tree(id).map_err(|error| self.absent("read a tree", &error))?;
            for entry in TreeRefIter::from_bytes(&tree.data, self.git.object_hash()) {
                let entry = entry.map_err(failed("read a tree"))?;
                if entry.mode.is_blob() && !is_wanted(entry.filename) {
                    continue;
                }
                let mut path = path.clone();
                path.extend_from_slice(entry.filename);
                match entry.mode.kind() {
                    EntryKind::Tree if depth < DEEPEST => {
                        path.push(b'/');
                        folders.push((path, entry.oid.to_owned(), depth + 1));
                    }
                    kind => listing.add(path, kind, entry.oid.to_owned()),
                }
            }
        }
        Ok(())
    }

    /// Reads every file below the folder `under` of a commit, except those larger than `largest` bytes.
    ///
    /// # Errors
    ///
    /// An object is missing or broken; a partial clone's error names the command that fetches it.
    pub fn tree_files(&self, commit: CommitId, under: &str, largest: u64) -> Result<CommitFiles, GitError> {
        let Listing { blobs, skipped, .. } = self.list(commit, under)?;
        let read: Vec<(String, Option<Vec<u8>>)> = if blobs.len() < PARALLEL {
            blobs.into_iter().map(|(path, id)| Ok((path, self.blob(id, largest)?))).collect::<Result<_, GitError>>()?
        } else {
            let shared = self.git.clone().into_sync();
            let (prefix, read) = (&self.prefix, &self.read);
            blobs
                .into_par_iter()
                .map_init(
                    || Self { git: shared.to_thread_local(), prefix: prefix.clone(), read: Arc::clone(read) },
                    |own, (path, id)| Ok((path, own.blob(id, largest)?)),
                )
                .collect::<Result<_, GitError>>()?
        };
        let mut files = CommitFiles { bytes: BTreeMap::new(), skipped };
        for (path, bytes) in read {
            match bytes {
                Some(bytes) => drop(files.bytes.insert(path, bytes)),
                None => files.skipped.push(Skipped::Size(path)),
            }
        }
        Ok(files)
    }

    /// Reads one version of a file, or nothing when it is larger than `largest` bytes.
    ///
    /// # Errors
    ///
    /// The object is missing or broken.
    pub fn blob(&self, id: BlobId, largest: u64) -> Result<Option<Vec<u8>>, GitError> {
        let missing = |error| self.absent("read a file", &error);
        self.read.fetch_add(1, Ordering::Relaxed);
        // The size stands in front: a hostile blob is never inflated.
        if self.git.find_header(id.0).map_err(missing)?.size() > largest {
            return Ok(None);
        }
        Ok(Some(self.git.find_blob(id.0).map_err(missing)?.take_data()))
    }

    /// Keeps the trees that are read, for a caller that looks up many paths.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        const TREES: usize = 4 << 20;
        self.git.object_cache_size_if_unset(TREES);
        self
    }

    /// Finds one file of a commit; no such file, or something else in its place, is none.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn file(&self, commit: CommitId, path: &str) -> Result<Option<BlobId>, GitError> {
        let entry = self.entry(commit, path)?;
        Ok(entry.filter(|(mode, _)| mode.is_blob()).map(|(_, id)| BlobId(id)))
    }

    /// Finds the target of one symbolic link of a commit; anything else in its place is none.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn link(&self, commit: CommitId, path: &str) -> Result<Option<BlobId>, GitError> {
        let entry = self.entry(commit, path)?;
        Ok(entry.filter(|(mode, _)| mode.is_link()).map(|(_, id)| BlobId(id)))
    }

    /// Finds the tree of a folder, given relative to this repository's directory.
    pub(super) fn folder(&self, commit: CommitId, under: &str) -> Result<Option<gix::ObjectId>, GitError> {
        let entry = self.entry(commit, under)?;
        Ok(entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id))
    }

    /// Finds what stands at a path, given relative to this repository's directory.
    fn entry(&self, commit: CommitId, path: &str) -> Result<Option<(EntryMode, gix::ObjectId)>, GitError> {
        let missing = |error| self.absent("read a tree", &error);
        let commit = self.git.find_commit(commit.0).map_err(|error| self.absent("read a commit", &error))?;
        let path = format!("{}{path}", self.prefix);
        let path = path.trim_end_matches('/');
        if path.is_empty() {
            let tree = commit.tree_id().map_err(failed("read a commit"))?.detach();
            return Ok(Some((EntryKind::Tree.into(), tree)));
        }
        let entry = commit.tree().map_err(missing)?.lookup_entry(path.split('/')).map_err(missing)?;
        Ok(entry.map(|entry| (entry.mode(), entry.object_id())))
    }

    /// Tells an object that a partial clone left out from one that is lost.
    pub(super) fn absent(&self, doing: &'static str, error: &gix::Error) -> GitError {
        if !error.is_not_found() {
            return GitError::Git { doing, fault: super::GitFault::of(error) };
        }
        let config = self.git.config_snapshot();
        let partial = config.boolean("remote.origin.promisor") == Some(true);
        GitError::MissingObject { doing, fetch: partial.then(Fetch::objects) }
    }
}

impl Listing {
    pub(super) fn add(&mut self, path: BString, kind: EntryKind, id: gix::ObjectId) {
        let path = match String::from_utf8(path.into()) {
            Ok(path) => path,
            Err(error) => {
                return self.skipped.push(Skipped::Name(error.as_bytes().as_bstr().escape_ascii().to_string()));
            }
        };
        match kind {
            EntryKind::Blob | EntryKind::BlobExecutable => drop(self.blobs.insert(path, BlobId(id))),
            EntryKind::Link => {
                self.links.insert(path.clone(), BlobId(id));
                self.skipped.push(Skipped::Link(path));
            }
            EntryKind::Commit => self.skipped.push(Skipped::Submodule(path)),
            EntryKind::Tree => self.skipped.push(Skipped::Depth(path)),
        }
    }
}
