//! Two versions of one document, joined so that what either closes stays closed.

use super::IsRecorded;
use super::table::{HANDOFF, TODO, sooner};
use crate::vocabulary::{Blocks, Effect, Gate, GateDecision, Handoff, Todo};

/// A joined document.
pub(super) struct Merged<R> {
    pub(super) record: R,
    /// The fields that would open more than counts.
    pub(super) opens: Vec<&'static str>,
}

/// Joins a todo. What an approved gate names is what its decider read: the authority ref's.
pub(super) fn todo(own: &Todo, theirs: &Todo, is_approved: bool) -> Merged<Todo> {
    let mut record = own.clone();
    let rows = TODO.iter().filter(|row| (row.close)(&mut record, theirs));
    let mut opens: Vec<&'static str> = rows.map(|row| row.field).collect();
    if is_approved {
        for (field, differs) in [
            ("title", own.title != theirs.title),
            ("task_class", own.task_class != theirs.task_class),
            ("assignee", own.assignee != theirs.assignee),
        ] {
            if differs && !opens.contains(&field) {
                opens.push(field);
            }
        }
        record.title.clone_from(&theirs.title);
        record.assignee.clone_from(&theirs.assignee);
        if !record.task_class.is_user() {
            record.task_class = theirs.task_class;
        }
    }
    Merged { record, opens }
}

/// Joins a handoff. Its approval is what the authority ref holds, or waits for its receipt; its acceptance counts.
pub(super) fn handoff(own: &Handoff, theirs: &Handoff) -> Merged<Handoff> {
    let mut record = own.clone();
    let opens = HANDOFF.iter().filter(|row| (row.close)(&mut record, theirs)).map(|row| row.field).collect();
    record.approved = theirs.approved.clone().or(record.approved);
    record.accepted = theirs.accepted.clone().or(record.accepted);
    Merged { record, opens }
}

/// Joins a gate. The version of the higher revision asks; an act at the authority ref counts for the same question.
pub(super) fn gate(own: &Gate, theirs: &Gate, is_recorded: IsRecorded<'_>) -> Merged<Gate> {
    let (mut record, mut opens) = (own.clone(), Vec::new());
    let asks_the_same = own.revision == theirs.revision
        && own.question == theirs.question
        && own.required_actor == theirs.required_actor;
    let is_open = is_open(theirs, is_recorded);
    // What is open at the authority ref holds nothing up, so another revision may ask about less.
    if !(is_open && own.revision > theirs.revision) {
        let blocks = union(&own.blocks, &theirs.blocks);
        if blocks != own.blocks {
            opens.push("blocks");
        }
        record.blocks = blocks;
    }
    if own.revision == theirs.revision && own.required_actor != theirs.required_actor && theirs.decision.is_none() {
        opens.push("required_actor");
        record.required_actor = theirs.required_actor;
    }
    if asks_the_same && record.blocks == theirs.blocks {
        if record.decision.is_none() && theirs.decision.is_some() {
            record.decision.clone_from(&theirs.decision);
            record.requested.clone_from(&theirs.requested);
        }
        record.withdrawn = theirs.withdrawn.clone().or(record.withdrawn);
    }
    if own.revision == theirs.revision && sooner(&mut record.expires_at, theirs.expires_at) {
        opens.push("expires_at");
    }
    Merged { record, opens }
}

/// Whether the authority ref holds an approval of a gate with its receipt.
fn is_open(gate: &Gate, is_recorded: IsRecorded<'_>) -> bool {
    let effect = Effect::Gate(gate.goal_id.as_str(), gate.gate_id.as_str(), gate.revision);
    let is_approved = gate.decision.as_ref().is_some_and(|decision| decision.label == GateDecision::Approve);
    is_approved && is_recorded(effect.run_id().as_str())
}

/// What is blocked by either.
fn union(own: &Blocks, theirs: &Blocks) -> Blocks {
    match (own, theirs) {
        (Blocks::Goal, _) | (_, Blocks::Goal) => Blocks::Goal,
        (Blocks::Nothing, other) | (other, Blocks::Nothing) => other.clone(),
        (Blocks::Todos(own), Blocks::Todos(theirs)) => {
            let more = theirs.iter().filter(|todo| !own.contains(todo));
            let mut todos: Vec<_> = own.iter().chain(more).cloned().collect();
            if todos.len() == theirs.len() {
                todos.clone_from(theirs);
            }
            Blocks::Todos(todos)
        }
    }
}
