//! The counts of a report, and the lines at its end.

use std::collections::BTreeMap;
use std::fmt;

use crate::finding::Finding;
use crate::vocabulary::{Level, counted};

/// How much was judged, and how much of it is clean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Documents that were judged.
    pub documents: usize,
    /// Documents with an error.
    pub errors: usize,
    /// Documents with a warning and no error.
    pub warnings: usize,
    /// Documents with nothing worse than a note.
    pub notes: usize,
    /// Findings with a sure fix.
    pub fixes: usize,
    /// Goals of the state directories.
    pub goals: usize,
    /// Agents that their goals list.
    pub agents: usize,
    /// Files that were not scanned: binary content, or what could not be read.
    pub unscanned: usize,
    /// Whether files of any kind were looked through, and no documents judged.
    pub is_of_files: bool,
}

impl Totals {
    /// Counts the findings of one batch of documents.
    pub fn add(&mut self, documents: usize, findings: &[Finding]) {
        let mut worst: BTreeMap<&str, Level> = BTreeMap::new();
        for finding in findings {
            let level = worst.entry(&finding.primary.path).or_insert(finding.level);
            *level = (*level).min(finding.level);
        }
        let count = |wanted: Level| worst.values().filter(|level| **level == wanted).count();
        self.documents += documents;
        self.errors += count(Level::Error);
        self.warnings += count(Level::Warning);
        self.notes += count(Level::Note);
        self.fixes += findings.iter().filter(|finding| finding.fix.is_some()).count();
    }

    /// Returns how many documents have no finding.
    #[must_use]
    pub fn clean(&self) -> usize {
        self.documents.saturating_sub(self.errors + self.warnings + self.notes)
    }
}

/// One line that counts.
impl fmt::Display for Totals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = counted(self.documents, if self.is_of_files { "file" } else { "document" });
        if self.clean() == self.documents {
            return match (self.goals, self.agents) {
                (0, _) if self.unscanned > 0 => write!(formatter, "{documents} clean, {} not scanned.", self.unscanned),
                (0, _) => write!(formatter, "{documents} clean."),
                (goals, agents) => {
                    write!(formatter, "{documents} clean ({}, {}).", counted(goals, "goal"), counted(agents, "agent"))
                }
            };
        }
        write!(formatter, "{documents}: {} clean", self.clean())?;
        for (count, what) in [(self.errors, "errors"), (self.warnings, "warnings"), (self.notes, "notes")] {
            if count > 0 {
                write!(formatter, ", {count} with {what}")?;
            }
        }
        if self.unscanned > 0 {
            write!(formatter, ", {} not scanned", self.unscanned)?;
        }
        formatter.write_str(".")
    }
}
