//! Only people decide.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "authority/agent-decides",
    level: Level::Error,
    summary: "an agent or a host decides what only a person may",
    why: "Agents and hosts ask; what they may do is decided by people, who answer for it.",
    check: RuleCheck::Table,
};
