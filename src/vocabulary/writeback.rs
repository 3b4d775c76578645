//! `session_runtime_controlled_writeback_v0`: what a host may be told, and what came of it (contract 3).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::closed::{Closed, Vocabulary, version, vocabulary};
use super::contract::{ContractRule, False, Fault, Nullable};
use super::text::{Id, Line};
use super::words::{RequiredActor, WritebackMode};

version!(WritebackV0 = "session_runtime_controlled_writeback_v0");

vocabulary! {
    /// What a writeback reflects.
    SourceEvent, "source_event_class", "a source event class" {
        OperatorGate = "operator_gate": "a gate was decided",
        HumanReward = "human_reward": "a person judged a run",
        QuotaDecision = "quota_decision": "the next turn may be spent or not",
        HandoffPacket = "handoff_packet": "the next action of an agent is approved",
        ArtifactPointer = "artifact_pointer": "an artifact was named",
        RunProjection = "run_projection": "a run was summarised",
    }
}
vocabulary! {
    /// What a host is told.
    WriteClass, "write_class", "a write class" {
        OperatorGateDecision = "operator_gate_decision": "a decision; never a permission of the runtime or of production",
        HumanRewardOverlay = "human_reward_overlay": "a judgment of a run; never a score or a test result",
        QuotaSchedulerHint = "quota_scheduler_hint": "a hint to the scheduler; never a launch or a bill",
        HandoffPacketPointer = "handoff_packet_pointer": "a pointer to the next action; never a prompt",
        ArtifactPointer = "artifact_pointer": "a pointer to an artifact; never its content",
        RunProjectionPointer = "run_projection_pointer": "a pointer to a run; never its log",
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
pub(super) const WORDS: &[Vocabulary] =
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

/// A writeback: previewed, or carried out with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Writeback {
    /// The kind of this document.
    pub schema_version: WritebackV0,
    /// Its goal.
    pub goal_id: Id,
    /// The agent of the session.
    pub agent_id: Id,
    /// The session that is told.
    pub runtime: Target,
    /// What it reflects.
    pub loopx_source: LoopxSource,
    /// What the host is told.
    pub writeback: Write,
    /// What it does not carry and does not permit.
    pub boundary: WriteBoundary,
    /// What came of it.
    pub result: WriteResult,
}

/// The session that is told; always a bound one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The runtime family.
    pub runtime_id: Id,
    /// The session.
    pub session_id: Id,
}

/// What a writeback reflects: a recorded event, by run or todo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopxSource {
    /// The receipt of the event.
    #[serde(default)]
    pub source_run_id: Nullable<Id>,
    /// The todo it is about.
    #[serde(default)]
    pub source_todo_id: Nullable<Id>,
    /// What kind of event it is.
    pub source_event_class: SourceEvent,
}

/// What the host is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// The class, which decides the payload.
    pub write_class: WriteClass,
    /// Whether it is only previewed.
    pub mode: WritebackMode,
    /// Goal, source and class; a target takes a key at most once.
    pub idempotency_key: Line,
    /// The compact content.
    pub payload: Payload,
}

/// The compact content of a writeback; each form is closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Payload {
    /// Of an `operator_gate_decision`.
    Decision(DecisionPayload),
    /// Of a `human_reward_overlay`.
    Reward(RewardPayload),
    /// Of a `quota_scheduler_hint`.
    Quota(QuotaPayload),
    /// Of a `handoff_packet_pointer`.
    Handoff(HandoffPayload),
    /// Of a `handoff_packet_pointer`, in the short form of the contract's sample.
    HandoffSummary(HandoffSummaryPayload),
    /// Of an `artifact_pointer`.
    Artifact(ArtifactPayload),
    /// Of a `run_projection_pointer`.
    Run(RunPayload),
}

/// What a decision says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionPayload {
    /// The gate that was decided.
    pub decision_id: Id,
    /// What was decided.
    pub decision_label: Id,
    /// The class of who decided; never an agent or a host.
    pub actor_class: RequiredActor,
    /// Why, in one line.
    pub reason_summary: Line,
    /// The receipt of the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_run_id: Option<Id>,
}

/// What a person thinks of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RewardPayload {
    /// The reward.
    pub reward_id: Id,
    /// The run that is judged.
    pub judged_run_id: Id,
    /// The judgment.
    pub decision_label: Id,
    /// Why, in one line.
    pub reason: Line,
}

/// A hint to the scheduler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuotaPayload {
    /// The hint.
    pub hint: QuotaHint,
    /// The window it is about.
    pub window_id: Id,
    /// Why, in one word.
    pub reason_code: Id,
}

/// The next action of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandoffPayload {
    /// The handoff.
    pub handoff_id: Id,
    /// What to do next.
    pub next_action: Line,
    /// When to stop.
    pub stop_condition: Line,
    /// Ids of facts that support it.
    #[serde(default)]
    pub evidence_pointers: Vec<Id>,
}

/// A handoff in the short form of the contract's sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandoffSummaryPayload {
    /// What was approved.
    pub decision_label: Id,
    /// The next action in one line.
    pub summary: Line,
    /// How many facts support it.
    pub evidence_pointer_count: u32,
}

/// An artifact, by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactPayload {
    /// The artifact.
    pub artifact_id: Id,
    /// What its validation is called.
    pub validation_label: Id,
    /// How its outcome is classed.
    pub outcome_class: Id,
}

/// A run, by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunPayload {
    /// The run.
    pub run_id: Id,
    /// What its validation is called.
    pub validation_label: Id,
    /// How its outcome is classed.
    pub outcome_class: Id,
}

/// What a writeback does not carry and does not permit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteBoundary {
    /// No transcript is here.
    pub raw_transcripts_copied: False,
    /// Nothing that tools printed is here.
    pub raw_tool_outputs_copied: False,
    /// No credential is here.
    pub credentials_copied: False,
    /// No path of a machine is here.
    pub private_paths_copied: False,
    /// It starts nothing.
    pub launch_authority_granted: False,
}

/// What came of a writeback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteResult {
    /// What came of it.
    pub status: WritebackStatus,
    /// The host's event.
    pub runtime_event_id: Nullable<Id>,
    /// The receipt of an apply.
    pub loopx_writeback_run_id: Nullable<Id>,
    /// Why it was skipped, rejected or failed, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Line>,
}

/// The payload's schema is chosen by the class, so that a message never comes from the form of another class.
impl JsonSchema for Write {
    fn schema_name() -> Cow<'static, str> {
        "Write".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let short = generator.subschema_for::<HandoffSummaryPayload>();
        let long = generator.subschema_for::<HandoffPayload>();
        let handoff = json_schema!({
            "if": { "anyOf": [{ "required": ["summary"] }, { "required": ["evidence_pointer_count"] }] },
            "then": short,
            "else": long,
        });
        let branches: Vec<Schema> = WriteClass::ALL
            .iter()
            .map(|class| {
                let payload = match class {
                    WriteClass::OperatorGateDecision => generator.subschema_for::<DecisionPayload>(),
                    WriteClass::HumanRewardOverlay => generator.subschema_for::<RewardPayload>(),
                    WriteClass::QuotaSchedulerHint => generator.subschema_for::<QuotaPayload>(),
                    WriteClass::HandoffPacketPointer => handoff.clone(),
                    WriteClass::ArtifactPointer => generator.subschema_for::<ArtifactPayload>(),
                    WriteClass::RunProjectionPointer => generator.subschema_for::<RunPayload>(),
                };
                json_schema!({
                    "if": { "properties": { "write_class": { "const": class.word() } }, "required": ["write_class"] },
                    "then": { "properties": { "payload": payload } },
                })
            })
            .collect();
        json_schema!({
            "type": "object",
            "properties": {
                "write_class": generator.subschema_for::<WriteClass>(),
                "mode": generator.subschema_for::<WritebackMode>(),
                "idempotency_key": generator.subschema_for::<Line>(),
                "payload": true,
            },
            "required": ["write_class", "mode", "idempotency_key", "payload"],
            "additionalProperties": false,
            "allOf": branches,
        })
    }
}

/// What an adapter knows about the target when it judges a writeback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    /// A read-only projection names goal, agent, runtime and session.
    pub projection_exists: bool,
    /// The source event has its receipt.
    pub source_recorded: bool,
    /// The target can preview.
    pub previews: bool,
    /// The preview of this writeback was shown.
    pub previewed: bool,
    /// The classes that the target takes.
    pub classes: Vec<WriteClass>,
    /// The keys that the target has.
    pub keys: Vec<Line>,
}

impl Default for Knowledge {
    /// All entry criteria hold, every class is taken, and nothing was written yet.
    fn default() -> Self {
        Self {
            projection_exists: true,
            source_recorded: true,
            previews: true,
            previewed: true,
            classes: WriteClass::ALL.to_vec(),
            keys: Vec::new(),
        }
    }
}

impl Writeback {
    /// Lists what no schema says: whether target, source, class, key, mode and result belong together.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let source = &self.loopx_source;
        let mut faults = Vec::new();
        if self.runtime.runtime_id == *"none" {
            faults.push(Fault::at("runtime.runtime_id", ContractRule::NoRuntime));
        }
        if source.source_run_id.get().is_none() && source.source_todo_id.get().is_none() {
            faults.push(Fault::at("loopx_source", ContractRule::NoSource));
        }
        let class = source.source_event_class.write_class();
        if self.writeback.write_class != class {
            faults.push(Fault::at("writeback.write_class", ContractRule::ClassMismatch).about(class.word()));
        }
        if !self.has_derived_key() {
            faults.push(Fault::at("writeback.idempotency_key", ContractRule::KeyMismatch));
        }
        faults.extend(self.result_faults());
        faults
    }

    /// Lists which entry criteria do not hold, and what the target's keys say against the result.
    #[must_use]
    pub fn entry_faults(&self, known: &Knowledge) -> Vec<Fault> {
        let Write { write_class, mode, idempotency_key, .. } = &self.writeback;
        let applied_again = self.result.status == WritebackStatus::Applied && known.keys.contains(idempotency_key);
        let conditions = [
            (known.projection_exists, ContractRule::NoProjection),
            (known.source_recorded, ContractRule::SourceNotRecorded),
            (known.previews, ContractRule::NoPreviewSupport),
            (known.classes.contains(write_class), ContractRule::ClassNotTaken),
            (known.previewed || *mode == WritebackMode::DryRun, ContractRule::NotPreviewed),
            (!applied_again, ContractRule::AppliedTwice),
        ];
        let broken = conditions.into_iter().filter(|(holds, _)| !holds);
        broken.map(|(_, rule)| Fault::at("writeback", rule)).collect()
    }

    /// Whether the key is `goal:source run:class`. A source without a run leaves the middle open.
    fn has_derived_key(&self) -> bool {
        let key = self.writeback.idempotency_key.as_str();
        let Some(rest) = key.strip_prefix(self.goal_id.as_str()).and_then(|rest| rest.strip_prefix(':')) else {
            return false;
        };
        let class = self.writeback.write_class.word();
        let Some(run) = rest.strip_suffix(class).and_then(|rest| rest.strip_suffix(':')) else { return false };
        self.loopx_source.source_run_id.get().map_or(!run.is_empty(), |source| *source == *run)
    }

    /// Whether mode and result belong together.
    fn result_faults(&self) -> Vec<Fault> {
        let WriteResult { status, runtime_event_id, loopx_writeback_run_id, .. } = &self.result;
        let apply = self.writeback.mode == WritebackMode::Apply;
        let possible = match status {
            WritebackStatus::Previewed => !apply,
            WritebackStatus::Applied | WritebackStatus::Skipped => apply,
            WritebackStatus::Rejected | WritebackStatus::Failed => true,
        };
        let named = *status != WritebackStatus::Applied || runtime_event_id.get().is_some();
        let conditions = [
            (possible, "result.status", ContractRule::ImpossibleResult),
            (named, "result.runtime_event_id", ContractRule::NoRuntimeEvent),
            (loopx_writeback_run_id.get().is_some() == apply, "result.loopx_writeback_run_id", ContractRule::ResultRun),
        ];
        let broken = conditions.into_iter().filter(|(holds, _, _)| !holds);
        broken.map(|(_, field, rule)| Fault::at(field, rule)).collect()
    }
}
