//! `loopx settle`: once, whatever crashes, and never more than the agent may.

use std::process::Stdio;

use loopx::turn::settlement_schema;
use serde_json::{Value, json};

use super::{Example, NOW, Said, has, text};
use crate::store::sandbox::snapshot;

pub(super) const TODO: &str = "goals/ledger-cutover/todos/cutover-9d4m.yaml";
pub(super) const FACTS: &str = "facts/codex_cli_tui/codex-ledger-q4.yaml";

/// Where all work trees share the facts that git ignores.
pub(super) const SHARED_FACTS: &str = ".git/loopx/facts/%2F/codex_cli_tui/codex-ledger-q4.yaml";

/// The example with an approved gate, its handoff accepted on `main`.
pub(super) fn ready() -> Example {
    let example = Example::approved();
    let accept = ["handoff", "accept", "cutover-3y5k", "--goal", "ledger-cutover", "--by", "codex-main", "--execute"];
    example.does(NOW, &accept);
    example.commit("accept");
    example
}

#[test]
fn a_turn_is_checked_and_recorded() {
    let example = ready();
    let packet = example.next("codex-main");
    let said = example.settle_at(NOW, &packet, &["--done", "--summary", "the flag is set"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let settled = said.json();
    has(
        &settled,
        &[
            ("/result", json!("done")),
            ("/validation", json!("passed")),
            ("/replayed", json!(false)),
            ("/spent", json!(true)),
            ("/refused", json!(null)),
            ("/next/quota/left", json!(39)),
            ("/next/last_turn/result", json!("done")),
        ],
    );
    let validator = jsonschema::validator_for(&settlement_schema()).expect("a schema");
    let faults: Vec<String> = validator.iter_errors(&settled).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    let hex = text(&packet, "/turn_id").replace("turn-", "");
    let todo = example.read(TODO);
    assert!(todo.contains("status: done") && todo.contains("done_at: 2026-03-07T17:00:00Z"), "{todo}");
    assert!(todo.contains(&format!("evidence: [val-{hex}]")) || todo.contains(&format!("- val-{hex}")), "{todo}");
    let facts = example.read(FACTS);
    assert!(facts.contains(&format!("out-{hex}")) && facts.contains(&format!("val-{hex}")), "{facts}");
    assert!(facts.contains("summary: the flag is set"), "{facts}");
    assert_eq!((example.receipts("turn").len(), example.receipts("quota_spend").len()), (1, 1));
    assert!(example.receipts("turn")[0].contains("label: done"));
    let lint = example.loopx(NOW, &["lint"]);
    assert_eq!(lint.code, Some(0), "{lint:?}");
}

#[test]
fn fault_a_second_settle_writes_no_byte() {
    let example = ready();
    let packet = example.next("codex-main");
    example.settle_at(NOW, &packet, &["--done"]);
    let before = snapshot(&example.repo);
    let again = example.settle_at("2026-03-07T18:00:00Z", &packet, &["--done"]);
    has(&again.json(), &[("/replayed", json!(true)), ("/result", json!("done")), ("/spent", json!(true))]);
    assert_eq!(again.code, Some(0));
    let other = example.settle_at(NOW, &packet, &["--outcome", "failed"]);
    has(&other.json(), &[("/refused", json!("turn_settled_otherwise"))]);
    assert_eq!(other.code, Some(1));
    assert!(before == snapshot(&example.repo), "no byte changed");
    example.commit("turn");
    let merged = example.settle_at("2026-03-07T18:00:00Z", &packet, &["--done"]);
    has(&merged.json(), &[("/replayed", json!(true)), ("/written", json!([]))]);
}

#[test]
fn fault_settled_by_16_processes_at_once() {
    let example = ready();
    let packet = example.next("codex-main");
    let (turn, todo) = (text(&packet, "/turn_id"), text(&packet, "/todo/todo_id"));
    let arguments = ["settle", "--turn", &turn, "--todo", &todo, "--done", "--format", "json"];
    let start = |_| {
        let mut command = example.command(NOW, &arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process")
    };
    let children: Vec<_> = (0..16).map(start).collect();
    let ended = children.into_iter().map(|child| Said::of(child.wait_with_output().expect("it ends")));
    let replayed: Vec<Value> = ended
        .map(|said| {
            assert_eq!(said.code, Some(0), "{said:?}");
            said.json()["replayed"].clone()
        })
        .collect();
    assert_eq!(replayed.iter().filter(|replayed| **replayed == json!(false)).count(), 1, "{replayed:?}");
    assert_eq!((example.receipts("turn").len(), example.receipts("quota_spend").len()), (1, 1));
    let facts = example.read(FACTS);
    assert_eq!(facts.matches("val-").count(), 1, "{facts}");
}

/// The same where git ignores facts, so that all work trees share them.
pub(super) fn sharing() -> Example {
    let example = ready();
    example.replace("loopx.yaml", "facts: committed", "facts: ignored");
    example.put(".gitignore", "/facts/\n");
    example.git(&["rm", "--quiet", "-r", "--cached", "facts"]);
    example.commit("facts are not committed");
    example
}

#[test]
fn a_linked_work_tree_and_the_main_one_give_one_verdict() {
    let example = sharing();
    let packet = example.next("codex-main");
    let said = example.settle_at(NOW, &packet, &["--summary", "half of it"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(example.read(SHARED_FACTS).contains("half of it"));
    assert!(!example.read(FACTS).contains("half of it"), "the work tree's are left as they are");
    example.commit("turn");
    let other = example.sandbox.path("other");
    example.git(&["worktree", "add", "--quiet", "--detach", other.to_str().expect("Unicode")]);
    let next = ["next", "--agent", "codex-main", "--format", "json"];
    let there = Said::of(example.command_in(&other, NOW, &next).output().expect("it runs"));
    let here = example.loopx(NOW, &next);
    assert_eq!((there.code, there.json()), (Some(0), here.json()));
    has(&here.json(), &[("/decision", json!("work"))]);
    // What one of them settles the other sees.
    let packet = there.json();
    let (turn, todo) = (text(&packet, "/turn_id"), text(&packet, "/todo/todo_id"));
    let settle = ["settle", "--turn", &turn, "--todo", &todo, "--summary", "the rest"];
    assert!(example.command_in(&other, "2026-03-07T17:30:00Z", &settle).output().expect("it runs").status.success());
    let facts = example.read(SHARED_FACTS);
    assert!(facts.contains("half of it") && facts.contains("the rest"), "{facts}");
}

#[test]
fn fault_a_validation_that_hangs_is_ended() {
    let example = ready();
    example.put("check.sh", "sleep 60\n");
    let packet = example.next("codex-main");
    let said = example.settle_at(NOW, &packet, &["--timeout", "1s"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    has(&said.json(), &[("/result", json!("failed")), ("/validation", json!("timed_out")), ("/spent", json!(false))]);
    assert!(example.receipts("quota_spend").is_empty());
    let facts = example.read(FACTS);
    assert!(facts.contains("kind: validation\n    status: failed"), "{facts}");
}

#[test]
fn a_check_sees_no_variable_of_git_and_no_shell() {
    let example = ready();
    example.put("check.sh", "test -z \"$GIT_AUTHOR_DATE\" && test \"$PWD\" = \"$(git rev-parse --show-toplevel)\"\n");
    let packet = example.next("codex-main");
    let said = example.settle_at(NOW, &packet, &[]);
    has(&said.json(), &[("/validation", json!("passed"))]);
    let example = Example::approved();
    example.replace("goals/ledger-cutover/goal.yaml", "[sh, check.sh]", "[no-such-program]");
    example.commit("another check");
    let packet = example.next("codex-main");
    let said = example.settle_at(NOW, &packet, &[]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("validation_unavailable"), "{said:?}");
    assert!(example.receipts("turn").is_empty());
}

#[test]
fn fault_a_gate_that_closed_meanwhile_blocks_the_turn() {
    let example = ready();
    let packet = example.next("codex-main");
    example.put(
        "stop.yaml.text",
        "schema_version: operator_gate_v0\ngoal_id: ledger-cutover\ngate_id: halt-1a2b\nquestion: May it go on?\n\
         required_actor: owner\nrequested: { by: claude-review, at: 2026-03-07T16:59:00Z }\n",
    );
    example.put("check.sh", "cp stop.yaml.text goals/ledger-cutover/gates/halt-1a2b.yaml\n");
    let said = example.settle_at(NOW, &packet, &["--done"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    has(&said.json(), &[("/result", json!("blocked")), ("/spent", json!(false)), ("/next/decision", json!("ask"))]);
    assert!(!example.read(TODO).contains("done"));
    assert!(example.receipts("quota_spend").is_empty());
}

#[test]
fn fault_a_quota_that_was_used_up_meanwhile_stops_the_next_turn() {
    let example = ready();
    let packet = example.next("codex-main");
    for number in 0..40 {
        example.spend("ledger-cutover", number, &format!("2026-03-07T08:{number:02}:00Z"));
    }
    let said = example.settle_at(NOW, &packet, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    has(
        &said.json(),
        &[
            ("/result", json!("passed")),
            ("/next/decision", json!("wait")),
            ("/next/quota/spent", json!(41)),
            ("/next/quota/allowed", json!(40)),
        ],
    );
}

#[test]
fn fault_the_wrong_agent_writes_nothing() {
    let example = ready();
    let packet = example.next("codex-main");
    let before = snapshot(&example.repo);
    let said = example.settle_at(NOW, &packet, &["--agent", "claude-review"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("turn_not_current"), "{said:?}");
    let stale = ["settle", "--turn", "turn-0123456789abcdef", "--todo", "cutover-9d4m", "--agent", "codex-main"];
    assert_eq!(example.loopx(NOW, &stale).code, Some(3));
    assert!(before == snapshot(&example.repo), "no byte changed");
}

/// A todo that is nobody's, in a goal with two agents.
fn shared() -> Example {
    let example = Example::new();
    example.put(
        "goals/ledger-cutover/todos/notes-3c5d.yaml",
        "schema_version: loopx_todo_v0\ngoal_id: ledger-cutover\ntodo_id: notes-3c5d\ntitle: Write the notes\n\
         task_class: advancement_task\n",
    );
    example.commit("a shared todo");
    example
}

#[test]
fn fault_of_two_agents_on_one_todo_the_second_is_refused() {
    let example = shared();
    let first = example.next_at(NOW, "codex-main", &["--goal", "ledger-cutover"]);
    let second = example.next_at(NOW, "claude-review", &["--goal", "ledger-cutover"]);
    has(&first, &[("/todo/todo_id", json!("notes-3c5d")), ("/mode", json!("scoped_user_gate_fallback"))]);
    has(&second, &[("/todo/todo_id", json!("notes-3c5d")), ("/commands/first/0/2", json!("claim"))]);
    let said = example.settle_at(NOW, &first, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(example.read("goals/ledger-cutover/todos/notes-3c5d.yaml").contains("claimed_by: codex-main"));
    let before = snapshot(&example.repo);
    let said = example.settle_at(NOW, &second, &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    has(&said.json(), &[("/refused", json!("todo_of_peer")), ("/result", json!(null)), ("/written", json!([]))]);
    assert!(before == snapshot(&example.repo), "no byte changed");
}

#[test]
fn fault_two_work_trees_settle_one_turn_into_a_conflict_of_git() {
    let example = ready();
    let packet = example.next("codex-main");
    example.git(&["branch", "one"]);
    example.git(&["branch", "two"]);
    let trees = ["one", "two"].map(|branch| {
        let folder = example.sandbox.path(branch);
        example.git(&["worktree", "add", "--quiet", folder.to_str().expect("Unicode"), branch]);
        folder
    });
    let (turn, todo) = (text(&packet, "/turn_id"), text(&packet, "/todo/todo_id"));
    for (folder, more) in trees.iter().zip(["--done", "--outcome=failed"]) {
        let arguments = ["settle", "--turn", &turn, "--todo", &todo, more];
        let mut command = example.command_in(folder, NOW, &arguments);
        assert!(command.output().expect("it runs").status.success());
        example.sandbox.git(folder, &["add", "--all"]);
        example.sandbox.git(folder, &["commit", "--quiet", "--message", "turn"]);
    }
    let merge = example.sandbox.try_git(&trees[0], &["merge", "two"]);
    let said = String::from_utf8_lossy(&merge.stdout).into_owned();
    assert!(!merge.status.success() && said.contains("receipts/ledger-cutover"), "{said}");
}

#[test]
fn fault_a_clock_that_is_behind_repairs_first() {
    let example = ready();
    let packet = example.next("codex-main");
    example.spend("ledger-cutover", 1, "2026-03-07T17:05:01Z");
    let behind = example.next("codex-main");
    has(&behind, &[("/decision", json!("repair")), ("/state", json!("blocked_health"))]);
    assert!(text(&behind, "/notes/0").contains("clock"));
    let said = example.settle_at(NOW, &packet, &[]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("clock_behind"), "{said:?}");
    assert!(example.receipts("turn").is_empty());
    has(&example.next_at("2026-03-07T17:00:01Z", "codex-main", &[]), &[("/decision", json!("work"))]);
}

#[test]
fn a_dry_run_tells_and_writes_nothing() {
    let example = ready();
    example.put("check.sh", "echo ran > ran.txt\n");
    let packet = example.next("codex-main");
    let before = snapshot(&example.repo);
    let said = example.settle_at(NOW, &packet, &["--done", "--dry-run"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    has(&told, &[("/result", json!("done")), ("/validation", json!("not_run")), ("/spent", json!(true))]);
    assert_eq!(told["written"].as_array().map(Vec::len), Some(4), "{told}");
    assert!(before == snapshot(&example.repo), "no byte changed");
}

#[test]
fn a_summary_passes_the_wall() {
    let example = ready();
    let packet = example.next("codex-main");
    let path = ["/ho", "me/alice/secret.txt"].concat();
    let said = example.settle_at(NOW, &packet, &["--outcome", "failed", "--summary", &format!("see {path}")]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let facts = example.read(FACTS);
    assert!(!facts.contains("alice") && facts.contains("hidden: local path"), "{facts}");
}

#[test]
fn a_person_s_todo_is_not_an_agent_s_to_settle() {
    let example = Example::new();
    let turn = loopx::turn::turn_id("ledger-cutover", "codex-main", "announce-4k8t", None);
    let said = example.loopx(NOW, &["settle", "--turn", turn.as_str(), "--todo", "announce-4k8t", "--format", "json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    has(&said.json(), &[("/refused", json!("todo_of_person"))]);
    assert!(example.receipts("turn").is_empty());
}

#[test]
fn fault_a_host_that_is_offline_is_not_called() {
    let example = ready();
    let packet = example.next("codex-main");
    let mark = example.sandbox.path("called");
    for program in ["codex", "claude", "gemini", "opencode", "curl", "ssh", "gh"] {
        let text = format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display());
        crate::store::sandbox::put_program(&example.sandbox.path("bin"), program, &text);
    }
    let path = format!("{}:{}", example.sandbox.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    let (turn, todo) = (text(&packet, "/turn_id"), text(&packet, "/todo/todo_id"));
    for arguments in
        [&["next", "--agent", "codex-main", "--host", "codex_cli"][..], &["settle", "--turn", &turn, "--todo", &todo]]
    {
        let mut command = example.command(NOW, arguments);
        let said = Said::of(command.env("PATH", &path).output().expect("it runs"));
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    assert!(!mark.exists(), "a program of a host was called");
}

/// A linked work tree lacks the facts that git ignores: the session is reported first, and a turn that both settle is
/// one spend once they are merged.
#[test]
fn fault_a_work_tree_without_facts_reports_first_and_spends_once() {
    let example = ready();
    example.put(".gitignore", "/facts/\n");
    example.git(&["rm", "--quiet", "-r", "--cached", "facts"]);
    example.commit("facts are of this machine");
    let packet = example.next("codex-main");
    has(&packet, &[("/decision", json!("work"))]);
    let other = example.sandbox.path("other");
    example.git(&["worktree", "add", "--quiet", "-b", "other", other.to_str().expect("Unicode")]);
    let run = |arguments: &[&str]| Said::of(example.command_in(&other, NOW, arguments).output().expect("it runs"));
    let there = run(&["next", "--agent", "codex-main", "--format", "json"]).json();
    has(&there, &[("/decision", json!("report")), ("/commands/first/0/1", json!("refresh-state"))]);
    assert_eq!(example.settle_at(NOW, &packet, &[]).code, Some(0));
    let (turn, todo) = (text(&packet, "/turn_id"), text(&packet, "/todo/todo_id"));
    let said = run(&["settle", "--turn", &turn, "--todo", &todo, "--agent", "codex-main"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    example.commit("a turn");
    example.sandbox.git(&other, &["add", "--all"]);
    example.sandbox.git(&other, &["commit", "--quiet", "--message", "the same turn"]);
    example.git(&["merge", "--quiet", "--no-edit", "other"]);
    has(&example.next("codex-main"), &[("/quota/left", json!(39))]);
    assert_eq!((example.receipts("turn").len(), example.receipts("quota_spend").len()), (1, 1));
}
