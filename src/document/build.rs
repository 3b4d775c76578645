//! Builds the tree from events, for both formats: one place knows depth, keys and duplicates.

use super::fault::{Fault, MAX_DEPTH, Problem};
use super::{Entry, Key, Node, Scalar, Span, Style, Value};

/// A mapping up to this size is checked for duplicates pair by pair, which is faster than sorting.
const SMALL: usize = 16;

/// The collections that are open, and what is wrong so far.
pub(super) struct Builder<'p> {
    open: Vec<Open>,
    root: Option<Node>,
    problems: &'p mut Vec<Problem>,
}

/// One collection whose end has not come.
struct Open {
    /// Where its bracket stands; block collections have none.
    bracket: Option<usize>,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>, Option<Key>),
}

/// The nesting limit was passed; reading stops.
pub(super) struct TooDeep;

impl<'p> Builder<'p> {
    pub(super) fn new(problems: &'p mut Vec<Problem>) -> Self {
        Self { open: Vec::new(), root: None, problems }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Whether the next node is a key.
    pub(super) fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Mapping(_, None), .. }))
    }

    pub(super) fn open_sequence(&mut self, at: usize, bracket: bool) -> Result<(), TooDeep> {
        self.open(at, bracket, Content::Sequence(Vec::new()))
    }

    pub(super) fn open_mapping(&mut self, at: usize, bracket: bool) -> Result<(), TooDeep> {
        self.open(at, bracket, Content::Mapping(Vec::new(), None))
    }

    fn open(&mut self, at: usize, bracket: bool, content: Content) -> Result<(), TooDeep> {
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
        let (children, value) = match content {
            Content::Sequence(items) => {
                let children = items.first().zip(items.last()).map(|(first, last)| (first.span.start, last.span.end));
                (children, Value::Sequence(items))
            }
            Content::Mapping(entries, _) => {
                self.find_duplicates(&entries);
                let children = entries
                    .first()
                    .zip(entries.last())
                    .map(|(first, last)| (first.key.span.start, last.value.span.end));
                (children, Value::Mapping(entries))
            }
        };
        let span = match (bracket, children) {
            (Some(start), _) => Span::new(start, end),
            (None, Some((start, end))) => Span { start, end },
            (None, None) => Span::new(end, end),
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
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping(entries, key)) => match key.take() {
                Some(key) => entries.push(Entry { key, value: node }),
                None => *key = Some(as_key(node)),
            },
        }
    }

    /// Names each later key that equals an earlier one, with the place of the first.
    fn find_duplicates(&mut self, entries: &[Entry]) {
        if entries.len() <= SMALL {
            for (position, entry) in entries.iter().enumerate() {
                let first = entries[..position].iter().find(|earlier| earlier.key.text == entry.key.text);
                self.duplicate(first.map(|first| first.key.span), entry);
            }
            return;
        }
        let mut sorted: Vec<&Entry> = entries.iter().collect();
        sorted.sort_by(|one, other| one.key.text.cmp(&other.key.text));
        for group in sorted.chunk_by(|one, other| one.key.text == other.key.text) {
            for entry in &group[1..] {
                self.duplicate(Some(group[0].key.span), entry);
            }
        }
    }

    fn duplicate(&mut self, first: Option<Span>, entry: &Entry) {
        // An empty key span belongs to a key that is refused already.
        if first.is_some() && !entry.key.span.range().is_empty() {
            self.problems.push(Problem { also: first, ..Problem::new(Fault::DuplicateKey, entry.key.span) });
        }
    }

    /// The whole content, once its last collection is closed.
    pub(super) fn finish(self) -> Option<Node> {
        self.root.filter(|_| self.open.is_empty())
    }
}

/// A collection as key was reported when it closed; it stands in as an absent key.
fn as_key(node: Node) -> Key {
    match node.value {
        Value::Scalar(Scalar { text, style }) => Key { text, span: node.span, style },
        Value::Sequence(_) | Value::Mapping(_) => Key {
            text: Box::default(),
            span: Span { start: node.span.start, end: node.span.start },
            style: Style::Plain,
        },
    }
}
