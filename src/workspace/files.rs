//! Where documents come from: a folder, a git tree, or memory.

use std::collections::BTreeMap;

use super::content::Identify;
use super::stamp::Stamp;
use crate::document::MAX_BYTES;

/// Why a file could not be read. Never holds a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFault {
    /// The system's words.
    pub reason: String,
}

/// Files by their path below the state directory, with `/` between folders.
pub trait Files: Sync {
    /// Lists every file, sorted.
    fn list(&self) -> &[String];

    /// Lists symbolic links among the documents, sorted. What they show is never read: git holds only the link.
    fn links(&self) -> &[String] {
        &[]
    }

    /// Reads one file; of a file larger than [`MAX_BYTES`] only so much that its size is seen.
    ///
    /// # Errors
    /// The system's words when it cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault>;

    /// How contents are named, where their names are wanted.
    fn identify(&self) -> Option<Identify> {
        None
    }

    /// What tells without reading it that a file is unchanged; `None` where nothing does.
    fn stamp(&self, _path: &str) -> Option<Stamp> {
        None
    }
}

/// Files that are held in memory, by path.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
    names: Vec<String>,
    links: Vec<String>,
    identify: Option<Identify>,
}

impl MemoryFiles {
    /// Creates the set from texts by path.
    #[must_use]
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Self {
        let names = files.keys().cloned().collect();
        Self { files, names, ..Self::default() }
    }

    /// Sets how the contents of files are named.
    #[must_use]
    pub fn identified_by(mut self, identify: Option<Identify>) -> Self {
        self.identify = identify;
        self
    }

    /// Adds symbolic links at the given paths.
    #[must_use]
    pub fn with_links(mut self, mut links: Vec<String>) -> Self {
        links.sort_unstable();
        self.links = links;
        self
    }
}

impl FromIterator<(String, Vec<u8>)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(files: I) -> Self {
        Self::new(files.into_iter().collect())
    }
}

impl Files for MemoryFiles {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn links(&self) -> &[String] {
        &self.links
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        let bytes = self.files.get(path).ok_or_else(|| ReadFault { reason: "no such file".to_owned() })?;
        Ok(bytes[..bytes.len().min(MAX_BYTES + 1)].to_vec())
    }

    fn identify(&self) -> Option<Identify> {
        self.identify
    }
}
