//! Acts on gates.

use super::editor::DocumentEditor;
use super::{Actor, Refusal};
use crate::document::Route;
use crate::vocabulary::{Decision, Gate, GateDecision, Id, Instant, Line};

/// The command that asks a gate again.
const ASK: &str = "loopx gate ask";

/// Answers a gate that has no answer yet.
pub(super) fn decide(
    editor: &mut DocumentEditor<'_>,
    gate: &Gate,
    actor: &Actor,
    (label, reason, until): (GateDecision, &Line, Option<Instant>),
) -> Result<(), Refusal> {
    unanswered(gate)?;
    let (actor_class, by, at) = (actor.actor_class, actor.by.clone(), actor.answering(gate.requested.at));
    editor.put("decision", &Decision { label, actor_class, by, at, reason: reason.clone(), until }, &[])
}

/// Takes back a request that has no answer yet.
pub(super) fn withdraw(
    editor: &mut DocumentEditor<'_>,
    gate: &Gate,
    actor: &Actor,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    unanswered(gate)?;
    editor.put("withdrawn", &actor.classed_act(reason), &[])
}

/// Renews the request; one that was answered gets the next revision, and its answer goes.
pub(super) fn ask_again(
    editor: &mut DocumentEditor<'_>,
    gate: &Gate,
    actor: &Actor,
    evidence: &[Id],
    expires_at: Option<Instant>,
) -> Result<(), Refusal> {
    if gate.decision.is_some() || gate.withdrawn.is_some() {
        editor.remove("decision")?;
        editor.remove("withdrawn")?;
        editor.put("revision", &(gate.revision + 1), &["blocks", "required_actor"])?;
    }
    let requested = Route::root().key("requested");
    if gate.requested.actor_class.is_none() && gate.requested.reason.is_none() {
        editor.set(&requested.clone().key("by"), actor.by.as_str())?;
        editor.set(&requested.key("at"), &actor.at.to_string())?;
    } else {
        editor.put("requested", &actor.act(None), &[])?;
    }
    if !evidence.is_empty() {
        editor.put("evidence", &evidence, &["requested"])?;
    }
    let as_long_as_before = || {
        let expired = gate.expires_at.filter(|end| *end <= actor.at)?;
        Some(actor.at.after(expired.since(gate.requested.at)))
    };
    match expires_at.or_else(as_long_as_before) {
        Some(end) => editor.put("expires_at", &end, &["evidence", "requested"]),
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
