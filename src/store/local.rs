//! Files of this machine alone, beside git's own: readable by their owner only, each whole or not there.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::error::{StoreError, io};
use crate::git::Repository;

/// A folder of files that no commit holds.
#[derive(Debug, Clone)]
pub struct LocalFiles {
    folder: PathBuf,
}

impl LocalFiles {
    /// The folder `name` beside git's own files, shared by all work trees. Nothing is created yet.
    #[must_use]
    pub fn beside_git(repository: &Repository, name: &str) -> Self {
        Self { folder: repository.common_dir().join("loopx").join(name) }
    }

    /// Reads a file; `None` where there is none.
    #[must_use]
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.join(name)).ok()
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// The operating system refuses.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let doing = || io("write", format!("loopx/{name}"));
        make_private(&self.folder).map_err(doing())?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(doing())?;
        file.write_all(bytes).map_err(doing())?;
        file.persist(self.folder.join(name)).map(drop).map_err(|error| doing()(error.error))
    }

    /// Removes every file but one whose name begins so.
    pub fn keep_only(&self, beginning: &str, kept: &str) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        for name in names.filter(|name| name.starts_with(beginning) && name != kept) {
            // Another run may have removed it.
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

/// Creates a folder that only its owner may enter.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}
