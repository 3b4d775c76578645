//! Work that people approved: what a todo asks for is what they read.

use super::gates::covers;
use super::quoted;
use crate::finding::Finding;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::{Blocks, Gate, GateStanding, Id, Record, TodoStatus};

/// What of a todo an approval is of.
const APPROVED: [&str; 4] = ["title", "task_class", "assignee", "after"];

pub(in crate::review) fn approved_work_changed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Todo(old)), Some(Record::Todo(_))) = (step.old(), step.new_record()) else { return };
    if old.status == TodoStatus::Done {
        return;
    }
    let untrusted = |field: &&str| step.differs(field) && step.untrusted(step.author_of(field)).is_some();
    let changed: Vec<&str> = APPROVED.into_iter().filter(untrusted).collect();
    let Some(first) = changed.first() else { return };
    let Some(gate) = approved_gate_of(step, &old.todo_id) else { return };
    let message = format!("{} changed, and gate `{gate}` approved the work as it was", quoted(&changed));
    let level = step.untrusted(step.author_of(first)).map_or(rule.level, |(_, level)| level);
    let finding = step.finding_at_most(level, rule, Some(first), message);
    found.push(finding.help(step.phrases.0.text(format!("ask again: loopx gate ask {gate}"))));
}

/// A gate that names a todo, that is approved in the base, and that the change does not ask again about this todo.
fn approved_gate_of<'a>(step: &TouchedDocument<'a>, todo: &Id) -> Option<&'a str> {
    let (before, after) = (step.it.before, step.it.after);
    let goal = step.goal.as_deref()?;
    let summary = before.plan.goals.get(goal)?;
    before.workspace.documents::<Gate>(goal).find_map(|(_, gate)| {
        let id = gate.gate_id.as_str();
        let is_named = matches!(&gate.blocks, Blocks::Todos(todos) if todos.contains(todo));
        let is_approved = summary.gates.get(id) == Some(&GateStanding::Approved);
        let now = after.world.goals.get(goal).and_then(|goal| goal.gates.get(id));
        let is_asked_again = now.is_some_and(|now| now.revision > gate.revision && covers(&now.blocks, todo));
        (is_named && is_approved && !is_asked_again).then_some(gate.gate_id.as_str())
    })
}
