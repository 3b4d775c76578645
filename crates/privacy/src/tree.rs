//! What the wall needs to know of a parsed document; any parser's tree can show itself this way.

use std::fmt;
use std::ops::Range;

/// One value of a document's tree.
pub trait Node: Sized {
    /// The bytes of the source that the value takes.
    fn span(&self) -> Range<usize>;
    /// The text of a scalar; nothing for a list or a mapping.
    fn text(&self) -> Option<&str>;
    /// The items of a list; empty for anything else.
    fn items(&self) -> impl DoubleEndedIterator<Item = &Self>;
    /// The entries of a mapping; empty for anything else.
    fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_, Self>>;
}

/// One entry of a mapping.
#[derive(Debug, Clone)]
pub struct Entry<'n, N> {
    /// The key.
    pub key: &'n str,
    /// The bytes of the source that the key takes.
    pub span: Range<usize>,
    /// The value.
    pub value: &'n N,
}

/// One step from a collection to a child.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldStep {
    /// Into a mapping.
    Key(Box<str>),
    /// Into a list.
    Index(u32),
}

/// The way from the root of a document to a value, such as `decision.by` or `agents[0]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FieldPath(pub Vec<FieldStep>);

impl FieldPath {
    /// The root itself.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path extended by a key.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut path = self.clone();
        path.0.push(FieldStep::Key(key.into()));
        path
    }

    /// The path extended by a position in a list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.0.push(FieldStep::Index(u32::try_from(index).unwrap_or(u32::MAX)));
        path
    }

    /// The keys of the path without the positions in lists, joined by dots: what an exception names.
    #[must_use]
    pub fn field(&self) -> String {
        let keys: Vec<&str> = self.0.iter().filter_map(FieldStep::as_key).collect();
        keys.join(".")
    }
}

impl FieldStep {
    fn as_key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            Self::Index(_) => None,
        }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                FieldStep::Key(key) if position == 0 => formatter.write_str(key)?,
                FieldStep::Key(key) => write!(formatter, ".{key}")?,
                FieldStep::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}
