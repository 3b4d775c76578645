//! A file as findings need it: where its labels stand in lines and columns.

use std::ops::Range;

use super::place::Place;
use super::{Anchor, Label};
use crate::document::{Document, LineIndex, Span};
use crate::finding::Excerpt;
use crate::privacy::Wall;

/// A file as findings need it: its text, and its tree when it has one.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    /// The text, up to the first byte that is no UTF-8.
    pub text: &'a str,
    /// The tree.
    pub document: Option<&'a Document>,
    /// The lines of the text.
    pub lines: &'a LineIndex<'a>,
    /// What may be shown.
    pub wall: &'a Wall,
}

impl SourceFile<'_> {
    /// Gives a label its place.
    pub fn locate(&self, label: &mut Label) {
        let (text, lines) = (self.text, self.lines);
        let Some(span) = self.span(&label.anchor) else { return };
        let span = clamp(text, span);
        let (start, end) = (lines.place(span.start), lines.place(span.end));
        label.place = Some(Place {
            span,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            excerpt: self.excerpt(text, lines.line_span(start.line).range(), span),
        });
    }

    /// Turns the place of a label into bytes; the nearest enclosing value when the route does not end.
    fn span(&self, anchor: &Anchor) -> Option<Span> {
        let root = self.document.map(|document| &document.root);
        match anchor {
            Anchor::File => None,
            Anchor::Bytes(span) => Some(*span),
            Anchor::Key(route) => {
                let entry = root.and_then(|root| root.entry_at(route));
                entry.map(|entry| entry.key.span).or_else(|| self.enclosing(route))
            }
            Anchor::Value(route) => {
                let value = root.and_then(|root| root.at(route));
                value.map(|value| value.span).or_else(|| self.enclosing(route))
            }
        }
    }

    fn enclosing(&self, route: &crate::document::Route) -> Option<Span> {
        let root = &self.document?.root;
        let mut route = route.clone();
        while route.0.pop().is_some() {
            if let Some(entry) = root.entry_at(&route) {
                return Some(entry.key.span);
            }
        }
        let first = root.entries().first().map(|entry| entry.key.span);
        Some(first.unwrap_or(root.span))
    }

    /// The marked line. Where it holds refused material it shows masks, and points at the mask of what is meant; at the
    /// whole line when the mask reaches beyond what is meant.
    fn excerpt(&self, text: &str, line: Range<usize>, span: Span) -> Option<Excerpt> {
        if line.len() > LONGEST_SHOWN {
            return None;
        }
        let shown = self.wall.text(&text[line.clone()]);
        let inside = |offset: usize| offset.clamp(line.start, line.end);
        let (start, end) = (inside(span.range().start), inside(span.range().end));
        let [before, marked, behind] =
            [line.start..start, start..end, end..line.end].map(|part| self.wall.text(&text[part]));
        let (from, to) = (before.as_ref().len(), before.as_ref().len() + marked.as_ref().len());
        let is_same = [&before, &marked, &behind].map(AsRef::as_ref).concat() == shown.as_ref();
        let marked = if is_same { from..to } else { 0..shown.as_ref().len() };
        Some(Excerpt { text: shown, marked })
    }
}

/// The longest line that is shown. Each finding searches its line again, so that a long one with many findings would
/// cost minutes, and nobody reads it.
pub(super) const LONGEST_SHOWN: usize = 2000;

/// Keeps a span inside the text and on character boundaries.
pub(super) fn clamp(text: &str, span: Span) -> Span {
    let inside = |mut offset: usize| {
        offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    Span::new(inside(span.range().start), inside(span.range().end))
}
