//! What is staged for the next commit.

use std::collections::BTreeMap;
use std::path::Path;

use gix::index::entry::{Mode, Stage};

use super::{BlobId, Error, Fault, Listing, Repository, Skipped};

impl Repository {
    /// Lists the files below this repository's directory that the next commit would hold, unread.
    ///
    /// `index` is the index that a hook was told to look at. It counts only where it stands in this repository's own
    /// folder: `git commit --all` and `git commit PATH` prepare one there, and one that stands elsewhere was left
    /// over from another repository.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or a merge has left conflicts in it.
    pub fn staged(&self, index: Option<&Path>) -> Result<Listing, Error> {
        let own = index.and_then(|index| self.own_index(index));
        let path = own.unwrap_or_else(|| self.git.index_path());
        let mut listing = Listing { blobs: BTreeMap::new(), skipped: Vec::new() };
        if !path.exists() {
            return Ok(listing);
        }
        let options = gix::index::decode::Options::default();
        let file = gix::index::File::at(&path, self.git.object_hash(), true, options)
            .map_err(|_| Error::Git { doing: "read the index", fault: Fault::Corrupt })?;
        for entry in file.entries() {
            let Some(path) = entry.path(&file).strip_prefix(self.prefix.as_bytes()) else { continue };
            if entry.stage() != Stage::Unconflicted {
                return Err(Error::Git { doing: "read the index while a merge has conflicts", fault: Fault::Invalid });
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

    /// The index that a hook was told to look at, if it stands in this repository's own folder.
    fn own_index(&self, index: &Path) -> Option<std::path::PathBuf> {
        let full = self.git.workdir()?.join(index).canonicalize().ok()?;
        let own = self.git.git_dir().canonicalize().ok()?;
        full.starts_with(own).then_some(full)
    }
}
