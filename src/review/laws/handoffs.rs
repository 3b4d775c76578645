//! Handoffs: what was approved is what was read.

use super::{handoff_standing, quoted};
use crate::finding::Finding;
use crate::review::step::Step;
use crate::rules::Rule;
use crate::vocabulary::{HandoffStanding, Record};

pub(in crate::review) fn approved_edited(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Handoff(_)), Some(Record::Handoff(_))) = (step.old(), step.new_record()) else { return };
    if !matches!(handoff_standing(step, false), Some(HandoffStanding::Approved | HandoffStanding::Accepted)) {
        return;
    }
    let edited = step.edited_but(&["accepted", "withdrawn", "evidence"]);
    if let Some(first) = edited.first() {
        found.push(step.finding(rule, Some(first), format!("{} changed after the approval", quoted(&edited))));
    }
}

pub(in crate::review) fn retargeted(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Handoff(old)), Some(Record::Handoff(new))) = (step.old(), step.new_record()) else { return };
    if old.to_agent != new.to_agent {
        let registered = step.goal_after().and_then(|goal| goal.agents.get(&new.to_agent));
        let registered = registered.map_or("for nothing".to_owned(), |scope| format!("for \"{scope}\""));
        let message = format!("it went to `{}`; `{}` is registered {registered}", old.to_agent, new.to_agent);
        found.push(step.finding(rule, Some("to_agent"), message));
    }
}
