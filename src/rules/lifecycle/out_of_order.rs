//! Acts follow one another in time.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "lifecycle/out-of-order",
    level: Level::Error,
    summary: "an act is dated before what it follows, or after it is too late",
    why: "A decision that is older than its question was made about something else.",
    check: RuleCheck::Table,
};
