//! A gate is decided by the class it asks for, or by an owner.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "authority/wrong-class",
    level: Level::Error,
    summary: "a gate is decided by another class than the one it asks for",
    why: "The gate names who has to answer for the risk; a decision by somebody else does not count.",
    check: RuleCheck::Table,
};
