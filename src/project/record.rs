//! The projection as records, in the order in which they are written.

use serde::Serialize;
use std::collections::BTreeMap;

/// One value for each of the six groups of host summaries.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Groups<T> {
    /// Sessions of the host.
    pub sessions: T,
    /// Events of those sessions.
    pub events: T,
    /// What the sessions brought about.
    pub outcomes: T,
    /// Decisions that are asked for.
    pub gates: T,
    /// Pointers to artifacts.
    pub artifacts: T,
    /// Decisions that were made.
    pub decision_results: T,
}

impl<T> Groups<T> {
    /// Lists the values in the contract's order.
    pub(super) fn each(&self) -> [&T; 6] {
        [&self.sessions, &self.events, &self.outcomes, &self.gates, &self.artifacts, &self.decision_results]
    }

    /// Builds a value for each group from the one it has.
    pub(super) fn map<U>(&self, build: impl Fn(&T) -> U) -> Groups<U> {
        let [sessions, events, outcomes, gates, artifacts, decision_results] = self.each().map(build);
        Groups { sessions, events, outcomes, gates, artifacts, decision_results }
    }
}

/// `session_runtime_readonly_projection_v0`, as the builder writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadonlyProjection {
    /// Always `session_runtime_readonly_projection_v0`.
    pub schema_version: &'static str,
    /// The goal that the summaries belong to, as it was given.
    pub goal_id: String,
    /// Always `read_only`.
    pub mode: &'static str,
    /// What the projection was computed from.
    pub source: Source,
    /// What was not copied, and whether raw material was offered.
    pub boundary: Boundary,
    /// Who is waiting, on what, and what comes next.
    pub first_screen: FirstScreen,
    /// Which lane the goal is in.
    pub work_lane_contract: WorkLaneContract,
    /// The row for a queue of goals.
    pub attention_item: AttentionItem,
    /// How host and projection are brought together.
    pub reconcile_rule: ReconcileRule,
}

/// What a projection was computed from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Always `session_runtime`.
    pub host_kind: &'static str,
    /// One pointer per member, in the order of the input.
    pub source_refs: Groups<Vec<SourceRef>>,
    /// The newest time of sessions, events and outcomes, as the host wrote it.
    pub latest_fact_at: Option<String>,
}

/// A pointer to one fact of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceRef {
    /// The kind that the host names, else that of the group.
    pub kind: String,
    /// The host's ids, by the name of their key.
    #[serde(flatten)]
    pub ids: BTreeMap<&'static str, String>,
}

/// What was not copied, and whether raw material was offered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Boundary {
    /// Always false.
    pub raw_transcript_copied: bool,
    /// Always false.
    pub raw_logs_copied: bool,
    /// Always false.
    pub credentials_copied: bool,
    /// Always false.
    pub runtime_writeback_allowed: bool,
    /// Always false.
    pub runtime_mutation_allowed: bool,
    /// Whether a member has a key that names raw material.
    pub raw_material_detected: bool,
    /// Those keys, unique, in the order of their code points.
    pub raw_material_key_names: Vec<String>,
}

/// The answers to contract 1's four questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FirstScreen {
    /// Who or what the goal is waiting on: a human actor's word, `agent`, `runtime` or `none`.
    pub waiting_on: &'static str,
    /// Whether a gate asks for a human decision.
    pub user_action_required: bool,
    /// Whether the agent may go on now.
    pub agent_can_continue: bool,
    /// What the gate asks.
    pub first_user_todo: Option<String>,
    /// What the agent would do next; absent under a gate.
    pub first_agent_todo: Option<String>,
    /// What the newest validation says.
    pub latest_validation: Option<String>,
    /// What the newest blocker says.
    pub latest_blocker: Option<String>,
    /// The status word of the gate, or `none`.
    pub gate_state: &'static str,
    /// The next step for whoever is waited on.
    pub recommended_action: Option<String>,
}

/// The lane of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// A human decision is needed.
    UserGate,
    /// The agent has work.
    AdvancementTask,
    /// The runtime is blocked.
    Blocker,
    /// Nothing to do but watch.
    Monitor,
}

impl Lane {
    /// How urgent the lane is.
    pub(super) fn priority(self) -> Priority {
        match self {
            Self::UserGate | Self::Blocker => Priority::P0,
            Self::AdvancementTask | Self::Monitor => Priority::P1,
        }
    }
}

/// How urgent an attention item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Priority {
    /// Somebody is blocked.
    P0,
    /// Nobody is blocked.
    P1,
}

/// Which lane a goal is in, and what that permits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttentionItem {
    /// The lane.
    pub kind: Lane,
    /// How urgent it is.
    pub priority: Priority,
    /// The recommended action.
    pub title: Option<String>,
    /// Who or what the goal is waiting on.
    pub waiting_on: &'static str,
    /// The pointers of the source.
    pub evidence_refs: Groups<Vec<SourceRef>>,
}

/// How host and projection are brought together; always the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReconcileRule {
    /// Where the raw facts are.
    pub raw_fact_source: &'static str,
    /// Where the compact projection is.
    pub compact_projection_source: &'static str,
    /// What happens when they disagree.
    pub conflict_policy: &'static str,
}
