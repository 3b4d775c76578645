//! The counts of a report, and the lines at its end.

use std::collections::{BTreeMap, BTreeSet};
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
    /// Files with findings that are no documents.
    pub other_files: usize,
    /// Findings that stand and are not new, where only new ones were asked for.
    pub old: Option<usize>,
    /// Whether files of any kind were looked through, and no documents judged.
    pub is_of_files: bool,
}

impl Totals {
    /// Counts the findings of one batch of documents.
    pub fn add<'f>(&mut self, documents: usize, findings: impl IntoIterator<Item = &'f Finding>) {
        let mut worst: BTreeMap<&str, Level> = BTreeMap::new();
        for finding in findings {
            self.fixes += usize::from(finding.fix.is_some());
            let level = worst.entry(&finding.primary.path).or_insert(finding.level);
            *level = (*level).min(finding.level);
        }
        let count = |wanted: Level| worst.values().filter(|level| **level == wanted).count();
        self.documents += documents;
        self.errors += count(Level::Error);
        self.warnings += count(Level::Warning);
        self.notes += count(Level::Note);
    }

    /// Counts the findings of files that are no documents.
    pub fn add_other_files<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        let paths = findings.into_iter().map(|finding| &finding.primary.path);
        self.other_files += paths.collect::<BTreeSet<_>>().len();
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
        let older = self.old.filter(|old| *old > 0);
        let found = self.errors + self.warnings + self.notes;
        match (older, self.other_files, self.documents) {
            (Some(old), 0, _) if found == 0 => {
                return write!(formatter, "Nothing new is wrong in {documents}; {} before.", stood(old));
            }
            (None, 1.., 0) => return write!(formatter, "{} with findings.", counted(self.other_files, "file")),
            (None, 0, _) if found == 0 => return self.say_clean(formatter, &documents),
            _ => {}
        }
        write!(formatter, "{documents}:")?;
        let mut separator = " ";
        if older.is_none() {
            write!(formatter, " {} clean", self.clean())?;
            separator = ", ";
        }
        let new = older.map_or("", |_| "new ");
        for (count, what) in [(self.errors, "errors"), (self.warnings, "warnings"), (self.notes, "notes")] {
            if count > 0 {
                write!(formatter, "{separator}{count} with {new}{what}")?;
                separator = ", ";
            }
        }
        if self.unscanned > 0 {
            write!(formatter, ", {} not scanned", self.unscanned)?;
        }
        if self.other_files > 0 {
            write!(formatter, "{separator}{} with {new}findings", counted(self.other_files, "other file"))?;
        }
        match older {
            Some(old) => write!(formatter, "; {} before.", stood(old)),
            None => formatter.write_str("."),
        }
    }
}

impl Totals {
    fn say_clean(&self, formatter: &mut fmt::Formatter<'_>, documents: &str) -> fmt::Result {
        match (self.goals, self.agents) {
            (0, _) if self.unscanned > 0 => write!(formatter, "{documents} clean, {} not scanned.", self.unscanned),
            (0, _) => write!(formatter, "{documents} clean."),
            (goals, agents) => {
                write!(formatter, "{documents} clean ({}, {}).", counted(goals, "goal"), counted(agents, "agent"))
            }
        }
    }
}

/// How many findings are not new.
fn stood(old: usize) -> String {
    format!("{} stood there", counted(old, "finding"))
}
