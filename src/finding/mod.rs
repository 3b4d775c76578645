//! The one model of a problem in a user's files: plain data with a place.
//!
//! Comes in: what a rule saw, as a route or a span, and its words as [`Text`]. Goes out: findings with lines,
//! columns and masked excerpts, sorted. Must not know: how they are drawn, or which rules exist.

mod source_file;
mod place;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{Edit, Route, Span};
use crate::privacy::Text;
use crate::vocabulary::Level;
pub use place::{Excerpt, Place};
pub use source_file::SourceFile;

/// One problem of one or more files.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The id of the rule, such as `reference/dangling`.
    pub rule: &'static str,
    /// Severity after policy overrides.
    pub level: Level,
    /// The fault in one sentence.
    pub message: Text,
    /// Where it is.
    pub primary: Label,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// What to do.
    pub help: Option<Text>,
    /// What would be legal here.
    pub legal: Option<Text>,
    /// How the document reads until it is mended.
    pub now: Option<Text>,
    /// A sure way to mend it.
    pub fix: Option<Fix>,
}

/// A place with a note.
#[derive(Debug, Clone)]
pub struct Label {
    /// The file, below the state directory or as it was named.
    pub path: Arc<str>,
    /// The place in the file, symbolic until the file is read again.
    pub anchor: Anchor,
    /// What is said at the place.
    pub note: Option<Text>,
    /// The place in lines and columns, once known.
    pub place: Option<Place>,
}

/// A place in a file before lines are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchor {
    /// The file itself.
    File,
    /// These bytes.
    Bytes(Span),
    /// The key at the end of a route.
    Key(Route),
    /// The value at the end of a route.
    Value(Route),
}

/// A change of bytes that surely mends the fault.
#[derive(Debug, Clone)]
pub struct Fix {
    /// What the change does.
    pub title: Text,
    /// The changes, in the finding's own file.
    pub edits: Vec<Edit>,
    /// The file's new path, where the fix renames it.
    pub rename: Option<String>,
}

impl Fix {
    /// Changes bytes of the file.
    #[must_use]
    pub fn edits(title: Text, edits: Vec<Edit>) -> Self {
        Self { title, edits, rename: None }
    }

    /// Adds a fix that renames the file.
    #[must_use]
    pub fn rename(title: Text, path: String) -> Self {
        Self { title, edits: Vec::new(), rename: Some(path) }
    }
}

impl Label {
    /// A place without a note.
    #[must_use]
    pub fn new(path: &Arc<str>, anchor: Anchor) -> Self {
        Self { path: Arc::clone(path), anchor, note: None, place: None }
    }

    /// The same place with a note.
    #[must_use]
    pub fn note(mut self, note: Text) -> Self {
        self.note = Some(note);
        self
    }
}

impl Finding {
    /// Adds what is said at the place itself, such as "did you mean `approve`?".
    #[must_use]
    pub fn note(mut self, note: Text) -> Self {
        self.primary.note = Some(note);
        self
    }

    /// Adds a second place with a note.
    #[must_use]
    pub fn also(mut self, label: Label) -> Self {
        self.related.push(label);
        self
    }

    /// Adds the command or edit that fixes it.
    #[must_use]
    pub fn help(mut self, help: Text) -> Self {
        self.help = Some(help);
        self
    }

    /// Adds what would be legal.
    #[must_use]
    pub fn legal(mut self, legal: Text) -> Self {
        self.legal = Some(legal);
        self
    }

    /// Adds how the document reads until it is mended.
    #[must_use]
    pub fn now(mut self, now: Text) -> Self {
        self.now = Some(now);
        self
    }

    /// Adds a sure way to mend it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Every place of the finding, its own first.
    pub fn labels_mut(&mut self) -> impl Iterator<Item = &mut Label> {
        std::iter::once(&mut self.primary).chain(&mut self.related)
    }

    /// The line of the finding, once located; files come first.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.primary.place.as_ref().map_or(0, |place| place.line)
    }

    /// What findings are sorted by: path, place, rule, words.
    fn order(&self) -> (&str, u32, u32, &str, &str) {
        let place = self.primary.place.as_ref();
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        (&self.primary.path, line, column, self.rule, self.message.as_ref())
    }
}

/// Leaves out of findings those that an earlier look had too, wherever in their file they stand now.
#[must_use]
pub fn introduced(before: &[Finding], mut after: Vec<Finding>) -> Vec<Finding> {
    let identity = |finding: &Finding| (Arc::clone(&finding.primary.path), finding.rule, finding.message.clone());
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for finding in before {
        *known.entry(identity(finding)).or_default() += 1;
    }
    after.retain(|finding| match known.get_mut(&identity(finding)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    after
}

/// Sorts findings by path, place, rule and words, and drops exact repetitions.
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|left, right| left.order().cmp(&right.order()));
    findings.dedup_by(|left, right| left.order() == right.order());
}
