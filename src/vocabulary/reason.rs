//! The reasons of conditions: one table that reconcile, screens, `explain` and the docs read (product.md 4).

use super::closed::{ClosedWords, vocabulary};
use super::words::Severity;

vocabulary! {
    /// Why a goal, an agent or a todo stands where it stands.
    Reason, "reason", "a reason" {
        DocumentInvalid = "document_invalid": "a document of the goal cannot be read; the goal projects blocked",
        UnsafeMaterial = "unsafe_material": "a fact or a document holds refused material and is kept out of every output",
        ConflictingDecisions = "conflicting_decisions": "two receipts, or a document and its receipt, disagree",
        MissingGateDecision = "missing_gate_decision": "a blocking gate is requested and not decided in a way that counts",
        DecisionNotRecorded = "decision_not_recorded": "a decision has no receipt at the authority ref, so it does not count yet",
        GateRejected = "gate_rejected": "a gate was rejected; the plan has to change",
        GateDeferred = "gate_deferred": "a decision was put off and its instant is not reached",
        ChangeNotRecorded = "change_not_recorded": "a goal, or what would open it, is not at the authority ref",
        OpenUserTodo = "open_user_todo": "a person's todo is open and an open todo waits for it",
        FailedOutcome = "failed_outcome": "the newest outcome of a todo failed",
        MissingValidation = "missing_validation": "the newest finished work has no validation at or after it",
        StaleArtifact = "stale_artifact": "evidence cites an artifact older than the outcome that superseded it",
        HandoffNotApproved = "handoff_not_approved": "a handoff is drafted and nobody has approved it",
        HandoffNotAccepted = "handoff_not_accepted": "a handoff is approved and its agent has not accepted it",
        HandoffExpired = "handoff_expired": "a handoff was not accepted before it expired",
        HostCompletedGoalBlocked = "host_completed_goal_blocked": "the host says completed, the goal is not; another reason explains it",
        MissingRuntimeFact = "missing_runtime_fact": "a session is bound and no facts of it are there",
        StaleFact = "stale_fact": "the newest fact of a live session is older than its limit",
        UnboundSession = "unbound_session": "facts of a session that no binding names",
        ModeMismatch = "mode_mismatch": "facts disagree with the binding's row of the host table",
        CapabilityUnavailable = "capability_unavailable": "the host refused the newest delivery",
        SecondExecutor = "second_executor": "two live bindings of one agent, or a second executor was refused",
        TurnUnresolved = "turn_unresolved": "the newest turn ended and nobody knows how",
        ClaimedNotStarted = "claimed_not_started": "the newest turn was claimed and did not start in time",
        AgentNotRegistered = "agent_not_registered": "a binding, handoff or todo names an agent that the goal does not list",
        QuotaExhausted = "quota_exhausted": "no slot is left in the rolling window",
        SourceEventNotRecorded = "source_event_not_recorded": "a writeback's source has no receipt yet",
        PreviewOutdated = "preview_outdated": "a writeback was approved for another preview than today's",
        WritebackFailed = "writeback_failed": "the host did not take a writeback; the decision stands",
        WritebackTargetUnavailable = "writeback_target_unavailable": "no session can take the writeback",
        InStep = "in_step": "nothing differs",
    }
}

impl Reason {
    /// The severity that a condition of this reason has unless a predicate raises it.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::DocumentInvalid
            | Self::UnsafeMaterial
            | Self::ConflictingDecisions
            | Self::FailedOutcome
            | Self::ModeMismatch
            | Self::CapabilityUnavailable
            | Self::SecondExecutor
            | Self::TurnUnresolved
            | Self::ClaimedNotStarted
            | Self::AgentNotRegistered => Severity::High,
            Self::MissingGateDecision
            | Self::DecisionNotRecorded
            | Self::ChangeNotRecorded
            | Self::GateRejected
            | Self::OpenUserTodo
            | Self::MissingValidation
            | Self::StaleArtifact
            | Self::HandoffNotApproved
            | Self::HandoffNotAccepted
            | Self::HandoffExpired
            | Self::UnboundSession
            | Self::SourceEventNotRecorded
            | Self::PreviewOutdated
            | Self::WritebackFailed
            | Self::WritebackTargetUnavailable => Severity::Action,
            Self::GateDeferred | Self::MissingRuntimeFact | Self::StaleFact | Self::QuotaExhausted | Self::InStep => {
                Severity::Watch
            }
            Self::HostCompletedGoalBlocked => Severity::Consequence,
        }
    }
}

/// The reasons, in the order in which they are explained first.
#[must_use]
pub fn reasons() -> &'static [Reason] {
    Reason::ALL
}
