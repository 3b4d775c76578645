//! Explains one row of the attention queue: what it means, what it is about, and what clears it.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::plan::ReconciledDirectory;
use super::status::{StatusRequest, reconciled};
use crate::git::Repository;
use crate::privacy::Text;
use crate::report::{Explanation, Meaning, NamedText};
use crate::vocabulary::{AttentionRow, ClosedWords, Instant, Reason};

/// Reconciles the state directory of a place in memory and explains the row of the queue with this rank, from 1, as
/// `status` numbers it for the same request.
///
/// # Errors
/// As [`ReconciledDirectory::read`], or the queue has no such row.
pub fn explain_row(place: &Path, rank: usize, asked: &StatusRequest, as_of: Instant) -> Result<Explanation, Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let state = reconciled(root, repository.as_ref(), asked, as_of)?;
    let rows = &state.plan.attention.rows;
    let row = rank.checked_sub(1).and_then(|at| rows.get(at));
    let row = row.ok_or_else(|| Error::about(ErrorCode::UnknownRow, format!("{rank} of {}", rows.len())))?;
    let wall = &state.workspace.wall;
    let says = |reason: Reason| Text::fixed(Reason::VOCABULARY.words[reason as usize].1);
    let meaning = Meaning {
        word: Text::fixed(row.reason.word()),
        what: wall.text(format!("row {rank} of the queue")),
        summary: says(row.reason),
        facts: facts(&state, row),
        words: about(&state, row),
        laws: row
            .consequences
            .iter()
            .map(|one| NamedText::new(Text::fixed(one.reason.word()), says(one.reason)))
            .collect(),
    };
    Ok(Explanation::new(wall.text(rank.to_string()), vec![meaning], None))
}

/// What the row is about, each with the file that holds it: the thing itself first, then what it holds up.
fn about(state: &ReconciledDirectory, row: &AttentionRow) -> Vec<NamedText> {
    let wall = &state.workspace.wall;
    let documents = |id: &Text| {
        let goal = row.goal_id.as_ref().and_then(|goal| state.workspace.index.goals.get(goal.as_ref()))?;
        let ((kind, _), number) = goal.documents.iter().find(|((_, known), _)| **known == *id.as_ref())?;
        Some(wall.text(format!("{} at {}", kind.row().name, state.workspace.entries[*number].path)))
    };
    let named = |id: &Text| NamedText::new(id.clone(), documents(id).unwrap_or(Text::fixed("no document of the goal")));
    row.about.iter().chain(&row.blocks).map(named).collect()
}

/// Who, since when, and what to do.
fn facts(state: &ReconciledDirectory, row: &AttentionRow) -> Vec<NamedText> {
    let wall = &state.workspace.wall;
    let named = |name, text: String| NamedText::new(Text::fixed(name), wall.text(text));
    let mut facts = vec![
        named("severity", format!("{} in a goal of {}", row.severity, row.priority)),
        named("who", format!("{} ({})", row.owner.name, row.owner.actor_class)),
        named("waiting on", row.waiting_on.to_string()),
    ];
    if let Some(goal) = &row.goal_id {
        facts.insert(0, NamedText::new(Text::fixed("goal"), goal.clone()));
    }
    facts.extend(row.since.map(|since| named("since", since.to_string())));
    if !row.agents.is_empty() {
        facts.push(named("agents", row.agents.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")));
    }
    facts.push(NamedText::new(Text::fixed("do"), row.command.clone()));
    facts
}
