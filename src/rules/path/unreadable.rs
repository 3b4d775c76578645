//! Every document can be read.

use super::{Finding, Rule, RuleCheck};
use crate::document::MAX_BYTES;
use crate::finding::Anchor;
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::workspace::Reading;

pub(super) const RULE: Rule = Rule {
    id: "path/unreadable",
    level: Level::Error,
    summary: "a file that the system does not let us read",
    why: "What cannot be read may hold a decision; it never counts as absent.",
    check: RuleCheck::File(check),
};

fn check(rule: &Rule, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let is_cut = !reading.is_document() && reading.bytes.len() > MAX_BYTES;
    if is_cut {
        let message = Text::fixed("the file is larger than 256 KiB, so it was not looked through");
        findings.push(rule.at(&reading.path, Anchor::File, message).help(Text::fixed("keep it elsewhere")));
    }
    let Some(fault) = &reading.fault else { return };
    let message = reading.wall.text(format!("the file cannot be read: {}", fault.reason));
    findings.push(
        rule.at(&reading.path, Anchor::File, message)
            .now(Text::fixed("the document is unreadable; what depends on it stays closed")),
    );
}
