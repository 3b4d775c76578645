//! The privacy scanner of `crates/privacy`, with the documents of this program as its trees.
//!
//! Comes in: what `loopx_privacy` takes, and located documents. Goes out: what it gives. Must not know: the kinds of
//! documents, findings, or where anything is written.

use std::ops::Range;

pub use loopx_privacy::*;

use crate::document::{self, Document};

impl Node for document::Node {
    fn span(&self) -> Range<usize> {
        self.span.range()
    }

    fn text(&self) -> Option<&str> {
        Self::text(self)
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = &Self> {
        Self::items(self).iter()
    }

    fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_, Self>> {
        Self::entries(self).iter().map(|document::Entry { key, value }| Entry {
            key: &key.text,
            span: key.span.range(),
            value,
        })
    }
}

/// Lists what a wall refuses in a document, in the order of the file; `source` is the text that it was read from.
#[must_use]
pub fn scan_document(wall: &Wall, document: &Document, source: &str, fields: &dyn Fields) -> Vec<Found> {
    let comments = document.comments.iter().map(|comment| comment.span.range());
    wall.scan_document(&document.root, comments, source, fields)
}
