//! The checks behind the table of changes. Each looks at one document in two revisions.

mod breaches;
mod authorship;
mod gates;
mod handoffs;
mod ids;
mod limits;
mod records;
mod todos;

use crate::finding::Finding;
use crate::review::fields::differences;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::acts::{ACTS, ActRow, Doer, acts_of_people};
use crate::vocabulary::{ActorClass, ClosedWords, GateStanding, HandoffStanding, Id, Todo, TodoStatus};
pub(super) use authorship::{
    actor_add, agent_approves, agent_decides, agent_does, agent_voids, asker_decides, class_not_given, other_author,
    unverified,
};
pub(super) use breaches::breaches;
pub(super) use gates::{decider_changed, decision_edited, gate_narrowed, removed};
pub(super) use handoffs::{approved_edited, retargeted, was_approved};
pub(super) use ids::{both_sides, decided_twice, identity_changed, kind_changed, mode_changed};
pub(super) use limits::{agent_widens, beyond, goal_reworded, reads_more, spends_more, widened};
pub(super) use records::{
    agent_changes_policy, answer, digest_mismatch, policy_changed, receipt_deleted, receipt_edited, receipt_invented,
};
pub(super) use todos::approved_work_changed;

pub(super) type TransitionCheck = fn(&Rule, &TouchedDocument<'_>, &mut Vec<Finding>);

/// The acts of people that the change brings or edits.
pub(super) fn new_acts<'s>(step: &'s TouchedDocument<'_>) -> impl Iterator<Item = &'static str> + 's {
    let is_new = |act: &&str| !step.is(act).is_null() && step.differs(act);
    acts_of_people(step.kind).filter(is_new)
}

/// The acts that the change brings or edits in the name of a person, those that anybody may do among them.
fn new_acts_in_names_of_people<'s>(step: &'s TouchedDocument<'_>) -> impl Iterator<Item = &'static str> + 's {
    let is_in_name = |row: &&ActRow| {
        let class = ActorClass::of(text(step, &format!("{}.actor_class", row.field)));
        row.kind == step.kind && row.doer == Doer::Anyone && class.is_some_and(ActorClass::is_person)
    };
    let others = ACTS.iter().filter(is_in_name).map(|row| row.field).filter(|act| step.differs(act));
    new_acts(step).chain(others)
}

/// The fields of which an act of people was of, that have changed since the commit that wrote the act: an approval is of
/// what was read. `free` may change.
fn changed_since(step: &TouchedDocument<'_>, act: &str, free: &[&str]) -> Vec<String> {
    let (Some(version), Some(last)) = (step.version_of(act), step.versions.last()) else { return Vec::new() };
    let changes = differences(step.versions.json(version), step.versions.json(last));
    let is_free = |field: &str| free.iter().chain(&[act]).any(|free| field.split('.').next() == Some(*free));
    changes.into_iter().map(|change| change.field).filter(|field| !is_free(field)).collect()
}

fn text<'s>(step: &'s TouchedDocument<'_>, field: &str) -> &'s str {
    step.is(field).as_str().unwrap_or_default()
}

fn quoted<T: AsRef<str>>(fields: &[T]) -> String {
    fields.iter().map(|field| format!("`{}`", field.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The standing of this gate in one plan.
pub(super) fn gate_standing(step: &TouchedDocument<'_>, is_after: bool) -> Option<GateStanding> {
    let plan = if is_after { step.it.after.plan } else { step.it.before.plan };
    plan.goals.get(step.goal.as_deref()?)?.gates.get(&*step.id).copied()
}

/// The standing of this handoff in one plan.
pub(super) fn handoff_standing(step: &TouchedDocument<'_>, is_after: bool) -> Option<HandoffStanding> {
    let plan = if is_after { step.it.after.plan } else { step.it.before.plan };
    plan.goals.get(step.goal.as_deref()?)?.handoffs.get(&*step.id).copied()
}

/// Whether a todo is there after the change, and not done.
fn is_open(step: &TouchedDocument<'_>, todo: &Id) -> bool {
    let goal = step.goal.as_deref();
    let todo = goal.and_then(|goal| step.it.after.workspace.get::<Todo>(goal, todo.as_str()));
    todo.is_some_and(|todo| todo.status != TodoStatus::Done)
}
