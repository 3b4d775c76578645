//! The privacy wall as rules: one for each class of the wall's table.

use super::{Check, Rule, find};
use crate::document::{Span, Value};
use crate::finding::{Anchor, Finding};
use crate::privacy::{Class, Text};
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

/// Lists what the wall refuses in one file: in its text as it stands, comments included, and in the names of fields.
pub(super) fn scan(reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let lossy;
    let text = match reading.text {
        Some(text) => text,
        None => {
            lossy = String::from_utf8_lossy(reading.bytes);
            &lossy
        }
    };
    if !reading.wall.is_clean(text) {
        for hit in reading.wall.scan_text(text) {
            let span = Span::new(hit.span.start, hit.span.end);
            findings.extend(finding(reading, hit.rule.class, Anchor::Bytes(span)));
        }
    }
    let Some(document) = &reading.document else { return };
    let mut waiting = vec![&document.root];
    while let Some(node) = waiting.pop() {
        match &node.value {
            Value::Scalar(_) => {}
            Value::Sequence(items) => waiting.extend(items),
            Value::Mapping(entries) => {
                for entry in entries {
                    if reading.wall.forbids_field(&entry.key.text) {
                        findings.extend(finding(reading, Class::ForbiddenField, Anchor::Bytes(entry.key.span)));
                    }
                    waiting.push(&entry.value);
                }
            }
        }
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
