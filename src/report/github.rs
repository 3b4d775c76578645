//! Annotations of GitHub Actions: one workflow command a line, no more than the host shows, and a page for the step.

use std::io::{self, Write};

use super::{Report, words};
use crate::finding::Finding;
use crate::vocabulary::{Level, counted};

/// How many annotations of one level a host shows for one step.
const SHOWN: usize = 10;
/// How long the page of a step may grow, in bytes; the host takes 1 MiB for a whole step.
const PAGE_LIMIT: usize = 500_000;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut left_out = 0;
    for (level, command) in [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "notice")] {
        // One notice is kept for the count of what is not shown.
        let room = if level == Level::Note { SHOWN - 1 } else { SHOWN };
        let of_level = report.findings().filter(|(_, finding)| finding.level == level);
        for (number, (batch, finding)) in of_level.enumerate() {
            if number < room {
                let path = batch.repository_path(&finding.primary);
                annotation(out, command, path.as_ref(), finding)?;
            } else {
                left_out += 1;
            }
        }
    }
    if left_out > 0 {
        let more =
            format!("{} more, all of them: the summary of this step, or loopx lint", counted(left_out, "finding"));
        writeln!(out, "::notice title=loopx::{}", data(&more))?;
    }
    Ok(())
}

fn annotation(out: &mut dyn Write, command: &str, path: &str, finding: &Finding) -> io::Result<()> {
    write!(out, "::{command} file={}", property(path))?;
    if let Some(place) = &finding.primary.place {
        write!(out, ",line={},endLine={}", place.line, place.end_line)?;
        if place.line == place.end_line {
            write!(out, ",col={},endColumn={}", place.column, place.end_column)?;
        }
    }
    writeln!(out, ",title={}::{}", property(finding.rule), data(&words(finding).join("\n")))
}

/// The text of a command: nothing in it can begin another one.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property: nothing in it can end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Every finding as a page for the summary of a step, as far as there is room; whole at any length.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut page = format!("### loopx\n\n{}\n", report.totals);
    let mut rows = report.findings().peekable();
    if rows.peek().is_some() {
        page.push_str("\n| level | rule | place | finding |\n|---|---|---|---|\n");
    }
    let mut left_out = 0;
    for (batch, finding) in rows {
        let mut place = batch.repository_path(&finding.primary).as_ref().to_owned();
        if let Some(found) = &finding.primary.place {
            place.push_str(&format!(":{}:{}", found.line, found.column));
        }
        let lines: Vec<_> = words(finding).iter().map(|line| span(line)).collect();
        let row = format!("| {} | `{}` | {} | {} |\n", finding.level, finding.rule, span(&place), lines.join("<br>"));
        if page.len() + row.len() > PAGE_LIMIT {
            left_out += 1;
        } else {
            page.push_str(&row);
        }
    }
    if left_out > 0 {
        page.push_str(&format!(
            "\n{} more, for which there is no room here: `loopx lint`\n",
            counted(left_out, "finding")
        ));
    }
    page
}

/// A code span in a cell of a table, on one line, between more backticks than any that stand together in it: nothing in
/// it can end the span or the cell.
fn span(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let (fence, room) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    let shown = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    format!("{fence}{room}{shown}{room}{fence}")
}
