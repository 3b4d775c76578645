//! One file of a loaded state directory.

use std::sync::Arc;

use super::content::ContentId;
use super::misplaced::Misplaced;
use super::misplaced::PathFields;
use super::suppression::Suppression;
use crate::vocabulary::{Instant, Kind, Record};

/// One file of a loaded state directory, without its text and tree.
#[derive(Debug, Clone)]
pub struct LoadedFile {
    /// The path below the state directory.
    pub path: Arc<str>,
    /// What the path says, when it is a place of the layout.
    pub place: Option<PathFields>,
    /// The record, when the document can be read and stands in its place.
    pub record: Option<Record>,
    /// The first rule that makes it unreadable.
    pub unreadable: Option<&'static str>,
    /// The first rule that refuses material in it.
    pub refused: Option<&'static str>,
    /// When more of it is refused than now: the end of the exception that stops excusing something first.
    pub excused_until: Option<Instant>,
    /// How its path and its content disagree.
    pub misplaced: Option<Misplaced>,
    /// Comments that take findings out of the report.
    pub suppressions: Vec<Suppression>,
    /// Whether the file is a document by its name.
    pub is_document: bool,
    /// The name of its content; `None` when it could not be read, or nobody asked for names.
    pub content: Option<ContentId>,
}

impl LoadedFile {
    /// The kind: what the path says, else what the document says.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.place.as_ref().map(|place| place.kind).or_else(|| self.record.as_ref().map(Record::kind))
    }

    /// The value that the path gives a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.place.as_ref()?.fields.iter();
        fields.find(|(field, _)| *field == name).map(|(_, value)| &**value)
    }

    /// The document's own id, as the path says.
    #[must_use]
    pub fn own_id(&self) -> Option<&str> {
        self.field(self.place.as_ref()?.kind.row().id_field?)
    }

    /// The goal that the path says, also where it is no place of the layout: a gate under a misspelled folder of a
    /// goal is a gate of that goal that nobody can read.
    #[must_use]
    pub fn goal_id(&self) -> Option<&str> {
        let folder = || self.path.strip_prefix("goals/")?.split_once('/').map(|(goal, _)| goal);
        self.field("goal_id").or_else(folder)
    }
}
