//! `session_runtime_readonly_projection_v0`: contract 1's projection, as its builder writes it and as the contract
//! sketches it. Both are read; only the builder's form is written.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::closed::{ClosedWords, Vocabulary, version, vocabulary};
use super::contract::{False, Nullable};
use super::text::{Line, Paragraph};
use super::time::Instant;
use super::words::{OutcomeStatus, Priority, WaitingOn};

version!(ReadonlyV0 = "session_runtime_readonly_projection_v0");
version!(ReadOnly = "read_only");
version!(SessionRuntime = "session_runtime");

vocabulary! {
    /// Who or what a goal waits for, in contract 1's words.
    Waiting, "readonly_waiting_on", "a waiting_on word of contract 1" {
        Controller = "controller": "whoever answers for the process has to act",
        Human = "human": "a person has to act",
        Operator = "operator": "a person who runs sessions has to act",
        Owner = "owner": "the owner of the goal has to act",
        User = "user": "a person the work is for has to act",
        Agent = "agent": "the agent can act",
        Codex = "codex": "the agent can act",
        Runtime = "runtime": "a host or its session has to recover",
        ExternalEvidence = "external_evidence": "something outside has to happen",
        None = "none": "nothing is waited for",
    }
}
vocabulary! {
    /// The gate of a goal, in contract 1's words: the status that a host gives it.
    GateWord, "readonly_gate_state", "a gate state of contract 1" {
        Blocked = "blocked": "the gate blocks",
        NeedsDecision = "needs_decision": "a person has to decide",
        Open = "open": "the question is open",
        Pending = "pending": "the answer is awaited",
        Requested = "requested": "the question was asked",
        RequiresDecision = "requires_decision": "a person has to decide",
        Waiting = "waiting": "the answer is awaited",
        None = "none": "no gate blocks",
    }
}
vocabulary! {
    /// The lane of a goal.
    Lane, "work_lane", "a work lane" {
        UserGate = "user_gate": "a person has to decide",
        AdvancementTask = "advancement_task": "the agent has work",
        Blocker = "blocker": "something blocks the runtime",
        Monitor = "monitor": "nothing to do but watch",
    }
}
vocabulary! {
    /// The approval that contract 1's sketch reports.
    ApprovalState, "readonly_approval_state", "an approval state of contract 1" {
        None = "none": "nobody was asked",
        Pending = "pending": "the host waits for it",
        Granted = "granted": "the host was told yes",
        Denied = "denied": "the host was told no",
        Expired = "expired": "nobody answered in time",
    }
}

/// The vocabularies of this document.
pub(super) const WORDS: &[Vocabulary] =
    &[Waiting::VOCABULARY, GateWord::VOCABULARY, Lane::VOCABULARY, ApprovalState::VOCABULARY];

impl Waiting {
    /// Whether the word names a person.
    #[must_use]
    pub fn is_human(self) -> bool {
        matches!(self, Self::Controller | Self::Human | Self::Operator | Self::Owner | Self::User)
    }

    /// The word of contract 2 that says the same.
    #[must_use]
    pub fn screen(self) -> WaitingOn {
        match self {
            Self::Human | Self::Operator | Self::Owner | Self::User => WaitingOn::User,
            Self::Controller => WaitingOn::Controller,
            Self::Agent | Self::Codex => WaitingOn::Agent,
            Self::Runtime => WaitingOn::Runtime,
            Self::ExternalEvidence => WaitingOn::ExternalEvidence,
            Self::None => WaitingOn::None,
        }
    }
}

impl Lane {
    /// How urgent the lane is.
    #[must_use]
    pub fn priority(self) -> Priority {
        match self {
            Self::UserGate | Self::Blocker => Priority::P0,
            Self::AdvancementTask | Self::Monitor => Priority::P1,
        }
    }
}

/// A projection of contract 1, in either form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ReadonlyProjection {
    /// The sketch in the contract's text.
    Sketch(Sketch),
    /// What the builder writes.
    Built(Box<Built<Paragraph>>),
}

/// The form is chosen by `session_facts`, so that a message never comes from the other form.
impl JsonSchema for ReadonlyProjection {
    fn schema_name() -> Cow<'static, str> {
        "ReadonlyProjection".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": { "schema_version": generator.subschema_for::<ReadonlyV0>() },
            "required": ["schema_version"],
            "if": { "required": ["session_facts"] },
            "then": generator.subschema_for::<Sketch>(),
            "else": generator.subschema_for::<Built<Paragraph>>(),
        })
    }
}

/// The sketch in contract 1's text; read, never written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sketch {
    /// The kind of this document.
    pub schema_version: ReadonlyV0,
    /// Where the facts come from.
    pub source: SketchSource,
    /// What the host reports.
    pub session_facts: SessionFacts,
    /// What it means for the goal.
    pub goal_projection: GoalProjection,
}

/// Where the facts of a sketch come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SketchSource {
    /// Always a session runtime.
    pub host_kind: SessionRuntime,
    /// Whether the host's own ids were replaced.
    pub source_ids_redacted: bool,
}

/// What a host reports, in a sketch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionFacts {
    /// How many sessions there are.
    pub session_count: u32,
    /// When the newest event happened.
    pub latest_event_at: Nullable<Instant>,
    /// How the newest outcome ended.
    pub outcome_status: Nullable<OutcomeStatus>,
    /// Where the host's own approval stands.
    pub approval_state: ApprovalState,
    /// No transcript is here.
    pub raw_transcript_copied: False,
}

/// What the facts mean for the goal, in a sketch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoalProjection {
    /// Who or what is waited for.
    pub waiting_on: Waiting,
    /// The next step.
    pub next_action: Line,
    /// The first todo of a person.
    pub first_user_todo: Nullable<Line>,
    /// The first todo of the agent.
    pub first_agent_todo: Nullable<Line>,
    /// The newest validation.
    pub latest_validation: Nullable<Line>,
}

/// What the builder writes. `T` is how it holds texts of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Built<T> {
    /// The kind of this document.
    pub schema_version: ReadonlyV0,
    /// The goal that the summaries belong to, as it was given.
    pub goal_id: T,
    /// Always read only.
    pub mode: ReadOnly,
    /// What the projection was made from.
    pub source: ReadonlySource<T>,
    /// What was not copied, and whether raw material was offered.
    pub boundary: ReadonlyBoundary<T>,
    /// Who is waiting, on what, and what comes next.
    pub first_screen: ReadonlyScreen<T>,
    /// Which lane the goal is in, and what that permits.
    pub work_lane_contract: WorkLaneContract,
    /// The row for a queue of goals.
    pub attention_item: AttentionItem<T>,
    /// How host and projection are brought together; always the same.
    pub reconcile_rule: ReconcileRule<T>,
}

/// What a projection was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReadonlySource")]
pub struct ReadonlySource<T> {
    /// Always a session runtime.
    pub host_kind: SessionRuntime,
    /// One pointer per member, in the order of the input.
    pub source_refs: Groups<Vec<SourceRef<T>>>,
    /// The newest time of sessions, events and outcomes, as the host wrote it.
    pub latest_fact_at: Nullable<T>,
}

/// One value for each of the six groups of host summaries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Groups<G> {
    /// Sessions of the host.
    pub sessions: G,
    /// Events of those sessions.
    pub events: G,
    /// What the sessions brought about.
    pub outcomes: G,
    /// Decisions that are asked for.
    pub gates: G,
    /// Pointers to artifacts.
    pub artifacts: G,
    /// Decisions that were made.
    pub decision_results: G,
}

impl<G> Groups<G> {
    /// Lists the values in the contract's order.
    pub fn each(&self) -> [&G; 6] {
        [&self.sessions, &self.events, &self.outcomes, &self.gates, &self.artifacts, &self.decision_results]
    }

    /// Builds a value for each group from the one it has.
    pub fn map<H>(&self, build: impl Fn(&G) -> H) -> Groups<H> {
        let [sessions, events, outcomes, gates, artifacts, decision_results] = self.each().map(build);
        Groups { sessions, events, outcomes, gates, artifacts, decision_results }
    }
}

/// A pointer to one fact of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceRef<T> {
    /// The kind that the host names, else that of the group.
    pub kind: T,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<T>,
    /// The event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<T>,
    /// The outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_id: Option<T>,
    /// The gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_id: Option<T>,
    /// The approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<T>,
    /// The artifact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<T>,
    /// The call of a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<T>,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<T>,
    /// Anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<T>,
}

/// What was not copied, and whether raw material was offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReadonlyBoundary")]
pub struct ReadonlyBoundary<T> {
    /// No transcript is here.
    pub raw_transcript_copied: False,
    /// No log is here.
    pub raw_logs_copied: False,
    /// No credential is here.
    pub credentials_copied: False,
    /// It writes nothing back.
    pub runtime_writeback_allowed: False,
    /// It changes nothing in the runtime.
    pub runtime_mutation_allowed: False,
    /// Whether a summary has a key that names raw material.
    pub raw_material_detected: bool,
    /// Those keys, unique, in the order of their code points.
    pub raw_material_key_names: Vec<T>,
}

/// The answers to contract 1's four questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReadonlyFirstScreen")]
pub struct ReadonlyScreen<T> {
    /// Who or what is waited for.
    pub waiting_on: Waiting,
    /// Whether a gate asks for a person's decision.
    pub user_action_required: bool,
    /// Whether the agent may go on.
    pub agent_can_continue: bool,
    /// What the gate asks.
    pub first_user_todo: Nullable<T>,
    /// What the agent would do next; null under a gate.
    pub first_agent_todo: Nullable<T>,
    /// What the newest validation says.
    pub latest_validation: Nullable<T>,
    /// What the newest blocker says.
    pub latest_blocker: Nullable<T>,
    /// The status of the gate.
    pub gate_state: GateWord,
    /// The next step of whoever is waited for.
    pub recommended_action: Nullable<T>,
}

/// Which lane a goal is in, and what that permits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkLaneContract {
    /// The lane.
    pub lane: Lane,
    /// Whether the agent has to go on.
    pub must_attempt_work: bool,
    /// Whether a gate blocks delivery.
    pub user_gate_blocks_delivery: bool,
    /// Whether there is nothing to do but watch.
    pub monitor_only: bool,
}

/// The row for a queue of goals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttentionItem<T> {
    /// The lane.
    pub kind: Lane,
    /// How urgent it is.
    pub priority: Priority,
    /// The recommended action.
    pub title: Nullable<T>,
    /// Who or what is waited for.
    pub waiting_on: Waiting,
    /// The pointers of the source.
    pub evidence_refs: Groups<Vec<SourceRef<T>>>,
}

/// How host and projection are brought together; always the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReconcileRule<T> {
    /// Where the raw facts are.
    pub raw_fact_source: T,
    /// Where the compact projection is.
    pub compact_projection_source: T,
    /// What happens when they disagree.
    pub conflict_policy: T,
}
