//! Which two commits are compared.

use std::path::Path;

use crate::app::authority::AuthorityName;
use crate::app::error::ErrorCode;
use crate::app::{Error, branch_commit, named_commit};
use crate::document::MAX_BYTES;
use crate::git::{AuthorityCommit, CommitId, Repository};
use crate::workspace::{Files, Folder, MARK};

/// The two names of a range: `BASE..HEAD`, `BASE...HEAD`, or `BASE`, whose head is what is checked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range<'a> {
    /// What the change is merged into.
    pub base: &'a str,
    /// The change.
    pub head: &'a str,
}

impl<'a> Range<'a> {
    /// Reads a range; `None` when a side is empty, as it is where a variable of a script has no value.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let (base, head) = text.split_once("..").unwrap_or((text, "HEAD"));
        let head = head.strip_prefix('.').unwrap_or(head);
        (!base.is_empty() && !head.is_empty()).then_some(Self { base, head })
    }
}

/// The two commits of a review, and where their branches parted.
#[derive(Debug)]
pub(super) struct Revisions {
    /// What the change is merged into; its policies judge.
    pub(super) base: CommitId,
    /// The change.
    pub(super) head: CommitId,
    /// The last commit that both have.
    pub(super) start: CommitId,
    pub(super) base_name: String,
    pub(super) head_name: String,
}

impl Revisions {
    /// Finds what a range names. A base that is not here is an error with the command that fetches it, never an empty
    /// change. `root` is where the state directory stands on disk, if it does.
    pub(super) fn find(repository: &Repository, root: Option<&Path>, range: Option<&Range<'_>>) -> Result<Self, Error> {
        let head_name = range.map_or("HEAD", |range| range.head).to_owned();
        let head = named_commit(repository, &head_name)?;
        let (base, base_name) = match range {
            Some(Range { base, .. }) => (base_commit(repository, base)?, (*base).to_owned()),
            None => authority(repository, root, head)?,
        };
        let start = repository.merge_base(base, head)?.ok_or(Error::of(ErrorCode::UnrelatedHistories))?;
        Ok(Self { base, head, start, base_name, head_name })
    }
}

/// Finds the commit of a base. A branch is the one that `status` reads the receipts of, so that both judge by the same
/// policies.
pub(super) fn base_commit(repository: &Repository, name: &str) -> Result<CommitId, Error> {
    match branch_commit(repository, name)? {
        Some(commit) => Ok(commit),
        None => named_commit(repository, name),
    }
}

/// The commit where decisions count, by the settings of what is checked out. Where that is what is checked out there is
/// nothing to compare, and saying "nothing changed" would be a trap.
fn authority(repository: &Repository, root: Option<&Path>, head: CommitId) -> Result<(CommitId, String), Error> {
    let settings = match root {
        Some(root) => Folder::of(root, Vec::new()).read(MARK).unwrap_or_default(),
        None => match repository.file(head, MARK)? {
            Some(settings) => repository.blob(settings, MAX_BYTES as u64)?.unwrap_or_default(),
            None => Vec::new(),
        },
    };
    let name = AuthorityName::find(repository, &settings)?.name;
    match repository.authority(&name)? {
        AuthorityCommit::Commit(commit) if name != "HEAD" && commit != head => Ok((commit, name)),
        AuthorityCommit::Missing { fetch: Some(fetch) } => {
            Err(Error::about(ErrorCode::AuthorityMissing, format!("{name}; `{fetch}` brings it")))
        }
        AuthorityCommit::Missing { fetch: None } => Err(Error::about(ErrorCode::AuthorityMissing, name)),
        AuthorityCommit::Commit(_) | AuthorityCommit::Unborn => Err(Error::about(ErrorCode::NothingToCompare, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn a_range_names_both_sides_or_one_that_is_the_base() {
        for (text, base, head) in [
            ("main", "main", "HEAD"),
            ("main..topic", "main", "topic"),
            ("main...topic", "main", "topic"),
            ("HEAD~2..HEAD", "HEAD~2", "HEAD"),
        ] {
            assert_eq!(Range::parse(text), Some(Range { base, head }), "{text}");
        }
        for text in ["", "..", "...", "main..", "main...", "..topic", "...topic"] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }
}
