//! The faults of a file's text: one rule for each row of the document room's table, and text that needs quotes.

use super::{Check, Rule, find};
use crate::document::{Ambiguity, Edit, Fault, Node, Resolved, Route, Span, Value, quoted};
use crate::finding::{Anchor, Finding, Fix, Label};
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::workspace::{Part, Reading, Shape, ShapeFault};

/// The rule about plain scalars that another reader takes for something else.
pub(super) const AMBIGUOUS: &str = "yaml/ambiguous-scalar";

const WHY: &str = "A document that two readers read differently decides nothing; so only what has one reading is read.";

pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let faults = Fault::ALL.iter().map(|fault| Rule {
        id: fault.rule(),
        level: if fault.is_note() { Level::Note } else { Level::Error },
        summary: fault.message(),
        why: WHY,
        check: Check::Table,
    });
    faults.chain([Rule {
        id: AMBIGUOUS,
        level: Level::Error,
        summary: "unquoted text that YAML reads as something else",
        why: "Another reader of this file sees a number, a date or a boolean where the team wrote text.",
        check: Check::File(ambiguous),
    }])
}

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
        if !problem.fault.is_note() {
            found = found.now(Text::fixed("the document is unreadable; what depends on it stays closed"));
        }
        findings.push(found);
    }
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
        Part::Value => root.at(&fault.route).map(|node| node.span),
        Part::Key => {
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
        .fix(Fix { title: Text::fixed("quote the text"), edits: vec![Edit { span, text: quoted }] })
}
