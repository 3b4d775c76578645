//! Comments that take a finding out of the report: `# loopx: ignore[rule/id] reason`.

use super::reading::Reading;
use crate::document::Span;

/// A comment that sets a finding of one rule aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The rule it names.
    pub rule: Box<str>,
    /// Whether it says why.
    pub has_reason: bool,
    /// Where the comment stands.
    pub span: Span,
    /// The line it speaks of: its own, or the next one when it stands alone.
    pub line: u32,
    /// What stands in that line, without the comment.
    pub subject: Box<str>,
}

/// Tells which of a file's comments an earlier version of the file has: of the same rule, at a line that says the same.
/// Each comment of the earlier version stands for one.
#[must_use]
pub fn known_comments(earlier: &[Suppression], now: &[Suppression]) -> Vec<bool> {
    let mut left: Vec<&Suppression> = earlier.iter().collect();
    let is_known = |comment: &Suppression| {
        let same = left.iter().position(|old| old.rule == comment.rule && old.subject == comment.subject);
        same.map(|number| left.swap_remove(number)).is_some()
    };
    now.iter().map(is_known).collect()
}

const MARK: &str = "loopx: ignore[";

/// Lists the suppressions of a file.
pub(super) fn suppressions(reading: &Reading<'_>) -> Vec<Suppression> {
    let (Some(document), Some(text)) = (&reading.document, reading.text) else { return Vec::new() };
    let marked = document.comments.iter().filter(|comment| comment.text.starts_with(MARK));
    marked
        .filter_map(|comment| {
            let (rule, reason) = comment.text.strip_prefix(MARK)?.split_once(']')?;
            let start = comment.span.range().start;
            let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let alone = text[line_start..start].trim().is_empty();
            let before = text[line_start..start].trim();
            let behind = || text[start..].split('\n').nth(1).unwrap_or_default().trim();
            let subject = if alone { behind() } else { before };
            let line = text[..start].bytes().filter(|byte| *byte == b'\n').count() + 1 + usize::from(alone);
            Some(Suppression {
                rule: rule.trim().into(),
                has_reason: !reason.trim().is_empty(),
                span: comment.span,
                line: u32::try_from(line).unwrap_or(u32::MAX),
                subject: subject.into(),
            })
        })
        .collect()
}
