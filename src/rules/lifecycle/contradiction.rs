//! Acts, statuses and fields that exclude each other do not stand together.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

pub(in crate::rules) const RULE: Rule = Rule {
    id: "lifecycle/contradiction",
    level: Level::Error,
    summary: "two things stand together that exclude each other",
    why: "Each of the two says something else about the same work; whichever is read, somebody meant the other.",
    check: RuleCheck::Table,
};
