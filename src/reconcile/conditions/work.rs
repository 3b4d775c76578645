//! Conditions of work: failed, unvalidated or outdated results, people's open todos, unknown agents, spent quota.

use std::collections::BTreeMap;

use super::changes::done_here;
use super::{Concern, ConditionScope, FoundCondition, REGISTER, RENEW_WITH, VALIDATE};
use crate::reconcile::goal_state::GoalState;
use crate::reconcile::outcomes::{OutcomeSubject, ReportedOutcome};
use crate::vocabulary::{
    GateStanding, GateState, HandoffStanding, Id, Reason, SessionStatus, Todo, TodoStatus, WaitingOn,
};

/// What the outcomes of todos and sessions say.
pub(in crate::reconcile) fn of_outcomes<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let mut all = Vec::new();
    for (subject, history) in &state.context.outcomes {
        if let Some(reported) = history.failure() {
            let found = of_outcome(state, *subject, reported, Reason::FailedOutcome);
            all.push(if reported.facts.status == SessionStatus::Failed {
                FoundCondition { waiting_on: WaitingOn::Runtime, gate_state: GateState::Blocked, ..found }
            } else {
                found
            });
        }
        if let Some(reported) = history.unvalidated() {
            all.push(of_outcome(state, *subject, reported, Reason::MissingValidation));
        }
    }
    all
}

fn of_outcome<'a>(
    state: &GoalState<'_, 'a>,
    subject: OutcomeSubject<'a>,
    reported: ReportedOutcome<'a>,
    reason: Reason,
) -> FoundCondition<'a> {
    let context = state.context;
    let todo = match subject {
        OutcomeSubject::Todo(id) => state.todos.get(id).copied(),
        OutcomeSubject::Session(_) => None,
    };
    let session = context.sessions.iter().find(|session| session.id() == reported.session);
    let agent = todo.and_then(|todo| context.agent_of(todo)).unwrap_or(reported.agent);
    let command = match subject {
        OutcomeSubject::Todo(id) => Some(format!("{VALIDATE} --todo {id}")),
        OutcomeSubject::Session(_) => None,
    };
    FoundCondition::new(reason, context.owner_of_todo(todo, session), reported.outcome.outcome_id.as_str())
        .and(reported.session)
        .concerns(Concern::only(agent))
        .since(reported.outcome.at)
        .title(reported.outcome.summary.as_ref().map(|summary| summary.as_str()))
        .by_command(command)
}

/// Evidence of requested gates and unaccepted handoffs that something newer has replaced.
pub(in crate::reconcile) fn of_evidence<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let context = state.context;
    let mut all = Vec::new();
    for (id, gate) in &context.documents.gates {
        if state.gate(id).standing == GateStanding::Requested {
            let concern = state.concern_of_gate(gate);
            let owner = context.actor(gate.required_actor.class(), &concern);
            for (cited, since) in outdated(state, &gate.evidence) {
                let found = FoundCondition::new(Reason::StaleArtifact, owner, cited).and(*id);
                all.push(found.concerns(concern.clone()).since(since));
            }
        }
    }
    for (id, handoff) in &context.documents.handoffs {
        if matches!(state.handoff(id).standing, HandoffStanding::Accepted | HandoffStanding::Withdrawn) {
            continue;
        }
        let todo = state.todos.get(handoff.todo_id.as_str()).copied();
        for (cited, since) in outdated(state, &handoff.evidence) {
            let found = FoundCondition::new(Reason::StaleArtifact, context.owner_of_todo(todo, None), cited).and(*id);
            let found = found.concerns(Concern::only(handoff.to_agent.as_str())).since(since);
            all.push(FoundCondition { command: Some(RENEW_WITH.to_owned()), ..found });
        }
    }
    all
}

fn outdated<'a>(
    state: &GoalState<'_, 'a>,
    evidence: &'a [Id],
) -> impl Iterator<Item = (&'a str, crate::vocabulary::Instant)> {
    let context = state.context;
    evidence
        .iter()
        .filter_map(|cited| Some((cited.as_str(), context.evidence.outdated(cited.as_str(), &context.outcomes)?)))
}

/// Open todos of people that open todos wait for.
pub(in crate::reconcile) fn of_user_todos<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let todos = &state.todos;
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
    open.map(|(todo, after)| of_user_todo(state, todo, &after)).collect()
}

fn of_user_todo<'a>(state: &GoalState<'_, 'a>, todo: &'a Todo, after: &[&'a Todo]) -> FoundCondition<'a> {
    let concern = state.concern_of(after.iter().copied());
    let reach =
        if after.iter().all(|todo| todo.task_class.is_user()) { ConditionScope::Listed } else { ConditionScope::Todo };
    let found =
        FoundCondition::new(Reason::OpenUserTodo, state.context.owner_of_todo(Some(todo), None), todo.todo_id.as_str())
            .reach(reach)
            .concerns(concern)
            .title(todo.title.as_str())
            .blocks(after.iter().map(|todo| todo.todo_id.as_str()));
    done_here(state, found)
}

/// Agents that live bindings, open todos or standing handoffs name and the goal does not list. They have no screen of
/// their own, so every agent without other work shows it.
pub(in crate::reconcile) fn of_registration<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let context = state.context;
    let mut all: BTreeMap<&'a str, FoundCondition<'a>> = BTreeMap::new();
    let mut add = |agent: &'a Id, by: &'a str, todo: Option<&'a Todo>| {
        let agent = agent.as_str();
        if context.agents.contains(agent) {
            return;
        }
        let found = all.entry(agent).or_insert_with(|| FoundCondition {
            command: Some(REGISTER.replace("GOAL", context.goal_id)),
            ..FoundCondition::new(Reason::AgentNotRegistered, context.owner(), agent).concerns(Concern::All)
        });
        found.about.push(by.into());
        found.blocks.extend(todo.map(|todo| todo.todo_id.as_str()));
    };
    for session in context.sessions.iter().filter(|session| session.is_live()) {
        add(&session.binding.agent_id, session.id(), None);
    }
    for todo in state.todos.values().filter(|it| it.status != TodoStatus::Done && !it.task_class.is_user()) {
        for agent in todo.assignee.iter().chain(&todo.claimed_by) {
            add(agent, todo.todo_id.as_str(), Some(todo));
        }
    }
    for (id, handoff) in &context.documents.handoffs {
        let todo = state.todos.get(handoff.todo_id.as_str()).copied();
        let is_settled = handoff.withdrawn.is_some() || todo.is_some_and(|todo| todo.status == TodoStatus::Done);
        for agent in [&handoff.from_agent, &handoff.to_agent].into_iter().filter(|_| !is_settled) {
            add(agent, id, todo);
        }
    }
    all.into_values().collect()
}

/// A quota without a slot.
pub(in crate::reconcile) fn of_quota<'a>(state: &GoalState<'_, 'a>) -> Option<FoundCondition<'a>> {
    let quota = state.quota.filter(|quota| quota.is_exhausted())?;
    let context = state.context;
    let found = FoundCondition::new(Reason::QuotaExhausted, context.owner(), context.goal_id).concerns(Concern::All);
    Some(FoundCondition { quota_state: Some(quota.state()), ..found.since(quota.exhausted_since) })
}
