//! The six payloads, each closed, and the schema that chooses among them by class.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::QuotaHint;
use super::{Id, Line};
use crate::vocabulary::words::RequiredActor;

/// The compact content of a writeback; each form is closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Payload<I = Id, L = Line> {
    /// Of an `operator_gate_decision`.
    Decision(DecisionPayload<I, L>),
    /// Of a `human_reward_overlay`.
    Reward(RewardPayload<I, L>),
    /// Of a `quota_scheduler_hint`.
    Quota(QuotaPayload<I>),
    /// Of a `handoff_packet_pointer`.
    Handoff(HandoffPayload<I, L>),
    /// Of a `handoff_packet_pointer`, in the short form of the contract's sample.
    HandoffSummary(HandoffSummaryPayload<I, L>),
    /// Of an `artifact_pointer`.
    Artifact(ArtifactPayload<I>),
    /// Of a `run_projection_pointer`.
    Run(RunPayload<I>),
}

/// The content of a writeback that reports a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "I: Deserialize<'de>, L: Deserialize<'de>"))]
#[schemars(rename = "DecisionPayload")]
pub struct DecisionPayload<I = Id, L = Line> {
    /// The gate that was decided.
    pub decision_id: I,
    /// What was decided.
    pub decision_label: I,
    /// The class of who decided; never an agent or a host.
    pub actor_class: RequiredActor,
    /// Why, in one line.
    pub reason_summary: L,
    /// The receipt of the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_run_id: Option<I>,
}

/// What a person thinks of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RewardPayload")]
pub struct RewardPayload<I = Id, L = Line> {
    /// The reward.
    pub reward_id: I,
    /// The run that is judged.
    pub judged_run_id: I,
    /// The judgment.
    pub decision_label: I,
    /// Why, in one line.
    pub reason: L,
}

/// A hint to the scheduler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "QuotaPayload")]
pub struct QuotaPayload<I = Id> {
    /// The hint.
    pub hint: QuotaHint,
    /// The window it is about.
    pub window_id: I,
    /// Why, in one word.
    pub reason_code: I,
}

/// The next action of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "I: Deserialize<'de>, L: Deserialize<'de>"))]
#[schemars(rename = "HandoffPayload")]
pub struct HandoffPayload<I = Id, L = Line> {
    /// The handoff.
    pub handoff_id: I,
    /// What to do next.
    pub next_action: L,
    /// When to stop.
    pub stop_condition: L,
    /// Ids of facts that support it.
    #[serde(default)]
    pub evidence_pointers: Vec<I>,
}

/// A handoff in the short form of the contract's sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HandoffSummaryPayload")]
pub struct HandoffSummaryPayload<I = Id, L = Line> {
    /// What was approved.
    pub decision_label: I,
    /// The next action in one line.
    pub summary: L,
    /// How many facts support it.
    pub evidence_pointer_count: u32,
}

/// The content of a writeback that names an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ArtifactPayload")]
pub struct ArtifactPayload<I = Id> {
    /// The artifact.
    pub artifact_id: I,
    /// What its validation is called.
    pub validation_label: I,
    /// How its outcome is classed.
    pub outcome_class: I,
}

/// The content of a writeback that names a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RunPayload")]
pub struct RunPayload<I = Id> {
    /// The run.
    pub run_id: I,
    /// What its validation is called.
    pub validation_label: I,
    /// How its outcome is classed.
    pub outcome_class: I,
}
