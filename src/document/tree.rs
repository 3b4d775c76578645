//! The located tree: one shape for YAML and JSON.

use std::fmt;

/// A half-open range of bytes in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Builds a span from byte offsets; files are at most 256 KiB, so both fit.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The span as a range to slice the text with.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The YAML 1.2 subset of the state directory.
    Yaml,
    /// JSON.
    Json,
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// Unquoted; the only style that can resolve to something other than text.
    Plain,
    /// `'single quoted'`
    SingleQuoted,
    /// `"double quoted"`, and every JSON string
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// One scalar: its text after unescaping and folding, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// The text; for a plain scalar exactly the characters of the file, lines folded. An absent value is the empty text.
    pub text: Box<str>,
    /// How it was written.
    pub style: Style,
}

/// The value of a node: a scalar, a sequence or a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text, number, boolean or null; see [`Scalar::resolve`](super::Scalar).
    Scalar(Scalar),
    /// Items in the order of the file.
    Sequence(Vec<Node>),
    /// Entries in the order of the file, keys unique.
    Mapping(Vec<Entry>),
}

/// One value with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it stands: quotes and brackets included; a block collection spans its first to its last child; a block
    /// scalar spans its `|` to the end of its last line; an empty value is zero wide.
    pub span: Span,
    /// What it holds.
    pub value: Value,
}

/// The key of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The text of the key.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
    /// How it was written.
    pub style: Style,
}

/// One key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// Its value.
    pub value: Node,
}

/// One comment of a YAML file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// From the `#` to the end of the line.
    pub span: Span,
    /// The text behind `#`, trimmed.
    pub text: Box<str>,
}

/// The parsed tree of one file, with its comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// How the file is written.
    pub format: Format,
    /// The whole content.
    pub root: Node,
    /// Every comment, in the order of the file.
    pub comments: Vec<Comment>,
}

/// One step from a collection to a child.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Into a mapping.
    Key(Box<str>),
    /// Into a sequence.
    Index(u32),
}

/// The way from the root to a value, such as `decision.by` or `agents[0]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Route(pub Vec<Step>);

impl Route {
    /// The route to the root of a document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The route extended by a key.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.0.push(Step::Key(key.into()));
        self
    }

    /// The route extended by an index.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Step::Index(u32::try_from(index).unwrap_or(u32::MAX)));
        self
    }

    /// Reads a dotted route of keys, such as `decision.by`; the way rules name a field.
    #[must_use]
    pub fn of(dotted: &str) -> Self {
        Self(dotted.split('.').filter(|part| !part.is_empty()).map(|part| Step::Key(part.into())).collect())
    }

    /// The last key on the way, for messages that name a field.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(&**key),
            Step::Index(_) => None,
        })
    }
}

impl fmt::Display for Route {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if position == 0 => formatter.write_str(key)?,
                Step::Key(key) => write!(formatter, ".{key}")?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl Node {
    /// The scalar here, if it is one.
    #[must_use]
    pub fn scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// The text of the scalar here, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.scalar().map(|scalar| &*scalar.text)
    }

    /// The entries here; none when it is no mapping.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Mapping(entries) => entries,
            Value::Scalar(_) | Value::Sequence(_) => &[],
        }
    }

    /// The items here; none when it is no sequence.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::Sequence(items) => items,
            Value::Scalar(_) | Value::Mapping(_) => &[],
        }
    }

    /// The entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| &*entry.key.text == key)
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value at the end of a route.
    #[must_use]
    pub fn at(&self, route: &Route) -> Option<&Self> {
        route.0.iter().try_fold(self, Self::step)
    }

    /// The child one step away.
    #[must_use]
    pub fn step(&self, step: &Step) -> Option<&Self> {
        match step {
            Step::Key(key) => self.get(key),
            Step::Index(index) => self.items().get(*index as usize),
        }
    }

    /// The entry at the end of a route that ends with a key.
    #[must_use]
    pub fn entry_at(&self, route: &Route) -> Option<&Entry> {
        let (last, parents) = route.0.split_last()?;
        let parent = self.at(&Route(parents.to_vec()))?;
        match last {
            Step::Key(key) => parent.entry(key),
            Step::Index(_) => None,
        }
    }
}
