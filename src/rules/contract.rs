//! What no schema says about documents of the contracts' own shapes: one rule for each row of the vocabulary's table.

use super::find;
use crate::finding::{Anchor, Finding};
use crate::privacy::Text;
use crate::vocabulary::ClosedWords;
use crate::workspace::Reading;

/// Lists where a readable document breaks its contract.
pub(super) fn scan(reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let Some(record) = &reading.record else { return };
    for fault in record.contract_faults() {
        let Some(rule) = find(fault.rule.word()) else { continue };
        let message = match &fault.about {
            Some(about) => reading.wall.text(format!("{}: {about}", rule.summary)),
            None => Text::fixed(rule.summary),
        };
        findings.push(
            rule.at(&reading.path, Anchor::Value(fault.route), message)
                .now(Text::fixed("the document is refused; nothing of it is used")),
        );
    }
}
