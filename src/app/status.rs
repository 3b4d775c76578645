//! The first screen: who is waiting on what and why.

use std::path::Path;

use super::error::Error;
use super::lookup::{Lookup, Precision, actor_here};
use super::plan::State;
use crate::facts::Repository;
use crate::render::View;
use crate::vocabulary::Instant;

/// Whose rows are asked for, as a person types it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// One goal; a unique prefix of its id will do.
    pub goal: Option<String>,
    /// One agent; a unique prefix of its id will do.
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
    let repository = Repository::discover(&state.root)?;
    let lookup = Lookup {
        workspace: &state.workspace,
        plan: &state.plan,
        repository: repository.as_ref(),
        precision: Precision::Prefix,
    };
    let goal = asked.goal.map(|goal| lookup.goal(&goal)).transpose()?;
    let agent = asked.agent.map(|agent| lookup.agent(&agent, goal.as_deref())).transpose()?;
    let owner = match asked.me {
        Some(None) => Some(actor_here(&state.root, &state.workspace.policies)?),
        Some(name) => name,
        None => None,
    };
    Ok((state, View { goal, agent, owner }))
}
