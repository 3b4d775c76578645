//! Paths as findings show them: from the repository's root for hosts of code, as they were typed for people.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::store::sandbox::{Sandbox, put};

const NOW: &str = "2026-03-07T12:00:00Z";
const STATE: &str = "team/loopx";
const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";

/// A repository with a state directory below its root, in which one gate has a misspelled word.
fn repository() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let repo = sandbox.init("repo", &[]);
    let state = repo.join(STATE);
    put(&state, "loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: main }\n");
    put(
        &state,
        "goals/ledger/goal.yaml",
        "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads\nowner: maya\nagents: { codex-main: code }\n\
         boundary: { write_scope: [services/**], stop_condition: stop at a failed check }\n",
    );
    put(
        &state,
        GATE,
        "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: switch-2f8q\nquestion: May it switch?\n\
         required_actor: ownr\nblocks: none\nrequested: { by: codex-main, at: 2026-03-05T09:10:00Z }\n",
    );
    put(&repo, "team/n.txt", &format!("postgres://u:{}@db/x\n", ["Tr0ub4dor", "Q9xLmZ"].concat()));
    sandbox.git(&repo, &["add", "--all"]);
    sandbox.git(&repo, &["commit", "--quiet", "--message=state"]);
    (sandbox, repo)
}

fn loopx(sandbox: &Sandbox, place: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
    sandbox.scrub(&mut command);
    command.current_dir(place).args(["--now", NOW]).args(arguments).output().expect("the program runs")
}

fn out(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The files that annotations name.
fn annotated(sandbox: &Sandbox, place: &Path, arguments: &[&str]) -> Vec<String> {
    let text = out(&loopx(sandbox, place, &[arguments, &["--format", "github"]].concat()));
    let file = |line: &str| line.split_once("file=")?.1.split(',').next().map(str::to_owned);
    text.lines().filter_map(file).collect()
}

/// The files that a log of code scanning names.
fn uris(sandbox: &Sandbox, place: &Path, arguments: &[&str]) -> Vec<String> {
    let text = out(&loopx(sandbox, place, &[arguments, &["--format", "sarif"]].concat()));
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results").iter();
    let uri = |result: &Value| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    results.map(|result| uri(result).as_str().expect("a path").to_owned()).collect()
}

/// `07-annotation-paths.sh`: a host of code finds a file by its path from the repository's root alone.
#[test]
fn hosts_of_code_get_paths_from_the_root_of_the_repository() {
    let (sandbox, repo) = repository();
    sandbox.git(&repo, &["worktree", "add", "--quiet", "../other"]);
    let worktree = repo.parent().expect("a folder").join("other");
    let gate = format!("{STATE}/{GATE}");
    let absolute = repo.join(STATE).to_string_lossy().into_owned();
    for root in [&repo, &worktree] {
        let goals = root.join(STATE).join("goals");
        let places: [(&Path, &[&str]); 6] = [
            (root, &["lint"]),
            (root, &["-C", STATE, "lint"]),
            (&goals, &["lint"]),
            (&goals, &["lint", "ledger/gates"]),
            (root, &["lint", &gate]),
            (root, &["-C", "team", "lint", "--rev", "HEAD"]),
        ];
        for (place, arguments) in places {
            assert_eq!(annotated(&sandbox, place, arguments), [gate.as_str()], "{arguments:?}");
            assert_eq!(uris(&sandbox, place, arguments), [gate.as_str()], "{arguments:?}");
        }
        let scans: [(&Path, &[&str]); 3] = [
            (&root.join("team"), &["scan", "n.txt"]),
            (root, &["-C", "team", "scan", "."]),
            (&goals, &["scan", "../../n.txt"]),
        ];
        for (place, arguments) in scans {
            assert_eq!(annotated(&sandbox, place, arguments), ["team/n.txt"], "{arguments:?}");
            assert_eq!(uris(&sandbox, place, arguments), ["team/n.txt"], "{arguments:?}");
        }
    }
    // From anywhere else, by its whole path.
    let elsewhere = sandbox.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    assert_eq!(annotated(&sandbox, &elsewhere, &["lint", &absolute]), [gate.as_str()]);
}

/// The paths that a run names line by line.
fn shown(sandbox: &Sandbox, place: &Path, arguments: &[&str]) -> Vec<String> {
    let text = out(&loopx(sandbox, place, &[arguments, &["--format", "concise"]].concat()));
    text.lines().map(|line| line.split(" error ").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_was_typed_is_shown_as_typed() {
    let (sandbox, _) = repository();
    // A home is what the wall hides first; this one stands in a folder that the test may write.
    let home = sandbox.path("home").join("alice");
    let secret = format!("gh{}_{}", "p", "k7Qz2mXw9RbT4vNc8LpJk7Qz2mXw9RbT4vNc");
    put(&home, "notes/n.txt", &format!("kept: {secret}\n"));
    let absolute = home.to_string_lossy().into_owned();
    let elsewhere = sandbox.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let place = format!("{absolute}/notes/n.txt:1:7");
    assert_eq!(shown(&sandbox, &elsewhere, &["scan", &absolute]), [place.as_str()]);
    assert_eq!(shown(&sandbox, &elsewhere, &["scan", &format!("{absolute}/notes/n.txt")]), [place.as_str()]);
    assert_eq!(shown(&sandbox, &elsewhere, &["scan", "../home/alice/notes/"]), ["../home/alice/notes/n.txt:1:7"]);
    assert_eq!(shown(&sandbox, &home, &["scan", "./notes"]), ["./notes/n.txt:1:7"]);
    assert_eq!(shown(&sandbox, &home, &["scan", "."]), ["notes/n.txt:1:7"]);
    // A name that nobody typed is masked as ever, in each of its parts.
    put(&home, &format!("{secret}/deep/n.txt"), "fine\n");
    let found = shown(&sandbox, &elsewhere, &["scan", &absolute]);
    assert!(found.contains(&format!("{absolute}/‹hidden: secret›/deep/n.txt")), "{found:?}");
}

#[test]
fn a_named_document_is_shown_as_typed_wherever_it_stands() {
    let (sandbox, repo) = repository();
    let elsewhere = sandbox.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let gate = repo.join(STATE).join(GATE).to_string_lossy().into_owned();
    assert_eq!(shown(&sandbox, &elsewhere, &["lint", &gate]), [format!("{gate}:5:17")]);
    let relative = format!("../repo/{STATE}/goals");
    assert_eq!(shown(&sandbox, &elsewhere, &["lint", &relative]), [format!("../repo/{STATE}/{GATE}:5:17")]);
}

/// Each part of a path that goes where the file goes is judged, not only the name of the file.
#[test]
fn a_refused_folder_name_is_found_above_a_clean_file_name() {
    let (sandbox, repo) = repository();
    let address = ["alice", "@", "corp-mail.io"].concat();
    put(&repo, &format!("docs/{address}/plan.txt"), "fine\n");
    let rules = |place: &Path, arguments: &[&str]| {
        let output = loopx(&sandbox, place, &[arguments, &["--format", "json"]].concat());
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let findings = report["findings"].as_array().expect("a list").clone();
        findings.iter().map(|finding| finding["rule"].as_str().expect("a rule").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&repo, &["scan", "docs"]), ["privacy/personal-data"]);
    // The folder is judged wherever the run is started, since it is part of the repository.
    assert_eq!(rules(&repo.join("docs").join(&address), &["scan", "plan.txt"]), ["privacy/personal-data"]);
    // In a state directory too.
    put(&repo.join(STATE), &format!("goals/ledger/{address}/x.yaml"), "a: 1\n");
    assert!(rules(&repo, &["lint"]).contains(&"privacy/personal-data".to_owned()));
    // Outside any repository the folders above what was typed are nobody's business.
    let outside = sandbox.path(&address);
    put(&outside, "plan.txt", "fine\n");
    let typed = outside.join("plan.txt").to_string_lossy().into_owned();
    assert_eq!(rules(&repo, &["scan", &typed]), [""; 0]);
}
