//! What `loopx receipts verify` found: each receipt that somebody touched, and what the rest proves.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value as Json, json};

use super::table::table;
use crate::document::to_json_pretty;
use crate::privacy::Text;
use crate::vocabulary::{agrees, counted};

/// What a look at every receipt found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The commit that was looked at, in short.
    pub tip: Text,
    /// The trusted commit that the look began at, in short.
    pub since: Option<Text>,
    /// How many receipts there are or were: the good ones and the faults.
    pub receipts: usize,
    /// How many are what they were.
    pub good: usize,
    /// How many of those cite what no commit can hold, for a host brought the effect about.
    pub by_host: usize,
    /// How many commits first held the good ones.
    pub commits: usize,
    /// When the first and the last of these commits were made.
    pub span: Option<(Timestamp, Timestamp)>,
    /// The commit that moved the state directory to where it stands, in short; what came before was not read.
    pub moved: Option<Text>,
    /// What somebody did to good ones before they were put back.
    pub restored: Vec<Restored>,
    /// What somebody did to the others.
    pub faults: Vec<Tampering>,
    /// Where the history ends too early.
    pub cut: Option<HistoryCut>,
    /// How many decisions have no receipt yet.
    pub lacking: usize,
}

/// A receipt that is not what it was, or never was one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tampering {
    /// The rule that it breaks.
    pub rule: &'static str,
    /// What is wrong.
    pub message: Text,
    /// Its path from the working directory.
    pub path: Text,
    /// The line where it begins to differ.
    pub line: Option<usize>,
    /// What happened to it, in order.
    pub events: Vec<VerificationEvent>,
    /// What that means until it is mended.
    pub now: Option<Text>,
    /// The command that mends it.
    pub mend: Text,
}

/// A receipt that was something else for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Its path from the working directory.
    pub path: Text,
    /// The last commit that made something else of it.
    pub event: VerificationEvent,
}

/// A commit that touched a receipt, with its author and date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationEvent {
    /// What it did, as words before its id.
    pub what: Text,
    /// The commit, in short.
    pub commit: Text,
    /// The commit.
    pub id: Text,
    /// Who made it, as claimed.
    pub author: Text,
    /// When, as claimed.
    pub at: Timestamp,
    /// What exactly; may be empty.
    pub detail: Text,
}

/// A history that a shallow clone cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryCut {
    /// How many receipts were there by then, nobody can see since when.
    pub unproved: usize,
    /// The command that brings the rest.
    pub fetch: Text,
}

impl Verification {
    /// A look at a commit that found nothing yet.
    #[must_use]
    pub fn new(tip: Text, lacking: usize) -> Self {
        Self {
            tip,
            since: None,
            receipts: 0,
            good: 0,
            by_host: 0,
            commits: 0,
            span: None,
            moved: None,
            restored: Vec::new(),
            faults: Vec::new(),
            cut: None,
            lacking,
        }
    }

    /// Draws the result for people, one receipt a line.
    #[must_use]
    pub fn human(&self) -> String {
        let mut text: String = self.faults.iter().map(Tampering::human).collect();
        text.push_str(&self.answer());
        text.extend(self.restored.iter().map(Restored::human));
        text.extend(self.proofs().iter().map(|(word, what)| format!("{word}: {what}\n")));
        if let Some(HistoryCut { unproved, fetch }) = &self.cut {
            text.push_str(&format!(
                "The clone is shallow: {} older than its history, and nobody can see here when they were committed: \
                 {fetch}\n",
                are(*unproved, "receipt")
            ));
        }
        if self.lacking > 0 {
            let have = agrees(self.lacking, "has", "have");
            let decisions = counted(self.lacking, "decision");
            text.push_str(&format!("{decisions} {have} no receipt yet. Look: loopx plan\n"));
        }
        text
    }

    /// Writes each fault on one line.
    #[must_use]
    pub fn concise(&self) -> String {
        let line = |fault: &Tampering| {
            let place = fault.line.map_or_else(|| fault.path.to_string(), |line| format!("{}:{line}", fault.path));
            format!("{place} error {} {}; mend: {}\n", fault.rule, fault.message, fault.mend)
        };
        self.faults.iter().map(line).collect()
    }

    /// Returns the result as the JSON that programs read.
    #[must_use]
    pub fn to_json(&self) -> String {
        let proofs = |wanted: &str| -> Vec<String> {
            self.proofs().into_iter().filter(|(word, _)| *word == wanted).map(|(_, what)| what).collect()
        };
        to_json_pretty(&json!({
            "schema_version": "loopx_receipts_verification_v0",
            "tip": self.tip,
            "since": self.since,
            "receipts": self.receipts,
            "good": self.good,
            "unproved": self.cut.as_ref().map_or(0, |cut| cut.unproved),
            "fetch": self.cut.as_ref().map(|cut| &cut.fetch),
            "restored": self.restored.iter().map(Restored::to_json).collect::<Vec<_>>(),
            "faults": self.faults.iter().map(Tampering::to_json).collect::<Vec<_>>(),
            "proves": proofs(PROVES),
            "cannot_prove": proofs(CANNOT),
            "decisions_without_receipt": self.lacking,
        }))
    }

    /// The line that answers, or that counts what is wrong.
    fn answer(&self) -> String {
        let receipts = counted(self.receipts, "receipt");
        if !self.faults.is_empty() {
            let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
            for fault in &self.faults {
                *kinds.entry(fault.rule.trim_start_matches("receipt/")).or_default() += 1;
            }
            let kinds: Vec<String> = kinds.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
            return format!("{receipts}: {} good, {}.\n", self.good, kinds.join(", "));
        }
        let Some((first, last)) = self.span else { return "No receipts in this history.\n".to_owned() };
        let in_commits = format!("{receipts} in {}, {}", counted(self.commits, "commit"), days(first, last));
        let unchanged = if self.restored.is_empty() { "unchanged" } else { "unchanged or put back" };
        match (&self.since, &self.cut) {
            (Some(since), _) => format!("{receipts}: all {unchanged} since {since}, all names match.\n"),
            (None, Some(_)) => format!("{receipts}: all {unchanged} as far as this history goes.\n"),
            (None, None) => format!("{in_commits}: all {unchanged}, all names match, all sources existed.\n"),
        }
    }

    /// What this shows, and what it cannot show.
    fn proofs(&self) -> Vec<(&'static str, String)> {
        if !self.faults.is_empty() || self.cut.is_some() {
            return Vec::new();
        }
        let put_back = !self.restored.is_empty();
        let mut proofs = match &self.since {
            Some(since) if put_back => vec![
                (PROVES, format!("every receipt says what it said at {since}, which this history holds.")),
                (CANNOT, format!("what came before {since}.")),
            ],
            Some(since) => vec![
                (PROVES, format!("nobody edited or removed a receipt since {since}, which this history holds.")),
                (CANNOT, format!("what came before {since}.")),
            ],
            None => vec![
                (
                    PROVES,
                    match put_back {
                        true => "every receipt says what it said when it was first committed.".to_owned(),
                        false => "nobody edited or removed a receipt in this history.".to_owned(),
                    },
                ),
                (
                    CANNOT,
                    format!("that this history was never rewritten. Pin a commit you trust: --since {}", self.tip),
                ),
            ],
        };
        proofs.push((CANNOT, "who may write a receipt: `loopx review` compares authors, before a merge.".to_owned()));
        if let Some(moved) = &self.moved {
            proofs.push((CANNOT, format!("what was done to receipts before {moved} moved the state directory here.")));
        }
        if self.by_host > 0 {
            let receipts = are(self.by_host, "receipt");
            proofs.push((CANNOT, format!("what hosts did: {receipts} of effects outside, which no commit holds.")));
        }
        proofs
    }
}

const PROVES: &str = "Proves";
const CANNOT: &str = "Cannot prove";

/// A number with its noun and verb.
fn are(number: usize, noun: &str) -> String {
    format!("{} {}", counted(number, noun), agrees(number, "is", "are"))
}

/// The days between two moments.
fn days(first: Timestamp, last: Timestamp) -> String {
    let day = |at: Timestamp| at.strftime("%Y-%m-%d").to_string();
    if day(first) == day(last) { day(first) } else { format!("{} to {}", day(first), day(last)) }
}

impl Restored {
    fn human(&self) -> String {
        let VerificationEvent { what, commit, author, .. } = &self.event;
        format!("{} was {what} {commit} by {author}, and was put back.\n", self.path)
    }

    fn to_json(&self) -> Json {
        json!({ "path": self.path, "event": self.event.to_json() })
    }
}

impl Tampering {
    fn human(&self) -> String {
        let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
        let mut text = format!("error[{}]: {}\n  --> {}{line}\n", self.rule, self.message, self.path);
        text.push_str(&table(&self.events.iter().map(VerificationEvent::cells).collect::<Vec<_>>()));
        if let Some(now) = &self.now {
            text.push_str(&format!("   = now:  {now}\n"));
        }
        text.push_str(&format!("   = mend: {}\n\n", self.mend));
        text
    }

    fn to_json(&self) -> Json {
        json!({
            "rule": self.rule,
            "message": self.message,
            "path": self.path,
            "line": self.line,
            "events": self.events.iter().map(VerificationEvent::to_json).collect::<Vec<_>>(),
            "now": self.now,
            "mend": self.mend,
        })
    }
}

impl VerificationEvent {
    fn cells(&self) -> Vec<String> {
        vec![
            format!("   {}", self.what),
            self.commit.to_string(),
            self.author.to_string(),
            moment(self.at),
            self.detail.to_string(),
        ]
    }

    pub(super) fn to_json(&self) -> Json {
        json!({
            "what": self.what,
            "commit": self.id,
            "author": self.author,
            "at": self.at.to_string(),
            "detail": self.detail,
        })
    }
}

/// A time for people, in UTC.
pub(super) fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}
