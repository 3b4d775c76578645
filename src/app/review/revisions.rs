//! Which two commits are compared.

use std::path::Path;

use crate::app::error::ErrorCode;
use crate::app::{Error, named_commit};
use crate::facts::{Authority, CommitId, Repository};
use crate::privacy::Wall;
use crate::vocabulary::Record;
use crate::workspace::{Files, Folder, read};

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
    /// change.
    pub(super) fn find(repository: &Repository, root: &Path, range: Option<&str>) -> Result<Self, Error> {
        let (base_name, head_name) = match range {
            None => (String::new(), "HEAD".to_owned()),
            Some(range) => {
                let (base, head) = range.split_once("..").unwrap_or((range, "HEAD"));
                let head = head.strip_prefix('.').unwrap_or(head);
                let named = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
                (named(base), named(head))
            }
        };
        let head = named_commit(repository, &head_name)?;
        let (base, base_name) = match range {
            Some(_) => (named_commit(repository, &base_name)?, base_name),
            None => authority(repository, root, head)?,
        };
        let start = repository.merge_base(base, head)?.ok_or(Error::of(ErrorCode::UnrelatedHistories))?;
        Ok(Self { base, head, start, base_name, head_name })
    }
}

/// The commit where decisions count, by the settings of what is checked out. Where that is what is checked out there is
/// nothing to compare, and saying "nothing changed" would be a trap.
fn authority(repository: &Repository, root: &Path, head: CommitId) -> Result<(CommitId, String), Error> {
    let settings = Folder::of(root, Vec::new()).read("loopx.yaml").unwrap_or_default();
    let record = read(&"loopx.yaml".into(), &settings, Wall::shipped()).record;
    let name = match record {
        Some(Record::Workspace(settings)) => settings.authority.reference.to_string(),
        _ => "HEAD".to_owned(),
    };
    match repository.authority(&name)? {
        Authority::Commit(commit) if name != "HEAD" && commit != head => Ok((commit, name)),
        Authority::Missing { fetch: Some(fetch) } => {
            Err(Error::about(ErrorCode::AuthorityMissing, format!("{name}; `{fetch}` brings it")))
        }
        Authority::Missing { fetch: None } => Err(Error::about(ErrorCode::AuthorityMissing, name)),
        Authority::Commit(_) | Authority::Unborn => Err(Error::about(ErrorCode::NothingToCompare, name)),
    }
}
