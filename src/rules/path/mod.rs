//! Paths: each document stands where its kind and id say, on every system.

mod misplaced;
mod case_collision;
mod link;
mod mismatch;
mod nested_workspace;
mod reserved_name;
mod two_formats;
mod unknown_place;
mod unreadable;
mod yml_ending;

use super::{Rule, RuleCheck, RuleContext};
use crate::finding::Finding;
use misplaced::misplaced;

pub(super) const RULES: &[Rule] = &[
    case_collision::RULE,
    link::RULE,
    mismatch::RULE,
    nested_workspace::RULE,
    reserved_name::RULE,
    two_formats::RULE,
    unknown_place::RULE,
    unreadable::RULE,
    yml_ending::RULE,
];
