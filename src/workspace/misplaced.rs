//! Path and (kind, id) determine each other (product.md 2); here is where they disagree.

use super::reading::Reading;
use crate::document::{Node, Route};
use crate::vocabulary::Kind;

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
        /// The field.
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
}

/// Compares a file's path with its content.
pub(super) fn misplaced(
    reading: &Reading<'_>,
    place: Option<&(Kind, Vec<(&'static str, Box<str>)>)>,
) -> Option<Misplaced> {
    let root = reading.document.as_ref().map(|document| &document.root);
    if reading.path.ends_with(".yml") {
        let would_be = format!("{}.yaml", reading.path.trim_end_matches(".yml"));
        let known = reading.kind.is_some() || Kind::at(&would_be).is_some();
        return known.then_some(Misplaced::ShortEnding);
    }
    let Some((place, fields)) = place else {
        let kind = reading.kind?;
        let text = |field: &str| root.and_then(|root| root.at(&Route::of(field))).and_then(Node::text);
        return Some(Misplaced::Nowhere { belongs: kind.path(text) });
    };
    let kind = reading.kind?;
    if kind != *place {
        return Some(Misplaced::Kind { place: *place, kind });
    }
    let root = root?;
    let differs = |(field, expected): &&(&'static str, Box<str>)| {
        root.at(&Route::of(field)).and_then(Node::text).is_some_and(|found| found != &**expected)
    };
    let (field, expected) = fields.iter().find(differs)?;
    Some(Misplaced::Field { field, expected: expected.clone() })
}
