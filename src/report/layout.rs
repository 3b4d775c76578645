//! Text in columns, right on a screen of 100.

use std::io::{self, Write};

use anstyle::Style;

pub(super) use crate::render::WIDTH;

pub(super) const BOLD: Style = Style::new().bold();

/// Breaks text between words so that each line fits; a longer word stands alone.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        let line = lines.last_mut().expect("there is always a line");
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
    }
    lines
}

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
