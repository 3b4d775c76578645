//! One refused place in a text.

use std::ops::Range;

use super::row::Row;
use super::view::Decoder;

/// One refused place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The row that refused it.
    pub rule: &'static Row,
    /// Bytes of the text that was scanned; whole characters.
    pub span: Range<usize>,
    /// How it was disguised, when it was: the last decoder that it took to see it.
    pub decoder: Option<Decoder>,
}

/// Widens a range of bytes to whole characters.
pub(super) fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = range;
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}
