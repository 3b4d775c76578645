//! Builds the tree from events, for both formats: one place knows depth, keys and duplicates.

use std::collections::HashMap;

use super::fault::{Fault, MAX_DEPTH, MAX_NODES, MAX_PROBLEMS, Problem};
use super::{Entry, Key, Node, Scalar, Span, Style, Value};

/// In a mapping up to this size a key is compared with each other key, which is faster than a map of keys.
const SMALL: usize = 16;

/// The collections that are open, and what is wrong so far.
pub(super) struct TreeBuilder<'p> {
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
    problems: &'p mut Vec<Problem>,
}

/// One collection whose end has not come.
struct Open {
    /// Where its bracket stands; block collections have none.
    bracket: Option<usize>,
    content: OpenContent,
}

enum OpenContent {
    Sequence(Vec<Node>),
    Mapping(OpenMapping),
}

#[derive(Default)]
struct OpenMapping {
    entries: Vec<Entry>,
    /// The key whose value comes next.
    key: Option<Key>,
    /// Where each key stands; filled once the mapping is no longer small.
    places: HashMap<Box<str>, Span>,
}

/// The nesting limit was passed; reading stops.
pub(super) struct TooDeep;

impl<'p> TreeBuilder<'p> {
    pub(super) fn new(problems: &'p mut Vec<Problem>) -> Self {
        Self { open: Vec::new(), root: None, nodes: 0, problems }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether there is so much, or so much wrong, that reading on helps nobody.
    pub(super) fn is_hopeless(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS || self.nodes > MAX_NODES
    }

    /// Whether the next node is a key.
    pub(super) fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: OpenContent::Mapping(OpenMapping { key: None, .. }), .. }))
    }

    pub(super) fn open_sequence(&mut self, at: usize, bracket: bool) -> Result<(), TooDeep> {
        self.open(at, bracket, OpenContent::Sequence(Vec::new()))
    }

    pub(super) fn open_mapping(&mut self, at: usize, bracket: bool) -> Result<(), TooDeep> {
        self.open(at, bracket, OpenContent::Mapping(OpenMapping::default()))
    }

    fn open(&mut self, at: usize, bracket: bool, content: OpenContent) -> Result<(), TooDeep> {
        if self.open.len() == MAX_DEPTH {
            self.problem(Problem::new(Fault::Nesting, Span::new(at, at + usize::from(bracket))));
            return Err(TooDeep);
        }
        self.open.push(Open { bracket: bracket.then_some(at), content });
        Ok(())
    }

    /// Ends the innermost collection; `end` is one past its bracket, if it has one.
    pub(super) fn close(&mut self, end: usize) {
        let Some(Open { bracket, content }) = self.open.pop() else { return };
        let value = match content {
            OpenContent::Sequence(items) => Value::Sequence(items),
            OpenContent::Mapping(mapping) => Value::Mapping(mapping.entries),
        };
        let span = match bracket {
            Some(start) => Span::new(start, end),
            None => extent(&value).unwrap_or(Span::new(end, end)),
        };
        if self.expects_key() {
            self.problem(Problem::new(Fault::ComplexKey, span));
        }
        self.add(Node { span, value });
    }

    /// Adds a scalar, as key or as value.
    pub(super) fn scalar(&mut self, text: Box<str>, style: Style, span: Span) {
        self.add(Node { span, value: Value::Scalar(Scalar { text, style }) });
    }

    fn add(&mut self, node: Node) {
        self.nodes += 1;
        if self.nodes == MAX_NODES + 1 {
            self.problems.push(Problem::too_many(node.span));
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(OpenContent::Sequence(items)) => items.push(node),
            Some(OpenContent::Mapping(mapping)) => match mapping.key.take() {
                Some(key) => mapping.entries.push(Entry { key, value: node }),
                None => {
                    let key = as_key(node);
                    if let Some(first) = mapping.first_place(&key) {
                        self.problems
                            .push(Problem { also: Some(first), ..Problem::new(Fault::DuplicateKey, key.span) });
                    }
                    mapping.key = Some(key);
                }
            },
        }
    }

    /// The whole content, once its last collection is closed.
    pub(super) fn finish(self) -> Option<Node> {
        self.root.filter(|_| self.open.is_empty())
    }
}

impl OpenMapping {
    /// Where an equal key stands, if there is one. An absent key equals none: it is refused already.
    fn first_place(&mut self, key: &Key) -> Option<Span> {
        if key.span.range().is_empty() {
            return None;
        }
        if self.entries.len() <= SMALL {
            return self.entries.iter().find(|entry| entry.key.text == key.text).map(|entry| entry.key.span);
        }
        if self.places.is_empty() {
            self.places = self.entries.iter().rev().map(|entry| (entry.key.text.clone(), entry.key.span)).collect();
        }
        let first = *self.places.entry(key.text.clone()).or_insert(key.span);
        (first != key.span).then_some(first)
    }
}

/// From the first to the last child.
fn extent(value: &Value) -> Option<Span> {
    let (start, end) = match value {
        Value::Scalar(_) => return None,
        Value::Sequence(items) => (items.first()?.span.start, items.last()?.span.end),
        Value::Mapping(entries) => (entries.first()?.key.span.start, entries.last()?.value.span.end),
    };
    Some(Span { start, end })
}

/// A collection as key was reported when it closed; it stands in as an absent key.
fn as_key(node: Node) -> Key {
    match node.value {
        Value::Scalar(Scalar { text, style }) => Key { text, span: node.span, style },
        Value::Sequence(_) | Value::Mapping(_) => {
            Key { text: Box::default(), span: Span { end: node.span.start, ..node.span }, style: Style::Plain }
        }
    }
}
