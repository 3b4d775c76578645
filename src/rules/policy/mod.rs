//! Policies: what a team says to its rules reaches them.

mod policies;
mod bad_glob;
mod exception_expired;
mod exception_unlawful;
mod exception_unused;
mod identity_shared;
mod level_unlawful;
mod never_matches;
mod section_twice;
mod unknown_rule;

use super::{Rule, RuleCheck, RuleContext};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use policies::{exceptions, policies, route};

pub(super) const RULES: &[Rule] = &[
    bad_glob::RULE,
    exception_expired::RULE,
    exception_unlawful::RULE,
    exception_unused::RULE,
    identity_shared::RULE,
    level_unlawful::RULE,
    never_matches::RULE,
    section_twice::RULE,
    unknown_rule::RULE,
];
