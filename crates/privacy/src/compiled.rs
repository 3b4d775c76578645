//! The table of rows with a team's policy, ready to search with.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::detector::Detector;
use super::policy::Policy;
use super::prefilter::{Prefilter, Rows};
use super::row::Row;
use super::table;

/// The table with a team's prefixes and hosts, ready to search with.
#[derive(Debug)]
pub(super) struct Compiled {
    ticket_prefixes: Vec<String>,
    private_hosts: Vec<String>,
    prefilter: Prefilter,
    pub(super) detectors: Vec<Detector>,
}

impl Compiled {
    /// How many tables are kept: a long-running process sees few teams, each again and again.
    const KEPT: usize = 4;

    /// Finds or makes the table of a policy; compiling one costs more than reading a small directory.
    pub(super) fn of(policy: &Policy) -> Arc<Self> {
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

    pub(super) fn new(rows: impl Iterator<Item = &'static Row>, policy: &Policy) -> Self {
        let detectors: Vec<Detector> = rows.map(|row| Detector::new(row, policy)).collect();
        Self {
            prefilter: Prefilter::new(detectors.iter().map(|detector| &detector.row.find), policy),
            ticket_prefixes: policy.ticket_prefixes.clone(),
            private_hosts: policy.private_hosts.clone(),
            detectors,
        }
    }

    /// Lists the rows whose prefilter a text opens, less those that cannot match in it, not even across a seam.
    pub(super) fn likely(&self, text: &str) -> Rows {
        let bytes = text.as_bytes();
        self.prefilter.opened(bytes, false).only(|row| self.detectors[row].row.find.is_likely(bytes))
    }

    /// The rows of this table.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Row> {
        self.detectors.iter().map(|detector| detector.row)
    }

    /// Lists the detectors whose triggers stand in a text, each with the parts that its matches stand in. In a `joined` text a word may also begin within another.
    pub(super) fn opened(&self, text: &str, joined: bool) -> impl Iterator<Item = (&Detector, Vec<Range<usize>>)> {
        let opened = self.prefilter.opened_in(text.as_bytes(), joined);
        opened.rows.iter().map(move |row| (&self.detectors[row], opened.windows(row)))
    }
}
