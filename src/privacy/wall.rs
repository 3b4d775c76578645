//! The scanner: one gate over the raw bytes, then the patterns of the rows whose gate opened.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::field;
use super::row::{Row, Sight};
use super::table;

/// What a team adds to the shipped table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Prefixes of the team's internal tickets, such as `ACME`; literal text.
    pub ticket_prefixes: Vec<String>,
    /// Host names that must not be named; literal text, sub-domains included.
    pub private_hosts: Vec<String>,
}

/// One refused place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The row that refused it.
    pub rule: &'static Row,
    /// Bytes of the text that was scanned; whole characters.
    pub span: Range<usize>,
}

/// The privacy wall: says what must not leave or be committed.
#[derive(Debug)]
pub struct Wall {
    gate: RegexSet,
    detectors: Vec<Detector>,
}

/// A row with its pattern, compiled when its gate first opens.
#[derive(Debug)]
struct Detector {
    row: &'static Row,
    pattern: OnceLock<Regex>,
}

impl Detector {
    fn pattern(&self) -> &Regex {
        self.pattern.get_or_init(|| {
            let pattern = self.row.find.pattern().expect("only rows with a pattern become detectors");
            RegexBuilder::new(&pattern).unicode(false).build().expect("a test compiles every pattern of the table")
        })
    }

    fn hits<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Hit> + 'a {
        let bytes = text.as_bytes();
        let mut from = 0;
        std::iter::from_fn(move || {
            while let Some(found) = (from <= bytes.len()).then(|| self.pattern().captures_at(bytes, from)).flatten() {
                let range = found.get(0).expect("group 0 is the match").range();
                let value = found.get(1).map_or(range.clone(), |group| group.range());
                from = range.end.max(range.start + 1);
                let sight = Sight { text: bytes, range: range.clone(), value };
                if self.row.find.stands(&sight) {
                    return Some(Hit { rule: self.row, span: whole_characters(text, range) });
                }
            }
            None
        })
    }
}

/// Widens a range of bytes to whole characters.
fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = range;
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}

impl Wall {
    /// The wall as it ships, without a team's policy.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Wall> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::new(&Policy::default()))
    }

    /// The wall of a team.
    #[must_use]
    pub fn new(_policy: &Policy) -> Self {
        let (gates, detectors): (Vec<_>, Vec<_>) = table::rows()
            .filter_map(|row| Some((row.find.gate()?, Detector { row, pattern: OnceLock::new() })))
            .unzip();
        let gate = RegexSetBuilder::new(gates).unicode(false).build().expect("a test compiles every gate of the table");
        Self { gate, detectors }
    }

    /// Whether a text certainly holds nothing refused; false only means that a closer look is needed.
    #[must_use]
    pub fn is_clean(&self, text: &str) -> bool {
        !self.gate.is_match(text.as_bytes())
    }

    /// Lists what is refused in a text, in the order of the text.
    #[must_use]
    pub fn scan_text(&self, text: &str) -> Vec<Hit> {
        if self.is_clean(text) {
            return Vec::new();
        }
        let opened = self.gate.matches(text.as_bytes());
        let mut hits: Vec<Hit> = opened.into_iter().flat_map(|index| self.detectors[index].hits(text)).collect();
        hits.sort_by_key(|hit| (hit.span.start, hit.span.end, hit.rule.id));
        hits
    }

    /// Whether a field of this name must not exist.
    #[must_use]
    pub fn forbids_field(&self, name: &str) -> bool {
        field::is_forbidden(name)
    }
}
