//! First screens that become otherwise.

use crate::privacy::Text;
use crate::reconcile::Plan;
use crate::vocabulary::FirstScreen;

/// One agent's first screen in both revisions; `None`: there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenChange {
    /// The goal.
    pub goal_id: Text,
    /// The agent.
    pub agent_id: Text,
    /// Before.
    pub before: Option<FirstScreen>,
    /// After.
    pub after: Option<FirstScreen>,
}

/// Lists the screens that differ in more than words.
pub(super) fn changes(before: &Plan, after: &Plan) -> Vec<ScreenChange> {
    let mut changes = Vec::new();
    let keys: std::collections::BTreeSet<_> = before.projections.keys().chain(after.projections.keys()).collect();
    for key in keys {
        let (old, new) = (before.projections.get(key), after.projections.get(key));
        let Some(named) = new.or(old) else { continue };
        let (old, new) = (old.map(|it| &it.first_screen), new.map(|it| &it.first_screen));
        if old.map(verdict) != new.map(verdict) {
            changes.push(ScreenChange {
                goal_id: named.goal_id.clone(),
                agent_id: named.agent_id.clone(),
                before: old.cloned(),
                after: new.cloned(),
            });
        }
    }
    changes
}

fn verdict(screen: &FirstScreen) -> impl PartialEq + '_ {
    (
        (screen.waiting_on, screen.gate_state, screen.quota_state, screen.may_continue),
        (&screen.next_action, &screen.first_executable_agent_todo, &screen.first_gate_id),
        (&screen.boundary.write_scope, &screen.boundary.stop_condition),
    )
}
