//! Facts that a host or a program reports of a bound session: one item more, or the session's latest status.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::lookup::{Lookup, agents_here};
use super::shared_facts::{FactsText, LockedFacts, SharedFacts};
use crate::change::{FactItem, Refusal, Reporting, record_item, refresh};
use crate::vocabulary::{Binding, ClosedWords as _, Instant, Kind, Record, RuntimeId, SessionMode, SessionStatus};
use crate::workspace::{Files, Folder, LoadedFile};

/// Which session is reported of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionChoice {
    /// The session; a unique prefix of its id will do.
    pub session: Option<String>,
    /// The agent whose live session it is.
    pub agent: Option<String>,
}

/// What a host or a program reports of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reported {
    /// One item, as JSON.
    Item(String),
    /// The status, or that the last one still holds.
    Status(Option<SessionStatus>),
}

/// What a report makes of the facts of a session.
pub(super) struct Observation {
    /// Where the facts stand, below the state directory or among the shared facts.
    pub(super) path: String,
    /// What they hold; `None`: there were none.
    pub(super) old: Option<String>,
    /// What they hold with the report in them.
    pub(super) new: String,
    /// The right to write them where all work trees share them.
    pub(super) locked: Option<LockedFacts>,
}

/// The facts of a session with the report in them.
pub(super) fn observe(
    (choice, report): (&SessionChoice, &Reported),
    lookup: &Lookup<'_>,
    goal: Option<&str>,
    folder: &Folder,
    (at, execute): (Instant, bool),
) -> Result<Observation, Error> {
    let binding = binding(choice, lookup, goal, folder.root())?;
    let session = reporting(binding)?;
    let (runtime, id) = (session.runtime_id.word(), session.session_id.as_str());
    let shared = SharedFacts::of(lookup.repository, lookup.workspace.settings.facts);
    let locked = shared.as_ref().filter(|_| execute).map(|shared| shared.lock(runtime, id)).transpose()?;
    let (path, known) = match &shared {
        Some(shared) => (session.path(), shared.read(folder.root(), runtime, id)?),
        None => match facts_of(&session, lookup) {
            Some(entry) => (entry.path.to_string(), Some(facts_here(entry, folder)?)),
            None => (session.path(), None),
        },
    };
    let unreadable = || Error::about(ErrorCode::DocumentUnusable, &path);
    let source = known.as_ref().map(|known| known.source(&path).ok_or_else(unreadable)).transpose()?;
    let refused = |refusal: Refusal| Error::about(ErrorCode::Refused, refusal.to_string());
    let new = match report {
        Reported::Item(item) => {
            let item = FactItem::read(item, at, &lookup.workspace.wall);
            let item = item.map_err(|fault| Error::about(ErrorCode::Refused, fault.to_string()))?;
            record_item(&session, source, &item, at).map_err(refused)?
        }
        Reported::Status(status) => refresh(&session, source, *status, at).map_err(refused)?,
    };
    Ok(Observation { old: known.map(|known| known.text), path, new, locked })
}

/// The facts of the work tree as they stand.
fn facts_here(entry: &LoadedFile, folder: &Folder) -> Result<FactsText, Error> {
    let text = folder.read(&entry.path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or_else(|| Error::about(ErrorCode::DocumentUnusable, &entry.path))?;
    Ok(FactsText { text, record: entry.record.clone() })
}

/// The one live binding that is meant.
pub(super) fn binding<'w>(
    choice: &SessionChoice,
    lookup: &'w Lookup<'w>,
    goal: Option<&str>,
    root: &Path,
) -> Result<&'w Binding, Error> {
    if let Some(typed) = &choice.session {
        let found = lookup.document(Kind::Binding, typed, goal).map_err(|error| match error.code {
            ErrorCode::UnknownDocument => unbound(&format!("session {typed}")),
            _ => error,
        })?;
        return binding_of(found).ok_or_else(|| unbound(&format!("session {typed}")));
    }
    let agents = match &choice.agent {
        Some(typed) => vec![lookup.agent(typed, goal)?],
        None => agents_here(root, &lookup.workspace.policies)?,
    };
    let bindings = lookup.workspace.entries.iter().filter(|entry| goal.is_none() || entry.goal_id() == goal);
    let live = bindings.filter_map(binding_of);
    let is_meant = |binding: &&Binding| agents.is_empty() || agents.iter().any(|agent| binding.agent_id.is_same(agent));
    match live.filter(is_meant).collect::<Vec<_>>()[..] {
        [only] => Ok(only),
        [] if agents.is_empty() => Err(unbound("this state directory")),
        [] => Err(unbound(&agents.join(" or "))),
        ref several => {
            let ids: Vec<&str> = several.iter().map(|binding| binding.session_id.as_str()).collect();
            Err(Error::about(ErrorCode::AmbiguousDocument, format!("the session could be {}", ids.join(", "))))
        }
    }
}

fn binding_of(entry: &LoadedFile) -> Option<&Binding> {
    match &entry.record {
        Some(Record::Binding(binding)) if binding.closed.is_none() && binding.replaced.is_none() => Some(binding),
        _ => None,
    }
}

fn unbound(what: &str) -> Error {
    let how = "write goals/GOAL/bindings/SESSION.yaml: its agent and its executor";
    Error::about(ErrorCode::Refused, format!("{what} has no live binding here; bind it: {how}"))
}

/// The session of a binding with its row of the host table.
fn reporting(binding: &Binding) -> Result<Reporting, Error> {
    let (runtime_id, host_kind) = match (binding.session_mode, binding.host_surface) {
        (Some(SessionMode::AttachedHost), Some(surface)) => {
            let (runtime, kind) = surface.row();
            (runtime, Some(kind))
        }
        (Some(SessionMode::AttachedHost), None) => {
            let why = format!("binding {} names no host_surface", binding.session_id);
            return Err(Error::about(ErrorCode::DocumentUnusable, why));
        }
        (Some(SessionMode::ManagedRuntime) | None, _) => (RuntimeId::CustomWorker, None),
    };
    Ok(Reporting { session_id: binding.session_id.clone(), runtime_id, host_kind })
}

/// The facts that stand here of a session, by its own runtime.
fn facts_of<'w>(session: &Reporting, lookup: &Lookup<'w>) -> Option<&'w LoadedFile> {
    let numbers = lookup.workspace.index.sessions.get(session.session_id.as_str())?;
    let mut entries = numbers.iter().map(|number| &lookup.workspace.entries[*number]);
    entries.find(|entry| entry.field("runtime_id") == Some(&session.runtime_id.to_string()))
}
