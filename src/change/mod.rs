//! What people and agents do, written into the documents: each act becomes the smallest edit of the file it belongs to,
//! and what is new becomes a file of its own.
//!
//! Comes in: one document with its text, the act, and who acts when. Goes out: the texts that hold the act, or a
//! [`Refusal`]. Must not know: disk, git, who is allowed to act (the rules judge the result), or what follows.

mod actor;
mod binding;
mod fact;
mod gate;
mod goal;
mod handoff;
mod id;
mod editor;
mod proposal;
mod refusal;
mod new_document;
mod todo;
mod writeback;

use std::collections::BTreeMap;

pub use actor::{NewActor, POLICY_FILE, add_actor, new_salt};
pub use fact::{FactItem, ItemFault, Reporting, record_item, refresh};
pub use id::{name_of, new_id, new_todo_id, slug_of};
pub use new_document::{NewDocument, says_the_same, start};
pub use refusal::Refusal;

use crate::vocabulary::{
    self, ActorClass, Digest, GateDecision, GoalStatus, Id, Instant, Kind, Label, Line, Record, ResumeWhen,
    WorkspaceSettings,
};
use editor::DocumentEditor;

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
    fn answering(&self, requested: Instant) -> Instant {
        if self.at == requested { self.at.after(vocabulary::Duration::seconds(1)) } else { self.at }
    }

    /// An act whose class nothing asks for.
    fn act(&self, reason: Option<&Line>) -> vocabulary::Act {
        vocabulary::Act { by: self.by.clone(), actor_class: None, at: self.at, reason: reason.cloned() }
    }

    /// An act with its class.
    fn classed_act(&self, reason: Option<&Line>) -> vocabulary::ClassedAct {
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

/// Writes an act into the document that it is done to; gives each file that changes, by path. A file whose text stays
/// as it is says the same already.
///
/// # Errors
/// The document has such an act already, another document has to say it, or the file is written in a way that no edit
/// fits.
pub fn carry_out(
    act: &Action,
    source: SourceDocument<'_>,
    actor: &Actor,
    settings: &WorkspaceSettings,
) -> Result<BTreeMap<String, String>, Refusal> {
    if source.record.kind() != act.kind() {
        return Err(Refusal::OtherKind { is: source.record.kind(), wanted: act.kind() });
    }
    let mut editor = DocumentEditor::new(source);
    let mut written = BTreeMap::new();
    match (source.record, act) {
        (Record::Gate(gate), Action::Decide { label, reason, until }) => {
            gate::decide(&mut editor, gate, actor, (*label, reason, *until))?;
        }
        (Record::Gate(gate), Action::AskAgain { evidence, expires_at }) => {
            gate::ask_again(&mut editor, gate, actor, evidence, *expires_at)?;
        }
        (Record::Gate(gate), Action::Withdraw { reason, .. }) => {
            gate::withdraw(&mut editor, gate, actor, reason.as_ref())?;
        }
        (Record::Handoff(handoff), Action::Approve { reason }) => {
            handoff::approve(&mut editor, handoff, actor, reason.as_ref())?;
        }
        (Record::Handoff(handoff), Action::Accept) => handoff::accept(&mut editor, handoff, actor)?,
        (Record::Handoff(handoff), Action::Withdraw { reason, .. }) => {
            handoff::withdraw(&mut editor, handoff, actor, reason.as_ref())?;
        }
        (Record::Handoff(handoff), Action::Renew { entropy, expires_at, evidence }) => {
            handoff::withdraw(&mut editor, handoff, actor, None)?;
            let expires_at = expires_at.unwrap_or(actor.at.after(settings.handoff_ttl));
            written.extend(handoff::anew(handoff, *entropy, expires_at, evidence));
        }
        (Record::Todo(todo), act) => written.extend(todo::carry_out(&mut editor, todo, act, actor)?),
        (Record::Goal(goal), Action::Register { agent, scope }) => goal::register(&mut editor, goal, agent, scope)?,
        (Record::Goal(goal), Action::SetGoalStatus { status }) => goal::set_status(&mut editor, goal, *status)?,
        (Record::Proposal(proposal), Action::Promote { reason, todo, id }) => {
            written.extend(proposal::promote(&mut editor, proposal, actor, reason, (todo, id), settings)?);
        }
        (Record::Proposal(proposal), Action::RejectProposal { reason }) => {
            proposal::reject(&mut editor, proposal, actor, reason)?;
        }
        (Record::WritebackRequest(request), Action::ApprovePreview { digest }) => {
            writeback::approve(&mut editor, request, digest)?;
        }
        (Record::Binding(binding), Action::Close { reason }) => {
            binding::close(&mut editor, binding, actor, reason.as_ref())?;
        }
        (record, _) => return Err(Refusal::OtherKind { is: record.kind(), wanted: act.kind() }),
    }
    written.insert(source.path.to_owned(), editor.text());
    Ok(written)
}
