//! The closed words of writebacks.

use crate::vocabulary::closed::{ClosedWords, Vocabulary, vocabulary};

vocabulary! {
    /// What a writeback reflects.
    SourceEvent, "source_event_class", "a source event class" {
        OperatorGate = "operator_gate": "a gate was decided",
        HumanReward = "human_reward": "a person judged a run",
        QuotaDecision = "quota_decision": "a slot of the quota was spent or taken back",
        HandoffPacket = "handoff_packet": "an agent accepted an approved handoff",
        ArtifactPointer = "artifact_pointer": "an artifact was named",
        RunProjection = "run_projection": "a run was summarised",
    }
}
vocabulary! {
    /// What a host is told. What a class must never mean stands beside what it is.
    WriteClass, "write_class", "a write class" {
        OperatorGateDecision = "operator_gate_decision": "a decision; never an override of the runtime's permissions, a hidden approval or an authorization of production",
        HumanRewardOverlay = "human_reward_overlay": "a person's judgment of a run; never a model's score, a benchmark's score or the result of a task",
        QuotaSchedulerHint = "quota_scheduler_hint": "a hint to the scheduler; never a bill, an authority to launch or the start of a hidden session",
        HandoffPacketPointer = "handoff_packet_pointer": "a pointer to the next action; never a transcript, an open-ended prompt or control over the session",
        ArtifactPointer = "artifact_pointer": "a pointer to an artifact; never its content, a local path or a mirror of a log",
        RunProjectionPointer = "run_projection_pointer": "a pointer to a run; never its evidence, a local path or a mirror of a log",
    }
}
vocabulary! {
    /// What came of a writeback.
    WritebackStatus, "writeback_status", "a writeback result" {
        Previewed = "previewed": "a dry run was shown",
        Applied = "applied": "the host took it",
        Skipped = "skipped": "the host had it already, or was not there",
        Rejected = "rejected": "it was refused",
        Failed = "failed": "it could not be done",
    }
}
vocabulary! {
    /// What a scheduler is told about the next turn.
    QuotaHint, "quota_hint", "a quota hint" {
        Eligible = "eligible": "a turn may be spent",
        Throttled = "throttled": "the window is used up",
        Monitor = "monitor": "only monitors are left",
    }
}

/// The vocabularies of this document.
pub(in crate::vocabulary) const WORDS: &[Vocabulary] =
    &[SourceEvent::VOCABULARY, WriteClass::VOCABULARY, WritebackStatus::VOCABULARY, QuotaHint::VOCABULARY];

impl SourceEvent {
    /// The one class that reflects this event.
    #[must_use]
    pub fn write_class(self) -> WriteClass {
        match self {
            Self::OperatorGate => WriteClass::OperatorGateDecision,
            Self::HumanReward => WriteClass::HumanRewardOverlay,
            Self::QuotaDecision => WriteClass::QuotaSchedulerHint,
            Self::HandoffPacket => WriteClass::HandoffPacketPointer,
            Self::ArtifactPointer => WriteClass::ArtifactPointer,
            Self::RunProjection => WriteClass::RunProjectionPointer,
        }
    }
}
