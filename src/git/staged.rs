//! What is staged for the next commit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::index::entry::{Flags, Mode, Stage};

use super::{BlobId, GitError, GitFault, Listing, Repository, Skipped};

impl Repository {
    /// Lists the files below this repository's directory that the next commit would hold, unread.
    ///
    /// `index` is the index that a hook was told to look at. It counts only where it stands in this repository's own
    /// folder: `git commit --all` and `git commit PATH` prepare one there, and one that stands elsewhere was left
    /// over from another repository. A split index is joined, and of a sparse one the folders that it leaves out are
    /// read from their trees. An entry of `git add --intent-to-add` is left out, as `git commit` leaves it out.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or a merge has left conflicts in it.
    pub fn staged(&self, index: Option<&Path>) -> Result<Listing, GitError> {
        let own = index.and_then(|index| self.own_index(index));
        let path = own.unwrap_or_else(|| self.git.index_path());
        let mut listing = Listing { blobs: BTreeMap::new(), skipped: Vec::new() };
        if !path.exists() {
            return Ok(listing);
        }
        let file = self.index(&path)?;
        for entry in file.entries() {
            let full = entry.path(&file);
            if entry.mode == Mode::DIR {
                self.list_sparse(full, entry.id, &mut listing)?;
                continue;
            }
            let Some(path) = full.strip_prefix(self.prefix.as_bytes()) else { continue };
            if entry.stage() != Stage::Unconflicted {
                return Err(GitError::Conflicts);
            }
            if entry.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            let Ok(path) = std::str::from_utf8(path).map(str::to_owned) else {
                listing.skipped.push(Skipped::Name(path.escape_ascii().to_string()));
                continue;
            };
            match entry.mode {
                Mode::SYMLINK => listing.skipped.push(Skipped::Link(path)),
                Mode::COMMIT => listing.skipped.push(Skipped::Submodule(path)),
                _ => drop(listing.blobs.insert(path, BlobId(entry.id))),
            }
        }
        Ok(listing)
    }

    /// Reads an index file, and joins it with the file beside it that a split index shares.
    fn index(&self, path: &Path) -> Result<gix::index::File, GitError> {
        let options = gix::index::decode::Options::default();
        gix::index::File::at(path, self.git.object_hash(), true, options)
            .map_err(|_| GitError::Git { doing: "read the index", fault: GitFault::Corrupt })
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

    /// The index that a hook was told to look at, if it stands in this repository's own folder.
    fn own_index(&self, index: &Path) -> Option<PathBuf> {
        let full = self.git.workdir()?.join(index).canonicalize().ok()?;
        let own = self.git.git_dir().canonicalize().ok()?;
        full.starts_with(own).then_some(full)
    }
}
