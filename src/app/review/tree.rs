//! The files of both sides, as far as the change reaches: the goals it touches, with their receipts and facts; all of
//! it where settings or policies change.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::revisions::Revisions;
use crate::app::Error;
use crate::app::other_files::OtherFiles;
use crate::document::MAX_BYTES;
use crate::git::{BlobId, CommitId, PathDifference, Repository, Skipped};
use crate::workspace::{MemoryFiles, is_judged};

/// What both sides hold, and how they differ.
#[derive(Debug)]
pub(super) struct Trees {
    /// The base.
    pub(super) before: MemoryFiles,
    /// The base with the change merged into it, file by file; where both changed one, what the change says.
    pub(super) after: MemoryFiles,
    /// The files that the change touches, by path.
    pub(super) changed: Vec<PathDifference>,
    /// The files that the base changed otherwise since the branches parted.
    pub(super) of_both: BTreeSet<String>,
    /// What else was read of git, by blob.
    pub(super) bytes: BTreeMap<BlobId, Vec<u8>>,
}

/// Reads what a change touches, and what is needed to judge it; some paths are touched even where both sides are equal.
pub(super) fn trees(
    repository: &Repository,
    revisions: &Revisions,
    touched: &BTreeSet<String>,
) -> Result<Trees, Error> {
    let mut changed = repository.compare(revisions.start, revisions.head)?;
    let theirs = match revisions.start == revisions.base {
        true => Vec::new(),
        false => repository.compare(revisions.start, revisions.base)?,
    };
    let theirs: BTreeMap<&str, &PathDifference> = theirs.iter().map(|one| (one.path.as_str(), one)).collect();
    // What both sides made the same of is no change any more.
    changed.retain(|ours| ours.before != ours.after || !ours.is_plain);
    changed.retain(|ours| theirs.get(ours.path.as_str()).is_none_or(|theirs| theirs.after != ours.after));
    let known: BTreeSet<String> = changed.iter().map(|ours| ours.path.clone()).collect();
    for path in touched.difference(&known) {
        let blob = repository.file(revisions.head, path)?;
        changed.push(PathDifference { path: path.clone(), before: blob, after: blob, link: None, is_plain: true });
    }
    let of_both = changed.iter().map(|ours| &ours.path).filter(|path| theirs.contains_key(path.as_str())).cloned();
    let of_both: BTreeSet<String> = of_both.collect();
    let reach = ReviewExtent::of(repository, revisions.base, &changed)?;
    let (mut names, mut links) = reach.files(repository, revisions.base)?;
    // What a change touches outside its reach, such as a host's plan, is compared all the same.
    for ours in changed.iter().filter(|ours| is_judged(&ours.path)) {
        let before = theirs.get(ours.path.as_str()).map_or(ours.before, |theirs| theirs.after);
        names.extend(before.map(|blob| (ours.path.clone(), blob)));
    }
    let mut trees = Trees {
        before: MemoryFiles::default(),
        after: MemoryFiles::default(),
        of_both,
        bytes: BTreeMap::new(),
        changed: Vec::new(),
    };
    trees.before = trees.memory(repository, &names)?.with_links(links.clone());
    for ours in changed.iter().filter(|ours| is_judged(&ours.path)) {
        links.retain(|link| *link != ours.path);
        match ours.after {
            Some(blob) => drop(names.insert(ours.path.clone(), blob)),
            None => drop(names.remove(&ours.path)),
        }
        // What is no file is a link to every rule: git holds only where it leads.
        if !ours.is_plain && ours.after.is_none() {
            links.push(ours.path.clone());
        }
    }
    trees.after = trees.memory(repository, &names)?.with_links(links);
    trees.changed = changed;
    Ok(trees)
}

impl Trees {
    /// The files that the change touches and no rule reads as documents, before and after it.
    pub(super) fn others(&self) -> (OtherFiles, OtherFiles) {
        let (mut before, mut after, mut links) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for change in &self.changed {
            links.extend(change.link.map(|link| (change.path.clone(), link)));
            if is_judged(&change.path) {
                continue;
            }
            before.extend(change.before.map(|blob| (change.path.clone(), blob)));
            after.extend(change.after.map(|blob| (change.path.clone(), blob)));
        }
        (OtherFiles::with(before, BTreeMap::new()), OtherFiles::with(after, links))
    }

    fn memory(&mut self, repository: &Repository, names: &BTreeMap<String, BlobId>) -> Result<MemoryFiles, Error> {
        let mut files = BTreeMap::new();
        for (path, blob) in names {
            files.insert(path.clone(), self.read(repository, *blob)?.to_vec());
        }
        Ok(MemoryFiles::new(files))
    }

    /// The bytes of a blob; of one over the limit, so many that every reader sees it is.
    pub(super) fn read(&mut self, repository: &Repository, blob: BlobId) -> Result<&[u8], Error> {
        Ok(match self.bytes.entry(blob) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let bytes = repository.blob(blob, MAX_BYTES as u64)?;
                new.insert(bytes.unwrap_or_else(|| vec![b' '; MAX_BYTES + 1]))
            }
        })
    }
}

/// How far a change reaches.
enum ReviewExtent {
    /// Everywhere: settings or policies change, or something stands at no place of the layout.
    Wide,
    /// These goals.
    Goals(BTreeSet<String>),
}

impl ReviewExtent {
    fn of(repository: &Repository, base: CommitId, changed: &[PathDifference]) -> Result<Self, Error> {
        let (mut goals, mut sessions) = (BTreeSet::new(), BTreeSet::new());
        for PathDifference { path, .. } in changed {
            match path.split('/').collect::<Vec<_>>()[..] {
                ["goals", goal, "bindings", session] => {
                    goals.insert(goal.to_owned());
                    sessions.extend(stem(session).map(str::to_owned));
                }
                ["goals" | "receipts", goal, ..] => drop(goals.insert(goal.to_owned())),
                ["facts", _, session] => sessions.extend(stem(session).map(str::to_owned)),
                ["projections" | "previews" | "blockers" | "hosts", ..] => {}
                [file] if !file.ends_with(".yaml") && !file.ends_with(".json") && !file.ends_with(".yml") => {}
                ["attention.json"] => {}
                _ => return Ok(Self::Wide),
            }
        }
        // A session is bound once in the whole state directory.
        if !sessions.is_empty() {
            for path in repository.list(base, "goals")?.blobs.keys() {
                if let [goal, "bindings", session] = path.split('/').collect::<Vec<_>>()[..]
                    && stem(session).is_some_and(|session| sessions.contains(session))
                {
                    goals.insert(goal.to_owned());
                }
            }
        }
        Ok(Self::Goals(goals))
    }

    /// The files of a commit that it reaches, and the links among them.
    fn files(
        &self,
        repository: &Repository,
        commit: CommitId,
    ) -> Result<(BTreeMap<String, BlobId>, Vec<String>), Error> {
        let (mut files, mut links) = (BTreeMap::new(), Vec::new());
        let mut add = |under: &str, is_wanted: &dyn Fn(&[u8]) -> bool| -> Result<(), Error> {
            let found = repository.list_named(commit, under, is_wanted)?;
            let full = |path: &str| if under.is_empty() { path.to_owned() } else { format!("{under}/{path}") };
            let blobs = found.blobs.into_iter().map(|(path, blob)| (full(&path), blob));
            files.extend(blobs.filter(|(path, _)| is_judged(path)));
            links.extend(found.skipped.iter().filter_map(|skipped| match skipped {
                Skipped::Link(path) | Skipped::Submodule(path) => Some(full(path)),
                Skipped::Name(_) | Skipped::Depth(_) | Skipped::Size(_) => None,
            }));
            Ok(())
        };
        let Self::Goals(goals) = self else {
            add("", &|_| true)?;
            return Ok((files, links));
        };
        add("policies", &|_| true)?;
        let mut sessions = BTreeSet::new();
        for goal in goals {
            add(&format!("goals/{goal}"), &|_| true)?;
            add(&format!("receipts/{goal}"), &|_| true)?;
            let bindings = repository.list(commit, &format!("goals/{goal}/bindings"))?;
            sessions.extend(bindings.blobs.keys().filter_map(|name| stem(name)).map(str::to_owned));
        }
        if !sessions.is_empty() {
            let is_bound =
                |name: &[u8]| std::str::from_utf8(name).ok().and_then(stem).is_some_and(|it| sessions.contains(it));
            add("facts", &is_bound)?;
        }
        if let Some(settings) = repository.file(commit, "loopx.yaml")? {
            files.insert("loopx.yaml".to_owned(), settings);
        }
        Ok((files, links))
    }
}

fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".json"))
}
