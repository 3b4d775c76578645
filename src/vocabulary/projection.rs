//! `session_runtime_loopx_projection_v0`: the first screen of one goal and agent (contract 2), as anybody may send it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::version;
use super::contract::{ContractFault, ContractRule, False, Nullable};
use super::memory::ProjectionMode;
use super::reason::Reason;
use super::text::{Glob, Id, Line, Paragraph};
use super::time::Instant;
use super::words::{ActorClass, GateState, MayContinue, QuotaState, WaitingOn};

version!(ProjectionV0 = "session_runtime_loopx_projection_v0");

/// Where one goal and agent stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceivedProjection {
    /// The kind of this document.
    pub schema_version: ProjectionV0,
    /// The goal.
    pub goal_id: Id,
    /// The agent.
    pub agent_id: Id,
    /// The session.
    pub runtime: Runtime,
    /// What the projection was made from.
    pub loopx_refs: ReceivedRefs,
    /// What an operator has to see.
    pub first_screen: ReceivedScreen,
    /// The first moment at which the verdict changes; null: never.
    #[serde(default)]
    pub valid_until: Nullable<Instant>,
}

/// The session of a projection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// The runtime family; `none` when nothing is bound.
    pub runtime_id: Id,
    /// The session; null when nothing is bound.
    pub session_id: Nullable<Id>,
    /// Whether the host's own ids were replaced.
    pub source_ids_redacted: bool,
}

/// What a projection was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceivedRefs {
    /// The newest receipt.
    pub run_id: Nullable<Id>,
    /// The todo that is selected or blocked.
    pub todo_id: Nullable<Id>,
    /// An event of the host.
    pub event_id: Nullable<Id>,
    /// An outcome of the host.
    pub outcome_id: Nullable<Id>,
}

/// What an operator has to see: contract 2's eight fields, and the ones that stand beside them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceivedScreen {
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// The next step of whoever is waited for.
    pub next_action: Line,
    /// The first todo of a person.
    pub open_user_todo: Nullable<Line>,
    /// The first todo that the agent can run.
    pub first_executable_agent_todo: Nullable<Line>,
    /// The newest validation, or what is missing.
    pub latest_validation: Paragraph,
    /// The gate.
    pub gate_state: GateState,
    /// The quota.
    pub quota_state: QuotaState,
    /// The title of `open_user_todo`.
    #[serde(default)]
    pub open_user_todo_title: Nullable<Line>,
    /// The title of `first_executable_agent_todo`.
    #[serde(default)]
    pub first_executable_agent_todo_title: Nullable<Line>,
    /// The first gate that is closed.
    #[serde(default)]
    pub first_gate_id: Nullable<Id>,
    /// What that gate asks.
    #[serde(default)]
    pub first_gate_question: Nullable<Line>,
    /// The class of who is waited for.
    #[serde(default)]
    pub waiting_on_actor_class: Nullable<ActorClass>,
    /// Whether the agent may go on.
    #[serde(default)]
    pub may_continue: Nullable<MayContinue>,
    /// Every reason, whether it closes the screen or not.
    #[serde(default)]
    pub reasons: Vec<Reason>,
    /// What the projection does not carry, and how far the agent may go.
    pub boundary: ScreenBoundary,
}

/// What a projection does not carry, and how far the agent may go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScreenBoundary {
    /// Always a projection that is only read.
    pub mode: ProjectionMode,
    /// No transcript is here.
    pub raw_transcripts_copied: False,
    /// No credential is here.
    pub credentials_copied: False,
    /// No path of a machine is here.
    pub private_paths_copied: False,
    /// What may be read.
    #[serde(default)]
    pub read_scope: Vec<Glob>,
    /// What may be written.
    #[serde(default)]
    pub write_scope: Vec<Glob>,
    /// When the agent has to stop.
    pub stop_condition: Line,
}

impl ReceivedProjection {
    /// Lists what no schema says.
    #[must_use]
    pub fn faults(&self) -> Vec<ContractFault> {
        let contradicts = self.runtime.runtime_id == *"none" && self.runtime.session_id.get().is_some();
        let fault = || ContractFault::at("runtime.session_id", ContractRule::SessionWithoutRuntime);
        contradicts.then(fault).into_iter().collect()
    }
}
