//! `loopx_settle_v0`: what settling a turn did, with the next packet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::packet::{PendingStep, TurnPacket};
use crate::privacy::Text;
use crate::vocabulary::{Paragraph, SettleRefusal, TurnResult, TurnValidation};

/// The version word of a settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum SettleV0 {
    /// `loopx_settle_v0`
    #[default]
    #[serde(rename = "loopx_settle_v0")]
    Only,
}

/// What settling a turn did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settlement<T = Text> {
    /// The version word.
    pub schema_version: SettleV0,
    /// The turn.
    pub turn_id: T,
    /// The todo.
    pub todo_id: T,
    /// How the turn ended; null: it was refused, and is not settled.
    pub result: Option<TurnResult>,
    /// What came of the goal's command.
    pub validation: TurnValidation,
    /// Whether the turn was settled before.
    pub replayed: bool,
    /// Whether a slot was spent for it.
    pub spent: bool,
    /// The files that were written, or would be.
    pub written: Vec<T>,
    /// Why nothing was settled.
    pub refused: Option<SettleRefusal>,
    /// What is pending after it.
    pub pending_steps: Vec<PendingStep<T>>,
    /// What the agent may do next.
    pub next: TurnPacket<T>,
}

/// The JSON Schema (2020-12) of a settlement.
#[must_use]
pub fn settlement_schema() -> serde_json::Value {
    let mut schema =
        serde_json::Value::from(schemars::SchemaGenerator::default().into_root_schema_for::<Settlement<Paragraph>>());
    schema["title"] = "loopx_settle_v0".into();
    schema
}
