//! The rules: what is wrong in a state directory beyond what a type can say.
//!
//! Comes in: a loaded workspace and each file while its tree is at hand. Goes out: findings, with the levels of the
//! team's policies and without what a comment suppresses. Must not know: how findings are drawn, disk, git.
//! One rule is one file; where one table says what is wrong (faults of the text, shape, privacy classes, lifecycles),
//! its rows share a file.

mod text_faults;
mod registry;
mod authority;
mod binding;
mod contract;
mod fact;
mod judge;
pub mod lifecycle;
mod path;
mod policy;
mod privacy;
pub mod receipt;
mod reference;
mod shape;
mod context;
mod suppression;
mod tables;
pub mod transition;
mod yaml;

pub use context::Rule;
use context::RuleCheck;
pub(crate) use context::{DocumentContext, RuleContext};
pub use judge::{Judge, JudgedDirectory, judge, judge_alone, judge_as, judge_beside, keep, open, open_under};
pub use privacy::{ScanPolicy, ScanResult, ScannedContent, in_folders, scan, scan_others};
pub use registry::{ALL, find};
