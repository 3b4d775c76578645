//! Where decisions count: the name of the authority ref, its commit, and what the commits beside the work tree hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::Error;
use super::recording::commit_of;
use crate::document::MAX_BYTES;
use crate::effective::{ContentVersions, DocumentKey};
use crate::git::{self, CommitId, Head, Repository};
use crate::privacy::Wall;
use crate::reconcile::{AuthorityState, RecordingBranch};
use crate::rules::Judge;
use crate::vocabulary::{Record, WorkspaceSettings as Settings};
use crate::workspace::{ContentId, Files, Folder, MARK, MemoryFiles, Policies, read};

/// What is said where whatever is checked out counts as reviewed.
const UNPROTECTED: &str =
    "authority.ref is HEAD, so no branch is protected from itself; name the reviewed branch: authority: { ref: main }";

/// The authority ref of a state directory, and what the commits beside the work tree hold.
#[derive(Debug, Clone, Default)]
pub(super) struct AuthorityRef {
    /// Whether anything can be recorded.
    pub(super) authority: AuthorityState,
    /// How what stands here comes to count.
    pub(super) branch: RecordingBranch,
    /// The policies and settings that count; those among the files where the authority ref has none.
    pub(super) judge: Judge,
    /// The commits, once there are any.
    pub(super) commits: Option<Commits>,
    /// What they hold.
    pub(super) versions: Option<Arc<ContentVersions>>,
}

/// The commits that verdicts rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Commits {
    /// Of the authority ref.
    pub(super) reference: CommitId,
    /// What is checked out; `None` on a branch without a commit.
    pub(super) head: Option<CommitId>,
    /// Where both parted, where that is known.
    base: Option<CommitId>,
}

/// The name of the authority ref in force, and what has to be said of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AuthorityName {
    pub(super) name: String,
    note: Option<String>,
}

impl AuthorityName {
    /// Finds the name in force (semantics.md 6): an edit on a branch cannot move its own judge.
    ///
    /// It is the one in `loopx.yaml` at the branch that `origin` calls its own; else the one in this clone's
    /// configuration; else, without a remote, the one at the default branch here; else the work tree's. With a remote,
    /// `HEAD` means the branch that `origin` calls its own.
    /// `here` is the text of `loopx.yaml` in the work tree.
    pub(super) fn find(repository: &Repository, here: &[u8]) -> Result<Self, Error> {
        let origin = repository.origin_head()?;
        let reviewed = match &origin {
            Some((_, commit)) => settings_at(repository, *commit)?,
            None => None,
        };
        if let (Some(settings), Some((branch, _))) = (&reviewed, &origin) {
            let name = settings.authority.reference.as_str();
            let name = if name == "HEAD" { branch } else { name };
            return Ok(Self { name: name.to_owned(), note: None });
        }
        if let Some(name) = repository.configured_authority() {
            return Ok(Self { name, note: None });
        }
        let committed = match repository.has_origin() {
            true => None,
            false => {
                repository.local_default()?.map(|(_, commit)| settings_at(repository, commit)).transpose()?.flatten()
            }
        };
        let settings = committed.or_else(|| settings_of(here)).unwrap_or_default();
        let name = settings.authority.reference.to_string();
        Ok(match &origin {
            Some((branch, _)) if name == "HEAD" => Self { name: branch.clone(), note: None },
            None if repository.has_origin() => {
                let note = format!(
                    "git does not know the default branch of origin, so {MARK} here names the authority ref: \
                     git remote set-head origin --auto"
                );
                Self { name, note: Some(note) }
            }
            _ => Self { name, note: None },
        })
    }
}

/// The settings that a commit holds, where they can be read.
fn settings_at(repository: &Repository, commit: CommitId) -> Result<Option<Settings>, Error> {
    let Some(blob) = repository.file(commit, MARK)? else { return Ok(None) };
    let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default();
    Ok(settings_of(&bytes))
}

/// Reads the text of `loopx.yaml`.
pub(super) fn settings_of(bytes: &[u8]) -> Option<Settings> {
    match read(&MARK.into(), bytes, Wall::shipped()).record {
        Some(Record::Workspace(settings)) => Some(settings),
        _ => None,
    }
}

impl AuthorityRef {
    /// Finds the authority ref of a state directory and lists what it holds; nothing is listed again while all commits
    /// stay where they are. `None`: nothing is new.
    ///
    /// # Errors
    /// Git is there and cannot be read.
    ///
    /// Without `goals` it lists the documents of all of them.
    pub(super) fn renewed(
        &self,
        repository: Option<&Repository>,
        root: &Path,
        goals: Option<&BTreeSet<String>>,
    ) -> Result<Option<Self>, Error> {
        let without = |authority: AuthorityState, branch: RecordingBranch| {
            let is_new = self.commits.is_some() || self.authority != authority || self.branch != branch;
            is_new.then(|| Self { authority, branch, ..Self::default() })
        };
        let Some(repository) = repository else {
            return Ok(without(AuthorityState::NoGit, RecordingBranch::default()));
        };
        let here = Folder::of(root, Vec::new()).read(MARK).unwrap_or_default();
        let AuthorityName { name, note } = AuthorityName::find(repository, &here)?;
        let head = repository.head()?;
        let reference = match repository.authority(&name)? {
            git::AuthorityCommit::Commit(commit) => commit,
            git::AuthorityCommit::Unborn => return Ok(without(AuthorityState::NoGit, RecordingBranch::default())),
            git::AuthorityCommit::Missing { fetch } => {
                // Nothing that only this clone holds may stand in for what the team reviewed.
                let fetch = fetch.map_or_else(
                    || {
                        format!(
                            "git config loopx.authority BRANCH, a branch that the team reviews: {name} is none here"
                        )
                    },
                    |fetch| fetch.to_string(),
                );
                return Ok(without(AuthorityState::RefMissing { reference: name, fetch }, RecordingBranch::default()));
            }
        };
        let mut branch = branch(&name, &head, repository)?;
        branch.notes.extend(note.into_iter().chain(diverged(repository, &name)?));
        let head = commit_of(&head);
        let base = match head {
            Some(head) if head == reference => Some(reference),
            // A shallow clone may not reach it: then every difference is a change here.
            Some(head) => repository.merge_base(reference, head).ok().flatten(),
            None => None,
        };
        let commits = Commits { reference, head, base };
        if self.commits == Some(commits) && self.branch == branch {
            return Ok(None);
        }
        let versions = match &self.versions {
            Some(known) if self.commits == Some(commits) => Arc::clone(known),
            _ => Arc::new(versions(repository, commits, goals)?),
        };
        let judge = judge(repository, reference)?;
        Ok(Some(Self {
            authority: AuthorityState::Read,
            branch,
            judge,
            commits: Some(commits),
            versions: Some(versions),
        }))
    }
}

/// Says that the authority branch here and the one of `origin` went apart.
fn diverged(repository: &Repository, name: &str) -> Result<Option<String>, Error> {
    // A shallow clone cannot tell, and then the one here counts as before.
    let has_diverged = repository.has_diverged(name).unwrap_or_default();
    Ok(has_diverged.then(|| format!("{name} here and origin/{name} have diverged; the one here counts: git pull")))
}

/// How what is checked out comes to count at the authority ref.
fn branch(name: &str, head: &Head, repository: &Repository) -> Result<RecordingBranch, Error> {
    let (records, is_here) = match head {
        Head::Branch { name: branch, .. } if name == "HEAD" || name == branch => ("git commit".to_owned(), true),
        Head::Branch { name: branch, .. } => (format!("git switch {name} && git merge {branch}"), false),
        Head::Detached(_) if name == "HEAD" => ("git commit".to_owned(), true),
        Head::Detached(commit) => {
            (format!("git switch {name} && git merge {}", repository.commit(*commit)?.short), true)
        }
    };
    let records_decision = if is_here { "loopx reconcile --commit" } else { "loopx record" }.to_owned();
    let notes = if name == "HEAD" { vec![UNPROTECTED.to_owned()] } else { Vec::new() };
    Ok(RecordingBranch { reference: name.to_owned(), records, records_decision, notes })
}

/// The policies and settings that count: those of the authority ref, once it holds a state directory.
fn judge(repository: &Repository, reference: CommitId) -> Result<Judge, Error> {
    let Some(settings) = settings_at(repository, reference)? else { return Ok(Judge::default()) };
    let files = repository.tree_files(reference, "policies", MAX_BYTES as u64)?.bytes;
    let files: MemoryFiles = files.into_iter().map(|(path, bytes)| (format!("policies/{path}"), bytes)).collect();
    Ok(Judge { policies: Some(Policies::read(&files)), settings: Some(settings) })
}

/// Names what the commits hold.
fn versions(
    repository: &Repository,
    commits: Commits,
    goals: Option<&BTreeSet<String>>,
) -> Result<ContentVersions, Error> {
    let mut reference: BTreeMap<Arc<str>, ContentId> = BTreeMap::new();
    let folders: Vec<String> = match goals {
        None => vec!["facts".to_owned(), "goals".to_owned()],
        Some(goals) => {
            let goals = goals.iter().map(|goal| format!("goals/{goal}"));
            std::iter::once("facts".to_owned()).chain(goals).collect()
        }
    };
    for folder in folders {
        let blobs = repository.list(commits.reference, &folder)?.blobs;
        let blobs = blobs.into_iter().map(|(path, blob)| (format!("{folder}/{path}"), blob));
        let blobs = blobs.filter(|(path, _)| DocumentKey::at(path).is_some());
        reference.extend(blobs.map(|(path, blob)| (Arc::from(path), ContentId::from(blob))));
    }
    let apart = |other: CommitId| -> Result<BTreeMap<Arc<str>, Option<ContentId>>, Error> {
        if other == commits.reference {
            return Ok(BTreeMap::new());
        }
        let differences = repository.compare(commits.reference, other)?.into_iter();
        let differences = differences.filter(|difference| DocumentKey::at(&difference.path).is_some());
        Ok(differences.map(|it| (Arc::from(it.path), it.after.map(ContentId::from))).collect())
    };
    let head = match commits.head {
        Some(head) => apart(head)?,
        None => reference.keys().map(|path| (Arc::clone(path), None)).collect(),
    };
    let base = commits.base.map(apart).transpose()?;
    Ok(ContentVersions::apart(reference, head, base))
}
