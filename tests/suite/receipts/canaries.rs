//! Nothing private leaves: canaries stand in every input, and no surface of the program shows one.

use std::io::Write as _;
use std::process::Stdio;

use super::team::{Said, Team, decided};

/// Material of several kinds, each with a mark that stands nowhere else.
struct Canaries {
    path: String,
    token: String,
    mail: String,
    host: String,
}

/// What is searched for: parts of each canary that are long enough to be no chance.
const MARKS: [&str; 4] = ["quillonby", "Zq7Xw3Kp9Vt5Rn1M", "wrenfield", "otterbeck"];

impl Canaries {
    fn new() -> Self {
        Self {
            path: ["/ho", "me/", MARKS[0], "/plans/secret.txt"].concat(),
            token: format!("gh{}_{}{}", "p", MARKS[1], "Hc4Jd8Lf2Sg6Wb0YzAuE"),
            mail: [MARKS[2], "@", "mail", ".dev"].concat(),
            host: ["https://", MARKS[3], ".corp", "/x"].concat(),
        }
    }

    fn all(&self) -> [&str; 4] {
        [&self.path, &self.token, &self.mail, &self.host]
    }
}

/// Fails when a text holds six letters in a row of a mark.
fn holds_none(text: &str, what: &str) {
    for mark in MARKS {
        for at in 0..=mark.len() - 6 {
            assert!(!text.contains(&mark[at..at + 6]), "{what} shows a canary:\n{text}");
        }
    }
}

/// A repository whose every kind of place holds a canary: values, keys, comments, anchors and tags, a file that does
/// not parse, names of files, ids, facts, policy, receipts, and the message of a commit.
fn planted(canaries: &Canaries) -> Team {
    let team = Team::new();
    let Canaries { path, token, mail, host } = canaries;
    team.put("goals/ledger/gates/switch-2f8q.yaml", &format!("{}# see {path} and {host}\n", decided("approve")));
    team.put(
        "goals/ledger/todos/keys-7k2p.yaml",
        &format!(
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: keys-7k2p\ntitle: 'Ask {mail} about {path}'\n\
             task_class: advancement_task\n'{token}': 1\nafter: [&{token} x, !{token} y]\n"
        ),
    );
    team.put("goals/ledger/todos/broken-3m1q.yaml", &format!("title: [unclosed {token}\n  at: {path}\n\t{mail}"));
    team.put(&format!("goals/ledger/todos/{token}.yaml"), &format!("todo_id: {token}\nnote: {host}\n"));
    team.put(
        "facts/codex_cli_tui/s-ledger.yaml",
        &format!("schema_version: session_runtime_facts_v0\nruntime_id: codex_cli_tui\nsession_id: s-ledger\nstatus: {path}\nupdated_at: {mail}\n"),
    );
    team.put(
        "policies/team.yaml",
        &format!("schema_version: loopx_policy_v0\nprivacy:\n  ticket_prefixes: [ACME]\nrules: {{ '{token}': error }}\nactors: {{ {mail}: {path} }}\n"),
    );
    team.put("receipts/ledger/ab/run-ab00000000000000.yaml", &format!("run_id: {token}\nat: {path}\n"));
    team.commit(&format!("note {token}\n\nseen at {path} by {mail}, {host}"));
    team
}

/// The program with more around it than most commands need.
fn say(team: &Team, arguments: &[&str], input: &str) -> Said {
    let mut command = team.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that reads no input may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Said::of(child.wait_with_output().expect("the program ends"))
}

/// Runs a command, which must exist and end as it is meant to; nothing of it shows a canary.
fn shows_none(team: &Team, run: &[&str], input: &str, code: i32) {
    let said = say(team, run, input);
    assert_eq!(said.code, Some(code), "loopx {run:?}: {said:?}");
    holds_none(&said.out, &format!("stdout of {run:?}"));
    holds_none(&said.err, &format!("stderr of {run:?}"));
}

#[test]
fn no_command_shows_or_writes_a_canary() {
    let canaries = Canaries::new();
    let team = planted(&canaries);
    let before = team.git(&["rev-parse", "HEAD"]);
    let todo = "loopx/goals/ledger/todos/keys-7k2p.yaml";
    for format in ["human", "concise", "json"] {
        for (command, code) in [
            (&["lint"][..], 1),
            (&["lint", todo], 1),
            (&["lint", "--fix", "--dry-run"], 1),
            (&["lint", "--staged"], 0),
            (&["lint", "--rev", "HEAD"], 1),
            (&["scan", "loopx"], 1),
            (&["scan", todo, "--jsonl"], 1),
            (&["plan"], 0),
            (&["plan", "--diff"], 0),
            (&["status"], 0),
            (&["record", "--dry-run"], 0),
            (&["record"], 0),
            (&["receipts", "list"], 0),
            (&["receipts", "verify"], 1),
            (&["receipts", "show", "run-ab00000000000000"], 0),
            (&["todo", "done", "keys-7k2p", "--execute"], 3),
            (&["gate", "ask", "switch-2f8q", "--by", "maya"], 0),
            (&["reconcile"], 0),
            (&["reconcile", "--commit"], 0),
        ] {
            for more in [&["--format", format, "-v"][..], &["--format", format]] {
                shows_none(&team, &[command, more].concat(), "", code);
            }
        }
    }
    for format in ["sarif", "github"] {
        for command in [&["lint"][..], &["scan", "loopx"]] {
            shows_none(&team, &[command, &["--format", format]].concat(), "", 1);
        }
    }
    for format in ["human", "json", "markdown"] {
        shows_none(&team, &["review", "HEAD~1..HEAD", "--format", format], "", 1);
    }
    for (run, code) in [
        (&["watch", "--once"][..], 0),
        (&["scan", todo, "--redact"], 0),
        (&["init"], 0),
        (&["explain", "privacy/secret"], 0),
        (&["schema", "gate"], 0),
        (&["version"], 0),
    ] {
        shows_none(&team, run, "", code);
    }
    // The facts that were planted are ignored by git; every other file that is new was written by the program.
    let new = team.git(&["status", "--porcelain", "--ignored", "--untracked-files=all"]);
    for written in new.lines().filter(|line| !line.contains("/facts/")) {
        let path = team.repo.join(written[3..].trim_matches('"'));
        holds_none(&String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()), written);
    }
    for commit in team.git(&["rev-list", &format!("{}..HEAD", before.trim())]).lines() {
        holds_none(&team.git(&["show", "--format=raw", "--unified=0", commit]), commit);
    }
}

#[test]
fn no_argument_comes_back() {
    let canaries = Canaries::new();
    let team = Team::new();
    for canary in canaries.all() {
        for (run, code) in [
            (&[canary][..], 2),
            (&["lint", canary], 3),
            (&["lint", "--", canary], 3),
            (&["lint", "--since", canary], 3),
            (&["lint", "--rev", canary], 3),
            (&["scan", canary], 3),
            (&["scan", "-", "--policy", canary], 3),
            (&["review", canary], 3),
            (&["review", "main..HEAD", "--reviewers", canary], 3),
            (&["explain", canary], 1),
            (&["schema", canary], 2),
            (&["status", "--goal", canary], 3),
            (&["status", "--agent", canary], 3),
            (&["receipts", "show", canary], 3),
            (&["receipts", "verify", "--since", canary], 3),
            (&["project", canary], 3),
            (&["-C", canary, "lint"], 3),
            (&["--now", canary, "lint"], 2),
            (&["--color", canary, "lint"], 2),
            (&["lint", "--format", canary], 2),
            (&["lint", &format!("--{canary}")], 2),
            (&["lint", &format!("-z{canary}")], 2),
            (&["lint", &format!("--format={canary}")], 2),
            (&["lint", &format!("--now={canary}")], 2),
            (&["writeback", "approve", "x", "--digest", canary], 2),
        ] {
            shows_none(&team, run, canary, code);
        }
        // What is said with an act would be written, and is refused.
        let said: [(&[&str], i32); 8] = [
            (&["gate", "decide", canary, "approve", "--reason", "fine"], 3),
            (&["gate", "decide", "switch-2f8q", "approve", "--reason", canary], 1),
            (&["gate", "decide", "switch-2f8q", canary, "--reason", "fine"], 2),
            (&["gate", "ask", "switch-2f8q", "--evidence", canary], 1),
            (&["gate", "withdraw", "switch-2f8q", "--reason", canary], 1),
            (&["goal", "register", "ledger", canary, "--scope", "reads"], 1),
            (&["goal", "register", "ledger", "worker", "--scope", canary], 1),
            (&["todo", "done", "switch", "--evidence", canary], 1),
        ];
        for (act, code) in said {
            for format in ["human", "concise", "json"] {
                let by: &[&str] = if ["goal", "todo"].contains(&act[0]) { &[] } else { &["--by", "maya"] };
                shows_none(&team, &[act, by, &["--execute", "--format", format]].concat(), canary, code);
            }
        }
    }
    assert_eq!(team.git(&["status", "--porcelain"]), "", "nothing of it is written");
}

#[test]
fn no_payload_comes_back() {
    let canaries = Canaries::new();
    let team = Team::new();
    for canary in canaries.all() {
        let payload = format!(
            "{{\"goal_id\": \"{canary}\", \"sessions\": [{{\"{canary}\": \"{canary}\"}}], \"gates\": [\"{canary}\"]}}"
        );
        for (run, code) in [
            (&["project"][..], 0),
            (&["project", "--format", "json"], 0),
            (&["scan", "-"], 1),
            (&["scan", "-", "--jsonl", "--format", "json"], 1),
            (&["scan", "-", "--redact"], 0),
            (&["lint", "-"], 1),
            (&["lint", "-", "--format", "concise", "-v"], 1),
        ] {
            shows_none(&team, run, &payload, code);
        }
    }
}
