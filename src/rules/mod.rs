//! The rules: what is wrong in a state directory beyond what a type can say.
//!
//! Comes in: a loaded workspace and each file while its tree is at hand. Goes out: findings, with the levels of the
//! team's policies and without what a comment suppresses. Must not know: how findings are drawn, disk, git.
//! One rule is one file; the faults of the text (`yaml/`) and the privacy classes are rows of their rooms' tables.

mod judge;
mod privacy;
mod shape;
mod suppression;
mod yaml;

use std::sync::{Arc, LazyLock};

pub use judge::{Judged, judge, judge_alone};

use crate::finding::{Anchor, Finding, Label};
use crate::privacy::Text;
use crate::vocabulary::{Instant, Level};
use crate::workspace::{Reading, Workspace};

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id, `area/kebab-case`.
    pub id: &'static str,
    /// How loudly it speaks unless a policy says otherwise.
    pub level: Level,
    /// What is wrong, in one line.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// Where it looks.
    pub(crate) check: Check,
}

/// Where a rule looks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Check {
    /// At one file while its tree is at hand.
    Reading(fn(&Rule, &Reading<'_>, &mut Vec<Finding>)),
    /// At the whole state directory.
    Workspace(fn(&Rule, &Scene<'_>, &mut Vec<Finding>)),
    /// At one file through the privacy wall, once for all its classes.
    Wall,
    /// At the findings of all other rules.
    Report,
}

/// What a rule over the whole state directory sees.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The state directory.
    pub workspace: &'a Workspace,
    /// The time that the verdict is for.
    pub as_of: Instant,
}

/// Every rule, sorted by id.
pub static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut all: Vec<Rule> = [shape::RULES, suppression::RULES].concat();
    all.extend(yaml::rules());
    all.extend(privacy::rules());
    all.sort_by_key(|rule| rule.id);
    all
});

/// The rule of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().find(|rule| rule.id == id)
}

impl Rule {
    /// Starts a finding of this rule.
    pub(crate) fn at(&self, path: &Arc<str>, anchor: Anchor, message: Text) -> Finding {
        Finding {
            rule: self.id,
            level: self.level,
            message,
            primary: Label::new(path, anchor),
            related: Vec::new(),
            help: None,
            legal: None,
            now: None,
            fix: None,
        }
    }

    /// The part of the id before the slash.
    #[must_use]
    pub fn area(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(area, _)| area)
    }

    /// Whether a comment may take its findings out of the report: never where a document becomes unreadable, and
    /// never at the privacy wall, whose exceptions are reviewed policy.
    #[must_use]
    pub fn is_suppressible(&self) -> bool {
        self.id == yaml::AMBIGUOUS
            || !matches!(self.area(), "yaml" | "shape" | "vocabulary" | "path" | "privacy" | "suppression")
    }
}
