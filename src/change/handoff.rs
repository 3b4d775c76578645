//! Acts on handoffs.

use super::id::{new_id, slug_of};
use super::pen::{Pen, page_of};
use super::{Hand, Refusal};
use crate::vocabulary::{Handoff, Id, Instant, Line, Record};

/// The command that drafts a handoff anew.
const RENEW: &str = "loopx handoff renew";

/// Approves a handoff that no gate approves.
pub(super) fn approve(pen: &mut Pen<'_>, handoff: &Handoff, hand: &Hand, reason: Option<&Line>) -> Result<(), Refusal> {
    if let Some(gate) = &handoff.gate_id {
        return Err(Refusal::ApprovedByGate { handoff: handoff.handoff_id.clone(), gate: gate.clone() });
    }
    lacks(handoff, "approved", handoff.approved.is_some())?;
    stands(handoff)?;
    pen.put("approved", &hand.classed_act(reason), &[])
}

/// Takes a handoff over.
pub(super) fn accept(pen: &mut Pen<'_>, handoff: &Handoff, hand: &Hand) -> Result<(), Refusal> {
    lacks(handoff, "accepted", handoff.accepted.is_some())?;
    stands(handoff)?;
    pen.put("accepted", &hand.act(None), &[])
}

/// Takes a handoff back.
pub(super) fn withdraw(
    pen: &mut Pen<'_>,
    handoff: &Handoff,
    hand: &Hand,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    stands(handoff)?;
    pen.put("withdrawn", &hand.classed_act(reason), &[])
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
