//! What a decision's receipt holds: derived from the decision's own fields, so every machine writes the same bytes.

use serde::Serialize;
use serde_json::{Value, json};

use super::closed::ClosedWords;
use super::desired::{Gate, Handoff, Reward};
use super::kinds::{Kind, Record};
use super::recorded::{Effect, Receipt, ReceiptSource, sha256};
use super::shape::Outcome;
use super::text::{Digest, Id, Paragraph};
use super::time::Instant;
use super::words::{ActorClass, EventClass};

/// The receipt that a document gives an effect now; `None` when it does not bring the effect about.
#[must_use]
pub fn of_effect(effect: Effect<'_>, record: &Record) -> Option<Receipt> {
    let receipt = match (effect, record) {
        (Effect::Gate(..), Record::Gate(gate)) => of_gate(gate),
        (Effect::GateWithdrawn(..), Record::Gate(gate)) => of_gate_withdrawal(gate),
        (Effect::HandoffApproved(..), Record::Handoff(handoff)) => of_handoff_approval(handoff),
        (Effect::HandoffAccepted(..), Record::Handoff(handoff)) => of_handoff_acceptance(handoff),
        (Effect::Reward(..), Record::Reward(reward)) => Some(of_reward(reward)),
        _ => None,
    };
    // The document may be at another revision by now.
    receipt.filter(|receipt| receipt.effect_key == *effect.key())
}

/// The receipt of a gate's decision; `None` when it is undecided.
#[must_use]
pub fn of_gate(gate: &Gate) -> Option<Receipt> {
    let decision = gate.decision.as_ref()?;
    let effect = Effect::Gate(gate.goal_id.as_str(), gate.gate_id.as_str(), gate.revision);
    let act = AnsweredAct { label: decision.label.word(), actor_class: decision.actor_class, at: decision.at };
    Some(receipt(effect, EventClass::OperatorGate, gate_source(gate, decision), act))
}

/// The receipt of a gate's withdrawal; `None` when the request stands.
#[must_use]
pub fn of_gate_withdrawal(gate: &Gate) -> Option<Receipt> {
    let withdrawn = gate.withdrawn.as_ref()?;
    let effect = Effect::GateWithdrawn(gate.goal_id.as_str(), gate.gate_id.as_str(), gate.revision);
    let act = AnsweredAct { label: "withdrawn", actor_class: withdrawn.actor_class, at: withdrawn.at };
    Some(receipt(effect, EventClass::OperatorGate, gate_source(gate, withdrawn), act))
}

/// The receipt of a handoff's own approval; `None` when it has none, as when a gate approves it.
#[must_use]
pub fn of_handoff_approval(handoff: &Handoff) -> Option<Receipt> {
    let approved = handoff.approved.as_ref().filter(|_| handoff.gate_id.is_none())?;
    let effect = Effect::HandoffApproved(handoff.goal_id.as_str(), handoff.handoff_id.as_str());
    let act = AnsweredAct { label: "approved", actor_class: approved.actor_class, at: approved.at };
    Some(of_handoff(effect, handoff, approved, act))
}

/// The receipt of a handoff's acceptance; `None` when nobody accepted it.
#[must_use]
pub fn of_handoff_acceptance(handoff: &Handoff) -> Option<Receipt> {
    let accepted = handoff.accepted.as_ref()?;
    let effect = Effect::HandoffAccepted(handoff.goal_id.as_str(), handoff.handoff_id.as_str());
    let actor_class = accepted.actor_class.unwrap_or(ActorClass::Agent);
    Some(of_handoff(effect, handoff, accepted, AnsweredAct { label: "accepted", actor_class, at: accepted.at }))
}

/// The receipt of a reward.
#[must_use]
pub fn of_reward(reward: &Reward) -> Receipt {
    let effect = Effect::Reward(reward.goal_id.as_str(), reward.reward_id.as_str());
    let act = AnsweredAct { label: reward.reward.word(), actor_class: reward.given.actor_class, at: reward.given.at };
    let source = source(Kind::Reward, &reward.goal_id, &reward.reward_id, json!({ "act": reward.given }));
    receipt(effect, EventClass::HumanReward, source, act)
}

/// Whether a receipt says what a document says now. Links count only where the receipt has them.
#[must_use]
pub fn agree(recorded: &Receipt, expected: &Receipt) -> bool {
    let linked = |recorded: &Option<Id>, expected: &Option<Id>| recorded.is_none() || recorded == expected;
    linked(&recorded.agent_id, &expected.agent_id)
        && linked(&recorded.todo_id, &expected.todo_id)
        && (&recorded.goal_id, &recorded.run_id, &recorded.effect_key, &recorded.source)
            == (&expected.goal_id, &expected.run_id, &expected.effect_key, &expected.source)
        && (recorded.event_class, &recorded.result, recorded.actor_class, recorded.at)
            == (expected.event_class, &expected.result, expected.actor_class, expected.at)
}

/// What was answered, by whom and when.
struct AnsweredAct {
    label: &'static str,
    actor_class: ActorClass,
    at: Instant,
}

fn receipt(effect: Effect<'_>, event_class: EventClass, source: ReceiptSource, act: AnsweredAct) -> Receipt {
    Receipt {
        schema_version: Default::default(),
        goal_id: Id::new(effect.goal_id()),
        run_id: effect.run_id(),
        effect_key: Paragraph::new(effect.key()),
        event_class,
        source,
        result: Outcome::Label(Id::new(act.label)),
        actor_class: act.actor_class,
        at: act.at,
        agent_id: None,
        todo_id: None,
        session_id: None,
        outcome_id: None,
        artifact_id: None,
    }
}

fn of_handoff(effect: Effect<'_>, handoff: &Handoff, decided: &impl Serialize, act: AnsweredAct) -> Receipt {
    let source = source(Kind::Handoff, &handoff.goal_id, &handoff.handoff_id, json!({ "act": decided }));
    Receipt {
        agent_id: Some(handoff.to_agent.clone()),
        todo_id: Some(handoff.todo_id.clone()),
        ..receipt(effect, EventClass::HandoffPacket, source, act)
    }
}

fn gate_source(gate: &Gate, decided: &impl Serialize) -> ReceiptSource {
    let mut content = json!({
        "revision": gate.revision,
        "question": gate.question,
        "required_actor": gate.required_actor,
        "act": decided,
    });
    if !gate.blocks.is_goal() {
        content["blocks"] = json!(gate.blocks);
    }
    source(Kind::Gate, &gate.goal_id, &gate.gate_id, content)
}

/// Digests what was decided in its RFC 8785 form: for sorted ASCII keys, text and whole numbers that is plain JSON.
fn source(kind: Kind, goal_id: &Id, id: &Id, mut content: Value) -> ReceiptSource {
    content["kind"] = json!(kind.row().version);
    content["goal"] = json!(goal_id);
    content["id"] = json!(id);
    let digest = Digest::new(sha256(content.to_string().as_bytes()));
    ReceiptSource { kind: Id::new(kind.row().version), id: id.clone(), digest }
}
