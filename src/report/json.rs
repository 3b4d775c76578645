//! One JSON object with a versioned shape.

use std::io::{self, Write};

use serde::Serialize;

use super::{Batch, Report};
use crate::finding::{Anchor, Finding, Label};
use crate::privacy::Text;
use crate::vocabulary::Level;

#[derive(Serialize)]
struct Root<'a> {
    schema_version: &'static str,
    summary: Summary,
    findings: Vec<FindingRow<'a>>,
}

#[derive(Serialize)]
struct Summary {
    documents: usize,
    clean: usize,
    with_errors: usize,
    with_warnings: usize,
    with_notes: usize,
    sure_fixes: usize,
    /// Files with findings that are no documents.
    other_files: usize,
    /// Findings that stood before; null unless only new ones were asked for.
    old_findings: Option<usize>,
}

#[derive(Serialize)]
struct FindingRow<'a> {
    rule: &'static str,
    level: Level,
    message: &'a Text,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    related: Vec<JsonPlace<'a>>,
    help: Option<&'a Text>,
    legal: Option<&'a Text>,
    now: Option<&'a Text>,
    fix: Option<&'a Text>,
}

/// A place; the numbers are null where the whole file is meant, columns count characters.
#[derive(Serialize)]
struct JsonPlace<'a> {
    path: Text,
    /// The route of the field, such as `decision.label`, where one is meant.
    field: Option<Text>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    note: Option<&'a Text>,
}

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let totals = &report.totals;
    let root = Root {
        schema_version: "loopx_lint_report_v0",
        summary: Summary {
            documents: totals.documents,
            clean: totals.clean(),
            with_errors: totals.errors,
            with_warnings: totals.warnings,
            with_notes: totals.notes,
            sure_fixes: totals.fixes,
            other_files: totals.other_files,
            old_findings: totals.old,
        },
        findings: report.findings().map(|(batch, finding)| row(batch, finding)).collect(),
    };
    object(out, &root)
}

/// Writes one object, indented, with a newline at its end.
pub(super) fn object(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, object)?;
    writeln!(out)
}

fn row<'a>(batch: &Batch<'_>, finding: &'a Finding) -> FindingRow<'a> {
    FindingRow {
        rule: finding.rule,
        level: finding.level,
        message: &finding.message,
        place: place(batch, &finding.primary),
        related: finding.related.iter().map(|label| place(batch, label)).collect(),
        help: finding.help.as_ref(),
        legal: finding.legal.as_ref(),
        now: finding.now.as_ref(),
        fix: finding.fix.as_ref().map(|fix| &fix.title),
    }
}

fn place<'a>(batch: &Batch<'_>, label: &'a Label) -> JsonPlace<'a> {
    let found = label.place.as_ref();
    JsonPlace {
        path: batch.path(label),
        field: match &label.anchor {
            Anchor::Key(route) | Anchor::Value(route) => Some(batch.wall.text(route.to_string())),
            Anchor::File | Anchor::Bytes(_) => None,
        },
        line: found.map(|place| place.line),
        column: found.map(|place| place.column),
        end_line: found.map(|place| place.end_line),
        end_column: found.map(|place| place.end_column),
        note: label.note.as_ref(),
    }
}
