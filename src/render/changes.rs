//! What a run would change, in meaning first (`loopx plan`).

use std::collections::BTreeSet;

use serde_json::Value as Json;
use similar::TextDiff;

pub use super::output_change::OutputChange;
use super::receipts::{RecordingRoute, deed, line};
use super::screen_change;
use super::table::{WIDTH, quote, wrap};
use super::writebacks;
use crate::document::{Format, parse};
use crate::privacy::Wall;
use crate::reconcile::Plan;
use crate::vocabulary::{Receipt, agrees, counted};

impl OutputChange {
    /// What happens to the file.
    #[must_use]
    pub fn act(&self) -> &'static str {
        match (&self.old, &self.new) {
            (None, _) => "add",
            (_, None) => "remove",
            _ => "change",
        }
    }

    /// The change on one line.
    #[must_use]
    pub fn concise(&self, wall: &Wall) -> String {
        let note = writebacks::note(self).map_or_else(String::new, |note| format!(" {note}"));
        format!("{} {}\n", self.act(), wall.text(format!("{}{note}", self.path)))
    }

    /// The change for programs: its path, what happens, and what it means.
    #[must_use]
    pub fn to_json(&self, wall: &Wall) -> Json {
        let meaning: Vec<_> = meaning(self).iter().map(|line| wall.text(line)).collect();
        serde_json::json!({ "path": wall.text(&self.path), "act": self.act(), "meaning": meaning })
    }
}

/// What a plan screen shows beside the changes.
#[derive(Debug, Clone, Copy)]
pub struct PlanView<'a> {
    /// The outputs that differ, by path.
    pub changes: &'a [OutputChange],
    /// How many outputs are as they should be.
    pub kept: usize,
    /// How many documents they follow from.
    pub documents: usize,
    /// How receipts come to count.
    pub way: &'a RecordingRoute,
    /// The receipts that decisions lack.
    pub receipts: &'a [Receipt],
    /// How many of them stand in the work tree.
    pub beside: usize,
    /// Receipts that have to wait until their decision is committed.
    pub uncommitted: &'a [Receipt],
    /// What becomes of the first screens once the receipts count.
    pub then: &'a [OutputChange],
    /// What follows from the documents.
    pub plan: &'a Plan,
    /// Whether the files themselves are shown as differences.
    pub diff: bool,
    /// What may be shown.
    pub wall: &'a Wall,
}

/// Draws the plan screen for people.
#[must_use]
pub fn changes(planning: &PlanView<'_>) -> String {
    let mut text = String::new();
    for change in planning.changes {
        text.push_str(&one(change, planning));
    }
    text.push_str(&recording(planning));
    for note in &planning.plan.notes {
        text.push_str(&format!("{note}\n"));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&count(planning));
    text
}

/// The receipts, and what the first screens become once they count.
fn recording(planning: &PlanView<'_>) -> String {
    let mut text = String::new();
    if !planning.receipts.is_empty() {
        let screens = screens(planning.then, planning.wall);
        text.push_str(&format!("\n  {}\n", planning.wall.text(once(planning, !screens.is_empty()))));
        text.push_str(&screens);
        text.extend(planning.receipts.iter().map(|receipt| format!("  + {}\n", line(receipt, planning.wall))));
    }
    for receipt in planning.uncommitted {
        let deed = deed(receipt, planning.wall);
        text.push_str(&format!("  ! {deed}: the decision itself is not committed yet, so nothing records it\n"));
    }
    text
}

/// What becomes of first screens.
pub(super) fn screens(then: &[OutputChange], wall: &Wall) -> String {
    let mut text = String::new();
    for change in then.iter().filter(|change| screen_of(change).is_some()) {
        text.push_str(&meant(change, wall, 4));
    }
    text
}

/// The first screen that an output holds, by its goal and its agent.
fn screen_of(change: &OutputChange) -> Option<String> {
    Some(change.path.strip_prefix("projections/")?.strip_suffix(".json")?.replace('/', " "))
}

/// What a change means, in lines that stand so far in.
fn meant(change: &OutputChange, wall: &Wall, margin: usize) -> String {
    let screen = screen_of(change).map_or_else(String::new, |screen| format!("{screen}: "));
    let mut text = String::new();
    for (number, line) in meaning(change).iter().enumerate() {
        let line = wall.text(if number == 0 { format!("{screen}{line}") } else { line.clone() });
        for (part, line) in wrap(line.as_ref(), WIDTH - margin - 2).iter().enumerate() {
            text.push_str(&format!("{:width$}{line}\n", "", width = margin + if part == 0 { 0 } else { 2 }));
        }
    }
    text
}

/// When the receipts come to count; `shows` tells whether it is followed by what becomes of first screens.
fn once(planning: &PlanView<'_>, shows: bool) -> String {
    let count = counted(planning.receipts.len(), "receipt");
    let then = if shows { ", and then:" } else { "" };
    match planning.way {
        RecordingRoute::Commit { branch: Some(branch) } => {
            format!("with --commit, {count} in 1 commit on {branch}{then}")
        }
        RecordingRoute::Commit { branch: None } => format!("with --commit --allow-detached, {count} in 1 commit{then}"),
        RecordingRoute::Merge { authority, branch } => {
            let with = if planning.receipts.len() == planning.beside { "" } else { "with loopx record, " };
            format!("{with}{count} beside the change on {branch}; once merged to {authority}{then}")
        }
        RecordingRoute::Nowhere => format!("{count}, which nothing here can record"),
    }
}

fn one(change: &OutputChange, planning: &PlanView<'_>) -> String {
    let note = writebacks::note(change);
    let sign = match (&change.old, &change.new) {
        (_, Some(_)) if writebacks::is_blocker(&change.path) => '!',
        (None, _) => '+',
        (_, None) => '-',
        _ => '~',
    };
    let note = note.map_or_else(String::new, |note| format!("  {note}"));
    let mut text = format!("  {sign} {}\n", planning.wall.text(format!("{}{note}", change.path)));
    if let Some(digest) = writebacks::digest(planning.plan, &change.path).filter(|_| change.new.is_some()) {
        text.push_str(&format!("      preview_digest  {digest}\n"));
    }
    text.push_str(&meant(change, planning.wall, 6));
    if planning.diff {
        text.push_str(&difference(change, planning.wall));
    }
    text
}

/// What a change means: for a first screen whom it waits for, for the queue its rows, for others their fields.
fn meaning(change: &OutputChange) -> Vec<String> {
    let parse = |bytes: &Option<Vec<u8>>| bytes.as_ref().and_then(|bytes| serde_json::from_slice::<Json>(bytes).ok());
    match (parse(&change.old), parse(&change.new)) {
        (Some(old), Some(new)) if new.get("rows").is_some() => rows(&old, &new),
        (None, Some(new)) if new.get("rows").is_some() => rows(&Json::Null, &new),
        (Some(old), Some(new)) => screen_change::lines(&old, &new, &fields(&old, &new)),
        (None, Some(new)) => screen_change::sentence(&new).or_else(|| new.get("next").map(shown)).into_iter().collect(),
        (Some(old), None) => {
            screen_change::sentence(&old).map(|was| format!("gone (was: {was})")).into_iter().collect()
        }
        (None, None) => Vec::new(),
    }
}

fn rows(old: &Json, new: &Json) -> Vec<String> {
    let named = |queue: &Json| -> Vec<String> {
        let rows = queue.get("rows").and_then(Json::as_array);
        let word = |value: Option<&Json>| value.and_then(Json::as_str).unwrap_or_default().to_owned();
        let name = |row: &Json| format!("{}  {}", word(row.get("reason")), word(row.pointer("/about/0")));
        rows.into_iter().flatten().map(name).collect()
    };
    let (old, new) = (named(old), named(new));
    let (before, after): (BTreeSet<_>, BTreeSet<_>) = (old.iter().collect(), new.iter().collect());
    let gone = old.iter().filter(|row| !after.contains(row)).map(|row| format!("- {row}"));
    gone.chain(new.iter().filter(|row| !before.contains(row)).map(|row| format!("+ {row}"))).collect()
}

/// What differs between two versions of a document of YAML or JSON; empty when either cannot be read.
#[must_use]
pub fn differences(old: &[u8], new: &[u8]) -> String {
    let tree = |bytes: &[u8]| parse(bytes, Format::Yaml).document.map(|document| document.root.to_json());
    match (tree(old), tree(new)) {
        (Some(old), Some(new)) => {
            let line = |(route, old, new): (String, &Json, &Json)| format!("{route}  {} -> {}", shown(old), shown(new));
            fields(&old, &new).into_iter().map(line).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// The leaves that differ, each with its route, its old and its new value.
fn fields<'j>(old: &'j Json, new: &'j Json) -> Vec<(String, &'j Json, &'j Json)> {
    let mut leaves = Vec::new();
    let mut waiting = vec![(String::new(), old, new)];
    while let Some((route, old, new)) = waiting.pop() {
        match (old, new) {
            _ if old == new => {}
            (Json::Object(before), Json::Object(after)) => {
                let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
                for name in names.into_iter().rev() {
                    let route = if route.is_empty() { name.clone() } else { format!("{route}.{name}") };
                    waiting.push((
                        route,
                        before.get(name).unwrap_or(&Json::Null),
                        after.get(name).unwrap_or(&Json::Null),
                    ));
                }
            }
            _ => leaves.push((route, old, new)),
        }
    }
    leaves
}

fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => quote(text),
        other => other.to_string(),
    }
}

fn difference(change: &OutputChange, wall: &Wall) -> String {
    let text = |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
    let (old, new) = (text(&change.old), text(&change.new));
    let difference = TextDiff::from_lines(&old, &new);
    let unified = difference.unified_diff().context_radius(2).to_string();
    unified.lines().map(|line| format!("      {}\n", wall.text(line))).collect()
}

fn count(planning: &PlanView<'_>) -> String {
    let of = |wanted: fn(&&OutputChange) -> bool| planning.changes.iter().filter(wanted).count();
    let receipts = planning.receipts.len() + planning.uncommitted.len();
    if planning.changes.is_empty() && receipts == 0 {
        return format!(
            "Nothing planned: {} {} up to date with {}.\n",
            counted(planning.kept, "output"),
            agrees(planning.kept, "is", "are"),
            counted(planning.documents, "document")
        );
    }
    let added = of(|change| change.old.is_none());
    let removed = of(|change| change.new.is_none());
    let recorded = match receipts {
        0 => String::new(),
        _ => format!(", {}", counted(receipts, "receipt")),
    };
    let record = match planning.way {
        _ if planning.receipts.is_empty() => "",
        RecordingRoute::Commit { .. } => "    Write and record: loopx reconcile --commit",
        RecordingRoute::Merge { .. } if planning.beside < planning.receipts.len() => {
            "    Write the receipts: loopx record"
        }
        RecordingRoute::Merge { .. } | RecordingRoute::Nowhere => "",
    };
    format!(
        "Plan: {added} to add, {} to change, {removed} to remove{recorded}. {} {}.\n\
         Write: loopx reconcile{record}\n",
        planning.changes.len() - added - removed,
        counted(planning.kept, "output"),
        agrees(planning.kept, "stays as it is", "stay as they are")
    )
}
