//! What a change is made of: the action, who acts, and the document that it is done to.

use super::new_document::NewDocument;
use crate::vocabulary::{Digest, GateDecision, GoalStatus, HostSurface, Id, Instant, Kind, Label, Line, ResumeWhen};

/// An action that a command carries out on one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Answers a gate.
    Decide {
        /// The answer.
        label: GateDecision,
        /// Why.
        reason: Line,
        /// When a deferred gate is asked again.
        until: Option<Instant>,
    },
    /// Asks a gate again: one that was answered, that expired, or whose evidence is outdated.
    AskAgain {
        /// What supports the request from now on; empty: what supported it before.
        evidence: Vec<Id>,
        /// When the answer comes too late; `None`: one that expired gets as long as it had.
        expires_at: Option<Instant>,
    },
    /// Approves a handoff that no gate approves.
    Approve {
        /// Why.
        reason: Option<Line>,
    },
    /// Takes a handoff over.
    Accept,
    /// Withdraws a handoff and drafts it anew.
    Renew {
        /// What makes the new one's id differ.
        entropy: u64,
        /// When the new one can no longer be accepted; `None`: after what the workspace gives handoffs.
        expires_at: Option<Instant>,
        /// What supports the new one; empty: what supported the old one.
        evidence: Vec<Id>,
    },
    /// Takes a gate or a handoff back.
    Withdraw {
        /// Which of the two.
        kind: Kind,
        /// Why.
        reason: Option<Line>,
    },
    /// Says that a todo is done.
    Finish {
        /// What shows it, beside what stands there.
        evidence: Vec<Id>,
    },
    /// Claims a todo for the agent that acts.
    Claim,
    /// Gives the claim of a todo back.
    Release,
    /// Says that a todo cannot go on.
    Block,
    /// Puts a todo off.
    Defer {
        /// What resumes it.
        until: ResumeWhen,
    },
    /// Opens a todo that is blocked or deferred.
    Resume,
    /// Puts a todo off until a new one, which takes its place, is done.
    Supersede {
        /// What is to be done instead.
        title: Label,
        /// The id of the new todo.
        new: Id,
    },
    /// Makes a todo wait for another todo in place of one.
    Reorder {
        /// The todo that it no longer waits for.
        old: Id,
        /// The todo that it waits for instead.
        new: Id,
    },
    /// Changes the status of a goal.
    SetGoalStatus {
        /// The new status.
        status: GoalStatus,
    },
    /// Approves a proposal, which becomes a todo.
    Promote {
        /// Why.
        reason: Line,
        /// The todo that it becomes.
        todo: NewDocument,
        /// The id of that todo.
        id: Id,
    },
    /// Rejects a proposal.
    RejectProposal {
        /// Why.
        reason: Line,
    },
    /// Lets an agent work on a goal.
    Register {
        /// The agent.
        agent: Id,
        /// What it may do, in one line.
        scope: Line,
    },
    /// Approves the preview of a writeback.
    ApprovePreview {
        /// The digest of that preview.
        digest: Digest,
    },
    /// Closes the binding of a session.
    Close {
        /// Why.
        reason: Option<Line>,
    },
    /// Puts a new binding of the same agent in the place of one.
    Replace {
        /// Why.
        reason: Option<Line>,
        /// The id of the new binding.
        new: Id,
        /// What the new binding is attached to; `None`: the same as the old one.
        form: Option<BindingForm>,
    },
}

/// Who owns the process of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingForm {
    /// A host, on this surface.
    Attached(HostSurface),
    /// loopx itself.
    Managed,
}

impl Action {
    /// The kind of document that it is done to.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Decide { .. } | Self::AskAgain { .. } => Kind::Gate,
            Self::Approve { .. } | Self::Accept | Self::Renew { .. } => Kind::Handoff,
            Self::Withdraw { kind, .. } => *kind,
            Self::Finish { .. }
            | Self::Claim
            | Self::Release
            | Self::Block
            | Self::Defer { .. }
            | Self::Resume
            | Self::Supersede { .. }
            | Self::Reorder { .. } => Kind::Todo,
            Self::Register { .. } | Self::SetGoalStatus { .. } => Kind::Goal,
            Self::Promote { .. } | Self::RejectProposal { .. } => Kind::Proposal,
            Self::ApprovePreview { .. } => Kind::WritebackRequest,
            Self::Close { .. } | Self::Replace { .. } => Kind::Binding,
        }
    }
}
