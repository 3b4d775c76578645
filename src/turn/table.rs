//! The one table of turn decisions: the first row that holds is the decision.

use super::situation::{Situation, StopCause};
use crate::vocabulary::{TurnDecision, TurnMode};

/// So many turns in a row without a pass make a todo stalled.
pub const STALL_LIMIT: u32 = 3;

/// What the agent does and what its host may say (contract 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    /// Whether the agent has to do something.
    pub must_attempt: bool,
    /// Whether what it does may be work on the goal.
    pub delivery_allowed: bool,
    /// Whether the turn may end without a word.
    pub quiet_noop: bool,
    /// Whether the person is told.
    pub notifies: bool,
}

/// One row of the table.
#[derive(Clone, Copy)]
pub struct DecisionRow {
    /// Its number, from 1.
    pub number: u8,
    /// The decision.
    pub decision: TurnDecision,
    /// When it holds, in words.
    pub when: &'static str,
    /// When it holds.
    pub holds: fn(&Situation) -> bool,
    /// How the turn runs.
    pub mode: fn(&Situation) -> TurnMode,
    /// Who does and says what.
    pub channels: fn(&Situation) -> Channels,
}

/// `tff` with NOTIFY or not, as the table of contract 5 writes it.
const fn channels(letters: [bool; 3], notifies: bool) -> Channels {
    Channels { must_attempt: letters[0], delivery_allowed: letters[1], quiet_noop: letters[2], notifies }
}

const QUIET: Channels = channels([false, false, true], false);
const SELF: Channels = channels([true, false, false], false);

/// Every row, in the order in which they are tried; the last one always holds.
pub const ROWS: [DecisionRow; 12] = [
    DecisionRow {
        number: 1,
        decision: TurnDecision::Stop,
        when: "the goal is not active, its quota is zero, or every todo is done",
        holds: |it| it.stop.is_some(),
        mode: |it| match it.stop {
            Some(StopCause::AllDone) => TurnMode::TerminalNoFollowup,
            _ => TurnMode::Skip,
        },
        channels: |_| QUIET,
    },
    DecisionRow {
        number: 2,
        decision: TurnDecision::Settle,
        when: "a turn has to be finished or settled",
        holds: |it| it.must_settle,
        mode: |_| TurnMode::ControlPlaneSelfRepair,
        channels: |_| SELF,
    },
    DecisionRow {
        number: 3,
        decision: TurnDecision::Repair,
        when: "something blocks the screen that is neither a missing fact nor a rejected gate, or the clock is behind",
        holds: |it| it.is_unhealthy,
        mode: |_| TurnMode::Skip,
        channels: |_| channels([false, false, true], true),
    },
    DecisionRow {
        number: 4,
        decision: TurnDecision::Ask,
        when: "a user or a controller is waited for",
        holds: |it| it.waits_for_person,
        mode: |_| TurnMode::UserGate,
        channels: |_| channels([false, false, false], true),
    },
    DecisionRow {
        number: 5,
        decision: TurnDecision::Report,
        when: "only facts of the agent's session close the screen",
        holds: |it| it.lacks_facts,
        mode: |_| TurnMode::ControlPlaneSelfRepair,
        channels: |_| SELF,
    },
    DecisionRow {
        number: 6,
        decision: TurnDecision::Replan,
        when: "a gate was rejected, or a todo that can be started is stalled",
        holds: |it| it.is_rejected || it.is_runnable && it.stalled >= STALL_LIMIT,
        mode: |_| TurnMode::AutonomousReplan,
        channels: |_| SELF,
    },
    DecisionRow {
        number: 7,
        decision: TurnDecision::Wait,
        when: "something outside is waited for",
        holds: |it| it.waits_for_evidence,
        mode: |_| TurnMode::ExternalEvidenceObservation,
        channels: |_| QUIET,
    },
    DecisionRow {
        number: 8,
        decision: TurnDecision::Wait,
        when: "no slot is left",
        holds: |it| it.is_exhausted,
        mode: |_| TurnMode::QuotaThrottled,
        channels: |_| QUIET,
    },
    DecisionRow {
        number: 9,
        decision: TurnDecision::Work,
        when: "a todo can be started",
        holds: |it| it.is_runnable,
        mode: |it| match it.is_gate_closed {
            true => TurnMode::ScopedUserGateFallback,
            false => TurnMode::BoundedDelivery,
        },
        channels: |it| channels([true, true, false], it.is_gate_closed || it.has_user_todo),
    },
    DecisionRow {
        number: 10,
        decision: TurnDecision::Wait,
        when: "only monitors are open, and none is due",
        holds: |it| it.is_quiet,
        mode: |_| TurnMode::MonitorQuietSkip,
        channels: |_| QUIET,
    },
    DecisionRow {
        number: 11,
        decision: TurnDecision::Wait,
        when: "the open todos are all of other agents",
        holds: |it| it.is_all_of_peers,
        mode: |_| TurnMode::ReassignmentRequired,
        channels: |_| QUIET,
    },
    DecisionRow {
        number: 12,
        decision: TurnDecision::Wait,
        when: "none of the others",
        holds: |_| true,
        mode: |_| TurnMode::Skip,
        channels: |_| QUIET,
    },
];

impl std::fmt::Debug for DecisionRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "row {} ({})", self.number, self.decision)
    }
}
