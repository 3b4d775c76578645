//! The privacy wall as rules: one for each class of the wall's table.

use super::{Check, Rule, find};
use crate::document::{Route, Span};
use crate::finding::{Anchor, Finding};
use crate::privacy::{Class, Grammar, Hit, Text};
use crate::vocabulary::Level;
use crate::workspace::Reading;

pub(super) fn rules() -> impl Iterator<Item = Rule> {
    Class::all().map(|class| Rule {
        id: class.rule(),
        level: Level::Error,
        summary: class.title(),
        why: class.why(),
        check: Check::Table,
    })
}

/// Lists what the wall refuses in one file: in its name, its keys, values and comments, or in the bytes of a file that
/// is no document.
pub(super) fn scan(reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let name = reading.wall.scan_text(&reading.path).into_iter().map(|hit| (hit.rule.class, Anchor::File));
    findings.extend(name.filter_map(|(class, anchor)| finding(reading, class, anchor)));
    let hits: Vec<Hit> = match (&reading.document, reading.text) {
        (Some(document), Some(text)) => {
            let found = reading.wall.scan_document(document, text, &|_: &Route| Grammar::Free);
            found.into_iter().map(|found| found.hit).collect()
        }
        _ => reading.wall.scan_bytes(reading.bytes),
    };
    for hit in hits {
        let span = Span::new(hit.span.start, hit.span.end);
        findings.extend(finding(reading, hit.rule.class, Anchor::Bytes(span)));
    }
}

fn finding(reading: &Reading<'_>, class: Class, anchor: Anchor) -> Option<Finding> {
    let rule = find(class.rule())?;
    let message = reading.wall.text(format!("{} must not be committed or shown", class.title()));
    Some(
        rule.at(&reading.path, anchor, message)
            .note(Text::fixed("hidden; the value is printed nowhere"))
            .now(Text::fixed("what this file says is kept out of every output")),
    )
}
