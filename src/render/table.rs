//! Text in columns, right in 100 columns without colour.

use unicode_width::UnicodeWidthStr;

/// The width that every screen keeps.
pub(crate) const WIDTH: usize = 100;

/// The longest quote of a field on a screen.
const QUOTE: usize = 72;

/// Sets rows in columns two blanks apart; the last column takes what is left and is cut there.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            if column + 1 == columns {
                line.push_str(&cut(cell, WIDTH.saturating_sub(line.width())));
            } else {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', widths[column] + 2 - cell.width()));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A field's text between quotes, on one line, cut at 72.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", cut(text, QUOTE))
}

/// Cuts text to a width, with `…` in place of what is gone.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        if kept.width() + character.to_string().width() + 1 > width {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}

/// Breaks text between words so that each line fits; a longer word stands alone.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.width() + 1 + word.width() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, cut, table};
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn columns_align_and_no_line_is_too_wide() {
        let row = |first: &str, last: &str| vec![first.to_owned(), last.to_owned()];
        let text = table(&[row("GOAL", "NEEDED"), row("日本語", "x"), row("a", &"long ".repeat(40))]);
        assert!(text.starts_with("GOAL    NEEDED\n日本語  x\n"), "{text}");
        assert!(text.lines().all(|line| line.width() <= WIDTH));
        assert!(text.trim_end().ends_with('…'));
        assert_eq!(cut("short", 5), "short");
    }
}
