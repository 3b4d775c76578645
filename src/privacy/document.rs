//! The wall over a located document: keys, values, comments, and what only the whole gives away.

use std::ops::Range;

use crate::document::{Comment, Document, Entry, Key, Node, Route, Scalar, Span, Value};

use super::class::Class;
use super::field;
use super::row::Row;
use super::scan::{Scan, covered, touches};
use super::table;
use super::value::is_digest;
use super::view::Lens;
use super::wall::{Hit, Wall};

/// What the schema says a value is; the caller tells it for each route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grammar {
    /// Text that people write: everything is searched.
    #[default]
    Free,
    /// An id: letters, digits, `.`, `_`, `-`; only secrets and tickets are searched.
    Id,
    /// A digest: an exact one passes.
    Digest,
    /// An instant: an exact one passes.
    Time,
    /// A flag: `true` and `false` pass.
    Flag,
}

/// Tells the grammar of each field of a document.
pub trait Fields {
    /// The grammar of the value at a route; [`Grammar::Free`] when nothing is known.
    fn grammar(&self, route: &Route) -> Grammar;
}

impl<F: Fn(&Route) -> Grammar> Fields for F {
    fn grammar(&self, route: &Route) -> Grammar {
        self(route)
    }
}

/// The part of a document that holds a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The key at the end of the route.
    Key,
    /// The value at the end of the route.
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
    /// The way to the value or key; the root for comments and the whole.
    pub route: Route,
    /// Where at the route.
    pub part: Part,
}

impl Wall {
    /// Whether the text of a document certainly holds nothing refused, in its values or in the names of its fields:
    /// then it need not even be parsed.
    #[must_use]
    pub fn is_clean_document(&self, source: &str) -> bool {
        self.is_clean_and_nameless(source) == (true, true)
    }

    /// Lists what is refused in a document, in the order of the file.
    ///
    /// `source` is the text that the document was read from.
    #[must_use]
    pub fn scan_document(&self, document: &Document, source: &str, fields: &dyn Fields) -> Vec<Found> {
        let mut search = Search { wall: self, source, fields, found: Vec::new() };
        match self.is_clean_and_nameless(source) {
            (true, true) => return Vec::new(),
            // Only the names of fields can be at fault.
            (true, false) => search.names(&document.root),
            (false, _) => {
                search.walk(&document.root);
                document.comments.iter().for_each(|comment| search.comment(comment));
                search.whole();
            }
        }
        search.forget_joined();
        search.flags(&document.root);
        search.found.sort_by(|one, other| {
            (one.hit.span.start, one.hit.span.end, &one.route).cmp(&(
                other.hit.span.start,
                other.hit.span.end,
                &other.route,
            ))
        });
        search.found
    }
}

/// One search through a document.
struct Search<'s> {
    wall: &'s Wall,
    source: &'s str,
    fields: &'s dyn Fields,
    found: Vec<Found>,
}

impl Search<'_> {
    fn walk(&mut self, root: &Node) {
        let mut ahead = vec![(root, Route::root())];
        while let Some((node, route)) = ahead.pop() {
            match &node.value {
                Value::Scalar(scalar) => self.value(node, scalar, &route),
                Value::Sequence(items) => {
                    self.neighbours(items.iter(), &route);
                    ahead.extend(items.iter().enumerate().map(|(index, item)| (item, route.clone().index(index))));
                }
                Value::Mapping(entries) => {
                    self.neighbours(entries.iter().map(|entry| &entry.value), &route);
                    for Entry { key, value } in entries {
                        let route = route.clone().key(&key.text);
                        self.key(key, &route);
                        self.pair(key, value, &route);
                        ahead.push((value, route));
                    }
                }
            }
        }
    }

    /// Judges the keys alone.
    fn names(&mut self, root: &Node) {
        let mut ahead = vec![root];
        while let Some(node) = ahead.pop() {
            ahead.extend(node.items());
            ahead.extend(node.entries().iter().map(|entry| &entry.value));
            if node.entries().iter().any(|entry| field::is_forbidden(&entry.key.text)) {
                // Seldom: the search that also knows the routes names them.
                return self.walk(root);
            }
        }
    }

    fn key(&mut self, key: &Key, route: &Route) {
        if field::is_forbidden(&key.text) {
            let hit = Hit { rule: &table::FORBIDDEN, span: key.span.range(), lens: None };
            self.found.push(Found { hit, route: route.clone(), part: Part::Key });
        }
        self.text(&key.text, key.span, route, Part::Key);
    }

    fn value(&mut self, node: &Node, scalar: &Scalar, route: &Route) {
        let text = &*scalar.text;
        let grammar = self.fields.grammar(route);
        match grammar {
            Grammar::Digest if is_exact_digest(text) => {}
            Grammar::Time if is_instant(text) => {}
            Grammar::Flag if matches!(text, "true" | "false") => {}
            Grammar::Id if is_id(text) => {
                let before = self.found.len();
                self.text(text, node.span, route, Part::Value);
                let mut added = self.found.split_off(before);
                added.retain(|found| matches!(found.hit.rule.class, Class::Secret | Class::Ticket));
                self.found.append(&mut added);
            }
            _ => self.text(text, node.span, route, Part::Value),
        }
    }

    /// Searches a value for a secret that only its key gives away, as in `pass: hunter2hunter2`.
    fn pair(&mut self, key: &Key, node: &Node, route: &Route) {
        let Some(value) = node.text() else { return };
        if self.fields.grammar(route) != Grammar::Free {
            return;
        }
        let text = format!("{}: {value}", key.text);
        let own = 0..key.text.len() + ": ".len();
        let of_both = |hit: &Hit| hit.rule.class == Class::Secret && hit.span.start < own.end && own.end < hit.span.end;
        if let Some(hit) = self.wall.scan_text(&text).into_iter().find(of_both) {
            let hit = Hit { span: node.span.range(), ..hit };
            self.found.push(Found { hit, route: route.clone(), part: Part::Value });
        }
    }

    fn comment(&mut self, comment: &Comment) {
        let text = self.source.get(comment.span.range()).unwrap_or(&comment.text);
        self.text(text, comment.span, &Route::root(), Part::Comment);
    }

    fn text(&mut self, text: &str, place: Span, route: &Route, part: Part) {
        let wall = self.wall;
        for mut hit in wall.scan_text(text) {
            hit.span = self.in_file(text, place, &hit.span);
            self.found.push(Found { hit, route: route.clone(), part });
        }
    }

    /// The place in the file of a part of a value: exact where the file holds the value letter for letter.
    fn in_file(&self, text: &str, place: Span, part: &Range<usize>) -> Range<usize> {
        let written = self.source.get(place.range()).unwrap_or_default();
        match written.find(text).filter(|_| !text.is_empty()) {
            Some(offset) => {
                let start = place.range().start + offset;
                start + part.start..start + part.end
            }
            None => place.range(),
        }
    }

    /// Searches neighbouring values as if they were one.
    fn neighbours<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>, route: &Route) {
        let parts: Vec<(&str, Range<usize>)> =
            nodes.filter_map(|node| Some((node.text()?, node.span.range()))).collect();
        if parts.len() > 1 {
            for hit in Scan::of_neighbours(self.wall, &parts) {
                self.found.push(Found { hit, route: route.clone(), part: Part::Whole });
            }
        }
    }

    /// Forgets what was seen in joined values when one of them is refused for the same by itself.
    fn forget_joined(&mut self) {
        let is_joined = |found: &Found| found.hit.lens == Some(Lens::Neighbour) && found.part == Part::Whole;
        if !self.found.iter().any(is_joined) {
            return;
        }
        for class in Class::all() {
            let of_class = |found: &&Found| found.hit.rule.class == class;
            let alone = self.found.iter().filter(of_class).filter(|found| !is_joined(found));
            let alone = covered(alone.map(|found| &found.hit.span));
            self.found.retain(|found| !(of_class(&found) && is_joined(found) && touches(&alone, &found.hit.span)));
        }
    }

    /// Searches the text as a whole for what spreads over many values: conversations and output.
    fn whole(&mut self) {
        for hit in self.wall.scan_text(self.source) {
            let known = self.found.iter().any(|found| found.hit.rule.class == hit.rule.class);
            if matches!(hit.rule.class, Class::Transcript | Class::ToolOutput) && !known {
                self.found.push(Found { hit, route: Route::root(), part: Part::Whole });
            }
        }
    }

    /// Compares the flags that say what was copied with what was found.
    fn flags(&mut self, root: &Node) {
        let mut ahead = vec![(root, Route::root())];
        while let Some((node, route)) = ahead.pop() {
            ahead.extend(node.items().iter().enumerate().map(|(index, item)| (item, route.clone().index(index))));
            for Entry { key, value } in node.entries() {
                let route = route.clone().key(&key.text);
                if let Some(rule) = self.contradiction(&key.text, value) {
                    let hit = Hit { rule, span: key.span.range(), lens: None };
                    self.found.push(Found { hit, route: route.clone(), part: Part::Key });
                }
                ahead.push((value, route));
            }
        }
    }

    /// The row that a flag breaks: it says that nothing was copied and something stands here, or it says that it was.
    fn contradiction(&self, name: &str, value: &Node) -> Option<&'static Row> {
        let mut classes = field::flagged_classes(name).peekable();
        classes.peek()?;
        match value.text()? {
            "false" => {
                let stands = |class| self.found.iter().any(|found| found.hit.rule.class == class);
                classes.any(stands).then_some(&table::CONTRADICTED)
            }
            "true" => Some(&table::FORBIDDEN),
            _ => None,
        }
    }
}

/// Whether a text is an id of the project's own grammar.
fn is_id(text: &str) -> bool {
    text.len() <= 120 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// Whether a text is a digest and nothing else, with or without the name of its algorithm.
fn is_exact_digest(text: &str) -> bool {
    let bare = matches!(text.len(), 16 | 32 | 40 | 64 | 96 | 128) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    bare || is_digest(text.as_bytes())
}

/// Whether a text is an instant and nothing else.
fn is_instant(text: &str) -> bool {
    text.len() <= 40 && text.parse::<jiff::Timestamp>().is_ok()
}
