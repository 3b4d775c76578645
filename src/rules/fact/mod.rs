//! Facts: what a host reports is possible, of its time, and of the session it is about.

mod record;
mod in_the_future;
mod replaces_newer;
mod runtime_mismatch;
mod wrong_status;

use super::{DocumentContext, Rule, RuleCheck};
use crate::finding::{Anchor, Finding};
use crate::vocabulary::{Kind, Level};
use record::facts;

pub(super) const RULES: &[Rule] =
    &[in_the_future::RULE, replaces_newer::RULE, runtime_mismatch::RULE, wrong_status::RULE];
