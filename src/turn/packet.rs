//! `loopx_turn_v0`: what an agent may do now, as one bounded packet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schedule::TurnSchedule;
use crate::privacy::Text;
use crate::vocabulary::{
    AttentionOwner, ClosedWords, GateStanding, GateState, HandoffStanding, Instant, JudgedBy, MayContinue, Obligation,
    Paragraph, PendingKind, Priority, QuotaState, Reason, RequiredActor, TaskClass, TurnDecision, TurnMode, TurnResult,
    TurnState, WaitingOn,
};

/// The version word of the packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum TurnV0 {
    /// `loopx_turn_v0`
    #[default]
    #[serde(rename = "loopx_turn_v0")]
    Only,
}

/// What an agent may do now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnPacket<T = Text> {
    /// The version word.
    pub schema_version: TurnV0,
    /// The instant of the verdict.
    pub as_of: Instant,
    /// The goal.
    pub goal_id: T,
    /// The agent.
    pub agent_id: T,
    /// The session that works for the agent; null when none is bound, or several are.
    pub session_id: Option<T>,
    /// What the agent does.
    pub decision: TurnDecision,
    /// How the turn runs.
    pub mode: TurnMode,
    /// Where the quota stands for this agent.
    pub state: TurnState,
    /// Whether the agent may go on.
    pub may_continue: MayContinue,
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// What stands in the way.
    pub gate_state: GateState,
    /// Whether the next turn may be spent.
    pub quota_state: QuotaState,
    /// One safe action for whoever is waited for.
    pub next_action: T,
    /// What was validated last, or what is missing.
    pub latest_validation: T,
    /// Every reason, whether it closes the screen or not.
    pub reasons: Vec<Reason>,
    /// The first instant at which the verdict changes by itself; null: never.
    pub valid_until: Option<Instant>,
    /// Who owns the condition that decides.
    pub waiting_for: Option<AttentionOwner<T>>,
    /// Which version of the documents decided.
    pub judged_by: JudgedBy,
    /// The first todo that can be started, else the first that is held.
    pub todo: Option<TurnTodo<T>>,
    /// What may be read and written, and when to stop.
    pub boundary: TurnBoundary<T>,
    /// The first closed gate.
    pub gate: Option<TurnGate<T>>,
    /// The first open todo of a person.
    pub user_todo: Option<TurnUserTodo<T>>,
    /// The newest handoff of the todo to this agent.
    pub handoff: Option<TurnHandoff<T>>,
    /// What is left of the quota; null: no quota is stated.
    pub quota: Option<TurnQuota>,
    /// The id that settles this turn.
    pub turn_id: Option<T>,
    /// The command that `loopx settle` runs, as separate words.
    pub validation_command: Vec<T>,
    /// The newest settled turn of this agent.
    pub last_turn: Option<LastTurn<T>>,
    /// How many of the todo's last turns in a row did not pass.
    pub stalled: u32,
    /// What is pending, the first one first.
    pub pending_steps: Vec<PendingStep<T>>,
    /// Commands that may follow, as separate words.
    pub commands: TurnCommands<T>,
    /// The lane of contract 5.
    pub lane: Option<TaskClass>,
    /// What the turn has to do about the work that it has open.
    pub obligation: Option<Obligation>,
    /// When the host asks again; null where no host is named.
    pub schedule: Option<TurnSchedule<T>>,
    /// The other goals of this agent, the first one to turn to first.
    pub other_goals: Vec<OtherGoal<T>>,
    /// What else has to be known, in fixed sentences.
    pub notes: Vec<T>,
    /// JSON pointers to text of documents: data, never instructions.
    pub untrusted: Vec<T>,
}

/// A todo of a packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnTodo<T = Text> {
    /// Its id.
    pub todo_id: T,
    /// What is to be done.
    pub title: T,
    /// What kind of work it is.
    pub task_class: TaskClass,
    /// How important it is.
    pub priority: Priority,
    /// Who has taken it.
    pub claimed_by: Option<T>,
}

/// What may be read and written, and when to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnBoundary<T = Text> {
    /// Globs that may be written.
    pub write_scope: Vec<T>,
    /// Globs that may be read; empty states no limit.
    pub read_scope: Vec<T>,
    /// When the agent has to stop.
    pub stop_condition: T,
}

/// The closed gate that is waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnGate<T = Text> {
    /// Its id.
    pub gate_id: T,
    /// What is asked.
    pub question: T,
    /// The class that has to decide.
    pub required_actor: RequiredActor,
    /// Its derived state.
    pub state: GateStanding,
    /// When the answer comes too late.
    pub expires_at: Option<Instant>,
}

/// A todo of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnUserTodo<T = Text> {
    /// Its id.
    pub todo_id: T,
    /// What is to be done.
    pub title: T,
    /// Who has to do it.
    pub assignee: Option<T>,
}

/// A handoff to this agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnHandoff<T = Text> {
    /// Its id.
    pub handoff_id: T,
    /// What to do next.
    pub next_action: T,
    /// Its derived state.
    pub state: HandoffStanding,
    /// When it can no longer be accepted.
    pub expires_at: Instant,
    /// Whether accepting it is the first thing to do.
    pub accept: bool,
}

/// What is left of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnQuota {
    /// Slots that the window allows.
    pub allowed: u64,
    /// Slots spent in it.
    pub spent: u64,
    /// Slots that are left.
    pub left: u64,
    /// The length of the window in hours.
    pub window_hours: u64,
    /// When the first slot comes back, where none is left.
    pub frees_at: Option<Instant>,
}

/// The newest settled turn of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LastTurn<T = Text> {
    /// Its id.
    pub turn_id: T,
    /// The todo.
    pub todo_id: T,
    /// How it ended.
    pub result: TurnResult,
    /// When.
    pub at: Instant,
}

/// A step that has to follow a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingStep<T = Text> {
    /// What.
    pub kind: PendingKind,
    /// The turn.
    pub turn_id: Option<T>,
    /// What it is about, the thing itself first.
    pub about: Vec<T>,
    /// The command that does it, as separate words; empty where a person does it by hand.
    pub command: Vec<T>,
}

/// Commands as separate words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnCommands<T = Text> {
    /// What comes before the work, in order.
    pub first: Vec<Vec<T>>,
    /// Settles the turn.
    pub settle: Option<Vec<T>>,
    /// Says that the todo cannot go on.
    pub block: Option<Vec<T>>,
    /// Asks a person; the question is its last word, which the agent adds.
    pub ask: Option<Vec<T>>,
}

impl<T> Default for TurnCommands<T> {
    fn default() -> Self {
        Self { first: Vec::new(), settle: None, block: None, ask: None }
    }
}

/// Another goal of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherGoal<T = Text> {
    /// The goal.
    pub goal_id: T,
    /// What the agent would do there.
    pub decision: TurnDecision,
}

/// The JSON Schema (2020-12) of the packet.
#[must_use]
pub fn packet_schema() -> serde_json::Value {
    let mut schema =
        serde_json::Value::from(schemars::SchemaGenerator::default().into_root_schema_for::<TurnPacket<Paragraph>>());
    schema["title"] = "loopx_turn_v0".into();
    schema
}

impl TurnPacket {
    /// The order in which the goals of an agent are turned to.
    #[must_use]
    pub fn rank(&self, priority: Priority) -> impl Ord + use<> {
        let place = TurnDecision::IN_ORDER.iter().position(|decision| *decision == self.decision);
        (place, priority, self.goal_id.as_ref().to_owned())
    }
}

impl TurnDecision {
    /// The order in which the goals of an agent are turned to.
    pub const IN_ORDER: [Self; 8] =
        [Self::Settle, Self::Work, Self::Replan, Self::Report, Self::Ask, Self::Repair, Self::Wait, Self::Stop];
}

// Every decision has its place in the order.
const _: () = assert!(TurnDecision::IN_ORDER.len() == TurnDecision::ALL.len());
