//! Everything that one run found, ready to be written.

use super::totals::Totals;
use crate::finding::{Finding, Label};
use crate::privacy::{Text, Wall};
use crate::workspace::DisplayPaths;

/// Everything that one run found.
#[derive(Debug)]
pub struct Report<'a> {
    /// What was judged together, each with its findings.
    pub batches: Vec<Batch<'a>>,
    /// How much was judged.
    pub totals: Totals,
}

/// The findings of one state directory, or of documents by themselves.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The findings, located and sorted.
    pub findings: &'a [Finding],
    /// How its paths are shown.
    pub paths: &'a DisplayPaths,
    /// What may be shown of a path.
    pub wall: &'a Wall,
}

impl Report<'_> {
    /// Every finding with the batch it belongs to.
    pub(super) fn findings(&self) -> impl Iterator<Item = (&Batch<'_>, &Finding)> {
        self.batches.iter().flat_map(|batch| batch.findings.iter().map(move |finding| (batch, finding)))
    }
}

impl Batch<'_> {
    /// The path of a label as people see it.
    pub(super) fn path(&self, label: &Label) -> Text {
        self.paths.text(self.wall, &label.path)
    }

    /// The path of a label as a host of code finds it.
    pub(super) fn repository_path(&self, label: &Label) -> Text {
        self.paths.repository_text(self.wall, &label.path)
    }
}

/// What a finding says, line by line: the fault, and what the report for people says beside it.
pub(super) fn words(finding: &Finding) -> Vec<String> {
    let mut lines = vec![match &finding.primary.note {
        Some(note) => format!("{}; {note}", finding.message),
        None => finding.message.as_ref().to_owned(),
    }];
    for (name, text) in [("legal", &finding.legal), ("help", &finding.help), ("now", &finding.now)] {
        lines.extend(text.as_ref().map(|text| format!("{name}: {text}")));
    }
    lines
}
