//! Judges what git holds: a revision, what is staged, or only what a change brought.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::{Error, ErrorCode};
use super::lint::Batch;
use crate::document::MAX_BYTES;
use crate::facts::{BlobId, CommitId, Repository, Skipped};
use crate::finding::brought;
use crate::rules::{judge, judge_beside};
use crate::vocabulary::Instant;
use crate::workspace::{DisplayPaths, Files, Folder, Memory, is_judged};

/// Which content is judged, and which findings count.
#[derive(Debug, Clone, Copy)]
pub enum Revision<'a> {
    /// The tree of a commit, all of its findings.
    Tree(&'a str),
    /// What is staged, and of its findings those that `HEAD` does not have.
    Staged,
    /// The work tree, and of its findings those that it did not have where it left this commit.
    Since(&'a str),
}

/// Judges the state directory of a place as git holds it, or what was changed in it.
pub(super) fn state(place: &Path, revision: Revision<'_>, as_of: Instant) -> Result<Batch, Error> {
    let root = super::state_directory(place)?;
    let repository = super::trusted(&root)?;
    let paths = DisplayPaths::below(place, &root);
    let (files, before, root): (Box<dyn Files>, _, _) = match revision {
        Revision::Tree(name) => {
            let commit = super::named_commit(&repository, name)?;
            (Box::new(tree(&repository, commit)?), None, None)
        }
        Revision::Staged => {
            let staged = repository.staged(std::env::var_os("GIT_INDEX_FILE").map(PathBuf::from).as_deref())?;
            let files = memory(&repository, staged.blobs, &staged.skipped)?;
            let before = match super::recording::commit_of(&repository.head()?) {
                Some(head) => tree(&repository, head)?,
                None => Memory::default(),
            };
            (Box::new(files), Some(before), None)
        }
        Revision::Since(name) => {
            let base = super::named_commit(&repository, name)?;
            let head = super::recording::commit_of(&repository.head()?).ok_or(Error::of(ErrorCode::NoCommit))?;
            let start = repository.merge_base(base, head)?.ok_or(Error::of(ErrorCode::UnrelatedHistories))?;
            (Box::new(Folder::open(&root)), Some(tree(&repository, start)?), Some(root))
        }
    };
    let judged = match before {
        Some(before) => {
            let known = judge(&before, as_of);
            let mut judged = judge_beside(&*files, (&before, &known), as_of);
            judged.findings = brought(&known.findings, judged.findings);
            judged
        }
        None => judge(&*files, as_of),
    };
    Ok(Batch::new(judged, root, paths, |_| true))
}

/// The state directory as a commit holds it.
fn tree(repository: &Repository, commit: CommitId) -> Result<Memory, Error> {
    let listing = repository.list(commit, "")?;
    memory(repository, listing.blobs, &listing.skipped)
}

/// Reads the files that are judged where they stand.
fn memory(repository: &Repository, blobs: BTreeMap<String, BlobId>, skipped: &[Skipped]) -> Result<Memory, Error> {
    let mut files = BTreeMap::new();
    for (path, blob) in blobs.into_iter().filter(|(path, _)| is_judged(path)) {
        let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_else(|| vec![b' '; MAX_BYTES + 1]);
        files.insert(path, bytes);
    }
    let links = skipped.iter().filter_map(|skipped| match skipped {
        Skipped::Link(path) | Skipped::Submodule(path) if is_judged(path) => Some(path.clone()),
        _ => None,
    });
    Ok(Memory::new(files).with_links(links.collect()))
}
