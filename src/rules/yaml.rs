//! The faults of a file's text: one rule for each row of `document`'s table, and text that needs quotes.

use super::context::AMBIGUOUS;
use super::{Rule, RuleCheck};
use crate::document::{Ambiguity, Comment, Edit, Fault, Node, Resolved, Route, Span, Style, Value, quoted};
use crate::finding::{Anchor, Finding, Fix};
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::workspace::{FaultTarget, Reading, Shape, ShapeFault};

/// The rule about a comment that may be the rest of a value.
const CUT: &str = "yaml/hash-cuts-value";

const WHY: &str = "A document that two readers read differently decides nothing; so only what has one reading is read.";

pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let faults = Fault::ALL.iter().map(|fault| Rule {
        id: fault.rule(),
        level: if fault.is_note() { Level::Note } else { Level::Error },
        summary: fault.message(),
        why: WHY,
        check: RuleCheck::Table,
    });
    let cut = Rule {
        id: CUT,
        level: Level::Warning,
        summary: "` #` in unquoted text begins a comment",
        why: "What stands behind it is read by nobody; a question may lose the half that matters.",
        check: RuleCheck::File(cut),
    };
    faults.chain([cut]).chain([Rule {
        id: AMBIGUOUS,
        level: Level::Error,
        summary: "unquoted text that YAML reads as something else",
        why: "Another reader of this file sees a number, a date or a boolean where the team wrote text.",
        check: RuleCheck::File(ambiguous),
    }])
}

/// A comment that begins right behind its `#`, after plain text on the same line, may be meant as the rest of the text.
fn cut(rule: &Rule, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let (Some(document), Some(text)) = (&reading.document, reading.text) else { return };
    let is_joined = |comment: &&Comment| text[comment.span.range()].chars().nth(1).is_some_and(char::is_alphanumeric);
    for comment in document.comments.iter().filter(is_joined) {
        let before = text[..comment.span.range().start].trim_end_matches([' ', '\t']);
        let Some(scalar) = plain_text_to(&document.root, before.len()) else { continue };
        findings.push(
            rule.at(&reading.path, Anchor::Bytes(comment.span), Text::fixed("` #` ends the text here"))
                .note(Text::fixed("a comment to YAML"))
                .help(Text::fixed("quote the whole value, or write a blank behind `#` if it is a comment"))
                .now(reading.wall.text(format!("the value reads `{scalar}`"))),
        );
    }
}

/// The plain text that ends at an offset.
fn plain_text_to(root: &Node, end: usize) -> Option<&str> {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        match &node.value {
            Value::Scalar(scalar) if node.span.range().end == end => {
                let is_text = scalar.style == Style::Plain && scalar.resolve() == Resolved::Text;
                return is_text.then_some(&*scalar.text);
            }
            Value::Scalar(_) => {}
            Value::Sequence(items) => waiting.extend(items),
            Value::Mapping(entries) => waiting.extend(entries.iter().map(|entry| &entry.value)),
        }
    }
    None
}

/// Text that resolves to something else is a fault of the shape, since only the schema knows what is text; text that
/// a YAML 1.1 reader flips is found here. What is wrong with quotes too is reported for that alone.
fn ambiguous(rule: &Rule, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let Some(document) = &reading.document else { return };
    let wrong = wrong_with_quotes(&document.root, &reading.shape);
    for fault in reading.shape.iter().filter(|fault| fault.shape == Shape::NotText) {
        if let Some(node) = document.root.at(&fault.route).filter(|node| !wrong.contains(&node.span)) {
            findings.extend(finding(rule, reading, node));
        }
    }
    if reading.kind.is_none() {
        return;
    }
    let mut waiting = vec![&document.root];
    while let Some(node) = waiting.pop() {
        match &node.value {
            Value::Scalar(_) if wrong.contains(&node.span) => {}
            Value::Scalar(scalar) => {
                let text = match scalar.resolve() {
                    Resolved::Text => true,
                    // A number too long to hold is text wherever the document can be read.
                    Resolved::Unheld => reading.record.is_some(),
                    Resolved::Null | Resolved::Bool(_) | Resolved::Integer(_) | Resolved::Float(_) => false,
                };
                if text && scalar.ambiguity().is_some_and(|why| why != Ambiguity::Timestamp) {
                    findings.extend(finding(rule, reading, node));
                }
            }
            Value::Sequence(items) => waiting.extend(items),
            Value::Mapping(entries) => {
                for entry in entries {
                    if let Some(why) = entry.key.ambiguity().filter(|_| !wrong.contains(&entry.key.span)) {
                        findings.push(quote(rule, reading, entry.key.span, &entry.key.text, why));
                    }
                    waiting.push(&entry.value);
                }
            }
        }
    }
}

/// The values and keys that quotes do not mend: words that their vocabulary does not have, keys that nobody knows.
fn wrong_with_quotes(root: &Node, shape: &[ShapeFault]) -> Vec<Span> {
    let place = |fault: &ShapeFault| match fault.part {
        FaultTarget::Value => root.at(&fault.route).map(|node| node.span),
        FaultTarget::Key => {
            let (_, parents) = fault.route.0.split_last()?;
            let entry = root.at(&Route(parents.to_vec()))?.entry(fault.route.field()?)?;
            Some(entry.key.span)
        }
    };
    shape.iter().filter(|fault| fault.shape != Shape::NotText).filter_map(place).collect()
}

fn finding(rule: &Rule, reading: &Reading<'_>, node: &Node) -> Option<Finding> {
    let scalar = node.scalar()?;
    Some(quote(rule, reading, node.span, &scalar.text, scalar.ambiguity()?))
}

fn quote(rule: &Rule, reading: &Reading<'_>, span: Span, text: &str, why: Ambiguity) -> Finding {
    let shown = reading.wall.text(text);
    let quoted = quoted(text);
    rule.at(&reading.path, Anchor::Bytes(span), reading.wall.text(format!("unquoted, `{shown}` is {}", why.reading())))
        .note(Text::fixed("quote it"))
        .now(reading.wall.text(format!("read as the text `{shown}`")))
        .fix(Fix::edits(Text::fixed("quote the text"), vec![Edit { span, text: quoted }]))
}
