//! Handoffs: what was approved is what was read.

use super::{changed_since, handoff_standing, quoted};
use crate::finding::Finding;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::{GateStanding, HandoffStanding, Record};

pub(in crate::review) fn approved_edited(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let Some(Record::Handoff(_)) = step.new_record() else { return };
    if step.differs("approved") && !step.is("approved").is_null() {
        let edited = changed_since(step, "approved", &["accepted", "withdrawn"]);
        if let Some(first) = edited.first() {
            found.push(step.finding(rule, Some(first), format!("{} changed after the approval", quoted(&edited))));
            return;
        }
    }
    if step.old().is_none() {
        return;
    }
    if !was_approved(step) {
        return;
    }
    let is_of_people = step.untrusted(step.author_of("evidence")).is_none();
    let free: &[&str] = if is_of_people { &["accepted", "withdrawn", "evidence"] } else { &["accepted", "withdrawn"] };
    let edited = step.edited_but(free);
    if let Some(first) = edited.first() {
        found.push(step.finding(rule, Some(first), format!("{} changed after the approval", quoted(&edited))));
    }
}

/// Whether the base has an approval of it, be its time over or not: a later end would bring the approval back.
pub(in crate::review) fn was_approved(step: &TouchedDocument<'_>) -> bool {
    let Some(Record::Handoff(old)) = step.old() else { return false };
    let by_gate = || {
        let (goal, gate) = (step.goal.as_deref()?, old.gate_id.as_ref()?);
        step.it.before.plan.goals.get(goal)?.gates.get(gate.as_str()).copied()
    };
    match handoff_standing(step, false) {
        Some(HandoffStanding::Approved | HandoffStanding::Accepted) => true,
        Some(HandoffStanding::Expired) => {
            old.approved.is_some() || matches!(by_gate(), Some(GateStanding::Approved | GateStanding::Consumed))
        }
        _ => false,
    }
}

pub(in crate::review) fn retargeted(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Handoff(old)), Some(Record::Handoff(new))) = (step.old(), step.new_record()) else { return };
    if old.to_agent != new.to_agent {
        let registered = step.goal_after().and_then(|goal| goal.agents.get(&new.to_agent));
        let registered = registered.map_or("for nothing".to_owned(), |scope| format!("for \"{scope}\""));
        let message = format!("it went to `{}`; `{}` is registered {registered}", old.to_agent, new.to_agent);
        found.push(step.finding(rule, Some("to_agent"), message));
    }
}
