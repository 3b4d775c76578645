//! `openviking_session_memory_adapter_v0`: memory of an issue fix, as references and gates only.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::{ClosedWords, Vocabulary, version, vocabulary};
use super::contract::{ContractFault, ContractRule, False, Nullable, addresses};
use super::text::{Id, Line};
use super::time::Instant;
use super::words::{GateState, QuotaState, WaitingOn};
use crate::document::Route;

version!(MemoryV0 = "openviking_session_memory_adapter_v0");
version!(Specializes = "session_runtime_loopx_projection_v0");

vocabulary! {
    /// How a projection may be used.
    ProjectionMode, "projection_mode", "a projection mode" {
        ReadOnlyProjection = "read_only_projection": "it is read and never writes back",
    }
}
vocabulary! {
    /// Whether memory may be looked up.
    RetrievalMode, "retrieval_mode", "a retrieval mode" {
        PreviewOnly = "preview_only": "references are shown, nothing is fetched",
        Disabled = "disabled": "no lookup is wanted",
        FutureGated = "future_gated": "a later contract has to allow it",
    }
}
vocabulary! {
    /// What a memory was made from.
    MemorySource, "memory_source", "a memory source" {
        PriorIssue = "prior_issue": "an issue that was fixed before",
        SessionOutcome = "session_outcome": "the outcome of a session",
        OperatorNote = "operator_note": "a person's note",
        ValidationSummary = "validation_summary": "the summary of a validation",
        Unknown = "unknown": "nobody can say",
    }
}
vocabulary! {
    /// How well a memory fits; never a number.
    ScoreBucket, "score_bucket", "a score bucket" {
        High = "high": "fits well",
        Medium = "medium": "fits in part",
        Low = "low": "fits badly",
        Unknown = "unknown": "nobody can say",
    }
}
vocabulary! {
    /// What would need authority before it is done.
    MemoryCapability, "memory_capability", "a memory capability" {
        LiveRetrieval = "live_openviking_retrieval": "looks up memory in the memory system",
        MemoryWriteback = "memory_writeback": "writes into the memory system",
        IssueBodyRead = "issue_body_read": "reads the body of an issue",
        CommentBodyRead = "comment_body_read": "reads comments of an issue",
        RawToolOutputIngest = "raw_tool_output_ingest": "takes in what tools printed",
        ExternalPublish = "external_issue_comment_or_pr_publish": "publishes a comment or a pull request",
    }
}
vocabulary! {
    /// Why a capability stays closed; version 0 opens none.
    RetrievalState, "retrieval_state", "a retrieval state" {
        FutureGated = "future_gated": "a later contract has to allow it",
        BlockedWithoutAuthority = "blocked_without_authority": "nobody with authority has allowed it",
    }
}
vocabulary! {
    /// What the memory of a goal can give.
    MemoryState, "memory_state", "a memory state" {
        PreviewOnly = "preview_only": "references are shown, nothing is fetched",
        FutureGated = "future_gated": "a later contract has to allow more",
        Blocked = "blocked": "something is in the way",
        Disabled = "disabled": "no memory is wanted",
    }
}
vocabulary! {
    /// Who owns one part of the truth.
    TruthSource, "truth_source", "a source of truth" {
        LoopxGoalState = "loopx_goal_state": "goals, todos, gates and receipts",
        SessionRuntimeProjection = "session_runtime_projection": "what the session runtime reports",
        PublicIssueMetadata = "public_issue_metadata": "what the issue tracker shows to everybody",
        MemorySystemRefs = "memory_system_refs": "references into the memory system",
    }
}

/// The vocabularies of this document.
pub(super) const WORDS: &[Vocabulary] = &[
    ProjectionMode::VOCABULARY,
    RetrievalMode::VOCABULARY,
    MemorySource::VOCABULARY,
    ScoreBucket::VOCABULARY,
    MemoryCapability::VOCABULARY,
    RetrievalState::VOCABULARY,
    MemoryState::VOCABULARY,
    TruthSource::VOCABULARY,
];

/// What is known about earlier fixes of one issue, as references and gates only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The kind of this document.
    pub schema_version: MemoryV0,
    /// Always a projection that is only read.
    pub mode: ProjectionMode,
    /// The contract that this one narrows.
    pub specializes: Specializes,
    /// Its goal.
    pub goal_id: Id,
    /// When the adapter made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<Instant>,
    /// The issue, without its text.
    pub issue_projection: IssueProjection,
    /// The sessions that worked on it.
    pub session_projection: SessionProjection,
    /// The memories that might help.
    pub memory_projection: MemoryProjection,
    /// What stays closed, one gate for each capability.
    pub retrieval_gates: Vec<RetrievalGate>,
    /// The first screen.
    pub status_projection: StatusProjection,
    /// What it was made from.
    pub evidence_projection: EvidenceProjection,
    /// Names of capabilities that a later contract may open.
    pub future_gates: Vec<Id>,
    /// Who owns the truth, and what the adapter may never do.
    pub truth_contract: TruthContract,
}

/// The issue, without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IssueProjection {
    /// The issue tracker, such as `github`.
    pub provider: Id,
    /// The repository, as owner and name.
    #[schemars(extend("pattern" = "^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"))]
    pub repo: Line,
    /// The number of the issue.
    #[schemars(range(min = 1))]
    pub issue_number: u64,
    /// The id by which documents name the issue; the name of the file.
    pub issue_ref_id: Id,
    /// The issue in one line, written by a person or the adapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_summary: Option<Line>,
    /// The issue's text is not here.
    pub issue_body_copied: False,
    /// Its comments are not here.
    pub comment_bodies_copied: False,
    /// The tracker's own record is not here.
    pub provider_payload_copied: False,
}

/// The sessions that worked on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionProjection {
    /// The runtime family.
    pub runtime_id: Id,
    /// Handles of sessions.
    #[schemars(length(min = 1))]
    pub session_refs: Vec<Id>,
    /// The newest event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_event_ref: Option<Id>,
    /// Todos about the issue.
    #[schemars(length(min = 1))]
    pub linked_todo_ids: Vec<Id>,
    /// Outcomes of the sessions.
    #[serde(default)]
    pub outcome_refs: Vec<Id>,
    /// No trajectory is here.
    pub raw_trajectory_copied: False,
    /// No transcript is here.
    pub raw_transcripts_copied: False,
    /// Nothing that tools printed is here.
    pub raw_tool_outputs_copied: False,
}

/// The memories that might help, never their content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryProjection {
    /// The part of the memory system.
    pub namespace: Id,
    /// Whether memory may be looked up.
    pub retrieval_mode: RetrievalMode,
    /// Nothing was looked up.
    pub live_retrieval_performed: False,
    /// Nothing was written.
    pub writeback_performed: False,
    /// Why a lookup would help.
    pub query_summary: Line,
    /// How many memories were asked for.
    #[schemars(range(min = 1))]
    pub top_k_preview: u32,
    /// References to memories, at most as many as were asked for.
    #[schemars(length(min = 1))]
    pub candidate_refs: Vec<Candidate>,
}

/// A reference to one memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Its id, `mem_` and something after it.
    #[schemars(extend("pattern" = "^mem_[A-Za-z0-9]"))]
    pub memory_ref_id: Id,
    /// What it was made from.
    pub source_kind: MemorySource,
    /// How well it fits.
    pub score_bucket: ScoreBucket,
    /// What it is about.
    pub summary: Line,
    /// Its content is not here.
    pub raw_memory_copied: False,
}

/// Why one capability stays closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RetrievalGate {
    /// What stays closed.
    pub capability: MemoryCapability,
    /// Why.
    pub state: RetrievalState,
    /// Whose authority would open it.
    pub required_authority: Line,
    /// What waits for it.
    pub blocks: Line,
}

/// The first screen, in contract 2's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatusProjection {
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// The next step.
    pub next_action: Line,
    /// Whether a person has to act; never together with `agent_can_continue`.
    pub user_action_required: bool,
    /// Whether the agent may go on.
    pub agent_can_continue: bool,
    /// The first todo of the agent.
    pub first_agent_todo: Nullable<Line>,
    /// The gate.
    pub gate_state: GateState,
    /// The quota.
    pub quota_state: QuotaState,
    /// What memory can give.
    pub memory_state: MemoryState,
}

/// What the projection was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceProjection {
    /// References to goals, issues, sessions, memories, todos and runs.
    #[schemars(length(min = 1))]
    pub source_refs: Vec<EvidenceRef>,
    /// References to checks and reviews.
    #[schemars(length(min = 1))]
    pub validation_refs: Vec<EvidenceRef>,
    /// No trajectory is here.
    pub raw_trajectories_copied: False,
    /// No comment is here.
    pub comment_bodies_copied: False,
    /// Nothing that tools printed is here.
    pub raw_tool_outputs_copied: False,
    /// No credential is here.
    pub credentials_copied: False,
    /// No path of a machine is here.
    pub private_paths_copied: False,
    /// What may be said in public.
    pub public_safe_summary: Line,
}

/// A reference by kind and id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRef {
    /// What it refers to.
    pub kind: Id,
    /// Its id.
    pub id: Id,
}

/// Who owns the truth, and what the adapter may never do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TruthContract {
    /// All four owners, in any order.
    #[schemars(length(min = 4, max = 4), extend("uniqueItems" = true))]
    pub source_of_truth: Vec<TruthSource>,
    /// The adapter writes nothing.
    pub adapter_is_writable: False,
    /// It looks nothing up.
    pub live_retrieval_allowed: False,
    /// It writes no memory.
    pub memory_writeback_allowed: False,
    /// It reads no issue.
    pub issue_body_read_allowed: False,
    /// It reads no comment.
    pub comment_body_read_allowed: False,
    /// It takes in nothing that tools printed.
    pub tool_output_ingest_allowed: False,
}

impl MemoryCapability {
    /// Whether a document without a gate for this capability is refused.
    fn needs_gate(self) -> bool {
        self != Self::ExternalPublish
    }
}

impl Memory {
    /// Lists what no schema says.
    #[must_use]
    pub fn faults(&self) -> Vec<ContractFault> {
        let document = serde_json::to_value(self).expect("a record is JSON");
        let addresses = addresses(&document).into_iter();
        let mut faults: Vec<_> =
            addresses.map(|route| ContractFault { route, rule: ContractRule::Address, about: None }).collect();
        faults.extend(self.gate_faults());
        let names: BTreeSet<&str> = self.future_gates.iter().map(Id::as_str).collect();
        let missing = MemoryCapability::ALL.iter().filter(|capability| !names.contains(capability.word()));
        faults.extend(
            missing.map(|each| ContractFault::at("future_gates", ContractRule::FutureGateMissing).about(each.word())),
        );
        let MemoryProjection { candidate_refs, top_k_preview, .. } = &self.memory_projection;
        if candidate_refs.len() > usize::try_from(*top_k_preview).unwrap_or(usize::MAX) {
            faults.push(ContractFault::at("memory_projection.candidate_refs", ContractRule::TooManyCandidates));
        }
        if self.status_projection.user_action_required && self.status_projection.agent_can_continue {
            faults.push(ContractFault::at("status_projection.agent_can_continue", ContractRule::ContradictingStatus));
        }
        faults
    }

    /// One gate for each capability, no more and no less.
    fn gate_faults(&self) -> Vec<ContractFault> {
        let mut seen = BTreeSet::new();
        let mut faults = Vec::new();
        for (index, gate) in self.retrieval_gates.iter().enumerate() {
            if !seen.insert(gate.capability) {
                let route = Route::of("retrieval_gates").index(index).key("capability");
                faults.push(ContractFault { route, rule: ContractRule::GateTwice, about: None });
            }
        }
        let missing = MemoryCapability::ALL.iter().filter(|each| each.needs_gate() && !seen.contains(each));
        faults.extend(
            missing.map(|each| ContractFault::at("retrieval_gates", ContractRule::GateMissing).about(each.word())),
        );
        faults
    }
}
