//! The files of a state directory as they are checked out, with those that a sparse checkout leaves out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Error;
use crate::document::MAX_BYTES;
use crate::git::{BlobId, Repository};
use crate::privacy::Wall;
use crate::store::{LocalFiles, shared_facts_folder};
use crate::vocabulary::{Record, Storage};
use crate::workspace::{Files, Folder, Identify, MARK, ReadFault, Stamp, is_judged, read};

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
        if let Some(repository) = shared {
            left_out.extend(shared_facts(&folder, repository, is_meant));
        }
        let mut names: Vec<String> = folder.list().iter().chain(left_out.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        Ok(Self { folder, names, left_out })
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
