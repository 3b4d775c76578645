//! Conditions of work: failed, unvalidated or outdated results, people's open todos, unknown agents, spent quota.

use std::collections::BTreeMap;

use super::conditions::{Concern, Found, REGISTER, RENEW_WITH, Reach};
use super::moment::Moment;
use super::of_changes::done_here;
use super::trails::{Subject, Told};
use crate::vocabulary::{
    GateStanding, GateState, HandoffStanding, Id, Reason, SessionStatus, Todo, TodoStatus, WaitingOn,
};

/// What the outcomes of todos and sessions say.
pub(super) fn of_outcomes<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let mut all = Vec::new();
    for (subject, trail) in &moment.case.trails {
        if let Some(told) = trail.failure() {
            let found = of_outcome(moment, *subject, told, Reason::FailedOutcome);
            all.push(if told.facts.status == SessionStatus::Failed {
                Found { waiting_on: WaitingOn::Runtime, gate_state: GateState::Blocked, ..found }
            } else {
                found
            });
        }
        if let Some(told) = trail.unvalidated() {
            all.push(of_outcome(moment, *subject, told, Reason::MissingValidation));
        }
    }
    all
}

fn of_outcome<'a>(moment: &Moment<'_, 'a>, subject: Subject<'a>, told: Told<'a>, reason: Reason) -> Found<'a> {
    let case = moment.case;
    let todo = match subject {
        Subject::Todo(id) => moment.todos.get(id).copied(),
        Subject::Session(_) => None,
    };
    let session = case.sessions.iter().find(|session| session.id() == told.session);
    let agent = todo.and_then(|todo| case.agent_of(todo)).unwrap_or(told.agent);
    Found::new(reason, case.owner_of_todo(todo, session), told.outcome.outcome_id.as_str())
        .and(told.session)
        .concerns(Concern::only(agent))
        .since(told.outcome.at)
        .title(told.outcome.summary.as_ref().map(|summary| summary.as_str()))
}

/// Evidence of requested gates and unaccepted handoffs that something newer has replaced.
pub(super) fn of_evidence<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let case = moment.case;
    let mut all = Vec::new();
    for (id, gate) in &case.documents.gates {
        if moment.gate(id).standing == GateStanding::Requested {
            let concern = moment.concern_of_gate(gate);
            let owner = case.actor(gate.required_actor.class(), &concern);
            for (cited, since) in outdated(moment, &gate.evidence) {
                let found = Found::new(Reason::StaleArtifact, owner, cited).and(*id);
                all.push(found.concerns(concern.clone()).since(since));
            }
        }
    }
    for (id, handoff) in &case.documents.handoffs {
        if matches!(moment.handoff(id).standing, HandoffStanding::Accepted | HandoffStanding::Withdrawn) {
            continue;
        }
        let todo = moment.todos.get(handoff.todo_id.as_str()).copied();
        for (cited, since) in outdated(moment, &handoff.evidence) {
            let found = Found::new(Reason::StaleArtifact, case.owner_of_todo(todo, None), cited).and(*id);
            let found = found.concerns(Concern::only(handoff.to_agent.as_str())).since(since);
            all.push(Found { command: Some(RENEW_WITH.to_owned()), ..found });
        }
    }
    all
}

fn outdated<'a>(
    moment: &Moment<'_, 'a>,
    evidence: &'a [Id],
) -> impl Iterator<Item = (&'a str, crate::vocabulary::Instant)> {
    let case = moment.case;
    evidence.iter().filter_map(|cited| Some((cited.as_str(), case.evidence.outdated(cited.as_str(), &case.trails)?)))
}

/// Open todos of people that open todos wait for.
pub(super) fn of_user_todos<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let todos = &moment.todos;
    let mut waiting: BTreeMap<&str, Vec<&'a Todo>> = BTreeMap::new();
    for todo in todos.values().filter(|todo| todo.status == TodoStatus::Open) {
        for first in &todo.after {
            waiting.entry(first.as_str()).or_default().push(todo);
        }
    }
    let open = waiting.into_iter().filter_map(|(first, after)| {
        let first = todos.get(first).filter(|it| it.status == TodoStatus::Open && it.task_class.is_user())?;
        Some((*first, after))
    });
    open.map(|(todo, after)| of_user_todo(moment, todo, &after)).collect()
}

fn of_user_todo<'a>(moment: &Moment<'_, 'a>, todo: &'a Todo, after: &[&'a Todo]) -> Found<'a> {
    let concern = moment.concern_of(after.iter().copied());
    let reach = if after.iter().all(|todo| todo.task_class.is_user()) { Reach::Listed } else { Reach::Todo };
    let found = Found::new(Reason::OpenUserTodo, moment.case.owner_of_todo(Some(todo), None), todo.todo_id.as_str())
        .reach(reach)
        .concerns(concern)
        .title(todo.title.as_str())
        .blocks(after.iter().map(|todo| todo.todo_id.as_str()));
    done_here(moment, found)
}

/// Agents that live bindings, open todos or standing handoffs name and the goal does not list. They have no screen of
/// their own, so every agent without other work shows it.
pub(super) fn of_registration<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let case = moment.case;
    let mut all: BTreeMap<&'a str, Found<'a>> = BTreeMap::new();
    let mut add = |agent: &'a Id, by: &'a str, todo: Option<&'a Todo>| {
        let agent = agent.as_str();
        if case.agents.contains(agent) {
            return;
        }
        let found = all.entry(agent).or_insert_with(|| Found {
            command: Some(REGISTER.replace("GOAL", case.goal_id)),
            ..Found::new(Reason::AgentNotRegistered, case.owner(), agent).concerns(Concern::All)
        });
        found.about.push(by.into());
        found.blocks.extend(todo.map(|todo| todo.todo_id.as_str()));
    };
    for session in case.sessions.iter().filter(|session| session.is_live()) {
        add(&session.binding.agent_id, session.id(), None);
    }
    for todo in moment.todos.values().filter(|it| it.status != TodoStatus::Done && !it.task_class.is_user()) {
        for agent in todo.assignee.iter().chain(&todo.claimed_by) {
            add(agent, todo.todo_id.as_str(), Some(todo));
        }
    }
    for (id, handoff) in &case.documents.handoffs {
        let todo = moment.todos.get(handoff.todo_id.as_str()).copied();
        let is_settled = handoff.withdrawn.is_some() || todo.is_some_and(|todo| todo.status == TodoStatus::Done);
        for agent in [&handoff.from_agent, &handoff.to_agent].into_iter().filter(|_| !is_settled) {
            add(agent, id, todo);
        }
    }
    all.into_values().collect()
}

/// A quota without a slot.
pub(super) fn of_quota<'a>(moment: &Moment<'_, 'a>) -> Option<Found<'a>> {
    let quota = moment.quota.filter(|quota| quota.is_exhausted())?;
    let case = moment.case;
    let found = Found::new(Reason::QuotaExhausted, case.owner(), case.goal_id).concerns(Concern::All);
    Some(Found { quota_state: Some(quota.state()), ..found.since(quota.exhausted_since) })
}
