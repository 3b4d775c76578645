//! The wall: a table made ready for scanning, and the policy of a team.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::class::{Class, Joins};
use super::detector::Detector;
use super::exception::Exception;
use super::field;
use super::gates::{Gates, Rows};
use super::glance;
use super::lens::{self, Reading, Signs};
use super::row::{Row, alternatives};
use super::scan::Scan;
use super::table;
use super::value::is_mixed;
use super::view::Lens;

/// What a team adds to the shipped table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Prefixes of the team's internal tickets, such as `ACME`; literal text.
    pub ticket_prefixes: Vec<String>,
    /// Host names that must not be named; literal text, sub-domains included.
    pub private_hosts: Vec<String>,
    /// Reviewed exceptions; the wall reports all the same, [`Exception::excuses`] says what to leave out.
    pub exceptions: Vec<Exception>,
}

impl Policy {
    /// The prefixes without the dash before the number, less those that are nothing else.
    pub(super) fn ticket_words(&self) -> impl Iterator<Item = &str> {
        filled(&self.ticket_prefixes, |prefix| prefix.trim_end_matches('-'))
    }

    /// The hosts without outer dots, less those that are nothing else.
    pub(super) fn host_words(&self) -> impl Iterator<Item = &str> {
        filled(&self.private_hosts, |host| host.trim_matches('.'))
    }

    /// The pattern of the team's tickets.
    pub(super) fn tickets(&self) -> Option<String> {
        self.ticket_words().next()?;
        // Behind a space a year is no number of a ticket.
        let number = r"(?:[-_#]?|[-_]? #)[0-9]{1,9}| (?:[03-9][0-9]{0,8}|[12][0-8][0-9]{0,7}|[12][0-9]{1,2}|[12][0-9]{4,8}|[12])\b";
        Some(format!("(?iu:{})(?:{number})", alternatives(self.ticket_words())))
    }

    /// The pattern of the team's hosts.
    pub(super) fn hosts(&self) -> Option<String> {
        self.host_words().next()?;
        Some(format!(r"(?i:(?:[a-z0-9-]{{1,63}}\.){{0,8}})(?iu:{})", alternatives(self.host_words())))
    }
}

/// The words of a list that hold a letter or a digit once `trimmed`.
fn filled(entries: &[String], trimmed: fn(&str) -> &str) -> impl Iterator<Item = &str> {
    entries.iter().map(move |entry| trimmed(entry.trim()).trim()).filter(|word| word.contains(char::is_alphanumeric))
}

/// How many escapes may lie over one another in a text that a quick look calls clean.
const SHALLOW: usize = 2;

/// The longest text that a digest may decode to; too short to hold more layers than a scan looks through.
const LONGEST_CHANCE: usize = 48;

/// One refused place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The row that refused it.
    pub rule: &'static Row,
    /// Bytes of the text that was scanned; whole characters.
    pub span: Range<usize>,
    /// How it was disguised, when it was: the last lens that it took to see it.
    pub lens: Option<Lens>,
}

/// The privacy wall: says what must not leave or be committed.
#[derive(Debug)]
pub struct Wall {
    table: Arc<Compiled>,
    exceptions: Vec<Exception>,
}

/// The table with a team's prefixes and hosts, ready to search with.
#[derive(Debug)]
struct Compiled {
    ticket_prefixes: Vec<String>,
    private_hosts: Vec<String>,
    gates: Gates,
    detectors: Vec<Detector>,
}

impl Compiled {
    /// How many tables are kept: a long-running process sees few teams, each again and again.
    const KEPT: usize = 4;

    /// Finds or makes the table of a policy; compiling one costs more than reading a small directory.
    fn of(policy: &Policy) -> Arc<Self> {
        static TABLES: Mutex<Vec<Arc<Compiled>>> = Mutex::new(Vec::new());
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |table: &Arc<Self>| {
            table.ticket_prefixes == policy.ticket_prefixes && table.private_hosts == policy.private_hosts
        };
        if let Some(table) = tables.iter().find(|table| is_same(table)) {
            return Arc::clone(table);
        }
        let table = Arc::new(Self::new(table::rows(), policy));
        if tables.len() == Self::KEPT {
            tables.remove(0);
        }
        tables.push(Arc::clone(&table));
        table
    }

    fn new(rows: impl Iterator<Item = &'static Row>, policy: &Policy) -> Self {
        let detectors: Vec<Detector> = rows.map(|row| Detector::new(row, policy)).collect();
        Self {
            gates: Gates::new(detectors.iter().map(|detector| &detector.row.find), policy),
            ticket_prefixes: policy.ticket_prefixes.clone(),
            private_hosts: policy.private_hosts.clone(),
            detectors,
        }
    }

    /// Lists the rows whose gates a text opens, less those that cannot match in it, not even across a seam.
    fn likely(&self, text: &str) -> Rows {
        let bytes = text.as_bytes();
        self.gates.opened(bytes, false).only(|row| self.detectors[row].row.find.is_likely(bytes))
    }
}

impl Wall {
    /// The wall as it ships, without a team's policy.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Wall> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::new(&Policy::default()))
    }

    /// The wall of a team.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        Self { table: Compiled::of(policy), exceptions: policy.exceptions.clone() }
    }

    /// A wall of some rows, to see what the others miss.
    #[cfg(test)]
    pub(super) fn of(rows: impl Iterator<Item = &'static Row>) -> Self {
        Self { table: Arc::new(Compiled::new(rows, &Policy::default())), exceptions: Vec::new() }
    }

    /// The team's exceptions, in the order of its policy.
    #[must_use]
    pub fn exceptions(&self) -> &[Exception] {
        &self.exceptions
    }

    /// Whether a text certainly holds nothing refused; false only means that a closer look is needed.
    #[must_use]
    pub fn is_clean(&self, text: &str) -> bool {
        self.is_clean_within(text, SHALLOW)
    }

    /// As [`is_clean`](Self::is_clean), with how many escapes may lie over one another.
    fn is_clean_within(&self, text: &str, depth: usize) -> bool {
        self.is_clean_behind(text, self.table.likely(text), depth)
    }

    /// As [`is_clean_within`](Self::is_clean_within), with the rows that may match.
    fn is_clean_behind(&self, text: &str, rows: Rows, depth: usize) -> bool {
        let bytes = text.as_bytes();
        let signs = Signs::of(bytes);
        if signs.foreign
            || signs.escapes && !self.is_clean_unescaped(text, depth)
            || signs.breaks && lens::splits_word(text)
            || lens::is_spread(bytes)
        {
            return false;
        }
        let mut may_be_split = false;
        for run in lens::runs(bytes) {
            may_be_split |= is_mixed(&bytes[run.clone()]);
            if table::is_opaque(&bytes[run.clone()]) || !self.is_clean_decoded(text, &run, depth) {
                return false;
            }
        }
        for detector in rows.iter().map(|row| &self.table.detectors[row]) {
            may_be_split |= detector.row.joins() > Joins::Nothing;
            if !detector.places(text, None).is_empty() {
                return false;
            }
        }
        // Only a mixed word, or a text with a gate of what may be split, is worth joining.
        !may_be_split
            || self.is_clean_joined(text, Lens::Fold, Joins::Folds)
                && self.is_clean_joined(text, Lens::Neighbour, Joins::Neighbours)
    }

    /// Whether nothing is found in what a text says without its escapes.
    fn is_clean_unescaped(&self, text: &str, depth: usize) -> bool {
        let Some(left) = depth.checked_sub(1) else { return false };
        lens::through(Lens::Escape, text).is_none_or(|view| self.is_clean_within(&view.text, left))
    }

    /// Whether nothing is found in what a run decodes to, as a digest does now and then.
    fn is_clean_decoded(&self, text: &str, run: &Range<usize>, depth: usize) -> bool {
        if !lens::is_promising(text.as_bytes(), run) {
            return true;
        }
        lens::decode(text, run).iter().all(|reading| match (reading, depth.checked_sub(1)) {
            (Reading::Text(view, _), Some(left)) => {
                let is_clean = |text| self.is_clean_within(text, left) || self.is_clean_by_chance(text);
                (0..=2).filter_map(|skipped| view.text.get(skipped..)).all(is_clean)
            }
            _ => false,
        })
    }

    /// Whether nothing is found in the few characters that a digest may decode to: a whole scan of them costs less than
    /// one of the text around.
    fn is_clean_by_chance(&self, text: &str) -> bool {
        text.len() <= LONGEST_CHANCE && Scan::of(self, text).hits.is_empty()
    }

    /// Whether nothing is found across the seams of a text that was joined.
    fn is_clean_joined(&self, text: &str, lens: Lens, joins: Joins) -> bool {
        let Some(view) = lens::through(lens, text) else { return true };
        let is_split = |run: &Range<usize>| joins == Joins::Folds && view.has_seam(run);
        !lens::runs(view.text.as_bytes()).any(|run| is_split(&run) && lens::holds_text(&view.text, &run))
            && self.opened(&view.text, true).all(|detector| {
                detector.row.joins() < joins
                    || !detector
                        .places(&view.text, Some(&view))
                        .iter()
                        .any(|place| detector.is_split(&view, place, joins))
            })
    }

    /// Lists what is refused in a text, in the order of the text.
    #[must_use]
    pub fn scan_text(&self, text: &str) -> Vec<Hit> {
        if self.is_clean(text) { Vec::new() } else { Scan::of(self, text).hits }
    }

    /// Lists the same as [`scan_text`](Self::scan_text) without its quick look first: what that look is held against.
    #[doc(hidden)]
    #[must_use]
    pub fn scan_in_full(&self, text: &str) -> Vec<Hit> {
        Scan::of(self, text).hits
    }

    /// Counts the bytes that a scan of a text reads, once for each pass: a measure of its cost that no clock disturbs.
    #[must_use]
    pub fn effort(&self, text: &str) -> usize {
        Scan::of(self, text).effort
    }

    /// Whether a field of this name must not exist.
    #[must_use]
    pub fn forbids_field(&self, name: &str) -> bool {
        field::is_forbidden(name)
    }

    /// Whether the values of a document certainly hold nothing refused, and whether then the names of its fields neither
    /// do.
    pub(super) fn is_clean_and_nameless(&self, text: &str) -> (bool, bool) {
        let rows = self.table.likely(text);
        let opened = || rows.iter().map(|row| self.table.detectors[row].row);
        // What stands around a value can speak for it, as prose does for the first line of a key; the value alone has no
        // such excuse. Only what is told by the whole is told here.
        let is_told_by_whole =
            |row: &Row| *row == table::FORBIDDEN || matches!(row.class, Class::Transcript | Class::ToolOutput);
        let is_clean = opened().all(is_told_by_whole) && self.is_clean_behind(text, rows, SHALLOW);
        let may_name = || opened().any(|row| *row == table::FORBIDDEN) && glance::may_name(text);
        (is_clean, is_clean && text.is_ascii() && !may_name())
    }

    /// The rows of this wall.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Row> {
        self.table.detectors.iter().map(|detector| detector.row)
    }

    /// Lists the detectors whose gates open. In a `joined` text a word may also begin within another.
    pub(super) fn opened(&self, text: &str, joined: bool) -> impl Iterator<Item = &Detector> {
        let rows = self.table.gates.opened(text.as_bytes(), joined);
        rows.iter().map(|row| &self.table.detectors[row])
    }
}

/// Widens a range of bytes to whole characters.
pub(super) fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = range;
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}
