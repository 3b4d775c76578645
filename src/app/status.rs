//! The first screen: who is waiting on what and why.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::plan::{State, unknown_goal};
use crate::render::View;
use crate::vocabulary::{Id, Instant, nearest};

/// Reconciles the state directory of a place in memory, and makes sure that what a view names is there.
///
/// # Errors
/// As [`State::read`], or the goal or agent is unknown.
pub fn status(place: &Path, view: &mut View, as_of: Instant) -> Result<State, Error> {
    let state = State::read(place, as_of)?;
    if let Some(goal) = &mut view.goal {
        *goal = whole_id(goal, state.plan.goals.keys());
    }
    if let Some(goal) = view.goal.as_deref().filter(|goal| !state.plan.goals.contains_key(*goal)) {
        return Err(unknown_goal(&state.plan, goal));
    }
    let agents = || state.plan.projections.keys().map(|(_, agent)| agent.as_str());
    if let Some(agent) = view.agent.as_deref().filter(|agent| !agents().any(|known| known == *agent)) {
        let near = nearest(agent, agents()).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Error::about(ErrorCode::UnknownAgent, format!("{agent}{near}")));
    }
    Ok(state)
}

/// Finds the id that a unique prefix means, as ids are accepted when they are typed.
fn whole_id<'a>(typed: &str, ids: impl Iterator<Item = &'a Id> + Clone) -> String {
    let mut matching = ids.clone().filter(|id| id.as_str().starts_with(typed));
    match (ids.clone().any(|id| id.as_str() == typed), matching.next(), matching.next()) {
        (false, Some(only), None) => only.to_string(),
        _ => typed.to_owned(),
    }
}
