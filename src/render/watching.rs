//! What a watch says: one line for each change of meaning, or one JSON object.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::table::{cut, quote};
use crate::privacy::Text;
use crate::vocabulary::{Instant, agrees, counted};

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventSign {
    /// Something cannot be used or done.
    Fault,
    /// What is permitted has changed, or somebody has to act.
    Notable,
    /// Something went on.
    Plain,
    /// Nothing happens for now.
    Waiting,
}

impl EventSign {
    const fn mark(self) -> char {
        match self {
            Self::Fault => 'x',
            Self::Notable => '!',
            Self::Plain => '.',
            Self::Waiting => '-',
        }
    }
}

/// One difference of meaning between two plans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MeaningChange {
    /// How much it matters.
    pub sign: EventSign,
    /// What it is about: an id, else a path.
    pub about: Text,
    /// The goal.
    pub goal: Option<Text>,
    /// What is different.
    pub text: Text,
}

/// One thing that a watch says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchEvent {
    /// When.
    pub at: Instant,
    /// What.
    pub what: WatchEventKind,
}

/// The kind of an event that `watch` reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchEventKind {
    /// The watch began, and the outputs are up to date.
    Began {
        /// How many documents there are.
        documents: usize,
        /// How many cannot be used.
        unusable: usize,
        /// How many goals there are.
        goals: usize,
        /// How changes come to be seen, in one word.
        means: &'static str,
        /// How many outputs were written or removed.
        files: usize,
    },
    /// Outputs followed a change.
    Ran {
        /// What is different in meaning.
        changes: Vec<MeaningChange>,
        /// What was checked out before and is now.
        moved: Option<Text>,
        /// How many outputs were written.
        written: usize,
        /// How many were removed.
        removed: usize,
        /// How many microseconds it took from the end of the settle time until the outputs stood on disk.
        took: u64,
        /// The next command.
        next: Option<&'static str>,
    },
    /// Decisions were recorded.
    Recorded {
        /// The short id of the commit.
        commit: Text,
        /// What was recorded.
        deeds: Vec<Text>,
        /// How many outputs were written or removed.
        files: usize,
    },
    /// Nothing happens before something has ended.
    Waits(Text),
    /// What was waited for has ended, and nothing changed by it.
    Over(Text),
    /// Something is worth knowing, once.
    Notice(Text),
    /// Something could not be done, and is tried again.
    Failed(Text),
    /// The command that follows changes ended with this code; `None` when a signal ended it.
    Executed(Option<i32>),
    /// The watch ended.
    Ended {
        /// The short id of what is checked out.
        commit: Option<Text>,
        /// Whether the outputs are up to date.
        is_up_to_date: bool,
    },
}

/// So many lines of one run are shown.
const MOST: usize = 12;

/// The lines for people; `clock` is the time of day as they read it.
#[must_use]
pub fn watch_lines(event: &WatchEvent, clock: &str) -> String {
    let line = |sign: EventSign, text: &str| format!("{clock}  {} {text}\n", sign.mark());
    match &event.what {
        WatchEventKind::Began { documents, unusable, goals, means, files } => {
            let outputs = match files {
                0 => "outputs up to date".to_owned(),
                files => format!("{} written", counted(*files, "output")),
            };
            let unusable = match unusable {
                0 => String::new(),
                unusable => format!("; {} cannot be used, see loopx lint", counted(*unusable, "document")),
            };
            let (documents, goals) = (counted(*documents, "document"), counted(*goals, "goal"));
            let means = if *means == "native" { "native events" } else { means };
            format!("watching {documents}, {goals}, {means}; {outputs}{unusable}\n")
        }
        WatchEventKind::Ran { changes, moved, written, removed, took, next } => {
            let count = effort(*written + *removed, *took);
            let mut lines: Vec<(EventSign, String)> = match moved {
                Some(moved) => vec![(EventSign::Plain, format!("{moved}, looked at everything"))],
                None => shown(changes),
            };
            match lines.last_mut() {
                Some((_, last)) => last.push_str(&count),
                None => lines.push((EventSign::Plain, format!("outputs brought up to date{count}"))),
            }
            let lines: String = lines.iter().map(|(sign, text)| line(*sign, text)).collect();
            let next = next.map_or_else(String::new, |next| format!("           next: {next}\n"));
            lines + &next
        }
        WatchEventKind::Recorded { commit, deeds, files } => {
            let mut text = line(EventSign::Plain, &format!("recorded in {commit}; {}", counted(*files, "file")));
            text.extend(deeds.iter().map(|deed| format!("           + {deed}\n")));
            text
        }
        WatchEventKind::Waits(text) => line(EventSign::Waiting, text.as_ref()),
        WatchEventKind::Over(text) | WatchEventKind::Notice(text) => line(EventSign::Plain, text.as_ref()),
        WatchEventKind::Failed(text) => line(EventSign::Fault, text.as_ref()),
        // A command that did its job says so itself.
        WatchEventKind::Executed(Some(0)) => String::new(),
        WatchEventKind::Executed(Some(code)) => {
            line(EventSign::Fault, &format!("the command ended with exit code {code}"))
        }
        WatchEventKind::Executed(None) => line(EventSign::Fault, "the command could not run, or a signal ended it"),
        WatchEventKind::Ended { commit, is_up_to_date } => {
            let match_what = match commit {
                Some(commit) => format!("match {commit} and what is not committed"),
                None => "match the documents".to_owned(),
            };
            match is_up_to_date {
                true => format!("stopped; outputs {match_what}\n"),
                false => "stopped; a change was not followed: loopx reconcile\n".to_owned(),
            }
        }
    }
}

/// The changes of a run, each on a line; of many only the first.
fn shown(changes: &[MeaningChange]) -> Vec<(EventSign, String)> {
    let line = |told: &MeaningChange| (told.sign, cut(&format!("{}  {}", told.about, told.text), 180));
    let mut lines: Vec<_> = changes.iter().take(MOST).map(line).collect();
    if changes.len() > MOST {
        lines.push((EventSign::Plain, format!("and {} more: loopx status", changes.len() - MOST)));
    }
    lines
}

/// What a run cost.
fn effort(files: usize, took: u64) -> String {
    match files {
        0 => "; no output differs".to_owned(),
        files => format!("; {}, {} ms", counted(files, "file"), took / 1000),
    }
}

/// The same for programs: each line is one object.
#[must_use]
pub fn watch_json(event: &WatchEvent) -> String {
    let objects = match &event.what {
        WatchEventKind::Began { documents, unusable, goals, means, files } => vec![json!({
            "event": "began", "documents": documents, "unusable_documents": unusable, "goals": goals, "means": means,
            "files": files,
        })],
        WatchEventKind::Ran { changes, moved, written, removed, took, next } => {
            let told = |told: &MeaningChange| {
                let mut object = serde_json::to_value(told).unwrap_or_default();
                object["event"] = json!("changed");
                object
            };
            let mut objects: Vec<Json> = changes.iter().map(told).collect();
            objects.push(json!({
                "event": "ran", "changes": changes.len(), "moved": moved, "written": written, "removed": removed,
                "took_ms": *took as f64 / 1000.0, "next": next,
            }));
            objects
        }
        WatchEventKind::Recorded { commit, deeds, files } => {
            vec![json!({ "event": "recorded", "commit": commit, "decisions": deeds, "files": files })]
        }
        WatchEventKind::Waits(text) => vec![json!({ "event": "waits", "text": text })],
        WatchEventKind::Over(text) => vec![json!({ "event": "over", "text": text })],
        WatchEventKind::Notice(text) => vec![json!({ "event": "notice", "text": text })],
        WatchEventKind::Failed(text) => vec![json!({ "event": "failed", "text": text })],
        WatchEventKind::Executed(code) => vec![json!({ "event": "executed", "exit_code": code })],
        WatchEventKind::Ended { commit, is_up_to_date } => {
            vec![json!({ "event": "ended", "commit": commit, "up_to_date": is_up_to_date })]
        }
    };
    let line = |mut object: Json| {
        object["schema_version"] = json!("loopx_watch_event_v0");
        object["at"] = json!(event.at);
        format!("{object}\n")
    };
    objects.into_iter().map(line).collect()
}

/// One line for each change, without times, for agents and grep.
#[must_use]
pub fn watch_concise(event: &WatchEvent) -> String {
    match &event.what {
        WatchEventKind::Ran { changes, .. } => {
            changes.iter().map(|told| format!("{} {} {}\n", told.sign.mark(), told.about, told.text)).collect()
        }
        WatchEventKind::Began { .. } | WatchEventKind::Executed(Some(0)) => String::new(),
        _ => watch_lines(event, "").trim_start().to_owned(),
    }
}

/// The last line of a terminal: how things stand.
#[must_use]
pub fn watch_foot(goals: usize, waiting: usize, errors: usize) -> String {
    let (goals, errors) = (counted(goals, "goal"), counted(errors, "error"));
    let verb = agrees(waiting, "waits", "wait");
    format!("{goals}  {waiting} {verb} on a person  {errors}")
}

/// How a field changed: for a list what came and went, else its old and new value.
#[must_use]
pub fn parts(name: &str, old: Option<&Json>, new: Option<&Json>) -> Vec<String> {
    match (old.unwrap_or(&Json::Null), new.unwrap_or(&Json::Null)) {
        (Json::Array(old), Json::Array(new)) if old.iter().chain(new).all(Json::is_string) => {
            let gone = old.iter().filter(|item| !new.contains(item)).map(|item| format!("{name} - {}", word(item)));
            let parts: Vec<_> = gone
                .chain(new.iter().filter(|item| !old.contains(item)).map(|item| format!("{name} + {}", word(item))))
                .collect();
            if parts.is_empty() { vec![format!("{name} in another order")] } else { parts }
        }
        (Json::Object(old), Json::Object(new)) => {
            let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
            names.sort_unstable();
            names.dedup();
            let other = names.into_iter().filter(|key| old.get(*key) != new.get(*key));
            other.flat_map(|key| parts(&format!("{name}.{key}"), old.get(key), new.get(key))).collect()
        }
        (old, new) if is_small(old) && is_small(new) => vec![format!("{name} {} -> {}", word(old), word(new))],
        (Json::Null, _) => vec![format!("{name} added")],
        (_, Json::Null) => vec![format!("{name} removed")],
        _ => vec![format!("{name} changed")],
    }
}

fn is_small(value: &Json) -> bool {
    !value.is_array() && !value.is_object()
}

/// A value in words: an id or number as it is, other text in quotes.
fn word(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) if !text.contains(' ') => cut(text, 72),
        Json::String(text) => quote(text),
        other => other.to_string(),
    }
}
