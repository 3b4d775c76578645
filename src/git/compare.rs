//! What lies between two commits: the files that differ, and the commits of one that the other lacks.

use std::collections::HashMap;

use gix::objs::TreeRefIter;
use gix::objs::tree::EntryMode;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::history::parents_first;
use super::{BlobId, CommitId, CommitInfo, GitError, Repository, failed};

/// One path that two commits have otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathDifference {
    /// The path, with slashes; a name that is no Unicode has each such byte escaped.
    pub path: String,
    /// The file of the first commit, if it has one there.
    pub before: Option<BlobId>,
    /// The file of the other commit, if it has one there.
    pub after: Option<BlobId>,
    /// The target of the symbolic link of the other commit, if it has one there.
    pub link: Option<BlobId>,
    /// Whether both are files with a readable name: no symbolic link, no submodule.
    pub is_plain: bool,
}

impl Repository {
    /// Lists the files below this repository's directory that two commits have otherwise, by path. Folders that are the
    /// same are not looked into.
    ///
    /// # Errors
    ///
    /// A tree is missing or broken.
    pub fn compare(&self, one: CommitId, other: CommitId) -> Result<Vec<PathDifference>, GitError> {
        let changes = self.compare_trees(self.folder(one, "")?, self.folder(other, "")?)?;
        let mut found: Vec<PathDifference> = changes.into_iter().filter_map(difference).collect();
        // A file that became a folder's place is listed once for each side.
        found.sort_by(|one, other| one.path.cmp(&other.path));
        found.dedup_by(|later, first| {
            let same = later.path == first.path;
            if same {
                first.before = first.before.or(later.before);
                first.after = first.after.or(later.after);
                first.link = first.link.or(later.link);
                first.is_plain &= later.is_plain;
            }
            same
        });
        Ok(found)
    }

    /// Lists the commits that `tip` has and none of `since` has, each after its parents.
    ///
    /// # Errors
    ///
    /// A commit is missing or broken, or a shallow clone cuts the history before it reaches one of `since`.
    pub fn commits(&self, tip: CommitId, since: &[CommitId]) -> Result<Vec<CommitInfo>, GitError> {
        let broken = failed("walk the history");
        let shallow = self.git.shallow_commits().map_err(failed("read the shallow boundary"))?;
        let walk = self
            .git
            .rev_walk([tip.0])
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
            .with_hidden(since.iter().map(|id| id.0))
            .all()
            .map_err(&broken)?;
        let mut parents = HashMap::new();
        for found in walk {
            let found = found.map_err(|error| self.absent("walk the history", &error))?;
            if shallow.as_ref().is_some_and(|commits| commits.binary_search(&found.id).is_ok()) {
                return Err(GitError::Shallow { fetch: self.fetch_history()? });
            }
            parents.insert(found.id, found.parent_ids);
        }
        parents_first(tip.0, &parents).into_iter().map(|id| self.commit(CommitId(id))).collect()
    }

    /// Reads the message of a commit; bytes that are no Unicode are replaced.
    ///
    /// # Errors
    ///
    /// The commit is missing or broken.
    pub fn message(&self, id: CommitId) -> Result<String, GitError> {
        let commit = self.git.find_commit(id.0).map_err(|error| self.absent("read a commit", &error))?;
        Ok(commit.message_raw_sloppy().to_string())
    }

    /// Lists the paths of files, from the root, that two trees have otherwise.
    pub(crate) fn differing_paths(&self, one: gix::ObjectId, other: gix::ObjectId) -> Result<Vec<String>, GitError> {
        let changes = self.compare_trees(Some(one), Some(other))?;
        let mut paths: Vec<String> = changes.into_iter().filter_map(difference).map(|one| one.path).collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Compares two trees; none is an empty one.
    pub(super) fn compare_trees(
        &self,
        old: Option<gix::ObjectId>,
        new: Option<gix::ObjectId>,
    ) -> Result<Vec<gix::diff::tree::recorder::Change>, GitError> {
        if old == new {
            return Ok(Vec::new());
        }
        let read = |id: Option<gix::ObjectId>| match id {
            Some(id) => {
                let found = self.git.find_tree(id);
                found.map_err(|error| self.absent("read a tree", &error)).map(|mut tree| std::mem::take(&mut tree.data))
            }
            None => Ok(Vec::new()),
        };
        let (old, new) = (read(old)?, read(new)?);
        let hash = self.git.object_hash();
        let mut recorder = gix::diff::tree::Recorder::default();
        gix::diff::tree(
            TreeRefIter::from_bytes(&old, hash),
            TreeRefIter::from_bytes(&new, hash),
            gix::diff::tree::State::default(),
            &self.git.objects,
            &mut recorder,
        )
        .map_err(|error| match error {
            gix::diff::tree::Error::Failure(error) => self.absent("compare two trees", &error),
            gix::diff::tree::Error::Cancelled => {
                GitError::Git { doing: "compare two trees", fault: super::GitFault::Other }
            }
        })?;
        Ok(recorder.records)
    }
}

fn difference(record: gix::diff::tree::recorder::Change) -> Option<PathDifference> {
    use gix::diff::tree::recorder::Change as Record;
    let file = |mode: EntryMode, id: gix::ObjectId| mode.is_blob().then_some(BlobId(id));
    let is_other = |mode: EntryMode| !mode.is_blob() && !mode.is_tree();
    let link = match &record {
        Record::Addition { entry_mode, oid, .. } | Record::Modification { entry_mode, oid, .. } => {
            entry_mode.is_link().then_some(BlobId(*oid))
        }
        Record::Deletion { .. } => None,
    };
    let (path, before, after, is_other) = match record {
        Record::Addition { entry_mode: mode, oid, path, .. } => (path, None, file(mode, oid), is_other(mode)),
        Record::Deletion { entry_mode: mode, oid, path, .. } => (path, file(mode, oid), None, is_other(mode)),
        Record::Modification { previous_entry_mode: old, previous_oid, entry_mode: new, oid, path } => {
            (path, file(old, previous_oid), file(new, oid), is_other(old) || is_other(new))
        }
    };
    let (path, is_text) = match String::from_utf8(path.into()) {
        Ok(path) => (path, true),
        Err(error) => (error.as_bytes().escape_ascii().to_string(), false),
    };
    let is_something = before.is_some() || after.is_some() || is_other;
    is_something.then_some(PathDifference { path, before, after, link, is_plain: is_text && !is_other })
}
