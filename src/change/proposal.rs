//! Acts on proposals.

use super::editor::DocumentEditor;
use super::new_document::start;
use super::{Actor, NewDocument, Refusal};
use crate::vocabulary::{Decision, GateDecision, Id, Line, Proposal, WorkspaceSettings};

/// Approves a proposal and starts the todo that it becomes; gives that todo's file, or nothing where it became one
/// already.
pub(super) fn promote(
    editor: &mut DocumentEditor<'_>,
    proposal: &Proposal,
    actor: &Actor,
    reason: &Line,
    (todo, id): (&NewDocument, &Id),
    settings: &WorkspaceSettings,
) -> Result<Option<(String, String)>, Refusal> {
    let is_decided = decided(proposal, GateDecision::Approve)?;
    if is_decided && proposal.promoted_todo_id.is_some() {
        return Ok(None);
    }
    if !is_decided {
        decide(editor, actor, GateDecision::Approve, reason)?;
    }
    editor.put("promoted_todo_id", id, &["decision"])?;
    start(todo, &proposal.goal_id, id, actor, settings).map(Some)
}

/// Rejects a proposal.
pub(super) fn reject(
    editor: &mut DocumentEditor<'_>,
    proposal: &Proposal,
    actor: &Actor,
    reason: &Line,
) -> Result<(), Refusal> {
    match decided(proposal, GateDecision::Reject)? {
        true => Ok(()),
        false => decide(editor, actor, GateDecision::Reject, reason),
    }
}

/// Whether a proposal was decided so. One that was put off is still to be decided.
fn decided(proposal: &Proposal, label: GateDecision) -> Result<bool, Refusal> {
    match proposal.decision.as_ref().map(|decision| decision.label) {
        None | Some(GateDecision::Defer) => Ok(false),
        Some(decided) if decided == label => Ok(true),
        Some(decided) => Err(Refusal::DecidedOtherwise { proposal: proposal.proposal_id.clone(), label: decided }),
    }
}

fn decide(editor: &mut DocumentEditor<'_>, actor: &Actor, label: GateDecision, reason: &Line) -> Result<(), Refusal> {
    let (actor_class, by, at) = (actor.actor_class, actor.by.clone(), actor.at);
    editor.put("decision", &Decision { label, actor_class, by, at, reason: reason.clone(), until: None }, &[])
}
