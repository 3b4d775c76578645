//! The receipts that decisions lack: which of them a commit made now would record, and what follows then.

use std::collections::BTreeMap;

use super::error::Error;
use super::plan::ReconciledDirectory;
use super::world::Records;
use crate::document::MAX_BYTES;
use crate::git::{CommitId, CommitInfo, Head, Repository};
use crate::privacy::Wall;
use crate::reconcile::{AuthorityState, Plan};
use crate::render::{OutputChange, RecordingRoute, outputs};
use crate::vocabulary::receipts::{agree, of_effect};
use crate::vocabulary::{Effect, Receipt};
use crate::workspace::read;

/// The receipts that decisions lack, and what follows once they count.
#[derive(Debug, Default)]
pub struct Recording {
    /// How they come to count.
    pub way: RecordingRoute,
    /// The receipts.
    pub receipts: Vec<Receipt>,
    /// How many of them stand in the work tree.
    pub beside: usize,
    /// Receipts that have to wait: the decision itself is not committed, and a receipt cites what its commit holds.
    pub uncommitted: Vec<Receipt>,
    /// What becomes of the first screens once the receipts count; nothing when that was not asked for.
    pub then: Vec<OutputChange>,
    /// The commit that recorded them; `None` when none was made.
    pub commit: Option<CommitInfo>,
}

impl Recording {
    /// Looks at what recording would do.
    pub(super) fn of(state: &ReconciledDirectory, repository: Option<&Repository>) -> Result<Self, Error> {
        let mut recording = Self { receipts: state.plan.unrecorded.clone(), ..Self::default() };
        let Some(repository) = repository.filter(|_| state.records.authority == AuthorityState::Read) else {
            return Ok(recording);
        };
        let head = repository.head()?;
        recording.way = way(&head, state.records.reference_name());
        if recording.receipts.is_empty() {
            return Ok(recording);
        }
        if let (RecordingRoute::Commit { .. }, Some(commit)) = (&recording.way, head.commit()) {
            recording.keep_committed(repository, commit, &state.workspace.wall)?;
        }
        recording.beside = recording.receipts.iter().filter(|receipt| state.standing(receipt).is_some()).count();
        Ok(recording)
    }

    /// How receipts come to count from what is checked out.
    pub(super) fn way_of(repository: &Repository, records: &Records) -> Result<RecordingRoute, Error> {
        Ok(way(&repository.head()?, records.reference_name()))
    }

    /// Looks at what follows once the receipts count.
    pub(super) fn foresee(&mut self, state: &ReconciledDirectory) {
        if self.way != RecordingRoute::Nowhere && !self.receipts.is_empty() {
            self.then = difference(&state.plan, &state.once_recorded(&self.receipts));
        }
    }

    /// Sets those receipts apart whose decision the commit does not hold.
    fn keep_committed(&mut self, repository: &Repository, commit: CommitId, wall: &Wall) -> Result<(), Error> {
        for receipt in std::mem::take(&mut self.receipts) {
            match cited(repository, commit, &receipt, wall)? {
                Cited::Held => self.receipts.push(receipt),
                Cited::Otherwise | Cited::Absent | Cited::ByHost => self.uncommitted.push(receipt),
            }
        }
        Ok(())
    }
}

/// How receipts come to count from what is checked out.
fn way(head: &Head, authority: &str) -> RecordingRoute {
    match head {
        Head::Branch { name, .. } if authority == "HEAD" || authority == name => {
            RecordingRoute::Commit { branch: Some(name.clone()) }
        }
        Head::Branch { name, .. } => RecordingRoute::Merge { authority: authority.to_owned(), branch: name.clone() },
        Head::Detached(_) => RecordingRoute::Commit { branch: None },
    }
}

/// The first screens that one plan has otherwise than another.
pub(super) fn difference(before: &Plan, after: &Plan) -> Vec<OutputChange> {
    let screens = |plan: &Plan| -> BTreeMap<String, Vec<u8>> {
        outputs(plan).into_iter().filter(|(path, _)| path.starts_with("projections/")).collect()
    };
    let (mut before, after) = (screens(before), screens(after));
    let change = |(path, new): (String, Vec<u8>)| OutputChange { old: before.remove(&path), path, new: Some(new) };
    after.into_iter().map(change).filter(|change| change.old != change.new).collect()
}

/// What a commit holds of what a receipt cites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cited {
    /// The very decision.
    Held,
    /// The document, without this decision.
    Otherwise,
    /// No such document.
    Absent,
    /// Nothing that a commit could hold: a host brought the effect about.
    ByHost,
}

/// Looks up in a commit what a receipt cites.
pub(super) fn cited(repository: &Repository, commit: CommitId, receipt: &Receipt, wall: &Wall) -> Result<Cited, Error> {
    let Some(effect) = Effect::read(receipt.effect_key.as_str()) else { return Ok(Cited::Absent) };
    let Some(yaml) = effect.document_path() else { return Ok(Cited::ByHost) };
    let json = yaml.replace(".yaml", ".json");
    for path in [yaml, json] {
        let Some(blob) = repository.file(commit, &path)? else { continue };
        let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default();
        let record = read(&path.into(), &bytes, wall).record;
        let decided = record.and_then(|record| of_effect(effect, &record));
        let is_held = decided.is_some_and(|decided| agree(receipt, &decided));
        return Ok(if is_held { Cited::Held } else { Cited::Otherwise });
    }
    Ok(Cited::Absent)
}
