//! The receipts that there are, and one of them in full (`loopx receipts list`, `show`).

use std::path::Path;

use super::trail::{ReceiptOrigin, ReceiptReader, trails};
use super::{FOLDER, event};
use crate::app::error::{Error, ErrorCode};
use crate::app::lookup::{Lookup, Precision, Unclear, meant};
use crate::app::plan::ReconciledDirectory;
use crate::git::Repository;
use crate::render::{ReceiptDetail, ReceiptRow, ReceiptStatus, VerificationEvent};
use crate::vocabulary::receipts::{agree, of_effect};
use crate::vocabulary::{Effect, Instant, Receipt, Record};

/// The receipts of a state directory.
#[derive(Debug)]
pub struct Listed {
    /// The state directory.
    pub state: ReconciledDirectory,
    /// The receipts, by goal, then by time; those that nobody can read have none and come first.
    pub receipts: Vec<ListedReceipt>,
    /// How many decisions have none.
    pub lacking: usize,
}

/// One receipt of the list, with the commit that first held it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedReceipt {
    /// Its id.
    pub run_id: String,
    /// Its goal.
    pub goal_id: String,
    /// What it says, when it can be read.
    pub receipt: Option<Receipt>,
    /// Whether it counts.
    pub standing: ReceiptStatus,
}

impl Listed {
    /// The receipts as a screen shows them.
    pub fn rows(&self) -> impl Iterator<Item = ReceiptRow<'_>> {
        self.receipts.iter().map(|ListedReceipt { run_id, goal_id, receipt, standing }| ReceiptRow {
            run_id,
            goal_id,
            receipt: receipt.as_ref(),
            standing: *standing,
        })
    }
}

/// Lists the receipts at the authority ref, of one goal or of all, and those in the work tree that do not count yet.
///
/// # Errors
/// As [`ReconciledDirectory::read`], or there is no such goal.
pub fn list(place: &Path, goal: Option<&str>, as_of: Instant) -> Result<Listed, Error> {
    let state = ReconciledDirectory::read(place, as_of)?;
    let repository = Repository::discover(&state.root)?;
    let lookup = Lookup {
        workspace: &state.workspace,
        plan: &state.plan,
        repository: repository.as_ref(),
        precision: Precision::Prefix,
    };
    let goal = goal.map(|goal| lookup.goal(goal)).transpose()?;
    let goal = goal.as_deref();
    let mut receipts = all(&state);
    receipts.retain(|found| goal.is_none_or(|goal| found.goal_id == goal));
    let lacking = state.plan.unrecorded.iter();
    let lacking = lacking.filter(|receipt| goal.is_none_or(|goal| receipt.goal_id == *goal)).count();
    Ok(Listed { state, receipts, lacking })
}

fn all(state: &ReconciledDirectory) -> Vec<ListedReceipt> {
    let recorded = state.records.iter().map(|(run_id, goal_id, receipt)| ListedReceipt {
        run_id: run_id.to_owned(),
        goal_id: goal_id.to_owned(),
        receipt: receipt.cloned(),
        standing: if receipt.is_some() { ReceiptStatus::Recorded } else { ReceiptStatus::Unreadable },
    });
    let proposed = state.workspace.entries.iter().filter_map(|entry| match &entry.record {
        Some(Record::Receipt(receipt)) if !state.records.has(receipt.run_id.as_str()) => Some(ListedReceipt {
            run_id: receipt.run_id.to_string(),
            goal_id: receipt.goal_id.to_string(),
            receipt: Some(receipt.clone()),
            standing: ReceiptStatus::Proposed,
        }),
        _ => None,
    });
    let mut receipts: Vec<ListedReceipt> = recorded.chain(proposed).collect();
    receipts.sort_by(|one, other| one.order().cmp(&other.order()));
    receipts
}

impl ListedReceipt {
    fn order(&self) -> (&str, Option<Instant>, &str) {
        (&self.goal_id, self.receipt.as_ref().map(|receipt| receipt.at), &self.run_id)
    }

    /// What it goes by: its id, and that of what it records.
    fn names(&self) -> impl Iterator<Item = &str> {
        let source = self.receipt.as_ref().map(|receipt| receipt.source.id.as_str());
        std::iter::once(self.run_id.as_str()).chain(source)
    }
}

/// Shows the one receipt that `typed` means: an id of a receipt or of what it records, or a unique beginning of one.
///
/// # Errors
/// As [`ReconciledDirectory::read`], or no receipt is meant, or several.
pub fn show(place: &Path, typed: &str, as_of: Instant) -> Result<(ReconciledDirectory, ReceiptDetail), Error> {
    let state = ReconciledDirectory::read(place, as_of)?;
    let receipts = all(&state);
    let several =
        |names: &[&str]| Error::about(ErrorCode::UnknownReceipt, format!("{typed} may be {}", names.join(", ")));
    let name = match meant(typed, receipts.iter().flat_map(ListedReceipt::names), Precision::Prefix) {
        Ok(name) => name,
        Err(Unclear::Unknown) => return Err(Error::about(ErrorCode::UnknownReceipt, typed)),
        Err(Unclear::Several(names) | Unclear::TooShort(names)) => return Err(several(&names)),
    };
    let of_name = receipts.iter().filter(|found| found.names().any(|known| known == name));
    let found = match of_name.collect::<Vec<_>>()[..] {
        [found] => found.clone(),
        ref found => return Err(several(&found.iter().map(|found| found.run_id.as_str()).collect::<Vec<_>>())),
    };
    let first = match (&found.receipt, found.standing) {
        (Some(receipt), ReceiptStatus::Recorded) => first(&state, receipt)?,
        _ => None,
    };
    let agrees = found.receipt.as_ref().and_then(|receipt| agrees(&state, receipt));
    Ok((state, ReceiptDetail { run_id: found.run_id, receipt: found.receipt, standing: found.standing, first, agrees }))
}

/// The commit that first held a receipt, in the history of what is checked out.
fn first(state: &ReconciledDirectory, receipt: &Receipt) -> Result<Option<VerificationEvent>, Error> {
    let Some(repository) = Repository::discover(&state.root)? else { return Ok(None) };
    let Some(tip) = repository.head()?.commit() else { return Ok(None) };
    let path = receipt.path();
    let history = repository.history(tip, FOLDER, None)?;
    let now = repository.list(tip, FOLDER)?;
    let trails = trails(&history, &now, &[]);
    let look = ReceiptReader { repository: &repository, workspace: &state.workspace };
    let Some(trail) = trails.get(&path) else { return Ok(None) };
    let origins = look.origins(&path, trail)?;
    let origin = origins.iter().find(|origin| Some(origin.blob) == trail.now);
    let Some(ReceiptOrigin { commit, .. }) = origin else { return Ok(None) };
    Ok(Some(event(&state.workspace, "first committed", &repository.commit(*commit)?, "")))
}

/// Whether the document in the work tree still says what a receipt records; `None` when it is not there, or a host
/// brought the effect about.
fn agrees(state: &ReconciledDirectory, receipt: &Receipt) -> Option<bool> {
    let effect = Effect::read(receipt.effect_key.as_str())?;
    let (kind, id) = effect.document()?;
    let record = state.workspace.record(effect.goal_id(), kind, id)?;
    Some(of_effect(effect, record).is_some_and(|expected| agree(receipt, &expected)))
}
