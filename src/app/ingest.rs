//! Facts of a host's session file or export, for teams without hooks.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::hook::{BoundGoal, HostSession, Routes, handle_of, told_facts};
use super::plan::PATIENCE;
use super::shared_facts::session_lock;
use crate::document::to_yaml;
use crate::git::GitPlace;
use crate::hosts::{SessionKey, read_export, reported};
use crate::store::{LocalFiles, shared_facts_file};
use crate::vocabulary::{ClosedWords as _, Facts, HostSurface, Instant};

/// What became of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// The session that the facts are of: a binding's, else a handle of this clone.
    pub session_id: String,
    /// Whether a binding names it.
    pub is_bound: bool,
    /// The facts.
    pub facts: Facts,
    /// How many lines could not be read.
    pub unreadable_lines: usize,
    /// Whether anything was written.
    pub is_written: bool,
}

/// Reads an export and writes the facts of its session; the host's own id is never stored.
///
/// # Errors
/// There is no repository, or the export says nothing of a session.
pub fn ingest(
    place: &Path,
    surface: HostSurface,
    bytes: &[u8],
    session: Option<&str>,
    as_of: Instant,
) -> Result<Ingested, Error> {
    let root = super::state_directory(place)?;
    let repository = super::trusted(&root)?;
    let git = GitPlace::find(&root).ok_or_else(|| Error::of(ErrorCode::NoGit))?;
    let files = LocalFiles::of(&git.common_dir);
    let export = read_export(surface, bytes, as_of);
    let own = export.session.as_deref().map(|id| handle_of(surface.word(), id));
    let bound = match (session, &own) {
        (Some(session), _) => Some(session.to_owned()),
        (None, Some(handle)) => bound_session(&files, handle)?,
        (None, None) => None,
    };
    let is_bound = bound.is_some();
    let session_id = bound
        .or(own)
        .ok_or_else(|| Error::about(ErrorCode::NothingToCheck, format!("no session of {surface} in this input")))?;
    let key = SessionKey { surface, session_id: session_id.clone(), epoch: 0, todo_id: None };
    let fault = |error: std::io::Error| Error::about(ErrorCode::CannotWrite, error.kind().to_string());
    let lock = files.lock(&session_lock(&session_id), PATIENCE).map_err(fault)?;
    let busy = || Error::about(ErrorCode::CannotWrite, format!("another program changes the facts of {session_id}"));
    let _lock = lock.ok_or_else(busy)?;
    let known = told_facts(&files, &root, repository.prefix(), &key).map_err(|_| Error::of(ErrorCode::CannotRead))?;
    let mut facts = known.clone();
    for (report, at) in export.reports {
        facts = reported(facts.as_ref(), &key, report, at).or(facts);
    }
    let Some(facts) = facts else {
        return Err(Error::about(ErrorCode::NothingToCheck, "the input reports nothing"));
    };
    let is_written = Some(&facts) != known.as_ref();
    if is_written {
        let name = shared_facts_file(repository.prefix(), key.runtime().word(), &session_id);
        files.write(&name, to_yaml(&facts).as_bytes()).map_err(fault)?;
    }
    Ok(Ingested { session_id, is_bound, facts, unreadable_lines: export.unreadable_lines, is_written })
}

/// The binding that a host session was announced for, where it is one alone.
fn bound_session(files: &LocalFiles, handle: &str) -> Result<Option<String>, Error> {
    let unreadable = |_| Error::about(ErrorCode::CannotRead, "the host's session");
    let Some(session) = HostSession::at(files, handle).map_err(unreadable)? else { return Ok(None) };
    let routes = Routes::read(files).map_err(|_| Error::about(ErrorCode::CannotRead, "the routes"))?;
    let route = routes.find(&session.host, &session.work_tree, &session.dir, &session.agent);
    let goals: &[BoundGoal] = route.map_or(&[], |route| &route.goals);
    Ok(match goals {
        [only] => Some(only.session_id.clone()),
        _ => None,
    })
}
