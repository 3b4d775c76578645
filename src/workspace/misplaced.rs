//! Path and (kind, id) determine each other (product.md 2); here is where they disagree.

use super::reading::Reading;
use crate::document::{Node, Route};
use crate::vocabulary::Kind;

/// Folders of the layout that hold nothing but its documents.
pub const LAYOUT: &[&str] = &["goals", "hosts", "facts", "policies", "receipts"];

/// How a file's path and its content disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// The path is the place of another kind.
    Kind {
        /// What the path says.
        place: Kind,
        /// What the document says.
        kind: Kind,
    },
    /// The path gives a field another value.
    Field {
        /// The field, as a dotted route.
        field: &'static str,
        /// What the path says.
        expected: Box<str>,
    },
    /// A document at no place of the layout.
    Nowhere {
        /// Where it belongs, when its fields say so.
        belongs: Option<String>,
    },
    /// A name that ends with `.yml`.
    ShortEnding,
    /// Beside a file of the same name in the other format.
    TwoFormats,
    /// The mark of a state directory inside this one.
    Nested,
}

impl Misplaced {
    /// The rule that reports it.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Kind { .. } | Self::Field { .. } => "path/mismatch",
            Self::Nowhere { .. } => "path/unknown-place",
            Self::ShortEnding => "path/yml-ending",
            Self::TwoFormats => "path/two-formats",
            Self::Nested => "path/nested-workspace",
        }
    }
}

/// Compares a file's path with its content.
pub(super) fn misplaced(reading: &Reading<'_>, place: Option<&PathFields>) -> Option<Misplaced> {
    let root = reading.document.as_ref().map(|document| &document.root);
    let text = |field: &str| root.and_then(|root| root.at(&Route::of(field))).and_then(Node::text);
    let Some(place) = place else {
        return nowhere(reading, text);
    };
    let kind = reading.kind?;
    if kind != place.kind {
        return Some(Misplaced::Kind { place: place.kind, kind });
    }
    let differs = |(field, expected): &&(&'static str, Box<str>)| text(field).is_some_and(|found| found != &**expected);
    let (field, expected) = place.fields.iter().find(differs)?;
    Some(Misplaced::Field { field, expected: expected.clone() })
}

/// Judges a file that stands at no place of the layout.
fn nowhere<'a>(reading: &'a Reading<'_>, text: impl Fn(&str) -> Option<&'a str>) -> Option<Misplaced> {
    let path = &*reading.path;
    let in_layout = path.split_once('/').is_some_and(|(folder, _)| LAYOUT.contains(&folder));
    if path.ends_with("/loopx.yaml") {
        return Some(Misplaced::Nested);
    }
    if let Some(stem) = path.strip_suffix(".yml") {
        let known = in_layout || reading.kind.is_some() || Kind::at(&format!("{stem}.yaml")).is_some();
        return known.then_some(Misplaced::ShortEnding);
    }
    let belongs = reading.kind.and_then(|kind| kind.path(text));
    let is_ours = reading.kind.is_some() || (in_layout && reading.is_document());
    is_ours.then_some(Misplaced::Nowhere { belongs })
}

/// What a path of the layout says of the document that stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFields {
    /// Its kind.
    pub kind: Kind,
    /// Values of its fields, by dotted route.
    pub fields: Vec<(&'static str, Box<str>)>,
}

impl PathFields {
    /// Reads a path below the state directory.
    pub(super) fn of(path: &str) -> Option<Self> {
        let (kind, fields) = Kind::at(path)?;
        Some(Self { kind, fields: fields.into_iter().map(|(field, value)| (field, value.into())).collect() })
    }
}
