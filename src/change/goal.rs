//! Acts on goals.

use super::Refusal;
use super::pen::Pen;
use crate::vocabulary::{Goal, Id, Line};

/// Lets an agent work on a goal.
pub(super) fn register(pen: &mut Pen<'_>, goal: &Goal, agent: &Id, scope: &Line) -> Result<(), Refusal> {
    if goal.agents.contains_key(agent) {
        return Err(Refusal::Registered { goal: goal.goal_id.clone(), agent: agent.clone() });
    }
    pen.add("agents", agent.as_str(), scope)
}
