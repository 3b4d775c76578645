//! Findings, written for people, for lines, for machines.
//!
//! Comes in: what was judged, as a [`Report`]. Goes out: text on a writer, in one [`ReportFormat`]; colour codes stand in it
//! wherever they help, and the stream drops those it cannot show. Must not know: where findings come from, terminals,
//! exit codes. One format is one file.

mod findings;
mod concise;
mod difference;
mod github;
mod human;
mod json;
mod layout;
mod meaning;
mod sarif;
mod totals;

use std::io::{self, Write};

pub use difference::difference;
use findings::words;
pub use findings::{Batch, Report};
pub use meaning::{Explanation, Meaning, NamedText, Topics, WordTopic};
pub use totals::Totals;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ReportFormat {
    /// For people: every finding with its line, and what to do.
    #[default]
    Human,
    /// One line for each finding, for agents and grep.
    Concise,
    /// For programs; the shape is versioned.
    Json,
}

/// How a report is written for a host of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostFormat {
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions; [`step_page`] has the full list.
    Github,
}

/// Writes a report in the format that is asked for.
///
/// # Errors
/// What the writer says.
pub fn write(out: &mut dyn Write, format: ReportFormat, report: &Report<'_>) -> io::Result<()> {
    match format {
        ReportFormat::Human => human::write(out, report),
        ReportFormat::Concise => concise::write(out, report),
        ReportFormat::Json => json::write(out, report),
    }
}

/// Writes a report for a host of code, within what the host takes; what there is no room for is counted.
///
/// # Errors
/// What the writer says.
pub fn write_for_host(out: &mut dyn Write, format: HostFormat, report: &Report<'_>) -> io::Result<()> {
    match format {
        HostFormat::Sarif => sarif::write(out, report),
        HostFormat::Github => github::write(out, report),
    }
}

/// Every finding as a page of Markdown for the summary of a step: bounded, and whole at any length.
#[must_use]
pub fn step_page(report: &Report<'_>) -> String {
    github::page(report)
}

/// Writes the lines at the end of a report: what was counted, and the next commands.
///
/// # Errors
/// What the writer says.
pub fn summarize(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    write!(out, "{}", report.totals)?;
    match report.totals.fixes {
        0 => writeln!(out)?,
        1 => writeln!(out, " 1 has a sure fix: loopx lint --fix (--dry-run only shows it)")?,
        fixes => writeln!(out, " {fixes} have a sure fix: loopx lint --fix (--dry-run only shows it)")?,
    }
    match report.findings().next() {
        Some((_, finding)) => writeln!(out, "Why a rule exists: loopx explain {}", finding.rule),
        None => Ok(()),
    }
}
