//! The wall over a located document: keys, values, comments, and what only the whole gives away.

use std::ops::Range;

use super::class::Class;
use super::field;
use super::found::{Found, Part};
use super::hit::Hit;
use super::row::Row;
use super::scan::{Scan, covered, touches};
use super::table;
use super::tree::{Entry, FieldPath, Node};
use super::value::is_digest;
use super::view::Decoder;
use super::wall::Wall;

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

/// Tells the grammar of each value of a document.
pub trait Fields {
    /// The grammar of the value at a path; [`Grammar::Free`] when nothing is known.
    fn grammar(&self, route: &FieldPath) -> Grammar;
}

impl<F: Fn(&FieldPath) -> Grammar> Fields for F {
    fn grammar(&self, route: &FieldPath) -> Grammar {
        self(route)
    }
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
    /// `source` is the text that the document was read from, `comments` are the places of its comments in it.
    #[must_use]
    pub fn scan_document<N: Node>(
        &self,
        root: &N,
        comments: impl IntoIterator<Item = Range<usize>>,
        source: &str,
        fields: &dyn Fields,
    ) -> Vec<Found> {
        let mut search = Search { wall: self, source, fields, found: Vec::new() };
        match self.is_clean_and_nameless(source) {
            (true, true) => return Vec::new(),
            // Only the names of fields can be at fault.
            (true, false) => search.names(root),
            (false, _) => {
                search.walk(root);
                comments.into_iter().for_each(|comment| search.comment(comment));
                search.whole();
            }
        }
        search.forget_joined();
        search.flags(root);
        search.found.sort_by(|one, other| {
            (one.hit.span.start, one.hit.span.end, &one.path).cmp(&(
                other.hit.span.start,
                other.hit.span.end,
                &other.path,
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
    fn walk<N: Node>(&mut self, root: &N) {
        let mut ahead = vec![(root, FieldPath::root())];
        while let Some((node, path)) = ahead.pop() {
            if let Some(text) = node.text() {
                self.value(node, text, &path);
                continue;
            }
            self.neighbours(node.items(), &path);
            ahead.extend(node.items().enumerate().map(|(index, item)| (item, path.index(index))));
            self.neighbours(node.entries().map(|entry| entry.value), &path);
            for entry in node.entries() {
                let path = path.key(entry.key);
                self.key(&entry, &path);
                self.pair(&entry, &path);
                ahead.push((entry.value, path));
            }
        }
    }

    /// Judges the keys alone.
    fn names<N: Node>(&mut self, root: &N) {
        let mut ahead = vec![root];
        while let Some(node) = ahead.pop() {
            ahead.extend(node.items());
            ahead.extend(node.entries().map(|entry| entry.value));
            if node.entries().any(|entry| field::is_forbidden(entry.key)) {
                // Seldom: the search that also knows the paths names them.
                return self.walk(root);
            }
        }
    }

    fn key<N>(&mut self, entry: &Entry<'_, N>, path: &FieldPath) {
        if field::is_forbidden(entry.key) {
            let hit = Hit { rule: table::FORBIDDEN, span: entry.span.clone(), decoder: None };
            self.found.push(Found { hit, path: path.clone(), part: Part::Key });
        }
        self.text(entry.key, &entry.span, path, Part::Key);
    }

    fn value<N: Node>(&mut self, node: &N, text: &str, path: &FieldPath) {
        match self.fields.grammar(path) {
            Grammar::Digest if is_exact_digest(text) => {}
            Grammar::Time if is_instant(text) => {}
            Grammar::Flag if matches!(text, "true" | "false") => {}
            Grammar::Id if is_id(text) => {
                let before = self.found.len();
                self.text(text, &node.span(), path, Part::Value);
                let mut added = self.found.split_off(before);
                added.retain(|found| matches!(found.hit.rule.class, Class::Secret | Class::Ticket));
                self.found.append(&mut added);
            }
            _ => self.text(text, &node.span(), path, Part::Value),
        }
    }

    /// Searches a value for a secret that only its key gives away, as in `pass: hunter2hunter2`.
    fn pair<N: Node>(&mut self, entry: &Entry<'_, N>, path: &FieldPath) {
        let Some(value) = entry.value.text() else { return };
        if self.fields.grammar(path) != Grammar::Free {
            return;
        }
        let text = format!("{}: {value}", entry.key);
        let own = 0..entry.key.len() + ": ".len();
        let of_both = |hit: &Hit| hit.rule.class == Class::Secret && hit.span.start < own.end && own.end < hit.span.end;
        if let Some(hit) = self.wall.scan_text(&text).into_iter().find(of_both) {
            let hit = Hit { span: entry.value.span(), ..hit };
            self.found.push(Found { hit, path: path.clone(), part: Part::Value });
        }
    }

    fn comment(&mut self, span: Range<usize>) {
        let text = self.source.get(span.clone()).unwrap_or_default();
        self.text(text, &span, &FieldPath::root(), Part::Comment);
    }

    fn text(&mut self, text: &str, place: &Range<usize>, path: &FieldPath, part: Part) {
        let hits = self.wall.scan_text(text);
        // Looked for once: a long value with many hits costs no more than its length.
        let start = if hits.is_empty() { None } else { self.start_in_file(text, place) };
        for hit in hits {
            let exact = start.map(|start| start + hit.span.start..start + hit.span.end);
            let hit = Hit { span: exact.unwrap_or_else(|| place.clone()), ..hit };
            self.found.push(Found { hit, path: path.clone(), part });
        }
    }

    /// Where a value begins in the file, where the file holds it letter for letter near to the start of its place.
    fn start_in_file(&self, text: &str, place: &Range<usize>) -> Option<usize> {
        /// How much longer than the value its place may be: the line of a payload holds many values.
        const MOST_AROUND: usize = 1 << 12;
        let end = place.end.min(place.start + text.len() + MOST_AROUND);
        let written = self.source.get(place.start..self.source.floor_char_boundary(end)).unwrap_or_default();
        written.find(text).filter(|_| !text.is_empty()).map(|offset| place.start + offset)
    }

    /// Searches neighbouring values as if they were one.
    fn neighbours<'n, N: Node + 'n>(&mut self, nodes: impl Iterator<Item = &'n N>, path: &FieldPath) {
        let parts: Vec<(&str, Range<usize>)> = nodes.filter_map(|node| Some((node.text()?, node.span()))).collect();
        if parts.len() > 1 {
            for hit in Scan::of_neighbours(self.wall.compiled(), &parts) {
                self.found.push(Found { hit, path: path.clone(), part: Part::Whole });
            }
        }
    }

    /// Forgets what was seen in joined values when one of them is refused for the same by itself.
    fn forget_joined(&mut self) {
        let is_joined = |found: &Found| found.hit.decoder == Some(Decoder::Neighbour) && found.part == Part::Whole;
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
                self.found.push(Found { hit, path: FieldPath::root(), part: Part::Whole });
            }
        }
    }

    /// Compares the flags that say what was copied with what was found.
    fn flags<N: Node>(&mut self, root: &N) {
        let mut ahead = vec![(root, FieldPath::root())];
        while let Some((node, path)) = ahead.pop() {
            ahead.extend(node.items().enumerate().map(|(index, item)| (item, path.index(index))));
            for Entry { key, span, value } in node.entries() {
                let path = path.key(key);
                if let Some(rule) = self.contradiction(key, value) {
                    let hit = Hit { rule, span, decoder: None };
                    self.found.push(Found { hit, path: path.clone(), part: Part::Key });
                }
                ahead.push((value, path));
            }
        }
    }

    /// The row that a flag breaks: it says that nothing was copied and something stands here, or it says that it was.
    fn contradiction<N: Node>(&self, name: &str, value: &N) -> Option<&'static Row> {
        let mut classes = field::flagged_classes(name).peekable();
        classes.peek()?;
        match value.text()? {
            "false" => {
                let stands = |class| self.found.iter().any(|found| found.hit.rule.class == class);
                classes.any(stands).then_some(table::CONTRADICTED)
            }
            "true" => Some(table::FORBIDDEN),
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
