//! References: every id that names something names one thing, and that thing is there.

mod near;
mod cycle;
mod dangling;
mod duplicate_id;
mod fact_not_found;
mod unknown_agent;

use super::{DocumentContext, Rule, RuleCheck, RuleContext};
use crate::finding::{Anchor, Finding};
use near::{listed, nearest_of};

pub(super) const RULES: &[Rule] =
    &[cycle::RULE, dangling::RULE, duplicate_id::RULE, fact_not_found::RULE, unknown_agent::RULE];
