//! A document and its receipt say the same.

use super::{Anchor, DocumentContext, Finding, Kind, Route, Rule, RuleCheck};
use crate::privacy::Text;
use crate::vocabulary::receipts::{agree, of_effect};
use crate::vocabulary::{ActorClass, ClosedWords, Effect, Gate, Handoff, Instant, Level, Record, Reward};

pub(super) const RULE: Rule = Rule {
    id: "receipt/conflict",
    level: Level::Error,
    summary: "a document and its receipt in the same tree disagree",
    why: "What was recorded counts and is never changed; a document that says something else hides a decision.",
    check: RuleCheck::Document(&[Kind::Gate, Kind::Handoff, Kind::Reward], check),
};

/// An effect that a document may have had, with the act that brought it about, if the document still tells it.
struct Acted<'a> {
    effect: Effect<'a>,
    field: &'static str,
    act: Option<(Option<&'static str>, Option<ActorClass>, Instant)>,
}

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(goal) = it.record.goal_id() else { return };
    for Acted { effect, field, act } in acted(it.record) {
        let workspace = it.context.workspace;
        let Some(file) = workspace.file_of(goal, Kind::Receipt, effect.run_id().as_str()) else { continue };
        let Some(Record::Receipt(receipt)) = &file.record else { continue };
        let message = match act {
            None => format!("`{field}` is recorded, and the document has none"),
            Some((_, _, at)) if at != receipt.at => format!("`{field}` is recorded with another time"),
            Some((_, Some(class), _)) if class != receipt.actor_class => {
                format!("`{field}` is recorded as the act of another class")
            }
            Some((Some(label), _, _)) if label != receipt.result.word() => {
                format!("`{field}` is recorded as `{}`", receipt.result.word())
            }
            Some(_) if of_effect(effect, it.record).is_some_and(|expected| !agree(receipt, &expected)) => {
                format!("`{field}` is recorded of another content of this document")
            }
            Some(_) => continue,
        };
        findings.push(
            it.at(Anchor::Key(Route::of(field)), message)
                .also(it.context.label(file, Text::fixed("recorded here")))
                .help(Text::fixed("restore what was recorded; a gate is asked again by raising its `revision`"))
                .now(Text::fixed("conflicting_decisions: it stays closed")),
        );
    }
}

fn acted(record: &Record) -> Vec<Acted<'_>> {
    match record {
        Record::Gate(gate) => of_gate(gate),
        Record::Handoff(handoff) => of_handoff(handoff),
        Record::Reward(reward) => vec![of_reward(reward)],
        _ => Vec::new(),
    }
}

fn of_gate(gate: &Gate) -> Vec<Acted<'_>> {
    let (goal, id) = (gate.goal_id.as_str(), gate.gate_id.as_str());
    let decision = gate.decision.as_ref();
    let withdrawn = gate.withdrawn.as_ref();
    vec![
        Acted {
            effect: Effect::Gate(goal, id, gate.revision),
            field: "decision",
            act: decision.map(|act| (Some(act.label.word()), Some(act.actor_class), act.at)),
        },
        Acted {
            effect: Effect::GateWithdrawn(goal, id, gate.revision),
            field: "withdrawn",
            act: withdrawn.map(|act| (None, Some(act.actor_class), act.at)),
        },
    ]
}

fn of_handoff(handoff: &Handoff) -> Vec<Acted<'_>> {
    let (goal, id) = (handoff.goal_id.as_str(), handoff.handoff_id.as_str());
    let approved = handoff.approved.as_ref();
    let accepted = handoff.accepted.as_ref();
    vec![
        Acted {
            effect: Effect::HandoffApproved(goal, id),
            field: "approved",
            act: approved.map(|act| (None, Some(act.actor_class), act.at)),
        },
        Acted {
            effect: Effect::HandoffAccepted(goal, id),
            field: "accepted",
            act: accepted.map(|act| (None, act.actor_class, act.at)),
        },
    ]
}

fn of_reward(reward: &Reward) -> Acted<'_> {
    Acted {
        effect: Effect::Reward(reward.goal_id.as_str(), reward.reward_id.as_str()),
        field: "given",
        act: Some((Some(reward.reward.word()), Some(reward.given.actor_class), reward.given.at)),
    }
}
