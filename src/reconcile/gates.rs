//! When a gate is open (semantics.md 2): recorded, by the right class, not by the asker, in time. Anything else closes.

use std::collections::BTreeMap;

use super::ledger::{Ledger, RecordStatus};
use super::receipts;
use crate::vocabulary::{
    ActorClass, Blocks, Effect, Gate, GateDecision, GateStanding, Id, Instant, Receipt, Todo, TodoStatus,
};

/// What is recorded of a gate, whatever the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GateRecords {
    decision: RecordStatus,
    withdrawal: RecordStatus,
    /// Whether the copy here is of an older revision than the authority ref asks.
    is_older: bool,
}

/// Where a gate stands at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GateReading {
    /// Its derived state.
    pub(super) standing: GateStanding,
    /// Whether an approval counts, expired or not: what a handoff of this gate asks.
    pub(super) is_approved: bool,
    /// Why it is closed; `None` when it is open.
    pub(super) closed: Option<ClosedReason>,
}

/// Why a gate is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosedReason {
    Conflict,
    NotRecorded,
    Undecided,
    Deferred,
    Rejected,
    /// Only the copy here asks, which is of an older revision.
    Older,
}

impl GateRecords {
    /// Looks a gate's acts up and hands over the receipts that valid acts still lack. `here` is the gate as it stands
    /// here, where what counts of it is otherwise: receipts are of what stands in the file.
    pub(super) fn new(
        gate: &Gate,
        here: Option<&Gate>,
        is_older: bool,
        ledger: &Ledger<'_>,
        lacking: &mut Vec<Receipt>,
    ) -> Self {
        let (goal_id, gate_id) = (gate.goal_id.as_str(), gate.gate_id.as_str());
        if is_older {
            return Self { decision: RecordStatus::Nothing, withdrawal: RecordStatus::Nothing, is_older };
        }
        let decision = Effect::Gate(goal_id, gate_id, gate.revision);
        let withdrawal = Effect::GateWithdrawn(goal_id, gate_id, gate.revision);
        let mut status = |effect: Effect<'_>, receipt: fn(&Gate) -> Option<Receipt>| {
            if ledger.is_ahead_of(gate_id, gate.revision) {
                return RecordStatus::Conflict;
            }
            let status = ledger.status(effect, receipt(gate).as_ref());
            lacking.extend(receipt(here.unwrap_or(gate)).filter(|_| status == RecordStatus::Proposed));
            status
        };
        Self { decision: status(decision, decided), withdrawal: status(withdrawal, withdrawn), is_older }
    }

    /// The valid act that waits for its receipt: who, of which class, when.
    pub(super) fn proposed(self, gate: &Gate) -> Option<(&Id, ActorClass, Instant)> {
        let decision = gate.decision.as_ref().filter(|_| self.decision == RecordStatus::Proposed);
        let withdrawn = gate.withdrawn.as_ref().filter(|_| self.withdrawal == RecordStatus::Proposed);
        let decided = decision.map(|act| (&act.by, act.actor_class, act.at));
        decided.or(withdrawn.map(|act| (&act.by, act.actor_class, act.at)))
    }

    /// Reads a gate at an instant.
    pub(super) fn read(self, gate: &Gate, todos: &BTreeMap<&str, &Todo>, as_of: Instant) -> GateReading {
        let is_approved = self.decision == RecordStatus::Recorded
            && self.withdrawal != RecordStatus::Recorded
            && gate.decision.as_ref().is_some_and(|decision| decision.label == GateDecision::Approve);
        let (standing, closed) = self.standing(gate, is_approved && is_used_up(gate, todos), as_of);
        GateReading { standing, is_approved: is_approved && closed != Some(ClosedReason::Conflict), closed }
    }

    fn standing(self, gate: &Gate, is_consumed: bool, as_of: Instant) -> (GateStanding, Option<ClosedReason>) {
        if self.is_older {
            return (GateStanding::Requested, Some(ClosedReason::Older));
        }
        if self.decision == RecordStatus::Conflict || self.withdrawal == RecordStatus::Conflict {
            return (GateStanding::Requested, Some(ClosedReason::Conflict));
        }
        if self.withdrawal == RecordStatus::Recorded {
            return (GateStanding::Withdrawn, None);
        }
        if is_consumed {
            return (GateStanding::Consumed, None);
        }
        let (standing, closed) = self.decided(gate, as_of);
        // A withdrawal would open a closed gate, so recording it is what is missing.
        let withdraws = closed.is_some() && self.withdrawal == RecordStatus::Proposed;
        (standing, if withdraws { Some(ClosedReason::NotRecorded) } else { closed })
    }

    fn decided(self, gate: &Gate, as_of: Instant) -> (GateStanding, Option<ClosedReason>) {
        if gate.expires_at.is_some_and(|expires_at| as_of >= expires_at) {
            return (GateStanding::Expired, Some(ClosedReason::Undecided));
        }
        let decision = match (&gate.decision, self.decision) {
            (Some(decision), RecordStatus::Recorded) => decision,
            (Some(_), RecordStatus::Proposed) => return (GateStanding::Requested, Some(ClosedReason::NotRecorded)),
            _ => return (GateStanding::Requested, Some(ClosedReason::Undecided)),
        };
        match decision.label {
            GateDecision::Approve => (GateStanding::Approved, None),
            GateDecision::Reject => (GateStanding::Rejected, Some(ClosedReason::Rejected)),
            GateDecision::Defer if decision.until.is_some_and(|until| as_of < until) => {
                (GateStanding::Deferred, Some(ClosedReason::Deferred))
            }
            GateDecision::Defer => (GateStanding::Requested, Some(ClosedReason::Undecided)),
        }
    }
}

/// The receipt of a gate's decision, where the decision counts as one.
fn decided(gate: &Gate) -> Option<Receipt> {
    let act = gate.decision.as_ref()?;
    receipts::of_gate(gate).filter(|_| counts(gate, &act.by, act.actor_class, act.at))
}

/// The receipt of a gate's withdrawal, where it counts as one.
fn withdrawn(gate: &Gate) -> Option<Receipt> {
    let act = gate.withdrawn.as_ref()?;
    receipts::of_gate_withdrawal(gate).filter(|_| counts(gate, &act.by, act.actor_class, act.at))
}

/// Whether an act on a gate is a decision: by the class that is asked or an owner, not by the asker, after the request.
fn counts(gate: &Gate, by: &Id, class: ActorClass, at: Instant) -> bool {
    (class == gate.required_actor.class() || class == ActorClass::Owner)
        && !by.is_same(&gate.requested.by)
        && at > gate.requested.at
}

/// Whether every todo of a list of blocked todos is done.
fn is_used_up(gate: &Gate, todos: &BTreeMap<&str, &Todo>) -> bool {
    matches!(&gate.blocks, Blocks::Todos(blocked) if blocked.iter().all(|todo| is_done(todos, todo.as_str())))
}

/// Whether a gate holds anything up while it is closed.
pub(super) fn blocks_something(gate: &Gate, todos: &BTreeMap<&str, &Todo>) -> bool {
    match &gate.blocks {
        Blocks::Goal => true,
        Blocks::Todos(_) => !is_used_up(gate, todos),
        Blocks::Nothing => false,
    }
}

/// Whether a todo is there and done.
pub(super) fn is_done(todos: &BTreeMap<&str, &Todo>, todo: &str) -> bool {
    todos.get(todo).is_some_and(|todo| todo.status == TodoStatus::Done)
}
