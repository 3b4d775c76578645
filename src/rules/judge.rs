//! One run of all rules: over a state directory, or over one document by itself.

use std::sync::Arc;

use super::suppression::ByFile;
use super::{ALL, Check, Rule, Scene, find, privacy, suppression};
use crate::finding::{Finding, sort};
use crate::vocabulary::{Instant, Level};
use crate::workspace::{Files, Reading, Workspace, load, locate};

/// A state directory with everything that is wrong with it.
#[derive(Debug)]
pub struct Judged {
    /// The state directory.
    pub workspace: Workspace,
    /// The findings, located and sorted; none is off or suppressed.
    pub findings: Vec<Finding>,
}

/// Judges a state directory by every rule.
#[must_use]
pub fn judge(files: &dyn Files, as_of: Instant) -> Judged {
    let (workspace, mut findings) = load(files, &inspect);
    let scene = Scene { workspace: &workspace, as_of };
    for rule in ALL.iter() {
        if let Check::Workspace(check) = rule.check {
            check(rule, &scene, &mut findings);
        }
    }
    let findings = report(files, &workspace, findings);
    Judged { workspace, findings }
}

/// Judges documents by themselves, outside any state directory: text, shape, vocabulary and privacy.
#[must_use]
pub fn judge_alone(files: &dyn Files) -> Judged {
    let (workspace, findings) = load(files, &inspect);
    let findings = report(files, &workspace, findings);
    Judged { workspace, findings }
}

/// What is wrong with one file by itself.
fn inspect(reading: &Reading<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    privacy::scan(reading, &mut findings);
    for rule in ALL.iter() {
        if let Check::Reading(check) = rule.check {
            check(rule, reading, &mut findings);
        }
    }
    findings
}

/// Gives findings their levels and lines, takes out what is suppressed, and sorts.
fn report(files: &dyn Files, workspace: &Workspace, mut findings: Vec<Finding>) -> Vec<Finding> {
    locate(files, &workspace.wall, &mut findings);
    let suppressions: ByFile = workspace
        .entries
        .iter()
        .filter(|entry| !entry.suppressions.is_empty())
        .map(|entry| (Arc::clone(&entry.path), entry.suppressions.clone()))
        .collect();
    let before = findings.len();
    suppression::apply(&workspace.wall, &suppressions, &mut findings);
    if findings.len() != before {
        locate(files, &workspace.wall, &mut findings);
    }
    for finding in &mut findings {
        let shipped = find(finding.rule).map_or(Level::Error, |rule: &Rule| rule.level);
        finding.level = workspace.policies.level(finding.rule, &finding.primary.path, shipped);
    }
    findings.retain(|finding| finding.level != Level::Off);
    sort(&mut findings);
    findings
}
