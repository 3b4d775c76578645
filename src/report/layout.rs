//! Text in columns, right on a screen of 100.

use std::io::{self, Write};

use anstyle::Style;

pub(super) use crate::render::{WIDTH, wrap};

pub(super) const BOLD: Style = Style::new().bold();

/// Writes names in one column and their texts in another.
pub(super) fn rows<'a>(out: &mut dyn Write, rows: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> io::Result<()> {
    let name = rows.clone().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let indent = name + 4;
    for (name, text) in rows {
        let lines = wrap(text, WIDTH - indent).join(&format!("\n{:indent$}", ""));
        writeln!(out, "  {BOLD}{name}{BOLD:#}{:1$}{lines}", "", indent - 2 - name.chars().count())?;
    }
    Ok(())
}
