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

/// Joins a gate. The version here asks, and blocks what either blocks; what the authority ref holds of the same revision
/// decides. An older version here stays closed, whatever it says.
pub(super) fn gate(own: &Gate, theirs: &Gate, is_recorded: IsRecorded<'_>) -> Merged<Gate> {
    let (mut record, mut opens) = (own.clone(), Vec::new());
    let blocks = union(&own.blocks, &theirs.blocks);
    if blocks != own.blocks {
        opens.push("blocks");
    }
    record.blocks = blocks;
    if own.revision == theirs.revision {
        if own.required_actor != theirs.required_actor && theirs.decision.is_none() {
            opens.push("required_actor");
            record.required_actor = theirs.required_actor;
        }
        if sooner(&mut record.expires_at, theirs.expires_at) {
            opens.push("expires_at");
        }
        if own.requested != theirs.requested {
            opens.push("requested");
            record.requested.clone_from(&theirs.requested);
        }
        take_acts(&mut record, theirs, is_recorded);
    }
    Merged { record, opens }
}

/// Takes the acts that the authority ref holds. One that it has recorded is read as it stands there, also where somebody
/// took it back there by hand; one from here is only proposed, and may only close.
fn take_acts(record: &mut Gate, theirs: &Gate, is_recorded: IsRecorded<'_>) {
    let (goal, gate) = (theirs.goal_id.as_str(), theirs.gate_id.as_str());
    let has = |effect: Effect<'_>| is_recorded(effect.run_id().as_str());
    let asks_the_same = record.question == theirs.question
        && record.required_actor == theirs.required_actor
        && record.blocks == theirs.blocks;
    let is_recorded = has(Effect::Gate(goal, gate, theirs.revision));
    let takes_theirs = match &record.decision {
        None => asks_the_same,
        // Another answer than a recorded one is a conflict, which closes; an approval here opens nothing.
        Some(decision) => is_recorded && decision.label == GateDecision::Approve,
    };
    if takes_theirs {
        record.decision.clone_from(&theirs.decision);
    }
    // What was recorded answers one question once; where the versions ask two or answer otherwise, one of them is in
    // conflict with it.
    if is_recorded && (!asks_the_same || record.decision != theirs.decision) {
        record.decision = None;
    }
    record.withdrawn = match has(Effect::GateWithdrawn(goal, gate, theirs.revision)) {
        true => theirs.withdrawn.clone().filter(|_| asks_the_same),
        false => theirs.withdrawn.clone().or(record.withdrawn.take()),
    };
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
