//! What a sparse checkout leaves out of the work tree.

use std::collections::BTreeMap;

use gix::index::entry::{Flags, Mode};

use super::{BlobId, Error, Fault, Repository};

impl Repository {
    /// Lists the files below this repository's directory that the index marks as not to be checked out. Where the index
    /// holds whole folders of them, each file is listed.
    ///
    /// # Errors
    ///
    /// The index or a tree cannot be read.
    pub fn not_checked_out(&self) -> Result<BTreeMap<String, BlobId>, Error> {
        let path = self.git.index_path();
        let mut files = BTreeMap::new();
        if !path.exists() {
            return Ok(files);
        }
        let options = gix::index::decode::Options::default();
        let index = gix::index::File::at(&path, self.git.object_hash(), true, options)
            .map_err(|_| Error::Git { doing: "read the index", fault: Fault::Corrupt })?;
        for entry in index.entries().iter().filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)) {
            let Ok(path) = std::str::from_utf8(entry.path(&index)) else { continue };
            if entry.mode == Mode::DIR {
                self.add_folder(path, entry.id, &mut files)?;
            } else if let (Mode::FILE | Mode::FILE_EXECUTABLE, Some(path)) =
                (entry.mode, path.strip_prefix(&self.prefix))
            {
                files.insert(path.to_owned(), BlobId(entry.id));
            }
        }
        Ok(files)
    }

    /// Adds the files of a folder that the index holds as a tree, where they lie below this repository's directory.
    fn add_folder(&self, folder: &str, tree: gix::ObjectId, files: &mut BTreeMap<String, BlobId>) -> Result<(), Error> {
        let touches = folder.starts_with(&self.prefix) || self.prefix.starts_with(folder);
        if !touches {
            return Ok(());
        }
        for (path, blob) in self.list_tree(tree)?.blobs {
            let full = format!("{folder}{path}");
            if let Some(path) = full.strip_prefix(&self.prefix) {
                files.insert(path.to_owned(), blob);
            }
        }
        Ok(())
    }
}
