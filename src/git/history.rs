//! Commits, and what they changed.

use std::collections::{HashMap, HashSet};

use gix::objs::tree::EntryKind;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::id::Ancestry;
use super::{BlobId, CommitId, Fetch, GitError, Head, Repository, failed};

/// Trees of a long walk are read many times over.
const OBJECT_CACHE: usize = 16 << 20;

/// Who made a commit, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// The whole id.
    pub id: CommitId,
    /// The shortest part of the id that is unique in this repository.
    pub short: String,
    /// The author's name, as claimed.
    pub author_name: String,
    /// The author's address, as claimed.
    pub author_email: String,
    /// The committer's name, as claimed.
    pub committer_name: String,
    /// The committer's address, as claimed.
    pub committer_email: String,
    /// The commits that it builds on, the one that it was made on first.
    pub parents: Vec<CommitId>,
    /// When it was committed.
    pub time: jiff::Timestamp,
}

/// How a file differs from a parent commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// No parent has the file.
    Added,
    /// A parent has it with other content.
    Modified,
    /// A parent has it, the commit does not.
    Removed,
}

/// One file changed by one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommittedChange {
    /// The commit that made the change.
    pub commit: CommitId,
    /// The file's path below the folder asked for.
    pub path: String,
    /// How it changed.
    pub kind: ChangeKind,
    /// What the file holds since; none once removed.
    pub blob: Option<BlobId>,
    /// What stands at the path.
    pub form: Form,
}

/// What stands at a path of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A commit of another repository.
    Submodule,
}

/// Every change below one folder: each commit after its parents, whatever their dates claim, then by path.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct History {
    /// The changes. A merge is compared with each of its parents, so what it drops of one side is listed.
    pub changes: Vec<CommittedChange>,
    /// Commits whose parents a shallow clone left out: what they hold was there by then, and nobody here can say
    /// since when.
    pub boundary: Vec<CommitId>,
}

impl Repository {
    /// Reads who made a commit, and when.
    ///
    /// # Errors
    ///
    /// The commit is missing or broken.
    pub fn commit(&self, id: CommitId) -> Result<CommitInfo, GitError> {
        let broken = failed("read a commit");
        let commit = self.git.find_commit(id.0).map_err(|error| self.absent("read a commit", &error))?;
        let author = commit.author().map_err(&broken)?;
        let committer = commit.committer().map_err(&broken)?;
        let seconds = commit.time().map_err(&broken)?.seconds;
        Ok(CommitInfo {
            id,
            short: commit.short_id().map_err(&broken)?.to_string(),
            author_name: author.name.to_string(),
            author_email: author.email.to_string(),
            committer_name: committer.name.to_string(),
            committer_email: committer.email.to_string(),
            parents: commit.parent_ids().map(|id| CommitId(id.detach())).collect(),
            // A time that no calendar holds is as good as the first one it holds.
            time: jiff::Timestamp::from_second(seconds).unwrap_or_default(),
        })
    }

    /// Reads the headers of a commit beyond its tree, parents, author and committer, a line each. Of a signature the lines
    /// of its encoded body are left out.
    ///
    /// # Errors
    ///
    /// The commit is missing.
    pub fn extra_headers(&self, id: CommitId) -> Result<String, GitError> {
        const KNOWN: [&[u8]; 4] = [b"tree ", b"parent ", b"author ", b"committer "];
        let commit = self.git.find_commit(id.0).map_err(|error| self.absent("read a commit", &error))?;
        let (mut text, mut is_signature) = (String::new(), false);
        let headers = commit.data.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
        for line in headers.filter(|line| !KNOWN.iter().any(|known| line.starts_with(known))) {
            let line = String::from_utf8_lossy(line);
            if line.contains("-----BEGIN ") {
                is_signature = true;
            } else if line.contains("-----END ") {
                is_signature = false;
            } else if !(is_signature && is_base64(line.trim())) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        Ok(text)
    }

    /// Lists the commits that a commit was made on.
    ///
    /// # Errors
    ///
    /// The commit is missing or broken.
    pub fn parents(&self, id: CommitId) -> Result<Vec<CommitId>, GitError> {
        let commit = self.git.find_commit(id.0).map_err(|error| self.absent("read a commit", &error))?;
        Ok(commit.parent_ids().map(|parent| CommitId(parent.detach())).collect())
    }

    /// Lists every change below the folder `under` in the history of `tip`, without what `since` already contains.
    ///
    /// # Errors
    ///
    /// A commit or a tree is missing or broken.
    pub fn history(&self, tip: CommitId, under: &str, since: Option<CommitId>) -> Result<History, GitError> {
        // A copy would know none of the trees that this one remembers.
        if self.git.objects.has_object_cache() {
            return self.changes(tip, under, since);
        }
        let mut git = self.git.clone();
        git.object_cache_size_if_unset(OBJECT_CACHE);
        let walk = Self { git, prefix: self.prefix.clone(), read: std::sync::Arc::clone(&self.read) };
        walk.changes(tip, under, since)
    }

    fn changes(&self, tip: CommitId, under: &str, since: Option<CommitId>) -> Result<History, GitError> {
        let broken = failed("walk the history");
        let shallow = self.git.shallow_commits().map_err(failed("read the shallow boundary"))?;
        let is_boundary = |id| shallow.as_ref().is_some_and(|commits| commits.binary_search(&id).is_ok());
        let walk = self
            .git
            .rev_walk([tip.0])
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
            .with_hidden(since.map(|id| id.0))
            .all()
            .map_err(&broken)?;
        let mut folders = Folders { repository: self, under, seen: HashMap::new() };
        let mut history = History::default();
        let mut parents = HashMap::new();
        let mut by_commit = HashMap::new();
        for found in walk {
            let found = found.map_err(|error| self.absent("walk the history", &error))?;
            if is_boundary(found.id) {
                history.boundary.push(CommitId(found.id));
                continue;
            }
            by_commit.insert(found.id, folders.changes(CommitId(found.id), &found.parent_ids)?);
            parents.insert(found.id, found.parent_ids);
        }
        let order = parents_first(tip.0, &parents);
        history.changes = order.iter().filter_map(|commit| by_commit.remove(commit)).flatten().collect();
        Ok(history)
    }

    /// Finds the best common ancestor of two commits.
    ///
    /// # Errors
    ///
    /// There is none in this repository, which in a shallow clone means that it was not fetched.
    pub fn merge_base(&self, one: CommitId, other: CommitId) -> Result<Option<CommitId>, GitError> {
        let base = self.git.merge_base(one.0, other.0).map_err(|error| self.absent("find the merge base", &error))?;
        match base {
            Some(base) => Ok(Some(CommitId(base.detach()))),
            None if self.is_shallow()? => Err(GitError::Shallow { fetch: self.fetch_history()? }),
            None => Ok(None),
        }
    }

    /// Lists every best common ancestor of two commits; none where they have no common history in this clone.
    ///
    /// # Errors
    ///
    /// A commit is missing or broken.
    pub fn merge_bases(&self, one: CommitId, other: CommitId) -> Result<Vec<CommitId>, GitError> {
        let bases = self.git.merge_bases_many(one.0, &[other.0]);
        let bases = bases.map_err(|error| self.absent("find the merge bases", &error))?;
        Ok(bases.into_iter().map(|base| CommitId(base.detach())).collect())
    }

    /// Names the command that brings the rest of the history of what is checked out and of every branch of `origin`.
    ///
    /// # Errors
    ///
    /// `HEAD` is broken or unreadable.
    pub fn fetch_history(&self) -> Result<Fetch, GitError> {
        Ok(match self.head()? {
            // CI checks out a tag, or the merge that a hosting service has made: neither need be on a branch.
            Head::Detached(commit) => Fetch::history_of(commit),
            Head::Branch { .. } => Fetch::history(),
        })
    }

    /// Tells whether `commit` is `tip` or one of its ancestors.
    ///
    /// # Errors
    ///
    /// `tip` is missing, or the history is broken.
    pub fn reaches(&self, tip: CommitId, commit: CommitId) -> Result<Ancestry, GitError> {
        let base = if self.git.has_object(commit.0) {
            self.git.merge_base(tip.0, commit.0).map_err(|error| self.absent("walk the history", &error))?
        } else {
            None
        };
        Ok(match base {
            Some(base) if base == commit.0 => Ancestry::Yes,
            _ if self.is_shallow()? => Ancestry::Unknown,
            _ => Ancestry::No,
        })
    }
}

fn is_base64(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}

/// Puts the commits that `tip` leads to in an order where each comes after its parents.
pub(super) fn parents_first<P: AsRef<[gix::ObjectId]>>(
    tip: gix::ObjectId,
    parents: &HashMap<gix::ObjectId, P>,
) -> Vec<gix::ObjectId> {
    let mut order = Vec::with_capacity(parents.len());
    let mut seen = HashSet::new();
    let mut waiting = vec![(tip, false)];
    while let Some((commit, has_parents)) = waiting.pop() {
        if has_parents {
            order.push(commit);
        } else if let Some(parents) = parents.get(&commit).filter(|_| seen.insert(commit)) {
            waiting.push((commit, true));
            waiting.extend(parents.as_ref().iter().rev().map(|parent| (*parent, false)));
        }
    }
    order
}

/// The folder asked for, in each commit that was looked at.
struct Folders<'a> {
    repository: &'a Repository,
    under: &'a str,
    seen: HashMap<CommitId, Option<gix::ObjectId>>,
}

impl Folders<'_> {
    fn of(&mut self, commit: CommitId) -> Result<Option<gix::ObjectId>, GitError> {
        if let Some(known) = self.seen.get(&commit) {
            return Ok(*known);
        }
        let folder = self.repository.folder(commit, self.under)?;
        self.seen.insert(commit, folder);
        Ok(folder)
    }

    /// Compares a commit with each of its parents.
    fn changes(&mut self, commit: CommitId, parents: &[gix::ObjectId]) -> Result<Vec<CommittedChange>, GitError> {
        let new = self.of(commit)?;
        let mut sides = Vec::new();
        for parent in parents {
            let old = self.of(CommitId(*parent))?;
            sides.push(if old == new { Vec::new() } else { self.difference(commit, old, new)? });
        }
        if parents.is_empty() {
            sides.push(self.difference(commit, None, new)?);
        }
        // A file that some parent lacks is new only if all of them lack it.
        let all = sides.len();
        let mut added: HashMap<String, usize> = HashMap::new();
        for change in sides.iter().flatten().filter(|change| change.kind == ChangeKind::Added) {
            *added.entry(change.path.clone()).or_default() += 1;
        }
        let is_new = |change: &CommittedChange| change.kind != ChangeKind::Added || added[&change.path] == all;
        let mut changes: Vec<CommittedChange> = sides.into_iter().flatten().filter(is_new).collect();
        changes.sort_by(|a, b| (&a.path, a.kind).cmp(&(&b.path, b.kind)));
        changes.dedup();
        Ok(changes)
    }

    fn difference(
        &self,
        commit: CommitId,
        old: Option<gix::ObjectId>,
        new: Option<gix::ObjectId>,
    ) -> Result<Vec<CommittedChange>, GitError> {
        let changes = self.repository.compare_trees(old, new)?;
        Ok(changes.into_iter().filter_map(|record| change(commit, record)).collect())
    }
}

fn change(commit: CommitId, record: gix::diff::tree::recorder::Change) -> Option<CommittedChange> {
    use gix::diff::tree::recorder::Change as Record;
    let (kind, mode, blob, path) = match record {
        Record::Addition { entry_mode, oid, path, .. } => (ChangeKind::Added, entry_mode, Some(oid), path),
        Record::Deletion { entry_mode, path, .. } => (ChangeKind::Removed, entry_mode, None, path),
        Record::Modification { entry_mode, oid, path, .. } => (ChangeKind::Modified, entry_mode, Some(oid), path),
    };
    // A folder changes only by its files, which are listed themselves.
    let form = match mode.kind() {
        EntryKind::Tree => return None,
        EntryKind::Blob | EntryKind::BlobExecutable => Form::File,
        EntryKind::Link => Form::Link,
        EntryKind::Commit => Form::Submodule,
    };
    Some(CommittedChange { commit, path: path.to_string(), kind, blob: blob.map(BlobId), form })
}
