//! Where a handoff stands: derived from its acts, their receipts, its gate and the time.

use super::gates::GateReading;
use super::ledger::{Ledger, RecordStatus};
use super::receipts;
use crate::vocabulary::{ActorClass, Effect, Handoff, HandoffStanding, Instant, Receipt};

/// What is recorded of a handoff, whatever the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HandoffRecords {
    approval: RecordStatus,
    acceptance: RecordStatus,
}

/// Where a handoff stands at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HandoffReading {
    /// Its derived state.
    pub(super) standing: HandoffStanding,
    /// What it still needs; `None` when nothing.
    pub(super) needs: Option<Need>,
}

/// What a handoff needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Settlement,
    Approval,
    RecordOfApproval,
    Acceptance,
    RecordOfAcceptance,
    Renewal,
}

impl HandoffRecords {
    /// Looks a handoff's acts up and hands over the receipts that valid acts still lack.
    pub(super) fn new(handoff: &Handoff, ledger: &Ledger<'_>, lacking: &mut Vec<Receipt>) -> Self {
        let (goal_id, handoff_id) = (handoff.goal_id.as_str(), handoff.handoff_id.as_str());
        let mut status = |effect: Effect<'_>, expected: Option<Receipt>| {
            let status = ledger.status(effect, expected.as_ref());
            lacking.extend(expected.filter(|_| status == RecordStatus::Proposed));
            status
        };
        let approval = receipts::of_handoff_approval(handoff).filter(|_| is_approved_by_a_person(handoff));
        let acceptance = receipts::of_handoff_acceptance(handoff).filter(|_| is_accepted_by_its_agent(handoff));
        Self {
            approval: status(Effect::HandoffApproved(goal_id, handoff_id), approval),
            acceptance: status(Effect::HandoffAccepted(goal_id, handoff_id), acceptance),
        }
    }

    /// Reads a handoff at an instant; `gate` is the reading of the gate it names, when that gate is there.
    pub(super) fn read(self, handoff: &Handoff, gate: Option<GateReading>, as_of: Instant) -> HandoffReading {
        let has_conflict = self.approval == RecordStatus::Conflict || self.acceptance == RecordStatus::Conflict;
        let is_approved = !has_conflict
            && match &handoff.gate_id {
                Some(_) => gate.is_some_and(|gate| gate.is_approved),
                None => self.approval == RecordStatus::Recorded,
            };
        let is_over = as_of >= handoff.expires_at;
        let (standing, needs) = if handoff.withdrawn.is_some() {
            (HandoffStanding::Withdrawn, None)
        } else if has_conflict {
            (HandoffStanding::Drafted, Some(Need::Settlement))
        } else if is_approved && self.acceptance == RecordStatus::Recorded {
            (HandoffStanding::Accepted, None)
        } else {
            (self.waiting(is_approved, is_over), Some(self.need(is_approved, is_over)))
        };
        HandoffReading { standing, needs }
    }

    fn waiting(self, is_approved: bool, is_over: bool) -> HandoffStanding {
        match (is_over, is_approved) {
            (true, _) => HandoffStanding::Expired,
            (false, true) => HandoffStanding::Approved,
            (false, false) => HandoffStanding::Drafted,
        }
    }

    fn need(self, is_approved: bool, is_over: bool) -> Need {
        match (is_approved, is_over) {
            // It was accepted in time; only the receipt is missing.
            (true, _) if self.acceptance == RecordStatus::Proposed => Need::RecordOfAcceptance,
            (_, true) => Need::Renewal,
            (true, false) => Need::Acceptance,
            (false, false) if self.approval == RecordStatus::Proposed => Need::RecordOfApproval,
            (false, false) => Need::Approval,
        }
    }
}

impl HandoffReading {
    /// Whether the todo of this handoff may not start.
    pub(super) fn is_closed(self) -> bool {
        matches!(self.standing, HandoffStanding::Drafted | HandoffStanding::Expired)
    }
}

/// Agents and hosts may ask, never decide.
pub(super) fn is_person(class: ActorClass) -> bool {
    !matches!(class, ActorClass::Agent | ActorClass::Host)
}

fn is_approved_by_a_person(handoff: &Handoff) -> bool {
    handoff.approved.as_ref().is_some_and(|act| {
        is_person(act.actor_class) && !act.by.is_same(&handoff.from_agent) && !act.by.is_same(&handoff.to_agent)
    })
}

fn is_accepted_by_its_agent(handoff: &Handoff) -> bool {
    handoff.accepted.as_ref().is_some_and(|act| {
        act.by.is_same(&handoff.to_agent)
            && act.actor_class.is_none_or(|class| class == ActorClass::Agent)
            && act.at < handoff.expires_at
    })
}
