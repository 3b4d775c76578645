//! What a settled turn writes into documents: the progress of its todo, and the outcomes of its session.

use super::editor::DocumentEditor;
use super::todo::finish;
use super::{Refusal, SourceDocument};
use crate::document::Route;
use crate::vocabulary::{Facts, Id, Instant, OutcomeFact, Todo};

/// What a turn makes of its todo; nothing where the todo says so already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TodoProgress {
    /// When it was done.
    pub done_at: Option<Instant>,
    /// What shows it.
    pub evidence: Option<Id>,
    /// When a monitor is due again.
    pub next_due_at: Option<Instant>,
    /// Who claims what is nobody's.
    pub claimed_by: Option<Id>,
}

impl TodoProgress {
    /// Whether the todo says all of it already.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Writes the progress of a todo into its text.
///
/// # Errors
/// The file is written in a way that no edit fits.
pub fn record_progress(source: SourceDocument<'_>, todo: &Todo, progress: &TodoProgress) -> Result<String, Refusal> {
    let mut editor = DocumentEditor::new(source);
    if let Some(at) = progress.done_at {
        let evidence: Vec<Id> = progress.evidence.iter().cloned().collect();
        finish(&mut editor, todo, at, &evidence)?;
    }
    if let Some(due) = progress.next_due_at
        && editor.set(&Route::root().key("next_due_at"), &due.to_string()).is_err()
    {
        editor.put("next_due_at", &due, &["cadence", "task_class"])?;
    }
    if let Some(agent) = &progress.claimed_by {
        editor.put("claimed_by", agent, &["after", "priority", "status", "task_class"])?;
    }
    Ok(editor.text())
}

/// Adds outcomes to the text of a session's facts; those that stand there already stay.
///
/// # Errors
/// The file is written in a way that no edit fits.
pub fn record_outcomes(
    source: SourceDocument<'_>,
    facts: &Facts,
    outcomes: &[OutcomeFact],
    at: Instant,
) -> Result<String, Refusal> {
    let mut editor = DocumentEditor::new(source);
    let mut all = facts.outcomes.clone();
    let new = outcomes.iter().filter(|one| facts.outcomes.iter().all(|known| known.outcome_id != one.outcome_id));
    all.extend(new.cloned());
    if all.len() > facts.outcomes.len() {
        editor.put("outcomes", &all, &["updated_at"])?;
    }
    if facts.updated_at < at {
        editor.set(&Route::root().key("updated_at"), &at.to_string())?;
    }
    Ok(editor.text())
}
