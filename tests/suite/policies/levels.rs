//! A level of a privacy rule means the same in lint, status and scan.

use std::path::Path;
use std::process::{Command, Output};

use loopx::privacy::Class;
use loopx::rules::{Judge, keep};
use loopx::vocabulary::Instant;
use loopx::workspace::MemoryFiles;
use serde_json::Value;
use tempfile::TempDir;

const NOW: &str = "2026-03-07T12:00:00Z";
const TODO: &str = "goals/ledger/todos/cut-9d4m.yaml";

/// A state directory whose todo names a ticket of the team.
fn files(rules: &str) -> Vec<(String, String)> {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let policy = format!("schema_version: loopx_policy_v0\nprivacy: {{ ticket_prefixes: [LED] }}\n{rules}");
    vec![
        file("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: main }\n"),
        file(
            "goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads\nowner: maya\nagents: { codex-main: code }\n\
             boundary: { write_scope: [services/**], stop_condition: stop at a failed check }\n",
        ),
        file(
            TODO,
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: cut-9d4m\ntitle: Cut over as LED-12 says\n\
             task_class: advancement_task\nassignee: codex-main\n",
        ),
        file("policies/team.yaml", &policy),
    ]
}

fn place(rules: &str) -> TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for (path, text) in files(rules) {
        let path = place.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    place
}

fn loopx(place: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
    let output =
        command.current_dir(place).env_clear().args(["--now", NOW, "--format", "json"]).args(arguments).output();
    output.expect("the program runs")
}

/// The exit code, and the level of what is found by the rule about tickets, of lint or scan.
fn found(place: &Path, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = loopx(place, arguments);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("JSON: {output:?}"));
    let findings = report["findings"].as_array().expect("a list").iter();
    let of_ticket = findings.filter(|finding| finding["rule"] == "privacy/ticket");
    (output.status.code(), of_ticket.map(|finding| finding["level"].as_str().expect("a level").to_owned()).collect())
}

/// Whether status says that the goal holds refused material.
fn is_refused(place: &Path) -> bool {
    let output = loopx(place, &["status"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(!text.contains("LED-12"), "the value is printed nowhere, whatever its level: {text}");
    text.contains("unsafe_material")
}

#[test]
fn a_level_means_the_same_in_lint_status_and_scan() {
    let cases = [
        ("", Some("error")),
        ("rules: { privacy/ticket: error }\n", Some("error")),
        ("rules: { privacy/ticket: warning }\n", Some("warning")),
        ("rules: { privacy/ticket: note }\n", Some("note")),
        ("rules: { privacy/ticket: 'off' }\n", None),
        ("rules: { privacy/ticket: { level: error, paths: { 'goals/ledger/**': 'off' } } }\n", None),
        ("rules: { privacy/ticket: { level: 'off', paths: { 'goals/*/todos/*': error } } }\n", Some("error")),
    ];
    for (rules, level) in cases {
        let place = place(rules);
        let expected: Vec<String> = level.iter().map(|level| (*level).to_owned()).collect();
        let code = Some(i32::from(level == Some("error")));
        assert_eq!(found(place.path(), &["lint"]), (code, expected.clone()), "lint {rules}");
        assert_eq!(found(place.path(), &["lint", TODO]), (code, expected.clone()), "lint of the file {rules}");
        assert_eq!(found(place.path(), &["scan", TODO]), (code, expected.clone()), "scan {rules}");
        let todos = place.path().join("goals/ledger/todos");
        assert_eq!(found(&todos, &["scan", "."]), (code, expected.clone()), "scan from a folder below {rules}");
        assert_eq!(is_refused(place.path()), level == Some("error"), "status {rules}");
    }
}

/// The id of a rule is a key of the policy, and no field of the material that the rule is about.
#[test]
fn a_policy_may_name_every_rule_that_has_levels() {
    for rule in Class::all().filter(|class| class.can_be_excepted()).map(Class::rule) {
        let place = place(&format!("rules: {{ {rule}: note }}\n"));
        for command in ["lint", "scan"] {
            let output = loopx(place.path(), &[command, "policies/team.yaml"]);
            assert_eq!(output.status.code(), Some(0), "{command} {rule}: {output:?}");
        }
    }
}

#[test]
fn secrets_and_transcripts_have_one_level() {
    let place =
        place("rules: { privacy/secret: 'off', privacy/transcript: warning, privacy/flag-contradicted: note }\n");
    let secret = format!("gh{}_{}", "p", "k7Qz2mXw9RbT4vNc8LpJk7Qz2mXw9RbT4vNc");
    std::fs::write(place.path().join("notes.txt"), format!("kept: {secret}\n")).expect("a file");
    assert_eq!(loopx(place.path(), &["scan", "notes.txt"]).status.code(), Some(1));
    let output = loopx(place.path(), &["lint", "policies/team.yaml"]);
    let text = String::from_utf8(output.stdout).expect("text");
    for rule in ["privacy/secret", "privacy/transcript", "privacy/flag-contradicted"] {
        assert!(text.contains(&format!("no policy sets a level for {rule}: it is always an error")), "{text}");
    }
}

/// What is kept in memory judges every file again when a level changes, though what is private stays the same.
#[test]
fn a_watch_sees_a_changed_level() {
    let memory = |rules: &str| -> MemoryFiles {
        files(rules).into_iter().map(|(path, text)| (path, text.into_bytes())).collect()
    };
    let as_of = Instant::parse(NOW).expect("a time");
    let mut kept = keep(&memory(""), Judge::default(), as_of);
    let is_refused = |kept: &loopx::workspace::IncrementalWorkspace| {
        let workspace = kept.workspace();
        workspace.entries[workspace.index.at(TODO).expect("the todo")].refused.is_some()
    };
    assert!(is_refused(&kept));
    kept.walk(&memory("rules: { privacy/ticket: warning }\n"), as_of);
    assert!(!is_refused(&kept));
    kept.walk(&memory(""), as_of);
    assert!(is_refused(&kept));
}
