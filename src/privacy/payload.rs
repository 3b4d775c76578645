//! The wall over any text or payload: bytes of any encoding, and one JSON value a line.

use crate::document::{Document, Entry, Format, Key, Node, Route, Scalar, Span, Style, Value};

use super::document::{Found, Grammar, Part};
use super::lens;
use super::scan::Scan;
use super::wall::{Hit, Wall};

impl Wall {
    /// Lists what is refused in bytes of any encoding: a file that does not parse, standard input.
    ///
    /// UTF-16 is read as text; what is no text at all counts as a replacement character.
    #[must_use]
    pub fn scan_bytes(&self, bytes: &[u8]) -> Vec<Hit> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.scan_text(text);
        }
        if let Some(text) = lens::wide_text(bytes) {
            let whole = |hit: Hit| Hit { span: 0..bytes.len(), ..hit };
            return self.scan_text(&text).into_iter().map(whole).collect();
        }
        Scan::of_bytes(self, bytes)
    }

    /// Lists what is refused in one payload: in every key and string of a JSON value, or in a line that is none.
    ///
    /// Spans cover the whole line, because a string need not stand in it letter for letter.
    #[must_use]
    pub fn scan_payload(&self, line: &str) -> Vec<Found> {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else {
            let found = |hit| Found { hit, route: Route::root(), part: Part::Whole };
            return self.scan_text(line).into_iter().map(found).collect();
        };
        let place = Span::new(0, line.len());
        let document = Document { format: Format::Json, root: node(value, place), comments: Vec::new() };
        self.scan_document(&document, line, &|_: &Route| Grammar::Free)
    }
}

/// A JSON value as a node of a document; serde_json has bounded its depth.
fn node(value: serde_json::Value, place: Span) -> Node {
    let scalar = |text: String| Value::Scalar(Scalar { text: text.into(), style: Style::DoubleQuoted });
    let value = match value {
        serde_json::Value::Array(items) => Value::Sequence(items.into_iter().map(|item| node(item, place)).collect()),
        serde_json::Value::Object(entries) => Value::Mapping(
            entries
                .into_iter()
                .map(|(key, value)| Entry {
                    key: Key { text: key.into(), span: place, style: Style::DoubleQuoted },
                    value: node(value, place),
                })
                .collect(),
        ),
        serde_json::Value::String(text) => scalar(text),
        other => scalar(other.to_string()),
    };
    Node { span: place, value }
}
