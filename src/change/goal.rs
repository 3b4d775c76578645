//! Acts on goals.

use super::Refusal;
use super::editor::DocumentEditor;
use crate::vocabulary::{Goal, Id, Line};

/// Lets an agent work on a goal.
pub(super) fn register(editor: &mut DocumentEditor<'_>, goal: &Goal, agent: &Id, scope: &Line) -> Result<(), Refusal> {
    if goal.agents.contains_key(agent) {
        return Err(Refusal::Registered { goal: goal.goal_id.clone(), agent: agent.clone() });
    }
    editor.add("agents", agent.as_str(), scope)
}
