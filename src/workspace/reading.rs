//! One file, read and judged by itself: text, tree, kind, shape, record.

use std::sync::Arc;

use super::files::ReadFault;
use super::shape::{self, FaultTarget, Shape, ShapeFault};
use crate::document::{Document, Format, Node, Problem, Route, Span, parse};
use crate::privacy::Wall;
use crate::vocabulary::{Kind, Record};

/// One file as rules see it.
#[derive(Debug)]
pub struct Reading<'a> {
    /// The path below the state directory, or as it was named.
    pub path: Arc<str>,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The text; `None` when the bytes are no UTF-8.
    pub text: Option<&'a str>,
    /// The tree, when it can be trusted.
    pub document: Option<Document>,
    /// Why the file could not be read at all.
    pub fault: Option<ReadFault>,
    /// Whether nothing but a document may stand here.
    pub must_be_document: bool,
    /// What is wrong with the text.
    pub problems: Vec<Problem>,
    /// The kind that its `schema_version` names.
    pub kind: Option<Kind>,
    /// What is wrong with the shape.
    pub shape: Vec<ShapeFault>,
    /// The record, when the shape is right.
    pub record: Option<Record>,
    /// What may be shown.
    pub wall: &'a Wall,
}

impl<'a> Reading<'a> {
    /// A file that could not be read.
    #[must_use]
    pub(super) fn unread(path: &Arc<str>, fault: ReadFault, wall: &'a Wall) -> Self {
        Self { fault: Some(fault), ..Self::of(path, &[], wall) }
    }

    /// A file of which nothing is known yet.
    pub(super) fn of(path: &Arc<str>, bytes: &'a [u8], wall: &'a Wall) -> Self {
        Self {
            path: Arc::clone(path),
            bytes,
            text: std::str::from_utf8(bytes).ok(),
            document: None,
            fault: None,
            must_be_document: false,
            problems: Vec::new(),
            kind: None,
            shape: Vec::new(),
            record: None,
            wall,
        }
    }

    /// The word at `schema_version`, whether it names a kind or not.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.document.as_ref()?.root.get("schema_version")?.text()
    }

    /// Whether the path says that this is a document.
    #[must_use]
    pub fn is_document(&self) -> bool {
        format_of(&self.path).is_some()
    }
}

/// The format that a file's name says; `None` for other files.
#[must_use]
pub(super) fn format_of(path: &str) -> Option<Format> {
    match path.rsplit_once('.')?.1 {
        "yaml" | "yml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        _ => None,
    }
}

/// Reads one file; a file that is no document is only text.
#[must_use]
pub fn read<'a>(path: &Arc<str>, bytes: &'a [u8], wall: &'a Wall) -> Reading<'a> {
    let mut reading = Reading::of(path, bytes, wall);
    if let Some(format) = format_of(path) {
        let parsed = parse(bytes, format);
        reading.document = parsed.document;
        reading.problems = parsed.problems;
    }
    reading.kind = reading.version().and_then(Kind::of);
    judge(&mut reading);
    reading
}

/// Judges the shape, and decodes what passed.
fn judge(reading: &mut Reading<'_>) {
    let (Some(kind), Some(document)) = (reading.kind, &reading.document) else { return };
    reading.shape = shape::faults(kind, document);
    if !reading.shape.iter().all(|fault| fault.shape.is_readable()) {
        return;
    }
    match kind.decode(&document.root) {
        Ok(record) => reading.record = Some(record),
        Err(fault) => reading.shape.push(ShapeFault {
            route: route_to(&document.root, fault.span),
            part: FaultTarget::Value,
            shape: Shape::Impossible { reason: fault.message },
        }),
    }
}

/// The route to the value with exactly this span; the root when there is none.
fn route_to(root: &Node, span: Span) -> Route {
    let mut waiting = vec![(Route::root(), root)];
    while let Some((route, node)) = waiting.pop() {
        if node.span == span {
            return route;
        }
        for entry in node.entries() {
            waiting.push((route.clone().key(&entry.key.text), &entry.value));
        }
        for (index, item) in node.items().iter().enumerate() {
            waiting.push((route.clone().index(index), item));
        }
    }
    Route::root()
}
