//! Handoffs: what was approved is what was read.

use super::{changed_since, handoff_standing, quoted};
use crate::finding::Finding;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::{HandoffStanding, Record};

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
    if !matches!(handoff_standing(step, false), Some(HandoffStanding::Approved | HandoffStanding::Accepted)) {
        return;
    }
    let is_of_people = step.untrusted(step.author_of("evidence")).is_none();
    let free: &[&str] = if is_of_people { &["accepted", "withdrawn", "evidence"] } else { &["accepted", "withdrawn"] };
    let edited = step.edited_but(free);
    if let Some(first) = edited.first() {
        found.push(step.finding(rule, Some(first), format!("{} changed after the approval", quoted(&edited))));
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
