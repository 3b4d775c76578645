//! One state directory, or documents by themselves, with what was found.

use std::path::PathBuf;

use crate::report::{self};
use crate::rules::JudgedDirectory;
use crate::workspace::DisplayPaths;

/// One state directory, or documents by themselves.
#[derive(Debug)]
pub(super) struct LintTarget {
    pub(super) judged: JudgedDirectory,
    /// The folder that paths start from; none for a document that stands nowhere.
    pub(super) root: Option<PathBuf>,
    /// How its paths are shown.
    pub(super) paths: DisplayPaths,
    /// How many documents were asked for.
    pub(super) documents: usize,
    /// How many findings stand that are not new, where only new ones were asked for.
    pub(super) old: Option<usize>,
}

impl LintTarget {
    /// Keeps the findings of the files that are wanted, and counts those files.
    pub(super) fn new(
        mut judged: JudgedDirectory,
        root: Option<PathBuf>,
        paths: DisplayPaths,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Self {
        judged.findings.retain(|finding| is_wanted(&finding.primary.path));
        let entries = judged.workspace.entries.iter();
        let documents = entries.filter(|entry| entry.is_document && is_wanted(&entry.path)).count();
        Self { judged, root, paths, documents, old: None }
    }

    /// Says that the findings are those that a change introduced, and how many others stand.
    pub(super) fn introduced(mut self, old: usize) -> Self {
        self.old = Some(old);
        self
    }

    pub(super) fn report(&self) -> report::Batch<'_> {
        report::Batch { findings: &self.judged.findings, paths: &self.paths, wall: &self.judged.workspace.wall }
    }
}
