//! Conditions of changes that are not at the authority ref, so that they open nothing yet (law 9).

use super::{Concern, ConditionScope, FoundCondition};
use crate::reconcile::goal_context::GoalContext;
use crate::reconcile::goal_state::GoalState;
use crate::reconcile::world::AuthorityState;
use crate::vocabulary::{Reason, Record, Todo, TodoStatus};

/// A goal that is not at the authority ref, or whose authority ref is not here.
pub(in crate::reconcile) fn of_goal<'a>(context: &GoalContext<'a>) -> Option<FoundCondition<'a>> {
    let found =
        FoundCondition::new(Reason::ChangeNotRecorded, context.owner(), context.goal_id).reach(ConditionScope::Goal);
    let found = found.concerns(Concern::All);
    if let AuthorityState::RefMissing { reference, fetch } = &context.world.authority {
        return Some(FoundCondition {
            action: Some(format!("bring {reference} into this clone, where decisions count")),
            command: Some(fetch.clone()),
            ..found
        });
    }
    let is_missing = context.documents.effective.is_some_and(|effective| !effective.is_recorded);
    is_missing.then(|| recorded_by(context, found, "{0}"))
}

/// Todos that are closed only because what would open them is not at the authority ref.
pub(in crate::reconcile) fn of_todos<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let context = state.context;
    let Some(effective) = context.documents.effective else { return Vec::new() };
    let mut ids: Vec<&'a str> = effective.todos_here.keys().chain(&effective.held).map(|id| &**id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut all = Vec::new();
    for id in ids {
        let Some(counted) = state.todos.get(id).copied() else { continue };
        let here = match effective.todos_here.get(id) {
            Some(Record::Todo(here)) => here,
            _ => counted,
        };
        let waits_for_a_person = counted.after.iter().any(|first| is_open_user_todo(state, first.as_str()));
        if !state.is_ready(counted) && state.is_ready_for_its_agent(here) && !waits_for_a_person {
            let found =
                FoundCondition::new(Reason::ChangeNotRecorded, context.owner(), id).title(counted.title.as_str());
            all.push(recorded_by(context, found, "{0}").concerns(state.concern_of([counted])).blocks([id]));
        }
    }
    all
}

/// Says of a person's todo that is done here and not at the authority ref how that comes to count.
pub(in crate::reconcile) fn done_here<'a>(state: &GoalState<'_, 'a>, found: FoundCondition<'a>) -> FoundCondition<'a> {
    let is_done_here = state.context.documents.effective.is_some_and(|effective| {
        let here = effective.todos_here.get(&**found.thing());
        matches!(here, Some(Record::Todo(here)) if here.status == TodoStatus::Done)
    });
    if !is_done_here {
        return found;
    }
    let other = FoundCondition::new(Reason::ChangeNotRecorded, state.context.owner(), found.thing().clone());
    let other = FoundCondition { title: found.title, blocks: found.blocks.clone(), ..other.reach(found.reach) };
    recorded_by(state.context, other.concerns(found.agents.clone()), "{0}, which is done here only")
}

fn is_open_user_todo(state: &GoalState<'_, '_>, id: &str) -> bool {
    let todo: Option<&&Todo> = state.todos.get(id);
    todo.is_some_and(|todo| todo.task_class.is_user() && todo.status == TodoStatus::Open)
}

/// Names the command that brings the change to the authority ref from what is checked out.
fn recorded_by<'a>(context: &GoalContext<'a>, found: FoundCondition<'a>, what: &str) -> FoundCondition<'a> {
    let branch = &context.world.branch;
    let action = format!("bring {} to {}, where it counts", found.fill(what), branch.reference);
    let is_committed = context.documents.effective.is_none_or(|effective| effective.is_committed);
    let command = Some(branch.records(is_committed)).filter(|command| !command.is_empty());
    FoundCondition { action: Some(action), command, ..found }
}
