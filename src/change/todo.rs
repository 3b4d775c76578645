//! Acts on todos.

use super::Refusal;
use super::editor::DocumentEditor;
use crate::document::Route;
use crate::vocabulary::{Id, Instant, Todo, TodoStatus};

/// Says that a todo is done, and what shows it.
pub(super) fn finish(
    editor: &mut DocumentEditor<'_>,
    todo: &Todo,
    at: Instant,
    evidence: &[Id],
) -> Result<(), Refusal> {
    if todo.status == TodoStatus::Done {
        return Err(Refusal::Standing { id: todo.todo_id.clone(), field: "done_at", instead: None });
    }
    // A default that nobody wrote stands nowhere.
    if editor.set(&Route::root().key("status"), "done").is_err() {
        editor.put("status", &"done", &["task_class"])?;
    }
    editor.put("done_at", &at, &["status"])?;
    let mut shown = todo.evidence.clone();
    shown.extend(evidence.iter().filter(|id| !todo.evidence.contains(id)).cloned());
    match shown == todo.evidence {
        true => Ok(()),
        false => editor.put("evidence", &shown, &["done_at"]),
    }
}
