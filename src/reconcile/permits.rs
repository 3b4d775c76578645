//! What agents may do now: every runnable todo with how far and how long, whoever else has something first.

use super::case::Case;
use super::handoffs::Need;
use super::in_force::InForce;
use super::index::Index;
use super::moment::Moment;
use super::world::World;
use crate::privacy::Wall;
use crate::vocabulary::{Glob, Handoff, Id, Instant, Todo};

/// A todo that may be started now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// The goal.
    pub goal_id: Id,
    /// The todo.
    pub todo_id: Id,
    /// What is to be done.
    pub title: String,
    /// The agent that may; `None`: every agent of the goal.
    pub agent_id: Option<Id>,
    /// The globs that it may write.
    pub write_scope: Vec<Glob>,
    /// When it has to stop.
    pub stop_condition: String,
    /// The handoff that says so, and whether it waits to be accepted.
    pub handoff: Option<(Id, bool)>,
    /// The gates that block it, all of them open.
    pub gates: Vec<Id>,
    /// The instant at which a gate or the handoff ends it by itself.
    pub ends: Option<Instant>,
}

/// Lists what may be started now, by goal and todo.
///
/// Pure, as [`reconcile`](super::reconcile) is.
#[must_use]
pub fn permits(world: &World<'_>, wall: &Wall, as_of: Instant) -> Vec<Permit> {
    match InForce::of(world, as_of) {
        Some(in_force) => permits_in_force(&in_force.world(world), wall, as_of),
        None => permits_in_force(world, wall, as_of),
    }
}

fn permits_in_force(world: &World<'_>, wall: &Wall, as_of: Instant) -> Vec<Permit> {
    let index = Index::new(world);
    let mut permits = Vec::new();
    for (goal_id, documents) in &world.goals {
        let case = Case::new(world, &index, wall, goal_id, documents);
        let moment = Moment::new(&case, as_of);
        let runnable = moment.todos.values().filter(|todo| moment.is_runnable(todo));
        permits.extend(runnable.filter_map(|todo| permit(&moment, todo)));
    }
    permits
}

fn permit(moment: &Moment<'_, '_>, todo: &Todo) -> Option<Permit> {
    let case = moment.case;
    let goal = case.goal()?;
    let known = moment.todos.get(todo.todo_id.as_str())?;
    let agent = case.agent_of(known);
    // Nobody may do what belongs to an agent that the goal does not know.
    if agent.map_or(case.agents.is_empty(), |agent| !case.agents.contains(agent)) {
        return None;
    }
    let handoff = case.handoffs_of(known.todo_id.as_str()).last().copied();
    let handoff = handoff.filter(|handoff| agent == Some(handoff.to_agent.as_str()));
    let narrowed = handoff.map(|handoff| &handoff.write_scope).filter(|scope| !scope.is_empty());
    let of_goal = &goal.boundary.write_scope;
    let write_scope = match narrowed {
        Some(scope) => scope.iter().filter(|glob| glob.is_within(of_goal)).cloned().collect(),
        None => of_goal.clone(),
    };
    let stop = handoff.map_or(&goal.boundary.stop_condition, |handoff| &handoff.stop_condition);
    let waits = |handoff: &Handoff| moment.handoff(handoff.handoff_id.as_str()).needs == Some(Need::Acceptance);
    let gates: Vec<_> = case.gates_of(known.todo_id.as_str()).collect();
    let ends = gates.iter().filter_map(|gate| gate.expires_at);
    let ends = ends.chain(handoff.filter(|handoff| waits(handoff)).map(|handoff| handoff.expires_at)).min();
    Some(Permit {
        goal_id: goal.goal_id.clone(),
        todo_id: todo.todo_id.clone(),
        title: todo.title.to_string(),
        agent_id: agent.map(Id::new),
        write_scope,
        stop_condition: stop.to_string(),
        handoff: handoff.map(|handoff| (handoff.handoff_id.clone(), waits(handoff))),
        gates: gates.iter().map(|gate| gate.gate_id.clone()).collect(),
        ends,
    })
}
