//! What the table of decisions looks at, and what follows from the row that holds.

use super::table::{Channels, DecisionRow, ROWS};
use crate::vocabulary::{ClosedWords, Notify, Obligation, PauseCause, TaskClass, TurnDecision, TurnMode, TurnState};

/// Why nothing is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopCause {
    /// The goal is not active.
    NotActive,
    /// The share of the window that may be used is zero.
    QuotaZero,
    /// Every todo is done.
    AllDone,
}

/// What one agent's turn is decided from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Situation {
    /// Why nothing is left to do.
    pub stop: Option<StopCause>,
    /// Whether a turn has to be finished or settled first.
    pub must_settle: bool,
    /// Whether something has to be repaired first.
    pub is_unhealthy: bool,
    /// Whether a user or a controller is waited for.
    pub waits_for_person: bool,
    /// Whether only facts of the agent's session close the screen.
    pub lacks_facts: bool,
    /// Whether a rejected gate decides the screen.
    pub is_rejected: bool,
    /// The last turns of the todo in a row that did not pass.
    pub stalled: u32,
    /// Whether something outside is waited for.
    pub waits_for_evidence: bool,
    /// Whether no slot is left.
    pub is_exhausted: bool,
    /// Whether a todo can be started, quota aside.
    pub is_runnable: bool,
    /// Whether a gate of the goal is closed.
    pub is_gate_closed: bool,
    /// Whether a todo of a person is open.
    pub has_user_todo: bool,
    /// Whether only monitors are open, and none is due.
    pub is_quiet: bool,
    /// Whether any todo of this agent or of nobody is open.
    pub has_open_todo: bool,
    /// Whether the open todos are all of other agents.
    pub is_all_of_peers: bool,
    /// The class of the todo.
    pub task_class: Option<TaskClass>,
}

/// The row that decides.
#[must_use]
pub fn decided(situation: &Situation) -> &'static DecisionRow {
    ROWS.iter().find(|row| (row.holds)(situation)).unwrap_or(&ROWS[ROWS.len() - 1])
}

/// A decision with what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecidedTurn {
    /// The number of the row.
    pub row: u8,
    /// What the agent does.
    pub decision: TurnDecision,
    /// How the turn runs.
    pub mode: TurnMode,
    /// Who does and says what.
    pub channels: Channels,
    /// The lane of contract 5.
    pub lane: Option<TaskClass>,
    /// What the turn has to do about the work that it has open.
    pub obligation: Option<Obligation>,
}

impl DecidedTurn {
    /// Decides a situation.
    #[must_use]
    pub fn of(situation: &Situation) -> Self {
        let row = decided(situation);
        Self {
            row: row.number,
            decision: row.decision,
            mode: row.mode(situation),
            channels: row.channels(situation),
            lane: row.lane(situation),
            obligation: row.obligation(situation),
        }
    }
}

impl DecisionRow {
    /// The lane of contract 5: the class of the todo; where a person is asked, a user gate.
    #[must_use]
    pub fn lane(&self, situation: &Situation) -> Option<TaskClass> {
        match self.decision {
            TurnDecision::Ask => Some(TaskClass::UserGate),
            _ if self.mode(situation) == TurnMode::MonitorQuietSkip => Some(TaskClass::ContinuousMonitor),
            _ => situation.task_class,
        }
    }

    /// What the turn has to do about the work that it has open.
    #[must_use]
    pub fn obligation(&self, situation: &Situation) -> Option<Obligation> {
        match (self.mode(situation), situation.task_class) {
            (TurnMode::MonitorQuietSkip, _) => Some(Obligation::QuietUntilMaterialMonitorTransition),
            (TurnMode::ExternalEvidenceObservation, _) => Some(Obligation::ObserveExternalEvidenceOrBlocker),
            _ if !situation.is_runnable || situation.stop.is_some() => None,
            (_, Some(TaskClass::ContinuousMonitor)) => Some(Obligation::AttemptDueMonitor),
            _ if situation.stalled >= super::STALL_LIMIT => Some(Obligation::AdvancePrimaryOutcomeOrWriteBlocker),
            _ => Some(Obligation::AdvanceOneBoundedSegment),
        }
    }

    /// How the turn runs.
    #[must_use]
    pub fn mode(&self, situation: &Situation) -> TurnMode {
        (self.mode)(situation)
    }

    /// Who does and says what.
    #[must_use]
    pub fn channels(&self, situation: &Situation) -> Channels {
        (self.channels)(situation)
    }
}

impl Situation {
    /// Where the quota stands (contract 5), the first that holds.
    #[must_use]
    pub fn state(&self) -> TurnState {
        match self.stop {
            Some(StopCause::NotActive | StopCause::QuotaZero) => return TurnState::Paused,
            Some(StopCause::AllDone) => return TurnState::TerminalNoFollowup,
            None => {}
        }
        if self.is_unhealthy {
            TurnState::BlockedHealth
        } else if self.waits_for_person {
            TurnState::OperatorGate
        } else if self.waits_for_evidence {
            TurnState::Waiting
        } else if self.is_exhausted {
            TurnState::Throttled
        } else if self.has_open_todo {
            TurnState::Eligible
        } else {
            TurnState::Waiting
        }
    }

    /// Why the goal is paused.
    #[must_use]
    pub fn pause_cause(&self) -> Option<PauseCause> {
        match self.stop? {
            StopCause::NotActive => Some(PauseCause::GoalStopped),
            StopCause::QuotaZero => Some(PauseCause::ComputeQuotaZero),
            StopCause::AllDone => None,
        }
    }
}

impl Channels {
    /// The word for the person's channel.
    #[must_use]
    pub fn notify(self) -> &'static str {
        if self.notifies { Notify::Notify.word() } else { Notify::DontNotify.word() }
    }
}
