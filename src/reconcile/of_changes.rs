//! Conditions of changes that are not at the authority ref, so that they open nothing yet (law 9).

use super::case::Case;
use super::conditions::{Concern, Found, Reach};
use super::moment::Moment;
use super::world::Authority;
use crate::vocabulary::{Reason, Record, Todo, TodoStatus};

/// A goal that is not at the authority ref, or whose authority ref is not here.
pub(super) fn of_goal<'a>(case: &Case<'a>) -> Option<Found<'a>> {
    let found = Found::new(Reason::ChangeNotRecorded, case.owner(), case.goal_id).reach(Reach::Goal);
    let found = found.concerns(Concern::All);
    if let Authority::RefMissing { reference, fetch } = &case.world.authority {
        return Some(Found {
            action: Some(format!("bring {reference} into this clone, where decisions count")),
            command: Some(fetch.clone()),
            ..found
        });
    }
    let is_missing = case.documents.effective.is_some_and(|effective| !effective.is_recorded);
    is_missing.then(|| recorded_by(case, found, "{0}"))
}

/// Todos that are closed only because what would open them is not at the authority ref.
pub(super) fn of_todos<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let case = moment.case;
    let Some(effective) = case.documents.effective else { return Vec::new() };
    let mut ids: Vec<&'a str> = effective.todos_here.keys().chain(&effective.held).map(|id| &**id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut all = Vec::new();
    for id in ids {
        let Some(counted) = moment.todos.get(id).copied() else { continue };
        let here = match effective.todos_here.get(id) {
            Some(Record::Todo(here)) => here,
            _ => counted,
        };
        let waits_for_a_person = counted.after.iter().any(|first| is_open_user_todo(moment, first.as_str()));
        if !moment.is_ready(counted) && moment.is_ready_for_its_agent(here) && !waits_for_a_person {
            let found = Found::new(Reason::ChangeNotRecorded, case.owner(), id).title(counted.title.as_str());
            all.push(recorded_by(case, found, "{0}").concerns(moment.concern_of([counted])).blocks([id]));
        }
    }
    all
}

/// Says of a person's todo that is done here and not at the authority ref how that comes to count.
pub(super) fn done_here<'a>(moment: &Moment<'_, 'a>, found: Found<'a>) -> Found<'a> {
    let is_done_here = moment.case.documents.effective.is_some_and(|effective| {
        let here = effective.todos_here.get(&**found.thing());
        matches!(here, Some(Record::Todo(here)) if here.status == TodoStatus::Done)
    });
    if !is_done_here {
        return found;
    }
    let other = Found::new(Reason::ChangeNotRecorded, moment.case.owner(), found.thing().clone());
    let other = Found { title: found.title, blocks: found.blocks.clone(), ..other.reach(found.reach) };
    recorded_by(moment.case, other.concerns(found.agents.clone()), "{0}, which is done here only")
}

fn is_open_user_todo(moment: &Moment<'_, '_>, id: &str) -> bool {
    let todo: Option<&&Todo> = moment.todos.get(id);
    todo.is_some_and(|todo| todo.task_class.is_user() && todo.status == TodoStatus::Open)
}

/// Names the command that brings the change to the authority ref from what is checked out.
fn recorded_by<'a>(case: &Case<'a>, found: Found<'a>, what: &str) -> Found<'a> {
    let branch = &case.world.branch;
    let action = format!("bring {what} to {}, where it counts", branch.reference);
    let command = Some(branch.records.clone()).filter(|command| !command.is_empty());
    Found { action: Some(action), command, ..found }
}
