//! Walks folders as git sees them: without what `.gitignore` matches, and without other repositories.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};

/// The files that say what is ignored.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// How folders are walked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WalkOptions {
    /// How deep, the start not counted; `None`: to the end.
    pub(super) depth: Option<usize>,
    /// Whether names that begin with a dot are listed.
    pub(super) with_hidden: bool,
    /// Whether other repositories below are walked too, such as submodules.
    pub(super) with_repositories: bool,
}

/// What a walk has found.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// What is listed, the start included.
    pub(super) entries: Vec<DirEntry>,
    /// What could not be listed, so that anything may stand there.
    pub(super) unlisted: Vec<PathBuf>,
}

/// Lists what stands at and below a place, and is wanted.
pub(super) fn walk(
    place: &Path,
    options: WalkOptions,
    is_wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) -> Walked {
    // Reading a pipe would wait for ever.
    if has_odd_ignore_file(place) {
        return Walked { entries: Vec::new(), unlisted: vec![place.to_owned()] };
    }
    let above = place.ancestors().skip(1).take_while(|folder| !folder.join(".git").exists());
    let is_odd_above = above.chain(root_above(place)).any(has_odd_ignore_file);
    let odd: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let seen = Arc::clone(&odd);
    let filter = move |entry: &DirEntry| {
        if !is_wanted(entry) || !options.with_repositories && is_other_repository(entry) {
            return false;
        }
        let is_folder = entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_dir());
        let is_odd = is_folder && has_odd_ignore_file(entry.path());
        if is_odd {
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
        }
        !is_odd
    };
    let walk = WalkBuilder::new(place)
        .max_depth(options.depth)
        .hidden(!options.with_hidden)
        .parents(!is_odd_above)
        .filter_entry(filter)
        .build();
    let mut walked = Walked::default();
    for entry in walk {
        match entry {
            Ok(entry) => walked.entries.push(entry),
            Err(error) => walked.unlisted.extend(unlisted(&error).map(Path::to_owned)),
        }
    }
    walked.unlisted.append(&mut odd.lock().unwrap_or_else(PoisonError::into_inner));
    walked
}

/// The root of the repository that a place lies below, which may say what is ignored too.
fn root_above(place: &Path) -> Option<&Path> {
    place.ancestors().skip(1).find(|folder| folder.join(".git").exists())
}

/// Whether what says what is ignored is neither a file nor a link nor absent.
fn has_odd_ignore_file(folder: &Path) -> bool {
    let is_odd = |name: &&str| std::fs::metadata(folder.join(name)).is_ok_and(|data| !data.is_file() && !data.is_dir());
    IGNORE_FILES.iter().any(is_odd)
}

/// Whether a folder below the start of a walk is the root of a repository of its own, such as a submodule's work tree.
fn is_other_repository(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    entry.depth() > 0 && is_folder && entry.path().join(".git").exists()
}

/// Whether an error says that nothing stands at a path, rather than that it cannot be read.
pub(super) fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The path that a walk could not list; `None` for faults of ignore files and for what vanished meanwhile.
fn unlisted(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => unlisted(err),
        ignore::Error::WithPath { path, err } => {
            let is_fault = err.io_error().is_some_and(|error| !is_absence(error));
            is_fault.then_some(path.as_path())
        }
        _ => None,
    }
}
