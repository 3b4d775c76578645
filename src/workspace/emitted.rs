//! What reconcile wrote before: files that it may change, and no others.

use std::path::{Path, PathBuf};

use crate::vocabulary::EMITTED_VERSIONS;

use super::folder::EMITTED;

/// The first line of `attention.md`.
const PAGE_MARK: &[u8] = b"# Attention\n";

/// The emitted files of a state directory on disk.
#[derive(Debug)]
pub struct Emitted {
    root: PathBuf,
    names: Vec<String>,
}

impl Emitted {
    /// The folders that hold nothing but emitted files.
    pub const FOLDERS: [&str; 3] = ["projections", "previews", "blockers"];

    /// Lists what stands in the places of emitted files.
    #[must_use]
    pub fn open(root: &Path) -> Self {
        Self::at(root, EMITTED.iter().map(|name| (*name).to_owned()).collect())
    }

    /// Lists what stands there at and below a path; in all places for the empty path.
    #[must_use]
    pub fn below(root: &Path, path: &str) -> Self {
        let first = path.split('/').next().unwrap_or_default();
        match path {
            "" => Self::open(root),
            _ if EMITTED.contains(&first) => Self::at(root, vec![path.to_owned()]),
            _ => Self { root: root.to_owned(), names: Vec::new() },
        }
    }

    fn at(root: &Path, mut waiting: Vec<String>) -> Self {
        let mut names = Vec::new();
        while let Some(name) = waiting.pop() {
            let path = root.join(&name);
            let Ok(found) = path.symlink_metadata() else { continue };
            if found.is_file() {
                names.push(name);
            } else if found.is_dir() {
                let entries = std::fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
                waiting.extend(entries.filter_map(|entry| Some(format!("{name}/{}", entry.file_name().to_str()?))));
            }
        }
        names.sort_unstable();
        Self { root: root.to_owned(), names }
    }

    /// Lists the emitted files, sorted by path.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.names
    }

    /// The bytes of a file; `None` when there is none.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.root.join(path)).ok()
    }

    /// Whether bytes at a path are what reconcile writes there, so that it may replace or remove them.
    #[must_use]
    pub fn is_own(path: &str, bytes: &[u8]) -> bool {
        if path.ends_with(".md") {
            return bytes.starts_with(PAGE_MARK);
        }
        // The version is one of the first keys; a torn or foreign file has none and is left alone.
        let json: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
        let version = json.as_ref().and_then(|json| json.get("schema_version")).and_then(serde_json::Value::as_str);
        version.is_some_and(|version| EMITTED_VERSIONS.contains(&version))
    }
}
