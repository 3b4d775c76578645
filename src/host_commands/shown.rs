//! Text of several lines, as it may be shown.

use crate::privacy::Wall;

/// A text of several lines as it may be shown: each line passes the wall.
pub(super) fn shown_lines(text: &str, wall: &Wall) -> String {
    text.split('\n').map(|line| wall.text(line).to_string()).collect::<Vec<_>>().join("\n")
}
