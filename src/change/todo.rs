//! Acts on todos.

use super::editor::{DocumentEditor, page_of};
use super::{Action, Actor, Refusal};
use crate::document::Route;
use crate::vocabulary::{ClosedWords, Id, Instant, Kind, Label, Record, ResumeWhen, Todo, TodoStatus};

/// A new document: its path and its text.
type NewFile = (String, String);

/// Writes an act into a todo; gives the new todo that comes of it, if any.
pub(super) fn carry_out(
    editor: &mut DocumentEditor<'_>,
    todo: &Todo,
    act: &Action,
    actor: &Actor,
) -> Result<Option<NewFile>, Refusal> {
    match act {
        Action::Finish { evidence } => finish(editor, todo, actor.at, evidence)?,
        Action::Claim => claim(editor, todo, &actor.by)?,
        Action::Release => release(editor, todo, &actor.by)?,
        Action::Block => put_off(editor, todo, TodoStatus::Blocked, None)?,
        Action::Defer { until } => put_off(editor, todo, TodoStatus::Deferred, Some(until))?,
        Action::Resume => put_off(editor, todo, TodoStatus::Open, None)?,
        Action::Supersede { title, new } => return supersede(editor, todo, title, new).map(Some),
        Action::Reorder { old, new } => reorder(editor, todo, old, new)?,
        _ => return Err(Refusal::OtherKind { is: Kind::Todo, wanted: act.kind() }),
    }
    Ok(None)
}

/// Says that a todo is done, and what shows it.
pub(super) fn finish(
    editor: &mut DocumentEditor<'_>,
    todo: &Todo,
    at: Instant,
    evidence: &[Id],
) -> Result<(), Refusal> {
    let is_shown = |id: &Id| todo.evidence.contains(id);
    if todo.status == TodoStatus::Done {
        return match evidence.iter().all(is_shown) {
            true => Ok(()),
            false => Err(Refusal::Standing { id: todo.todo_id.clone(), field: "done_at", instead: None }),
        };
    }
    set_status(editor, TodoStatus::Done)?;
    editor.put("done_at", &at, &["status"])?;
    let mut shown = todo.evidence.clone();
    shown.extend(evidence.iter().filter(|id| !is_shown(id)).cloned());
    match shown == todo.evidence {
        true => Ok(()),
        false => editor.put("evidence", &shown, &["done_at"]),
    }
}

fn claim(editor: &mut DocumentEditor<'_>, todo: &Todo, agent: &Id) -> Result<(), Refusal> {
    if todo.status != TodoStatus::Open {
        return Err(Refusal::NotOpen { todo: todo.todo_id.clone(), status: todo.status });
    }
    match &todo.claimed_by {
        Some(claimer) if claimer.is_same(agent) => Ok(()),
        Some(claimer) => Err(Refusal::Claimed { todo: todo.todo_id.clone(), by: claimer.clone() }),
        None => editor.put("claimed_by", agent, &["after", "priority", "status", "task_class"]),
    }
}

fn release(editor: &mut DocumentEditor<'_>, todo: &Todo, agent: &Id) -> Result<(), Refusal> {
    match &todo.claimed_by {
        _ if todo.status == TodoStatus::Done => {
            Err(Refusal::NotOpen { todo: todo.todo_id.clone(), status: todo.status })
        }
        None => Ok(()),
        Some(claimer) if claimer.is_same(agent) => editor.remove("claimed_by"),
        Some(claimer) => Err(Refusal::Claimed { todo: todo.todo_id.clone(), by: claimer.clone() }),
    }
}

/// Changes the status of a todo that is not done, and what resumes it.
fn put_off(
    editor: &mut DocumentEditor<'_>,
    todo: &Todo,
    status: TodoStatus,
    resume_when: Option<&ResumeWhen>,
) -> Result<(), Refusal> {
    if todo.status == TodoStatus::Done {
        return Err(Refusal::NotOpen { todo: todo.todo_id.clone(), status: todo.status });
    }
    if todo.status != status {
        set_status(editor, status)?;
    }
    match resume_when {
        _ if todo.resume_when.as_ref() == resume_when => Ok(()),
        Some(resume_when) => editor.put("resume_when", resume_when, &["status"]),
        None => editor.remove("resume_when"),
    }
}

/// Puts a todo off until a new one is done; the new one takes over what the old one is and waits for.
fn supersede(editor: &mut DocumentEditor<'_>, todo: &Todo, title: &Label, new: &Id) -> Result<NewFile, Refusal> {
    let until = ResumeWhen::new(format!("todo_done:{new}"));
    put_off(editor, todo, TodoStatus::Deferred, Some(&until))?;
    let successor = Todo {
        todo_id: new.clone(),
        title: title.clone(),
        status: TodoStatus::Open,
        evidence: Vec::new(),
        done_at: None,
        resume_when: None,
        ..todo.clone()
    };
    let source = page_of(&Record::Todo(successor), &todo.goal_id, new);
    source.ok_or_else(|| Refusal::Unwritable { path: format!("the document of {new}") })
}

/// Names another todo in the place of one that this todo waits for.
fn reorder(editor: &mut DocumentEditor<'_>, todo: &Todo, old: &Id, new: &Id) -> Result<(), Refusal> {
    for (index, _) in todo.after.iter().enumerate().filter(|(_, id)| id.is_same(old)) {
        editor.set(&Route::root().key("after").index(index), new.as_str())?;
    }
    Ok(())
}

fn set_status(editor: &mut DocumentEditor<'_>, status: TodoStatus) -> Result<(), Refusal> {
    // A default that nobody wrote stands nowhere.
    match editor.set(&Route::root().key("status"), status.word()) {
        Ok(()) => Ok(()),
        Err(_) => editor.put("status", &status, &["task_class"]),
    }
}
