//! A state directory on disk: how it is found and which files it holds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::files::{Files, ReadFault};
use crate::document::MAX_BYTES;

/// The file that marks the root of a state directory.
pub(super) const MARK: &str = "loopx.yaml";

/// Folders of the layout that are read even where git ignores them: facts are ignored by default.
const LAYOUT: &[&str] = &["goals", "hosts", "facts", "policies", "receipts"];

/// What reconcile writes; judged only when it is named.
const EMITTED: &[&str] = &["projections", "previews", "blockers", "attention.json"];

/// Why no state directory was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscoverError {
    /// None at or above the place, and none below the repository's root.
    #[error("no state directory at this place, above it or below the repository's root")]
    Nothing,
    /// Several below the repository's root.
    #[error("several state directories below the repository's root: {}", .0.join(", "))]
    Several(Vec<String>),
}

/// Finds the state directory of a place: the nearest ancestor with `loopx.yaml`, else the only one below the
/// repository's root.
///
/// # Errors
/// None found, or several to choose from.
pub fn discover(place: &Path) -> Result<PathBuf, DiscoverError> {
    if let Some(root) = place.ancestors().find(|folder| folder.join(MARK).is_file()) {
        return Ok(root.to_owned());
    }
    let top = place.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(place);
    let mut below: Vec<PathBuf> = WalkBuilder::new(top)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == MARK && entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| entry.path().parent().map(Path::to_owned))
        .collect();
    below.sort();
    match below.len() {
        0 => Err(DiscoverError::Nothing),
        1 => Ok(below.swap_remove(0)),
        _ => {
            let name = |root: &PathBuf| root.strip_prefix(top).map_or_else(|_| String::new(), slashed);
            Err(DiscoverError::Several(below.iter().map(name).collect()))
        }
    }
}

/// A state directory on disk.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    names: Vec<String>,
}

impl Folder {
    /// Lists the files of a state directory: the layout's folders as they are, elsewhere the documents that git does
    /// not ignore, so that a misplaced one is found.
    #[must_use]
    pub fn open(root: &Path) -> Self {
        let mut names = Vec::new();
        for folder in LAYOUT {
            list_layout(root, folder, &mut names);
        }
        list_rest(root, &mut names);
        Self::of(root, names)
    }

    /// Takes files below a folder by name.
    #[must_use]
    pub fn of(root: &Path, mut names: Vec<String>) -> Self {
        names.sort_unstable();
        names.dedup();
        Self { root: root.to_owned(), names }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Files for Folder {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        let fault = |error: std::io::Error| ReadFault { reason: error.kind().to_string() };
        let path = self.root.join(path);
        let file = File::open(&path).map_err(fault)?;
        let mut bytes = Vec::with_capacity(2048);
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fault)?;
        Ok(bytes)
    }
}

/// Lists every file below a folder of the layout. Names that begin with a dot or end with `~` belong to editors;
/// links are left out, since git holds the link and not what it shows.
fn list_layout(root: &Path, folder: &str, names: &mut Vec<String>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || name.ends_with('~') {
                continue;
            }
            let path = format!("{folder}/{name}");
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                names.push(path);
            }
        }
    }
}

/// Lists documents outside the layout's folders and outside what reconcile writes.
fn list_rest(root: &Path, names: &mut Vec<String>) {
    let walk = WalkBuilder::new(root)
        .filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() != 1 || !(LAYOUT.contains(&&*name) || EMITTED.contains(&&*name))
        })
        .build();
    for entry in walk.filter_map(Result::ok) {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let ending = entry.path().extension().and_then(|ending| ending.to_str());
        let path = entry.path().strip_prefix(root);
        if let (true, Some("yaml" | "yml" | "json"), Ok(path)) = (is_file, ending, path) {
            names.push(slashed(path));
        }
    }
}

/// A path with `/` between its parts.
pub(super) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}
