//! Rules whose faults are found by a table of another module, or by a whole report.

use super::{Rule, RuleCheck};
use crate::privacy::Class;
use crate::vocabulary::contract::ContractRule;
use crate::vocabulary::{ClosedWords, Level};

/// The rules of the contracts.
/// The rules that a document breaks by itself; the others need to know what an adapter knows.
pub(super) fn contract() -> impl Iterator<Item = Rule> {
    let words = ContractRule::VOCABULARY.words.iter().zip(ContractRule::ALL);
    words.filter(|(_, rule)| !rule.needs_knowledge()).map(|((id, summary), _)| Rule {
        id,
        level: Level::Error,
        summary,
        why: "The contract refuses what breaks it, so that each side can trust what the other one sends.",
        check: RuleCheck::Table,
    })
}

/// The rules of the privacy wall.
pub(super) fn privacy() -> impl Iterator<Item = Rule> {
    Class::all().map(|class| Rule {
        id: class.rule(),
        level: Level::Error,
        summary: class.title(),
        why: class.why(),
        check: RuleCheck::Table,
    })
}

pub(super) const UNUSED: Rule = Rule {
    id: "suppression/unused",
    level: Level::Warning,
    summary: "a suppression that takes nothing out of the report",
    why: "A comment that outlived its finding would hide the next one.",
    check: RuleCheck::Report,
};

pub(super) const REFUSED: Rule = Rule {
    id: "suppression/refused",
    level: Level::Error,
    summary: "a suppression of what no comment may hide, without a reason, or of an unknown rule",
    why: "A reviewer has to see why a finding was set aside, and what makes a document unreadable or unsafe is never set aside in the document itself.",
    check: RuleCheck::Report,
};

/// The rules about comments that set findings aside.
pub(super) const SUPPRESSION: &[Rule] = &[UNUSED, REFUSED];
