//! Bindings: one mode, one executor, one live session for each agent.

pub(super) mod executor_is_agent;
mod mode_missing;
mod second_live;

use super::{DocumentContext, Rule, RuleCheck, RuleContext};
use crate::finding::{Anchor, Finding};

pub(super) const RULES: &[Rule] = &[executor_is_agent::RULE, mode_missing::RULE, second_live::RULE];
