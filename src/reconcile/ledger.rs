//! The receipts of one goal by what they record: the one look-up that answers "is it recorded?".

use std::collections::{BTreeMap, BTreeSet};

use super::receipts::agree;
use super::world::Spends;
use crate::vocabulary::{Effect, Instant, Receipt, run_id};

/// What the authority ref says about one act of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordStatus {
    /// Neither a valid act nor a receipt.
    Nothing,
    /// A valid act without a receipt: proposed, never acted on.
    Proposed,
    /// A valid act, recorded as it stands.
    Recorded,
    /// A receipt that cannot be read, or says something else than the document.
    Conflict,
}

/// The receipts of one goal.
#[derive(Debug, Default)]
pub(super) struct Ledger<'a> {
    effects: BTreeMap<Effect<'a>, Vec<&'a Receipt>>,
    revisions: BTreeMap<&'a str, u32>,
    spends: BTreeMap<&'a str, Instant>,
    voids: BTreeSet<&'a str>,
    newest: BTreeMap<Option<&'a str>, &'a Receipt>,
    artifacts: BTreeMap<&'a str, &'a Receipt>,
    /// Run ids of receipts that nobody can read.
    pub(super) unreadable: BTreeSet<&'a str>,
}

impl<'a> Ledger<'a> {
    /// Takes a receipt under the run id of its path.
    pub(super) fn add(&mut self, path_id: &'a str, receipt: &'a Receipt) {
        let is_named_by_effect = run_id(receipt.effect_key.as_str()).as_str() == path_id;
        match Effect::read(receipt.effect_key.as_str()) {
            Some(effect) if effect.goal_id() == receipt.goal_id.as_str() => {
                self.add_effect(effect, receipt, is_named_by_effect);
            }
            // The key of a pointer is free, its name is not.
            None if receipt.event_class.is_pointer() && is_named_by_effect => {}
            Some(_) | None => {
                self.unreadable.insert(path_id);
                return;
            }
        }
        if let Some(artifact) = receipt.artifact().filter(|_| receipt.is_sound()) {
            keep_newer(self.artifacts.entry(artifact.as_str()).or_insert(receipt), receipt);
        }
        let agent = receipt.agent_id.as_ref().map(|agent| agent.as_str());
        keep_newer(self.newest.entry(agent).or_insert(receipt), receipt);
    }

    /// Takes slots that were spent, as a cache keeps them.
    pub(super) fn add_spends(&mut self, spends: &'a Spends) {
        self.spends.extend(spends.spent.iter().map(|(turn, at)| (&**turn, *at)));
        self.voids.extend(spends.voided.iter().map(|turn| &**turn));
    }

    fn add_effect(&mut self, effect: Effect<'a>, receipt: &'a Receipt, is_named_by_effect: bool) {
        match effect {
            Effect::Gate(_, gate, revision) | Effect::GateWithdrawn(_, gate, revision) => {
                let highest = self.revisions.entry(gate).or_default();
                *highest = revision.max(*highest);
            }
            Effect::QuotaSpend(_, spend) => {
                self.spends.insert(spend, receipt.at);
            }
            Effect::QuotaVoid(_, spend) if is_named_by_effect => {
                self.voids.insert(spend);
            }
            _ => {}
        }
        self.effects.entry(effect).or_default().push(receipt);
    }

    /// Looks an act up; `expected` is its receipt when the act is there and valid.
    pub(super) fn status(&self, effect: Effect<'_>, expected: Option<&Receipt>) -> RecordStatus {
        if !self.unreadable.is_empty() && self.unreadable.contains(effect.run_id().as_str()) {
            return RecordStatus::Conflict;
        }
        match (self.effects.get(&effect), expected) {
            (None, None) => RecordStatus::Nothing,
            (None, Some(_)) => RecordStatus::Proposed,
            (Some(recorded), Some(expected)) if recorded.iter().all(|receipt| agree(receipt, expected)) => {
                RecordStatus::Recorded
            }
            (Some(_), _) => RecordStatus::Conflict,
        }
    }

    /// The newest receipt that names an artifact.
    pub(super) fn artifact(&self, artifact_id: &str) -> Option<&'a Receipt> {
        self.artifacts.get(artifact_id).copied()
    }

    /// The receipts of an effect that a host brought about; `None` when one of them cannot be read.
    pub(super) fn of_host(&self, effect: Effect<'_>) -> Option<Vec<&'a Receipt>> {
        let is_readable = !self.unreadable.contains(effect.run_id().as_str());
        is_readable.then(|| self.effects.get(&effect).cloned().unwrap_or_default())
    }

    /// Whether a later revision of a gate was decided than the document asks.
    pub(super) fn is_ahead_of(&self, gate: &str, revision: u32) -> bool {
        self.revisions.get(gate).is_some_and(|highest| *highest > revision)
    }

    /// The instants of the quota that was spent and not taken back, the oldest first.
    pub(super) fn spends(&self) -> Vec<Instant> {
        let standing = self.spends.iter().filter(|(spend, _)| !self.voids.contains(*spend));
        let mut instants: Vec<_> = standing.map(|(_, at)| *at).collect();
        instants.sort_unstable();
        instants
    }

    /// The newest receipt of an agent, or of the goal as a whole.
    pub(super) fn newest_of(&self, agent: &str) -> Option<&'a Receipt> {
        match (self.newest.get(&None), self.newest.get(&Some(agent))) {
            (Some(one), Some(other)) => Some(newer(one, other)),
            (one, other) => one.or(other).copied(),
        }
    }
}

fn keep_newer<'a>(kept: &mut &'a Receipt, other: &'a Receipt) {
    *kept = newer(kept, other);
}

fn newer<'a>(one: &'a Receipt, other: &'a Receipt) -> &'a Receipt {
    if (other.at, &other.run_id) > (one.at, &one.run_id) { other } else { one }
}
