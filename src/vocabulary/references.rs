//! Which fields name other things: one table that look-ups, rules and editors read.

use super::desired::{Binding, Gate, Handoff, Proposal, Reward, Todo, WritebackRequest};
use super::kinds::{Kind, Record};
use super::observed::Facts;
use super::text::Id;
use crate::document::Route;

/// One id in a document that names something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference<'a> {
    /// Where it stands.
    pub place: FieldPlace,
    /// The id.
    pub id: &'a str,
    /// What it names.
    pub to: ReferenceTarget,
}

/// The place of a field: cheap until somebody points at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldPlace {
    /// A field, as a dotted route.
    Field(&'static str),
    /// An item of a list.
    Item(&'static str, usize),
    /// A field of an item of a list.
    FieldOfItem(&'static str, usize, &'static str),
}

/// The kind of thing that a reference names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// A goal.
    Goal,
    /// A document of this kind in the same goal.
    Document(Kind),
    /// An agent that the goal lists.
    Agent,
    /// A fact of a session of the goal.
    Fact,
    /// A document of one of these kinds in the same goal, a receipt of the goal, or a fact.
    Any(&'static [Kind]),
}

impl FieldPlace {
    /// The route to the place.
    #[must_use]
    pub fn route(self) -> Route {
        match self {
            Self::Field(field) => Route::of(field),
            Self::Item(list, index) => Route::of(list).index(index),
            Self::FieldOfItem(list, index, field) => Route::of(list).index(index).key(field),
        }
    }
}

/// Collects the references of one document.
#[derive(Debug, Default)]
struct References<'a>(Vec<Reference<'a>>);

impl<'a> References<'a> {
    fn field(&mut self, field: &'static str, id: &'a Id, to: ReferenceTarget) {
        self.push(FieldPlace::Field(field), id.as_str(), to);
    }

    fn optional(&mut self, field: &'static str, id: Option<&'a Id>, to: ReferenceTarget) {
        if let Some(id) = id {
            self.field(field, id, to);
        }
    }

    fn list(&mut self, list: &'static str, ids: &'a [Id], to: ReferenceTarget) {
        for (index, id) in ids.iter().enumerate() {
            self.push(FieldPlace::Item(list, index), id.as_str(), to);
        }
    }

    fn push(&mut self, place: FieldPlace, id: &'a str, to: ReferenceTarget) {
        self.0.push(Reference { place, id, to });
    }
}

const TODO: ReferenceTarget = ReferenceTarget::Document(Kind::Todo);
const GATE: ReferenceTarget = ReferenceTarget::Document(Kind::Gate);

impl Record {
    /// Lists every id in this document that names something else, its goal first.
    #[must_use]
    pub fn references(&self) -> Vec<Reference<'_>> {
        let mut found = References::default();
        let is_goal = matches!(self, Self::Goal(_));
        if let Some(goal) = self.goal_id().filter(|_| !is_goal) {
            found.push(FieldPlace::Field("goal_id"), goal, ReferenceTarget::Goal);
        }
        match self {
            Self::Todo(todo) => of_todo(todo, &mut found),
            Self::Gate(gate) => of_gate(gate, &mut found),
            Self::Handoff(handoff) => of_handoff(handoff, &mut found),
            Self::Reward(Reward { judges, .. }) => {
                found.field("judges", judges, ReferenceTarget::Any(&[Kind::Handoff]));
            }
            Self::Proposal(proposal) => of_proposal(proposal, &mut found),
            Self::Binding(Binding { agent_id, .. }) => found.field("agent_id", agent_id, ReferenceTarget::Agent),
            Self::WritebackRequest(request) => of_writeback(request, &mut found),
            Self::Facts(facts) => of_facts(facts, &mut found),
            Self::Memory(memory) => {
                found.list("session_projection.linked_todo_ids", &memory.session_projection.linked_todo_ids, TODO);
            }
            Self::Workspace(_)
            | Self::Goal(_)
            | Self::Plugin(_)
            | Self::Admission(_)
            | Self::Policy(_)
            | Self::Receipt(_)
            | Self::Projection(_)
            | Self::Writeback(_)
            | Self::AttentionQueue(_)
            | Self::Blocker(_)
            | Self::ReadonlyProjection(_) => {}
        }
        found.0
    }
}

/// A person's todo names people; an agent's names agents.
fn of_todo<'a>(todo: &'a Todo, found: &mut References<'a>) {
    found.list("after", &todo.after, TODO);
    found.list("evidence", &todo.evidence, ReferenceTarget::Fact);
    if !todo.task_class.is_user() {
        found.optional("assignee", todo.assignee.as_ref(), ReferenceTarget::Agent);
        found.optional("claimed_by", todo.claimed_by.as_ref(), ReferenceTarget::Agent);
    }
    if let Some(other) = todo.resume_when.as_ref().and_then(|condition| condition.todo()) {
        found.push(FieldPlace::Field("resume_when"), other, TODO);
    }
}

fn of_gate<'a>(gate: &'a Gate, found: &mut References<'a>) {
    found.list("blocks", gate.blocks.todos(), TODO);
    found.list("evidence", &gate.evidence, ReferenceTarget::Fact);
}

fn of_handoff<'a>(handoff: &'a Handoff, found: &mut References<'a>) {
    found.field("from_agent", &handoff.from_agent, ReferenceTarget::Agent);
    found.field("to_agent", &handoff.to_agent, ReferenceTarget::Agent);
    found.field("todo_id", &handoff.todo_id, TODO);
    found.optional("gate_id", handoff.gate_id.as_ref(), GATE);
    found.list("evidence", &handoff.evidence, ReferenceTarget::Fact);
}

fn of_proposal<'a>(proposal: &'a Proposal, found: &mut References<'a>) {
    found.list("evidence", &proposal.evidence, ReferenceTarget::Fact);
    found.optional("promoted_todo_id", proposal.promoted_todo_id.as_ref(), TODO);
}

fn of_writeback<'a>(request: &'a WritebackRequest, found: &mut References<'a>) {
    found.field("session_id", &request.session_id, ReferenceTarget::Document(Kind::Binding));
    found.field("source", &request.source, ReferenceTarget::Any(&[Kind::Gate, Kind::Handoff, Kind::Reward]));
}

/// What a host's items name: todos and gates of the session's goal, and other items. A turn has no document.
fn of_facts<'a>(facts: &'a Facts, found: &mut References<'a>) {
    for item in facts.items() {
        for (field, id) in item.links {
            let to = match field {
                "todo_id" => TODO,
                "gate_id" => GATE,
                "turn_id" => continue,
                _ => ReferenceTarget::Fact,
            };
            found.push(FieldPlace::FieldOfItem(item.list, item.index, field), id.as_str(), to);
        }
    }
}
