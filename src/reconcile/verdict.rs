//! The verdict on one goal at one instant: its conditions and the screens that follow from them.

use std::collections::BTreeMap;

use super::case::Case;
use super::conditions::{Concern, Found, Reach};
use super::moment::Moment;
use super::of_writebacks::{self, Assessed};
use super::screen::{Desk, Screen};
use super::work::{self, Work, WorkByAgent};
use super::{of_changes, of_decisions, of_documents, of_sessions, of_work};
use crate::vocabulary::{Instant, Reason, SessionStatus, TodoStatus, WaitingOn};

/// The verdict on one goal at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict<'a> {
    /// Every condition, the loudest first.
    pub(super) found: Vec<Found<'a>>,
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
    pub(super) fn new(moment: &Moment<'_, 'a>, workspace: &[Found<'a>]) -> Self {
        let case = moment.case;
        let mut found = workspace.to_vec();
        found.extend(of_documents::of_goal(case));
        let work = work::by_agent(moment);
        let mut writebacks = Vec::new();
        if case.active().is_some() {
            found.extend(of_changes::of_goal(case));
            found.extend(of_changes::of_todos(moment));
            found.extend(of_decisions::of_gates(moment));
            found.extend(of_decisions::of_handoffs(moment));
            found.extend(of_decisions::of_rewards(moment));
            found.extend(of_work::of_user_todos(moment));
            found.extend(of_work::of_outcomes(moment));
            found.extend(of_work::of_evidence(moment));
            found.extend(of_work::of_registration(moment));
            found.extend(of_work::of_quota(moment));
            found.extend(of_sessions::find(moment));
            found.extend(of_hosts_that_say_completed(case, &found));
            writebacks = of_writebacks::assess(moment, &work, &mut found);
        }
        if case.agents.is_empty() {
            found.retain(|found| !matches!(found.reach, Reach::Agent | Reach::Todo) || is_told_without_agents(found));
        }
        found.sort_by(|one, other| one.rank().cmp(&other.rank()));
        let screens = screens(moment, &work, &found);
        let of_goal = found.iter().filter(|found| matches!(found.reach, Reach::Workspace | Reach::Goal));
        let waiting_on = match screens.is_empty() {
            true => of_goal.map(|found| found.waiting_on).min(),
            false => screens.values().map(|screen| screen.waiting.on).min(),
        };
        Self { found, screens, writebacks, waiting_on: waiting_on.unwrap_or(WaitingOn::None) }
    }
}

/// A goal without agents has no screen to close; that a document names an agent all the same is still told.
fn is_told_without_agents(found: &Found<'_>) -> bool {
    found.reason == Reason::AgentNotRegistered
}

fn screens<'a>(moment: &Moment<'_, 'a>, work: &WorkByAgent<'a>, found: &[Found<'a>]) -> BTreeMap<&'a str, Screen<'a>> {
    let case = moment.case;
    let of = |agent: Option<&'a str>| work.get(&agent).copied().unwrap_or_default();
    let people = moment.todos.values().filter(|it| it.task_class.is_user() && it.status == TodoStatus::Open);
    let user_todo = people.min_by_key(|todo| (todo.priority, &todo.todo_id)).copied();
    let mut concerning: BTreeMap<&'a str, Vec<&Found<'a>>> = BTreeMap::new();
    for found in found {
        match &found.agents {
            Concern::All => case.agents.iter().for_each(|agent| concerning.entry(agent).or_default().push(found)),
            Concern::These(agents) => {
                agents.iter().for_each(|agent| concerning.entry(agent).or_default().push(found));
            }
        }
    }
    let screen = |agent: &&'a str| {
        let work: Work<'a> = of(Some(agent)).and(of(None));
        let concerning = concerning.get(agent).cloned().unwrap_or_default();
        (*agent, Desk { moment, agent, work, user_todo, concerning }.screen())
    };
    case.agents.iter().map(screen).collect()
}

/// A consequence for each live session whose host says completed while something here explains why the goal is not.
fn of_hosts_that_say_completed<'a>(case: &Case<'a>, found: &[Found<'a>]) -> Vec<Found<'a>> {
    let place = |reason: Reason| EXPLANATIONS.iter().position(|explanation| *explanation == reason);
    let mut explained: BTreeMap<&str, &Found<'a>> = BTreeMap::new();
    let mut shared: Option<&Found<'a>> = None;
    let order = |found: &Found<'a>| place(found.reason).map(|place| (place, found.since.is_none(), found.since));
    let sooner = |one: &Found<'a>, other: &Found<'a>| (order(one), &one.about) < (order(other), &other.about);
    for found in found.iter().filter(|found| found.reach != Reach::Listed && place(found.reason).is_some()) {
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
    let completed = case.sessions.iter().filter(|session| session.is_live()).filter_map(|session| {
        Some((session, session.facts().filter(|facts| facts.status == SessionStatus::Completed)?))
    });
    let consequences = completed.filter_map(|(session, facts)| {
        let own = explained.get(session.agent()).copied();
        let cause = own.into_iter().chain(shared).min_by_key(|found| (order(found), &found.about))?;
        let consequence = Found::new(Reason::HostCompletedGoalBlocked, cause.owner, session.id());
        Some(Found {
            waiting_on: cause.waiting_on,
            explained_by: Some((cause.reason, cause.thing().clone())),
            ..consequence.concerns(Concern::only(session.agent())).since(facts.updated_at)
        })
    });
    consequences.collect()
}

/// Judges a goal at an instant.
pub(super) fn judge<'a>(case: &Case<'a>, workspace: &[Found<'a>], as_of: Instant) -> Verdict<'a> {
    Verdict::new(&Moment::new(case, as_of), workspace)
}
