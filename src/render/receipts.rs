//! Receipts in words: what they record, and how they come to count.

use serde_json::{Value as Json, json};

use crate::privacy::{Text, Wall};
use crate::vocabulary::{Closed, GateDecision, Kind, Receipt};

/// How receipts come to count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Way {
    /// By a commit on what is checked out.
    Commit {
        /// The branch; `None` when no branch is checked out.
        branch: Option<String>,
    },
    /// By a merge, which brings along what stands beside the change.
    Merge {
        /// The branch where they count.
        authority: String,
        /// The branch that is checked out.
        branch: String,
    },
    /// Not at all: there is no git, or not enough of it.
    #[default]
    Nowhere,
}

/// What a receipt records, as in `gate backfill-8h2v approved`.
#[must_use]
pub fn deed(receipt: &Receipt, wall: &Wall) -> Text {
    let kind = receipt.source.kind.as_str();
    let name = Kind::of(kind).map_or(kind, |kind| kind.row().name);
    let word = receipt.result.word();
    let done = match GateDecision::of(word) {
        Some(GateDecision::Approve) => "approved",
        Some(GateDecision::Reject) => "rejected",
        Some(GateDecision::Defer) => "deferred",
        None => word,
    };
    wall.text(format!("{name} {} {done}", receipt.source.id))
}

/// A receipt on one line: its path, what it records, and the class of who acted.
pub(super) fn line(receipt: &Receipt, wall: &Wall) -> Text {
    wall.text(format!("{}  {} by {}", receipt.path(), deed(receipt, wall), receipt.actor_class))
}

/// A receipt for programs, without what it cites by digest.
#[must_use]
pub fn receipt_json(receipt: &Receipt, wall: &Wall) -> Json {
    json!({
        "run_id": wall.text(&receipt.run_id),
        "goal_id": wall.text(&receipt.goal_id),
        "path": wall.text(receipt.path()),
        "source": { "kind": wall.text(&receipt.source.kind), "id": wall.text(&receipt.source.id) },
        "result": wall.text(receipt.result.word()),
        "actor_class": receipt.actor_class,
        "at": receipt.at,
    })
}

/// A number with its noun.
pub(super) fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// What `loopx record` wrote, or would write.
#[derive(Debug, Clone, Copy)]
pub struct Writing<'a> {
    /// The receipts.
    pub written: &'a [Receipt],
    /// How many stand in the work tree already and do not count yet.
    pub kept: usize,
    /// How they come to count.
    pub way: &'a Way,
    /// Whether nothing was written.
    pub is_dry: bool,
    /// What may be shown.
    pub wall: &'a Wall,
}

/// Draws the receipts that stand beside a change.
#[must_use]
pub fn writing(writing: &Writing<'_>) -> String {
    let mut text = String::new();
    for receipt in writing.written {
        text.push_str(&format!("  + {}\n", line(receipt, writing.wall)));
    }
    let counts = match writing.way {
        Way::Commit { .. } => "They count once they are committed".to_owned(),
        Way::Merge { authority, .. } => format!("They count once they are on {authority}"),
        Way::Nowhere => "Nothing counts without a git history".to_owned(),
    };
    let counts = writing.wall.text(counts);
    let commit = "commit them with the change.";
    match (writing.written.len(), writing.kept, writing.is_dry) {
        (0, 0, _) => text.push_str("Nothing to write: every decision has its receipt.\n"),
        (0, kept, _) => text.push_str(&format!(
            "Nothing to write: {} of this change stand beside it. {counts}: {commit}\n",
            counted(kept, "receipt")
        )),
        (new, _, true) => text.push_str(&format!("{} to write: loopx record\n", counted(new, "receipt"))),
        (new, _, false) => {
            text.push_str(&format!("{} written beside the change. {counts}: {commit}\n", counted(new, "receipt")));
        }
    }
    text
}

/// What a run with `--commit` recorded.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    /// The short id of the commit; `None` when there was nothing to commit.
    pub commit: Option<&'a str>,
    /// How the receipts came to count.
    pub way: &'a Way,
    /// The receipts.
    pub receipts: &'a [Receipt],
    /// Receipts that wait until their decision is committed.
    pub uncommitted: &'a [Receipt],
    /// What may be shown.
    pub wall: &'a Wall,
}

/// Draws what was recorded.
#[must_use]
pub fn recorded(recorded: &Recorded<'_>) -> String {
    let mut text = match recorded.commit {
        None => "Nothing recorded: no committed decision lacks its receipt.\n".to_owned(),
        Some(commit) => {
            let on = match recorded.way {
                Way::Commit { branch: Some(branch) } => format!(" on {branch}"),
                _ => String::new(),
            };
            let what = match recorded.receipts.len() {
                0 => "the outputs".to_owned(),
                number => counted(number, "decision"),
            };
            format!("{}\n", recorded.wall.text(format!("Recorded {what} in {commit}{on}.")))
        }
    };
    for receipt in recorded.receipts {
        text.push_str(&format!("  + {}\n", line(receipt, recorded.wall)));
    }
    for receipt in recorded.uncommitted {
        text.push_str(&format!("  ! {} waits: commit it first, then run this again\n", deed(receipt, recorded.wall)));
    }
    text
}
