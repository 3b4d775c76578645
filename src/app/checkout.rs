//! The files of a state directory as they are checked out, with those that a sparse checkout leaves out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Error, ErrorCode};
use crate::document::MAX_BYTES;
use crate::git::{BlobId, Head, Repository, quoted};
use crate::workspace::{Files, Folder, Identify, MARK, ReadFault, Stamp, display_prefix, is_judged};

/// Why a version that git names cannot be read.
const NOT_FETCHED: &str = "its content is not in this clone: git fetch --refetch --no-filter origin";

/// The files of a state directory: those on disk, and from the index those that a sparse checkout leaves out.
pub(super) struct CheckedOut {
    folder: Folder,
    names: Vec<String>,
    /// Files that the index holds and the work tree lacks on purpose.
    left_out: BTreeMap<String, Result<Vec<u8>, ReadFault>>,
}

impl CheckedOut {
    /// Lists all files.
    ///
    /// # Errors
    /// The index cannot be read.
    pub(super) fn open(root: &Path, repository: Option<&Repository>) -> Result<Self, Error> {
        Self::with(Folder::open(root).identified_by(repository.map(Repository::identify)), repository, &|_| true)
    }

    /// Lists the files that judging some paths needs, as [`Folder::around`] does.
    ///
    /// # Errors
    /// The index cannot be read.
    pub(super) fn around(root: &Path, paths: &[String], repository: Option<&Repository>) -> Result<Self, Error> {
        Self::with(Folder::around(root, paths), repository, &|_| true)
    }

    /// Lists the files that the verdicts on some goals need: the settings and policies, the goals, and the facts of
    /// their sessions.
    ///
    /// # Errors
    /// The index cannot be read.
    pub(super) fn of_goals(
        root: &Path,
        goals: &BTreeSet<String>,
        repository: Option<&Repository>,
    ) -> Result<Self, Error> {
        let folder = Folder::of_goals(root, goals).identified_by(repository.map(Repository::identify));
        let is_of = |path: &str| match path.strip_prefix("goals/").and_then(|path| path.split_once('/')) {
            Some((goal, _)) => goals.contains(goal),
            None => !path.starts_with("receipts/"),
        };
        Self::with(folder, repository, &is_of)
    }

    /// Lists those of some paths that are files; `None` when one of them is a folder.
    ///
    /// # Errors
    /// The index cannot be read.
    pub(super) fn at(
        root: &Path,
        paths: &BTreeSet<String>,
        repository: Option<&Repository>,
    ) -> Result<Option<Self>, Error> {
        let Some(folder) = Folder::at(root, paths) else { return Ok(None) };
        let folder = folder.identified_by(repository.map(Repository::identify));
        // What stands there is not left out, so the index has nothing to say of it.
        let are_all_there = paths.iter().all(|path| folder.list().binary_search(path).is_ok());
        Self::with(folder, repository.filter(|_| !are_all_there), &|path| paths.contains(path)).map(Some)
    }

    fn with(folder: Folder, repository: Option<&Repository>, is_meant: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let mut left_out = BTreeMap::new();
        if let Some(repository) = repository {
            let is_wanted = |path: &String| is_judged(path) && is_meant(path);
            for (path, blob) in repository.not_checked_out()?.into_iter().filter(|(path, _)| is_wanted(path)) {
                if folder.list().binary_search(&path).is_err() && folder.links().binary_search(&path).is_err() {
                    left_out.insert(path, content(repository, blob));
                }
            }
        }
        let mut names: Vec<String> = folder.list().iter().chain(left_out.keys()).cloned().collect();
        names.sort_unstable();
        Ok(Self { folder, names, left_out })
    }

    /// Whether a path is one of the files or links.
    pub(super) fn lists(&self, path: &str) -> bool {
        self.left_out.contains_key(path) || self.folder.lists(path)
    }

    /// The folder on disk.
    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }
}

/// Reads a version of a file; where its content is missing, as in a partial clone, the fault says so.
pub(super) fn content(repository: &Repository, blob: BlobId) -> Result<Vec<u8>, ReadFault> {
    let fault = || ReadFault { reason: NOT_FETCHED.to_owned() };
    let bytes = repository.blob(blob, MAX_BYTES as u64).map_err(|_| fault())?;
    Ok(bytes.unwrap_or_else(|| vec![b' '; MAX_BYTES + 1]))
}

/// Says why a place has no state directory: there is none, or git holds one that the work tree lacks.
pub(super) fn absent(place: &Path) -> Error {
    let Ok(Some(repository)) = Repository::discover(place) else { return Error::of(ErrorCode::NoStateDirectory) };
    if repository.work_tree().is_none() {
        return Error::of(ErrorCode::BareRepository);
    }
    match missing_mark(&repository) {
        Ok(Some(mark)) => not_checked_out(place, &repository, mark.strip_suffix(MARK).unwrap_or(&mark)),
        Ok(None) | Err(_) => Error::of(ErrorCode::NoStateDirectory),
    }
}

/// The path below the root of the repository of the mark of a state directory that git holds and the work tree lacks.
fn missing_mark(repository: &Repository) -> Result<Option<String>, Error> {
    let top = repository.at_top();
    let is_mark = |path: &str| path.rsplit('/').next() == Some(MARK);
    Ok(held(&top, &is_mark)?.into_keys().find(|path| is_mark(path)))
}

/// The files that git holds of the work tree: those of the index, else, in a clone without a checkout, those of `HEAD`.
pub(super) fn held(
    repository: &Repository,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<String, BlobId>, Error> {
    if repository.has_index() {
        return Ok(repository.tracked(is_wanted)?.blobs);
    }
    Ok(match repository.head()? {
        Head::Branch { commit: Some(commit), .. } | Head::Detached(commit) => repository.list(commit, "")?.blobs,
        Head::Branch { commit: None, .. } => BTreeMap::new(),
    })
}

/// The error of a path that git holds and the work tree lacks, with the command that brings it when it runs at `place`;
/// `path` is below the root of the repository, and a folder where it ends in a slash.
pub(super) fn not_checked_out(place: &Path, repository: &Repository, path: &str) -> Error {
    let shown = match path.trim_end_matches('/') {
        "" => ".".to_owned(),
        path => quoted(path),
    };
    let root = repository.work_tree().and_then(|root| root.canonicalize().ok()).unwrap_or_default();
    let git = match display_prefix(place, &root) {
        up if up.is_empty() => "git".to_owned(),
        up => format!("git -C {}", up.trim_end_matches('/')),
    };
    let command = match () {
        () if !repository.has_index() => format!("{git} checkout"),
        () if repository.is_sparse() && shown == "." => format!("{git} sparse-checkout disable"),
        () if repository.is_sparse() => format!("{git} sparse-checkout add {shown}"),
        () => format!("{git} checkout --ignore-skip-worktree-bits -- {shown}"),
    };
    Error::about(ErrorCode::NotCheckedOut, format!("{shown}; `{command}` brings it"))
}

impl Files for CheckedOut {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn links(&self) -> &[String] {
        self.folder.links()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        self.left_out.get(path).map_or_else(|| self.folder.read(path), Clone::clone)
    }

    fn identify(&self) -> Option<Identify> {
        self.folder.identify()
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        if self.left_out.contains_key(path) { None } else { self.folder.stamp(path) }
    }
}
