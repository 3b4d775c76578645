//! `loopx record`, `loopx reconcile --commit`, and what `loopx plan` says before.

use std::fs;

use super::team::{Team, closed, open};
use crate::store::sandbox::{Sandbox, put, put_program};

#[test]
fn a_decision_counts_once_it_is_committed_and_reconcile_has_recorded_it() {
    let team = Team::new();
    assert_eq!(team.screen(), closed("missing_gate_decision"));
    team.decide("approve");
    assert_eq!(team.screen(), closed("decision_not_recorded"), "proposed, never acted on");

    // A receipt cites what its commit holds, so a decision that is not committed has to wait.
    let waits = team.does(&["reconcile", "--commit"]);
    assert!(waits.contains("gate switch-2f8q approved waits: commit it first"), "{waits}");
    assert_eq!(team.log(), ["ask"]);

    team.commit("decide");
    put(&team.repo, "notes.txt", "staged\n");
    put(&team.repo, "draft.txt", "not staged\n");
    team.git(&["add", "notes.txt"]);
    let plan = team.does(&["plan"]);
    assert!(plan.contains("with --commit, 1 receipt in 1 commit on main, and then:"), "{plan}");
    assert!(plan.contains("gate state: approved (was: operator_gate)"), "{plan}");
    assert_eq!(team.loopx(&["plan", "--exit-code"]).code, Some(1));
    let said = team.does(&["reconcile", "--commit"]);
    let short = team.git(&["rev-parse", "--short", "HEAD"]);
    assert!(said.starts_with(&format!("Recorded 1 decision in {} on main.\n", short.trim())), "{said}");

    assert_eq!(team.screen(), open());
    let told = team.git(&["log", "-1", "--format=%s|%an|%aI|%(trailers:unfold,separator=%x2C)"]);
    let receipts = team.receipts();
    let run = receipts[0].rsplit('/').next().expect("a name").trim_end_matches(".yaml");
    let subject = "loopx: record 1 decision (gate switch-2f8q approved)";
    let trailers = format!("Loopx-Receipt: {run},Loopx-Goal: ledger");
    assert_eq!(told.trim(), format!("{subject}|A User|2026-03-07T12:00:00Z|{trailers}"));
    assert_eq!(team.sandbox.changed(&team.repo, "HEAD"), receipts);
    assert_eq!(team.sandbox.status(&team.repo), "A  notes.txt\n?? draft.txt\n");

    let again = team.does(&["reconcile", "--commit"]);
    assert!(again.starts_with("Nothing recorded:"), "{again}");
    assert_eq!(team.log().len(), 3);
    assert_eq!(team.loopx(&["plan", "--exit-code"]).code, Some(0));
}

#[test]
fn lint_fix_adds_the_receipt_that_a_hand_edit_left_out() {
    let team = Team::new();
    team.decide("approve");
    let dry = team.does(&["lint", "--fix", "--dry-run"]);
    assert!(dry.contains("gate switch-2f8q approved by owner") && dry.contains("1 receipt to write"), "{dry}");
    assert!(!team.repo.join("loopx/receipts").exists());
    // A log for a host holds nothing but the log.
    let log = team.loopx(&["lint", "--fix", "--dry-run", "--format", "sarif"]);
    assert!(serde_json::from_str::<serde_json::Value>(&log.out).is_ok(), "{}", log.out);
    assert!(log.err.contains("1 receipt to write"), "{}", log.err);
    let said = team.does(&["lint", "--fix"]);
    assert!(said.contains("1 receipt written beside the change"), "{said}");
    assert!(said.ends_with("clean (1 goal, 1 agent).\n"), "{said}");
    let again = team.does(&["lint", "--fix"]);
    assert!(!again.contains("receipt"), "{again}");
}

#[test]
fn mine_are_the_rows_of_the_actor_that_commits_here() {
    let team = Team::new();
    let unknown = team.loopx(&["status", "--me"]);
    assert_eq!(unknown.code, Some(3));
    assert!(
        unknown.err.starts_with("error[unknown_actor]: Your git identity is no actor of the policy"),
        "{}",
        unknown.err
    );
    team.put(
        "policies/team.yaml",
        "schema_version: loopx_policy_v0\nactors:\n  maya: { class: owner, git: [maya@users.noreply.example] }\n  \
         lena: { class: user, git: [lena@users.noreply.example] }\n",
    );
    team.commit("who is who");
    team.git(&["config", "user.email", "Maya@users.noreply.example"]);
    let mine = team.does(&["status", "--me"]);
    assert!(mine.contains("maya (owner)") && mine.contains("missing_gate_decision"), "{mine}");
    assert_eq!(mine, team.does(&["status", "--me", "maya"]));
    team.git(&["config", "user.email", "lena@users.noreply.example"]);
    assert_eq!(team.does(&["status", "--me"]), "Nothing of this waits; 1 open for others: loopx status\n");
}

/// What is written with a commit is what a run gives that reads the commit, also of goals that nothing was decided in.
#[test]
fn after_a_commit_nothing_is_left_to_write() {
    let team = Team::new();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("state-example");
    std::fs::remove_dir_all(team.repo.join("loopx")).expect("the other state directory");
    for path in crate::fixture::files_below(&example) {
        let name = path.strip_prefix(&example).expect("below").to_string_lossy().into_owned();
        team.put(&name, &std::fs::read_to_string(&path).expect("text"));
    }
    team.commit("the example");
    for gate in ["cutover-2f8q", "budget-7x1b"] {
        let class = if gate.starts_with("cut") { ["maya", "owner"] } else { ["ines", "operator"] };
        team.does(&["gate", "decide", gate, "approve", "--reason", "it may", "--by", class[0], "--execute"]);
    }
    std::fs::remove_dir_all(team.repo.join("loopx/receipts")).expect("receipts");
    team.git(&["add", "--all", "--force"]);
    team.git(&["commit", "--quiet", "--message=decide, and lose every receipt"]);
    assert!(team.does(&["reconcile", "--commit"]).starts_with("Recorded "), "recorded");
    let plan = team.loopx(&["plan", "--exit-code"]);
    assert_eq!(plan.code, Some(0), "{plan:?}");
}

#[test]
fn a_hashed_address_is_known_to_those_who_have_the_key() {
    let team = Team::new();
    // printf %s maya@users.noreply.example | openssl dgst -sha256 -hmac "a key for tests"
    let hash = "23d497e711df6a373fddeea0ed06e5f86fab3f21c5a31bc3101159fe93842e4d";
    team.put(
        "policies/team.yaml",
        &format!("schema_version: loopx_policy_v0\nactors:\n  maya: {{ class: owner, git: ['hmac-sha256:{hash}'] }}\n"),
    );
    team.commit("who is who");
    team.git(&["config", "user.email", "Maya@Users.noreply.example"]);
    let me = |key: Option<&str>| {
        let mut command = team.command(&["status", "--me"]);
        command.envs(key.map(|key| ("LOOPX_IDENTITY_KEY", key)));
        String::from_utf8(command.output().expect("loopx").stdout).expect("Unicode")
    };
    assert!(me(Some("a key for tests")).contains("missing_gate_decision"));
    for key in [None, Some(""), Some("another key")] {
        assert_eq!(me(key), "", "{key:?}");
    }
}

#[test]
fn a_row_of_the_queue_is_explained_by_its_number() {
    let team = Team::new();
    let said = team.does(&["explain", "1"]);
    assert!(said.starts_with("missing_gate_decision (row 1 of the queue)\n"), "{said}");
    for part in ["gate at goals/ledger/gates/switch-2f8q.yaml", "maya (owner)", "loopx gate decide switch-2f8q"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let none = team.loopx(&["explain", "2"]);
    assert_eq!(none.code, Some(3));
    assert_eq!(none.err, "error[unknown_row]: The queue has no such row: 2 of 1. List the rows: loopx status\n");
}

#[test]
fn record_writes_the_receipt_beside_the_change_and_never_over_another() {
    let team = Team::new();
    team.decide("approve");
    let dry = team.does(&["record", "--dry-run"]);
    assert!(dry.contains("gate switch-2f8q approved by owner") && dry.ends_with("1 receipt to write: loopx record\n"));
    assert!(!team.repo.join("loopx/receipts").exists());

    let said = team.does(&["record"]);
    assert!(said.contains("1 receipt written beside the change. They count once they are committed"), "{said}");
    let status = team.sandbox.status(&team.repo);
    let path = status.lines().find_map(|line| line.strip_prefix("?? loopx/")).expect("a new file").to_owned();
    let receipt = team.read(&path);
    assert!(receipt.contains("effect_key: \"[\\\"gate\\\",\\\"ledger\\\",\\\"switch-2f8q\\\",1]\""), "{receipt}");
    let again = team.does(&["record"]);
    assert!(again.starts_with("Nothing to write: 1 receipt of this change stand beside it."), "{again}");

    // A checkout with other line ends holds the same receipt.
    team.put(&path, &receipt.replace('\n', "\r\n"));
    team.does(&["record"]);
    assert_eq!(team.read(&path), receipt.replace('\n', "\r\n"));

    let forged = receipt.replace("approve", "reject");
    team.put(&path, &forged);
    for arguments in [&["record"][..], &["record", "--dry-run"], &["reconcile", "--commit"]] {
        team.git(&["commit", "--quiet", "--allow-empty", "--message=x", "loopx/goals"]);
        let refused = team.loopx(arguments);
        assert_eq!(refused.code, Some(3), "{refused:?}");
        assert!(refused.err.starts_with("error[receipt_conflict]:") && refused.err.contains(&path), "{refused:?}");
        assert_eq!(team.read(&path), forged);
    }
    let lint = team.loopx(&["lint", "--format", "concise"]);
    assert!(lint.code == Some(1) && lint.out.contains("receipt/conflict"), "{lint:?}");
}

#[test]
fn a_change_that_carries_its_receipt_needs_no_other_commit() {
    let team = Team::new();
    team.decide("approve");
    team.does(&["record"]);
    team.commit("decide");
    assert_eq!(team.screen(), open());
    let said = team.does(&["reconcile", "--commit"]);
    assert!(said.starts_with("Nothing recorded:"), "{said}");
    assert_eq!(team.log(), ["decide", "ask"]);
}

/// Runs `reconcile --commit`, which is refused with this code, and gives what it says.
fn refused(team: &Team, code: &str) -> String {
    let said = team.loopx(&["reconcile", "--commit"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.starts_with(&format!("error[{code}]:")), "{said:?}");
    said.err
}

#[test]
fn nothing_is_committed_where_it_could_not_count() {
    let team = Team::new();
    team.decide("approve");
    team.commit("decide");
    team.git(&["switch", "--quiet", "--create", "topic"]);
    let said = refused(&team, "not_authority_branch");
    assert!(said.contains("main, and topic is checked out") && said.contains("loopx record"), "{said}");

    team.git(&["switch", "--quiet", "--detach", "main"]);
    assert!(refused(&team, "cannot_write").contains("--allow-detached"));
    assert!(team.receipts().is_empty() && !team.repo.join("loopx/receipts").exists());
    let said = team.does(&["reconcile", "--commit", "--allow-detached"]);
    assert!(said.starts_with("Recorded 1 decision in "), "{said}");
    assert_eq!(team.receipts().len(), 1);

    team.git(&["switch", "--quiet", "topic"]);
    team.git(&["remote", "add", "origin", "../elsewhere"]);
    team.git(&["branch", "--quiet", "--delete", "--force", "main"]);
    let said = refused(&team, "authority_missing");
    assert!(said.contains("`git fetch origin refs/heads/main:refs/remotes/origin/main` brings it"), "{said}");
    let plan = team.does(&["plan"]);
    assert!(plan.contains("main is not in this clone, so nothing is recorded: git fetch origin"), "{plan}");

    team.git(&["switch", "--quiet", "--orphan", "main"]);
    team.put("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: main }\n");
    assert!(refused(&team, "no_commit").contains("Commit the documents first"));
    fs::rename(team.repo.join(".git"), team.sandbox.path("put-away")).expect("a rename");
    assert!(refused(&team, "no_git").contains("git init"));
}

#[test]
fn nothing_is_written_during_a_merge() {
    let team = Team::new();
    team.git(&["branch", "other"]);
    team.decide("approve");
    team.commit("decide");
    team.git(&["switch", "--quiet", "other"]);
    put(&team.repo, "other.txt", "other\n");
    team.commit("other");
    team.git(&["switch", "--quiet", "main"]);
    team.git(&["merge", "--quiet", "--no-commit", "--no-ff", "other"]);
    assert!(refused(&team, "cannot_write").contains("nothing is committed during a merge"));
    assert!(!team.repo.join("loopx/receipts").exists(), "what is refused changes nothing");
}

#[test]
fn committed_outputs_go_into_the_same_commit() {
    for via in ["gix", "git"] {
        let team = Team::with_settings(&format!("outputs: committed\ncommit: {{ via: {via} }}\n"));
        put(&team.repo, ".gitignore", "");
        team.does(&["reconcile", "--commit"]);
        assert_eq!(team.log()[0], "loopx: bring the outputs up to date");
        assert_eq!(team.sandbox.status(&team.repo), " M .gitignore\n");
        team.git(&["commit", "--quiet", "--all", "--message=ignore nothing"]);
        team.decide("approve");
        // An agent less: its first screen is not derived any more.
        let goal = team.read("goals/ledger/goal.yaml");
        team.put("goals/ledger/goal.yaml", &goal.replace("codex-main: writes", "codex-two: writes"));
        let todo = team.read("goals/ledger/todos/switch-9d4m.yaml");
        team.put("goals/ledger/todos/switch-9d4m.yaml", &todo.replace("codex-main", "codex-two"));
        team.commit("decide");
        team.does(&["reconcile", "--commit"]);
        let mut changed = team.sandbox.changed(&team.repo, "HEAD");
        changed.retain(|path| !path.starts_with("loopx/receipts/"));
        let expected = [
            "attention.json",
            "attention.md",
            "projections/ledger/codex-main.json",
            "projections/ledger/codex-two.json",
        ];
        assert_eq!(changed, expected.map(|path| format!("loopx/{path}")), "{via}");
        assert_eq!(team.sandbox.status(&team.repo), "", "{via}");
        assert_eq!(team.screen(), open());
    }
}

/// An urgent todo that only the work tree holds, with a decision that is committed beside it.
fn with_a_todo_that_is_not_committed(via: &str) -> Team {
    let team = Team::with_settings(&format!("outputs: committed\ncommit: {{ via: {via} }}\n"));
    put(&team.repo, ".gitignore", "");
    team.decide("approve");
    team.commit("decide");
    let todo = team.read("goals/ledger/todos/switch-9d4m.yaml").replace("Switch the read flag", "Rehearse on Sunday");
    let todo = todo.replace("switch-9d4m", "rehearse-1a2b");
    team.put("goals/ledger/todos/rehearse-1a2b.yaml", &format!("{todo}priority: P0\n"));
    team
}

#[test]
fn outputs_of_documents_that_are_not_committed_are_not_published() {
    let team = with_a_todo_that_is_not_committed("gix");
    team.does(&["reconcile", "--commit"]);
    let published = team.git(&["show", "HEAD:loopx/projections/ledger/codex-main.json"]);
    assert!(published.contains("Switch the read flag") && !published.contains("Sunday"), "{published}");
    assert!(published.contains("\"gate_state\": \"approved\""), "{published}");
    assert!(!team.git(&["show", "HEAD:loopx/attention.json"]).contains("Sunday"));
    team.commit("rehearse");
    team.does(&["reconcile", "--commit"]);
    let published = team.git(&["show", "HEAD:loopx/projections/ledger/codex-main.json"]);
    assert!(published.contains("Rehearse on Sunday"), "{published}");
}

/// Git's own commit takes what stands in the work tree, so there it is refused.
#[test]
fn by_way_of_git_documents_are_committed_first() {
    let team = with_a_todo_that_is_not_committed("git");
    let said = team.loopx(&["reconcile", "--commit"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("documents here are not committed yet: git commit"), "{said:?}");
    assert_eq!(team.log()[0], "decide");
    team.commit("rehearse");
    team.does(&["reconcile", "--commit"]);
    assert_eq!(team.sandbox.status(&team.repo), "");
}

#[test]
fn a_hook_that_refuses_leaves_the_outputs_as_they_were() {
    let team = Team::with_settings("outputs: committed\ncommit: { via: git }\n");
    put(&team.repo, ".gitignore", "");
    team.decide("approve");
    team.commit("decide");
    put_program(&team.repo, ".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
    let said = refused(&team, "cannot_write");
    assert!(said.contains("a hook may have refused"), "{said}");
    assert_eq!(team.screen(), closed("decision_not_recorded"));
    let projection = team.read("projections/ledger/codex-main.json");
    assert!(projection.contains("\"gate_state\": \"operator_gate\""), "{projection}");
    fs::remove_file(team.repo.join(".git/hooks/pre-commit")).expect("a hook");
    team.does(&["reconcile", "--commit"]);
    assert_eq!(team.screen(), open());
    assert_eq!(team.sandbox.status(&team.repo), "");
}

#[test]
fn before_the_first_commit_everything_is_read_and_nothing_recorded() {
    let sandbox = Sandbox::new();
    let repo = sandbox.init("repo", &[]);
    let team = Team { sandbox, repo };
    team.does(&["init", "."]);
    team.does(&["lint"]);
    team.does(&["status"]);
    team.does(&["plan"]);
    let said = team.loopx(&["reconcile", "--commit"]);
    assert_eq!(said.code, Some(3));
    assert!(said.err.starts_with("error[no_commit]: Nothing is committed here yet"), "{}", said.err);
}

#[test]
fn where_nothing_can_be_done_a_plan_is_no_success() {
    let team = Team::new();
    fs::write(team.repo.join("loopx/goals/ledger/goal.yaml"), "goal_id: [\n").expect("writable");
    fs::remove_dir_all(team.repo.join("loopx/goals/ledger/gates")).expect("writable");
    fs::remove_dir_all(team.repo.join("loopx/goals/ledger/todos")).expect("writable");
    let said = team.loopx(&["plan"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("Nothing planned: no goal has a valid document"), "{}", said.out);
}

/// A hook that adds to the commit of receipts is undone: nothing but what was asked for is ever recorded.
#[test]
fn a_hook_cannot_widen_the_commit_of_receipts() {
    let team = Team::with_settings("authority: { ref: main }\ncommit: { via: git }\n");
    team.decide("approve");
    team.commit("decide");
    put(&team.repo, "secret.txt", "private\n");
    put_program(&team.repo, ".git/hooks/pre-commit", "#!/bin/sh\ngit add secret.txt\n");
    let before = (team.git(&["rev-parse", "HEAD"]), std::fs::read(team.repo.join(".git/index")).expect("the index"));
    let said = team.loopx(&["reconcile", "--commit"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.starts_with("error[commit_widened]: ") && said.err.contains("`secret.txt`"), "{said:?}");
    let after = (team.git(&["rev-parse", "HEAD"]), std::fs::read(team.repo.join(".git/index")).expect("the index"));
    assert!(before == after, "the branch and the index stand where they stood");
    assert!(!team.repo.join(".git/index.lock").exists());
    // A hook that changes nothing is none of its business.
    put_program(&team.repo, ".git/hooks/pre-commit", "#!/bin/sh\ntrue\n");
    team.does(&["reconcile", "--commit"]);
    assert_eq!(team.receipts().len(), 1);
    team.sandbox.fsck(&team.repo);
}
