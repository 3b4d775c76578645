//! What hosts ask for on behalf of a person: read-only looks at the project.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::lookup::agents_here;
use super::lookup::{Lookup, Precision};
use super::plan::ReconciledDirectory;
use crate::git::Repository;
use crate::host_commands::{Heartbeat, Project, heartbeat};
use crate::privacy::{Text, Wall};
use crate::vocabulary::{Goal, HostSurface, Id, Instant, Record};

/// Which goal and agent a host asks for, as they are typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asking {
    /// The goal; a unique prefix of its id will do.
    pub goal: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The host.
    pub surface: Option<HostSurface>,
}

/// Finds what is known of the project of a place. A project without a state directory is a project too.
///
/// # Errors
/// As [`ReconciledDirectory::read`], or the goal is unknown.
pub fn project(place: &Path, asking: &Asking, as_of: Instant) -> Result<Project, Error> {
    let label = label(place);
    let root = match super::state_directory(place) {
        Ok(root) => root,
        Err(Error { code: ErrorCode::NoStateDirectory, .. }) => {
            return Ok(Project { label, surface: asking.surface, ..Project::default() });
        }
        Err(error) => return Err(error),
    };
    let repository = Repository::discover(&root)?;
    let state = ReconciledDirectory::of(root, repository.as_ref(), as_of)?;
    let goal = goal(&state, repository.as_ref(), asking.goal.as_deref())?;
    let wall = &state.workspace.wall;
    let agents: Vec<&Id> = goal.map(|goal| goal.agents.keys().collect()).unwrap_or_default();
    let own = agents_here(&state.root, &state.workspace.policies)?;
    let agent = match (&asking.agent, &own[..], &agents[..]) {
        (Some(named), ..) => agents.iter().find(|agent| agent.is_same(named)).copied(),
        (None, [own], _) => agents.iter().find(|agent| agent.is_same(own)).copied(),
        (None, [], [only]) => Some(*only),
        _ => None,
    };
    Ok(Project {
        label,
        is_connected: true,
        goal_id: goal.map(|goal| wall.text(&goal.goal_id)),
        is_goal_found: goal.is_some(),
        agent_id: agent.map(|agent| wall.text(agent)),
        agents: agents.iter().map(|agent| wall.text(agent)).collect(),
        surface: asking.surface,
    })
}

/// Writes the body of the heartbeat of one agent.
///
/// # Errors
/// As [`ReconciledDirectory::read`], the goal is unknown, or several could be meant.
pub fn heartbeat_prompt(place: &Path, asking: &Asking, as_of: Instant) -> Result<Heartbeat, Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let state = ReconciledDirectory::of(root, repository.as_ref(), as_of)?;
    let goal = goal(&state, repository.as_ref(), asking.goal.as_deref())?;
    let goal = goal.ok_or_else(|| Error::about(ErrorCode::UnknownGoal, "name the goal: --goal ID"))?;
    Ok(heartbeat(goal, asking.agent.as_deref(), &state.workspace.wall))
}

/// The goal that is named, else the only one.
fn goal<'s>(
    state: &'s ReconciledDirectory,
    repository: Option<&Repository>,
    typed: Option<&str>,
) -> Result<Option<&'s Goal>, Error> {
    let lookup = Lookup { workspace: &state.workspace, plan: &state.plan, repository, precision: Precision::Prefix };
    let named = typed.map(|typed| lookup.goal(typed)).transpose()?;
    let goals = state.workspace.entries.iter().filter_map(|entry| match &entry.record {
        Some(Record::Goal(goal)) => Some(goal),
        _ => None,
    });
    let mut goals = goals.filter(|goal| named.as_ref().is_none_or(|named| goal.goal_id == **named));
    let first = goals.next();
    Ok(first.filter(|_| goals.next().is_none()))
}

/// The last part of the name of the project's folder, where it may be shown: never a path.
fn label(place: &Path) -> Option<Text> {
    let repository = Repository::discover(place).ok().flatten();
    let folder = repository.as_ref().and_then(Repository::work_tree).unwrap_or(place);
    let name = folder.file_name()?.to_str()?;
    let wall = Wall::shipped();
    wall.scan_text(name).is_empty().then(|| wall.text(name))
}
