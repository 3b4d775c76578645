//! Ids that two branches gave to different documents, of which a merge kept one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::revisions::Revisions;
use crate::app::Error;
use crate::finding::{Anchor, Finding};
use crate::git::{ChangeKind, CommitId, CommittedChange, History, PathDifference, Repository};
use crate::privacy::Wall;
use crate::rules::transition::IDENTITY_CHANGED;
use crate::vocabulary::{Kind, Plane};

/// The paths of desired documents that were added on two lines of history with different content: the id means two
/// things, whichever of them the merge kept.
///
/// A document that one line added as the other had made it, such as by a squash merge, is the same document.
pub(super) fn given_twice(
    repository: &Repository,
    revisions: &Revisions,
    history: &History,
) -> Result<BTreeSet<String>, Error> {
    let mut added: BTreeMap<&str, Vec<&CommittedChange>> = BTreeMap::new();
    for change in history.changes.iter().filter(|change| is_desired(&change.path)) {
        added.entry(&change.path).or_default().push(change);
    }
    added.retain(|_, changes| changes.iter().any(|change| change.kind == ChangeKind::Added));
    let mut twice = BTreeSet::new();
    for (path, changes) in added {
        let of_base = match repository.file(revisions.start, path)? {
            Some(_) => {
                repository.history(revisions.start, path.rsplit_once('/').map_or("", |(folder, _)| folder), None)?
            }
            None => History::default(),
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        let of_base = of_base.changes.iter().filter(|change| change.path == name);
        if origins(repository, &of_base.chain(changes).collect::<Vec<_>>())? > 1 {
            twice.insert(path.to_owned());
        }
    }
    Ok(twice)
}

/// The findings of documents of which a merge kept one and dropped another of the same id: in the merge that is under
/// way, else in the commit, if it is a merge. `files` are the paths that stand there after it.
///
/// Where the merge also added a document of that kind that no side has, the dropped one was given an id of its own. A
/// shallow clone cannot tell, and then there are none.
pub(in crate::app) fn dropped_by_merge(
    repository: &Repository,
    commit: CommitId,
    is_under_way: bool,
    files: &[String],
    wall: &Wall,
) -> Result<Vec<Finding>, Error> {
    let mut sides = match is_under_way {
        true => repository.merging(),
        false => Vec::new(),
    };
    if sides.is_empty() {
        sides = repository.commit(commit)?.parents;
    } else {
        sides.insert(0, commit);
    }
    let mut findings = Vec::new();
    for side in sides.iter().skip(1) {
        let Ok(Some(start)) = repository.merge_base(sides[0], *side) else { continue };
        let (ours, theirs) = (repository.compare(start, sides[0])?, repository.compare(start, *side)?);
        let theirs: BTreeMap<&str, &PathDifference> = theirs.iter().map(|one| (one.path.as_str(), one)).collect();
        for one in ours.iter().filter(|one| one.before.is_none() && is_desired(&one.path)) {
            let other = theirs.get(one.path.as_str()).and_then(|other| other.after);
            let is_twice = other.is_some_and(|other| one.after.is_some_and(|own| own != other));
            let is_dropped = is_twice
                && files.contains(&one.path)
                && are_apart(repository, start, [sides[0], *side], &one.path)?
                && !has_new_id(repository, &sides, &one.path, files)?;
            if is_dropped {
                findings.push(finding(&one.path, wall));
            }
        }
    }
    Ok(findings)
}

/// Whether two sides added documents of different content at a path, and neither took the other's in.
fn are_apart(repository: &Repository, start: CommitId, sides: [CommitId; 2], path: &str) -> Result<bool, Error> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut changes = Vec::new();
    for side in sides {
        changes.extend(repository.history(side, folder, Some(start))?.changes);
    }
    let of_path = changes.iter().filter(|change| change.path == name).collect::<Vec<_>>();
    Ok(origins(repository, &of_path)? > 1)
}

/// Whether a document of the same kind and goal stands there that no side of a merge has.
fn has_new_id(repository: &Repository, sides: &[CommitId], path: &str, files: &[String]) -> Result<bool, Error> {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    for file in files.iter().filter(|file| folder(file) == folder(path)) {
        let mut is_new = true;
        for side in sides {
            is_new &= repository.file(*side, file)?.is_none();
        }
        if is_new {
            return Ok(true);
        }
    }
    Ok(false)
}

fn finding(path: &str, wall: &Wall) -> Finding {
    let message = "two branches gave this id to different documents, and a merge kept one; give the other a new id";
    IDENTITY_CHANGED.at(&Arc::from(path), Anchor::File, wall.text(message))
}

/// How many documents of different content were added at one path. One that was removed before another was added is
/// another case: its id is reused.
fn origins(repository: &Repository, changes: &[&CommittedChange]) -> Result<usize, Error> {
    let (mut first, mut later) = (BTreeSet::new(), BTreeSet::new());
    for change in changes {
        match change.kind {
            ChangeKind::Removed => return Ok(0),
            ChangeKind::Added => first.extend(change.blob),
            // What a merge kept says nothing of how either side came by it.
            ChangeKind::Modified if repository.commit(change.commit)?.parents.len() > 1 => {}
            ChangeKind::Modified => later.extend(change.blob),
        }
    }
    Ok(first.difference(&later).count())
}

fn is_desired(path: &str) -> bool {
    Kind::at(path).is_some_and(|(kind, _)| kind.row().plane == Plane::Desired)
}
