//! The wall over any text or payload: bytes of any encoding, and one JSON value a line.

use std::ops::Range;

use serde_json::Value;

use super::decode;
use super::document::Grammar;
use super::found::Found;
use super::hit::Hit;
use super::tree::{Entry, FieldPath, Node};
use super::view::View;
use super::wall::Wall;

impl Wall {
    /// Lists what is refused in bytes of any encoding: a file that does not parse, standard input.
    ///
    /// UTF-16 is read as text; what is no text at all counts as a replacement character.
    #[must_use]
    pub fn scan_bytes(&self, bytes: &[u8]) -> Vec<Hit> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.scan_text(text);
        }
        if let Some(text) = decode::wide_text(bytes) {
            let whole = |hit: Hit| Hit { span: 0..bytes.len(), ..hit };
            return self.scan_text(&text).into_iter().map(whole).collect();
        }
        let mut view = View::with_capacity(bytes.len());
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            let (valid, broken) = (chunk.valid(), chunk.invalid());
            view.append(valid, at);
            at += valid.len() + broken.len();
            if !broken.is_empty() {
                view.put("\u{fffd}", at - broken.len()..at);
            }
        }
        let hits = self.scan_text(&view.text).into_iter();
        hits.map(|hit| Hit { span: view.source_of(&hit.span), ..hit }).collect()
    }

    /// Lists what is refused in one payload: in every key and string of a JSON value, or in a line that is none.
    ///
    /// Spans cover the whole line, because a string need not stand in it letter for letter.
    #[must_use]
    pub fn scan_payload(&self, line: &str) -> Vec<Found> {
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            return self.scan_text(line).into_iter().map(Found::in_text).collect();
        };
        let root = PayloadNode::new(value, 0..line.len());
        self.scan_document(&root, [], line, &|_: &FieldPath| Grammar::Free)
    }
}

/// A JSON value as a node of a document that stands on one line; serde_json has bounded its depth.
#[derive(Debug)]
enum PayloadNode {
    Scalar(String, Range<usize>),
    List(Vec<Self>, Range<usize>),
    Mapping(Vec<(String, Self)>, Range<usize>),
}

impl PayloadNode {
    fn new(value: Value, line: Range<usize>) -> Self {
        let inner = |value| Self::new(value, line.clone());
        match value {
            Value::Array(items) => Self::List(items.into_iter().map(inner).collect(), line),
            Value::Object(entries) => {
                Self::Mapping(entries.into_iter().map(|(key, value)| (key, inner(value))).collect(), line)
            }
            Value::String(text) => Self::Scalar(text, line),
            other => Self::Scalar(other.to_string(), line),
        }
    }
}

impl Node for PayloadNode {
    fn span(&self) -> Range<usize> {
        let (Self::Scalar(_, line) | Self::List(_, line) | Self::Mapping(_, line)) = self;
        line.clone()
    }

    fn text(&self) -> Option<&str> {
        if let Self::Scalar(text, _) = self { Some(text) } else { None }
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = &Self> {
        if let Self::List(items, _) = self { items.iter() } else { [].iter() }
    }

    fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_, Self>> {
        let entries = if let Self::Mapping(entries, _) = self { entries.as_slice() } else { &[] };
        entries.iter().map(|(key, value)| Entry { key, span: self.span(), value })
    }
}
