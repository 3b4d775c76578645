//! Decisions on branches: proposed until they are merged, and in conflict when two branches disagree.

use super::team::{Team, closed, decided, open};

const GATE: &str = "loopx/goals/ledger/gates/switch-2f8q.yaml";

/// Decides on a new branch from `main`, with the receipt in the same commit.
fn decide_on(team: &Team, branch: &str, label: &str) {
    team.git(&["switch", "--quiet", "--create", branch, "main"]);
    team.decide(label);
    let plan = team.does(&["plan"]);
    assert!(plan.contains(&format!("with loopx record, 1 receipt beside the change on {branch};")), "{plan}");
    team.does(&["record"]);
    team.commit(&format!("{label} on {branch}"));
}

#[test]
fn what_a_branch_decides_is_proposed_until_it_is_merged() {
    let team = Team::new();
    decide_on(&team, "topic", "approve");
    assert_eq!(team.screen(), closed("decision_not_recorded"), "on the branch");
    let plan = team.does(&["plan"]);
    let once = "  1 receipt beside the change on topic; once merged to main, and then:";
    assert!(plan.contains(once) && plan.contains("gate state: approved (was: operator_gate)"), "{plan}");
    let listed = team.does(&["receipts", "list"]);
    assert!(listed.contains("  proposed  ledger  gate switch-2f8q approved by owner"), "{listed}");
    team.git(&["switch", "--quiet", "main"]);
    assert_eq!(team.screen(), closed("missing_gate_decision"), "on main");
    team.git(&["merge", "--quiet", "--no-ff", "--no-edit", "topic"]);
    assert_eq!(team.screen(), open(), "once merged");
    let listed = team.does(&["receipts", "list"]);
    assert!(listed.contains("  recorded  ledger  gate switch-2f8q approved by owner"), "{listed}");
    team.git(&["switch", "--quiet", "topic"]);
    assert_eq!(team.screen(), open(), "main counts, wherever one stands");
}

/// On a branch the row names what works there; on main what works there.
#[test]
fn a_decision_that_is_not_recorded_names_the_command_of_its_branch() {
    let team = Team::new();
    let command = || {
        let status: serde_json::Value =
            serde_json::from_str(&team.does(&["status", "--format", "json"])).expect("JSON");
        let rows = status["rows"].as_array().expect("rows").clone();
        let row = rows.iter().find(|row| row["reason"] == "decision_not_recorded").expect("a row").clone();
        row["command"].as_str().expect("a command").to_owned()
    };
    let run = |command: &str| team.does(&command.split(' ').skip(1).collect::<Vec<_>>());
    team.git(&["switch", "--quiet", "--create", "topic"]);
    team.decide("approve");
    team.commit("decide");
    assert_eq!(command(), "loopx record");
    run(&command());
    assert!(team.sandbox.status(&team.repo).starts_with("?? loopx/receipts/ledger/"));
    team.git(&["switch", "--quiet", "main"]);
    std::fs::remove_dir_all(team.repo.join("loopx/receipts")).expect("the receipts of the branch");
    team.git(&["merge", "--quiet", "--no-ff", "--no-edit", "topic"]);
    assert_eq!(command(), "loopx reconcile --commit");
    run(&command());
    assert_eq!(team.screen(), open());
}

#[test]
fn the_same_decision_on_two_branches_merges_clean() {
    let team = Team::new();
    decide_on(&team, "one", "approve");
    decide_on(&team, "two", "approve");
    team.git(&["switch", "--quiet", "main"]);
    team.git(&["merge", "--quiet", "--no-ff", "--no-edit", "one"]);
    team.git(&["merge", "--quiet", "--no-ff", "--no-edit", "two"]);
    assert_eq!(team.receipts().len(), 1);
    assert_eq!(team.screen(), open());
    assert!(team.does(&["receipts", "verify"]).starts_with("1 receipt in 1 commit, "));
}

#[test]
fn two_decisions_conflict_in_git_and_a_bad_resolution_stays_closed() {
    let team = Team::new();
    decide_on(&team, "one", "approve");
    let receipt = team.receipts().remove(0);
    decide_on(&team, "two", "reject");
    team.git(&["switch", "--quiet", "main"]);
    team.git(&["merge", "--quiet", "--no-edit", "one"]);
    assert!(!team.sandbox.try_git(&team.repo, &["merge", "--quiet", "two"]).status.success());
    let conflicts = team.git(&["diff", "--name-only", "--diff-filter=U"]);
    assert_eq!(conflicts.lines().collect::<Vec<_>>(), [GATE, &receipt]);
    assert_eq!(team.screen(), blocked("document_invalid"), "in the middle of the merge");

    // The document of one side and the receipt of the other.
    team.git(&["checkout", "--quiet", "--theirs", "--", GATE]);
    team.git(&["checkout", "--quiet", "--ours", "--", &receipt]);
    team.git(&["add", "--all"]);
    team.git(&["commit", "--quiet", "--message=merge two"]);
    let (_, gate, reasons) = team.screen();
    assert_eq!((gate.as_str(), reasons), ("blocked", vec!["conflicting_decisions".to_owned()]));
    let lint = team.loopx(&["lint"]);
    assert_eq!(lint.code, Some(1));
    assert!(lint.out.contains("error[receipt/conflict]") && lint.out.contains("conflicting_decisions"), "{}", lint.out);

    // A resolution that takes one side whole is no tampering: two truths met, and one was chosen.
    team.put("goals/ledger/gates/switch-2f8q.yaml", &decided("approve"));
    team.commit("settle");
    assert_eq!(team.screen(), open());
    assert_eq!(team.loopx(&["lint"]).code, Some(0));
    let verified = team.does(&["receipts", "verify"]);
    assert!(verified.starts_with("1 receipt in 1 commit, "), "{verified}");
}

fn blocked(reason: &str) -> (String, String, Vec<String>) {
    ("no".to_owned(), "blocked".to_owned(), vec![reason.to_owned()])
}
