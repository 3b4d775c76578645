//! What somebody does to the documents, before it is written and after.

use serde_json::json;

use super::changes::{OutputChange, screens};
use super::receipts::{RecordingRoute, counts, line, receipt_json};
use crate::document::to_json_pretty;
use crate::privacy::Wall;
use crate::vocabulary::{Receipt, counted};

/// What is shown of a change beside the lines that differ.
#[derive(Debug)]
pub struct ChangeView<'a> {
    /// The documents by path, and whether each is new.
    pub files: Vec<(&'a str, bool)>,
    /// The receipts of what it decides.
    pub receipts: &'a [Receipt],
    /// How they come to count.
    pub way: &'a RecordingRoute,
    /// What becomes of the first screens then, or at once when it decides nothing.
    pub then: &'a [OutputChange],
    /// Whether a rule forbids it.
    pub is_refused: bool,
    /// Whether it was written.
    pub is_written: bool,
    /// Whether git holds the documents.
    pub is_committed: bool,
    /// What may be shown.
    pub wall: &'a Wall,
}

/// Draws what follows from a change.
#[must_use]
pub fn change(changing: &ChangeView<'_>) -> String {
    let ChangeView { receipts, wall, .. } = changing;
    if changing.is_refused {
        return "Refused: nothing was written.\n".to_owned();
    }
    if changing.files.is_empty() {
        return "Nothing to do: the documents say so already.\n".to_owned();
    }
    let mut text: String = receipts.iter().map(|receipt| format!("  + {}\n", line(receipt, wall))).collect();
    let screens = screens(changing.then, wall);
    if !screens.is_empty() {
        let is_at_once = receipts.is_empty() || *changing.way == RecordingRoute::Nowhere;
        text.push_str(if is_at_once { "  then:\n" } else { "  once that counts:\n" });
        text.push_str(&screens);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let mut parts = vec![counted(changing.files.len(), "document")];
    if !receipts.is_empty() {
        parts.push(counted(receipts.len(), "receipt"));
    }
    let parts = parts.join(" and ");
    text.push_str(&match (changing.is_written, receipts.is_empty()) {
        (false, _) => format!("{parts} to write; nothing is written yet: --execute\n"),
        (true, true) if *changing.way == RecordingRoute::Nowhere || !changing.is_committed => {
            format!("{parts} written.\n")
        }
        (true, true) => format!("{parts} written: commit the change.\n"),
        (true, false) => format!("{parts} written. {}: commit them together.\n", wall.text(counts(changing.way))),
    });
    text
}

/// Returns a change as the JSON that programs read.
#[must_use]
pub fn change_json(changing: &ChangeView<'_>) -> String {
    let wall = changing.wall;
    let file = |(path, is_new): &(&str, bool)| json!({ "path": wall.text(path), "act": if *is_new { "add" } else { "change" } });
    to_json_pretty(&json!({
        "schema_version": "loopx_change_v0",
        "written": changing.is_written,
        "refused": changing.is_refused,
        "documents": changing.files.iter().map(file).collect::<Vec<_>>(),
        "receipts": changing.receipts.iter().map(|one| receipt_json(one, wall)).collect::<Vec<_>>(),
        "then": changing.then.iter().map(|change| change.to_json(wall)).collect::<Vec<_>>(),
    }))
}
