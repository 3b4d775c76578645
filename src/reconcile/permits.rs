//! What agents may do now: every runnable todo with how far and how long, whoever else has something first; and what
//! waits for a person.

use std::collections::{BTreeMap, BTreeSet};

use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::handoffs::Need;
use super::in_force::InForce;
use super::index::WorldIndex;
use super::world::World;
use crate::privacy::Wall;
use crate::vocabulary::{GateStanding, Glob, Handoff, Id, Instant, Kind, Line, Quota, Receipt, Todo, TodoStatus};

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
    /// Each agent that may, with its scope in one line.
    pub agents: BTreeMap<Id, Line>,
    /// The globs that it may write.
    pub write_scope: Vec<Glob>,
    /// The globs that it may read; empty: no limit is stated.
    pub read_scope: Vec<Glob>,
    /// The turns that may be spent; `None`: no limit is stated.
    pub quota: Option<Quota>,
    /// When it has to stop.
    pub stop_condition: String,
    /// The command that says whether the goal is reached.
    pub validation_command: Vec<Line>,
    /// The handoff that says so, and whether it waits to be accepted.
    pub handoff: Option<(Id, bool)>,
    /// The gates that block it, all of them open.
    pub gates: Vec<Id>,
    /// The instant at which a gate or the handoff ends it by itself.
    pub ends: Option<Instant>,
}

/// Whose a todo is, as it counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TodoHolder {
    /// The agent that it belongs to; `None`: every agent of the goal may take it.
    pub agent: Option<Id>,
    /// Whether the versions here and at the authority ref name different agents.
    pub is_contested: bool,
    /// Its newest handoff that is not withdrawn.
    pub handoff: Option<Id>,
}

/// A document of a goal, by kind and id.
pub type GoalDocumentKey = (Id, Kind, Id);

/// What a world lets agents do, and what of it waits for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PermitSummary {
    /// The todos that may be started.
    pub permits: Vec<Permit>,
    /// What agents may do of unfinished todos that something holds up, once nothing does. A todo that waits for the
    /// approval of a handoff is none of these: whoever approves it reads what it says.
    pub prospects: Vec<Permit>,
    /// The todos that may be finished, by goal and id, each with the agents that may.
    pub finishable: BTreeMap<(Id, Id), BTreeSet<Id>>,
    /// Whose each todo is, by goal and id.
    pub holders: BTreeMap<(Id, Id), TodoHolder>,
    /// The handoffs that wait for nothing but the acceptance by their agent, by goal and id.
    pub acceptable: BTreeSet<(Id, Id)>,
    /// What waits for a person: undecided gates and open todos of people.
    pub waits: BTreeSet<GoalDocumentKey>,
    /// Documents that cannot be used, which may wait for a person too.
    pub unusable: BTreeSet<GoalDocumentKey>,
}

/// Lists what may be started now, by goal and todo.
///
/// Pure, as [`reconcile`](super::reconcile) is.
#[must_use]
pub fn permits(world: &World<'_>, wall: &Wall, as_of: Instant) -> Vec<Permit> {
    standing(world, wall, as_of).permits
}

/// Tells what a world lets agents do, and what of it waits for people.
#[must_use]
pub fn standing(world: &World<'_>, wall: &Wall, as_of: Instant) -> PermitSummary {
    match InForce::of(world, as_of) {
        Some(in_force) => standing_in_force(&in_force.world(world), wall, as_of),
        None => standing_in_force(world, wall, as_of),
    }
}

fn standing_in_force(world: &World<'_>, wall: &Wall, as_of: Instant) -> PermitSummary {
    let index = WorldIndex::new(world);
    let mut standing = PermitSummary::default();
    for (goal_id, documents) in &world.goals {
        let context = GoalContext::new(world, &index, wall, goal_id, documents);
        standing.add(&GoalState::new(&context, as_of));
    }
    standing
}

/// The receipts that the valid decisions of a world lack.
#[must_use]
pub fn unrecorded(world: &World<'_>, wall: &Wall) -> Vec<Receipt> {
    let index = WorldIndex::new(world);
    let goals = world.goals.iter();
    goals.flat_map(|(goal_id, documents)| GoalContext::new(world, &index, wall, goal_id, documents).lacking).collect()
}

impl PermitSummary {
    fn add(&mut self, state: &GoalState<'_, '_>) {
        let context = state.context;
        let goal = Id::new(context.goal_id);
        for todo in state.todos.values() {
            let key = || (goal.clone(), todo.todo_id.clone());
            if todo.task_class.is_user() && todo.status == TodoStatus::Open {
                self.waits.insert((goal.clone(), Kind::Todo, todo.todo_id.clone()));
            }
            self.holders.insert(key(), holder(state, todo));
            if state.is_runnable(todo) {
                self.permits.extend(permit(state, todo));
            } else if is_held_up(state, todo) {
                self.prospects.extend(permit(state, todo));
            }
            if state.may_be_finished(todo) {
                self.finishable.insert(key(), agents_for(state, todo).into_keys().collect());
            }
        }
        for (id, reading) in &state.gates {
            use GateStanding as S;
            if matches!(reading.standing, S::Requested | S::Deferred | S::Expired) {
                self.waits.insert((goal.clone(), Kind::Gate, Id::new(*id)));
            }
        }
        let waiting = state.handoffs.iter().filter(|(_, reading)| reading.needs == Some(Need::Acceptance));
        self.acceptable.extend(waiting.map(|(id, _)| (goal.clone(), Id::new(*id))));
        let named =
            context.documents.unusable.iter().filter_map(|document| Some((document.kind?, document.id.as_deref()?)));
        self.unusable.extend(named.map(|(kind, id)| (goal.clone(), kind, Id::new(id))));
    }
}

/// Whose a todo is. Two versions that name different agents hold it, and neither agent may take it.
fn holder(state: &GoalState<'_, '_>, todo: &Todo) -> TodoHolder {
    let context = state.context;
    let id = todo.todo_id.as_str();
    let agent = state.todos.get(id).and_then(|known| context.agent_of(known));
    TodoHolder {
        agent: agent.map(Id::new),
        is_contested: context.documents.effective.is_some_and(|effective| effective.held.contains(id)),
        handoff: context.handoffs_of(id).last().map(|handoff| handoff.handoff_id.clone()),
    }
}

/// Whether a todo is an agent's, is not done, and waits for something else than the approval of a handoff.
fn is_held_up(state: &GoalState<'_, '_>, todo: &Todo) -> bool {
    let mut handoffs = state.context.handoffs_of(todo.todo_id.as_str()).iter();
    state.context.workable().is_some()
        && todo.status != TodoStatus::Done
        && !todo.task_class.is_user()
        && handoffs.all(|handoff| !state.handoff(handoff.handoff_id.as_str()).is_closed())
}

/// The agents that may work on a todo, each with its scope. Nobody may do what belongs to an agent that the goal does
/// not know.
fn agents_for(state: &GoalState<'_, '_>, todo: &Todo) -> BTreeMap<Id, Line> {
    let context = state.context;
    let (Some(goal), Some(known)) = (context.goal(), state.todos.get(todo.todo_id.as_str())) else {
        return BTreeMap::new();
    };
    let agents = goal.agents.iter().map(|(agent, scope)| (agent.clone(), scope.clone()));
    match context.agent_of(known) {
        None => agents.collect(),
        Some(one) => agents.filter(|(agent, _)| *agent == *one).collect(),
    }
}

fn permit(state: &GoalState<'_, '_>, todo: &Todo) -> Option<Permit> {
    let context = state.context;
    let goal = context.goal()?;
    let known = state.todos.get(todo.todo_id.as_str())?;
    let agent = context.agent_of(known);
    let agents = agents_for(state, todo);
    if agents.is_empty() {
        return None;
    }
    let handoff = context.handoffs_of(known.todo_id.as_str()).last().copied();
    let handoff = handoff.filter(|handoff| agent == Some(handoff.to_agent.as_str()));
    let narrowed = handoff.map(|handoff| &handoff.write_scope).filter(|scope| !scope.is_empty());
    let of_goal = &goal.boundary.write_scope;
    let write_scope = match narrowed {
        Some(scope) => scope.iter().filter(|glob| glob.is_within(of_goal)).cloned().collect(),
        None => of_goal.clone(),
    };
    let stop = handoff.map_or(&goal.boundary.stop_condition, |handoff| &handoff.stop_condition);
    let waits = |handoff: &Handoff| state.handoff(handoff.handoff_id.as_str()).needs == Some(Need::Acceptance);
    let gates: Vec<_> = context.gates_of(known.todo_id.as_str()).collect();
    let ends = gates.iter().filter_map(|gate| gate.expires_at);
    let ends = ends.chain(handoff.filter(|handoff| waits(handoff)).map(|handoff| handoff.expires_at)).min();
    Some(Permit {
        goal_id: goal.goal_id.clone(),
        todo_id: todo.todo_id.clone(),
        title: todo.title.to_string(),
        agent_id: agent.map(Id::new),
        agents,
        write_scope,
        read_scope: goal.boundary.read_scope.clone(),
        quota: goal.quota.clone(),
        stop_condition: stop.to_string(),
        validation_command: goal.validation_command.clone(),
        handoff: handoff.map(|handoff| (handoff.handoff_id.clone(), waits(handoff))),
        gates: gates.iter().map(|gate| gate.gate_id.clone()).collect(),
        ends,
    })
}
