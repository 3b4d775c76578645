//! The JSON Schemas of the documents.

use serde_json::Value;

use crate::privacy::{Text, Wall};
use crate::report::{NamedText, Topics, WordTopic};
use crate::turn::{packet_schema, settlement_schema};
use crate::vocabulary::{self, Kind, nearest, schema_of_all};

/// The schema of one kind, or the one that branches over all of them.
#[must_use]
pub fn schema(kind: Option<Kind>) -> Value {
    match kind {
        Some(kind) => vocabulary::schema(kind).clone(),
        None => schema_of_all(),
    }
}

/// An answer of a command that has a schema of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerShape {
    /// What `loopx next` says.
    Turn,
    /// What `loopx settle` says.
    Settlement,
}

impl AnswerShape {
    /// Every one, with its name and its version word.
    pub const ALL: [(Self, &'static str, &'static str); 2] =
        [(Self::Turn, "turn", "loopx_turn_v0"), (Self::Settlement, "settle", "loopx_settle_v0")];

    /// The answer that a word names.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, name, version)| word == *name || word == *version).map(|(shape, ..)| *shape)
    }

    /// The JSON Schema of this answer.
    #[must_use]
    pub fn schema(self) -> Value {
        match self {
            Self::Turn => packet_schema(),
            Self::Settlement => settlement_schema(),
        }
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
    let answers = AnswerShape::ALL.iter();
    let answers = answers.map(|(_, name, version)| NamedText::new(Text::fixed(name), Text::fixed(version)));
    Topics::new(vec![
        WordTopic { title: Text::fixed("Kinds of documents"), words: Kind::ALL.iter().map(named).collect() },
        WordTopic { title: Text::fixed("Answers of commands"), words: answers.collect() },
    ])
}
