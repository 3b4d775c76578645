//! What is staged for the next commit.

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::index::entry::{Flags, Mode, Stage};
use gix::objs::tree::EntryKind;

use super::{GitError, GitFault, Listing, Repository};

impl Repository {
    /// Lists the files below this repository's directory that the next commit would hold, unread.
    ///
    /// `index` is the value of `GIT_INDEX_FILE`, which `git commit` sets for its hooks: `git commit --all` and `git commit
    /// PATH` prepare an index of their own, and a caller may keep one anywhere. An index in the folder of another
    /// repository was left over by that repository's hook, and is not read.
    /// A split index is joined, and of a sparse one the folders that it leaves out are
    /// read from their trees. An entry of `git add --intent-to-add` is left out, as `git commit` leaves it out.
    ///
    /// # Errors
    ///
    /// The index cannot be read, `index` names a file that does not exist, or a merge has left conflicts in the index.
    pub fn staged(&self, index: Option<&Path>) -> Result<Listing, GitError> {
        let named = index.map(|index| self.named_index(index)).transpose()?.flatten();
        let path = named.unwrap_or_else(|| self.git.index_path());
        self.list_index(&path, IndexView::NextCommit, &|_| true)
    }

    /// Lists the files below this repository's directory that the index holds in any version, unread: conflicts and
    /// files that are only meant to be added too.
    ///
    /// # Errors
    ///
    /// The index or a tree cannot be read.
    pub fn tracked(&self, is_wanted: &dyn Fn(&str) -> bool) -> Result<Listing, GitError> {
        self.list_index(&self.git.index_path(), IndexView::Tracked, is_wanted)
    }

    fn list_index(&self, path: &Path, view: IndexView, is_wanted: &dyn Fn(&str) -> bool) -> Result<Listing, GitError> {
        let mut listing = Listing::default();
        if !path.exists() {
            return Ok(listing);
        }
        let file = self.index(path)?;
        for entry in file.entries() {
            let full = entry.path(&file);
            if entry.mode == Mode::DIR {
                self.list_sparse(full, entry.id, &mut listing)?;
                continue;
            }
            let Some(path) = full.strip_prefix(self.prefix.as_bytes()) else { continue };
            let is_conflict = entry.stage() != Stage::Unconflicted;
            match view {
                IndexView::NextCommit if is_conflict => return Err(GitError::Conflicts),
                IndexView::NextCommit if entry.flags.contains(Flags::INTENT_TO_ADD) => continue,
                IndexView::NextCommit | IndexView::Tracked => {}
            }
            if std::str::from_utf8(path).is_ok_and(|path| !is_wanted(path)) {
                continue;
            }
            let kind = match entry.mode {
                Mode::SYMLINK => EntryKind::Link,
                Mode::COMMIT => EntryKind::Commit,
                _ => EntryKind::Blob,
            };
            listing.add(path.into(), kind, entry.id);
        }
        Ok(listing)
    }

    /// Reads an index file, and joins it with the file beside it that a split index shares.
    pub(super) fn index(&self, path: &Path) -> Result<gix::index::File, GitError> {
        let options = gix::index::decode::Options::default();
        gix::index::File::at(path, self.git.object_hash(), true, options).map_err(|_| {
            // The library does not tell a file that may not be read from one that is broken.
            let fault =
                std::fs::File::open(path).map_or_else(|refused| GitFault::Io(refused.kind()), |_| GitFault::Corrupt);
            GitError::Git { doing: "read the index", fault }
        })
    }

    /// Lists the files of a folder that a sparse index names by its tree; `full` ends in a slash.
    pub(super) fn list_sparse(
        &self,
        full: &gix::bstr::BStr,
        tree: gix::ObjectId,
        listing: &mut Listing,
    ) -> Result<(), GitError> {
        let prefix = self.prefix.as_bytes();
        if let Some(below) = full.strip_prefix(prefix) {
            return self.list_tree(tree, below.into(), &|_| true, listing);
        }
        // The state directory itself may stand below a folder that is left out.
        let Some(rest) = prefix.strip_prefix(full.as_bytes()) else { return Ok(()) };
        let missing = |error| self.absent("read a tree", &error);
        let folders: Vec<&[u8]> = rest.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
        let found = self.git.find_tree(tree).map_err(missing)?.lookup_entry(folders).map_err(missing)?;
        match found.filter(|entry| entry.mode().is_tree()) {
            Some(entry) => self.list_tree(entry.object_id(), "".into(), &|_| true, listing),
            None => Ok(()),
        }
    }

    /// The index that `GIT_INDEX_FILE` names; none where it belongs to another repository, or is this one's own and not
    /// written yet.
    fn named_index(&self, index: &Path) -> Result<Option<PathBuf>, GitError> {
        let place = self.git.workdir().unwrap_or(self.git.git_dir()).join(index);
        let Ok(full) = place.canonicalize() else {
            let is_own = place.file_name() == self.git.index_path().file_name()
                && place.parent().and_then(|folder| folder.canonicalize().ok())
                    == self.git.git_dir().canonicalize().ok();
            return if is_own { Ok(None) } else { Err(GitError::NoSuchIndex) };
        };
        let own = [self.git.git_dir(), self.git.common_dir()].map(|folder| folder.canonicalize().ok());
        let is_own = own.iter().flatten().any(|own| full.starts_with(own));
        let is_foreign = !is_own && full.ancestors().skip(1).any(is_git_dir);
        Ok((!is_foreign).then_some(full))
    }
}

/// Whether a folder is one in which git keeps a repository, or what a linked work tree has of its own.
fn is_git_dir(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && (folder.join("objects").is_dir() || folder.join("commondir").is_file())
}

/// What of an index is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IndexView {
    /// What `git commit` takes.
    NextCommit,
    /// Everything.
    Tracked,
}
