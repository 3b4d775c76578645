//! Any files, read whole: what `scan` looks through.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::files::{Files, ReadFault};
use super::folder::slashed;

/// Files of any kind and size, by their path from one place.
#[derive(Debug, Clone, Default)]
pub struct Plain {
    place: PathBuf,
    names: Vec<String>,
    given: BTreeMap<String, Vec<u8>>,
}

impl Plain {
    /// Lists files that were named, and the files below folders that were named, without what git ignores.
    ///
    /// # Errors
    /// The path that names nothing, and why.
    pub fn at(place: &Path, paths: &[PathBuf]) -> Result<Self, (PathBuf, ReadFault)> {
        let mut names = Vec::new();
        for path in paths {
            let full = place.join(path);
            let missing = |error: std::io::Error| (path.clone(), ReadFault { reason: error.kind().to_string() });
            full.symlink_metadata().map_err(missing)?;
            let files = WalkBuilder::new(&full).hidden(false).filter_entry(|entry| entry.file_name() != ".git").build();
            let files =
                files.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
            names.extend(files.map(|entry| slashed(entry.path().strip_prefix(place).unwrap_or(entry.path()))));
        }
        names.sort_unstable();
        names.dedup();
        Ok(Self { place: place.to_owned(), names, given: BTreeMap::new() })
    }

    /// Takes bytes that stand in no file.
    #[must_use]
    pub fn given(name: &str, bytes: Vec<u8>) -> Self {
        Self { place: PathBuf::new(), names: vec![name.to_owned()], given: BTreeMap::from([(name.to_owned(), bytes)]) }
    }
}

impl Files for Plain {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        if let Some(bytes) = self.given.get(path) {
            return Ok(bytes.clone());
        }
        std::fs::read(self.place.join(path)).map_err(|error| ReadFault { reason: error.kind().to_string() })
    }
}
