//! Each rule against its own folder of fixtures, which is its documentation's example at once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anstream::adapter::strip_str;
use loopx::finding::Finding;
use loopx::report::{self, Report, ReportFormat, Totals};
use loopx::rules::{ALL, JudgedDirectory, Rule, judge, judge_alone};
use loopx::vocabulary::Instant;
use loopx::workspace::{self, DisplayPaths, Files};

use crate::fixture::{Folder, files_below};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules")
}

/// The time of every fixture.
fn as_of() -> Instant {
    Instant::parse("2026-03-08T12:00:00Z").expect("a time")
}

/// Everything that is found in a folder of documents.
fn judged(folder: &Path) -> JudgedDirectory {
    let folder = Folder::read(folder);
    if folder.is_state_directory() { judge(&folder, as_of()) } else { judge_alone(&folder) }
}

/// The findings as people see them, without colour.
fn shown(judged: &JudgedDirectory) -> String {
    let batch =
        report::Batch { findings: &judged.findings, paths: &DisplayPaths::default(), wall: &judged.workspace.wall };
    let report = Report { batches: vec![batch], totals: Totals::default() };
    let mut shown = Vec::new();
    report::write(&mut shown, ReportFormat::Human, &report).expect("memory takes every byte");
    strip_str(std::str::from_utf8(&shown).expect("a report is text")).to_string()
}

/// The report of a rule's bad example.
pub(crate) fn report_of_bad(rule: &Rule) -> String {
    shown(&judged(&root().join(rule.id).join("bad")))
}

/// Compares with a file, or rewrites it.
fn expect(path: &Path, actual: &str) -> Option<String> {
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::write(path, actual).expect("writable");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    (expected != actual).then(|| format!("{}\n--- expected\n{expected}--- actual\n{actual}", path.display()))
}

/// Rules that only stand beside their cause, with the rule of the cause.
const CAUSES: &[(&str, &str)] = &[
    // What it excused is refused again.
    ("policy/exception-expired", "privacy/private-network"),
    ("privacy/flag-contradicted", "privacy/local-path"),
    ("yaml/control-character", "privacy/invisible-character"),
];

#[test]
fn each_rule_finds_its_bad_fixture_alone_and_nothing_in_its_good_one() {
    let mut wrong = Vec::new();
    for rule in ALL.iter().filter(|rule| !rule.is_of_history() && !rule.is_of_change()) {
        let folder = root().join(rule.id);
        if !folder.is_dir() {
            wrong.push(format!("{} has no fixtures", rule.id));
            continue;
        }
        let bad = judged(&folder.join("bad"));
        let own = |finding: &Finding| finding.rule == rule.id || CAUSES.contains(&(rule.id, finding.rule));
        if bad.findings.is_empty() || !bad.findings.iter().all(own) {
            wrong.push(format!("{}: bad/ is not of this rule alone\n{}", rule.id, shown(&bad)));
        }
        wrong.extend(expect(&folder.join("bad.txt"), &shown(&bad)));
        let good = judged(&folder.join("good"));
        if !good.findings.is_empty() {
            wrong.push(format!("{}: good/ is not good\n{}", rule.id, shown(&good)));
        }
    }
    assert!(wrong.is_empty(), "{} (SNAPSHOTS=overwrite rewrites bad.txt)", wrong.join("\n"));
}

#[test]
fn every_fixture_belongs_to_a_rule() {
    let known: BTreeSet<PathBuf> = ALL.iter().map(|rule| root().join(rule.id)).collect();
    for path in files_below(&root()) {
        let of_a_rule = path.ancestors().any(|folder| known.contains(folder));
        assert!(of_a_rule || path.ends_with("README.md"), "{} belongs to no rule", path.display());
    }
}

#[test]
fn rules_speak_as_the_reference_does() {
    let mut ids = BTreeSet::new();
    for Rule { id, summary, why, .. } in ALL.iter() {
        assert!(ids.insert(id), "{id} stands twice");
        let kebab = |part: &str| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit())
        };
        assert!(id.split_once('/').is_some_and(|(area, name)| kebab(area) && kebab(name)), "{id}");
        assert!(!summary.ends_with('.') && !summary.is_empty(), "{id}: a summary is a fragment");
        assert!(why.ends_with('.') && why.starts_with(char::is_uppercase), "{id}: a why is a sentence");
    }
}

/// Naming a file gives the same findings for it as looking at everything, and reads only what it needs.
#[test]
fn a_named_file_is_judged_as_in_the_whole() {
    let mut wrong = Vec::new();
    // Two goals whose names fold together, and one state directory in another, are seen where both are looked at.
    let wide = ["path/case-collision", "path/nested-workspace"];
    for rule in ALL.iter().filter(|rule| root().join(rule.id).join("bad/loopx.yaml").is_file()) {
        let fixture = Folder::read(&root().join(rule.id).join("bad"));
        let place = fixture.written();
        let all = judge(&workspace::Folder::open(place.path()), as_of());
        for named in fixture.list() {
            let around = judge(&workspace::Folder::around(place.path(), std::slice::from_ref(named)), as_of());
            let here = |judged: &JudgedDirectory| {
                let own = judged.findings.iter().filter(|finding| *finding.primary.path == **named);
                own.map(|finding| (finding.rule, finding.line())).collect::<Vec<_>>()
            };
            if !wide.contains(&rule.id) && here(&around) != here(&all) {
                wrong.push(format!("{}: {named}: {:?}, not {:?}", rule.id, here(&around), here(&all)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_named_file_brings_its_goal_and_its_sessions_facts_along() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("state-example");
    let around = workspace::Folder::around(&root, &["goals/flaky-suite/todos/repeat-8v3k.yaml".to_owned()]);
    let has = |part: &str| around.list().iter().any(|path| path.contains(part));
    assert!(has("loopx.yaml") && has("policies/team.yaml"), "{:?}", around.list());
    assert!(has("goals/flaky-suite/goal.yaml") && has("facts/custom_worker/bench-flaky-e8.yaml"));
    assert!(!has("ledger") && !has("api-docs"), "{:?}", around.list());
}

#[test]
fn the_example_is_clean() {
    let folder = workspace::Folder::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("state-example"));
    assert_eq!(shown(&judge(&folder, as_of())), "");
}
