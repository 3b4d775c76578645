//! One line for each finding: `path:line:column level rule message`.

use std::io::{self, Write};

use super::Report;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for (batch, finding) in report.findings() {
        write!(out, "{}", batch.path(&finding.primary))?;
        if let Some(place) = &finding.primary.place {
            write!(out, ":{}:{}", place.line, place.column)?;
        }
        write!(out, " {} {} {}", finding.level, finding.rule, finding.message)?;
        if let Some(note) = &finding.primary.note {
            write!(out, "; {note}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
