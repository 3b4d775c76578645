//! The first screen: who is waiting on what and why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::error::{Error, ErrorCode};
use super::lookup::{Lookup, Precision, actor_here};
use super::other_branches::asked_elsewhere;
use super::plan::ReconciledDirectory;
use super::turn::{goal_named, goals_that_name};
use crate::git::Repository;
use crate::render::RowFilter;
use crate::vocabulary::{Id, Instant, Record, nearest};

/// Whose rows are asked for, as a person types it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusRequest {
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
/// As [`ReconciledDirectory::read`], or the goal, the agent or the person is unknown.
pub fn status(place: &Path, asked: StatusRequest, as_of: Instant) -> Result<(ReconciledDirectory, RowFilter), Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let state = reconciled(root, repository.as_ref(), &asked, as_of)?;
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
        Some(Some(name)) => Some(person_of(&state, name)?),
        None => None,
    };
    let elsewhere = match &owner {
        Some(person) => asked_elsewhere(place, &state, person)?,
        None => Vec::new(),
    };
    Ok((state, RowFilter { goal, agent, owner, elsewhere, ..RowFilter::default() }))
}

/// Reads and reconciles what a request is about.
pub(super) fn reconciled(
    root: PathBuf,
    repository: Option<&Repository>,
    asked: &StatusRequest,
    as_of: Instant,
) -> Result<ReconciledDirectory, Error> {
    match goals_of(&root, repository, asked)? {
        Some(goals) => ReconciledDirectory::of_goals(root, repository, goals, as_of),
        None => ReconciledDirectory::of(root, repository, as_of),
    }
}

/// The goals that a request is about; `None`: all of them, since it names none, or since it asks about a person, who may
/// stand anywhere.
fn goals_of(
    root: &Path,
    repository: Option<&Repository>,
    asked: &StatusRequest,
) -> Result<Option<BTreeSet<String>>, Error> {
    Ok(match (&asked.me, &asked.goal, &asked.agent) {
        // A goal that is not here, or that is named otherwise, may be gone: history says so, and the whole lists what is.
        (None, Some(goal), _) => goal_named(root, repository, goal)
            .ok()
            .filter(|goal| {
                ["yaml", "json"].iter().any(|ending| root.join(format!("goals/{goal}/goal.{ending}")).is_file())
            })
            .map(|goal| BTreeSet::from([goal])),
        (None, None, Some(agent)) => Some(goals_that_name(root, repository, agent)?).filter(|goals| !goals.is_empty()),
        _ => None,
    })
}

/// The person that somebody names: an actor of the policies, an owner of a goal, or anybody whom a row waits for.
fn person_of(state: &ReconciledDirectory, typed: String) -> Result<String, Error> {
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
