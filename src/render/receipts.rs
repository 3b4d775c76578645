//! Receipts in words: what they record, and how they come to count.

use serde_json::{Value as Json, json};

use super::table::table;
use super::verification::{VerificationEvent, moment};
use crate::document::to_json_pretty;
use crate::privacy::{Text, Wall};
use crate::vocabulary::{ClosedWords, Effect, GateDecision, Kind, Receipt, counted};

/// How receipts come to count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RecordingRoute {
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
    if let Some(effect) = Effect::read(receipt.effect_key.as_str()) {
        let todo = &receipt.source.id;
        match effect {
            Effect::Turn(_, turn) => return wall.text(format!("{turn} of {todo} {}", done(receipt))),
            Effect::QuotaSpend(_, turn) => return wall.text(format!("slot of {turn} on {todo} spent")),
            Effect::QuotaVoid(_, turn) => return wall.text(format!("slot of {turn} on {todo} taken back")),
            _ => {}
        }
    }
    let kind = receipt.source.kind.as_str();
    let name = Kind::of(kind).map_or(kind, |kind| kind.row().name);
    wall.text(format!("{name} {} {}", receipt.source.id, done(receipt)))
}

/// What was done by it, in one word such as `approved`.
#[must_use]
pub fn done(receipt: &Receipt) -> &str {
    let word = receipt.result.word();
    match GateDecision::of(word) {
        Some(GateDecision::Approve) => "approved",
        Some(GateDecision::Reject) => "rejected",
        Some(GateDecision::Defer) => "deferred",
        None => word,
    }
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

/// When receipts that stand beside a change come to count.
pub(super) fn counts(way: &RecordingRoute) -> String {
    match way {
        RecordingRoute::Commit { .. } => "They count once they are committed".to_owned(),
        RecordingRoute::Merge { authority, .. } => format!("They count once they are on {authority}"),
        RecordingRoute::Nowhere => "Nothing counts without a git history".to_owned(),
    }
}

/// What `loopx record` wrote, or would write.
#[derive(Debug, Clone, Copy)]
pub struct RecordView<'a> {
    /// The receipts.
    pub written: &'a [Receipt],
    /// How many stand in the work tree already and do not count yet.
    pub kept: usize,
    /// How they come to count.
    pub way: &'a RecordingRoute,
    /// Whether nothing was written.
    pub is_dry: bool,
    /// What may be shown.
    pub wall: &'a Wall,
}

/// Draws the receipts that stand beside a change.
#[must_use]
pub fn writing(writing: &RecordView<'_>) -> String {
    let mut text = String::new();
    for receipt in writing.written {
        text.push_str(&format!("  + {}\n", line(receipt, writing.wall)));
    }
    let counts = writing.wall.text(counts(writing.way));
    let commit = "commit them with the change.";
    match (writing.written.len(), writing.kept, writing.is_dry) {
        (0, 0, _) => text.push_str("Nothing to write: no decision waits for its receipt.\n"),
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

/// What a run with `--commit` says of its commit.
#[derive(Debug, Clone, Copy)]
pub struct CommitNote<'a> {
    /// The short id of the commit; `None` when there was nothing to commit.
    pub commit: Option<&'a str>,
    /// How the receipts came to count.
    pub way: &'a RecordingRoute,
    /// The receipts.
    pub receipts: &'a [Receipt],
    /// Receipts that wait until their decision is committed.
    pub uncommitted: &'a [Receipt],
    /// What may be shown.
    pub wall: &'a Wall,
}

/// Draws one line about the receipts that were committed.
#[must_use]
pub fn commit_note(note: &CommitNote<'_>) -> String {
    let mut text = match note.commit {
        None => "Nothing recorded: no committed decision lacks its receipt.\n".to_owned(),
        Some(commit) => {
            let on = match note.way {
                RecordingRoute::Commit { branch: Some(branch) } => format!(" on {branch}"),
                _ => String::new(),
            };
            let what = match note.receipts.len() {
                0 => "the outputs".to_owned(),
                number => counted(number, "decision"),
            };
            format!("{}\n", note.wall.text(format!("Recorded {what} in {commit}{on}.")))
        }
    };
    for receipt in note.receipts {
        text.push_str(&format!("  + {}\n", line(receipt, note.wall)));
    }
    for receipt in note.uncommitted {
        text.push_str(&format!("  ! {} waits: commit it first, then run this again\n", deed(receipt, note.wall)));
    }
    text
}

/// Whether a receipt counts at the authority ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptStatus {
    /// The authority ref holds it.
    Recorded,
    /// Only the work tree holds it.
    Proposed,
    /// The authority ref holds it, and nobody can read it, or it stands in another place than its own.
    Unreadable,
}

impl ReceiptStatus {
    /// Returns the word that JSON and screens use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Proposed => "proposed",
            Self::Unreadable => "unreadable",
        }
    }
}

/// One receipt in a list.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptRow<'a> {
    /// Its id.
    pub run_id: &'a str,
    /// Its goal.
    pub goal_id: &'a str,
    /// What it says, when it can be read.
    pub receipt: Option<&'a Receipt>,
    /// Whether it counts.
    pub standing: ReceiptStatus,
}

/// Draws a list of receipts; `lacking` decisions have none.
#[must_use]
pub fn listing(rows: &[ReceiptRow<'_>], lacking: usize, wall: &Wall) -> String {
    let mut lines = vec![["RUN", "AT", "STATE", "GOAL", "WHAT"].map(str::to_owned).to_vec()];
    for row in rows {
        let (at, what) = match row.receipt {
            Some(receipt) => {
                (moment(receipt.at.timestamp()), format!("{} by {}", deed(receipt, wall), receipt.actor_class))
            }
            None => ("-".to_owned(), "cannot be read; loopx receipts verify says why".to_owned()),
        };
        let text = |text: &str| wall.text(text).to_string();
        lines.push(vec![text(row.run_id), at, row.standing.word().to_owned(), text(row.goal_id), text(&what)]);
    }
    let mut text = if rows.is_empty() { String::new() } else { table(&lines) };
    let proposed = rows.iter().filter(|row| row.standing == ReceiptStatus::Proposed).count();
    let mut count = counted(rows.len(), "receipt");
    if proposed > 0 {
        count.push_str(&format!(", {proposed} not on the authority ref yet"));
    }
    if lacking > 0 {
        count.push_str(&format!("; {} not recorded: loopx plan", counted(lacking, "decision")));
    }
    let next = if rows.is_empty() { "" } else { " One of them: loopx receipts show ID" };
    text.push_str(&format!("{count}.{next}\n"));
    text
}

/// Writes a list of receipts for programs.
#[must_use]
pub fn listing_json(rows: &[ReceiptRow<'_>], lacking: usize, wall: &Wall) -> String {
    let row = |row: &ReceiptRow<'_>| {
        let mut json = match row.receipt {
            Some(receipt) => receipt_json(receipt, wall),
            None => json!({ "run_id": wall.text(row.run_id), "goal_id": wall.text(row.goal_id) }),
        };
        json["state"] = json!(row.standing.word());
        json
    };
    to_json_pretty(&json!({
        "schema_version": "loopx_receipts_v0",
        "receipts": rows.iter().map(row).collect::<Vec<_>>(),
        "decisions_without_receipt": lacking,
    }))
}

/// One receipt with everything that `receipts show` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptDetail {
    /// Its id.
    pub run_id: String,
    /// What it says, when it can be read.
    pub receipt: Option<Receipt>,
    /// Whether it counts.
    pub standing: ReceiptStatus,
    /// The commit that first held it.
    pub first: Option<VerificationEvent>,
    /// Whether its document still says what it records; `None` when there is no such document here.
    pub agrees: Option<bool>,
}

impl ReceiptDetail {
    /// Draws the receipt for people, one field a line.
    #[must_use]
    pub fn human(&self, wall: &Wall) -> String {
        let state = self.standing.word();
        let Some(receipt) = &self.receipt else {
            return format!("{}  {state}: loopx receipts verify says why\n", wall.text(&self.run_id));
        };
        let said = format!("{} by {}", deed(receipt, wall), receipt.actor_class);
        let mut text = format!("{}  {state}  {}\n", wall.text(&self.run_id), wall.text(said));
        let mut rows = vec![
            pair("goal", receipt.goal_id.as_str()),
            pair("at", &receipt.at.to_string()),
            pair("effect", receipt.effect_key.as_str()),
            pair("digest", receipt.source.digest.as_str()),
            pair("path", &receipt.path()),
        ];
        if let Some(first) = &self.first {
            let at = moment(first.at);
            rows.push(pair("committed", &format!("{} by {}, {at}", first.commit, first.author)));
        }
        rows.push(pair(
            "document",
            match self.agrees {
                Some(true) => "says the same",
                Some(false) => "says something else by now",
                None => "not here",
            },
        ));
        let rows: Vec<_> = rows.into_iter().map(|(name, value)| vec![name, wall.text(value).to_string()]).collect();
        text.push_str(&table(&rows));
        text
    }

    /// Returns the receipt as the JSON that programs read.
    #[must_use]
    pub fn to_json(&self, wall: &Wall) -> String {
        let receipt = self.receipt.as_ref().map(|receipt| {
            let mut json = receipt_json(receipt, wall);
            json["effect_key"] = json!(wall.text(&receipt.effect_key));
            json["source"]["digest"] = json!(receipt.source.digest);
            json
        });
        to_json_pretty(&json!({
            "schema_version": "loopx_receipt_v0",
            "run_id": wall.text(&self.run_id),
            "state": self.standing.word(),
            "receipt": receipt,
            "first_committed": self.first.as_ref().map(VerificationEvent::to_json),
            "document_agrees": self.agrees,
        }))
    }
}

fn pair(name: &str, value: &str) -> (String, String) {
    (format!("  {name}"), value.to_owned())
}
