//! One run of all rules: over a state directory, or over one document by itself.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;

use super::suppression::ByFile;
use super::text_faults;
use super::{ALL, DocumentContext, Rule, RuleCheck, RuleContext, contract, lifecycle, privacy, shape, suppression};
use crate::finding::{Finding, sort};
use crate::vocabulary::{Instant, Kind, WorkspaceSettings as Settings};
use crate::workspace::{
    Earlier, Files, IncrementalWorkspace, Inspected, LoadedFile, LookOptions, Policies, Reading, Scope, Suppression,
    WORTH_THREADS, Workspace, known_comments, load, locate,
};

/// A state directory with everything that is wrong with it.
#[derive(Debug)]
pub struct JudgedDirectory {
    /// The state directory.
    pub workspace: Workspace,
    /// The findings, located and sorted; none is off or suppressed.
    pub findings: Vec<Finding>,
    /// The files that are at fault by themselves, whatever is off or suppressed.
    faulty: HashSet<Arc<str>>,
}

impl JudgedDirectory {
    /// Adds findings that other looks at the same files gave, in their order.
    pub fn add(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.findings.extend(findings);
            sort(&mut self.findings);
        }
    }

    fn earlier<'e>(&'e self, files: &'e dyn Files) -> Earlier<'e> {
        Earlier { files, workspace: &self.workspace, faulty: &self.faulty }
    }
}

/// Judges a state directory by every rule.
#[must_use]
pub fn judge(files: &dyn Files, as_of: Instant) -> JudgedDirectory {
    judge_under(files, Policies::read(files).in_force(as_of), as_of, &all_count, None)
}

/// Judges a state directory as [`judge`] does, and the files that it shares with another one only once.
#[must_use]
pub fn judge_beside(files: &dyn Files, other: (&dyn Files, &JudgedDirectory), as_of: Instant) -> JudgedDirectory {
    let known = other.1.earlier(other.0);
    judge_under(files, Policies::read(files).in_force(as_of), as_of, &all_count, Some(known))
}

/// Judges a state directory as it has to answer to an earlier one: by the policies that were in force for that one, and
/// with no comment that sets a finding aside unless that one has it.
#[must_use]
pub fn judge_as(files: &dyn Files, base: (&dyn Files, &JudgedDirectory), as_of: Instant) -> JudgedDirectory {
    let known = base.1.earlier(base.0);
    let base = known.workspace;
    let is_known = |path: &str, comments: &[Suppression]| {
        let entry = base.file_at(path);
        known_comments(entry.map_or(&[], |entry| entry.suppressions.as_slice()), comments)
    };
    judge_under(files, base.policies.clone(), as_of, &is_known, Some(known))
}

/// Tells which comments of a file may set findings aside.
type Counts<'c> = dyn Fn(&str, &[Suppression]) -> Vec<bool> + 'c;

fn all_count(_: &str, comments: &[Suppression]) -> Vec<bool> {
    vec![true; comments.len()]
}

fn judge_under(
    files: &dyn Files,
    policies: Policies,
    as_of: Instant,
    counts: &Counts<'_>,
    earlier: Option<Earlier<'_>>,
) -> JudgedDirectory {
    let (workspace, mut findings) = load(files, Scope::Directory, policies, &inspect, earlier);
    let faulty = faulty(&findings);
    let context = RuleContext::new(&workspace, as_of, &ALL);
    for rule in ALL.iter() {
        if let RuleCheck::Directory(check) = rule.check {
            check(rule, &context, &mut findings);
        }
    }
    let one = |entry| look(&context, entry);
    match workspace.entries.as_slice() {
        few if few.len() < WORTH_THREADS => findings.extend(few.iter().flat_map(one)),
        all => findings.par_extend(all.par_iter().flat_map_iter(one)),
    }
    let findings = report(files, &workspace, findings, counts);
    JudgedDirectory { workspace, findings, faulty }
}

fn faulty(findings: &[Finding]) -> HashSet<Arc<str>> {
    findings.iter().map(|finding| Arc::clone(&finding.primary.path)).collect()
}

/// Reads a state directory for reconcile at an instant: what is unreadable or refused by then is known, and nothing is
/// reported. An exception whose time is over excuses nothing.
#[must_use]
pub fn open(files: &dyn Files, as_of: Instant) -> Workspace {
    open_under(files, &Judge::default(), as_of)
}

/// What judges a state directory that is read for reconcile.
#[derive(Debug, Clone, Default)]
pub struct Judge {
    /// The policies of the authority ref; `None` means those among the files.
    pub policies: Option<Policies>,
    /// The settings of the authority ref; `None` means those among the files.
    pub settings: Option<Settings>,
}

impl Judge {
    /// Makes the policies and settings that count those of a state directory that was read by its own.
    pub fn apply(&self, workspace: &mut Workspace) {
        if let Some(policies) = &self.policies {
            workspace.policies.clone_from(policies);
        }
        workspace.pin(self.settings.clone());
    }
}

/// Reads a state directory as [`open`] does, by the policies and settings that count.
#[must_use]
pub fn open_under(files: &dyn Files, judge: &Judge, as_of: Instant) -> Workspace {
    let policies = judge.policies.clone().unwrap_or_else(|| Policies::read(files)).in_force(as_of);
    let mut workspace = load(files, Scope::Directory, policies, &unusable, None).0;
    workspace.pin(judge.settings.clone());
    workspace
}

/// Reads a state directory as [`open`] does, to be kept in step with its files and with the time.
#[must_use]
pub fn keep(files: &dyn Files, judge: Judge, as_of: Instant) -> IncrementalWorkspace {
    let Judge { policies, settings } = judge;
    IncrementalWorkspace::open(files, as_of, LookOptions { inspect: unusable, policies, settings })
}

/// Judges documents by themselves, outside any state directory: text, shape, vocabulary, lifecycle and privacy.
#[must_use]
pub fn judge_alone(files: &dyn Files) -> JudgedDirectory {
    let (workspace, findings) = load(files, Scope::Alone, Policies::default(), &inspect, None);
    let faulty = faulty(&findings);
    let findings = report(files, &workspace, findings, &all_count);
    JudgedDirectory { workspace, findings, faulty }
}

/// What makes one file unusable.
fn unusable(reading: &Reading<'_>) -> Inspected {
    let mut inspected = Inspected::default();
    privacy::refuse(reading, &mut inspected);
    text_faults::problems(reading, &mut inspected.findings);
    shape::faults(reading, &mut inspected.findings);
    inspected
}

/// The rules that look at each file: a few of all, and there may be many thousands of files.
static AT_FILES: LazyLock<Vec<&Rule>> =
    LazyLock::new(|| ALL.iter().filter(|rule| matches!(rule.check, RuleCheck::File(_))).collect());

/// What is wrong with one file by itself.
fn inspect(reading: &Reading<'_>) -> Inspected {
    let mut inspected = unusable(reading);
    let findings = &mut inspected.findings;
    lifecycle::scan(reading, findings);
    contract::scan(reading, findings);
    for rule in AT_FILES.iter() {
        if let RuleCheck::File(check) = rule.check {
            check(rule, reading, findings);
        }
    }
    inspected
}

/// What is wrong with one document among the others.
fn look(context: &RuleContext<'_>, entry: &LoadedFile) -> Vec<Finding> {
    static BY_KIND: LazyLock<BTreeMap<Kind, Vec<&Rule>>> = LazyLock::new(|| {
        let mut by_kind: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for rule in ALL.iter() {
            if let RuleCheck::Document(kinds, _) = rule.check {
                kinds.iter().for_each(|kind| by_kind.entry(*kind).or_default().push(rule));
            }
        }
        by_kind
    });
    let mut findings = Vec::new();
    let Some(record) = entry.record.as_ref().filter(|_| entry.place.is_some()) else { return findings };
    for rule in BY_KIND.get(&record.kind()).into_iter().flatten() {
        if let RuleCheck::Document(_, check) = rule.check {
            check(&DocumentContext { rule, context, entry, record }, &mut findings);
        }
    }
    findings
}

/// Gives findings their levels and lines, takes out what is suppressed, and sorts.
fn report(files: &dyn Files, workspace: &Workspace, mut findings: Vec<Finding>, counts: &Counts<'_>) -> Vec<Finding> {
    locate(files, &workspace.wall, &mut findings);
    let suppressions: ByFile = workspace
        .entries
        .iter()
        .filter(|entry| !entry.suppressions.is_empty())
        .map(|entry| {
            let counts = counts(&entry.path, &entry.suppressions);
            let counting = entry.suppressions.iter().zip(counts).filter(|(_, counts)| *counts);
            (Arc::clone(&entry.path), counting.map(|(comment, _)| comment.clone()).collect())
        })
        .collect();
    let mut about_comments = suppression::apply(&workspace.wall, &suppressions, &mut findings);
    locate(files, &workspace.wall, &mut about_comments);
    findings.append(&mut about_comments);
    let leveled = |finding: Finding| {
        let path = Arc::clone(&finding.primary.path);
        privacy::leveled(finding, &workspace.policies, &path)
    };
    let mut findings: Vec<Finding> = findings.into_iter().filter_map(leveled).collect();
    sort(&mut findings);
    privacy::cap(&mut findings, &workspace.wall);
    findings
}
