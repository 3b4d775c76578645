//! One todo as it counts: whose it is, and whether it may be started, whatever the quota and the facts say.

use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::in_force::InForce;
use super::index::WorldIndex;
use super::world::World;
use crate::privacy::Wall;
use crate::vocabulary::{Id, Instant, Todo};

/// One todo as it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TodoView {
    /// What counts of it.
    pub todo: Todo,
    /// The agent that it belongs to; `None`: every agent of the goal.
    pub agent_id: Option<Id>,
    /// Whether the versions here and at the authority ref name different agents.
    pub is_contested: bool,
    /// Whether it may be started; quota, facts and stalls aside.
    pub is_runnable: bool,
}

/// Looks at one todo of a goal; `None` where it does not count.
#[must_use]
pub fn todo_view(world: &World<'_>, wall: &Wall, as_of: Instant, goal: &str, todo: &str) -> Option<TodoView> {
    match InForce::of(world, as_of) {
        Some(in_force) => view_in_force(&in_force.world(world), wall, as_of, goal, todo),
        None => view_in_force(world, wall, as_of, goal, todo),
    }
}

fn view_in_force(world: &World<'_>, wall: &Wall, as_of: Instant, goal: &str, todo: &str) -> Option<TodoView> {
    let index = WorldIndex::new(world);
    let (goal_id, documents) = world.goals.get_key_value(goal)?;
    let context = GoalContext::new(world, &index, wall, goal_id, documents);
    let state = GoalState::new(&context, as_of);
    let counted = *state.todos.get(todo)?;
    let is_contested = documents.effective.is_some_and(|effective| effective.held.contains(todo));
    Some(TodoView {
        todo: counted.clone(),
        agent_id: context.agent_of(counted).map(Id::new),
        is_contested,
        is_runnable: state.is_runnable(counted),
    })
}
