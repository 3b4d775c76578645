//! The privacy wall as rules: one for each class of the wall's table.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use super::find;
use crate::document::{Format, Route, Span, Step, parse};
use crate::finding::{Anchor, Finding, sort};
use crate::privacy::{Class, Exception, Found, Grammar, Part, Text, Wall};
use crate::vocabulary::{Instant, Level, schema};
use crate::workspace::{Files, Inspected, Plain, Policies, ReadFault, Reading, locate};

/// What a file that is scanned holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScannedContent {
    /// One text or document.
    Whole,
    /// One payload on each line.
    Lines,
}

/// What a scan judges by.
#[derive(Debug, Clone, Copy)]
pub struct ScanPolicy<'a> {
    /// What is refused.
    pub wall: &'a Wall,
    /// The levels of the team.
    pub policies: &'a Policies,
    /// The state directory of these policies: exceptions and levels name documents by their path below it.
    pub root: Option<&'a Path>,
}

/// Lists what the wall refuses in files of any kind and in each part of their paths; findings are located and sorted.
#[must_use]
pub fn scan(files: &Plain, policy: ScanPolicy<'_>, payload: ScannedContent) -> Vec<Finding> {
    let wall = policy.wall;
    let one = |path: &String| {
        let path: Arc<str> = Arc::from(path.as_str());
        let bytes = match files.read(&path) {
            Ok(bytes) => bytes,
            // What cannot be read may hold anything, and is never clean.
            Err(fault) => return unreadable(&path, wall, &fault).into_iter().collect(),
        };
        let mut found = match payload {
            ScannedContent::Whole => found_in_text(&path, &bytes, wall),
            ScannedContent::Lines => found_in_lines(&bytes, wall),
        };
        found.retain(|found| !names_rule(found));
        let document = files.path_below(policy.root, &path);
        found.retain(|found| !wall.exceptions().iter().any(|row| row.excuses(found, &document)));
        // Folders above are those of whoever scans; each part of the rest goes where the file goes.
        let shared = files.shared_path(&path);
        let named = shared.split('/').flat_map(|part| wall.scan_text(part));
        let named = named.filter_map(|hit| about(&path, wall, hit.rule.class, Anchor::File));
        let all = named.chain(found.iter().filter_map(|found| finding(&path, wall, found)));
        all.filter_map(|finding| leveled(finding, policy.policies, &document)).collect::<Vec<_>>()
    };
    let mut findings: Vec<Finding> = files.list().par_iter().flat_map_iter(one).collect();
    locate(files, wall, &mut findings);
    sort(&mut findings);
    findings
}

/// The finding of a file that the system does not let us read.
fn unreadable(path: &Arc<str>, wall: &Wall, fault: &ReadFault) -> Option<Finding> {
    let message = wall.text(format!("the file cannot be read: {}", fault.reason));
    Some(find("path/unreadable")?.at(path, Anchor::File, message))
}

fn found_in_text(path: &str, bytes: &[u8], wall: &Wall) -> Vec<Found> {
    let text = std::str::from_utf8(bytes).ok();
    if text.is_some_and(|text| wall.is_clean_document(text)) {
        return Vec::new();
    }
    let format = match path.rsplit('.').next() {
        Some("yaml") => Some(Format::Yaml),
        Some("json") => Some(Format::Json),
        _ => None,
    };
    match (text, format.and_then(|format| parse(bytes, format).document)) {
        (Some(text), Some(document)) => wall.scan_document(&document, text, &|_: &Route| Grammar::Free),
        _ => whole(wall, bytes),
    }
}

fn found_in_lines(bytes: &[u8], wall: &Wall) -> Vec<Found> {
    let mut start = 0;
    let lines: Vec<(usize, &[u8])> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| {
            start += line.len();
            (start - line.len(), line.trim_ascii_end())
        })
        .collect();
    let in_line = |(start, line): (usize, &[u8])| {
        let found = std::str::from_utf8(line).map_or_else(|_| whole(wall, line), |line| wall.scan_payload(line));
        found.into_iter().map(move |mut found| {
            found.hit.span = start + found.hit.span.start..start + found.hit.span.end;
            found
        })
    };
    lines.into_par_iter().flat_map_iter(in_line).collect()
}

fn whole(wall: &Wall, bytes: &[u8]) -> Vec<Found> {
    let found = |hit| Found { hit, route: Route::root(), part: Part::Whole };
    wall.scan_bytes(bytes).into_iter().map(found).collect()
}

/// Lists what the wall refuses in one file: in its name, its keys, values and comments, or in the bytes of a file that
/// is no document. Exceptions that excuse nothing are reported too; how long the others do is remembered.
pub(super) fn refuse(reading: &Reading<'_>, inspected: &mut Inspected) {
    let findings = &mut inspected.findings;
    let Reading { path, wall, .. } = reading;
    let name = wall.scan_text(path).into_iter();
    findings.extend(name.filter_map(|hit| about(path, wall, hit.rule.class, Anchor::File)));
    let mut found = match (&reading.document, reading.text) {
        (Some(document), Some(text)) => {
            // A schema is made only where something has to be looked at closely.
            let fields = |route: &Route| reading.kind.map_or(Grammar::Free, |kind| grammar(schema(kind), route));
            wall.scan_document(document, text, &fields)
        }
        _ => whole(wall, reading.bytes),
    };
    found.retain(|found| !names_rule(found));
    let of_this = |row: &&Exception| row.is_lawful() && *row.document == **path;
    let rows: Vec<&Exception> = wall.exceptions().iter().filter(of_this).collect();
    let excused_until =
        |found: &Found| rows.iter().filter(|row| row.excuses(found, path)).map(|row| row.expires_at).max();
    inspected.excused_until = found.iter().filter_map(excused_until).min().map(Instant::new);
    for row in rows {
        let before = found.len();
        found.retain(|found| !row.excuses(found, path));
        if let Some(rule) = find("policy/exception-unused").filter(|_| found.len() == before) {
            let message = wall.text(format!("nothing in `{}` needs the exception from {}", row.field, row.rule));
            findings.push(rule.at(path, Anchor::File, message).help(Text::fixed("remove it from the policy")));
        }
    }
    findings.extend(found.iter().filter_map(|found| finding(path, wall, found)));
}

/// Whether a key is refused for the name of a rule in it: a policy that sets the level of `privacy/tool-output` holds no
/// tool output.
fn names_rule(found: &Found) -> bool {
    let is_rule = matches!(found.route.0.last(), Some(Step::Key(key)) if find(key).is_some());
    found.hit.rule.class == Class::ForbiddenField && is_rule
}

fn finding(path: &Arc<str>, wall: &Wall, found: &Found) -> Option<Finding> {
    let span = Span::new(found.hit.span.start, found.hit.span.end);
    about(path, wall, found.hit.rule.class, Anchor::Bytes(span))
}

/// Gives a finding of one document the level of the team; `None` where the team turned its rule off.
pub(super) fn leveled(mut finding: Finding, policies: &Policies, document: &str) -> Option<Finding> {
    let shipped = find(finding.rule).map_or(Level::Error, |rule| rule.level);
    finding.level = policies.level(finding.rule, document, shipped);
    if finding.rule.starts_with("privacy/") && finding.level != Level::Error {
        finding.now = Some(Text::fixed("a policy lets it stand: the document is used, and the value stays hidden"));
    }
    (finding.level != Level::Off).then_some(finding)
}

fn about(path: &Arc<str>, wall: &Wall, class: Class, anchor: Anchor) -> Option<Finding> {
    let rule = find(class.rule())?;
    let message = wall.text(format!("{} must not be committed or shown", class.title()));
    Some(
        rule.at(path, anchor, message)
            .note(Text::fixed("hidden; the value is printed nowhere"))
            .now(Text::fixed("what this file says is kept out of every output")),
    )
}

/// What the schema of a kind says of the value at a route.
fn grammar(schema: &Value, route: &Route) -> Grammar {
    let mut places = alternatives(schema, schema);
    for step in &route.0 {
        let inner = places.into_iter().filter_map(|place| match step {
            Step::Key(key) => place
                .get("properties")
                .and_then(|fields| fields.get(&**key))
                .or_else(|| place.get("additionalProperties")),
            Step::Index(_) => place.get("items"),
        });
        places = inner.flat_map(|place| alternatives(schema, place)).collect();
    }
    let says = |key: &str, word: &str| places.iter().any(|place| place.get(key).and_then(Value::as_str) == Some(word));
    match () {
        () if says("x-text", "id") => Grammar::Id,
        () if says("x-text", "digest") => Grammar::Digest,
        () if says("x-text", "time") => Grammar::Time,
        () if says("type", "boolean") => Grammar::Flag,
        () => Grammar::Free,
    }
}

/// A place of a schema with everything that it refers to or chooses from.
fn alternatives<'s>(schema: &'s Value, place: &'s Value) -> Vec<&'s Value> {
    let mut all = vec![place];
    let mut next = 0;
    while let Some(place) = all.get(next).copied().filter(|_| next < 64) {
        let reference =
            place.get("$ref").and_then(Value::as_str).and_then(|path| schema.pointer(path.trim_start_matches('#')));
        all.extend(reference);
        for key in ["anyOf", "oneOf", "allOf"] {
            all.extend(place.get(key).and_then(Value::as_array).into_iter().flatten());
        }
        next += 1;
    }
    all
}
