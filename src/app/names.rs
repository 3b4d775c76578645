//! Which commit a revision names: what is typed for a reviewed branch never means something that merely has its name.

use super::error::{Error, ErrorCode};
use crate::git::{AuthorityCommit, CommitId, Repository};

/// Where branches stand as `origin` had them when they were last fetched.
const ORIGIN: &str = "origin/";

/// Which commit a branch is that is here and also known of `origin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OfBranch {
    /// The one here.
    Here,
    /// As the authority ref is found: the descendant of both.
    Newest,
}

/// Finds the commit that somebody named. A branch that is only known of `origin` needs no `origin/` before its name.
///
/// # Errors
/// There is none, with the command that fetches it; or the name could mean several, which are named in full.
pub(super) fn named_commit(repository: &Repository, revision: &str) -> Result<CommitId, Error> {
    find(repository, revision, OfBranch::Here)
}

/// Finds the commit of a base. A branch is the one that `status` reads the receipts of, so that both judge by the same
/// policies.
///
/// # Errors
/// As [`named_commit`].
pub(super) fn base_commit(repository: &Repository, revision: &str) -> Result<CommitId, Error> {
    find(repository, revision, OfBranch::Newest)
}

fn find(repository: &Repository, revision: &str, of_branch: OfBranch) -> Result<CommitId, Error> {
    let (name, steps) = revision.split_at(revision.find(['~', '^', ':', '@', '{']).unwrap_or(revision.len()));
    if name.is_empty() || name == "HEAD" || is_whole_id(name) {
        return by_git(repository, revision);
    }
    let (full, commit) = match name.starts_with("refs/") {
        true => match repository.reference(name)? {
            Some(commit) => (name.to_owned(), commit),
            // Git would go on and look for a tag of this very name.
            None => return Err(Error::about(ErrorCode::UnknownRevision, name)),
        },
        false => match short(repository, name, of_branch)? {
            Some(found) => found,
            None => return by_git(repository, revision),
        },
    };
    match steps.chars().next() {
        None => Ok(commit),
        // What a branch was, or where it comes from, is asked of the branch.
        Some('@') => by_git(repository, &format!("{full}{steps}")),
        Some(_) => by_git(repository, &format!("{commit}{steps}")),
    }
}

/// What a short name means, with its full name; none where nothing has it.
fn short(repository: &Repository, name: &str, of_branch: OfBranch) -> Result<Option<(String, CommitId)>, Error> {
    let fetched = format!("refs/remotes/{name}");
    if name.starts_with(ORIGIN)
        && let Some(commit) = repository.reference(&fetched)?
    {
        return Ok(Some((fetched, commit)));
    }
    let (here, fetched) = (format!("refs/heads/{name}"), format!("refs/remotes/{ORIGIN}{name}"));
    let mut meanings = repository.meanings(name)?;
    // Nothing that merely has its name stands in for a branch that was not fetched.
    if name.starts_with(ORIGIN) && repository.has_origin() && !meanings.is_empty() {
        return Err(Error::about(
            ErrorCode::UnknownRevision,
            format!("{name} was not fetched, and {} is none", meanings[0].0),
        ));
    }
    let is_here = meanings.iter().any(|(full, _)| *full == here);
    let branch = match of_branch {
        OfBranch::Here if is_here => None,
        OfBranch::Here => repository.reference(&fetched)?.map(|commit| (fetched, commit)),
        OfBranch::Newest => match repository.authority(name)? {
            AuthorityCommit::Commit(commit) => Some((if is_here { here.clone() } else { fetched }, commit)),
            AuthorityCommit::Unborn | AuthorityCommit::Missing { .. } => None,
        },
    };
    if let Some(branch) = branch {
        // What git reads the name as is this branch, where that is here.
        meanings.retain(|(full, _)| *full != here);
        meanings.insert(0, branch);
    }
    let Some(first) = meanings.first().cloned() else { return Ok(None) };
    if meanings.iter().all(|(_, commit)| *commit == first.1) {
        return Ok(Some(first));
    }
    let names: Vec<&str> = meanings.iter().map(|(full, _)| full.as_str()).collect();
    Err(Error::about(ErrorCode::AmbiguousRevision, format!("{name} could be {}", names.join(" or "))))
}

/// The commit that git reads a revision as.
fn by_git(repository: &Repository, revision: &str) -> Result<CommitId, Error> {
    repository.revision(revision).map_err(|error| {
        let why = error.to_string();
        Error::about(Error::from(error).code, format!("{revision}: {why}"))
    })
}

/// Whether a name is the whole id of a commit, which is never the name of anything else.
fn is_whole_id(name: &str) -> bool {
    [40, 64].contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
