//! Whose hand wrote an act of a person.

use super::{new_acts, text};
use crate::finding::Finding;
use crate::review::step::Step;
use crate::review::team;
use crate::rules::Rule;
use crate::vocabulary::{Level, Record, TodoStatus};

pub(in crate::review) fn agent_decides(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let Some(author) = step.author_of(act).filter(|author| author.is_machine()) else { continue };
        let (by, called) = (format!("{act}.by"), author.called());
        let message = format!("`{act}` names `{}`, and `{called}`, no person, committed it", text(step, &by));
        found.push(step.finding(rule, Some(&by), message));
    }
}

/// What only a person does and no act says: a todo of a person is done.
pub(in crate::review) fn agent_does(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let Some(Record::Todo(todo)) = step.new_record() else { return };
    let was_open = step.old().is_some() && step.was("status").as_str() != Some("done");
    let is_of_person =
        |record: Option<&Record>| matches!(record, Some(Record::Todo(todo)) if todo.task_class.is_user());
    if !was_open || todo.status != TodoStatus::Done || !is_of_person(step.old()) {
        return;
    }
    if let Some(author) = step.author_of("status").filter(|author| author.is_machine()) {
        let message = format!("it is a person's, and `{}`, no person, committed that it is done", author.called());
        found.push(step.finding(rule, Some("status"), message));
    }
}

pub(in crate::review) fn asker_decides(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let asker = text(step, "requested.by");
        let Some(author) = step.author_of(act).filter(|author| !author.is_machine()) else { continue };
        let by = format!("{act}.by");
        if author.actor.as_ref().is_some_and(|(id, _)| id.as_str() == asker) && text(step, &by) != asker {
            let message = format!("`{act}` names `{}`, and `{asker}`, who asked, committed it", text(step, &by));
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}

pub(in crate::review) fn other_author(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let by = format!("{act}.by");
        let name = text(step, &by).to_owned();
        let known = step.it.before.workspace.policies.actors.get(name.as_str());
        let author = step.author_of(act);
        if author.is_some_and(|author| author.is_machine()) {
            continue; // That is told by a rule of its own.
        }
        let actor = author.and_then(|author| author.actor.as_ref());
        let is_own = actor.is_some_and(|(id, _)| id.as_str() == name);
        if !is_own && known.is_some_and(|actor| !actor.git.is_empty()) && !team::is_reviewed(step, &name) {
            let message = match author {
                Some(author) => format!("`{act}` names `{name}`, and `{}` committed it", author.called()),
                None => format!("`{act}` names `{name}`, and no commit of this change brought it"),
            };
            // Of a hand that the base does not know nobody can say that it is no agent's.
            let level = if actor.is_some() { rule.level } else { Level::Error };
            found.push(step.finding(&Rule { level, ..*rule }, Some(&by), message));
        }
    }
}

pub(in crate::review) fn unverified(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let by = format!("{act}.by");
        if !team::is_verified(step, act) {
            let message = format!("nobody vouches that `{}` did it", text(step, &by));
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}
