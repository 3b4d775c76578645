//! What an edit of a file changes, line by line.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use super::layout::BOLD;
use crate::privacy::{Text, Wall};

/// Lines without a change that are shown around one.
const AROUND: usize = 2;

/// Writes the difference between two texts of one file.
///
/// # Errors
/// What the writer says.
pub fn difference(out: &mut dyn Write, path: &Text, old: &str, new: &str, wall: &Wall) -> io::Result<()> {
    writeln!(out, "{BOLD}{path}{BOLD:#}")?;
    let lines = TextDiff::from_lines(old, new);
    for (number, group) in lines.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            writeln!(out, "     ...")?;
        }
        for change in group.iter().flat_map(|operation| lines.iter_changes(operation)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', AnsiColor::Red.on_default()),
                ChangeTag::Insert => ('+', AnsiColor::Green.on_default()),
                ChangeTag::Equal => (' ', Style::new()),
            };
            // A line that stays, or is new, has the number that it is found at afterwards.
            let line = change.new_index().or(change.old_index()).unwrap_or_default() + 1;
            let text = wall.text(change.value().trim_end_matches(['\n', '\r']));
            writeln!(out, "{line:4} {style}{sign} {text}{style:#}")?;
        }
    }
    writeln!(out)
}
