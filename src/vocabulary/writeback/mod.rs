//! `session_runtime_controlled_writeback_v0`: what a host may be told, and what came of it (contract 3).
//!
//! A reader takes ids and lines of bounded length; the program writes [`Text`](crate::privacy::Text). So the document is
//! generic over both.

mod criteria;
mod faults;
mod payload;
mod words;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::closed::version;
use super::contract::{False, Nullable};
use super::text::{Id, Line};
use super::words::WritebackMode;
use crate::vocabulary::closed::ClosedWords;
pub use criteria::{CRITERIA, Criterion, CriterionRow};
pub use faults::Knowledge;
pub use payload::{
    ArtifactPayload, DecisionPayload, HandoffPayload, HandoffSummaryPayload, Payload, QuotaPayload, RewardPayload,
    RunPayload,
};
pub(super) use words::WORDS;
pub use words::{QuotaHint, SourceEvent, WriteClass, WritebackStatus};

version!(WritebackV0 = "session_runtime_controlled_writeback_v0");

/// A writeback: previewed, or carried out with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Writeback")]
pub struct Writeback<I = Id, L = Line> {
    /// The kind of this document.
    pub schema_version: WritebackV0,
    /// Its goal.
    pub goal_id: I,
    /// The agent of the session.
    pub agent_id: I,
    /// The session that is told.
    pub runtime: WritebackTarget<I>,
    /// What it reflects.
    pub loopx_source: LoopxSource<I>,
    /// What the host is told.
    pub writeback: Write<I, L>,
    /// What it does not carry and does not permit.
    pub boundary: WriteBoundary,
    /// What came of it.
    pub result: WriteResult<I, L>,
}

/// The session that is told; always a bound one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Target")]
pub struct WritebackTarget<I = Id> {
    /// The runtime family.
    pub runtime_id: I,
    /// The session.
    pub session_id: I,
}

/// What a writeback reflects: a recorded event, by run or todo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "I: Deserialize<'de>"))]
#[schemars(rename = "LoopxSource")]
pub struct LoopxSource<I = Id> {
    /// The receipt of the event.
    #[serde(default)]
    pub source_run_id: Nullable<I>,
    /// The todo it is about.
    #[serde(default)]
    pub source_todo_id: Nullable<I>,
    /// What kind of event it is.
    pub source_event_class: SourceEvent,
}

/// What the host is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write<I = Id, L = Line> {
    /// The class, which decides the payload.
    pub write_class: WriteClass,
    /// Whether it is only previewed.
    pub mode: WritebackMode,
    /// Goal, source and class; a target takes a key at most once.
    pub idempotency_key: L,
    /// The compact content.
    pub payload: Payload<I, L>,
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
#[serde(deny_unknown_fields, bound(deserialize = "I: Deserialize<'de>, L: Deserialize<'de>"))]
#[schemars(rename = "WriteResult")]
pub struct WriteResult<I = Id, L = Line> {
    /// What came of it.
    pub status: WritebackStatus,
    /// The host's event.
    pub runtime_event_id: Nullable<I>,
    /// The receipt of an apply.
    pub loopx_writeback_run_id: Nullable<I>,
    /// Why it was skipped, rejected or failed, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<L>,
}

/// The payload's schema is chosen by the class, so that a message never comes from the form of another class.
impl<I: JsonSchema, L: JsonSchema> JsonSchema for Write<I, L> {
    fn schema_name() -> Cow<'static, str> {
        "Write".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let short = generator.subschema_for::<HandoffSummaryPayload<I, L>>();
        let long = generator.subschema_for::<HandoffPayload<I, L>>();
        let handoff = json_schema!({
            "if": { "anyOf": [{ "required": ["summary"] }, { "required": ["evidence_pointer_count"] }] },
            "then": short,
            "else": long,
        });
        let branches: Vec<Schema> = WriteClass::ALL
            .iter()
            .map(|class| {
                let payload = match class {
                    WriteClass::OperatorGateDecision => generator.subschema_for::<DecisionPayload<I, L>>(),
                    WriteClass::HumanRewardOverlay => generator.subschema_for::<RewardPayload<I, L>>(),
                    WriteClass::QuotaSchedulerHint => generator.subschema_for::<QuotaPayload<I>>(),
                    WriteClass::HandoffPacketPointer => handoff.clone(),
                    WriteClass::ArtifactPointer => generator.subschema_for::<ArtifactPayload<I>>(),
                    WriteClass::RunProjectionPointer => generator.subschema_for::<RunPayload<I>>(),
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
                "idempotency_key": generator.subschema_for::<L>(),
                "payload": true,
            },
            "required": ["write_class", "mode", "idempotency_key", "payload"],
            "additionalProperties": false,
            "allOf": branches,
        })
    }
}
