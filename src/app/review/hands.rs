//! Whose hands made the change: its commits, their authors, and what each made of every file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::revisions::Revisions;
use super::tree::Trees;
use crate::app::{Error, actor_of};
use crate::document::MAX_BYTES;
use crate::facts::{self, BlobId, CommitId, History, Repository};
use crate::review::{Author, Commit, FileChange};
use crate::vocabulary::{Kind, Record};
use crate::workspace::{Workspace, read};

/// The commits of a change, and what they did.
#[derive(Debug)]
pub(super) struct Hands {
    pub(super) commits: Vec<Commit>,
    pub(super) files: Vec<FileChange>,
}

impl Hands {
    pub(super) fn read(
        repository: &Repository,
        revisions: &Revisions,
        (trees, history, twice): (&Trees, &History, &BTreeSet<String>),
        base: &Workspace,
    ) -> Result<Self, Error> {
        let all = repository.commits(revisions.head, revisions.base)?;
        let touching: BTreeSet<CommitId> = history.changes.iter().map(|change| change.commit).collect();
        let mut commits = Vec::new();
        let mut numbers = BTreeMap::new();
        for commit in &all {
            let refused = refused(base, &repository.message(commit.id)?);
            // A commit elsewhere in the repository is none of this change, but its message is as public.
            if touching.contains(&commit.id) || !refused.is_empty() {
                numbers.insert(commit.id, commits.len());
                let author = Author { is_signed: repository.is_signed_by_its_author(commit), ..author(base, commit) };
                commits.push(Commit { short: commit.short.clone(), author, refused });
            }
        }
        let record = |path: &Arc<str>, blob: Option<BlobId>| -> Result<Option<Record>, Error> {
            let Some(blob) = blob.filter(|_| Kind::at(path).is_some()) else { return Ok(None) };
            let bytes = match trees.bytes.get(&blob) {
                Some(bytes) => bytes.clone(),
                None => repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default(),
            };
            Ok(read(path, &bytes, &base.wall).record)
        };
        let mut files = Vec::new();
        for change in &trees.changed {
            let path: Arc<str> = Arc::from(change.path.as_str());
            let of_path = history.changes.iter().filter(|one| one.path == change.path);
            let mut versions = Vec::new();
            for one in of_path {
                if let Some(number) = numbers.get(&one.commit) {
                    versions.push((*number, record(&path, one.blob)?));
                }
            }
            let is_of_both = trees.of_both.contains(&change.path);
            let is_given_twice = twice.contains(&change.path);
            files.push(FileChange { start: record(&path, change.before)?, path, versions, is_of_both, is_given_twice });
        }
        Ok(Self { commits, files })
    }
}

/// What the wall refuses in the message of a commit.
fn refused(base: &Workspace, message: &str) -> BTreeSet<&'static str> {
    base.wall.scan_text(message).iter().map(|hit| hit.rule.class.rule()).collect()
}

/// Who made a commit, by the base's policies.
fn author(base: &Workspace, commit: &facts::Commit) -> Author {
    let known = actor_of(&base.policies, &commit.author_email);
    let actor = known.map(|(id, actor)| (id.clone(), actor.class));
    Author { name: commit.author_name.clone(), actor, is_signed: false }
}
