//! What a path on the command line names: a part of a state directory, or a document by itself.

use std::path::{Path, PathBuf};

use super::files::ReadFault;
use super::folder::{DiscoverError, MARK, discover, slashed};

/// Something to judge that was named by a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedTarget {
    /// The state directory; of a document by itself, the folder that its path starts from.
    pub root: PathBuf,
    /// Whether `root` is a state directory.
    pub is_state: bool,
    /// The file or folder below `root`, with `/` between its parts; empty for all of it.
    pub path: String,
}

/// Why a path names nothing that can be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedError {
    /// It cannot be read.
    Unreadable(ReadFault),
    /// It is a folder without a state directory.
    Undiscovered(DiscoverError),
}

/// Finds what a path names; `place` is absolute, and what `path` starts from.
///
/// # Errors
/// Nothing is there, or it is a folder to which no state directory belongs.
pub fn named(place: &Path, path: &Path) -> Result<NamedTarget, NamedError> {
    let full = absolute(&place.join(path)).map_err(NamedError::Unreadable)?;
    let below = |root: &Path| full.strip_prefix(root).map(slashed).unwrap_or_default();
    if let Some(root) = full.ancestors().find(|folder| is_state_directory(folder)) {
        return Ok(NamedTarget { root: root.to_owned(), is_state: true, path: below(root) });
    }
    if full.is_dir() {
        let root = discover(&full).map_err(NamedError::Undiscovered)?;
        let inside = root.starts_with(&full);
        return match inside {
            true => Ok(NamedTarget { root, is_state: true, path: String::new() }),
            false => Err(NamedError::Undiscovered(DiscoverError::Nothing)),
        };
    }
    let parent = full.parent().unwrap_or(place);
    let root = if full.starts_with(place) { place } else { parent };
    Ok(NamedTarget { root: root.to_owned(), is_state: false, path: below(root) })
}

/// Whether a folder is a state directory.
#[must_use]
pub fn is_state_directory(folder: &Path) -> bool {
    folder.join(MARK).is_file()
}

/// The prefix that turns a path below `root` into one that leads there from `place`: empty, or ending in `/`. Returns an
/// empty string when neither path contains the other.
#[must_use]
pub fn display_prefix(place: &Path, root: &Path) -> String {
    if let Ok(below) = root.strip_prefix(place) {
        let below = slashed(below);
        return if below.is_empty() { below } else { below + "/" };
    }
    place.strip_prefix(root).map_or_else(|_| String::new(), |inside| "../".repeat(inside.components().count()))
}

/// The absolute path of something that exists; its own name is kept where it is a link.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, ReadFault> {
    let fault = |error: std::io::Error| ReadFault { reason: error.kind().to_string() };
    path.symlink_metadata().map_err(fault)?;
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok(parent.canonicalize().map_err(fault)?.join(name)),
        _ => path.canonicalize().map_err(fault),
    }
}
