//! Reports the faults of a file's text, each with its sure fix.

use super::find;
use crate::document::{Edit, Fault, Problem, quoted};
use crate::finding::{Anchor, Finding, Fix, Label};
use crate::privacy::Text;
use crate::workspace::Reading;

/// Lists the faults of a file's text.
pub(super) fn problems(reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    for problem in &reading.problems {
        let Some(rule) = find(problem.fault.rule()) else { continue };
        let mut found = rule
            .at(&reading.path, Anchor::Bytes(problem.span), reading.wall.text(problem.message()))
            .help(Text::fixed(problem.fault.help()));
        if let Some(also) = problem.also {
            let first = Label::new(&reading.path, Anchor::Bytes(also)).note(Text::fixed("it stands here first"));
            found = found.also(first);
        }
        if let Some(fix) = fix(reading, problem) {
            found = found.fix(fix);
        }
        if !problem.fault.is_note() {
            found = found.now(Text::fixed("the document is unreadable; what depends on it stays closed"));
        }
        findings.push(found);
    }
}

/// The sure fix of a fault of the text, where there is one.
pub(super) fn fix(reading: &Reading<'_>, problem: &Problem) -> Option<Fix> {
    let text = reading.text?.get(problem.span.range())?;
    let (title, text) = match problem.fault {
        Fault::ByteOrderMark => ("remove the byte-order mark", String::new()),
        // Behind ` #` may stand a comment.
        Fault::NeedsQuotes if !text.contains(" #") => ("quote the text", quoted(text)),
        _ => return None,
    };
    Some(Fix::edits(Text::fixed(title), vec![Edit { span: problem.span, text }]))
}
