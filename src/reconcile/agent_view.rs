//! One agent of one goal at one instant, with the documents that its verdict points at: what a turn is decided from.

use std::collections::BTreeSet;

use super::conditions::documents;
use super::conditions::{Concern, ConditionScope, FoundCondition};
use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::handoffs::Need;
use super::in_force::InForce;
use super::index::WorldIndex;
use super::quota::QuotaReading;
use super::redactor::Redactor;
use super::screen::ScreenInput;
use super::until::Until;
use super::verdict::{Verdict, desks};
use super::work::by_agent;
use super::world::{AuthorityState, World};
use crate::privacy::{Text, Wall};
use crate::vocabulary::{
    AttentionOwner, Gate, GateStanding, GateState, Glob, Goal, GoalStatus, Handoff, HandoffStanding, Id, Instant,
    JudgedBy, Projection, QuotaState, Reason, TaskClass, Todo, TodoStatus,
};

/// One agent of one goal at one instant.
#[derive(Debug, Clone)]
pub struct AgentView {
    /// The goal.
    pub goal_id: Id,
    /// The agent.
    pub agent_id: Id,
    /// The goal as it counts; `None` when it cannot be read.
    pub goal: Option<Goal>,
    /// The first screen.
    pub projection: Projection,
    /// Who is waited for, when somebody can be named.
    pub waiting_for: Option<AttentionOwner>,
    /// Whether something blocks the screen that is neither a missing fact nor a rejected gate.
    pub is_unhealthy: bool,
    /// Whether only missing or stale facts of the session close the screen.
    pub lacks_facts: bool,
    /// Whether a rejected gate decides the screen.
    pub is_rejected: bool,
    /// What is left of the quota.
    pub quota: Option<QuotaReading>,
    /// The first runnable todo, else the first held one.
    pub todo: Option<Todo>,
    /// Whether that todo may be started now, quota aside.
    pub is_runnable: bool,
    /// The runnable todos, by priority and id.
    pub runnable: Vec<Id>,
    /// The first closed gate.
    pub gate: Option<(Gate, GateStanding)>,
    /// The first open todo of a person.
    pub user_todo: Option<Todo>,
    /// The newest handoff of the todo to this agent, where it stands, and whether it waits to be accepted.
    pub handoff: Option<(Handoff, HandoffStanding, bool)>,
    /// What may be written, and when to stop, for that todo.
    pub write_scope: Vec<Glob>,
    /// What is open.
    pub open: OpenWork,
    /// Finished work without a validation: the outcome, and its session.
    pub unvalidated: Vec<(Text, Option<Text>)>,
    /// The session that works for the agent: its id, and the turns that its outcomes name.
    pub sessions: Vec<SessionTurns>,
    /// When the next monitor of this agent is due, and how often the nearest one looks.
    pub next_due_at: Option<Instant>,
    /// Which version of the documents decided.
    pub judged_by: JudgedBy,
    /// The command that brings what is committed here to the authority ref.
    pub merge: Option<String>,
}

/// A live session of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionTurns {
    /// Its id.
    pub session_id: Id,
    /// The turns that its outcomes name.
    pub turns: BTreeSet<Id>,
}

/// What is open in a goal, as one agent sees it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenWork {
    /// Open todos of this agent and of nobody.
    pub own: usize,
    /// Open todos of other agents.
    pub of_peers: usize,
    /// Whether only monitors are open for this agent, none of them due.
    pub is_quiet: bool,
    /// Whether the goal has todos and all of them are done.
    pub is_all_done: bool,
}

/// Looks at one agent of each goal that lists it, by goal.
///
/// Pure, as [`reconcile`](super::reconcile) is.
#[must_use]
pub fn agent_views(world: &World<'_>, wall: &Wall, as_of: Instant, agent: &str) -> Vec<AgentView> {
    match InForce::of(world, as_of) {
        Some(in_force) => views_in_force(&in_force.world(world), wall, as_of, agent),
        None => views_in_force(world, wall, as_of, agent),
    }
}

fn views_in_force(world: &World<'_>, wall: &Wall, as_of: Instant, agent: &str) -> Vec<AgentView> {
    let index = WorldIndex::new(world);
    let blocking = documents::of_workspace(world, &index);
    let goals = world.goals.iter();
    let views = goals.filter_map(|(goal_id, documents)| {
        let context = GoalContext::new(world, &index, wall, goal_id, documents);
        context.agents.contains(agent).then(|| view(&context, &blocking, as_of, agent))?
    });
    views.collect()
}

fn view(context: &GoalContext<'_>, blocking: &[FoundCondition<'_>], as_of: Instant, agent: &str) -> Option<AgentView> {
    let state = GoalState::new(context, as_of);
    let verdict = Verdict::new(&state, blocking);
    let until = Until::new(&state, blocking, &verdict);
    let work = by_agent(&state);
    let desk = desks(&state, &work, &verdict.found).find(|desk| desk.agent == agent)?;
    let redactor = Redactor(context.wall);
    let screen = desk.screen();
    let todo = desk.work.selected();
    let handoff = todo.and_then(|todo| context.handoffs_of(todo.todo_id.as_str()).last().copied());
    let handoff = handoff.filter(|handoff| handoff.to_agent.as_str() == agent);
    let handoff = handoff.map(|handoff| {
        let reading = state.handoff(handoff.handoff_id.as_str());
        (handoff.clone(), reading.standing, reading.needs == Some(Need::Acceptance))
    });
    Some(AgentView {
        goal_id: Id::new(context.goal_id),
        agent_id: Id::new(agent),
        goal: context.goal().cloned(),
        projection: redactor.projection(context.goal_id, agent, &screen, until.screens.get(agent).copied()),
        waiting_for: screen.waiting.owner.map(|owner| redactor.owner(owner)),
        is_unhealthy: desk.is_unhealthy(),
        lacks_facts: screen.may_continue == crate::vocabulary::MayContinue::Unknown,
        is_rejected: desk.deciding().any(|found| found.reason == Reason::GateRejected),
        quota: state.quota,
        todo: todo.cloned(),
        is_runnable: desk.work.runnable.is_some(),
        runnable: runnable(&state, agent),
        gate: screen.gate.map(|gate| (gate.clone(), state.gate(gate.gate_id.as_str()).standing)),
        user_todo: screen.user_todo.cloned(),
        write_scope: write_scope(context, handoff.as_ref().map(|(handoff, ..)| handoff)),
        handoff,
        open: open_work(&state, agent),
        unvalidated: unvalidated(&verdict.found, agent, redactor),
        sessions: sessions(context, agent),
        next_due_at: next_due_at(&state, agent),
        judged_by: judged_by(context),
        merge: Some(context.world.branch.records.clone()).filter(|command| !command.is_empty()),
    })
}

impl ScreenInput<'_, '_, '_> {
    /// Whether something blocks the screen that is neither a missing fact nor a rejected gate.
    fn is_unhealthy(&self) -> bool {
        use Reason as R;
        let others = self.deciding().filter(|found| {
            !matches!(found.reason, R::MissingRuntimeFact | R::StaleFact | R::GateRejected | R::QuotaExhausted)
        });
        let blocked = others
            .filter(|found| found.gate_state == GateState::Blocked || found.quota_state == Some(QuotaState::Blocked));
        blocked.count() > 0 && self.state.context.active().is_some()
    }
}

/// The todos that an agent may start now, by priority and id.
fn runnable(state: &GoalState<'_, '_>, agent: &str) -> Vec<Id> {
    let mut todos: Vec<&Todo> = state.todos.values().copied().filter(|todo| is_for(state, todo, agent)).collect();
    todos.retain(|todo| state.is_runnable(todo));
    todos.sort_by_key(|todo| (todo.priority, todo.todo_id.clone()));
    todos.into_iter().map(|todo| todo.todo_id.clone()).collect()
}

/// Whether a todo is this agent's or nobody's in particular.
fn is_for(state: &GoalState<'_, '_>, todo: &Todo, agent: &str) -> bool {
    let known = state.todos.get(todo.todo_id.as_str());
    !todo.task_class.is_user() && known.is_some_and(|todo| state.context.agent_of(todo).is_none_or(|one| one == agent))
}

/// The goal's write scope, narrowed by a handoff; what is not surely inside the goal's is left out.
fn write_scope(context: &GoalContext<'_>, handoff: Option<&Handoff>) -> Vec<Glob> {
    let Some(goal) = context.goal() else { return Vec::new() };
    let of_goal = &goal.boundary.write_scope;
    match handoff.map(|handoff| &handoff.write_scope).filter(|scope| !scope.is_empty()) {
        Some(scope) => scope.iter().filter(|glob| glob.is_within(of_goal)).cloned().collect(),
        None => of_goal.clone(),
    }
}

fn open_work(state: &GoalState<'_, '_>, agent: &str) -> OpenWork {
    let mut open = OpenWork { is_all_done: !state.todos.is_empty(), ..OpenWork::default() };
    let mut quiet = 0;
    for todo in state.todos.values().copied() {
        open.is_all_done &= todo.status == TodoStatus::Done || state.is_over(todo);
        if todo.status != TodoStatus::Open || todo.task_class.is_user() || state.is_over(todo) {
            continue;
        }
        if is_for(state, todo, agent) {
            open.own += 1;
            quiet += usize::from(todo.task_class == TaskClass::ContinuousMonitor && !state.is_due(todo));
        } else {
            open.of_peers += 1;
        }
    }
    open.is_quiet = open.own > 0 && quiet == open.own;
    open
}

fn next_due_at(state: &GoalState<'_, '_>, agent: &str) -> Option<Instant> {
    let todos = state.todos.values().copied().filter(|todo| {
        todo.status == TodoStatus::Open
            && todo.task_class == TaskClass::ContinuousMonitor
            && !state.is_over(todo)
            && !state.is_due(todo)
            && is_for(state, todo, agent)
    });
    todos.filter_map(|todo| todo.next_due_at).min()
}

fn unvalidated(found: &[FoundCondition<'_>], agent: &str, redactor: Redactor<'_>) -> Vec<(Text, Option<Text>)> {
    let concerns = |found: &&FoundCondition<'_>| match &found.agents {
        Concern::All => true,
        Concern::These(agents) => agents.contains(agent),
    };
    let missing =
        found.iter().filter(|found| found.reason == Reason::MissingValidation && found.reach != ConditionScope::Listed);
    let missing = missing.filter(concerns);
    missing.map(|found| (redactor.text(&found.about[0]), found.about.get(1).map(|id| redactor.text(id)))).collect()
}

fn sessions(context: &GoalContext<'_>, agent: &str) -> Vec<SessionTurns> {
    let Some(agent) = context.agents.get(agent) else { return Vec::new() };
    let live = context.live_sessions(agent).map(|session| {
        let outcomes = session.reports.iter().flat_map(|facts| &facts.outcomes);
        SessionTurns {
            session_id: Id::new(session.id()),
            turns: outcomes.filter_map(|outcome| outcome.turn_id.clone()).collect(),
        }
    });
    live.collect()
}

/// What stands here and opens nothing yet was overruled by the authority ref; otherwise a difference only closes.
fn judged_by(context: &GoalContext<'_>) -> JudgedBy {
    match (&context.world.authority, context.documents.effective) {
        (AuthorityState::RefMissing { .. }, _) => JudgedBy::Unread,
        (AuthorityState::NoGit, _) => JudgedBy::WorkTree,
        (AuthorityState::Read, None) => JudgedBy::Same,
        (AuthorityState::Read, Some(effective)) if effective.proposed.is_empty() && effective.is_changed_here => {
            JudgedBy::WorkTree
        }
        (AuthorityState::Read, Some(_)) => JudgedBy::AuthorityRef,
    }
}

impl AgentView {
    /// Whether agents may work on the goal by its owner's word.
    #[must_use]
    pub fn is_active(&self) -> bool {
        // Of a goal that cannot be read nobody knows it, and then its screen is blocked.
        self.goal.as_ref().is_none_or(|goal| goal.status == GoalStatus::Active)
    }

    /// Whether its owner set the share of the window that may be used to nothing.
    #[must_use]
    pub fn is_quota_zero(&self) -> bool {
        self.quota.is_some_and(|quota| quota.is_paused)
    }
}
