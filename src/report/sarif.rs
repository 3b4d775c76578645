//! SARIF 2.1.0, for code scanning: one run, within the limits of the hosts that read it.
//!
//! A result is recognised again by its rule, its document and its field, never by its line, so that it stays the same
//! while the lines above it change.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Batch, Report, json::object, words};
use crate::finding::{Anchor, Finding, Label};
use crate::rules::find;
use crate::vocabulary::{Level, sha256};

/// How many results one file holds: what code scanning shows of one run. It refuses 25,000.
pub(super) const RESULT_LIMIT: usize = 5_000;
/// How many related places one result names; a hundred are shown.
const RELATED_LIMIT: usize = 100;
/// The rule of the result that says how many there are no room for.
const CUT: &str = "report/cut";
/// The key of our fingerprint; its version changes with what it is made of.
const FINGERPRINT: &str = "loopxRuleDocumentField/v1";

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut findings: Vec<_> = report.findings().collect();
    let left_out = match findings.len() {
        all if all > RESULT_LIMIT => all - (RESULT_LIMIT - 1),
        _ => 0,
    };
    if left_out > 0 {
        // The loudest stay; among equals, the order of the report.
        findings.sort_by_key(|(_, finding)| finding.level);
    }
    let rest = findings.split_off(findings.len() - left_out);
    let mut ids: BTreeSet<&str> = findings.iter().map(|(_, finding)| finding.rule).collect();
    ids.extend((left_out > 0).then_some(CUT));
    let numbers: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(number, id)| (*id, number)).collect();
    let mut seen = BTreeMap::new();
    let results = findings.iter().map(|(batch, finding)| result(batch, finding, &numbers, &mut seen));
    let mut results: Vec<Value> = results.collect();
    results.extend(rest.first().map(|(batch, finding)| cut(batch, finding, left_out, &numbers)));
    let rules: Vec<Value> = ids.iter().map(|id| rule(id)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "loopx", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    object(out, &log)
}

fn rule(id: &str) -> Value {
    let (level, summary, why) = match find(id) {
        Some(rule) => (rule.level, rule.summary, rule.why),
        None => (Level::Note, "a report has more findings than a code host takes", "Nothing is left out silently."),
    };
    json!({
        "id": id,
        "shortDescription": { "text": summary },
        "fullDescription": { "text": why },
        "help": { "text": format!("loopx explain {id}") },
        "defaultConfiguration": { "level": word(level) },
    })
}

/// The word of SARIF for a level.
fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
        Level::Off => "none",
    }
}

fn result(
    batch: &Batch<'_>,
    finding: &Finding,
    numbers: &BTreeMap<&str, usize>,
    seen: &mut BTreeMap<String, usize>,
) -> Value {
    let related: Vec<Value> = finding.related.iter().take(RELATED_LIMIT).map(|label| related(batch, label)).collect();
    json!({
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": word(finding.level),
        "message": { "text": words(finding).join("\n") },
        "locations": [location(batch, &finding.primary)],
        "relatedLocations": related,
        "partialFingerprints": { FINGERPRINT: fingerprint(batch, finding, seen) },
    })
}

/// What says that there is more.
fn cut(batch: &Batch<'_>, first: &Finding, left_out: usize, numbers: &BTreeMap<&str, usize>) -> Value {
    let text = format!("{left_out} more findings are not in this file, none louder than those that are: loopx lint");
    let uri = uri(batch.repository_path(&first.primary).as_ref());
    json!({
        "ruleId": CUT,
        "ruleIndex": numbers[CUT],
        "level": word(Level::Note),
        "message": { "text": text },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri } } }],
        "partialFingerprints": { FINGERPRINT: sha256(CUT.as_bytes()) },
    })
}

fn location(batch: &Batch<'_>, label: &Label) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(batch.repository_path(label).as_ref()) } });
    if let Some(place) = &label.place {
        physical["region"] = json!({
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        });
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(field) = field(batch, label).filter(|field| !field.is_empty()) {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": field, "kind": "member" }]);
    }
    location
}

fn related(batch: &Batch<'_>, label: &Label) -> Value {
    let mut location = location(batch, label);
    if let Some(note) = &label.note {
        location["message"] = json!({ "text": note });
    }
    location
}

/// The field that a label points at, when it points at one.
fn field(batch: &Batch<'_>, label: &Label) -> Option<String> {
    match &label.anchor {
        Anchor::Key(route) | Anchor::Value(route) => Some(batch.wall.text(route.to_string()).as_ref().to_owned()),
        Anchor::File | Anchor::Bytes(_) => None,
    }
}

/// What tells a result from others, on any line: rule, document, field; of several alike, which one.
fn fingerprint(batch: &Batch<'_>, finding: &Finding, seen: &mut BTreeMap<String, usize>) -> String {
    let label = &finding.primary;
    let path = batch.wall.text(&*label.path);
    let document = path.as_ref().rsplit_once('.').map_or(path.as_ref(), |(document, _)| document);
    let thing = json!([finding.rule, document, field(batch, label)]).to_string();
    let number = seen.entry(thing.clone()).or_default();
    *number += 1;
    sha256(format!("{thing}{number}").as_bytes())
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => write!(uri, "%{byte:02X}").expect("writing to a String cannot fail"),
        }
    }
    uri
}
