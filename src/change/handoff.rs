//! Acts on handoffs.

use super::editor::{DocumentEditor, page_of};
use super::id::{new_id, slug_of};
use super::{Actor, Refusal};
use crate::vocabulary::{Handoff, Id, Instant, Line, Record};

/// The command that drafts a handoff anew.
const RENEW: &str = "loopx handoff renew";

/// Approves a handoff that no gate approves.
pub(super) fn approve(
    editor: &mut DocumentEditor<'_>,
    handoff: &Handoff,
    actor: &Actor,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    if let Some(gate) = &handoff.gate_id {
        return Err(Refusal::ApprovedByGate { handoff: handoff.handoff_id.clone(), gate: gate.clone() });
    }
    lacks(handoff, "approved", handoff.approved.is_some())?;
    stands(handoff)?;
    editor.put("approved", &actor.classed_act(reason), &[])
}

/// Takes a handoff over.
pub(super) fn accept(editor: &mut DocumentEditor<'_>, handoff: &Handoff, actor: &Actor) -> Result<(), Refusal> {
    lacks(handoff, "accepted", handoff.accepted.is_some())?;
    stands(handoff)?;
    editor.put("accepted", &actor.act(None), &[])
}

/// Takes a handoff back.
pub(super) fn withdraw(
    editor: &mut DocumentEditor<'_>,
    handoff: &Handoff,
    actor: &Actor,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    stands(handoff)?;
    editor.put("withdrawn", &actor.classed_act(reason), &[])
}

/// The same handoff under a new id, with no act on it yet: its place, which every handoff has, and its text.
pub(super) fn anew(handoff: &Handoff, entropy: u64, expires_at: Instant, evidence: &[Id]) -> Option<(String, String)> {
    let id = Id::new(new_id(slug_of(handoff.handoff_id.as_str()), entropy));
    let mut renewed = Handoff {
        handoff_id: id.clone(),
        expires_at,
        approved: None,
        accepted: None,
        withdrawn: None,
        ..handoff.clone()
    };
    if !evidence.is_empty() {
        renewed.evidence = evidence.to_vec();
    }
    page_of(&Record::Handoff(renewed), &handoff.goal_id, &id)
}

fn stands(handoff: &Handoff) -> Result<(), Refusal> {
    lacks(handoff, "withdrawn", handoff.withdrawn.is_some())
}

fn lacks(handoff: &Handoff, field: &'static str, is_there: bool) -> Result<(), Refusal> {
    match is_there {
        true => Err(Refusal::Standing { id: handoff.handoff_id.clone(), field, instead: Some(RENEW) }),
        false => Ok(()),
    }
}
