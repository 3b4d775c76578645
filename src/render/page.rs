//! `attention.md`: the queue as a page that renders the same everywhere. Text of documents stands in code spans only.

use std::fmt::Write as _;

use crate::privacy::Text;
use crate::vocabulary::{AttentionGoal, AttentionOwner, AttentionQueue, AttentionRow, agrees, counted};

/// Writes the page.
pub(super) fn attention(queue: &AttentionQueue) -> String {
    let mut page = String::from("# Attention\n\n");
    match queue.rows.len() {
        0 => page.push_str("Nothing waits for anybody.\n"),
        rows => {
            writing(writeln!(page, "{} {} for somebody.", counted(rows, "row"), agrees(rows, "waits", "wait")));
        }
    }
    if !queue.rows.is_empty() {
        page.push_str("\n| # | severity | goal | waits for | reason | about | since | do |\n");
        page.push_str("|---|---|---|---|---|---|---|---|\n");
        for (number, row) in (1..).zip(&queue.rows) {
            writing(writeln!(page, "| {number} | {}", cells(row)));
        }
    }
    if !queue.goals.is_empty() {
        page.push_str("\n| goal | priority | waiting on |\n|---|---|---|\n");
        for AttentionGoal { goal_id, priority, waiting_on } in &queue.goals {
            writing(writeln!(page, "| {} | {priority} | {waiting_on} |", code(goal_id)));
        }
    }
    page
}

fn cells(row: &AttentionRow) -> String {
    let goal = row.goal_id.as_ref().map_or_else(|| "all".to_owned(), code);
    let since = row.since.map_or_else(|| "-".to_owned(), |since| since.to_string());
    let mut about = codes(&row.about);
    if !row.blocks.is_empty() {
        writing(write!(about, " blocks {}", codes(&row.blocks)));
    }
    for consequence in &row.consequences {
        writing(write!(about, "<br>{}: {}", consequence.reason, codes(&consequence.about)));
    }
    let command = code(&row.command);
    format!("{} | {goal} | {} | {} | {about} | {since} | {command} |", row.severity, owner(&row.owner), row.reason)
}

fn owner(owner: &AttentionOwner) -> String {
    let name = code(&owner.name);
    if owner.name.as_ref() == owner.actor_class.to_string() { name } else { format!("{name} ({})", owner.actor_class) }
}

fn codes(texts: &[Text]) -> String {
    texts.iter().map(code).collect::<Vec<_>>().join(", ")
}

/// A code span in a table cell: nothing in it can end the span or the cell, not even a backslash in front of a bar.
pub(super) fn code(text: &Text) -> String {
    let mut shown = String::from("`");
    for character in text.as_ref().chars() {
        match character {
            '`' => shown.push_str("\\u{60}"),
            '\\' => shown.push_str("\\u{5c}"),
            '|' => shown.push_str("\\|"),
            _ => shown.push(character),
        }
    }
    shown.push('`');
    shown
}

fn writing(result: std::fmt::Result) {
    result.expect("writing to a String cannot fail");
}
