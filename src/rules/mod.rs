//! The rules: what is wrong in a state directory beyond what a type can say.
//!
//! Comes in: a loaded workspace and each file while its tree is at hand. Goes out: findings, with the levels of the
//! team's policies and without what a comment suppresses. Must not know: how findings are drawn, disk, git.
//! One rule is one file; where one table says what is wrong (faults of the text, shape, privacy classes, lifecycles),
//! its rows share a file.

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
pub mod transition;
mod yaml;

use std::sync::{Arc, LazyLock};

pub(crate) use context::{DocumentContext, RuleContext};
pub use judge::{Judge, JudgedDirectory, judge, judge_alone, judge_as, judge_beside, keep, open, open_under};
pub use privacy::{ScanPolicy, ScanResult, ScannedContent, in_folders, scan, scan_others};

use crate::finding::{Anchor, Finding, Label};
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level};
use crate::workspace::Reading;

/// One rule of lint or review, with its documentation.
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
    pub(crate) check: RuleCheck,
}

/// Where a rule looks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RuleCheck {
    /// At one file while its tree is at hand.
    File(fn(&Rule, &Reading<'_>, &mut Vec<Finding>)),
    /// At each readable document of these kinds, once all are loaded.
    Document(&'static [Kind], fn(&DocumentContext<'_>, &mut Vec<Finding>)),
    /// At the whole state directory.
    Directory(fn(&Rule, &RuleContext<'_>, &mut Vec<Finding>)),
    /// Where its table looks: one look at a file serves all rows.
    Table,
    /// At the findings of all other rules.
    Report,
    /// At the history in git, as `loopx receipts verify` does: no file shows it.
    History,
    /// At a change between two revisions, as `loopx review` does: no file shows it.
    Change,
}

/// Every rule, sorted by id.
pub static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut all = [
        authority::RULES,
        binding::RULES,
        fact::RULES,
        lifecycle::RULES,
        path::RULES,
        policy::RULES,
        receipt::RULES,
        reference::RULES,
        shape::RULES,
        suppression::RULES,
        transition::RULES,
    ]
    .concat();
    all.extend(yaml::rules());
    all.extend(privacy::rules());
    all.extend(contract::rules());
    all.sort_by_key(|rule| rule.id);
    all
});

/// The rule of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    let number = ALL.binary_search_by_key(&id, |rule| rule.id).ok()?;
    Some(&ALL[number])
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

    /// Whether the history in git is what breaks it, so that no state directory by itself does.
    #[must_use]
    pub fn is_of_history(&self) -> bool {
        matches!(self.check, RuleCheck::History)
    }

    /// Whether a change between two revisions is what breaks it, so that no state directory by itself does.
    #[must_use]
    pub fn is_of_change(&self) -> bool {
        matches!(self.check, RuleCheck::Change)
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
            || !self.is_of_history()
                && !self.is_of_change()
                && !matches!(self.area(), "yaml" | "shape" | "vocabulary" | "path" | "privacy" | "suppression")
    }
}
