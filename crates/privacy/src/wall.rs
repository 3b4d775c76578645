//! The wall: a table made ready for scanning, and the policy of a team.

use std::sync::{Arc, OnceLock};

use super::class::Class;
use super::compiled::Compiled;
use super::exception::Exception;
use super::field;
use super::field_prefilter;
use super::policy::Policy;
use super::row::Row;
use super::scan::Scan;
use super::table;

/// The privacy wall: says what must not leave or be committed.
#[derive(Debug)]
pub struct Wall {
    table: Arc<Compiled>,
    exceptions: Vec<Exception>,
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

    /// The table that this wall searches with.
    pub(super) fn compiled(&self) -> &Compiled {
        &self.table
    }

    /// Counts the bytes that a scan of a text reads, once for each pass: a measure of its cost that no clock disturbs.
    #[must_use]
    pub fn effort(&self, text: &str) -> usize {
        Scan::of(&self.table, text).effort
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
            |row: &Row| row == table::FORBIDDEN || matches!(row.class, Class::Transcript | Class::ToolOutput);
        let is_clean = opened().all(is_told_by_whole) && self.is_clean(text);
        let may_name = || opened().any(|row| row == table::FORBIDDEN) && field_prefilter::may_name(text);
        (is_clean, is_clean && text.is_ascii() && !may_name())
    }
}
