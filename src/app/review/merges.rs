//! Ids that two branches gave to different documents, of which a merge kept one.

use std::collections::{BTreeMap, BTreeSet};

use super::revisions::Revisions;
use crate::app::Error;
use crate::git::{ChangeKind, CommittedChange, History, Repository};
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
