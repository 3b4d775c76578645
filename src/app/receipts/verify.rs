//! Whether every receipt is what it was when it was first committed (`loopx receipts verify`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::trail::{CommittedContent, PathHistory, ReceiptOrigin, ReceiptReader, is_document, trails};
use super::{FOLDER, event};
use crate::app::error::{Error, ErrorCode};
use crate::app::names::named_commit;
use crate::app::plan::ReconciledDirectory;
use crate::git::{Ancestry, BlobId, ChangeKind, CommitId, CommitInfo, Repository, Skipped, quoted};
use crate::privacy::{Text, Wall};
use crate::render::{HistoryCut, Restored, Tampering, Verification, VerificationEvent, deed, differences};
use crate::rules::Rule;
use crate::rules::receipt::{DELETED, EDITED, INVENTED, MISNAMED, RENAMED, UNPINNED, UNREADABLE};
use crate::vocabulary::{Effect, Instant};
use crate::workspace::{MARK, display_prefix};

/// Looks at every receipt in the history of what is checked out, from `since` on when a commit is trusted.
///
/// # Errors
/// There is no history, the trusted commit is not here, or git cannot be read.
pub fn verify(place: &Path, since: Option<&str>, as_of: Instant) -> Result<Verification, Error> {
    let root = crate::app::state_directory(place)?;
    let repository = Repository::discover(&root)?.ok_or(Error::of(ErrorCode::NoGit))?;
    let state = ReconciledDirectory::of(root, Some(&repository), as_of)?;
    let tip = repository.head()?.commit().ok_or(Error::of(ErrorCode::NoCommit))?;
    let look = ReceiptReader { repository: &repository, workspace: &state.workspace };
    let shown = display_prefix(place, &state.root);
    let mut verifying =
        Verifying { look, shown: &shown, commits: BTreeMap::new(), standing: BTreeMap::new(), now: BTreeSet::new() };
    let mut verification = Verification::new(verifying.short(tip)?, state.plan.unrecorded.len());
    let since = since.map(|revision| named_commit(&repository, revision)).transpose()?;
    if let Some(since) = since {
        verification.since = Some(verifying.short(since)?);
        match repository.reaches(tip, since)? {
            Ancestry::Yes => {}
            Ancestry::Unknown => {
                let fetch = repository.fetch_history()?;
                return Err(Error::about(ErrorCode::HistoryCut, format!("`{fetch}` brings the rest")));
            }
            Ancestry::No => {
                verification.faults.push(verifying.unpinned(since)?);
                return Ok(verification);
            }
        }
    }
    verifying.run(tip, since, &mut verification)?;
    Ok(verification)
}

/// One look at all receipts.
struct Verifying<'a> {
    look: ReceiptReader<'a>,
    /// The way from the working directory to the state directory.
    shown: &'a str,
    /// Commits that were read.
    commits: BTreeMap<CommitId, CommitInfo>,
    /// Where each content stands now.
    standing: BTreeMap<BlobId, String>,
    /// What stands now.
    now: BTreeSet<String>,
}

impl<'a> Verifying<'a> {
    fn run(&mut self, tip: CommitId, since: Option<CommitId>, verification: &mut Verification) -> Result<(), Error> {
        let repository = self.look.repository;
        let history = repository.history(tip, FOLDER, since)?;
        let now = repository.list(tip, FOLDER)?;
        let begins: Vec<CommitId> = since.into_iter().chain(history.boundary.iter().copied()).collect();
        let before = begins.iter().map(|commit| Ok((*commit, repository.list(*commit, FOLDER)?)));
        let before = before.collect::<Result<Vec<_>, Error>>()?;
        let trails = trails(&history, &now, &before);
        let standing = || trails.iter().filter_map(|(path, trail)| Some((trail.now?, path.clone())));
        self.standing = standing().collect();
        self.now = standing().map(|(_, path)| path).collect();
        let mut moved = BTreeSet::new();
        let mut origins = Vec::new();
        for (path, trail) in &trails {
            match self.judge(path, trail)? {
                PathVerdict::Nothing => {}
                PathVerdict::Good(origin) => {
                    verification.restored.extend(self.restored(path, trail, &origin)?);
                    origins.push(origin);
                }
                PathVerdict::Bad(fault) => verification.faults.push(fault),
                PathVerdict::Moved(to, fault) => {
                    moved.insert(self.path(&to));
                    verification.faults.push(fault);
                }
            }
        }
        // Where a moved receipt stands now is part of that fault.
        verification.faults.retain(|fault| fault.rule != MISNAMED.id || !moved.contains(&fault.path));
        verification.faults.extend(now.skipped.iter().map(|skipped| self.strange(skipped)));
        verification.good = origins.len();
        // Each fault is one receipt, also where it is gone.
        verification.receipts = verification.good + verification.faults.len();
        verification.by_host = origins.iter().filter(|origin| origin.by_host).count();
        let is_unproved = |origin: &&ReceiptOrigin| history.boundary.contains(&origin.commit);
        if !history.boundary.is_empty() {
            let unproved = origins.iter().filter(is_unproved).count();
            let fetch = self.wall().text(repository.fetch_history()?.to_string());
            verification.cut = Some(HistoryCut { unproved, fetch });
        }
        let commits: BTreeSet<CommitId> = origins.iter().map(|origin| origin.commit).collect();
        // Of a shallow clone nothing is proved, and what its first commits build on is not here.
        if since.is_none() && history.boundary.is_empty() {
            verification.moved = self.moved(&commits)?;
        }
        let times = commits.iter().map(|commit| self.commit(*commit).map(|commit| commit.time));
        let times = times.collect::<Result<Vec<_>, Error>>()?;
        verification.commits = times.len();
        verification.span = times.iter().min().copied().zip(times.iter().max().copied());
        Ok(())
    }

    fn judge(&mut self, path: &str, trail: &PathHistory<'_>) -> Result<PathVerdict, Error> {
        let origins = self.look.origins(path, trail)?;
        match (origins.first(), trail.now) {
            (None, None) => Ok(PathVerdict::Nothing),
            (None, Some(blob)) => self.unsound(path, trail, blob),
            (Some(first), Some(blob)) => match origins.iter().find(|origin| origin.blob == blob) {
                Some(origin) => self.unchanged(path, trail, *origin),
                None => self.edited(path, trail, first, blob).map(PathVerdict::Bad),
            },
            (Some(first), None) => self.gone(path, trail, first),
        }
    }

    /// A file that is what it was. Where the look begins at a trusted commit nobody has looked yet whether it is a
    /// receipt in its place.
    fn unchanged(&mut self, path: &str, trail: &PathHistory<'_>, origin: ReceiptOrigin) -> Result<PathVerdict, Error> {
        let Some((commit, blob)) = trail.before else { return Ok(PathVerdict::Good(origin)) };
        let receipt = self.look.receipt(path, &self.look.bytes(blob)?);
        let (rule, message) = match receipt {
            Some(receipt) if receipt.belongs_at(path) => return Ok(PathVerdict::Good(origin)),
            Some(receipt) => (MISNAMED, format!("{} belongs at {}", stem(path), receipt.effect_path())),
            None if !is_document(path) => return Ok(PathVerdict::Nothing),
            None => (UNREADABLE, format!("{} is no receipt", stem(path))),
        };
        let trusted = self.event("there in", commit, "")?;
        let mend = format!("git rm {}", quoted(&self.name(path)));
        Ok(PathVerdict::Bad(self.fault(&rule, message, self.path(path), vec![trusted], None, mend)))
    }

    /// What was done to a receipt that is what it was first again: the last change that made something else of it.
    fn restored(
        &mut self,
        path: &str,
        trail: &PathHistory<'_>,
        origin: &ReceiptOrigin,
    ) -> Result<Option<Restored>, Error> {
        let firsts = self.look.origins(path, trail)?;
        for change in trail.changes.iter().rev() {
            let is_first = change.blob.is_some_and(|blob| firsts.iter().any(|first| first.blob == blob));
            if is_first || trail.before.is_none() && !self.follows(change.commit, origin.commit)? {
                continue;
            }
            let what = if change.blob.is_none() { "removed in" } else { "changed in" };
            let event = self.event(what, change.commit, "")?;
            return Ok(Some(Restored { path: self.path(path), event }));
        }
        Ok(None)
    }

    fn follows(&self, commit: CommitId, origin: CommitId) -> Result<bool, Error> {
        Ok(commit != origin && self.look.repository.reaches(commit, origin)? == Ancestry::Yes)
    }

    /// The commit that moved the state directory to where it stands, when one of those that first held a receipt did:
    /// what became of receipts at the old place was not read.
    fn moved(&mut self, commits: &BTreeSet<CommitId>) -> Result<Option<Text>, Error> {
        let repository = self.look.repository;
        for commit in commits {
            for parent in repository.parents(*commit)? {
                let was_elsewhere = repository.file(parent, MARK)?.is_none()
                    && !repository.at_top().list_named(parent, "", &|name| name == MARK.as_bytes())?.blobs.is_empty();
                if was_elsewhere {
                    return self.short(*commit).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Something that was no sound receipt from the beginning.
    fn unsound(&mut self, path: &str, trail: &PathHistory<'_>, blob: BlobId) -> Result<PathVerdict, Error> {
        let Some(change) = trail.changes.iter().rfind(|change| change.blob == Some(blob)) else {
            return Ok(PathVerdict::Nothing);
        };
        let shown = self.path(path);
        let remove = format!("git rm {}", quoted(&self.name(path)));
        let (rule, message, detail, mend) = match self.look.content(path, change.commit, blob)? {
            CommittedContent::Sound { .. } => return Ok(PathVerdict::Nothing),
            CommittedContent::Unreadable if !is_document(path) => return Ok(PathVerdict::Nothing),
            CommittedContent::Unreadable => {
                (UNREADABLE, format!("{} is no receipt", stem(path)), String::new(), remove)
            }
            CommittedContent::Invented(receipt) => {
                let told = deed(&receipt, self.wall());
                let message = format!("{} records what its commit does not hold", stem(path));
                (INVENTED, message, format!("{told} by {}", receipt.actor_class), remove)
            }
            CommittedContent::Misnamed(receipt) => {
                let own = receipt.effect_path();
                let is_only_moved = receipt.path() == own && !self.stands(&own);
                let back = format!("git mv {} {}", quoted(&self.name(path)), quoted(&self.name(&own)));
                let message = format!("{} belongs at {own}", stem(path));
                (MISNAMED, message, deed(&receipt, self.wall()).to_string(), if is_only_moved { back } else { remove })
            }
        };
        let added = self.event("added in", change.commit, detail)?;
        let now = Some(Text::fixed("it records nothing, and what it names is closed as conflicting_decisions"));
        Ok(PathVerdict::Bad(self.fault(&rule, message, shown, vec![added], now, mend)))
    }

    fn edited(
        &mut self,
        path: &str,
        trail: &PathHistory<'_>,
        first: &ReceiptOrigin,
        blob: BlobId,
    ) -> Result<Tampering, Error> {
        let (old, new) = (self.look.bytes(first.blob)?, self.look.bytes(blob)?);
        let mut events = vec![self.first(path, trail, first)?];
        if let Some(change) = trail.changes.iter().rfind(|change| change.blob == Some(blob)) {
            events.push(self.event("changed in", change.commit, differences(&old, &new))?);
        }
        let message = format!("{} is not what was first committed", stem(path));
        let now = self.stays_closed(path, &old, "conflicting_decisions");
        let mend = self.restore(path, first)?;
        let line = first_difference(&old, &new);
        Ok(Tampering { line: Some(line), ..self.fault(&EDITED, message, self.path(path), events, now, mend) })
    }

    fn gone(&mut self, path: &str, trail: &PathHistory<'_>, first: &ReceiptOrigin) -> Result<PathVerdict, Error> {
        let old = self.look.bytes(first.blob)?;
        let mut events = vec![self.first(path, trail, first)?];
        let to = self.standing.get(&first.blob).cloned();
        let what = if to.is_some() { "moved in" } else { "removed in" };
        if let Some(change) = trail.changes.iter().rfind(|change| change.kind == ChangeKind::Removed) {
            events.push(self.event(what, change.commit, to.as_deref().unwrap_or_default())?);
        }
        let Some(to) = to else {
            let now = self.stays_closed(path, &old, "decision_not_recorded");
            let message = format!("{} was committed and is gone", stem(path));
            let mend = self.restore(path, first)?;
            return Ok(PathVerdict::Bad(self.fault(&DELETED, message, self.path(path), events, now, mend)));
        };
        let now = self.stays_closed(path, &old, "conflicting_decisions");
        let mend = format!("git mv {} {}", quoted(&self.name(&to)), quoted(&self.name(path)));
        let message = format!("{} was moved away from its name", stem(path));
        let fault = self.fault(&RENAMED, message, self.path(path), events, now, mend);
        Ok(PathVerdict::Moved(to, fault))
    }

    /// Something that is no file at all.
    fn strange(&self, skipped: &Skipped) -> Tampering {
        let name = match skipped {
            Skipped::Name(name)
            | Skipped::Link(name)
            | Skipped::Submodule(name)
            | Skipped::Depth(name)
            | Skipped::Size(name) => name,
        };
        let path = format!("{FOLDER}/{name}");
        let mend = format!("git rm {}", quoted(&self.name(&path)));
        let message = format!("{} is no file that a receipt could be", stem(&path));
        self.fault(&UNREADABLE, message, self.path(&path), Vec::new(), None, mend)
    }

    fn unpinned(&mut self, since: CommitId) -> Result<Tampering, Error> {
        let trusted = self.event("trusted", since, "")?;
        let message = "the trusted commit is not part of this history, which was rewritten since".to_owned();
        let mend = "git reflog, or a clone that still has the history that holds it".to_owned();
        Ok(self.fault(&UNPINNED, message, self.path(FOLDER), vec![trusted], None, mend))
    }

    /// Where a receipt comes from.
    fn first(
        &mut self,
        path: &str,
        trail: &PathHistory<'_>,
        first: &ReceiptOrigin,
    ) -> Result<VerificationEvent, Error> {
        let told = self.look.receipt(path, &self.look.bytes(first.blob)?);
        let told = told.map(|receipt| format!("{} by {}", deed(&receipt, self.wall()), receipt.actor_class));
        let what = if trail.before.is_some() { "still whole in" } else { "first committed" };
        self.event(what, first.commit, told.unwrap_or_default())
    }

    /// What the damage means for the decision.
    fn stays_closed(&self, path: &str, old: &[u8], reason: &str) -> Option<Text> {
        let receipt = self.look.receipt(path, old)?;
        let (_, id) = Effect::read(receipt.effect_key.as_str())?.document()?;
        Some(self.wall().text(format!("{id} is {reason} and stays closed")))
    }

    fn restore(&mut self, path: &str, first: &ReceiptOrigin) -> Result<String, Error> {
        let short = self.commit(first.commit)?.short.clone();
        Ok(format!("git checkout {short} -- {}", quoted(&self.name(path))))
    }

    fn fault(
        &self,
        rule: &Rule,
        message: String,
        path: Text,
        events: Vec<VerificationEvent>,
        now: Option<Text>,
        mend: String,
    ) -> Tampering {
        let wall = self.wall();
        Tampering { rule: rule.id, message: wall.text(message), path, line: None, events, now, mend: wall.text(mend) }
    }

    fn event(
        &mut self,
        what: &'static str,
        commit: CommitId,
        detail: impl AsRef<str>,
    ) -> Result<VerificationEvent, Error> {
        let workspace = self.look.workspace;
        Ok(event(workspace, what, self.commit(commit)?, detail))
    }

    fn short(&mut self, commit: CommitId) -> Result<Text, Error> {
        let short = self.commit(commit)?.short.clone();
        Ok(self.wall().text(short))
    }

    fn commit(&mut self, id: CommitId) -> Result<&CommitInfo, Error> {
        use std::collections::btree_map::Entry;
        Ok(match self.commits.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(self.look.repository.commit(id)?),
        })
    }

    fn wall(&self) -> &'a Wall {
        &self.look.workspace.wall
    }

    fn name(&self, path: &str) -> String {
        format!("{}{path}", self.shown)
    }

    fn path(&self, path: &str) -> Text {
        self.wall().text(self.name(path))
    }

    /// Whether a file stands at a path now.
    fn stands(&self, path: &str) -> bool {
        self.now.contains(path)
    }
}

/// What was found at one path.
enum PathVerdict {
    /// Nothing that ever counted.
    Nothing,
    /// A receipt as it was first committed.
    Good(ReceiptOrigin),
    /// Anything else.
    Bad(Tampering),
    /// A receipt that stands at this other path now.
    Moved(String, Tampering),
}

/// The name of a receipt, from its path.
fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The first line, from 1, in which two texts differ.
fn first_difference(old: &[u8], new: &[u8]) -> usize {
    let lines = |bytes: &'_ [u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    1 + old.iter().zip(&new).take_while(|(old, new)| old == new).count()
}
