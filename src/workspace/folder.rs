//! A state directory on disk: how it is found and which files it holds.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::files::{Files, ReadFault};
use super::misplaced::LAYOUT;
use crate::document::MAX_BYTES;

/// The file that marks the root of a state directory.
pub(super) const MARK: &str = "loopx.yaml";

/// How deep a state directory is looked for where no repository says where to stop: `loopx/loopx.yaml` has depth 2.
const NEAR: usize = 3;

/// What reconcile writes; judged only when it is named.
pub(super) const EMITTED: &[&str] = &["projections", "previews", "blockers", "attention.json", "attention.md"];

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
/// repository's root. Where there is no repository, the place and a few folders below it are looked at.
///
/// # Errors
/// None found, or several to choose from.
pub fn discover(place: &Path) -> Result<PathBuf, DiscoverError> {
    if let Some(root) = place.ancestors().find(|folder| folder.join(MARK).is_file()) {
        return Ok(root.to_owned());
    }
    let repository = place.ancestors().find(|folder| folder.join(".git").exists());
    let (top, depth) = repository.map_or((place, Some(NEAR)), |root| (root, None));
    let mut below: Vec<PathBuf> = WalkBuilder::new(top)
        .max_depth(depth)
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
#[derive(Debug, Clone, Default)]
pub struct Folder {
    root: PathBuf,
    names: Vec<String>,
    links: Vec<String>,
}

impl Folder {
    /// Lists the files of a state directory: the layout's folders as they are, even where git ignores them (facts are
    /// ignored by default), elsewhere the documents that git does not ignore, so that a misplaced one is found.
    #[must_use]
    pub fn open(root: &Path) -> Self {
        let mut folder = Self { root: root.to_owned(), ..Self::default() };
        for name in LAYOUT {
            folder.add(name);
        }
        folder.add_rest();
        folder.sorted()
    }

    /// Takes files below a folder by name.
    #[must_use]
    pub fn of(root: &Path, names: Vec<String>) -> Self {
        Self { root: root.to_owned(), names, links: Vec::new() }.sorted()
    }

    /// Adds files that were named, such as what reconcile writes.
    #[must_use]
    pub fn with(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names.extend(names);
        self.sorted()
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn sorted(mut self) -> Self {
        for names in [&mut self.names, &mut self.links] {
            names.sort_unstable();
            names.dedup();
        }
        self
    }

    /// Adds a file of the layout, or every file below a folder of it. Names that begin with a dot or end with `~`
    /// belong to editors.
    fn add(&mut self, path: &str) {
        let mut waiting = vec![path.to_owned()];
        while let Some(path) = waiting.pop() {
            let Ok(data) = std::fs::symlink_metadata(self.root.join(&path)) else { continue };
            if data.is_symlink() {
                self.links.push(path);
            } else if data.is_file() {
                self.names.push(path);
            } else if data.is_dir() {
                self.add_folder(&path, &mut waiting);
            }
        }
    }

    /// Adds the files of one folder; folders below it have to wait.
    fn add_folder(&mut self, folder: &str, waiting: &mut Vec<String>) {
        let Ok(entries) = std::fs::read_dir(self.root.join(folder)) else { return };
        for entry in entries.filter_map(Result::ok) {
            let name = readable(&entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || name.ends_with('~') {
                continue;
            }
            let path = format!("{folder}/{name}");
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                self.names.push(path);
            } else if kind.is_symlink() {
                self.links.push(path);
            }
        }
    }

    /// Adds documents outside the layout's folders and outside what reconcile writes.
    fn add_rest(&mut self) {
        self.add(MARK);
        let walk = WalkBuilder::new(&self.root)
            .filter_entry(|entry| {
                let name = entry.file_name().to_string_lossy();
                entry.depth() != 1 || !(LAYOUT.contains(&&*name) || EMITTED.contains(&&*name))
            })
            .build();
        for entry in walk.filter_map(Result::ok) {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let ending = entry.path().extension().and_then(OsStr::to_str);
            let path = entry.path().strip_prefix(&self.root);
            if let (true, Some("yaml" | "yml" | "json"), Ok(path)) = (is_file, ending, path) {
                self.names.push(slashed(path));
            }
        }
    }
}

impl Files for Folder {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn links(&self) -> &[String] {
        &self.links
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        let fault = |error: std::io::Error| ReadFault {
            reason: match error.kind() {
                ErrorKind::NotFound if path.contains("\\x") => "its name is no UTF-8".to_owned(),
                kind => kind.to_string(),
            },
        };
        let file = File::open(self.root.join(path)).map_err(fault)?;
        let mut bytes = Vec::with_capacity(2048);
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fault)?;
        Ok(bytes)
    }
}

/// A name as text; bytes that are no UTF-8 become `\xNN`, a name that no file can be opened by.
fn readable(name: &OsStr) -> String {
    match name.to_str() {
        Some(name) => name.to_owned(),
        None => name.as_encoded_bytes().escape_ascii().to_string(),
    }
}

/// A path with `/` between its parts.
pub(super) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| readable(part.as_os_str())).collect();
    parts.join("/")
}
