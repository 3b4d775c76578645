//! The JSON Schemas of the documents.

use serde_json::Value;

use crate::privacy::{Text, Wall};
use crate::report::{NamedText, Topics, WordTopic};
use crate::vocabulary::{self, Kind, nearest, schema_of_all};

/// The schema of one kind, or the one that branches over all of them.
#[must_use]
pub fn schema(kind: Option<Kind>) -> Value {
    match kind {
        Some(kind) => vocabulary::schema(kind).clone(),
        None => schema_of_all(),
    }
}

/// The kind that a word names: its name, in one word, or its version word.
#[must_use]
pub fn kind_of(word: &str) -> Option<Kind> {
    Kind::ALL.iter().copied().find(|kind| is_called(*kind, word))
}

/// Whether a kind goes by a word; blanks, `-` and `_` are the same.
pub(super) fn is_called(kind: Kind, word: &str) -> bool {
    word == kind.row().version || word.replace([' ', '-'], "_") == name(kind)
}

/// The kind's name that is nearest to a word.
#[must_use]
pub fn nearest_kind(word: &str) -> Option<String> {
    let names: Vec<String> = Kind::ALL.iter().map(|kind| name(*kind)).collect();
    nearest(word, names.iter().map(String::as_str)).map(str::to_owned)
}

/// The kind's name in one word.
fn name(kind: Kind) -> String {
    kind.row().name.replace([' ', '-'], "_")
}

/// Lists the kinds, each with its version word and its place.
#[must_use]
pub fn kinds() -> Topics {
    let named = |kind: &Kind| {
        let row = kind.row();
        let place = if row.place.is_empty() { String::new() } else { format!(", at {}", row.place) };
        NamedText::new(Wall::shipped().text(name(*kind)), Wall::shipped().text(format!("{}{place}", row.version)))
    };
    Topics::new(vec![WordTopic {
        title: Text::fixed("Kinds of documents"),
        words: Kind::ALL.iter().map(named).collect(),
    }])
}
