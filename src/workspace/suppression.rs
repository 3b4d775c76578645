//! Comments that take a finding out of the report: `# loopx: ignore[rule/id] reason`.

use super::reading::Reading;
use crate::document::Span;

/// One such comment.
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
            let line = text[..start].bytes().filter(|byte| *byte == b'\n').count() + 1 + usize::from(alone);
            Some(Suppression {
                rule: rule.trim().into(),
                has_reason: !reason.trim().is_empty(),
                span: comment.span,
                line: u32::try_from(line).unwrap_or(u32::MAX),
            })
        })
        .collect()
}
