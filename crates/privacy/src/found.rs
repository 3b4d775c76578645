//! A hit with its place in a document.

use super::exception::Exception;
use super::hit::Hit;
use super::tree::FieldPath;

/// The part of a document that holds a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The key at the end of the path.
    Key,
    /// The value at the end of the path.
    Value,
    /// A comment.
    Comment,
    /// Several values, or the text as a whole.
    Whole,
}

/// A hit with its place in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The hit; its span is in the file.
    pub hit: Hit,
    /// The path to the value or key; the root for comments and the whole.
    pub path: FieldPath,
    /// Where at the path.
    pub part: Part,
}

impl Found {
    /// A hit in a text that is no document.
    #[must_use]
    pub fn in_text(hit: Hit) -> Self {
        Self { hit, path: FieldPath::root(), part: Part::Whole }
    }
}

impl Exception {
    /// Whether it excuses what was found in a document, as long as it is in force.
    #[must_use]
    pub fn excuses(&self, found: &Found, document: &str) -> bool {
        self.rule == found.hit.rule.class.rule()
            && self.document == document
            && self.field == found.path.field()
            && self.is_lawful()
    }
}
