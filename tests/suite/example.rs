//! `state-example/` is real and up to date: clean, recorded, and its outputs are what reconcile derives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loopx::app::{Records, world};
use loopx::document::to_yaml;
use loopx::privacy::Wall;
use loopx::reconcile::{Plan, reconcile};
use loopx::render::outputs;
use loopx::rules::{judge, open};
use loopx::vocabulary::{Instant, Kind, Receipt, Record, receipt_path};
use loopx::workspace::{Emitted, Folder};

/// The time of the example; README and CI pass the same.
pub(crate) const NOW: &str = "2026-03-07T17:00:00Z";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("state-example")
}

fn now() -> Instant {
    Instant::parse(NOW).expect("a moment")
}

fn overwrites() -> bool {
    std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite")
}

fn put(path: &str, bytes: &[u8]) {
    let path = root().join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is there");
    std::fs::write(path, bytes).expect("the file is written");
}

/// What follows when the receipts in the folder count, as they do once they are committed.
fn plan() -> (Plan, Vec<Receipt>) {
    let workspace = open(&Folder::open(&root()), now());
    let receipts: Vec<Receipt> = workspace
        .entries
        .iter()
        .filter_map(|entry| match &entry.record {
            Some(Record::Receipt(receipt)) => Some(receipt.clone()),
            _ => None,
        })
        .collect();
    let records = Records::of(receipts.iter().cloned());
    (reconcile(&world(&workspace, &records), &workspace.wall, now()), receipts)
}

#[test]
fn every_decision_is_recorded() {
    let (plan, _) = plan();
    if overwrites() {
        for receipt in &plan.unrecorded {
            put(&receipt_path(receipt.goal_id.as_str(), receipt.run_id.as_str()), to_yaml(receipt).as_bytes());
        }
        return;
    }
    let missing: Vec<_> = plan.unrecorded.iter().map(|receipt| receipt.source.id.as_str()).collect();
    assert!(missing.is_empty(), "no receipt of {missing:?}: SNAPSHOTS=overwrite cargo test example");
}

#[test]
fn every_output_is_what_reconcile_derives() {
    let derived = outputs(&plan().0);
    let emitted = Emitted::open(&root());
    if overwrites() {
        derived.iter().for_each(|(path, bytes)| put(path, bytes));
        return;
    }
    let committed: BTreeMap<_, _> =
        emitted.list().iter().map(|path| (path.clone(), emitted.read(path).expect("an output"))).collect();
    let shown = |files: &BTreeMap<String, Vec<u8>>| -> BTreeMap<String, String> {
        files.iter().map(|(path, bytes)| (path.clone(), String::from_utf8_lossy(bytes).into_owned())).collect()
    };
    assert_eq!(shown(&committed), shown(&derived), "SNAPSHOTS=overwrite cargo test example");
}

#[test]
fn it_is_clean_and_shows_every_common_kind() {
    let judged = judge(&Folder::open(&root()), now());
    let found: Vec<_> = judged.findings.iter().map(|finding| format!("{} {}", finding.rule, finding.message)).collect();
    assert!(found.is_empty(), "{found:#?}");
    let kinds: Vec<_> = judged.workspace.entries.iter().filter_map(|entry| entry.kind()).collect();
    let common = [
        Kind::Workspace,
        Kind::Goal,
        Kind::Todo,
        Kind::Gate,
        Kind::Handoff,
        Kind::Reward,
        Kind::Binding,
        Kind::WritebackRequest,
        Kind::Proposal,
        Kind::Facts,
        Kind::Policy,
        Kind::Receipt,
    ];
    for kind in common {
        assert!(kinds.contains(&kind), "no {}", kind.row().name);
    }
}

#[test]
fn its_three_goals_wait_advance_and_disagree_with_their_host() {
    let (plan, _) = plan();
    let screen = |goal: &str, agent: &str| {
        let found = plan.projections.iter().find(|((g, a), _)| g.as_str() == goal && a.as_str() == agent);
        &found.expect("a projection").1.first_screen
    };
    let waiting = screen("ledger-cutover", "codex-main");
    assert_eq!(
        (waiting.waiting_on.to_string(), waiting.gate_state.to_string()),
        ("user".into(), "operator_gate".into())
    );
    let advancing = screen("api-docs", "claude-review");
    assert_eq!(advancing.may_continue.to_string(), "yes");
    let disagreeing = screen("flaky-suite", "worker-bench");
    assert!(disagreeing.reasons.iter().any(|reason| reason.to_string() == "host_completed_goal_blocked"));
    assert_eq!(Wall::shipped().text(NOW).as_ref(), NOW, "the time is no private text");
}
