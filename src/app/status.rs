//! The first screen: who is waiting on what and why.

use std::collections::BTreeSet;
use std::path::Path;

use super::actors_of;
use super::elsewhere::asked_elsewhere;
use super::error::{Error, ErrorCode};
use super::plan::{State, unknown_goal};
use crate::facts::Repository;
use crate::reconcile::Plan;
use crate::render::View;
use crate::vocabulary::{Id, Instant, Record, nearest};
use crate::workspace::Policies;

/// Whose rows are asked for, as a person types it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// One goal; a unique prefix of its id will do.
    pub goal: Option<String>,
    /// One agent.
    pub agent: Option<String>,
    /// One person: by name, or, without one, the policy's actor with this clone's git identity.
    pub me: Option<Option<String>>,
}

/// Reconciles the state directory of a place in memory, and finds what a request names in it.
///
/// # Errors
/// As [`State::read`], or the goal, the agent or the person is unknown.
pub fn status(place: &Path, asked: Asked, as_of: Instant) -> Result<(State, View), Error> {
    let state = State::read(place, as_of)?;
    let goal = asked.goal.map(|goal| goal_of(&state.plan, &goal)).transpose()?;
    let agents = || state.plan.projections.keys().map(|(_, agent)| agent.as_str());
    if let Some(agent) = asked.agent.as_deref().filter(|agent| !agents().any(|known| known == *agent)) {
        let near = nearest(agent, agents()).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Error::about(ErrorCode::UnknownAgent, format!("{agent}{near}")));
    }
    let owner = match asked.me {
        Some(None) => Some(actor_here(&state.root, &state.workspace.policies)?),
        Some(Some(name)) => Some(person_of(&state, name)?),
        None => None,
    };
    let elsewhere = match &owner {
        Some(person) => asked_elsewhere(place, &state, person)?,
        None => Vec::new(),
    };
    Ok((state, View { goal, agent: asked.agent, owner, elsewhere }))
}

/// The person that somebody names: an actor of the policies, an owner of a goal, or anybody whom a row waits for.
fn person_of(state: &State, typed: String) -> Result<String, Error> {
    let actors = state.workspace.policies.actors.keys().map(Id::as_str);
    let owners = state.workspace.entries.iter().filter_map(|entry| match &entry.record {
        Some(Record::Goal(goal)) => Some(goal.owner.as_str()),
        _ => None,
    });
    let rows = state.plan.attention.rows.iter().map(|row| row.owner.name.as_ref());
    let known: BTreeSet<&str> = actors.chain(owners).chain(rows).collect();
    if let Some(same) = known.iter().find(|name| Id::new(**name).is_same(&typed)) {
        return Ok((*same).to_owned());
    }
    let near = nearest(&typed, known).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    Err(Error::about(ErrorCode::UnknownPerson, format!("{typed}{near}")))
}

/// The actor whose git identity commits of this clone carry.
pub(super) fn actor_here(root: &Path, policies: &Policies) -> Result<String, Error> {
    let address = Repository::discover(root)?.and_then(|repository| repository.identity());
    let actor = address.and_then(|address| Some(actors_of(policies, &address).first()?.0.to_string()));
    actor.ok_or_else(|| Error::of(ErrorCode::UnknownActor))
}

/// The agents and hosts whose git identity commits of this clone carry.
pub(super) fn agents_here(root: &Path, policies: &Policies) -> Result<Vec<String>, Error> {
    let address = Repository::discover(root)?.and_then(|repository| repository.identity());
    let actors = address.map_or_else(Vec::new, |address| {
        let agents = actors_of(policies, &address).into_iter().filter(|(_, actor)| !actor.class.is_person());
        agents.map(|(id, _)| id.to_string()).collect()
    });
    Ok(actors)
}

/// The goal that somebody names; a unique prefix of its id will do.
pub(super) fn goal_of(plan: &Plan, typed: &str) -> Result<String, Error> {
    let goal = whole_id(typed, plan.goals.keys());
    if plan.goals.contains_key(goal.as_str()) { Ok(goal) } else { Err(unknown_goal(plan, &goal)) }
}

/// Finds the id that a unique prefix means, as ids are accepted when they are typed.
fn whole_id<'a>(typed: &str, ids: impl Iterator<Item = &'a Id> + Clone) -> String {
    let mut matching = ids.clone().filter(|id| id.as_str().starts_with(typed));
    match (ids.clone().any(|id| id.as_str() == typed), matching.next(), matching.next()) {
        (false, Some(only), None) => only.to_string(),
        _ => typed.to_owned(),
    }
}
