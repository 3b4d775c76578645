//! Records decisions: writes the receipts that they lack beside the change, or commits them where they count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use super::checkout::CheckedOut;
use super::error::{Error, ErrorCode};
use super::plan::{PATIENCE, Planned, ReconciledDirectory};
use super::recording::Recording;
use super::world::world;
use crate::document::{MAX_BYTES, to_yaml};
use crate::git::{CommitId, Repository};
use crate::privacy::{Text, Wall};
use crate::reconcile::{AuthorityState, Plan, acts_ahead};
use crate::render::{RecordView, RecordingRoute, deed, outputs, writing};
use crate::rules::open_under;
use crate::store::{CommitMessage, CommitMethod, CommitRequest, Durability, Store, Wanted, WrittenFiles};
use crate::vocabulary::receipts::agree;
use crate::vocabulary::{CommitVia, Instant, Receipt, Record, Storage, counted};
use crate::workspace::{Emitted, Files, Folder, MemoryFiles};

/// The longest subject of a commit, in columns.
const SUBJECT: usize = 72;

/// Stands for the decisions that do not fit in a subject.
const MORE: &str = ", ...";

/// The receipts that stand beside a change.
#[derive(Debug)]
pub struct PendingReceipts {
    /// The state directory.
    pub state: ReconciledDirectory,
    /// How the receipts come to count.
    pub way: RecordingRoute,
    /// The receipts that were written, or would be.
    pub written: Vec<Receipt>,
    /// Receipts that were there already and do not count yet.
    pub kept: Vec<Receipt>,
}

impl PendingReceipts {
    /// What was written, or would be, in words for people.
    #[must_use]
    pub fn said(&self, is_dry: bool) -> String {
        let wall = &self.state.workspace.wall;
        writing(&RecordView { written: &self.written, kept: self.kept.len(), way: &self.way, is_dry, wall })
    }
}

/// Writes the receipts that decisions lack into the work tree; a dry run only says which.
///
/// # Errors
/// As [`ReconciledDirectory::read`], another receipt of the same decision stands there, or the files cannot be written.
pub fn record(place: &Path, as_of: Instant, dry_run: bool) -> Result<PendingReceipts, Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let store = match dry_run {
        true => None,
        false => Some(Store::open(&root, repository.clone(), PATIENCE)?),
    };
    let state = ReconciledDirectory::of(root, repository.as_ref(), as_of)?;
    refuse_acts_ahead(&state)?;
    let recording = Recording::of(&state, repository.as_ref())?;
    let receipts = state.plan.unrecorded.clone();
    let files = files(&state, &receipts)?;
    if let Some(store) = store {
        store.write(&files, &|_, _| false, Durability::Kept)?;
    }
    let is_new = |receipt: &Receipt| state.standing(receipt).is_none();
    let (written, kept) = receipts.into_iter().partition(is_new);
    Ok(PendingReceipts { written, kept, way: recording.way, state })
}

/// Writes the receipts that decisions lack, as [`record`], where they could ever count; nothing elsewhere, and nothing
/// where one of them is disputed, which is a finding of its own.
///
/// # Errors
/// As [`record`].
pub fn mend_receipts(place: &Path, as_of: Instant, dry_run: bool) -> Result<Option<PendingReceipts>, Error> {
    let missing = match record(place, as_of, true) {
        Err(error) if error.code == ErrorCode::ReceiptConflict => return Ok(None),
        missing => missing?,
    };
    if missing.written.is_empty() || missing.way == RecordingRoute::Nowhere {
        return Ok(None);
    }
    if dry_run { Ok(Some(missing)) } else { record(place, as_of, false).map(Some) }
}

/// Commits the receipts that decisions lack, and writes the outputs that follow once they count.
///
/// # Errors
/// As [`record`], and where nothing could count: no git, no commit, no authority ref, or another branch checked out.
pub fn commit(place: &Path, as_of: Instant, allow_detached: bool) -> Result<(Planned, WrittenFiles), Error> {
    commit_within(place, as_of, allow_detached, PATIENCE)
}

/// The same, waiting no longer than `wait` for any lock.
pub(super) fn commit_within(
    place: &Path,
    as_of: Instant,
    allow_detached: bool,
    wait: Duration,
) -> Result<(Planned, WrittenFiles), Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?.ok_or(Error::of(ErrorCode::NoGit))?;
    let store = Store::open(&root, Some(repository.clone()), wait)?;
    let state = ReconciledDirectory::of(root, Some(&repository), as_of)?;
    let head = head(&state, &repository)?;
    refuse_acts_ahead(&state)?;
    let recording = Recording::of(&state, Some(&repository))?;
    let branch = branch(&recording.way)?;
    let receipts = files(&state, &recording.receipts)?;
    let before = state.plan.clone();
    let plan = state.once_recorded(&recording.receipts);
    let planned = Planned { recording, ..Planned::of(ReconciledDirectory { plan, ..state }) };
    let settings = &planned.state.workspace.settings;
    let mut change = receipts.clone();
    if settings.outputs == Storage::Committed {
        let plan = committed_plan(&planned, &repository, head)?;
        if settings.commit.via == CommitVia::Git && outputs(&plan) != outputs(&planned.state.plan) {
            let why = "`commit.via: git` takes the outputs of the work tree, and documents here are not committed yet: git commit";
            return Err(Error::about(ErrorCode::Refused, why));
        }
        change.extend(emitted(&planned.state.root, &plan, &repository, head)?);
    }
    let via = match settings.commit.via {
        CommitVia::Gix => CommitMethod::Gix,
        CommitVia::Git => CommitMethod::Git,
    };
    let message = message(&planned.recording.receipts, &planned.state.workspace.wall)?;
    let time = as_of.timestamp();
    let request =
        CommitRequest { files: &change, message: &message, time, via, branch: branch.as_deref(), allow_detached };
    store.check(&request)?;
    store.write(&receipts, &|_, _| false, Durability::Kept)?;
    let (mut planned, written, made) = publish(&store, &request, planned, before)?;
    planned.recording.commit = made.map(|made| repository.commit(made)).transpose()?;
    Ok((planned, written))
}

/// Refuses to record anything while an act is dated ahead: nobody could take it back before it counts (law 11).
fn refuse_acts_ahead(state: &ReconciledDirectory) -> Result<(), Error> {
    let ahead = acts_ahead(&world(&state.workspace, &state.records), state.as_of);
    let Some(act) = ahead.first() else { return Ok(()) };
    let (kind, field, now) = (act.kind.row().name, act.act, state.as_of);
    Err(Error::about(
        ErrorCode::Refused,
        format!("`{field}` of {kind} {} is dated ahead, {}; date it now: `at: {now}`", act.id, act.at),
    ))
}

/// The commit that is checked out where something can be recorded.
fn head(state: &ReconciledDirectory, repository: &Repository) -> Result<CommitId, Error> {
    match &state.records.authority {
        AuthorityState::Read => repository.head()?.commit().ok_or(Error::of(ErrorCode::NoCommit)),
        AuthorityState::NoGit => Err(Error::of(ErrorCode::NoCommit)),
        AuthorityState::RefMissing { .. } if repository.head()?.commit().is_none() => {
            Err(Error::of(ErrorCode::NoCommit))
        }
        AuthorityState::RefMissing { reference, fetch } => {
            Err(Error::about(ErrorCode::AuthorityMissing, format!("{reference}; `{fetch}` brings it")))
        }
    }
}

/// The branch that a commit goes to; none when no branch is checked out.
fn branch(way: &RecordingRoute) -> Result<Option<String>, Error> {
    match way {
        RecordingRoute::Commit { branch } => Ok(branch.clone()),
        RecordingRoute::Merge { authority, branch } => {
            Err(Error::about(ErrorCode::NotAuthorityBranch, format!("{authority}, and {branch} is checked out")))
        }
        RecordingRoute::Nowhere => Err(Error::of(ErrorCode::NoCommit)),
    }
}

/// The files of receipts. One in the work tree that says the same stays as it is; one that does not is never replaced.
pub(super) fn files(state: &ReconciledDirectory, receipts: &[Receipt]) -> Result<BTreeMap<String, Wanted>, Error> {
    let folder = Folder::of(&state.root, Vec::new());
    let mut files = BTreeMap::new();
    for receipt in receipts {
        let path = receipt.path();
        let bytes = match state.standing(receipt) {
            None => to_yaml(receipt).into_bytes(),
            Some(entry) => match &entry.record {
                Some(Record::Receipt(found)) if *entry.path == *path && agree(found, receipt) => {
                    folder.read(&path).map_err(|fault| Error::about(ErrorCode::CannotRead, fault.reason))?
                }
                _ => return Err(Error::about(ErrorCode::ReceiptConflict, &entry.path)),
            },
        };
        files.insert(path, Wanted::Content(bytes));
    }
    Ok(files)
}

/// What follows from the documents that the commit holds: nothing that only the work tree says is published with it.
/// Facts are what hosts report here, whether git holds them or not.
fn committed_plan(planned: &Planned, repository: &Repository, head: CommitId) -> Result<Plan, Error> {
    let state = &planned.state;
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for folder in ["goals", "hosts", "policies"] {
        let below = repository.tree_files(head, folder, MAX_BYTES as u64)?.bytes;
        files.extend(below.into_iter().map(|(path, bytes)| (format!("{folder}/{path}"), bytes)));
    }
    if let Some(blob) = repository.file(head, "loopx.yaml")? {
        files.insert("loopx.yaml".to_owned(), repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default());
    }
    let disk = CheckedOut::open(&state.root, Some(repository))?;
    for path in disk.list().iter().filter(|path| path.starts_with("facts/")) {
        files.extend(disk.read(path).ok().map(|bytes| (path.clone(), bytes)));
    }
    let files = MemoryFiles::new(files).identified_by(Some(repository.identify()));
    let workspace = open_under(&files, state.records.judge(), state.as_of);
    let mut records = state.records.clone();
    records.join(Some(repository), &workspace, None, state.as_of)?;
    let committed = ReconciledDirectory::with(state.root.clone(), workspace, records, None, state.as_of);
    Ok(committed.once_recorded(&planned.recording.receipts))
}

/// Every output as it shall be committed; what was derived once and is no longer, shall not be there.
fn emitted(
    root: &Path,
    plan: &Plan,
    repository: &Repository,
    head: CommitId,
) -> Result<BTreeMap<String, Wanted>, Error> {
    let derived = outputs(plan);
    let standing = Emitted::open(root);
    let mut files = BTreeMap::new();
    for folder in Emitted::FOLDERS {
        for (below, blob) in repository.list(head, folder)?.blobs {
            let path = format!("{folder}/{below}");
            let is_own = |bytes: Vec<u8>| Emitted::is_own(&path, &bytes);
            if !derived.contains_key(&path)
                && standing.read(&path).is_none_or(is_own)
                && repository.blob(blob, MAX_BYTES as u64)?.is_some_and(is_own)
            {
                files.insert(path, Wanted::Absent);
            }
        }
    }
    files.extend(derived.into_iter().map(|(path, bytes)| (path, Wanted::Content(bytes))));
    Ok(files)
}

/// Commits, then writes the outputs: at no moment do they claim what is not recorded. Only `git commit` takes what the
/// work tree holds; there the outputs come first, and are put back when it refuses.
fn publish(
    store: &Store,
    request: &CommitRequest<'_>,
    planned: Planned,
    before: Plan,
) -> Result<(Planned, WrittenFiles, Option<CommitId>), Error> {
    let takes_work_tree =
        request.via == CommitMethod::Git && planned.state.workspace.settings.outputs == Storage::Committed;
    let early = if takes_work_tree { Some(planned.write(store)?) } else { None };
    let made = match request.files.is_empty() {
        true => Ok(None),
        false => store.commit(request, &Emitted::is_own),
    };
    match (made, early) {
        (Ok(made), Some(written)) => Ok((planned, written, made)),
        (Ok(made), None) => {
            let written = planned.write(store)?;
            Ok((planned, written, made))
        }
        (Err(error), None) => Err(error.into()),
        (Err(error), Some(_)) => {
            Planned::of(ReconciledDirectory { plan: before, ..planned.state }).write(store)?;
            Err(error.into())
        }
    }
}

/// The message of a commit that records these receipts, or only brings the outputs up to date.
fn message(receipts: &[Receipt], wall: &Wall) -> Result<CommitMessage, Error> {
    let deeds: Vec<Text> = receipts.iter().map(|receipt| deed(receipt, wall)).collect();
    let goals: BTreeSet<&str> = receipts.iter().map(|receipt| receipt.goal_id.as_str()).collect();
    let runs = receipts.iter().map(|receipt| ("Loopx-Receipt", wall.text(&receipt.run_id)));
    let goals = goals.into_iter().map(|goal| ("Loopx-Goal", wall.text(goal)));
    let trailers: Vec<(&str, Text)> = runs.chain(goals).collect();
    let trailers: Vec<(&str, &str)> = trailers.iter().map(|(key, value)| (*key, value.as_ref())).collect();
    Ok(CommitMessage::new(&subject(&deeds), &trailers)?)
}

/// One line that a reviewer understands: how many decisions, and as many of them as fit.
fn subject(deeds: &[Text]) -> String {
    let count = match deeds.len() {
        0 => return "loopx: bring the outputs up to date".to_owned(),
        number => format!("loopx: record {}", counted(number, "decision")),
    };
    let mut list = String::new();
    for (number, deed) in (1..).zip(deeds) {
        let comma = if list.is_empty() { "" } else { ", " };
        let rest = if number == deeds.len() { "" } else { MORE };
        let width =
            [&count, " (", &list, comma, deed.as_ref(), rest, ")"].map(|part| part.chars().count()).iter().sum();
        if SUBJECT < width {
            list.push_str(if list.is_empty() { "" } else { MORE });
            break;
        }
        list.extend([comma, deed.as_ref()]);
    }
    if list.is_empty() { count } else { format!("{count} ({list})") }
}

#[cfg(test)]
mod tests {
    use super::{SUBJECT, subject};
    use crate::privacy::{Text, Wall};

    #[test]
    fn a_subject_names_as_many_decisions_as_fit() {
        let deeds: Vec<Text> = ["gate a-1 approved", "gate b-2 rejected", "reward c-3 positive"]
            .map(|deed| Wall::shipped().text(deed))
            .into();
        assert_eq!(subject(&deeds[..1]), "loopx: record 1 decision (gate a-1 approved)");
        assert_eq!(subject(&deeds[..2]), "loopx: record 2 decisions (gate a-1 approved, gate b-2 rejected)");
        let all = subject(&deeds);
        assert_eq!(all, "loopx: record 3 decisions (gate a-1 approved, gate b-2 rejected, ...)");
        assert!(all.chars().count() <= SUBJECT);
        let long = [Wall::shipped().text(format!("gate {} approved", "long-".repeat(20)))];
        assert_eq!(subject(&long), "loopx: record 1 decision");
        assert_eq!(subject(&[]), "loopx: bring the outputs up to date");
    }
}
