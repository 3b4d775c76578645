//! Acts that commands write into documents: what they show, what they refuse, and that the command of a row clears it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use loopx::vocabulary::{ClosedWords, Reason, reasons};
use loopx::workspace::Files;
use serde_json::Value;

use crate::fixture::Folder;
use crate::receipts::team::{ASKED, NOW, STATE, Team};
use crate::store::sandbox::Sandbox;

/// The reasons that no document can clear, with what their row names instead of a change.
const OTHERWISE: &[(Reason, &str)] = &[
    (Reason::DocumentInvalid, "loopx lint"),
    (Reason::UnsafeMaterial, "loopx lint"),
    (Reason::ConflictingDecisions, "loopx receipts verify"),
    (Reason::QuotaExhausted, "loopx status"),
    (Reason::WritebackFailed, "loopx receipts show"),
];

/// A fixture as a repository, all of it committed.
struct Place {
    sandbox: Sandbox,
    repo: PathBuf,
    now: String,
}

impl Place {
    fn of(fixture: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reconcile").join(fixture);
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        let fixture = Folder::read(&folder);
        for name in fixture.list() {
            // What the authority ref holds in a fixture is committed here already.
            if !name.ends_with(".txt") && !name.starts_with("reference/") {
                let path = repo.join(name);
                std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                std::fs::write(path, fixture.read(name).expect("bytes")).expect("a file");
            }
        }
        let now = std::fs::read_to_string(folder.join("as_of.txt")).expect("an instant").trim().to_owned();
        let place = Self { sandbox, repo, now };
        place.commit();
        if folder.join("recorded.txt").exists() {
            place.run(&["reconcile", "--commit"]);
        }
        place
    }

    fn commit(&self) {
        self.sandbox.git(&self.repo, &["add", "--all", "--force"]);
        self.sandbox.git(&self.repo, &["commit", "--quiet", "--allow-empty", "--message=as it is"]);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        command.current_dir(&self.repo).args(["--now", &self.now]).args(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("loopx");
        // A program that needs no input may have ended.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        child.wait_with_output().expect("loopx ends")
    }

    /// The rows of the queue.
    fn rows(&self) -> Vec<Value> {
        self.run(&["reconcile"]);
        let queue = std::fs::read(self.repo.join("attention.json")).expect("the queue");
        let queue: Value = serde_json::from_slice(&queue).expect("JSON");
        queue["rows"].as_array().expect("rows").clone()
    }

    fn row(&self, reason: Reason) -> Option<Value> {
        self.rows().into_iter().find(|row| row["reason"] == reason.word())
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// The command of a row as its owner would type it.
fn typed(row: &Value) -> Vec<String> {
    let command = text(&row["command"]).replace("approve|reject|defer", "approve").replace("\"...\"", "because");
    let command = command.replace("GOAL AGENT", "ledger codex-main");
    let mut words: Vec<String> = command.split(' ').skip(1).map(|word| word.replace("ID", "out-1")).collect();
    // Hosts report at once, and in nobody's name.
    let alone = ["reconcile", "record", "lint", "receipts", "status", "run", "refresh-state"];
    if !alone.contains(&words[0].as_str()) {
        let asks = words[..2] == ["gate", "ask"];
        let (name, class) = match asks {
            // Whoever asks does not decide.
            true => ("codex-main", "agent"),
            false => (text(&row["owner"]["name"]), text(&row["owner"]["actor_class"])),
        };
        // What no document records nobody is asked for.
        let names_who = !["todo", "goal"].contains(&words[0].as_str());
        words.extend(["--by", name, "--as", class].into_iter().filter(|_| names_who).map(str::to_owned));
        words.push("--execute".to_owned());
    }
    words
}

/// Reasons whose row asks for an edit that no command makes: the row names a file and what it needs.
const EDITED: &[Reason] = &[Reason::WritebackTargetUnavailable];

/// What the host of a session reports where a row asks for it.
const REPORTED: &[(Reason, &str)] = &[
    (Reason::CapabilityUnavailable, r#"{"event_id": "now-1", "kind": "delivery", "status": "accepted"}"#),
    (Reason::TurnUnresolved, r#"{"event_id": "now-1", "kind": "turn", "status": "completed"}"#),
    (Reason::ClaimedNotStarted, r#"{"event_id": "now-1", "kind": "turn", "status": "started"}"#),
];

/// Reasons that have no row: each is listed under another one, or says that nothing differs.
const WITHOUT_ROW: &[Reason] =
    &[Reason::ChangeNotRecorded, Reason::HostCompletedGoalBlocked, Reason::SourceEventNotRecorded, Reason::InStep];

/// Each reason is tried: its command clears it, or it stands in one of the tables above.
#[test]
fn the_command_of_a_row_clears_it() {
    let (mut edited, mut without) = (Vec::new(), Vec::new());
    for reason in reasons() {
        let place = Place::of(&format!("{reason}/yields"));
        let Some(row) = place.row(*reason) else {
            without.push(*reason);
            continue;
        };
        let command = text(&row["command"]);
        let otherwise = OTHERWISE.iter().find(|(other, _)| other == reason);
        if let Some((_, instead)) = otherwise {
            assert!(command.starts_with(instead), "{reason}: {command}");
        } else if let Some(edit) = command.strip_prefix("edit ") {
            let (path, what) = edit.split_once(": ").expect("a file and what it needs");
            assert!(path.ends_with(".yaml") && !what.is_empty(), "{reason}: {command}");
            edited.push(*reason);
            continue;
        }
        assert!(command.starts_with("loopx "), "{reason}: {command}");
        let words = typed(&row);
        let reported = REPORTED.iter().find(|(other, _)| other == reason);
        assert_eq!(reported.is_some(), command.starts_with("loopx run record -"), "{reason}: {command}");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = place.run_with(&words, reported.map_or("", |(_, item)| item));
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("Unicode");
        assert_ne!(output.status.code(), Some(2), "{reason}: {words:?}\n{said}");
        if otherwise.is_some() {
            continue;
        }
        assert!(output.status.success(), "{reason}: {words:?}\n{said}");
        place.commit();
        let again = place.rows();
        let is_left = |it: &&Value| it["reason"] == row["reason"] && it["about"] == row["about"];
        assert!(!again.iter().any(|it| is_left(&it)), "{reason}: {words:?}\n{said}");
    }
    assert_eq!((edited.as_slice(), without.as_slice()), (EDITED, WITHOUT_ROW));
}

#[test]
fn a_decision_is_shown_then_written_with_its_receipt_then_counts() {
    let team = Team::new();
    let decide = ["gate", "decide", "switch", "approve", "--reason", "48 hours: no mismatch", "--by", "maya"];
    let shown = team.loopx(&decide);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let receipt = shown.out.lines().find(|line| line.contains("  + receipts/")).expect("its receipt").trim();
    snapbox::assert_data_eq!(
        shown.out.replace(receipt.split("  ").next().expect("its path"), "+ receipts/RECEIPT.yaml"),
        snapbox::str![[r#"
goals/ledger/gates/switch-2f8q.yaml
   6   blocks: [switch-9d4m]
   7   requested: { by: codex-main, at: 2026-03-05T09:10:00Z }
   8 + decision:
   9 +   label: approve
  10 +   actor_class: owner
  11 +   by: maya
  12 +   at: 2026-03-07T12:00:00Z
  13 +   reason: '48 hours: no mismatch'

  + receipts/RECEIPT.yaml  gate switch-2f8q approved by owner
  once that counts:
    ledger codex-main: advance switch-9d4m: Switch the read flag (was: waits on owner for
      switch-2f8q)
    gate state: approved (was: operator_gate)
    quota state: eligible (was: operator_gate)
    reasons: + in_step, - missing_gate_decision
    run id: run-a1923f3c7c19c037 (was: none)

1 document and 1 receipt to write; nothing is written yet: --execute

"#]]
    );
    assert_eq!(team.sandbox.status(&team.repo), "", "a look writes nothing");
    let done = team.loopx(&[&decide[..], &["--execute"]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.ends_with("written. They count once they are committed: commit them together.\n"), "{done:?}");
    team.commit("decide");
    let agent = team.loopx(&["status", "--agent", "codex-main", "--format", "concise"]).out;
    assert!(agent.contains("may_continue=yes"), "{agent}");
    assert_eq!(team.loopx(&["receipts", "verify"]).code, Some(0));
    assert_eq!(team.loopx(&["lint"]).code, Some(0));
}

/// Lines have the numbers that they are found at once it is written; and nothing is announced that does not follow.
#[test]
fn what_is_shown_of_an_act_is_what_it_leaves() {
    let team = Team::new();
    team.put("goals/ledger/gates/switch-2f8q.yaml", &format!("{ASKED}# to be decided by friday\n# at noon\n"));
    let shown = team.does(&[
        "gate",
        "decide",
        "switch",
        "defer",
        "--until",
        "2026-03-12T00:00:00Z",
        "--by",
        "maya",
        "--reason",
        "not yet",
    ]);
    let done = [
        "gate",
        "decide",
        "switch",
        "defer",
        "--until",
        "2026-03-12T00:00:00Z",
        "--by",
        "maya",
        "--reason",
        "not yet",
        "--execute",
    ];
    team.does(&done);
    let written = team.read("goals/ledger/gates/switch-2f8q.yaml");
    let written: Vec<&str> = written.lines().collect();
    let mut numbered = 0;
    for line in shown.lines().skip(1).take_while(|line| !line.is_empty()) {
        let Some((number, text)) = line.trim_start().split_once(' ') else { continue };
        let (sign, text) = text.split_at(2.min(text.len()));
        assert_ne!(sign.trim(), "-", "an act only adds: {line}");
        let at: usize = number.parse().expect("a number");
        assert_eq!(written.get(at - 1), Some(&text), "{shown}");
        numbered += 1;
    }
    assert!(numbered >= 8, "{shown}");
    for arguments in [
        &["goal", "register", "ledger", "worker", "--scope", "measures"][..],
        &["reward", "give", "out-1", "positive", "--reason", "it held", "--by", "maya", "--goal", "ledger"],
        &["todo", "add", "Drop the old table", "--goal", "ledger"],
        &["gate", "request", "May it?", "--by", "codex-main", "--goal", "ledger"],
    ] {
        let shown = team.does(arguments);
        let lines: Vec<&str> = shown.lines().collect();
        for (at, line) in
            lines.iter().enumerate().filter(|(_, line)| line.ends_with("then:") || line.ends_with("counts:"))
        {
            assert!(lines.get(at + 1).is_some_and(|next| next.starts_with("    ")), "nothing below {line:?}: {shown}");
        }
    }
}

#[test]
fn documents_are_started_as_people_write_them() {
    let team = Team::new();
    let by = |name| ["--goal", "ledger", "--execute", "--by", name];
    let question = "May codex-main drop the old table?";
    let done = |arguments: &[&str], name| {
        // What no document records nobody is asked for.
        let options = if arguments[0] == "todo" { by(name)[..3].to_vec() } else { by(name).to_vec() };
        let said = team.loopx(&[arguments, &options].concat());
        assert_eq!(said.code, Some(0), "{said:?}");
    };
    done(&["todo", "add", "Drop the old table", "--id", "drop-5x1c", "--after", "switch-9d4m"], "maya");
    done(
        &["gate", "request", question, "--id", "drop-7q2m", "--blocks", "drop-5x1c", "--expires-in", "3d"],
        "codex-main",
    );
    let draft = ["handoff", "draft", "drop-5x1c", "--to", "codex-main", "--from", "codex-main", "--gate", "drop-7q2m"];
    let terms = ["--next", "Drop it", "--stop", "Stop at the first reader", "--id", "drop-3k8w"];
    done(&[&draft[..], &terms].concat(), "maya");
    done(&["reward", "give", "out-1", "positive", "--reason", "it held", "--id", "held-1a2b"], "maya");
    for (path, text) in [
        (
            "todos/drop-5x1c.yaml",
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: drop-5x1c\ntitle: Drop the old table\n\
             task_class: advancement_task\nafter:\n  - switch-9d4m\n",
        ),
        (
            "gates/drop-7q2m.yaml",
            "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: drop-7q2m\n\
             question: May codex-main drop the old table?\nrequired_actor: owner\nblocks:\n  - drop-5x1c\n\
             requested:\n  by: codex-main\n  at: 2026-03-07T12:00:00Z\nexpires_at: 2026-03-10T12:00:00Z\n",
        ),
        (
            "handoffs/drop-3k8w.yaml",
            "schema_version: handoff_packet_v0\ngoal_id: ledger\nhandoff_id: drop-3k8w\nfrom_agent: codex-main\n\
             to_agent: codex-main\ntodo_id: drop-5x1c\ngate_id: drop-7q2m\nnext_action: Drop it\n\
             stop_condition: Stop at the first reader\nexpires_at: 2026-03-10T12:00:00Z\n",
        ),
        (
            "rewards/held-1a2b.yaml",
            "schema_version: human_reward_v0\ngoal_id: ledger\nreward_id: held-1a2b\njudges: out-1\n\
             reward: positive\ngiven:\n  by: maya\n  actor_class: owner\n  at: 2026-03-07T12:00:00Z\n  \
             reason: it held\n",
        ),
    ] {
        assert_eq!(team.read(&format!("goals/ledger/{path}")), text);
    }
    assert!(team.does(&["receipts", "list"]).contains("reward held-1a2b positive by owner"), "it has its receipt");
    let taken = team.loopx(&[&["todo", "add", "Another", "--id", "drop-5x1c"], &by("maya")[..3]].concat());
    assert_eq!(taken.code, Some(1), "{taken:?}");
    assert!(taken.err.contains("goals/ledger/todos/drop-5x1c.yaml is there already"), "{taken:?}");
    let named = team.loopx(&["gate", "request", "May it?", "--by", "codex-main", "--format", "concise"]);
    assert!(named.out.starts_with("goals/ledger/gates/may-it-"), "{named:?}");
}

#[test]
fn what_a_rule_forbids_is_never_written() {
    let team = Team::new();
    let decide = ["gate", "decide", "switch-2f8q", "approve", "--reason", "fine", "--execute", "--by"];
    for (by, rule) in [("codex-main", "authority/agent-decides"), ("ravi", "authority/wrong-class")] {
        let said =
            team.loopx(&[&decide[..], &[by, "--as", if by == "ravi" { "controller" } else { "agent" }]].concat());
        assert_eq!(said.code, Some(1), "{said:?}");
        assert!(said.out.contains(rule) && said.out.ends_with("Refused: nothing was written.\n"), "{said:?}");
        assert_eq!(team.sandbox.status(&team.repo), "");
    }
    let secret = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let said =
        team.loopx(&["gate", "decide", "switch-2f8q", "approve", "--by", "maya", "--execute", "--reason", &secret]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(!said.out.contains(&secret) && !said.err.contains(&secret), "{said:?}");
    assert_eq!(team.sandbox.status(&team.repo), "");
}

#[test]
fn an_act_that_does_not_fit_says_why() {
    let team = Team::new();
    let refused = |arguments: &[&str], code: i32, error: &str| {
        let said = team.loopx(arguments);
        assert_eq!((said.code, said.out.as_str()), (Some(code), ""), "{said:?}");
        assert!(said.err.contains(error), "{error}\n{said:?}");
    };
    let gate = |id| ["gate", "decide", id, "approve", "--reason", "fine", "--by", "maya"];
    refused(
        &gate("swich-2f8q"),
        3,
        "unknown_document]: No such document is here: gate swich-2f8q; did you mean switch-2f8q?",
    );
    refused(&gate("switch-2f8q")[..6], 3, "unknown_actor");
    refused(&["gate", "decide", "switch", "approve", "--reason", "x", "--by", "zoe"], 3, "unknown_class");
    refused(&["gate", "decide", "switch", "aprove", "--reason", "x"], 2, "did you mean `approve`?");
    refused(&["goal", "register", "ledger", "codex-main", "--scope", "x"], 1, "ledger lists codex-main already");
    let ahead = [&gate("switch")[..], &["--at", "2026-03-08T12:00:00Z"]].concat();
    refused(&ahead, 1, "that instant lies ahead");
    team.decide("approve");
    refused(&gate("switch-2f8q"), 1, "switch-2f8q has a `decision` already; try: loopx gate ask switch-2f8q");
    let twin = team.read("goals/ledger/gates/switch-2f8q.yaml").replace("ledger", "other");
    team.put("goals/other/gates/switch-2f8q.yaml", &twin);
    refused(&gate("switch-2f8q"), 3, "switch-2f8q of ledger, switch-2f8q of other");
    // A goal that is named whole is that goal, whatever others begin with its id.
    team.put("goals/ledger-two/gates/switch-2f8q.yaml", &twin.replace("other", "ledger-two"));
    let named = [&gate("switch-2f8q")[..], &["--goal", "ledger"]].concat();
    refused(&named, 1, "switch-2f8q has a `decision` already");
    refused(&[&gate("switch-2f8q")[..], &["--goal", "lodger"]].concat(), 3, "unknown_goal");
    team.put("goals/ledger/gates/switch-2f8q.yaml", "question: [\n");
    refused(&named, 3, "document_unusable]: The document cannot be used as it stands: goals/ledger/gates/");
}

#[test]
fn an_act_is_written_as_the_file_is() {
    let team = Team::new();
    let path = format!("{STATE}/goals/ledger/goal.yaml");
    let register = ["goal", "register", "ledger", "worker-bench", "--scope", "measures, only", "--execute"];
    let said = team.loopx(&register);
    assert_eq!(said.code, Some(0), "{said:?}");
    let text = std::fs::read_to_string(team.repo.join(&path)).expect("the goal");
    assert!(text.contains("agents: { codex-main: writes the switch, worker-bench: 'measures, only' }\n"), "{text}");
    let done = ["todo", "done", "switch", "--evidence", "out-1", "--execute"];
    let windows = team.read("goals/ledger/todos/switch-9d4m.yaml").replace('\n', "\r\n");
    team.put("goals/ledger/todos/switch-9d4m.yaml", &windows);
    assert_eq!(team.loopx(&done).code, Some(0));
    let text = team.read("goals/ledger/todos/switch-9d4m.yaml");
    let added =
        "task_class: advancement_task\r\nstatus: done\r\ndone_at: 2026-03-07T12:00:00Z\r\nevidence:\r\n  - out-1\r\n";
    assert!(text.contains(added), "{text:?}");
    std::fs::remove_file(team.repo.join(STATE).join("goals/ledger/gates/switch-2f8q.yaml")).expect("the gate");
    let json = "{\n  \"schema_version\": \"operator_gate_v0\",\n  \"goal_id\": \"ledger\",\n  \"gate_id\": \"switch-2f8q\",\n  \
                \"question\": \"May it?\",\n  \"required_actor\": \"owner\",\n  \
                \"requested\": {\"by\": \"codex-main\", \"at\": \"2026-03-05T09:10:00Z\"}\n}\n";
    team.put("goals/ledger/gates/switch-2f8q.json", json);
    let said = team.loopx(&["gate", "decide", "switch", "reject", "--reason", "no", "--by", "maya", "--execute"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let decided: Value = serde_json::from_str(&team.read("goals/ledger/gates/switch-2f8q.json")).expect("JSON still");
    assert_eq!(decided["decision"]["label"], "reject");
    let said = team.loopx(&["gate", "ask", "switch", "--by", "codex-main", "--execute", "--format", "json"]);
    let said: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!((&said["written"], &said["refused"]), (&Value::Bool(true), &Value::Bool(false)));
    let asked: Value = serde_json::from_str(&team.read("goals/ledger/gates/switch-2f8q.json")).expect("JSON still");
    assert_eq!((&asked["revision"], &asked["decision"]), (&Value::from(2), &Value::Null));
    assert_eq!(asked["requested"]["at"], NOW);
}
