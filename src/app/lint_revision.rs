//! Judges what git holds: a revision, what is staged, or only what a change brought.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::{Error, ErrorCode};
pub(super) use super::lint::LintTarget;
use super::names::named_commit;
use super::{Located, only, state_directory_in};
use crate::document::MAX_BYTES;
use crate::finding::introduced;
use crate::git::{BlobId, CommitId, Repository, Skipped};
use crate::rules::{JudgedDirectory, judge, judge_beside};
use crate::vocabulary::Instant;
use crate::workspace::{DisplayPaths, Files, Folder, MemoryFiles, is_judged};

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
pub(super) fn state(place: &Path, revision: Revision<'_>, as_of: Instant) -> Result<LintTarget, Error> {
    match revision {
        Revision::Tree(name) => revision_of(place, name, as_of),
        Revision::Staged => staged(place, as_of),
        Revision::Since(name) => since(place, name, as_of),
    }
}

fn revision_of(place: &Path, name: &str, as_of: Instant) -> Result<LintTarget, Error> {
    let elsewhere = |repository: &Repository| state_directory_in(repository, named_commit(repository, name)?);
    let located = Located::find(place, elsewhere)?.ok_or(Error::of(ErrorCode::NoStateDirectory))?;
    let repository = &located.repository;
    let files = tree(repository, named_commit(repository, name)?)?;
    Ok(LintTarget::new(judge(&files, as_of), None, located.paths(place), |_| true))
}

/// Judges what would be committed. An index without a state directory holds nothing to refuse.
fn staged(place: &Path, as_of: Instant) -> Result<LintTarget, Error> {
    let index = std::env::var_os("GIT_INDEX_FILE").map(PathBuf::from);
    let elsewhere = |repository: &Repository| only(repository.at_top().staged(index.as_deref())?.blobs.into_keys());
    let Some(located) = Located::find(place, elsewhere)? else {
        return Ok(LintTarget::new(judge(&MemoryFiles::default(), as_of), None, DisplayPaths::default(), |_| true));
    };
    let repository = &located.repository;
    let staged = repository.staged(index.as_deref())?;
    let files = memory(repository, staged.blobs, &staged.skipped)?;
    let before = match repository.head()?.commit() {
        Some(head) => tree(repository, head)?,
        None => MemoryFiles::default(),
    };
    Ok(LintTarget::new(news(&files, &before, as_of), None, located.paths(place), |_| true))
}

fn since(place: &Path, name: &str, as_of: Instant) -> Result<LintTarget, Error> {
    let root = super::state_directory(place)?;
    let repository = super::trusted(&root)?;
    let base = named_commit(&repository, name)?;
    let head = repository.head()?.commit().ok_or(Error::of(ErrorCode::NoCommit))?;
    let start = repository.merge_base(base, head)?.ok_or(Error::of(ErrorCode::UnrelatedHistories))?;
    let judged = news(&Folder::open(&root), &tree(&repository, start)?, as_of);
    let paths = DisplayPaths::below(place, &root);
    Ok(LintTarget::new(judged, Some(root), paths, |_| true))
}

/// Judges files, and keeps of the findings those that they did not have before.
fn news(files: &dyn Files, before: &MemoryFiles, as_of: Instant) -> JudgedDirectory {
    let known = judge(before, as_of);
    let mut judged = judge_beside(files, (before, &known), as_of);
    judged.findings = introduced(&known.findings, judged.findings);
    judged
}

/// The state directory as a commit holds it.
fn tree(repository: &Repository, commit: CommitId) -> Result<MemoryFiles, Error> {
    let listing = repository.list(commit, "")?;
    memory(repository, listing.blobs, &listing.skipped)
}

/// Reads the files that are judged where they stand.
fn memory(repository: &Repository, blobs: BTreeMap<String, BlobId>, skipped: &[Skipped]) -> Result<MemoryFiles, Error> {
    let mut files = BTreeMap::new();
    for (path, blob) in blobs.into_iter().filter(|(path, _)| is_judged(path)) {
        let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_else(|| vec![b' '; MAX_BYTES + 1]);
        files.insert(path, bytes);
    }
    let links = skipped.iter().filter_map(|skipped| match skipped {
        Skipped::Link(path) | Skipped::Submodule(path) if is_judged(path) => Some(path.clone()),
        _ => None,
    });
    Ok(MemoryFiles::new(files).with_links(links.collect()))
}
