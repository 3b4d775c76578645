//! What the table of decisions looks at.

use crate::vocabulary::{PauseCause, TaskClass, TurnState};

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
