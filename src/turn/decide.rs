//! What the table of decisions looks at, and what follows from the row that holds.

use super::situation::Situation;
use super::table::{Channels, DecisionRow, ROWS};
use crate::vocabulary::{ClosedWords, Notify, Obligation, TaskClass, TurnDecision, TurnMode};

/// The first row of the table that holds.
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
    /// Decides what follows from a situation.
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

    /// How a turn of this row runs.
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

impl Channels {
    /// The word for the person's channel.
    #[must_use]
    pub fn notify(self) -> &'static str {
        if self.notifies { Notify::Notify.word() } else { Notify::DontNotify.word() }
    }
}
