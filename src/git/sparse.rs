//! What a sparse checkout leaves out of the work tree.

use std::collections::BTreeMap;

use gix::index::entry::{Flags, Mode};

use super::{BlobId, GitError, Listing, Repository};

impl Repository {
    /// Tells whether there is an index: a clone without a checkout has none.
    #[must_use]
    pub fn has_index(&self) -> bool {
        self.git.index_path().exists()
    }

    /// Tells whether `git sparse-checkout` chooses what is checked out.
    #[must_use]
    pub fn is_sparse(&self) -> bool {
        self.git.config_snapshot().boolean("core.sparseCheckout") == Some(true)
    }

    /// Lists the files below this repository's directory that the index marks as not to be checked out. Where the index
    /// holds whole folders of them, each file is listed.
    ///
    /// # Errors
    ///
    /// The index or a tree cannot be read.
    pub fn not_checked_out(&self) -> Result<BTreeMap<String, BlobId>, GitError> {
        let path = self.git.index_path();
        let mut files = BTreeMap::new();
        if !path.exists() {
            return Ok(files);
        }
        let index = self.index(&path)?;
        for entry in index.entries().iter().filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)) {
            if entry.mode == Mode::DIR {
                let mut listing = Listing::default();
                self.list_sparse(entry.path(&index), entry.id, &mut listing)?;
                files.extend(listing.blobs);
                continue;
            }
            let Ok(path) = std::str::from_utf8(entry.path(&index)) else { continue };
            if let (Mode::FILE | Mode::FILE_EXECUTABLE, Some(path)) = (entry.mode, path.strip_prefix(&self.prefix)) {
                files.insert(path.to_owned(), BlobId(entry.id));
            }
        }
        Ok(files)
    }
}
