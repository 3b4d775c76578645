//! Who made the change: its commits, whose they are by the base's policies, and what each made of every file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::revisions::Revisions;
use super::tree::Trees;
use crate::app::{Error, identity_secret};
use crate::document::MAX_BYTES;
use crate::git::{self, Ancestry, BlobId, CommitId, Repository, Signature};
use crate::review::{ChangeCommit, Contributor, FileChange, Version};
use crate::vocabulary::{Id, Kind, PolicyActor, Record, TodoStatus};
use crate::workspace::{Workspace, read};

/// The commits of a change, and what they did.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The commits, each after its parents.
    pub commits: Vec<ChangeCommit>,
    /// The files that the change touches, by path.
    pub files: Vec<FileChange>,
}

impl Changes {
    pub(super) fn read(
        repository: &Repository,
        revisions: &Revisions,
        (trees, twice): (&Trees, &BTreeSet<String>),
        base: &Workspace,
    ) -> Result<Self, Error> {
        let all = repository.commits(revisions.head, &judged_already(repository, revisions, base)?)?;
        let line = Line::new(repository, revisions.base, &all)?;
        let mut numbers = BTreeMap::new();
        let mut commits = Vec::new();
        let mut number_of = |commit: &git::CommitInfo| -> Result<usize, Error> {
            Ok(match numbers.get(&commit.id) {
                Some(number) => *number,
                None => {
                    commits.push(contributed(repository, base, commit)?);
                    numbers.insert(commit.id, commits.len() - 1);
                    commits.len() - 1
                }
            })
        };
        for commit in &all {
            let refused = refused(base, &repository.message(commit.id)?);
            // A commit elsewhere in the repository is none of this change, but its message is as public.
            let is_merge = commit.parents.len() > 1;
            if !is_merge && line.touches(commit.id) || !refused.is_empty() {
                number_of(commit)?;
            }
        }
        let records = Reader { repository, trees, base };
        let mut files = Vec::new();
        for change in &trees.changed {
            let path: Arc<str> = Arc::from(change.path.as_str());
            let steps = line.versions(&change.path)?;
            let mut versions = Vec::new();
            for step in steps {
                let commit = step.commit.map(|commit| number_of(&all[commit])).transpose()?;
                let record = records.record(&path, step.blob)?;
                let Made { is_on_authority, parents, fork, .. } = step;
                versions.push(Version { commit, is_on_authority, record, parents, fork });
            }
            let is_of_both = trees.of_both.contains(&change.path);
            let start = records.record(&path, change.before)?;
            let held_by = held_by(repository, revisions, base, &records, &path, start.as_ref(), &versions)?;
            let is_given_twice = twice.contains(&*path);
            files.push(FileChange { start, path, versions, held_by, is_of_both, is_given_twice });
        }
        Ok(Self { commits, files })
    }
}

/// The commits whose history was judged when it came to be: the base's, and the authority ref's unless the change is on
/// that ref itself.
fn judged_already(repository: &Repository, revisions: &Revisions, base: &Workspace) -> Result<Vec<CommitId>, Error> {
    let name = base.settings.authority.reference.as_str();
    let mut judged = vec![revisions.base];
    if name != "HEAD"
        && let git::AuthorityCommit::Commit(authority) = repository.authority(name)?
        && repository.reaches(authority, revisions.head)? == Ancestry::No
    {
        judged.push(authority);
    }
    Ok(judged)
}

/// Reads records as the base's wall shows them.
struct Reader<'r> {
    repository: &'r Repository,
    trees: &'r Trees,
    base: &'r Workspace,
}

impl Reader<'_> {
    fn record(&self, path: &Arc<str>, blob: Option<BlobId>) -> Result<Option<Record>, Error> {
        let Some(blob) = blob.filter(|_| Kind::at(path).is_some()) else { return Ok(None) };
        let bytes = match self.trees.bytes.get(&blob) {
            Some(bytes) => bytes.clone(),
            None => self.repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default(),
        };
        Ok(read(path, &bytes, &self.base.wall).record)
    }
}

/// One version of a file: the number of its commit, if that is one of the change, and what it holds.
#[derive(Debug, Clone)]
struct Made {
    commit: Option<usize>,
    is_on_authority: bool,
    blob: Option<BlobId>,
    parents: Vec<usize>,
    fork: Option<usize>,
}

/// The commits of a change as a line in which each comes after its parents, with what each changes.
struct Line<'r> {
    repository: &'r Repository,
    base: CommitId,
    all: &'r [git::CommitInfo],
    /// What each commit has otherwise than its first parent.
    changed: HashMap<CommitId, HashMap<String, Option<BlobId>>>,
    /// Where the parents of merges parted.
    forks: HashMap<CommitId, Option<CommitId>>,
}

impl<'r> Line<'r> {
    fn new(repository: &'r Repository, base: CommitId, all: &'r [git::CommitInfo]) -> Result<Self, Error> {
        let mut line = Self { repository, base, all, changed: HashMap::new(), forks: HashMap::new() };
        for commit in all {
            let changed = match commit.parents.first() {
                Some(parent) => {
                    let differences = repository.compare(*parent, commit.id)?;
                    differences.into_iter().map(|one| (one.path, one.after)).collect()
                }
                None => {
                    let blobs = repository.list(commit.id, "")?.blobs;
                    blobs.into_iter().map(|(path, blob)| (path, Some(blob))).collect()
                }
            };
            line.changed.insert(commit.id, changed);
            if let [one, other, ..] = commit.parents[..] {
                // Without a common history nothing shows what either side changed.
                line.forks.insert(commit.id, repository.merge_base(one, other).ok().flatten());
            }
        }
        Ok(line)
    }

    /// Whether a commit changes anything of the state directory.
    fn touches(&self, commit: CommitId) -> bool {
        self.changed.get(&commit).is_some_and(|changed| !changed.is_empty())
    }

    /// The versions of a file, each after those of its parents. A commit that leaves the file as a parent has it, and a
    /// merge that takes what one side alone changed, makes none.
    fn versions(&self, path: &str) -> Result<Vec<Made>, Error> {
        let mut found: Vec<Made> = Vec::new();
        let mut of_commit: HashMap<CommitId, usize> = HashMap::new();
        for (number, commit) in self.all.iter().enumerate() {
            let mut parents = Vec::new();
            for parent in &commit.parents {
                parents.push(self.version_of(*parent, path, &mut found, &mut of_commit)?);
            }
            let own = self.changed.get(&commit.id).and_then(|changed| changed.get(path));
            let first = parents.first().map(|first| found[*first].blob);
            let blob = own.copied().or(first).flatten();
            let fork = match self.forks.get(&commit.id).copied().flatten() {
                Some(fork) => Some(self.version_of(fork, path, &mut found, &mut of_commit)?),
                None => None,
            };
            let taken = taken(&found, &parents, fork, blob);
            let version = taken.unwrap_or(found.len());
            if taken.is_none() {
                found.push(Made { commit: Some(number), is_on_authority: false, blob, parents, fork });
            }
            of_commit.insert(commit.id, version);
        }
        // The last one has to be what the change makes of the file.
        if let Some(last) = self.all.last().and_then(|head| of_commit.get(&head.id)).copied()
            && last + 1 != found.len()
        {
            found.push(Made { parents: vec![last], fork: None, ..found[last].clone() });
        }
        Ok(found)
    }

    /// The version that a commit has; of one that is no part of the change, what it holds.
    fn version_of(
        &self,
        commit: CommitId,
        path: &str,
        found: &mut Vec<Made>,
        of_commit: &mut HashMap<CommitId, usize>,
    ) -> Result<usize, Error> {
        if let Some(known) = of_commit.get(&commit) {
            return Ok(*known);
        }
        let blob = self.repository.file(commit, path)?;
        let is_on_authority = self.repository.reaches(self.base, commit)? == Ancestry::No;
        found.push(Made { commit: None, is_on_authority, blob, parents: Vec::new(), fork: None });
        of_commit.insert(commit, found.len() - 1);
        Ok(found.len() - 1)
    }
}

/// The version of a parent that a commit takes over as it is.
fn taken(found: &[Made], parents: &[usize], fork: Option<usize>, blob: Option<BlobId>) -> Option<usize> {
    let is_same = |version: &usize| found[*version].blob == blob;
    match (parents, fork) {
        ([only], _) => Some(*only).filter(is_same),
        ([], _) => None,
        (several, None) => several.iter().all(is_same).then(|| several[0]),
        (several, Some(fork)) => {
            let mut sides = several.iter().filter(|side| found[**side].blob != found[fork].blob);
            match sides.next() {
                None => Some(several[0]).filter(is_same),
                Some(side) => sides.chain([side]).all(is_same).then_some(*side),
            }
        }
    }
}

/// What the wall refuses in the message of a commit.
fn refused(base: &Workspace, message: &str) -> BTreeSet<&'static str> {
    base.wall.scan_text(message).iter().map(|hit| hit.rule.class.rule()).collect()
}

/// Whose commit it is, by the base's policies.
fn contributed(repository: &Repository, base: &Workspace, commit: &git::CommitInfo) -> Result<ChangeCommit, Error> {
    let message = repository.message(commit.id)?;
    let signature = repository.signature(commit);
    let is_other = !commit.committer_email.eq_ignore_ascii_case(&commit.author_email);
    let mut author = contributor(base, &commit.author_name, &commit.author_email);
    let mut committer = (is_other && !base.policies.is_service(&commit.committer_email))
        .then(|| contributor(base, &commit.committer_name, &commit.committer_email));
    let signers = signature.as_ref().map(|signature| actors(base.policies.actors_of_key(&signature.fingerprint)));
    // A key tells who committed, whatever address the commit carries.
    if let Some(signers) = signers.filter(|signers| !signers.is_empty()) {
        let signed = if is_other { &mut committer } else { &mut Some(std::mem::take(&mut author)) };
        if let Some(one) = signed.as_mut().filter(|one| one.actors.is_empty()) {
            one.actors.clone_from(&signers);
        }
        if !is_other {
            author = signed.take().unwrap_or_default();
        }
    }
    let signed_by = signature.map_or_else(Vec::new, |signature| signed_by(base, commit, &signature));
    let co_authors = trailers(&message).map(|(name, address)| contributor(base, name, address)).collect();
    let refused = refused(base, &message);
    Ok(ChangeCommit { short: commit.short.clone(), author, committer, co_authors, signed_by, refused })
}

/// The actors who signed a commit: those of the key, or the author, whose address the key is trusted for.
fn signed_by(base: &Workspace, commit: &git::CommitInfo, signature: &Signature) -> Vec<Id> {
    let by_key = base.policies.actors_of_key(&signature.fingerprint).map(|(id, _)| id.clone());
    let by_address = match signature.is_by(&commit.author_email) {
        true => contributor(base, "", &commit.author_email).actors,
        false => Vec::new(),
    };
    by_key.chain(by_address.into_iter().map(|(id, _)| id)).collect()
}

fn contributor(base: &Workspace, name: &str, address: &str) -> Contributor {
    let secret = identity_secret();
    let known = base.policies.actors_of(address, secret.as_deref());
    Contributor { name: name.to_owned(), actors: actors(known) }
}

fn actors<'p>(known: impl Iterator<Item = (&'p Id, &'p PolicyActor)>) -> Vec<(Id, crate::vocabulary::Classes)> {
    known.map(|(id, actor)| (id.clone(), actor.class.clone())).collect()
}

/// The names and addresses of the `Co-authored-by` lines of a message, wherever they stand.
fn trailers(message: &str) -> impl Iterator<Item = (&str, &str)> {
    const KEY: &str = "co-authored-by:";
    message.lines().filter_map(|line| {
        let line = line.trim();
        let named = line.get(..KEY.len()).filter(|key| key.eq_ignore_ascii_case(KEY)).map(|_| &line[KEY.len()..])?;
        let (name, address) = named.split_once('<')?;
        Some((name.trim(), address.split('>').next()?.trim()))
    })
}

/// Who held a todo up before the change: the actors of the commit that gave it the status that it had. Looked up only
/// where the change ends what was held up.
fn held_by(
    repository: &Repository,
    revisions: &Revisions,
    base: &Workspace,
    records: &Reader<'_>,
    path: &Arc<str>,
    start: Option<&Record>,
    versions: &[Version],
) -> Result<Vec<Id>, Error> {
    let held = |record: Option<&Record>| match record {
        Some(Record::Todo(todo)) => Some((todo.status, todo.resume_when.clone())),
        _ => None,
    };
    let was = held(start);
    let is_held = was.as_ref().is_some_and(|(status, resume_when)| {
        matches!(status, TodoStatus::Blocked | TodoStatus::Deferred) || resume_when.is_some()
    });
    if !is_held || held(versions.last().and_then(|last| last.record.as_ref())) == was {
        return Ok(Vec::new());
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let history = repository.history(revisions.start, folder, None)?;
    let of_path = history.changes.iter().rev().filter(|change| path.ends_with(change.path.as_str()));
    let mut holder = None;
    for change in of_path {
        if held(records.record(path, change.blob)?.as_ref()) != was {
            break;
        }
        holder = Some(change.commit);
    }
    // Where a shallow clone cuts the history, nobody can tell.
    let Some(holder) = holder.filter(|holder| !history.boundary.contains(holder)) else { return Ok(Vec::new()) };
    let commit = contributed(repository, base, &repository.commit(holder)?)?;
    Ok(commit.contributors().flat_map(|one| &one.actors).map(|(id, _)| id.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::trailers;

    #[test]
    fn trailers_are_found_in_any_case_and_anywhere() {
        let message = "Switch\n\nco-Authored-By: Codex <codex@noreply.example>\nCo-authored-by:Maya<m@noreply.example>\n\n\
                       See Co-authored-by: nobody <x@noreply.example>\nCo-authored-by: no address\n";
        let found: Vec<_> = trailers(message).collect();
        assert_eq!(found, [("Codex", "codex@noreply.example"), ("Maya", "m@noreply.example")]);
    }
}
