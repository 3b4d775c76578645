//! The checks behind the table of changes. Each looks at one document in two revisions.

mod gates;
mod handoffs;
mod hands;
mod ids;
mod limits;
mod records;

pub(super) use gates::{decider_changed, decision_edited, gate_narrowed, removed};
pub(super) use handoffs::{approved_edited, retargeted};
pub(super) use hands::{agent_decides, agent_does, asker_decides, other_author, unverified};
pub(super) use ids::{both_sides, decided_twice, identity_changed, kind_changed, mode_changed};
pub(super) use limits::{agent_widens, beyond, widened};
pub(super) use records::{
    agent_changes_policy, answer, digest_mismatch, policy_changed, receipt_deleted, receipt_edited, receipt_invented,
};

use crate::finding::Finding;
use crate::review::step::Step;
use crate::review::table::TABLE;
use crate::review::team;
use crate::rules::Rule;
use crate::vocabulary::{GateStanding, HandoffStanding, Id, Kind, Level, Record, TodoStatus};

/// Lists what of the table a step breaks, by the levels of the base.
pub(super) fn breaches(step: &Step<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for law in TABLE.iter().filter(|law| law.kinds.is_empty() || law.kinds.contains(&step.kind)) {
        (law.check)(law.rule, step, &mut found);
    }
    team::rows(step, &mut found);
    found.retain(|finding| finding.level != Level::Off);
    found
}

pub(super) type Check = fn(&Rule, &Step<'_>, &mut Vec<Finding>);

/// The acts of a kind that only people do.
pub(super) fn acts(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Gate => &["decision", "withdrawn"],
        Kind::Handoff => &["approved"],
        Kind::Reward => &["given"],
        Kind::Proposal => &["decision"],
        _ => &[],
    }
}

/// The acts of people that the change brings or edits.
pub(super) fn new_acts<'s>(step: &'s Step<'_>) -> impl Iterator<Item = &'static str> + 's {
    acts(step.kind).iter().copied().filter(|act| !step.is(act).is_null() && step.differs(act))
}

fn text<'s>(step: &'s Step<'_>, field: &str) -> &'s str {
    step.is(field).as_str().unwrap_or_default()
}

fn quoted(fields: &[&str]) -> String {
    fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ")
}

/// The standing of this gate in one plan.
pub(super) fn gate_standing(step: &Step<'_>, is_after: bool) -> Option<GateStanding> {
    let plan = if is_after { step.it.after.plan } else { step.it.before.plan };
    plan.goals.get(step.goal.as_deref()?)?.gates.get(&*step.id).copied()
}

/// The standing of this handoff in one plan.
pub(super) fn handoff_standing(step: &Step<'_>, is_after: bool) -> Option<HandoffStanding> {
    let plan = if is_after { step.it.after.plan } else { step.it.before.plan };
    plan.goals.get(step.goal.as_deref()?)?.handoffs.get(&*step.id).copied()
}

/// Whether a todo is there after the change, and not done.
fn is_open(step: &Step<'_>, todo: &Id) -> bool {
    let workspace = step.it.after.workspace;
    let goal = step.goal.as_deref().and_then(|goal| workspace.index.goals.get(goal));
    let number = goal.and_then(|goal| goal.find(Kind::Todo, todo.as_str()));
    let record = number.and_then(|number| workspace.entries[number].record.as_ref());
    matches!(record, Some(Record::Todo(todo)) if todo.status != TodoStatus::Done)
}
