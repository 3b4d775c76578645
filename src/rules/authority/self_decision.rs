//! Nobody decides their own request.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "authority/self-decision",
    level: Level::Error,
    summary: "whoever asked decided the request",
    why: "A gate exists so that somebody else looks; one name on both sides looks at nothing.",
    check: RuleCheck::Table,
};
