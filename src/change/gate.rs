//! Acts on gates.

use super::pen::Pen;
use super::{Hand, Refusal};
use crate::document::Route;
use crate::vocabulary::{Decision, Gate, GateDecision, Id, Instant, Line};

/// The command that asks a gate again.
const ASK: &str = "loopx gate ask";

/// Answers a gate that has no answer yet.
pub(super) fn decide(
    pen: &mut Pen<'_>,
    gate: &Gate,
    hand: &Hand,
    (label, reason, until): (GateDecision, &Line, Option<Instant>),
) -> Result<(), Refusal> {
    unanswered(gate)?;
    let (actor_class, by, at) = (hand.actor_class, hand.by.clone(), hand.at);
    pen.put("decision", &Decision { label, actor_class, by, at, reason: reason.clone(), until }, &[])
}

/// Takes back a request that has no answer yet.
pub(super) fn withdraw(pen: &mut Pen<'_>, gate: &Gate, hand: &Hand, reason: Option<&Line>) -> Result<(), Refusal> {
    unanswered(gate)?;
    pen.put("withdrawn", &hand.classed_act(reason), &[])
}

/// Renews the request; one that was answered gets the next revision, and its answer goes.
pub(super) fn ask_again(
    pen: &mut Pen<'_>,
    gate: &Gate,
    hand: &Hand,
    evidence: &[Id],
    expires_at: Option<Instant>,
) -> Result<(), Refusal> {
    if gate.decision.is_some() || gate.withdrawn.is_some() {
        pen.remove("decision")?;
        pen.remove("withdrawn")?;
        pen.put("revision", &(gate.revision + 1), &["blocks", "required_actor"])?;
    }
    let requested = Route::root().key("requested");
    if gate.requested.actor_class.is_none() && gate.requested.reason.is_none() {
        pen.set(&requested.clone().key("by"), hand.by.as_str())?;
        pen.set(&requested.key("at"), &hand.at.to_string())?;
    } else {
        pen.put("requested", &hand.act(None), &[])?;
    }
    if !evidence.is_empty() {
        pen.put("evidence", &evidence, &["requested"])?;
    }
    let as_long_as_before = || {
        let expired = gate.expires_at.filter(|end| *end <= hand.at)?;
        Some(hand.at.after(expired.since(gate.requested.at)))
    };
    match expires_at.or_else(as_long_as_before) {
        Some(end) => pen.put("expires_at", &end, &["evidence", "requested"]),
        None => Ok(()),
    }
}

fn unanswered(gate: &Gate) -> Result<(), Refusal> {
    let field = match (&gate.decision, &gate.withdrawn) {
        (Some(_), _) => "decision",
        (None, Some(_)) => "withdrawn",
        (None, None) => return Ok(()),
    };
    Err(Refusal::Standing { id: gate.gate_id.clone(), field, instead: Some(ASK) })
}
