//! Lines and columns for people.

use std::ops::Range;

use super::Span;

/// A place as people count: both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The starts of all lines of one text, found once.
#[derive(Debug, Clone)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// How many characters stand before each block of the text, so that no column costs a whole line.
    counts: Vec<u32>,
}

/// The bytes of a block.
const BLOCK: usize = 1 << 12;

impl<'t> LineIndex<'t> {
    /// Finds the lines; a line ends with its LF or CRLF.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset + 1);
        let starts = std::iter::once(0).chain(ends).map(|start| u32::try_from(start).unwrap_or(u32::MAX)).collect();
        let mut before = 0;
        let counts = (0..=text.len()).step_by(BLOCK).map(|start| {
            let count = before;
            before += u32::try_from(characters(text, start..text.len().min(start + BLOCK))).unwrap_or(u32::MAX);
            count
        });
        let counts = counts.collect();
        Self { text, starts, counts }
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.counts.get(block).map_or(0, |&count| count as usize) + characters(self.text, block * BLOCK..offset)
    }

    /// The line and column of a byte; what lies past the end or inside a character counts as the place before it.
    ///
    /// A byte-order mark takes no column.
    #[must_use]
    pub fn place(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let end = self.text.floor_char_boundary(offset as usize);
        let start = self.starts[line] as usize;
        let column = self.characters_before(end).saturating_sub(self.characters_before(start)) + 1;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        LineColumn { line: number(line + 1), column: number(column) }
    }

    /// The bytes of a line, counted from 1, without its line break; empty past the last line.
    #[must_use]
    pub fn line_span(&self, line: u32) -> Span {
        let bound = |line: usize| self.starts.get(line).map_or(self.text.len(), |start| *start as usize);
        let (start, next) = (bound((line as usize).saturating_sub(1)), bound(line as usize));
        let content = self.text.get(start..next).unwrap_or_default();
        let content = content.strip_suffix('\n').map_or(content, |line| line.strip_suffix('\r').unwrap_or(line));
        Span::new(start, start + content.len())
    }
}

/// How many characters begin within a part of a text; a byte-order mark is none.
fn characters(text: &str, part: Range<usize>) -> usize {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let bytes = text.as_bytes();
    let begins = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000 && !bytes[*at..].starts_with(MARK);
    part.filter(begins).count()
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, LineColumn, LineIndex};

    #[test]
    fn columns_count_characters_however_long_the_line() {
        let text = format!("\u{feff}aé\n{}é\nb", "ü".repeat(BLOCK));
        let index = LineIndex::new(&text);
        let place = |offset: usize| index.place(u32::try_from(offset).expect("small"));
        assert_eq!(place(3), LineColumn { line: 1, column: 1 });
        assert_eq!(place(4), LineColumn { line: 1, column: 2 });
        assert_eq!(place(text.len() - 4), LineColumn { line: 2, column: u32::try_from(BLOCK).expect("small") + 1 });
        assert_eq!(place(text.len()), LineColumn { line: 3, column: 2 });
    }
}
