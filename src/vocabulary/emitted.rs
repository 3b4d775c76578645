//! What reconcile writes again at will: projections, the attention queue, blockers (semantics.md 7).
//!
//! The program writes [`Text`], which only the privacy wall makes; a reader takes plain text of bounded length, so what
//! is read back is generic over it (of projections, `projection` is the reader's side). Absent is null: every field is
//! always there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::version;
use super::contract::False;
use super::memory::ProjectionMode;
use super::projection::ProjectionV0;
use super::reason::Reason;
use super::time::Instant;
use super::words::{ActorClass, GateState, MayContinue, Priority, QuotaState, Severity, WaitingOn};
use crate::privacy::Text;

version!(AttentionQueueV0 = "loopx_attention_queue_v0");
version!(BlockerV0 = "loopx_blocker_v0");

/// The versions of what reconcile writes, and so may replace or remove.
pub const EMITTED_VERSIONS: [&str; 4] = [
    "session_runtime_loopx_projection_v0",
    "loopx_attention_queue_v0",
    "loopx_blocker_v0",
    "session_runtime_controlled_writeback_v0",
];

/// The first screen of one agent of one goal, with the keys that join it to a host (contract 2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Projection {
    /// The kind of this document.
    pub schema_version: ProjectionV0,
    /// Its goal.
    pub goal_id: Text,
    /// The agent it is for.
    pub agent_id: Text,
    /// The session that works for the agent.
    pub runtime: ProjectedRuntime,
    /// What the screen points at.
    pub loopx_refs: LoopxRefs,
    /// Whether the loop can go on, and if not, why.
    pub first_screen: FirstScreen,
    /// The first instant at which the verdict changes; null: it holds for ever.
    pub valid_until: Option<Instant>,
}

/// The session of a projection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectedRuntime {
    /// The runtime family; `none` when nothing is bound.
    pub runtime_id: Text,
    /// The binding's id; null when nothing is bound.
    pub session_id: Option<Text>,
    /// Whether the host's own ids were left out; always true.
    pub source_ids_redacted: bool,
}

/// The ids that a projection points at; never their content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoopxRefs {
    /// The newest receipt of this goal and agent.
    pub run_id: Option<Text>,
    /// The first executable todo, else the first blocked one.
    pub todo_id: Option<Text>,
    /// The newest event of the session.
    pub event_id: Option<Text>,
    /// The newest outcome of the session.
    pub outcome_id: Option<Text>,
}

/// What decides whether a loop can go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FirstScreen {
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// The finer word for who is waited for.
    pub waiting_on_actor_class: Option<ActorClass>,
    /// One safe action for whoever is waited for.
    pub next_action: Text,
    /// The first open todo of a person.
    pub open_user_todo: Option<Text>,
    /// Its title.
    pub open_user_todo_title: Option<Text>,
    /// The first todo that the agent may run.
    pub first_executable_agent_todo: Option<Text>,
    /// Its title.
    pub first_executable_agent_todo_title: Option<Text>,
    /// What was validated last, or what is missing; always text.
    pub latest_validation: Text,
    /// What stands in the way.
    pub gate_state: GateState,
    /// The first closed gate.
    pub first_gate_id: Option<Text>,
    /// What it asks.
    pub first_gate_question: Option<Text>,
    /// Whether the next automatic turn may be spent.
    pub quota_state: QuotaState,
    /// Whether the agent may go on now.
    pub may_continue: MayContinue,
    /// Every condition that concerns the agent, the loudest first.
    pub reasons: Vec<Reason>,
    /// What may be read and written, and when to stop.
    pub boundary: ProjectedBoundary,
}

/// The boundary of a projection; the flags are constants of every projection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectedBoundary {
    /// A projection reads and never writes.
    pub mode: ProjectionMode,
    /// Always false.
    pub raw_transcripts_copied: False,
    /// Always false.
    pub credentials_copied: False,
    /// Always false.
    pub private_paths_copied: False,
    /// Globs that may be read; empty states no limit.
    pub read_scope: Vec<Text>,
    /// Globs that may be written.
    pub write_scope: Vec<Text>,
    /// When the agent has to stop.
    pub stop_condition: Text,
}

/// Everything that waits for somebody, ranked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttentionQueue<T = Text> {
    /// The kind of this document.
    pub schema_version: AttentionQueueV0,
    /// One row for each cause: by severity, priority, how long it has waited, id.
    pub rows: Vec<AttentionRow<T>>,
    /// Every goal, by priority and id.
    pub goals: Vec<AttentionGoal<T>>,
    /// The first instant at which a row changes; null: never by itself.
    pub valid_until: Option<Instant>,
}

/// One cause that waits for somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttentionRow<T = Text> {
    /// The goal; null when the cause belongs to none.
    pub goal_id: Option<T>,
    /// The agents it concerns.
    pub agents: Vec<T>,
    /// Why.
    pub reason: Reason,
    /// How loudly it speaks.
    pub severity: Severity,
    /// The goal's priority.
    pub priority: Priority,
    /// Who can clear it.
    pub owner: AttentionOwner<T>,
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// Since when; null when nothing says so.
    pub since: Option<Instant>,
    /// What it is about, the thing itself first.
    pub about: Vec<T>,
    /// The todos it holds up.
    pub blocks: Vec<T>,
    /// The command that clears it.
    pub command: T,
    /// What it explains.
    pub consequences: Vec<AttentionConsequence<T>>,
}

/// Who can clear a condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttentionOwner<T = Text> {
    /// A name, or the bare class when nobody is named.
    pub name: T,
    /// The class.
    pub actor_class: ActorClass,
}

/// A condition that another one explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttentionConsequence<T = Text> {
    /// Why.
    pub reason: Reason,
    /// What it is about.
    pub about: Vec<T>,
}

/// One goal in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttentionGoal<T = Text> {
    /// The goal.
    pub goal_id: T,
    /// Its priority.
    pub priority: Priority,
    /// Who or what it waits for: the first of its agents' words in the order of the vocabulary.
    pub waiting_on: WaitingOn,
}

/// Why a writeback request has no preview (contract 3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blocker<T = Text> {
    /// The kind of this document.
    pub schema_version: BlockerV0,
    /// Its goal.
    pub goal_id: T,
    /// The request that is blocked.
    pub request_id: T,
    /// Why.
    pub reason: Reason,
    /// The first entry criterion that is missing, 1 to 5.
    #[schemars(range(min = 1, max = 5))]
    pub criterion: u8,
    /// What to do next.
    pub next: T,
}
