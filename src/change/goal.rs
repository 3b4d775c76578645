//! Acts on goals.

use super::Refusal;
use super::editor::DocumentEditor;
use crate::document::Route;
use crate::vocabulary::{ClosedWords, Goal, GoalStatus, Id, Line};

/// Lets an agent work on a goal.
pub(super) fn register(editor: &mut DocumentEditor<'_>, goal: &Goal, agent: &Id, scope: &Line) -> Result<(), Refusal> {
    if goal.agents.contains_key(agent) {
        return Err(Refusal::Registered { goal: goal.goal_id.clone(), agent: agent.clone() });
    }
    editor.add("agents", agent.as_str(), scope)
}

/// Changes the status of a goal; only an active goal can be paused.
pub(super) fn set_status(editor: &mut DocumentEditor<'_>, goal: &Goal, status: GoalStatus) -> Result<(), Refusal> {
    if goal.status == status {
        return Ok(());
    }
    if status == GoalStatus::Paused && goal.status != GoalStatus::Active {
        return Err(Refusal::NotActive { goal: goal.goal_id.clone(), status: goal.status });
    }
    // A status that is left out reads as active, so there may be no entry.
    match editor.set(&Route::root().key("status"), status.word()) {
        Ok(()) => Ok(()),
        Err(_) => editor.put("status", &status, &["objective", "title", "goal_id"]),
    }
}
