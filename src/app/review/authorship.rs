//! Who made the change: its commits, whose they are by the base's policies, and what each made of every file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::revisions::Revisions;
use super::tree::Trees;
use crate::app::{Error, identity_secret};
use crate::document::MAX_BYTES;
use crate::git::{self, BlobId, CommitId, Repository, Signature};
use crate::review::{ChangeCommit, Contributor, FileChange, Version, parent_with};
use crate::vocabulary::{Id, Kind, PolicyActor, Record, ResumeWhen, TodoStatus};
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
        // Only what the base reaches was judged already: any other ref of this clone may hold what nobody reviewed.
        let all = repository.commits(revisions.head, &[revisions.base])?;
        let line = Line::new(repository, &all)?;
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
                let Made { parents, forks, .. } = step;
                versions.push(Version { commit, record, parents, forks });
            }
            let is_of_both = trees.of_both.contains(&change.path);
            let start = records.record(&path, change.before)?;
            let now = versions.last().and_then(|last| last.record.as_ref());
            let held_by = Holding { repository, base, records: &records, path: &path }.ended(revisions.base, now)?;
            let is_given_twice = twice.contains(&*path);
            files.push(FileChange { start, path, versions, held_by, is_of_both, is_given_twice });
        }
        Ok(Self { commits, files })
    }
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
    blob: Option<BlobId>,
    parents: Vec<usize>,
    forks: Vec<Vec<usize>>,
}

/// The commits of a change as a line in which each comes after its parents, with what each changes.
struct Line<'r> {
    repository: &'r Repository,
    all: &'r [git::CommitInfo],
    /// What each commit has otherwise than its first parent.
    changed: HashMap<CommitId, HashMap<String, Option<BlobId>>>,
    /// The merge bases of each parent of a merge after the first with the first.
    forks: HashMap<CommitId, Vec<Vec<CommitId>>>,
}

impl<'r> Line<'r> {
    fn new(repository: &'r Repository, all: &'r [git::CommitInfo]) -> Result<Self, Error> {
        let mut line = Self { repository, all, changed: HashMap::new(), forks: HashMap::new() };
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
            if let [first, others @ ..] = commit.parents.as_slice() {
                // Without a common history nothing shows what either side changed.
                let bases = others.iter().map(|other| repository.merge_bases(*first, *other).unwrap_or_default());
                line.forks.insert(commit.id, bases.collect());
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
            let mut forks = Vec::new();
            for bases in self.forks.get(&commit.id).into_iter().flatten() {
                let versions = bases.iter().map(|base| self.version_of(*base, path, &mut found, &mut of_commit));
                forks.push(versions.collect::<Result<Vec<_>, Error>>()?);
            }
            let taken = taken(&found, &parents, &forks, blob);
            let version = taken.unwrap_or(found.len());
            if taken.is_none() {
                found.push(Made { commit: Some(number), blob, parents, forks });
            }
            of_commit.insert(commit.id, version);
        }
        // The last one has to be what the change makes of the file.
        if let Some(last) = self.all.last().and_then(|head| of_commit.get(&head.id)).copied()
            && last + 1 != found.len()
        {
            found.push(Made { parents: vec![last], forks: Vec::new(), ..found[last].clone() });
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
        found.push(Made { commit: None, blob, parents: Vec::new(), forks: Vec::new() });
        of_commit.insert(commit, found.len() - 1);
        Ok(found.len() - 1)
    }
}

/// The version of a parent that a commit takes over as it is.
fn taken(found: &[Made], parents: &[usize], forks: &[Vec<usize>], blob: Option<BlobId>) -> Option<usize> {
    let blobs = |versions: &[usize]| versions.iter().map(|version| found[*version].blob).collect::<Vec<_>>();
    let forks: Vec<Vec<Option<BlobId>>> = forks.iter().map(|bases| blobs(bases)).collect();
    parent_with(&blob, &blobs(parents), &forks, &|one, other| one == other).map(|parent| parents[parent])
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
    let co_authors = trailers(&message).iter().map(|(name, address)| contributor(base, name, address)).collect();
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

/// The names and addresses of the `Co-authored-by` lines of a message, wherever they stand. As git's own parser does it
/// takes blanks before the colon and values that go on in the next lines; of several addresses in brackets each is one.
fn trailers(message: &str) -> Vec<(String, String)> {
    const KEY: &str = "co-authored-by";
    let named = |line: &str| {
        let line = line.trim_start();
        let rest = line.get(..KEY.len()).filter(|key| key.eq_ignore_ascii_case(KEY)).map(|_| &line[KEY.len()..])?;
        rest.trim_start().strip_prefix(':').map(|value| value.trim().to_owned())
    };
    let mut found = Vec::new();
    let mut lines = message.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(mut value) = named(line) else { continue };
        while let Some(more) = lines.next_if(|line| line.starts_with([' ', '\t']) && named(line).is_none()) {
            value.push(' ');
            value.push_str(more.trim());
        }
        let name = value.split('<').next().unwrap_or_default().trim();
        let bracketed = value.split('<').skip(1).filter_map(|part| Some(part.split_once('>')?.0.trim()));
        let bare = value.split_whitespace().filter(|word| word.contains('@') && !word.contains(['<', '>']));
        found.extend(bracketed.chain(bare).map(|address| (name.to_owned(), address.to_owned())));
    }
    found
}

/// What holds a todo up: its status, and what it waits for. None: nothing does.
type Hold = (TodoStatus, Option<ResumeWhen>);

fn hold(record: Option<&Record>) -> Option<Hold> {
    let Some(Record::Todo(todo)) = record else { return None };
    let is_held = matches!(todo.status, TodoStatus::Blocked | TodoStatus::Deferred) || todo.resume_when.is_some();
    is_held.then(|| (todo.status, todo.resume_when.clone()))
}

/// Looks up who holds the todo of one file up.
struct Holding<'h> {
    repository: &'h Repository,
    base: &'h Workspace,
    records: &'h Reader<'h>,
    path: &'h Arc<str>,
}

impl Holding<'_> {
    /// The actors of the hold that stood at a commit and is otherwise now; nobody where none ended.
    fn ended(&self, commit: CommitId, now: Option<&Record>) -> Result<Vec<Id>, Error> {
        let blob = self.repository.file(commit, self.path)?;
        let Some(was) = self.hold(blob)? else { return Ok(Vec::new()) };
        if hold(now).as_ref() == Some(&was) {
            return Ok(Vec::new());
        }
        match self.holders(commit, blob, was) {
            // Where a shallow clone cuts the history, nobody can tell.
            Err(_) if self.repository.is_shallow()? => Ok(Vec::new()),
            holders => holders,
        }
    }

    fn hold(&self, blob: Option<BlobId>) -> Result<Option<Hold>, Error> {
        Ok(hold(self.records.record(self.path, blob)?.as_ref()))
    }

    /// The actors who had a part in every commit that began a hold or gave it another form: what one person began stays
    /// that person's while it lasts.
    fn holders(&self, commit: CommitId, blob: Option<BlobId>, was: Hold) -> Result<Vec<Id>, Error> {
        let mut holders: Option<Vec<Id>> = None;
        let mut seen = BTreeSet::from([commit]);
        let mut waiting = vec![(commit, blob, was)];
        while let Some((commit, blob, was)) = waiting.pop() {
            let mut is_inherited = false;
            for parent in self.repository.parents(commit)? {
                let older = self.repository.file(parent, self.path)?;
                let Some(hold) = (if older == blob { Some(was.clone()) } else { self.hold(older)? }) else { continue };
                is_inherited |= hold == was;
                if seen.insert(parent) {
                    waiting.push((parent, older, hold));
                }
            }
            if !is_inherited {
                let made = contributed(self.repository, self.base, &self.repository.commit(commit)?)?;
                let actors: BTreeSet<&Id> = made.contributors().flat_map(|one| &one.actors).map(|(id, _)| id).collect();
                holders = Some(match holders {
                    None => actors.into_iter().cloned().collect(),
                    Some(known) => known.into_iter().filter(|id| actors.contains(id)).collect(),
                });
            }
        }
        Ok(holders.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::trailers;

    #[test]
    fn trailers_are_found_in_any_case_and_anywhere() {
        let message = "Switch\n\nco-Authored-By: Codex <codex@noreply.example>\nCo-authored-by:Maya<m@noreply.example>\n\n\
                       See Co-authored-by: nobody <x@noreply.example>\nCo-authored-by: no address\n";
        let found = trailers(message);
        let found: Vec<_> = found.iter().map(|(name, address)| (name.as_str(), address.as_str())).collect();
        assert_eq!(found, [("Codex", "codex@noreply.example"), ("Maya", "m@noreply.example")]);
    }

    #[test]
    fn trailers_are_read_as_git_reads_them() {
        for (message, known) in [
            ("x\n\nCo-authored-by : codex <c@noreply.example>\n", true),
            ("x\n\nCo-authored-by\t:\tcodex <c@noreply.example>\n", true),
            ("x\n\nCo-authored-by: codex\n <c@noreply.example>\n", true),
            ("x\r\n\r\nCo-authored-by:\r\n\tcodex\r\n\t<c@noreply.example>\r\n", true),
            ("x\n\nCo-authored-by: \"codex <x>\" <c@noreply.example>\n", true),
            ("x\n\nCo-authored-by: codex <c@noreply.example> <x>\n", true),
            ("x\n\nCo-authored-by: c@noreply.example\n", true),
            ("x\n\nCo-authored-by: one <o@noreply.example>\n Co-authored-by: codex <c@noreply.example>\n", true),
            ("x\n\n> Co-authored-by: codex <c@noreply.example>\n", false),
            ("x\n\nCo-authored-by-nobody: codex <c@noreply.example>\n", false),
            ("x\n\nCo-authored-by: codex\n\n<c@noreply.example>\n", false),
        ] {
            let is_known = trailers(message).iter().any(|(_, address)| address == "c@noreply.example");
            assert_eq!(is_known, known, "{message:?}");
        }
    }
}
