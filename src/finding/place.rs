//! From a symbolic place to lines, columns and a masked excerpt.

use std::ops::Range;

use crate::document::Span;
use crate::privacy::Text;

/// A place in lines and columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The bytes.
    pub span: Span,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The last line, from 1.
    pub end_line: u32,
    /// One past the last column, in characters.
    pub end_column: u32,
    /// The line as it may be shown; `None` when the file has no text there, or a line too long to be read.
    pub excerpt: Option<Excerpt>,
}

/// One line of a file, fit to leave the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, masked.
    pub text: Text,
    /// What is pointed at, in bytes of `text`.
    pub marked: Range<usize>,
}
