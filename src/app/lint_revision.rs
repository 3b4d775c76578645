//! Judges what git holds: a revision, what is staged, or only what a change brought.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::checkout::CheckedOut;
use super::error::{Error, ErrorCode};
use super::lint_target::LintTarget;
use super::names::named_commit;
use super::other_files::OtherFiles;
use super::review::merges::dropped_by_merge;
use super::{Located, only, state_directory_in};
use crate::document::MAX_BYTES;
use crate::finding::{Finding, introduced};
use crate::git::{CommitId, Listing, Repository, Skipped};
use crate::rules::{JudgedDirectory, in_folders, judge, judge_beside};
use crate::vocabulary::Instant;
use crate::workspace::{DisplayPaths, Files, MemoryFiles, is_judged};

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
    let located = Located::find(place, elsewhere)?.ok_or_else(|| Error::of(ErrorCode::NoStateDirectory))?;
    let repository = &located.repository;
    let commit = named_commit(repository, name)?;
    let held = Held::by(repository, commit)?;
    let mut judged = judge(&held.files, as_of);
    judged.add(dropped_by_merge(repository, commit, false, held.files.list(), &judged.workspace.wall)?);
    judged.add(held.others.findings(Some(repository), &judged.workspace)?);
    judged.add(of_prefix(repository, &judged));
    Ok(LintTarget::new(judged, None, located.paths(place), |_| true))
}

/// Judges what would be committed. An index without a state directory holds nothing to refuse.
fn staged(place: &Path, as_of: Instant) -> Result<LintTarget, Error> {
    let index = std::env::var_os("GIT_INDEX_FILE").map(PathBuf::from);
    let elsewhere = |repository: &Repository| only(repository.at_top().staged(index.as_deref())?.blobs.into_keys());
    let Some(located) = Located::find(place, elsewhere)? else {
        return Ok(LintTarget::new(judge(&MemoryFiles::default(), as_of), None, DisplayPaths::default(), |_| true));
    };
    let repository = &located.repository;
    let staged = Held::of(repository, &repository.staged(index.as_deref())?)?;
    let head = repository.head()?.commit();
    let before = head.map(|head| Held::by(repository, head)).transpose()?.unwrap_or_default();
    let mut news = news(&staged.files, &before.files, as_of);
    let others = staged.others.without(&before.others);
    news.add_others(repository, others, before.others)?;
    if let Some(head) = head.filter(|_| !repository.merging().is_empty()) {
        let wall = &news.judged.workspace.wall;
        news.judged.add(dropped_by_merge(repository, head, true, staged.files.list(), wall)?);
    }
    Ok(news.batch(None, located.paths(place)))
}

fn since(place: &Path, name: &str, as_of: Instant) -> Result<LintTarget, Error> {
    let root = super::state_directory(place)?;
    let repository = super::trusted(&root)?;
    let base = named_commit(&repository, name)?;
    let head = repository.head()?.commit().ok_or(Error::of(ErrorCode::NoCommit))?;
    let start = repository.merge_base(base, head)?.ok_or(Error::of(ErrorCode::UnrelatedHistories))?;
    let (files, before) = (CheckedOut::open(&root, Some(&repository))?, Held::by(&repository, start)?);
    let mut news = news(&files, &before.files, as_of);
    let is_other = |path: &str| !files.lists(path) || files.links().iter().any(|link| link == path);
    let others = OtherFiles::on_disk(&root, Some(&repository), &is_other)?;
    news.add_others(&repository, others, before.others)?;
    let paths = DisplayPaths::below(place, &root);
    Ok(news.batch(Some(root), paths))
}

/// What a change introduced, and how much was wrong before.
struct Introduced {
    judged: JudgedDirectory,
    /// How many findings stand that the change did not introduce.
    old: usize,
}

/// Judges files, and keeps of the findings those that they did not have before.
fn news(files: &dyn Files, before: &MemoryFiles, as_of: Instant) -> Introduced {
    let known = judge(before, as_of);
    let mut judged = judge_beside(files, (before, &known), as_of);
    let all = judged.findings.len();
    judged.findings = introduced(&known.findings, judged.findings);
    Introduced { old: all - judged.findings.len(), judged }
}

impl Introduced {
    /// Adds what is new in files that are no documents.
    fn add_others(&mut self, repository: &Repository, after: OtherFiles, before: OtherFiles) -> Result<(), Error> {
        let workspace = &self.judged.workspace;
        let before = before.at_paths_of(&after).findings(Some(repository), workspace)?;
        let after = after.findings(Some(repository), workspace)?;
        let all = after.len();
        let new = introduced(&before, after);
        self.old += all - new.len();
        self.judged.add(new);
        Ok(())
    }

    fn batch(self, root: Option<PathBuf>, paths: DisplayPaths) -> LintTarget {
        LintTarget::new(self.judged, root, paths, |_| true).introduced(self.old)
    }
}

/// A state directory as git holds it: the files that are judged where they stand, and the rest.
#[derive(Debug, Default)]
struct Held {
    files: MemoryFiles,
    others: OtherFiles,
}

impl Held {
    /// As a commit holds it.
    fn by(repository: &Repository, commit: CommitId) -> Result<Self, Error> {
        Self::of(repository, &repository.list(commit, "")?)
    }

    fn of(repository: &Repository, listing: &Listing) -> Result<Self, Error> {
        let mut files = BTreeMap::new();
        for (path, blob) in listing.blobs.iter().filter(|(path, _)| is_judged(path)) {
            let bytes = repository.blob(*blob, MAX_BYTES as u64)?.unwrap_or_else(|| vec![b' '; MAX_BYTES + 1]);
            files.insert(path.clone(), bytes);
        }
        let links = listing.skipped.iter().filter_map(|skipped| match skipped {
            Skipped::Link(path) | Skipped::Submodule(path) if is_judged(path) => Some(path.clone()),
            _ => None,
        });
        Ok(Self { files: MemoryFiles::new(files).with_links(links.collect()), others: OtherFiles::of(listing) })
    }
}

/// What the wall refuses in the folders above a state directory, up to the root of its repository.
pub(super) fn of_prefix(repository: &Repository, judged: &JudgedDirectory) -> Vec<Finding> {
    in_folders(repository.prefix().trim_end_matches('/'), &judged.workspace)
}
