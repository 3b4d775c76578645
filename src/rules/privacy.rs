//! The privacy wall as rules: one for each class of the wall's table.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use super::find;
use crate::document::{Format, MAX_PROBLEMS, Node, Span, parse};
use crate::finding::{Anchor, Finding, Place, sort};
use crate::privacy::{
    Class, Exception, FieldPath, FieldStep, Found, Grammar, Streamed, Text, Wall, is_binary, scan_document,
};
use crate::vocabulary::{Instant, Kind, Level, schema};
use crate::workspace::{
    Files, Inspected, MARK, Plain, Policies, ReadFault, Reading, Workspace, is_judged, locate, read,
};

/// What a file that is scanned holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScannedContent {
    /// One text or document.
    Whole,
    /// One payload on each line.
    Lines,
}

/// What a scan judges by, and how far it goes.
#[derive(Debug, Clone, Copy)]
pub struct ScanPolicy<'a> {
    /// What is refused.
    pub wall: &'a Wall,
    /// The levels of the team.
    pub policies: &'a Policies,
    /// The state directory of these policies: exceptions and levels name documents by their path below it.
    pub root: Option<&'a Path>,
    /// What each file holds.
    pub payload: ScannedContent,
    /// Whether the strings of binary content are scanned.
    pub strings: bool,
}

/// What a scan found, and what it could not look through.
#[derive(Debug, Default)]
pub struct ScanResult {
    /// What is refused, located and sorted, and each file that could not be read.
    pub findings: Vec<Finding>,
    /// Files with binary content, which were not scanned.
    pub binary: Vec<String>,
    /// Files that could not be read, each with the reason.
    pub unread: Vec<(String, String)>,
}

/// What one file gave.
enum FileResult {
    Findings(Vec<Finding>),
    Binary(Vec<Finding>),
    Unread(String),
}

/// Lists what the wall refuses in files of any kind and in each part of their paths. Of binary content only the strings
/// are scanned, and only where they are asked for.
#[must_use]
pub fn scan(files: &Plain, policy: ScanPolicy<'_>) -> ScanResult {
    let wall = policy.wall;
    let one = |path: &String| {
        let shared: Arc<str> = Arc::from(path.as_str());
        let document = files.path_below(policy.root, path);
        let target = files.target(path);
        let mut result = match &target {
            Some(_) if !files.is_followed(path) => FileResult::Findings(Vec::new()),
            _ => scan_file(files, &shared, &document, policy),
        };
        if let FileResult::Findings(findings) | FileResult::Binary(findings) = &mut result {
            // Folders above are those of whoever scans; each part of the rest goes where the file goes.
            let goes_along = files.shared_path(path);
            let named = goes_along.split('/').flat_map(|part| wall.scan_text(part));
            let targeted = target.iter().flat_map(|target| wall.scan_bytes(target));
            let hits = named.chain(targeted);
            findings.extend(hits.filter_map(|hit| about(&shared, wall, hit.rule.class, Anchor::File)));
            let found = std::mem::take(findings).into_iter();
            findings.extend(found.filter_map(|finding| leveled(finding, policy.policies, &document)));
            cap(findings, wall);
        }
        result
    };
    let results: Vec<FileResult> = files.list().par_iter().map(one).collect();
    let mut all = ScanResult::default();
    for (path, result) in files.list().iter().zip(results) {
        match result {
            FileResult::Findings(findings) => all.findings.extend(findings),
            FileResult::Binary(findings) => {
                all.findings.extend(findings);
                all.binary.push(path.clone());
            }
            FileResult::Unread(reason) => {
                all.findings.extend(unreadable(path, wall, &reason));
                all.unread.push((path.clone(), reason));
            }
        }
    }
    locate(files, wall, &mut all.findings);
    sort(&mut all.findings);
    all
}

/// Lists what the wall refuses in files of a state directory that rules do not read: in each part of their paths, in their
/// content, and in the targets of symbolic links. What nobody can look through is a finding too.
#[must_use]
pub fn scan_others(files: &dyn Files, targets: &BTreeMap<String, Vec<u8>>, workspace: &Workspace) -> Vec<Finding> {
    let wall = &workspace.wall;
    let of_file = |path: &String| {
        let path: Arc<str> = Arc::from(path.as_str());
        let mut findings = match files.read(&path) {
            Ok(bytes) if is_judged(&path) => {
                let mut inspected = Inspected::default();
                refuse(&read(&path, &bytes, wall), &mut inspected);
                // Whether an exception is used is reported where the rules read the document.
                inspected.findings.retain(|finding| finding.rule != "policy/exception-unused");
                inspected.findings
            }
            Ok(bytes) => {
                let mut found = found_in_text(&path, &bytes, wall);
                found.retain(|found| !names_rule(found));
                found.retain(|found| !wall.exceptions().iter().any(|row| row.excuses(found, &path)));
                let binary = is_binary(&bytes).then(|| refused_as_binary(&path, wall)).flatten();
                found.iter().filter_map(|found| finding(&path, wall, found)).chain(binary).collect()
            }
            Err(fault) => unreadable(&path, wall, &fault.reason).into_iter().collect(),
        };
        findings.extend(in_parts(&path, wall));
        cap(&mut findings, wall);
        findings
    };
    let of_link = |(path, target): (&String, &Vec<u8>)| {
        let path: Arc<str> = Arc::from(path.as_str());
        let in_target = wall.scan_bytes(target).into_iter();
        let in_target: Vec<_> = in_target.filter_map(|hit| about(&path, wall, hit.rule.class, Anchor::File)).collect();
        in_target.into_iter().chain(in_parts(&path, wall)).collect::<Vec<_>>()
    };
    let mut findings: Vec<Finding> = files.list().par_iter().flat_map_iter(of_file).collect();
    findings.extend(targets.iter().flat_map(of_link));
    locate(files, wall, &mut findings);
    let leveled = |finding: Finding| {
        let path = Arc::clone(&finding.primary.path);
        leveled(finding, &workspace.policies, &path)
    };
    let mut findings: Vec<Finding> = findings.into_iter().filter_map(leveled).collect();
    sort(&mut findings);
    findings
}

/// Lists what the wall refuses in the folders above a state directory; `above` is their path.
#[must_use]
pub fn in_folders(above: &str, workspace: &Workspace) -> Vec<Finding> {
    let mark = Arc::from(MARK);
    let hits = above.split('/').flat_map(|part| workspace.wall.scan_text(part));
    let findings = hits.filter_map(|hit| about(&mark, &workspace.wall, hit.rule.class, Anchor::File));
    findings.filter_map(|finding| leveled(finding, &workspace.policies, MARK)).collect()
}

/// Lists what the wall refuses in each part of a path by itself.
fn in_parts(path: &Arc<str>, wall: &Wall) -> Vec<Finding> {
    let hits = path.split('/').flat_map(|part| wall.scan_text(part));
    hits.filter_map(|hit| about(path, wall, hit.rule.class, Anchor::File)).collect()
}

/// The finding of a file that the system does not let us read: it may hold anything, and is never clean.
fn unreadable(path: &str, wall: &Wall, reason: &str) -> Option<Finding> {
    let message = wall.text(format!("the file cannot be read: {reason}"));
    Some(find("path/unreadable")?.at(&path.into(), Anchor::File, message))
}

/// Scans one file: as a whole where it is small, else in windows. `document` is what exceptions call it.
fn scan_file(files: &Plain, path: &Arc<str>, document: &str, policy: ScanPolicy<'_>) -> FileResult {
    let ScanPolicy { wall, payload, strings, .. } = policy;
    if payload == ScannedContent::Whole && files.size(path).is_some_and(|size| size > LARGEST_WHOLE) {
        return scan_large(files, path, wall);
    }
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(fault) => return FileResult::Unread(fault.reason),
    };
    let is_binary = is_binary(&bytes);
    let mut found = match payload {
        ScannedContent::Lines => found_in_lines(&bytes, wall),
        ScannedContent::Whole if is_binary && strings => {
            wall.scan_strings(&bytes).into_iter().map(Found::in_text).collect()
        }
        ScannedContent::Whole if is_binary => Vec::new(),
        ScannedContent::Whole => found_in_text(document, &bytes, wall),
    };
    found.retain(|found| !names_rule(found));
    found.retain(|found| !wall.exceptions().iter().any(|row| row.excuses(found, document)));
    let mut findings: Vec<Finding> = found.iter().filter_map(|found| finding(path, wall, found)).collect();
    match (is_binary, payload) {
        (true, ScannedContent::Whole) => FileResult::Binary(findings),
        // A payload is refused whole: one NUL must hide nothing.
        (true, ScannedContent::Lines) => {
            findings.extend(refused_as_binary(path, wall));
            FileResult::Findings(findings)
        }
        (false, _) => FileResult::Findings(findings),
    }
}

/// Up to this size a file is held as a whole while it is scanned.
const LARGEST_WHOLE: u64 = 8 << 20;

/// Scans a file in windows, so that no more than one of them is held; findings come located.
fn scan_large(files: &Plain, path: &Arc<str>, wall: &Wall) -> FileResult {
    let scanned = files
        .open(path)
        .and_then(|file| wall.scan_stream(file).map_err(|error| ReadFault { reason: error.kind().to_string() }));
    match scanned {
        Err(fault) => FileResult::Unread(fault.reason),
        Ok(Streamed::Binary) => FileResult::Binary(Vec::new()),
        Ok(Streamed::Text(hits)) => {
            let located = hits.into_iter().filter_map(|(hit, line)| {
                let span = Span::new(hit.span.start, hit.span.end);
                let mut finding = about(path, wall, hit.rule.class, Anchor::Bytes(span))?;
                let place = Place { span, line, column: 1, end_line: line, end_column: 1, excerpt: None };
                finding.primary.place = Some(place);
                Some(finding)
            });
            FileResult::Findings(located.collect())
        }
    }
}

/// How many findings of one rule are listed for one file.
const MOST_LISTED: usize = 100;

/// Keeps so many findings of each rule in a file; the last one kept says how many more there are.
pub(super) fn cap(findings: &mut Vec<Finding>, wall: &Wall) {
    if findings.len() <= MOST_LISTED {
        return;
    }
    let key = |finding: &Finding| (Arc::clone(&finding.primary.path), finding.rule);
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    findings.iter().for_each(|finding| *counts.entry(key(finding)).or_default() += 1);
    let mut kept: BTreeMap<_, usize> = BTreeMap::new();
    findings.retain_mut(|finding| {
        let key = key(finding);
        let left = counts[&key].saturating_sub(MOST_LISTED);
        let number = kept.entry(key).or_default();
        *number += 1;
        if *number == MOST_LISTED && left > 0 {
            // The reader of a text stops counting too.
            let at_least = if counts.values().any(|count| *count >= MAX_PROBLEMS) { "at least " } else { "" };
            let hidden = if finding.rule.starts_with("privacy/") { "hidden; " } else { "" };
            let more = format!("{hidden}{at_least}{left} more of this rule in this file are not listed");
            finding.primary.note = Some(wall.text(more));
        }
        *number <= MOST_LISTED
    });
}

/// The finding of binary content where only text may stand.
fn refused_as_binary(path: &Arc<str>, wall: &Wall) -> Option<Finding> {
    let rule = find(Class::OpaqueBlob.rule())?;
    let message = wall.text("binary content, which nobody can review, must not be committed or shown");
    Some(rule.at(path, Anchor::File, message).help(Text::fixed("keep it elsewhere and cite its digest")))
}

/// Lists what is refused in a text; what the text says tells whether it is read as a document, not its name, so that a
/// file and the same bytes on standard input are judged alike.
fn found_in_text(path: &str, bytes: &[u8], wall: &Wall) -> Vec<Found> {
    let Ok(text) = std::str::from_utf8(bytes) else { return whole(wall, bytes) };
    let is_json = text.trim_start().starts_with(['{', '[']);
    let is_ours = text.contains("schema_version");
    let is_excepted = wall.exceptions().iter().any(|row| *row.document == *path);
    if !is_json && !is_ours && !is_excepted {
        return whole(wall, bytes);
    }
    if wall.is_clean_document(text) {
        return Vec::new();
    }
    let format = if is_json { Format::Json } else { Format::Yaml };
    let Some(document) = parse(bytes, format).document else { return whole(wall, bytes) };
    let mut found = scan_document(wall, &document, text, &|_: &FieldPath| Grammar::Free);
    let version = document.root.get("schema_version");
    if version.and_then(Node::text).and_then(Kind::of) == Some(Kind::Policy) {
        found.retain(|found| !lists_itself(found));
    }
    if version.is_none() {
        // The names of fields are ours to choose in our documents alone.
        found.retain(|found| !matches!(found.hit.rule.class, Class::ForbiddenField | Class::FlagContradicted));
    }
    found
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
    wall.scan_bytes(bytes).into_iter().map(Found::in_text).collect()
}

/// Lists what the wall refuses in one file: in its name, its keys, values and comments, or in the bytes of a file that
/// is no document. Exceptions that excuse nothing are reported too; how long the others do is remembered.
pub(super) fn refuse(reading: &Reading<'_>, inspected: &mut Inspected) {
    let findings = &mut inspected.findings;
    let Reading { path, wall, .. } = reading;
    if reading.fault.is_none() && reading.problems.is_empty() && is_binary(reading.bytes) {
        findings.extend(refused_as_binary(path, wall));
    }
    let name = wall.scan_text(path).into_iter();
    findings.extend(name.filter_map(|hit| about(path, wall, hit.rule.class, Anchor::File)));
    let mut found = match (&reading.document, reading.text) {
        (Some(document), Some(text)) => {
            // A schema is made only where something has to be looked at closely.
            let fields = |path: &FieldPath| reading.kind.map_or(Grammar::Free, |kind| grammar(schema(kind), path));
            scan_document(wall, document, text, &fields)
        }
        _ => whole(wall, reading.bytes),
    };
    let is_policy = reading.kind == Some(Kind::Policy);
    found.retain(|found| !(names_rule(found) || is_policy && lists_itself(found)));
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

/// Whether a policy is refused for what it lists as private: the list has to name it.
fn lists_itself(found: &Found) -> bool {
    let list = match found.hit.rule.class {
        Class::PrivateNetwork => "private_hosts",
        Class::Ticket => "ticket_prefixes",
        _ => return false,
    };
    let [FieldStep::Key(section), FieldStep::Key(field), ..] = found.path.0.as_slice() else { return false };
    &**section == "privacy" && &**field == list
}

/// Whether a key is refused for the name of a rule in it: a policy that sets the level of `privacy/tool-output` holds no
/// tool output.
fn names_rule(found: &Found) -> bool {
    let is_rule = matches!(found.path.0.last(), Some(FieldStep::Key(key)) if find(key).is_some());
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

/// What the schema of a kind says of the value at a path.
fn grammar(schema: &Value, path: &FieldPath) -> Grammar {
    let places = schemas_at(schema, path);
    let says = |key: &str, word: &str| places.iter().any(|place| place.get(key).and_then(Value::as_str) == Some(word));
    match () {
        () if says("x-text", "id") => Grammar::Id,
        () if says("x-text", "digest") => Grammar::Digest,
        () if says("x-text", "time") => Grammar::Time,
        () if says("type", "boolean") => Grammar::Flag,
        () => Grammar::Free,
    }
}

/// Every part of a schema that speaks of the value at a path; none where no such value may stand.
pub(super) fn schemas_at<'s>(schema: &'s Value, path: &FieldPath) -> Vec<&'s Value> {
    let mut places = alternatives(schema, schema);
    for step in &path.0 {
        let inner = places.into_iter().filter_map(|place| match step {
            FieldStep::Key(key) => place
                .get("properties")
                .and_then(|fields| fields.get(&**key))
                .or_else(|| place.get("patternProperties")?.as_object()?.values().next())
                .or_else(|| place.get("additionalProperties").filter(|rest| rest.as_bool() != Some(false))),
            FieldStep::Index(_) => place.get("items"),
        });
        places = inner.flat_map(|place| alternatives(schema, place)).collect();
    }
    places
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
