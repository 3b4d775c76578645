//! An executor endpoint has an id of its own.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "binding/executor-is-agent",
    level: Level::Error,
    summary: "a binding names the agent itself as its executor",
    why: "The executor is what runs the session; one name for both would hide a second executor of the agent.",
    check: RuleCheck::Table,
};
