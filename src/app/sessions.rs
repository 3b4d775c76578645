//! Which host session works for whom: the bindings of a state directory joined with their holders.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::hook::{GoalChoice, Holder, HostSession, Routes, handle_of};
use super::plan::PATIENCE;
use super::shared_facts::session_lock;
use crate::git::GitPlace;
use crate::hosts::Host;
use crate::store::LocalFiles;
use crate::vocabulary::{HostSurface, Instant, Record, SessionStatus};

/// One binding and its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLine {
    /// The id of the binding.
    pub session_id: String,
    /// Its goal.
    pub goal_id: String,
    /// Its agent.
    pub agent_id: String,
    /// Its surface; none for a managed session.
    pub surface: Option<HostSurface>,
    /// `live`, or `ended`.
    pub document: &'static str,
    /// The handle of the host session that holds it.
    pub holder: Option<String>,
    /// How often it has had a holder.
    pub epoch: u64,
    /// The status that the holder told last.
    pub status: Option<SessionStatus>,
    /// When.
    pub at: Option<Instant>,
}

/// Where the sessions of a clone are kept.
struct Sessions {
    files: LocalFiles,
    place: GitPlace,
    dir: String,
}

impl Sessions {
    fn find(place: &Path) -> Result<Self, Error> {
        let root = super::state_directory(place)?;
        let repository = super::trusted(&root)?;
        let place = GitPlace::find(&root).ok_or_else(|| Error::of(ErrorCode::NoGit))?;
        Ok(Self { files: LocalFiles::of(&place.common_dir), place, dir: repository.prefix().to_owned() })
    }

    fn holder(&self, session: &str) -> Result<Option<Holder>, Error> {
        Holder::read(&self.files, session).map_err(|_| Error::about(ErrorCode::CannotRead, "the holder of the binding"))
    }

    fn known(&self, (host, own): &(Host, String)) -> Result<Option<HostSession>, Error> {
        let handle = handle_of(host.word(), own);
        HostSession::at(&self.files, &handle).map_err(|_| Error::about(ErrorCode::CannotRead, "the host session"))
    }

    fn write(&self, session: &HostSession) -> Result<(), Error> {
        session.write(&self.files).map_err(unwritten)
    }
}

fn unwritten(error: std::io::Error) -> Error {
    Error::about(ErrorCode::CannotWrite, error.kind().to_string())
}

/// Lists bindings with their holders: the live ones, all, or one.
///
/// # Errors
/// There is no repository, or no such binding.
pub fn sessions(place: &Path, as_of: Instant, all: bool, only: Option<&str>) -> Result<Vec<SessionLine>, Error> {
    let state = super::plan::ReconciledDirectory::read(place, as_of)?;
    let kept = Sessions::find(place)?;
    let mut lines = Vec::new();
    for entry in &state.workspace.entries {
        let Some(Record::Binding(binding)) = &entry.record else { continue };
        let is_live = binding.closed.is_none() && binding.replaced.is_none();
        let is_meant = only.map_or(all || is_live, |only| binding.session_id == *only);
        if !is_meant {
            continue;
        }
        let holder = kept.holder(binding.session_id.as_str())?.filter(|holder| !holder.handle.is_empty());
        lines.push(SessionLine {
            session_id: binding.session_id.to_string(),
            goal_id: binding.goal_id.to_string(),
            agent_id: binding.agent_id.to_string(),
            surface: binding.host_surface,
            document: if is_live { "live" } else { "ended" },
            epoch: holder.as_ref().map_or(0, |holder| holder.epoch),
            status: holder.as_ref().map(|holder| holder.status),
            at: holder.as_ref().map(|holder| holder.at),
            holder: holder.map(|holder| holder.handle),
        });
    }
    match only {
        Some(only) if lines.is_empty() => Err(Error::about(ErrorCode::UnknownDocument, format!("binding {only}"))),
        _ => Ok(lines),
    }
}

/// Says for which agent a host session works.
///
/// # Errors
/// No route of this work tree is for that agent and goal.
pub fn announce_session(place: &Path, own: &(Host, String), goal: &str, agent: &str) -> Result<(), Error> {
    let sessions = Sessions::find(place)?;
    let routes = Routes::read(&sessions.files).map_err(unwritten)?;
    let route = routes.find(own.0.word(), &sessions.place.name(), &sessions.dir, agent);
    let route = route.filter(|route| route.goals.iter().any(|bound| bound.goal_id == goal));
    let Some(route) = route else {
        let why = format!("loopx connect {} --agent {agent} --goal {goal}", own.0);
        return Err(Error::about(ErrorCode::HostNotConnected, why));
    };
    sessions.write(&HostSession::of(handle_of(own.0.word(), &own.1), route))
}

/// Chooses what a host session works for.
///
/// # Errors
/// Nobody announced the session, or its agent does not work for the goal.
pub fn choose_goal(place: &Path, own: &(Host, String), choice: GoalChoice) -> Result<(), Error> {
    let sessions = Sessions::find(place)?;
    let Some(known) = sessions.known(own)? else { return Err(Error::of(ErrorCode::UnknownHostSession)) };
    if let GoalChoice::Goal(goal) = &choice {
        let routes = Routes::read(&sessions.files).map_err(unwritten)?;
        let route = routes.find(&known.host, &known.work_tree, &known.dir, &known.agent);
        if !route.is_some_and(|route| route.goals.iter().any(|bound| bound.goal_id == *goal)) {
            return Err(Error::about(ErrorCode::UnknownGoal, format!("goal {goal} has no binding of {}", known.agent)));
        }
    }
    sessions.write(&HostSession { choice: Some(choice), ..known })
}

/// Moves the routes of this clone from a binding to the one that replaced it; the next holder has the next epoch.
///
/// # Errors
/// The owner-local files cannot be read or written.
pub fn move_routes(place: &Path, old: &str, new: &str, surface: Option<HostSurface>) -> Result<(), Error> {
    let sessions = Sessions::find(place)?;
    let _lock = sessions.files.lock(&session_lock(old), PATIENCE).map_err(unwritten)?;
    if let Some(holder) = sessions.holder(old)? {
        let freed = Holder { handle: String::new(), status: SessionStatus::Stopped, ..holder };
        freed.write(&sessions.files, new).map_err(unwritten)?;
    }
    let mut routes = Routes::read(&sessions.files).map_err(unwritten)?;
    let is_of = |host: &str| Host::named(host).is_some_and(|host| Some(host.row().surface) == surface);
    for route in &mut routes.routes {
        let is_of_host = is_of(&route.host);
        route.goals.retain(|goal| goal.session_id != old || is_of_host);
        for goal in route.goals.iter_mut().filter(|goal| goal.session_id == old) {
            goal.session_id = new.to_owned();
        }
    }
    routes.routes.retain(|route| !route.goals.is_empty());
    routes.write(&sessions.files).map_err(unwritten)
}

/// Refuses to end a binding whose holder is at work, or that has had another holder than was expected.
///
/// # Errors
/// The holder is at work, or its epoch is another one.
pub fn refuse_while_held(place: &Path, session: &str, epoch: Option<u64>, as_of: Instant) -> Result<(), Error> {
    let holder = Sessions::find(place)?.holder(session)?;
    let refused = |why: String| Err(Error::about(ErrorCode::Refused, why));
    if let Some(expected) = epoch {
        let found = holder.as_ref().map_or(0, |holder| holder.epoch);
        if found != expected {
            return refused(format!("the epoch of {session} is {found}: loopx session show {session}"));
        }
    }
    match holder {
        Some(holder) if !holder.may_yield(as_of) && !holder.is_silent(as_of) => refused(format!(
            "the holder of {session} is at work, or was less than ten minutes ago: loopx session show {session}"
        )),
        _ => Ok(()),
    }
}

/// Frees a binding whose holder is gone; the next session of its agent takes it with the next epoch.
///
/// # Errors
/// The binding is unknown, or its holder is at work.
pub fn restore_session(place: &Path, session: &str, as_of: Instant) -> Result<(), Error> {
    super::sessions::sessions(place, as_of, false, Some(session))?;
    let sessions = Sessions::find(place)?;
    refuse_while_held(place, session, None, as_of)?;
    let Some(holder) = sessions.holder(session)? else { return Ok(()) };
    let freed = Holder { handle: String::new(), status: SessionStatus::Stopped, ..holder };
    freed.write(&sessions.files, session).map_err(unwritten)
}
