//! Lines and columns for people.

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
}

impl<'t> LineIndex<'t> {
    /// Finds the lines; a line ends with its LF or CRLF.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset + 1);
        let starts = std::iter::once(0).chain(ends).map(|start| u32::try_from(start).unwrap_or(u32::MAX)).collect();
        Self { text, starts }
    }

    /// The line and column of a byte; what lies past the end or inside a character counts as the place before it.
    ///
    /// A byte-order mark takes no column.
    #[must_use]
    pub fn place(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let end = self.text.floor_char_boundary(offset as usize);
        let before = self.text.get(self.starts[line] as usize..end).unwrap_or_default();
        let column = before.chars().filter(|character| *character != '\u{feff}').count() + 1;
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
