//! The desired documents: what people and agents want (product.md 2). Exactly the fields of its table.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::version;
use super::shape::{Blocks, StaleAfter};
use super::text::{Digest, Glob, Id, Label, Line, Paragraph, ResumeWhen};
use super::time::{Duration, Instant};
use super::words::{
    ActorClass, AdmissionVerdict, Capability, CommitVia, GateDecision, GoalStatus, HostKind, HostSurface, Priority,
    ProposalType, RequiredActor, RewardLabel, Rotation, SessionMode, Storage, TaskClass, TodoStatus, WritebackMode,
};

version!(WorkspaceV0 = "loopx_workspace_v0");
version!(GoalV0 = "loopx_goal_v0");
version!(TodoV0 = "loopx_todo_v0");
version!(GateV0 = "operator_gate_v0");
version!(HandoffV0 = "handoff_packet_v0");
version!(RewardV0 = "human_reward_v0");
version!(ProposalV0 = "dreaming_proposal_v0");
version!(BindingV0 = "loopx_agent_session_binding_v0");
version!(WritebackRequestV0 = "loopx_writeback_request_v0");
version!(AdmissionV0 = "host_admission_v0");

/// The mark and the settings of a state directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceSettings {
    /// The kind of this document.
    pub schema_version: WorkspaceV0,
    /// A name for this state directory, for people who have several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Id>,
    /// Whether facts are committed.
    #[serde(default = "ignored")]
    pub facts: Storage,
    /// Whether outputs are committed.
    #[serde(default = "ignored")]
    pub outputs: Storage,
    /// When the facts of a live session become stale.
    #[serde(default)]
    pub stale_after: StaleAfter,
    /// How long a handoff that is renewed can be accepted.
    #[serde(default = "three_days")]
    pub handoff_ttl: Duration,
    /// When the next host session may take the place of the one that holds a binding.
    #[serde(default = "never", skip_serializing_if = "is_never")]
    pub rotation: Rotation,
    /// Where decisions count.
    #[serde(default)]
    pub authority: AuthoritySettings,
    /// How receipts are committed.
    #[serde(default)]
    pub commit: CommitSettings,
}

impl Default for WorkspaceSettings {
    fn default() -> Self {
        Self {
            schema_version: WorkspaceV0::default(),
            workspace_id: None,
            facts: ignored(),
            outputs: ignored(),
            stale_after: StaleAfter::default(),
            handoff_ttl: three_days(),
            rotation: never(),
            authority: AuthoritySettings::default(),
            commit: CommitSettings::default(),
        }
    }
}

fn never() -> Rotation {
    Rotation::Never
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_never(rotation: &Rotation) -> bool {
    *rotation == Rotation::Never
}

fn ignored() -> Storage {
    Storage::Ignored
}

fn three_days() -> Duration {
    Duration::hours(72)
}

/// The settings of the branch whose receipts count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuthoritySettings {
    /// A branch name, or `HEAD`.
    #[serde(rename = "ref", default = "head")]
    pub reference: Line,
}

impl Default for AuthoritySettings {
    fn default() -> Self {
        Self { reference: head() }
    }
}

fn head() -> Line {
    Line::new("HEAD")
}

/// The settings of how receipts are committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitSettings {
    /// Who writes the commit.
    #[serde(default = "gix")]
    pub via: CommitVia,
}

impl Default for CommitSettings {
    fn default() -> Self {
        Self { via: gix() }
    }
}

fn gix() -> CommitVia {
    CommitVia::Gix
}

/// What a team wants reached, who owns it and who may work on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The kind of this document.
    pub schema_version: GoalV0,
    /// The id of the goal; the name of its folder.
    pub goal_id: Id,
    /// A short name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Label>,
    /// What is true when the goal is reached.
    pub objective: Line,
    /// The person who owns it.
    pub owner: Id,
    /// Agents that may work on it, each with its scope in one line.
    pub agents: BTreeMap<Id, Line>,
    /// What may be read and written, and when to stop.
    pub boundary: Boundary,
    /// Where it stands by its owner's word.
    #[serde(default = "active")]
    pub status: GoalStatus,
    /// How important it is.
    #[serde(default = "p1")]
    pub priority: Priority,
    /// What it is not about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub non_goals: Vec<Line>,
    /// Where its authority comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authority_sources: Vec<Line>,
    /// How many turns agents may spend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<Quota>,
    /// The command that validates it, as separate words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation_command: Vec<Line>,
}

fn active() -> GoalStatus {
    GoalStatus::Active
}

fn p1() -> Priority {
    Priority::P1
}

/// What may be read and written, and when to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// Globs that may be read; absent means no limit is stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_scope: Vec<Glob>,
    /// Globs that may be written.
    pub write_scope: Vec<Glob>,
    /// When the agent has to stop.
    pub stop_condition: Line,
}

/// How many turns agents may spend in a rolling window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quota {
    /// Slots in the window; absent: window, slot length and compute decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_slots: Option<u32>,
    /// Hours of the window.
    #[serde(default = "a_day")]
    #[schemars(range(min = 1, max = 8760))]
    pub window_hours: u32,
    /// Minutes of one slot.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1440))]
    pub slot_minutes: u32,
    /// The share of the window that may be used, 0 to 1.
    #[serde(default = "whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub compute: f64,
}

impl Quota {
    /// The slots that the window allows: as stated, else the share of it that may be used. A share of nothing allows none.
    #[must_use]
    pub fn allowed_slots_in_window(&self) -> u64 {
        let share = self.compute.clamp(0.0, 1.0);
        let slots = f64::from(self.window_hours) * 60.0 / f64::from(self.slot_minutes.max(1)) * share;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a year of minutes")]
        match self.allowed_slots {
            _ if share <= 0.0 => 0,
            Some(slots) => u64::from(slots),
            None => slots.round() as u64,
        }
    }

    /// Whether more may be spent than under another quota: more slots at once, or more in the long run.
    #[must_use]
    pub fn allows_more_than(&self, other: &Self) -> bool {
        let (own, others) = (self.allowed_slots_in_window(), other.allowed_slots_in_window());
        own > others || own * u64::from(other.window_hours.max(1)) > others * u64::from(self.window_hours.max(1))
    }
}

// A quota is compared as the numbers a person wrote; the schema admits no NaN.
impl Eq for Quota {}

fn a_day() -> u32 {
    24
}

fn one() -> u32 {
    1
}

fn whole() -> f64 {
    1.0
}

/// One piece of work of a goal, for an agent or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Todo {
    /// The kind of this document.
    pub schema_version: TodoV0,
    /// Its goal.
    pub goal_id: Id,
    /// Its id; the name of the file.
    pub todo_id: Id,
    /// What is to be done.
    pub title: Label,
    /// What kind of work it is.
    pub task_class: TaskClass,
    /// Where it stands.
    #[serde(default = "open")]
    pub status: TodoStatus,
    /// How important it is within the goal.
    #[serde(default = "p1")]
    pub priority: Priority,
    /// Todos that have to be done first; the only edge between todos.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Id>,
    /// Who has taken it, as a standing claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<Id>,
    /// Who has to do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Id>,
    /// Ids of facts that support it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Id>,
    /// When it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_at: Option<Instant>,
    /// What a deferred todo waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_when: Option<ResumeWhen>,
    /// How often a monitor looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cadence: Option<Duration>,
    /// When a monitor is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_due_at: Option<Instant>,
    /// When it is not worth doing any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Instant>,
    /// Whether a monitor only looks and never acts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub watch_only: bool,
}

fn open() -> TodoStatus {
    TodoStatus::Open
}

/// Something somebody did: who and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Who.
    pub by: Id,
    /// The class of who, as a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_class: Option<ActorClass>,
    /// When.
    pub at: Instant,
    /// Why, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Line>,
}

/// An act whose class counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassedAct {
    /// Who.
    pub by: Id,
    /// The class of who.
    pub actor_class: ActorClass,
    /// When.
    pub at: Instant,
    /// Why, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Line>,
}

/// An act that has to say why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReasonedAct {
    /// Who.
    pub by: Id,
    /// The class of who.
    pub actor_class: ActorClass,
    /// When.
    pub at: Instant,
    /// Why, in one line.
    pub reason: Line,
}

/// A question that a person has to decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The kind of this document.
    pub schema_version: GateV0,
    /// Its goal.
    pub goal_id: Id,
    /// Its id; the name of the file.
    pub gate_id: Id,
    /// What is asked.
    pub question: Line,
    /// The class that has to decide.
    pub required_actor: RequiredActor,
    /// What it blocks: a list of todos, `none` (advisory), or absent: the whole goal.
    #[serde(default, skip_serializing_if = "Blocks::is_goal")]
    pub blocks: Blocks,
    /// Raised to ask a decided gate again.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1))]
    pub revision: u32,
    /// Who asked and when.
    pub requested: Act,
    /// Ids of facts that support the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Id>,
    /// When the answer comes too late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Instant>,
    /// The answer; counts when its receipt is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The request was taken back; counts when its receipt is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<ClassedAct>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_one(revision: &u32) -> bool {
    *revision == 1
}

/// The answer to a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What was decided.
    pub label: GateDecision,
    /// The class of who decided.
    pub actor_class: ActorClass,
    /// Who decided.
    pub by: Id,
    /// When.
    pub at: Instant,
    /// Why, in one line.
    pub reason: Line,
    /// When a deferred gate is asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
}

/// The approved next action for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    /// The kind of this document.
    pub schema_version: HandoffV0,
    /// Its goal.
    pub goal_id: Id,
    /// Its id; the name of the file.
    pub handoff_id: Id,
    /// The agent that hands over.
    pub from_agent: Id,
    /// The agent that takes over.
    pub to_agent: Id,
    /// The todo that is handed over.
    pub todo_id: Id,
    /// The gate whose approval approves this handoff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_id: Option<Id>,
    /// What to do next.
    pub next_action: Line,
    /// When to stop.
    pub stop_condition: Line,
    /// What may be written; absent: what the goal allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_scope: Vec<Glob>,
    /// When it can no longer be accepted.
    pub expires_at: Instant,
    /// Ids of facts that support it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Id>,
    /// A person approved it; never beside `gate_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<ClassedAct>,
    /// The agent accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Act>,
    /// It was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<ClassedAct>,
}

/// A person's judgment of a run, an outcome or a handoff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reward {
    /// The kind of this document.
    pub schema_version: RewardV0,
    /// Its goal.
    pub goal_id: Id,
    /// Its id; the name of the file.
    pub reward_id: Id,
    /// The run, outcome or handoff that is judged.
    pub judges: Id,
    /// The judgment.
    pub reward: RewardLabel,
    /// Who judged, when and why.
    pub given: ReasonedAct,
    /// What to learn from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<Paragraph>,
}

/// One session of one agent: who runs it and what it can do (contract 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The kind of this document.
    pub schema_version: BindingV0,
    /// Its goal.
    pub goal_id: Id,
    /// The one id of the session everywhere; the name of the file.
    pub session_id: Id,
    /// The agent it runs for.
    pub agent_id: Id,
    /// Who owns the process; absent reads `managed_runtime`, with a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_mode: Option<SessionMode>,
    /// Where an attached session lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_surface: Option<HostSurface>,
    /// What executes it; never the agent's own id.
    pub executor_endpoint_id: Id,
    /// What an attached host can do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attached_capabilities: Vec<Capability>,
    /// The label of its one ordered queue.
    #[serde(default = "main")]
    pub channel_id: Id,
    /// The person who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<Id>,
    /// The command of a managed session, as separate words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<Line>,
    /// The route is gone; work state is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Act>,
    /// Another binding took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Act>,
}

fn main() -> Id {
    Id::new("main")
}

/// A wish to tell a host what was recorded (contract 3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WritebackRequest {
    /// The kind of this document.
    pub schema_version: WritebackRequestV0,
    /// Its goal.
    pub goal_id: Id,
    /// Its id; the name of the file.
    pub request_id: Id,
    /// The session to tell.
    pub session_id: Id,
    /// The gate, handoff, reward, artifact or run to tell about.
    pub source: Id,
    /// Whether it is only previewed.
    pub mode: WritebackMode,
    /// The digest of the preview that was approved; needed with `apply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_preview_digest: Option<Digest>,
}

/// An advisory idea from background exploration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The kind of this document.
    pub schema_version: ProposalV0,
    /// Its goal.
    pub goal_id: Id,
    /// Its id; the name of the file.
    pub proposal_id: Id,
    /// What it is about.
    pub proposal_type: ProposalType,
    /// The idea.
    pub summary: Paragraph,
    /// Ids that support it, at most five.
    #[schemars(length(max = 5))]
    pub evidence: Vec<Id>,
    /// What a person said to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The todo it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promoted_todo_id: Option<Id>,
}

/// The nine checks that a host passed before it may bind sessions (contract 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// The kind of this document.
    pub schema_version: AdmissionV0,
    /// The host; the name of its folder.
    pub host_kind: HostKind,
    /// The mode it is admitted for.
    pub mode: SessionMode,
    /// One explicit mode for each binding.
    #[serde(rename = "1")]
    pub row_1: AdmissionRow,
    /// A registered agent, and an executor endpoint apart from it.
    #[serde(rename = "2")]
    pub row_2: AdmissionRow,
    /// Never a second executor.
    #[serde(rename = "3")]
    pub row_3: AdmissionRow,
    /// Input comes through the ordered queue or a declared path.
    #[serde(rename = "4")]
    pub row_4: AdmissionRow,
    /// Conversation is a proposal until it is written.
    #[serde(rename = "5")]
    pub row_5: AdmissionRow,
    /// Results are validated independently.
    #[serde(rename = "6")]
    pub row_6: AdmissionRow,
    /// Host storage has no authority.
    #[serde(rename = "7")]
    pub row_7: AdmissionRow,
    /// Readback is typed and public-safe.
    #[serde(rename = "8")]
    pub row_8: AdmissionRow,
    /// It can be removed without a migration.
    #[serde(rename = "9")]
    pub row_9: AdmissionRow,
}

/// One check of an admission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdmissionRow {
    /// What was found.
    pub verdict: AdmissionVerdict,
    /// Where it was shown.
    pub evidence: Line,
}
