//! Runs the command that validates a goal outside a turn, and reports how it ended as an outcome of a session.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::change::{ChangeRequest, Changed, Operation, change_document};
use super::error::{Error, ErrorCode};
use super::lookup::{Lookup, Precision};
use super::observe::{Reported, SessionChoice, binding};
use super::plan::ReconciledDirectory;
use super::world::world;
use crate::git::Repository;
use crate::process::{CommandEnd, run_command};
use crate::vocabulary::{Id, Instant, sha256};

/// Whose work the goal's command validates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationRequest {
    /// Which session.
    pub session: SessionChoice,
    /// The goal, where nothing else tells.
    pub goal: Option<String>,
    /// The todo that the work was for.
    pub todo: Option<Id>,
    /// How long the goal's command may take.
    pub timeout: Duration,
}

/// Runs the command that validates the goal of a session, and reports how it ended as an outcome of the session; tells
/// whether it passed. `given` is the time, if it is not the clock's.
///
/// # Errors
/// The session is unknown, its goal names no command, the command cannot be started, or facts cannot be written.
pub fn validate(place: &Path, request: &ValidationRequest, given: Option<Instant>) -> Result<(Changed, bool), Error> {
    let now = || given.unwrap_or_else(super::now);
    let state = ReconciledDirectory::read(place, now())?;
    let repository = Repository::discover(&state.root)?;
    let lookup = Lookup {
        workspace: &state.workspace,
        plan: &state.plan,
        repository: repository.as_ref(),
        precision: Precision::Whole,
    };
    let goal = request.goal.as_ref().map(|goal| lookup.goal(goal)).transpose()?;
    let binding = binding(&request.session, &lookup, goal.as_deref(), &state.root)?;
    let here = world(&state.workspace, &state.records);
    // What the reviewed branch says: no agent picks what judges it.
    let goal = here.goals.get(binding.goal_id.as_str()).and_then(|documents| documents.goal);
    let words: Vec<&str> = goal.iter().flat_map(|goal| &goal.validation_command).map(|word| word.as_str()).collect();
    if words.is_empty() {
        let why = format!("goal {} names no validation_command, so nothing can show it", binding.goal_id);
        return Err(Error::about(ErrorCode::Refused, why));
    }
    let work_tree = repository.as_ref().and_then(Repository::work_tree).unwrap_or(&state.root);
    let end = run_command(&words, work_tree, request.timeout);
    let end = end.map_err(|error| Error::about(ErrorCode::ValidationUnavailable, error.to_string()))?;
    let (is_passed, at) = (end == CommandEnd::Passed, now());
    let key = json!([binding.session_id, request.todo, at.to_string()]).to_string();
    let mut item = json!({
        "outcome_id": format!("run-{}", &sha256(key.as_bytes())[..16]),
        "kind": "validation",
        "status": if is_passed { "passed" } else { "failed" },
        "at": at.to_string(),
    });
    if let (Some(todo), Some(item)) = (&request.todo, item.as_object_mut()) {
        item.insert("todo_id".to_owned(), json!(todo));
    }
    let session = SessionChoice { session: Some(binding.session_id.to_string()), agent: None };
    let operation = Operation::Observe { session, report: Reported::Item(item.to_string()) };
    let goal = Some(binding.goal_id.to_string());
    let report = ChangeRequest { operation, goal, by: None, class: None, at: None };
    Ok((change_document(place, &report, at, true)?, is_passed))
}
