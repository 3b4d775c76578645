//! The files of a state directory as they are checked out, with those that a sparse checkout leaves out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Error, ErrorCode};
use crate::document::MAX_BYTES;
use crate::git::{BlobId, Head, Repository, quoted};
use crate::privacy::Wall;
use crate::store::{LocalFiles, shared_facts_folder};
use crate::vocabulary::{Record, Storage};
use crate::workspace::{Files, Folder, Identify, MARK, ReadFault, Stamp, display_prefix, is_judged, read};

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
        Self::with(Folder::open(root).identified_by(repository.map(Repository::identify)), [repository; 2], &|_| true)
    }

    /// Lists the files that judging some paths needs, as [`Folder::around`] does.
    ///
    /// # Errors
    /// The index cannot be read.
    pub(super) fn around(root: &Path, paths: &[String], repository: Option<&Repository>) -> Result<Self, Error> {
        Self::with(Folder::around(root, paths), [repository; 2], &|_| true)
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
        let sessions: BTreeSet<String> = folder.list().iter().filter_map(|path| bound_session(path)).collect();
        let is_of = |path: &str| match path.split('/').collect::<Vec<_>>()[..] {
            ["goals", goal, ..] => goals.contains(goal),
            ["facts", _, file] => file.rsplit_once('.').is_some_and(|(session, _)| sessions.contains(session)),
            _ => !path.starts_with("receipts/"),
        };
        Self::with(folder, [repository; 2], &is_of)
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
        // Of facts in two formats the shared ones count; which of them does is seen only where both are listed.
        let is_twin = |path: &&String| path.starts_with("facts/") && path.ends_with(".json");
        let has_twin = |path: &String| {
            path.starts_with("facts/") && root.join(path.replace(".yaml", ".json")).symlink_metadata().is_ok()
        };
        if paths.iter().any(|path| is_twin(&path) || has_twin(path)) {
            return Ok(None);
        }
        let Some(folder) = Folder::at(root, paths) else { return Ok(None) };
        let folder = folder.identified_by(repository.map(Repository::identify));
        // What stands there is not left out, so the index has nothing to say of it.
        let are_all_there = paths.iter().all(|path| folder.list().binary_search(path).is_ok());
        let index = repository.filter(|_| !are_all_there);
        Self::with(folder, [index, repository], &|path| paths.contains(path)).map(Some)
    }

    /// Adds what a sparse checkout leaves out, by the index of one repository, and what hosts wrote in the other.
    fn with(
        folder: Folder,
        [index, shared]: [Option<&Repository>; 2],
        is_meant: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let mut left_out = BTreeMap::new();
        if let Some(repository) = index {
            let is_wanted = |path: &String| is_judged(path) && is_meant(path);
            for (path, blob) in repository.not_checked_out()?.into_iter().filter(|(path, _)| is_wanted(path)) {
                if folder.list().binary_search(&path).is_err() && folder.links().binary_search(&path).is_err() {
                    left_out.insert(path, content(repository, blob));
                }
            }
        }
        let mut names = folder.list().to_vec();
        if let Some(repository) = shared {
            let facts = shared_facts(&folder, repository, is_meant);
            // Of one session the shared facts alone count, in whichever format the work tree has others.
            let stem = |path: &str| path.rsplit_once('.').map(|(stem, _)| format!("{stem}.yaml"));
            names.retain(|path| !stem(path).is_some_and(|path| facts.contains_key(&path)));
            left_out.extend(facts);
        }
        names.extend(left_out.keys().cloned());
        names.sort_unstable();
        names.dedup();
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

/// The session that the path of a binding names.
fn bound_session(path: &str) -> Option<String> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["goals", _, "bindings", file] => file.rsplit_once('.').map(|(session, _)| session.to_owned()),
        _ => None,
    }
}

/// The facts that hosts wrote below the git common directory, where git ignores facts; of one session they alone count.
fn shared_facts(
    folder: &Folder,
    repository: &Repository,
    is_meant: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, Result<Vec<u8>, ReadFault>> {
    let files = LocalFiles::of(repository.common_dir());
    let top = shared_facts_folder(repository.prefix());
    let runtimes = files.list(&top);
    if runtimes.is_empty() || are_facts_committed(folder) {
        return BTreeMap::new();
    }
    let mut facts = BTreeMap::new();
    for runtime in runtimes {
        for name in files.list(&format!("{top}/{runtime}")) {
            let path = format!("facts/{runtime}/{name}");
            if is_judged(&path) && is_meant(&path) {
                let read = files.read(&format!("{top}/{runtime}/{name}"));
                let fault = |error: std::io::Error| ReadFault { reason: error.kind().to_string() };
                facts.insert(path, read.map(Option::unwrap_or_default).map_err(fault));
            }
        }
    }
    facts
}

fn are_facts_committed(folder: &Folder) -> bool {
    let bytes = folder.read(MARK).unwrap_or_default();
    match read(&MARK.into(), &bytes, Wall::shipped()).record {
        Some(Record::Workspace(settings)) => settings.facts == Storage::Committed,
        _ => false,
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
