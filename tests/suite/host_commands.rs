//! Contract 5, phases 0 to 2: what a message means, what the packets say, and that none of them writes anything.

use std::path::PathBuf;

use loopx::host_commands::{goal_text, parse};
use loopx::privacy::Wall;
use serde::Deserialize;
use serde_json::Value;

use crate::acts::place::Place;
use crate::receipts::team::Said;
use crate::store::sandbox::{Sandbox, snapshot};
use crate::turn::Example;
use crate::vectors::{Departures, load};

#[derive(Deserialize)]
struct Case {
    id: String,
    area: String,
    input: Value,
    expect: Value,
}

/// The areas of the vectors that speak of commands; the others are those of turns.
pub(crate) const AREAS: [&str; 4] = ["slash_routing", "slash_arguments", "write_cli", "acceptance"];

/// What a case says that is prose, another name of the same, or a field that no command here has.
const NOT_COMPARED: &[&str] = &[
    "error",
    "reason",
    "note",
    "exit_code",
    "help",
    "fail_closed_help",
    "appended",
    "dry_run",
    "todo_id",
    "status",
    "capability_route",
    "fine_grained",
];

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// Each case passes, or stands in `departures.json`, which names no other.
#[test]
fn the_vectors_of_host_commands_hold_or_are_listed() {
    let cases: Vec<Case> = load("hosts.json");
    let mut departures = Departures::of("hosts.json").only(|area| AREAS.contains(&area));
    let mut listed = 0;
    let cases: Vec<&Case> = cases.iter().filter(|case| AREAS.contains(&case.area.as_str())).collect();
    for case in &cases {
        let departure = departures.take(&case.id, &[]);
        let mut expect = case.expect.clone();
        match &departure {
            Some(Value::Object(fields)) => {
                for (route, instead) in fields {
                    *expect.pointer_mut(route).expect("a field of the case") = instead.clone();
                }
                for key in ["goal_text", "_rc"] {
                    expect.as_object_mut().expect("fields").remove(key);
                }
            }
            Some(_) => {
                listed += 1;
                continue;
            }
            None => {}
        }
        let actual = match case.area.as_str() {
            "slash_routing" => routing(text(&case.input, "message")),
            "slash_arguments" => arguments(text(&case.input, "arguments")),
            "write_cli" => write(text(&case.input, "op")),
            "acceptance" => acceptance(&case.id),
            other => panic!("{other}"),
        };
        for (key, expected) in expect.as_object().expect("fields") {
            if !NOT_COMPARED.contains(&key.as_str()) {
                assert_eq!(&actual[key], expected, "{}: {key}", case.id);
            }
        }
        listed += usize::from(departure.is_some());
    }
    departures.finish();
    assert_eq!((listed, cases.len()), (4, 31));
}

fn routing(message: &str) -> Value {
    parse(message, Wall::shipped()).to_json(Wall::shipped())
}

fn arguments(arguments: &str) -> Value {
    match goal_text(arguments, Wall::shipped()) {
        Ok(text) => serde_json::json!({ "ok": true, "goal_text": text }),
        Err(fault) => serde_json::json!({ "ok": false, "error": fault.word() }),
    }
}

/// Todos as the command line writes them: `a` is `codex-main`, `b` is `claude-review`, whose todo it is.
fn write(op: &str) -> Value {
    let place = Place::new();
    let b_claims = ["todo", "claim", "free-1abc", "--agent", "claude-review", "--execute"];
    let said = match op {
        "b claims" => place.0.loopx(&b_claims),
        "a claims b todo" => {
            place.0.does(&b_claims);
            place.0.loopx(&["todo", "claim", "free-1abc", "--agent", "codex-main", "--execute"])
        }
        "a completes b todo" => {
            place.0.does(&b_claims);
            place.0.loopx(&["todo", "done", "free-1abc", "--agent", "codex-main", "--execute"])
        }
        "spend after progress" | "spend w turn without writeback" | "spend while paused" => return spend(op),
        "monitor-poll unchanged" | "spend after unchanged poll" => return monitor(op),
        "user todo without class" => place.0.loopx(&["todo", "add", "Ask", "--goal", "ledger", "--execute"]),
        other => panic!("{other}"),
    };
    serde_json::json!({ "ok": said.code == Some(0), "_rc": said.code })
}

/// The spend of a turn that passed, of one that failed, and of one whose goal was paused since.
fn spend(op: &str) -> Value {
    let example = Example::approved();
    let packet = example.next("codex-main");
    let outcome = if op == "spend w turn without writeback" { "failed" } else { "passed" };
    assert_eq!(example.settle_at(crate::turn::NOW, &packet, &["--outcome", outcome]).code, Some(0));
    if op == "spend while paused" {
        for spend in example.paths_of("quota_spend") {
            std::fs::remove_file(spend).expect("a spend");
        }
        example.replace("goals/ledger-cutover/goal.yaml", "priority: P0\n", "priority: P0\nstatus: paused\n");
        example.commit("pause");
    }
    let turn = crate::turn::text(&packet, "/turn_id");
    let said = example.loopx(crate::turn::NOW, &["quota", "spend", "--turn", &turn]);
    serde_json::json!({ "ok": said.code == Some(0), "_rc": said.code })
}

/// The turn of a due monitor that saw nothing new, and the spend of one.
fn monitor(op: &str) -> Value {
    let example = Example::new();
    crate::turn::examples::monitor(&example);
    let due = "2026-03-07T22:00:00Z";
    let packet = example.next_at(due, "claude-review", &["--goal", "api-docs"]);
    let settled = example.settle_at(due, &packet, &[]);
    let said = match op {
        "monitor-poll unchanged" => settled.code,
        _ => {
            let turn = crate::turn::text(&packet, "/turn_id");
            example.loopx(due, &["quota", "spend", "--turn", &turn]).code
        }
    };
    serde_json::json!({ "ok": said == Some(0), "_rc": said })
}

fn acceptance(id: &str) -> Value {
    match id {
        "acceptance-02" => {
            let example = Example::new();
            let said = example.loopx(crate::turn::NOW, &["quota", "should-run", "--agent", "nope", "--format", "json"]);
            said.json()
        }
        "acceptance-06" => {
            let told = told_without_loopx();
            let result = (told == "say \"loopx is missing\" and stop.").then_some("install/doctor blocker");
            serde_json::json!({ "result": result, "state_transition": null })
        }
        "acceptance-01" => {
            let place = Place::new();
            let said = place.0.loopx(&["heartbeat-prompt", "--thin", "--format", "json"]);
            let mut packet = json(&said);
            packet["exit"] = Value::from(said.code);
            packet
        }
        "acceptance-08" => {
            let place = Place::new();
            let before = place.0.read("goals/ledger/gates/switch-2f8q.yaml");
            let parsed = routing("/loopx approve gate g1");
            assert_eq!(text(&parsed, "goal_text"), "approve gate g1");
            let cli: Vec<String> = parsed["cli"]
                .as_array()
                .expect("words")
                .iter()
                .map(|word| word.as_str().unwrap_or_default().to_owned())
                .collect();
            place.0.does(&cli.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(place.0.read("goals/ledger/gates/switch-2f8q.yaml"), before);
            serde_json::json!({
                "gate_decided": false, "treated_as": "goal text, needs typed operator-gate command",
            })
        }
        other => panic!("{other}"),
    }
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

/// Runs a command and makes sure that no byte of the whole repository, git's own files included, is another one.
fn reads(place: &Place, arguments: &[&str]) -> Said {
    let before = snapshot(&place.0.repo);
    let said = place.0.loopx(arguments);
    assert!(snapshot(&place.0.repo) == before, "{arguments:?} leaves something: {said:?}");
    let shown = format!("{}{}", said.out, said.err);
    assert!(!shown.contains(&*place.0.repo.to_string_lossy()), "{arguments:?} names its place: {said:?}");
    said
}

fn bound() -> Place {
    let place = Place::new();
    place.0.put(
        "goals/ledger/bindings/codex-q4.yaml",
        "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: codex-q4\nagent_id: codex-main\n\
         session_mode: attached_host\nhost_surface: codex_cli\nexecutor_endpoint_id: codex-exec\n\
         attached_capabilities: [session_queue]\noperator: maya\n",
    );
    place.0.commit("bind");
    place
}

#[test]
fn loopx_in_a_project_and_loopx_global_summary_leave_the_tree_unchanged() {
    let place = bound();
    // A row without a time.
    place.todo("ghost-4abc", "advancement_task", "assignee: ghost\n");
    place.0.commit("a todo of nobody");
    let pack = json(&reads(&place, &["bootstrap-command-pack", "--project", ".", "--format", "json"]));
    assert_eq!((&pack["read_only"], &pack["goal_id"]), (&Value::Bool(true), &Value::from("ledger")));
    assert_eq!(pack["project_connection"]["connection_state"], "connected");
    assert_eq!(pack["project_root_label"], "repo");
    assert!(pack["safety_contract"].as_object().expect("fields").values().all(|flag| flag == false));
    let status = json(&reads(&place, &["status", "--format", "json"]));
    for (command, reasons) in [
        (&["global-summary"][..], &["agent_not_registered", "missing_gate_decision"][..]),
        (&["global-summary", "2h"], &["agent_not_registered"]),
        (&["global-gates"], &["missing_gate_decision"]),
        (&["global-todos"], &["agent_not_registered"]),
        (&["global-risks"], &["agent_not_registered"]),
    ] {
        let shown = json(&reads(&place, &[command, &["--format", "json"]].concat()));
        let rows = shown["rows"].as_array().expect("rows").iter();
        let rows: std::collections::BTreeSet<_> = rows.map(|row| text(row, "reason")).collect();
        let rows: Vec<_> = rows.into_iter().collect();
        assert_eq!(rows, reasons, "{command:?}");
        assert_eq!(shown["projections"], status["projections"], "{command:?}");
        assert_eq!(reads(&place, command).code, Some(0));
    }
    let outside = Sandbox::new();
    let folder: PathBuf = outside.init("plain", &[]);
    let said = place.0.loopx(&["--project", &folder.to_string_lossy(), "bootstrap-command-pack", "--format", "json"]);
    assert_eq!(json(&said)["project_connection"]["connection_state"], "not_connected");
    assert!(outside.status(&folder).is_empty());
}

#[test]
fn loopx_fix_issue_triage_keeps_the_text_and_orders_the_steps_and_writes_nothing() {
    let place = bound();
    for goal in ["fix issue triage", "fix  \"two\"  spaces --now", "two\nlines"] {
        let parsed = routing(&format!("/loopx {goal}"));
        let cli: Vec<&str> = parsed["cli"].as_array().expect("words").iter().filter_map(Value::as_str).collect();
        let packet = json(&reads(&place, &[&cli[..], &["--format", "json"]].concat()));
        assert_eq!(text(&packet, "goal_text"), goal);
        let guided = &packet["guided_transaction"];
        let steps: Vec<&str> =
            guided["ordered_steps"].as_array().expect("steps").iter().map(|step| text(step, "step")).collect();
        assert_eq!(
            steps,
            [
                "inspect_connection",
                "connect_if_needed",
                "select_agent_identity",
                "plan_ranked_todos",
                "write_ordered_todos",
                "refresh_state",
                "activate_host_loop",
                "quota_guard",
            ]
        );
        assert_eq!((&guided["writes_now"], &guided["spends_quota_now"]), (&Value::Bool(false), &Value::Bool(false)));
    }
    for (text, word) in [("", "goal_text_empty"), ("--fine-grained do x", "leading_switch_refused")] {
        let said = reads(&place, &["start-goal", "--guided", "--goal-text", text, "--format", "json"]);
        assert_eq!((said.code, &json(&said)["error"]), (Some(1), &Value::from(word)));
    }
    let path = ["/ho", "me/alice/x"].concat();
    let said = reads(&place, &["start-goal", "--guided", "--goal-text", &format!("look at {path}")]);
    assert!(said.code == Some(1) && !format!("{said:?}").contains("alice"), "{said:?}");
}

#[test]
fn unknown_loopx_debug_me_gets_the_help_and_exit_1() {
    let place = bound();
    for message in ["/loopx-debug-me", "/loopx-Global-Summary", "/loopx-global-summary soon", "/loopx-global-gates now"]
    {
        let said = reads(&place, &["slash-commands", "--parse", message, "--format", "json"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let parsed = json(&said);
        assert_eq!((&parsed["ok"], &parsed["cli"]), (&Value::Bool(false), &Value::Null), "{message}");
        assert_eq!(parsed["help"], "loopx slash-commands");
        assert!(said.err.contains("loopx slash-commands"), "{said:?}");
    }
    for message in ["hello", "see /loopx", " /loopx", "/loopxfoo", "/loop"] {
        let said = reads(&place, &["slash-commands", "--parse", message, "--format", "json"]);
        assert_eq!((said.code, &json(&said)["kind"]), (Some(0), &Value::from("not_loopx")), "{message}");
    }
}

#[test]
fn missing_registered_agent_id_gets_no_heartbeat() {
    let place = bound();
    for (agent, word) in [(&[][..], "agent_missing"), (&["--agent-id", "nope"], "agent_not_registered")] {
        let said = reads(&place, &[&["heartbeat-prompt", "--thin", "--format", "json"], agent].concat());
        let packet = json(&said);
        assert_eq!((said.code, &packet["task_body"], &packet["ok"]), (Some(1), &Value::Null, &Value::Bool(false)));
        assert_eq!(packet["error"], word);
        assert_eq!(packet["registered_agents"], serde_json::json!(["claude-review", "codex-main"]));
        assert!(said.err.contains("claude-review, codex-main"), "{said:?}");
    }
}

#[test]
fn a_heartbeat_is_a_function_of_goal_agent_and_scope() {
    let place = bound();
    let prompt = ["heartbeat-prompt", "--thin", "--goal-id", "ledger", "--agent-id", "codex-main"];
    let json_of = |more: &[&str]| json(&reads(&place, &[&prompt[..], &["--format", "json"], more].concat()));
    let packet = json_of(&[]);
    let body = text(&packet, "task_body");
    assert_eq!(packet["body_sha256"], loopx::vocabulary::sha256(body.as_bytes()).as_str());
    assert_eq!(reads(&place, &prompt).out, format!("{body}\n"));
    assert!(body.chars().count() <= 1900, "{}", body.chars().count());
    for says in [
        "agent codex-main of the loopx goal ledger",
        "writes the switch",
        "no authority over other agents",
        "loopx next --goal ledger --agent codex-main --format json",
        "never whether to work",
        "commands.settle",
        "destructive git",
    ] {
        assert!(body.contains(says), "{says}: {body}");
    }
    // No policy, no todo, no path, no cadence: nothing of it changes with the work.
    assert!(!body.contains("switch-9d4m") && !body.contains("services/") && !body.contains("FREQ"), "{body}");
    place.0.does(&["todo", "claim", "free-1abc", "--agent", "codex-main", "--execute"]);
    place.0.does(&["--now", "2026-03-09T12:00:00Z", "goal", "pause", "ledger", "--by", "maya", "--execute"]);
    assert_eq!(json_of(&["--now", "2026-03-09T13:00:00Z"]), packet);
}

#[test]
fn raw_transcript_offered_is_refused_by_key_names_only() {
    let place = bound();
    let secret = "what nobody may read";
    let said = place.0.loopx(&["run", "record", &format!(r#"{{"transcript": "{secret}", "stdout": "{secret}"}}"#)]);
    assert!(place.0.sandbox.status(&place.0.repo).is_empty() && !place.0.repo.join("loopx/facts").exists());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("stdout, transcript") && !format!("{said:?}").contains("nobody may"), "{said:?}");
}

#[test]
fn what_is_not_done_is_unavailable_with_what_is() {
    let place = bound();
    for arguments in [
        &["heartbeat-prompt"][..],
        &["start-goal", "--goal-text", "fix it"],
        &["bootstrap-command-pack", "--host-surface", "some_other_host"],
    ] {
        let said = reads(&place, &[arguments, &["--format", "json"]].concat());
        let packet = json(&said);
        assert_eq!((said.code, &packet["error"]), (Some(1), &Value::from("unavailable")), "{arguments:?}");
        assert!(text(&packet, "instead").starts_with("loopx ") && !text(&packet, "what").is_empty());
        assert!(!said.out.contains("some_other_host"), "what is typed is not repeated");
        let said = reads(&place, arguments);
        assert!(said.code == Some(1) && said.err.contains("error[unavailable]"), "{said:?}");
    }
}

/// What the skill tells an agent that finds no `loopx`: nothing is on an empty `PATH`.
fn told_without_loopx() -> String {
    let mut shell = std::process::Command::new("/bin/sh");
    let output = shell.env_clear().env("PATH", "").args(["-c", "loopx next --agent a"]).output().expect("a shell");
    assert_eq!(output.status.code(), Some(127), "{output:?}");
    let skill = include_str!("../../templates/skill.md");
    let last = skill.lines().last().expect("a line");
    last.strip_prefix("No loopx on PATH: ").expect("what to do without it").to_owned()
}

#[test]
fn cli_unavailable_is_said_and_nothing_is_invented() {
    assert_eq!(told_without_loopx(), "say \"loopx is missing\" and stop.");
}

#[test]
fn scheduler_reset_token_changed_restores_the_first_interval_and_spends_nothing() {
    let example = Example::new();
    let schedule = |now: &str, more: &[&str]| {
        let more = [&["--host", "claude_code"], more].concat();
        example.next_at(now, "codex-main", &more)["schedule"].clone()
    };
    let first = schedule(crate::turn::NOW, &[]);
    let slower = schedule("2026-03-07T17:30:00Z", &["--cursor", text(&first, "cursor")]);
    assert_eq!((&slower["interval_minutes"], &slower["reset"]), (&Value::from(60), &Value::Bool(false)));
    example.approve();
    example.commit("approve");
    let other = schedule("2026-03-07T17:31:00Z", &["--cursor", text(&slower, "cursor")]);
    assert_eq!((&other["interval_minutes"], &other["reset"]), (&Value::from(3), &Value::Bool(true)));
    assert_ne!(other["reset_token"], slower["reset_token"]);
    assert!(example.receipts("quota_spend").is_empty() && example.receipts("turn").is_empty());
}

/// Every command that a packet names is one of the program's: none of them ends as a wrong command line.
#[test]
fn the_commands_that_packets_name_are_there() {
    let place = bound();
    // A row without a time.
    place.todo("ghost-4abc", "advancement_task", "assignee: ghost\n");
    place.0.commit("a todo of nobody");
    let pack = json(&place.0.loopx(&["bootstrap-command-pack", "--agent", "codex-main", "--format", "json"]));
    let packet = json(&place.0.loopx(&[
        "start-goal",
        "--guided",
        "--goal-text",
        "x",
        "--agent",
        "codex-main",
        "--format",
        "json",
    ]));
    let catalog = json(&place.0.loopx(&["slash-commands", "--format", "json"]));
    let named = pack["commands"].as_object().expect("commands").values();
    let steps = packet["guided_transaction"]["ordered_steps"].as_array().expect("steps").iter();
    let named: Vec<Vec<&str>> = named
        .chain(steps.map(|step| &step["command"]))
        .map(|words| words.as_array().expect("words").iter().filter_map(Value::as_str).collect())
        .collect();
    let catalog = catalog["commands"].as_array().expect("commands").iter();
    let catalog = catalog.map(|command| text(command, "cli_reference").split(' ').collect::<Vec<_>>());
    let mut tried = 0;
    for words in named.into_iter().chain(catalog).filter(|words| !words.is_empty()) {
        // The turn has its own commands.
        if words[1] == "next" {
            continue;
        }
        let mut help: Vec<&str> = words[1..].iter().copied().take_while(|word| !word.starts_with('-')).collect();
        if !["goal", "todo"].contains(&help[0]) {
            help.truncate(1);
        } else {
            help.truncate(2);
        }
        help.push("--help");
        assert_eq!(place.0.loopx(&help).code, Some(0), "{words:?}");
        tried += 1;
    }
    assert!(tried >= 15, "{tried}");
}
