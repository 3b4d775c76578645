//! `loopx record`, `loopx reconcile --commit`, and what `loopx plan` says before.

use super::team::Team;
use crate::store::sandbox::put;

fn closed(reason: &str) -> (String, String, Vec<String>) {
    ("no".to_owned(), "operator_gate".to_owned(), vec![reason.to_owned()])
}

fn open() -> (String, String, Vec<String>) {
    ("yes".to_owned(), "approved".to_owned(), vec!["in_step".to_owned()])
}

#[test]
fn a_decision_counts_once_it_is_committed_and_reconcile_has_recorded_it() {
    let team = Team::new();
    assert_eq!(team.screen(), closed("missing_gate_decision"));
    team.decide("approve");
    assert_eq!(team.screen(), closed("decision_not_recorded"), "proposed, never acted on");

    // A receipt cites what its commit holds, so a decision that is not committed has to wait.
    let waits = team.does(&["reconcile", "--commit"]);
    assert!(waits.contains("gate switch-2f8q approved waits: commit it first"), "{waits}");
    assert_eq!(team.git(&["log", "--format=%s"]), "ask\n");

    team.commit("decide");
    put(&team.repo, "notes.txt", "staged\n");
    put(&team.repo, "draft.txt", "not staged\n");
    team.git(&["add", "notes.txt"]);
    let plan = team.does(&["plan"]);
    assert!(plan.contains("with --commit, 1 receipt in 1 commit on main, and then:"), "{plan}");
    assert!(plan.contains("first_screen.gate_state  \"operator_gate\" -> \"approved\""), "{plan}");
    let said = team.does(&["reconcile", "--commit"]);
    let short = team.git(&["rev-parse", "--short", "HEAD"]);
    assert!(said.starts_with(&format!("Recorded 1 decision in {} on main.\n", short.trim())), "{said}");

    assert_eq!(team.screen(), open());
    let told = team.git(&["log", "-1", "--format=%s|%an|%aI|%(trailers:unfold,separator=%x2C)"]);
    let receipts = team.receipts();
    let run = receipts[0].rsplit('/').next().expect("a name").trim_end_matches(".yaml");
    assert_eq!(
        told.trim(),
        format!(
            "loopx: record 1 decision (gate switch-2f8q approved)|A User|2026-03-07T12:00:00Z|\
             Loopx-Receipt: {run},Loopx-Goal: ledger"
        )
    );
    assert_eq!(team.sandbox.changed(&team.repo, "HEAD"), receipts);
    assert_eq!(team.sandbox.status(&team.repo), "A  notes.txt\n?? draft.txt\n");

    let again = team.does(&["reconcile", "--commit"]);
    assert!(again.starts_with("Nothing recorded:"), "{again}");
    assert_eq!(team.git(&["log", "--format=%s"]).lines().count(), 3);
}
