//! What a change is made of: the action, who acts, and the document that it is done to.

use crate::vocabulary::{self, ActorClass, Digest, GateDecision, Id, Instant, Kind, Line, Record};

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
}

impl Action {
    /// The kind of document that it is done to.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Decide { .. } | Self::AskAgain { .. } => Kind::Gate,
            Self::Approve { .. } | Self::Accept | Self::Renew { .. } => Kind::Handoff,
            Self::Withdraw { kind, .. } => *kind,
            Self::Finish { .. } => Kind::Todo,
            Self::Register { .. } => Kind::Goal,
            Self::ApprovePreview { .. } => Kind::WritebackRequest,
            Self::Close { .. } => Kind::Binding,
        }
    }
}

/// Who acts, in which class, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub by: Id,
    /// The class of who, as a claim.
    pub actor_class: ActorClass,
    /// When.
    pub at: Instant,
}

impl Actor {
    /// When, one second later where the request is of this very second: an answer follows its request.
    pub(super) fn answering(&self, requested: Instant) -> Instant {
        if self.at == requested { self.at.after(vocabulary::Duration::seconds(1)) } else { self.at }
    }

    /// An act whose class nothing asks for.
    pub(super) fn act(&self, reason: Option<&Line>) -> vocabulary::Act {
        vocabulary::Act { by: self.by.clone(), actor_class: None, at: self.at, reason: reason.cloned() }
    }

    /// An act with its class.
    pub(super) fn classed_act(&self, reason: Option<&Line>) -> vocabulary::ClassedAct {
        let (by, actor_class, at) = (self.by.clone(), self.actor_class, self.at);
        vocabulary::ClassedAct { by, actor_class, at, reason: reason.cloned() }
    }
}

/// A document with its text.
#[derive(Debug, Clone, Copy)]
pub struct SourceDocument<'a> {
    /// Its path below the state directory.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// What it says.
    pub record: &'a Record,
}
