//! An act or a status has beside it what it needs.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "lifecycle/incomplete",
    level: Level::Error,
    summary: "what an act or a status needs beside it is absent",
    why: "Half an act leaves open what it permits, so it permits nothing.",
    check: RuleCheck::Table,
};
