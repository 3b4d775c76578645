//! The verdict on one goal at one instant: its conditions and the screens that follow from them.

use std::collections::BTreeMap;

use super::conditions;
use super::conditions::writebacks::Assessed;
use super::conditions::{Concern, ConditionScope, FoundCondition};
use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::screen::{Screen, ScreenInput};
use super::work::{self, Work, WorkByAgent};
use crate::vocabulary::{Instant, Reason, SessionStatus, TodoStatus, WaitingOn};

/// The verdict on one goal at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict<'a> {
    /// Every condition, the loudest first.
    pub(super) found: Vec<FoundCondition<'a>>,
    /// The first screen of each agent.
    pub(super) screens: BTreeMap<&'a str, Screen<'a>>,
    /// What becomes of each writeback request.
    pub(super) writebacks: Vec<Assessed<'a>>,
    /// The first word of its agents' screens; without agents, of what reaches the whole goal.
    pub(super) waiting_on: WaitingOn,
}

/// What may explain that a host says completed and the goal is not, the first one first.
const EXPLANATIONS: [Reason; 8] = [
    Reason::MissingGateDecision,
    Reason::DecisionNotRecorded,
    Reason::GateRejected,
    Reason::GateDeferred,
    Reason::OpenUserTodo,
    Reason::FailedOutcome,
    Reason::MissingValidation,
    Reason::StaleArtifact,
];

impl<'a> Verdict<'a> {
    /// Judges a goal; `workspace` is what blocks every goal.
    pub(super) fn new(state: &GoalState<'_, 'a>, workspace: &[FoundCondition<'a>]) -> Self {
        let context = state.context;
        let mut found = workspace.to_vec();
        found.extend(conditions::documents::of_goal(context));
        let work = work::by_agent(state);
        let mut writebacks = Vec::new();
        if context.active().is_some() {
            found.extend(conditions::changes::of_goal(context));
            found.extend(conditions::changes::of_todos(state));
            found.extend(conditions::decisions::of_gates(state));
            found.extend(conditions::decisions::of_handoffs(state));
            found.extend(conditions::decisions::of_rewards(state));
            found.extend(conditions::work::of_user_todos(state));
            found.extend(conditions::work::of_outcomes(state));
            found.extend(conditions::work::of_evidence(state));
            found.extend(conditions::work::of_registration(state));
            found.extend(conditions::work::of_quota(state));
            found.extend(conditions::sessions::find(state));
            found.extend(of_hosts_that_say_completed(context, &found));
            writebacks = conditions::writebacks::assess(state, &work, &mut found);
        }
        if context.agents.is_empty() {
            found.retain(|found| {
                !matches!(found.reach, ConditionScope::Agent | ConditionScope::Todo) || is_told_without_agents(found)
            });
        }
        found.sort_by(|one, other| one.rank().cmp(&other.rank()));
        let screens = screens(state, &work, &found);
        let of_goal =
            found.iter().filter(|found| matches!(found.reach, ConditionScope::Workspace | ConditionScope::Goal));
        let waiting_on = match screens.is_empty() {
            true => of_goal.map(|found| found.waiting_on).min(),
            false => screens.values().map(|screen| screen.waiting.on).min(),
        };
        Self { found, screens, writebacks, waiting_on: waiting_on.unwrap_or(WaitingOn::None) }
    }
}

/// A goal without agents has no screen to close; that a document names an agent all the same is still told.
fn is_told_without_agents(found: &FoundCondition<'_>) -> bool {
    found.reason == Reason::AgentNotRegistered
}

fn screens<'a>(
    state: &GoalState<'_, 'a>,
    work: &WorkByAgent<'a>,
    found: &[FoundCondition<'a>],
) -> BTreeMap<&'a str, Screen<'a>> {
    desks(state, work, found).map(|desk| (desk.agent, desk.screen())).collect()
}

/// What decides the screen of each agent.
pub(super) fn desks<'m, 'c, 'a>(
    state: &'m GoalState<'c, 'a>,
    work: &WorkByAgent<'a>,
    found: &'m [FoundCondition<'a>],
) -> impl Iterator<Item = ScreenInput<'m, 'c, 'a>> {
    let context = state.context;
    let works: BTreeMap<_, _> = work.clone();
    let of = move |agent: Option<&'a str>| works.get(&agent).copied().unwrap_or_default();
    let people = state.todos.values().filter(|it| it.task_class.is_user() && it.status == TodoStatus::Open);
    let user_todo = people.min_by_key(|todo| (todo.priority, &todo.todo_id)).copied();
    let mut concerning: BTreeMap<&'a str, Vec<&FoundCondition<'a>>> = BTreeMap::new();
    for found in found {
        match &found.agents {
            Concern::All => context.agents.iter().for_each(|agent| concerning.entry(agent).or_default().push(found)),
            Concern::These(agents) => {
                agents.iter().for_each(|agent| concerning.entry(agent).or_default().push(found));
            }
        }
    }
    context.agents.iter().map(move |agent| {
        let work: Work<'a> = of(Some(agent)).and(of(None));
        let concerning = concerning.remove(agent).unwrap_or_default();
        ScreenInput { state, agent, work, user_todo, concerning }
    })
}

/// A consequence for each live session whose host says completed while something here explains why the goal is not.
fn of_hosts_that_say_completed<'a>(context: &GoalContext<'a>, found: &[FoundCondition<'a>]) -> Vec<FoundCondition<'a>> {
    let place = |reason: Reason| EXPLANATIONS.iter().position(|explanation| *explanation == reason);
    let mut explained: BTreeMap<&str, &FoundCondition<'a>> = BTreeMap::new();
    let mut shared: Option<&FoundCondition<'a>> = None;
    let order =
        |found: &FoundCondition<'a>| place(found.reason).map(|place| (place, found.since.is_none(), found.since));
    let sooner =
        |one: &FoundCondition<'a>, other: &FoundCondition<'a>| (order(one), &one.about) < (order(other), &other.about);
    for found in found.iter().filter(|found| found.reach != ConditionScope::Listed && place(found.reason).is_some()) {
        match &found.agents {
            Concern::All if shared.is_none_or(|first| sooner(found, first)) => shared = Some(found),
            Concern::All => {}
            Concern::These(agents) => {
                for agent in agents {
                    let first = explained.entry(agent).or_insert(found);
                    if sooner(found, first) {
                        *first = found;
                    }
                }
            }
        }
    }
    let completed = context.sessions.iter().filter(|session| session.is_live()).filter_map(|session| {
        Some((session, session.facts().filter(|facts| facts.status == SessionStatus::Completed)?))
    });
    let consequences = completed.filter_map(|(session, facts)| {
        let own = explained.get(session.agent()).copied();
        let cause = own.into_iter().chain(shared).min_by_key(|found| (order(found), &found.about))?;
        let consequence = FoundCondition::new(Reason::HostCompletedGoalBlocked, cause.owner, session.id());
        Some(FoundCondition {
            waiting_on: cause.waiting_on,
            explained_by: Some((cause.reason, cause.thing().clone())),
            ..consequence.concerns(Concern::only(session.agent())).since(facts.updated_at)
        })
    });
    consequences.collect()
}

/// Judges a goal at an instant.
pub(super) fn judge<'a>(context: &GoalContext<'a>, workspace: &[FoundCondition<'a>], as_of: Instant) -> Verdict<'a> {
    Verdict::new(&GoalState::new(context, as_of), workspace)
}
