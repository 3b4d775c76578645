//! A handoff is accepted by the agent it is for.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "authority/accepted-by-another",
    level: Level::Error,
    summary: "a handoff is accepted by another agent than the one it is for",
    why: "The approval names who may act; an acceptance by another agent would move it.",
    check: RuleCheck::Table,
};
