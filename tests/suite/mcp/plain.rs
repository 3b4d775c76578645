//! What every client sees: the messages as they go over the wire.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Client;
use crate::store::sandbox::snapshot;
use crate::turn::{Example, NOW, has, text};

const READ: [&str; 4] = ["next", "status", "lint", "explain"];

fn ready() -> Example {
    let example = Example::approved();
    let accept = ["handoff", "accept", "cutover-3y5k", "--goal", "ledger-cutover", "--by", "codex-main", "--execute"];
    example.does(NOW, &accept);
    example.commit("accept");
    example
}

#[test]
fn the_tools_are_closed_and_those_that_write_are_served_on_demand() {
    let example = Example::new();
    let mut served = BTreeSet::new();
    for more in [&[][..], &["--allow-writes"]] {
        let mut client = Client::greeted(&example, more);
        let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
        for tool in tools.as_array().expect("tools") {
            let name = text(tool, "/name");
            assert_eq!(tool["inputSchema"]["additionalProperties"], json!(false), "{name}");
            assert_eq!(tool["annotations"]["readOnlyHint"], json!(READ.contains(&name.as_str())), "{name}");
            jsonschema::validator_for(&tool["inputSchema"]).expect("a schema");
            jsonschema::validator_for(&tool["outputSchema"]).expect("a schema");
            assert!(!tool.to_string().contains("ledger"), "no description holds text of a document: {tool}");
            served.insert((more.len(), name));
        }
        client.leave();
    }
    let names =
        |count| served.iter().filter(|(more, _)| *more == count).map(|(_, name)| name.as_str()).collect::<Vec<_>>();
    assert_eq!(names(0), ["explain", "lint", "next", "status"]);
    assert_eq!(names(1), ["claim", "explain", "lint", "next", "request_gate", "settle", "status"]);
}

/// The result of a tool is the JSON of the command, its text the same bytes, and it fits the schema of the tool.
#[test]
fn a_call_says_what_the_command_says() {
    let example = ready();
    let before = snapshot(&example.repo);
    let mut client = Client::greeted(&example, &[]);
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    for (tool, arguments, words) in [
        (
            "next",
            json!({ "agent": "codex-main", "host": "claude_code" }),
            &["next", "--agent", "codex-main", "--host", "claude_code"][..],
        ),
        ("next", json!({ "agent": "codex-main", "goal": "ledger-cutover" }), &["next", "--agent", "codex-main"]),
        ("status", json!({}), &["status"]),
        ("status", json!({ "goal": "api-docs", "me": "maya" }), &["status", "--goal", "api-docs", "--me", "maya"]),
        ("lint", json!({ "paths": ["goals/api-docs"] }), &["lint", "goals/api-docs"]),
        ("lint", json!({}), &["lint"]),
        ("explain", json!({ "word": "missing_gate_decision" }), &["explain", "missing_gate_decision"]),
        ("explain", json!({ "word": "no-such-word" }), &["explain", "no-such-word"]),
    ] {
        let said = example.loopx(NOW, &[words, &["--format", "json"]].concat());
        let answer = client.call(tool, arguments)["result"].clone();
        assert_eq!(answer["content"][0]["text"], json!(said.out), "{tool}");
        assert_eq!((&answer["structuredContent"], &answer["isError"]), (&said.json(), &json!(false)), "{tool}");
        let known = tools.as_array().expect("tools").iter().find(|known| known["name"] == tool).expect("it is listed");
        let validator = jsonschema::validator_for(&known["outputSchema"]).expect("a schema");
        let faults: Vec<String> =
            validator.iter_errors(&answer["structuredContent"]).map(|it| it.to_string()).collect();
        assert!(faults.is_empty(), "{tool}: {faults:?}");
    }
    client.leave();
    assert!(before == snapshot(&example.repo), "no byte changed");
}

#[test]
fn a_day_is_worked_by_calls_alone() {
    let example = Example::new();
    let mut client = Client::greeted(&example, &["--allow-writes"]);
    let asked = client.gets(
        "request_gate",
        json!({ "goal": "api-docs", "question": "May the errors page go out?", "agent": "claude-review", "from": "owner" }),
    );
    has(&asked, &[("/written", json!(true)), ("/refused", json!(false))]);
    let gate = text(&asked, "/documents/0/path");
    std::fs::remove_file(example.repo.join(gate)).expect("the gate");
    let packet = client.gets("next", json!({ "agent": "claude-review" }));
    has(&packet, &[("/decision", json!("work")), ("/todo/todo_id", json!("errors-6n1x"))]);
    let claimed = client.gets("claim", json!({ "todo": "errors-6n1x", "agent": "claude-review" }));
    has(&claimed, &[("/refused", json!(false))]);
    let turn = json!({ "turn": packet["turn_id"], "todo": "errors-6n1x", "agent": "claude-review", "done": true });
    let settled = client.gets("settle", turn.clone());
    has(
        &settled,
        &[("/result", json!("done")), ("/replayed", json!(false)), ("/next/goal_id", json!("ledger-cutover"))],
    );
    has(&client.gets("settle", turn), &[("/replayed", json!(true)), ("/result", json!("done"))]);
    assert_eq!(example.receipts("turn").len(), 1);
    client.leave();
}

#[test]
fn what_is_refused_what_fails_and_what_is_wrong_are_told_apart() {
    let example = ready();
    let mut client = Client::greeted(&example, &["--allow-writes"]);
    let packet = client.gets("next", json!({ "agent": "codex-main" }));
    let turn = |outcome: &str| json!({ "turn": packet["turn_id"], "todo": packet["todo"]["todo_id"], "agent": "codex-main", "outcome": outcome });
    client.gets("settle", turn("passed"));
    let refused = client.call("settle", turn("failed"));
    has(
        &refused,
        &[("/result/isError", json!(true)), ("/result/structuredContent/refused", json!("turn_settled_otherwise"))],
    );
    let failed = client.call("next", json!({ "agent": "codex-mian" }));
    has(&failed, &[("/result/isError", json!(true)), ("/result/structuredContent/error", json!("unknown_agent"))]);
    assert!(text(&failed, "/result/structuredContent/what").contains("did you mean codex-main?"));
    assert!(!text(&failed, "/result/structuredContent/do").is_empty());
    let path = ["/ho", "me/alice/x"].concat();
    for (tool, arguments, told) in [
        ("next", json!({}), "agent is missing"),
        ("next", json!({ "agent": "a", "host": "nowhere" }), "use one of"),
        ("next", json!({ "agent": "a", "now": "2026-03-07T17:00:00Z" }), "unknown argument now"),
        ("settle", json!({ "turn": "t", "todo": "x", "agent": "a", "outcome": path }), "invalid value"),
        ("gate", json!({}), "there is no such tool"),
        ("lint", json!({ "paths": ["-"] }), "standard input"),
    ] {
        let answer = client.call(tool, arguments);
        assert_eq!(answer["error"]["code"], json!(-32602), "{tool}: {answer}");
        assert!(text(&answer, "/error/message").contains(told), "{told}: {answer}");
        assert!(!answer.to_string().contains("alice"), "{answer}");
    }
    client.leave();
    let mut client = Client::greeted(&example, &[]);
    assert_eq!(client.call("settle", turn("passed"))["error"]["code"], json!(-32602));
    client.leave();
}

/// A call ends before its command does; the same call joins the run, which is one turn.
#[test]
fn a_long_check_goes_on_and_the_same_call_joins_it() {
    let example = ready();
    example.put("check.sh", "while test ! -e go; do sleep 0.05; done\n");
    let mut client = Client::greeted(&example, &["--allow-writes", "--call-limit", "0"]);
    let packet = example.next("codex-main");
    let turn = json!({ "turn": packet["turn_id"], "todo": packet["todo"]["todo_id"], "agent": "codex-main" });
    for _ in 0..3 {
        has(&client.gets("settle", turn.clone()), &[("/running", json!(true))]);
    }
    example.put("go", "");
    let settled = loop {
        let answer = client.gets("settle", turn.clone());
        if answer["running"] != json!(true) {
            break answer;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    has(&settled, &[("/result", json!("passed")), ("/validation", json!("passed")), ("/replayed", json!(false))]);
    assert_eq!((example.receipts("turn").len(), example.receipts("quota_spend").len()), (1, 1));
    client.leave();
}

#[test]
fn a_client_that_leaves_does_not_lose_the_turn_that_is_settled() {
    let example = ready();
    example.put("check.sh", "while test ! -e go; do sleep 0.05; done\n");
    let mut client = Client::greeted(&example, &["--allow-writes", "--call-limit", "0"]);
    let packet = example.next("codex-main");
    let turn = json!({ "turn": packet["turn_id"], "todo": packet["todo"]["todo_id"], "agent": "codex-main" });
    has(&client.gets("settle", turn), &[("/running", json!(true))]);
    example.put("go", "");
    client.leave();
    assert_eq!((example.receipts("turn").len(), example.receipts("quota_spend").len()), (1, 1));
}

#[test]
fn a_client_of_2026_discovers_without_a_handshake() {
    let example = Example::new();
    let mut client = Client::new(&example, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    let found = client.ask("server/discover", json!({ "_meta": meta }));
    let versions = found["result"]["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let called =
        client.ask("tools/call", json!({ "name": "next", "arguments": { "agent": "codex-main" }, "_meta": meta }));
    has(&called, &[("/result/structuredContent/decision", json!("ask"))]);
    client.leave();
}

#[test]
fn resources_and_the_prompt_hold_what_the_commands_and_the_skill_say() {
    let example = Example::new();
    let mut client = Client::greeted(&example, &[]);
    let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
    let uris: Vec<String> = listed.as_array().expect("resources").iter().map(|it| text(it, "/uri")).collect();
    assert!(uris.contains(&"loopx://goals/ledger-cutover/agents/codex-main".to_owned()), "{uris:?}");
    for uri in &uris {
        let read = client.ask("resources/read", json!({ "uri": uri }));
        let json: Value = serde_json::from_str(&text(&read, "/result/contents/0/text")).expect("JSON");
        let version = if uri.ends_with("attention") { "loopx_status_v0" } else { "loopx_turn_v0" };
        assert_eq!(json["schema_version"], version, "{uri}");
    }
    for uri in ["loopx://goals/none/agents/codex-main", "loopx://goals/-C/agents/x", "file:///etc/passwd"] {
        let refused = client.ask("resources/read", json!({ "uri": uri }));
        assert!(refused["error"]["code"].is_i64(), "{refused}");
    }
    let prompt = client.ask("prompts/get", json!({ "name": "loopx", "arguments": { "agent": "codex-main" } }));
    let told = text(&prompt, "/result/messages/0/content/text");
    assert!(told.starts_with("You are agent codex-main; loopx holds all state."), "{told}");
    assert!(told.contains("Run: loopx next --agent codex-main --format json") && !told.contains("---"), "{told}");
    client.leave();
}
