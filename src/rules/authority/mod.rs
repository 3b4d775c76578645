//! Authority: who may decide, and how far a decision reaches.

mod claims;
pub(super) mod accepted_by_another;
pub(super) mod agent_decides;
mod disguised_agent;
mod outside_goal;
mod outside_repository;
pub(super) mod self_decision;
mod unknown_owner;
pub(super) mod wrong_class;

use super::{DocumentContext, Rule, RuleCheck};
use crate::finding::{Anchor, Finding};
use claims::{claims, is_agent};

pub(super) const RULES: &[Rule] = &[
    accepted_by_another::RULE,
    agent_decides::RULE,
    disguised_agent::RULE,
    outside_goal::RULE,
    outside_repository::RULE,
    self_decision::RULE,
    unknown_owner::RULE,
    wrong_class::RULE,
];
