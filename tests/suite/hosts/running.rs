//! From `connect` to a gate that stops an agent at its tool, with a stand-in for the host: it writes what the host writes
//! to the command that it finds in the settings.

use std::io::Write;
use std::process::Stdio;

use loopx::hosts::Host;
use serde_json::{Value, json};

use crate::receipts::team::{Said, Team};

/// A host that runs the hooks of a team's repository.
struct StandIn {
    team: Team,
    host: Host,
    session: String,
}

impl StandIn {
    /// Connects an agent; the gate of its goal is closed.
    fn connected(host: Host) -> Self {
        let team = Team::new();
        let text = team.does(&["connect", host.word(), "--agent", "codex-main", "--by", "maya", "--execute"]);
        assert!(text.contains("Written."), "{text}");
        Self { team, host, session: "11111111-1111-4111-8111-111111111111".to_owned() }
    }

    /// Runs the hook of an event with further keys.
    fn says(&self, event: &str, keys: Value) -> Said {
        let mut payload = json!({
            "session_id": self.session,
            "cwd": self.team.repo,
            "hook_event_name": event,
            "prompt": "never copy",
            "transcript_path": "never copy",
        });
        payload.as_object_mut().expect("an object").extend(keys.as_object().expect("an object").clone());
        self.hook(event, payload.to_string().as_bytes())
    }

    fn hook(&self, event: &str, payload: &[u8]) -> Said {
        let mut command = self.team.command(&["hook", self.host.word(), event]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(payload).expect("the hook reads");
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{event}: {said:?}");
        said
    }

    /// What the guard says of a write; empty when it says nothing.
    fn writes(&self, path: &str) -> String {
        self.says(
            "PreToolUse",
            json!({ "tool_name": "Write", "tool_input": { "file_path": path, "content": "never copy" } }),
        )
        .out
    }

    fn runs(&self, command: &str) -> String {
        self.says("PreToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": command } })).out
    }

    fn start(&self) -> String {
        self.says("SessionStart", json!({ "source": "startup" })).out
    }

    /// The facts of the one session, as text.
    fn facts(&self) -> String {
        let folder = self.team.repo.join(".git/loopx/facts/loopx").join(self.host.row().surface.row().0.to_string());
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| std::fs::read_to_string(entry.path()).expect("facts")).collect()
    }
}

fn is_denied(answer: &str) -> bool {
    answer.contains(r#""permissionDecision":"deny""#)
}

#[test]
fn a_closed_gate_denies_at_the_tool_and_an_open_one_lets_it_pass() {
    let host = StandIn::connected(Host::ClaudeCode);
    host.team.commit("connected");
    let told = host.start();
    assert!(told.contains("switch-2f8q") && told.contains("additionalContext"), "{told}");
    let inside = "services/ledger/store.rs";
    let denied = host.writes(inside);
    assert!(is_denied(&denied) && denied.contains("switch-2f8q") && denied.contains("loopx gate decide"), "{denied}");
    assert!(is_denied(&host.runs("sed -i s/a/b/ services/ledger/store.rs")));
    assert_eq!(host.runs("cat services/ledger/store.rs"), "");
    assert_eq!(host.runs("loopx status"), "");
    host.team.decide("approve");
    host.team.commit("approve");
    assert!(is_denied(&host.writes(inside)), "a decision without its receipt does not count");
    host.team.does(&["reconcile", "--commit"]);
    assert_eq!(host.writes(inside), "", "the decision is recorded");
    assert_eq!(host.writes(&format!("{}/{inside}", host.team.repo.display())), "");
    let outside = host.writes("docs/x.md");
    assert!(is_denied(&outside) && outside.contains("services/ledger/**") && outside.contains("maya"), "{outside}");
    let state = host.writes("loopx/goals/ledger/gates/switch-2f8q.yaml");
    assert!(is_denied(&state) && state.contains("loopx gate request"), "{state}");
    assert_eq!(host.writes("/nowhere/x"), "", "outside the repository the host decides");
    assert_eq!(host.runs("sed -i s/a/b/ docs/x.md"), "", "an open goal's shell is not judged");
}

#[test]
fn events_become_facts_and_hold_nothing_of_what_was_said() {
    let host = StandIn::connected(Host::ClaudeCode);
    host.start();
    assert_eq!(host.facts(), "", "a start reports nothing");
    host.says("UserPromptSubmit", json!({}));
    let facts = host.facts();
    assert!(facts.contains("status: running") && facts.contains("kind: turn"), "{facts}");
    host.says("PermissionRequest", json!({ "tool_name": "Bash", "tool_input": { "command": "never copy" } }));
    assert!(host.facts().contains("status: pending"), "{}", host.facts());
    host.says("PostToolUse", json!({ "tool_name": "Bash", "tool_response": { "stdout": "never copy" } }));
    assert!(!host.facts().contains("pending"), "{}", host.facts());
    host.says("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "never copy" }));
    assert!(host.facts().contains("status: idle"), "{}", host.facts());
    host.says("SessionEnd", json!({ "reason": "other" }));
    assert!(host.facts().contains("status: stopped"), "{}", host.facts());
    let status = host.team.does(&["status"]);
    assert!(!status.contains("no facts"), "{status}");
    for file in crate::fixture::files_below(&host.team.repo.join(".git/loopx")) {
        let bytes = std::fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("never copy") && !text.contains(&host.session), "{}: {text}", file.display());
    }
}

#[test]
fn a_session_that_nobody_announced_is_silent() {
    let host = StandIn::connected(Host::ClaudeCode);
    assert_eq!(host.writes("docs/x.md"), "");
    assert_eq!(host.says("UserPromptSubmit", json!({})).out, "");
    assert_eq!(host.facts(), "");
    let mut command = host.team.command(&["hook", "claude_code", "SessionStart"]);
    command.env("LOOPX_AGENT", "none").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let payload = json!({ "session_id": "own", "hook_event_name": "SessionStart" });
    child.stdin.take().expect("a pipe").write_all(payload.to_string().as_bytes()).expect("the hook reads");
    assert_eq!(Said::of(child.wait_with_output().expect("it ends")).out, "");
}

#[test]
fn while_the_holder_lives_another_session_writes_nothing() {
    let first = StandIn::connected(Host::ClaudeCode);
    first.team.decide("approve");
    first.team.commit("approve");
    first.team.does(&["reconcile", "--commit"]);
    first.start();
    first.says("UserPromptSubmit", json!({}));
    assert_eq!(first.writes("services/ledger/a.rs"), "");
    let second = StandIn { session: "22222222-2222-4222-8222-222222222222".to_owned(), ..first };
    let told = second.start();
    assert!(told.contains("another host session"), "{told}");
    assert!(is_denied(&second.writes("services/ledger/a.rs")));
    let facts = second.facts();
    second.says("SessionEnd", json!({}));
    assert_eq!(second.facts(), facts, "only the holder reports");
}

#[test]
fn a_stop_is_continued_once_and_never_twice() {
    let host = StandIn::connected(Host::ClaudeCode);
    let todo = host.team.read("goals/ledger/todos/switch-9d4m.yaml");
    host.team.put("goals/ledger/todos/switch-9d4m.yaml", &format!("{todo}claimed_by: codex-main\n"));
    host.team.decide("approve");
    host.team.commit("approve");
    host.team.does(&["reconcile", "--commit"]);
    host.start();
    host.says("UserPromptSubmit", json!({}));
    assert_eq!(host.says("Stop", json!({ "stop_hook_active": true })).out, "");
    let first = host.says("Stop", json!({ "stop_hook_active": false })).out;
    assert!(first.contains(r#""decision":"block""#) && first.contains("switch-9d4m"), "{first}");
    let next = host.team.does(&["next", "--agent", "codex-main", "--format", "json"]);
    let next: Value = serde_json::from_str(&next).expect("JSON");
    let turn = next["turn_id"].as_str().expect("a turn");
    let settle = format!("loopx settle --turn {turn} --todo switch-9d4m --agent codex-main");
    assert!(first.contains(&settle), "{first}");
    assert_eq!(host.says("Stop", json!({ "stop_hook_active": false })).out, "");
}

#[test]
fn what_cannot_be_read_closes_writes_and_nothing_else() {
    let host = StandIn::connected(Host::ClaudeCode);
    host.start();
    std::fs::write(host.team.repo.join(".git/loopx/hosts/routes.json"), "{").expect("writable");
    let asked = host.writes("services/ledger/a.rs");
    assert!(asked.contains(r#""permissionDecision":"ask""#) && asked.contains("loopx doctor"), "{asked}");
    assert_eq!(host.runs("ls"), "");
    assert_eq!(host.says("Stop", json!({})).out, "");
}

#[test]
fn connecting_twice_is_once_and_removing_takes_out_only_ours() {
    let team = Team::new();
    let settings = "{\n  // of the team\n  \"permissions\": { \"allow\": [\"Bash(ls:*)\"] },\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"true\" }] }\n    ]\n  }\n}\n";
    crate::store::sandbox::put(&team.repo, ".claude/settings.json", settings);
    let arguments = ["connect", "claude_code", "--agent", "codex-main", "--by", "maya", "--execute"];
    team.does(&arguments);
    let read = || std::fs::read_to_string(team.repo.join(".claude/settings.json")).expect("settings");
    let once = read();
    assert!(once.contains("loopx hook claude_code PreToolUse") && once.contains("// of the team"), "{once}");
    let bindings = || std::fs::read_dir(team.repo.join("loopx/goals/ledger/bindings")).expect("bindings").count();
    assert_eq!(bindings(), 1);
    team.does(&arguments);
    assert_eq!((read(), bindings()), (once.clone(), 1));
    let scanned = team.loopx(&["scan", ".claude"]);
    assert_eq!(scanned.code, Some(0), "{scanned:?}");
    assert_eq!(team.loopx(&["lint"]).code, Some(0));
    // Somebody goes on editing between.
    std::fs::write(team.repo.join(".claude/settings.json"), once.replace("Bash(ls:*)", "Bash(cat:*)"))
        .expect("writable");
    team.does(&["connect", "claude_code", "--remove", "--execute"]);
    assert_eq!(read(), settings.replace("Bash(ls:*)", "Bash(cat:*)"));
    assert!(!team.repo.join(".claude/skills/loopx/SKILL.md").exists());
    assert!(!team.repo.join(".git/loopx/hosts/routes.json").exists());
}

/// A stand-in for `codex app-server` that lists our hooks, of which some are trusted.
const CODEX: &str = r#"#!/bin/sh
[ "$1" = app-server ] || exit 1
read -r initialize; echo '{"id":0,"result":{}}'
read -r initialized
read -r list; echo '{"method":"of another kind"}'
echo '{"id":2,"result":{"data":[{"cwd":"x","hooks":[HOOKS]}]}}'
read -r more
"#;

#[test]
fn the_doctor_asks_codex_which_hooks_it_trusts() {
    let host = StandIn::connected(Host::CodexCli);
    let hook = |command: &str, trust: &str| {
        format!(r#"{{"key":"k","command":"{command}","currentHash":"h","trustStatus":"{trust}"}}"#)
    };
    let ours = |trust| hook("loopx hook codex_cli Stop 2>/dev/null || exit 0", trust);
    let says = |hooks: &[String]| {
        let program = CODEX.replace("HOOKS", &hooks.join(","));
        crate::store::sandbox::put_program(&host.team.sandbox.path("codex"), "codex", &program);
        let mut command = host.team.command(&["doctor"]);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", host.team.sandbox.path("codex").display()));
        let said = Said::of(command.output().expect("the program runs"));
        said.out.lines().find(|line| line.contains("codex trust")).expect("a line").to_owned()
    };
    assert_eq!(says(&[ours("trusted"), ours("trusted")]), "ok   codex trust: codex trusts all 2 hooks");
    let some = says(&[ours("trusted"), ours("untrusted"), hook("others", "untrusted")]);
    assert!(some.starts_with("mend codex trust: codex trusts 1 of 2 hooks"), "{some}");
    let none = says(&[hook("others", "trusted")]);
    assert!(none.starts_with("mend codex trust: codex lists none"), "{none}");
}

#[test]
fn check_names_what_is_missing() {
    let host = StandIn::connected(Host::ClaudeCode);
    let check = || host.team.loopx(&["connect", "claude_code", "--check"]);
    let before = check();
    assert_eq!(before.code, Some(1), "{before:?}");
    assert!(before.out.contains("SessionStart: never") && before.out.contains("No event has arrived"), "{before:?}");
    assert!(!before.out.contains("does not answer"), "{before:?}");
    host.start();
    assert!(!check().out.contains("SessionStart: never"));
    let other = host.team.loopx(&["connect", "cursor", "--agent", "codex-main"]);
    assert!(other.code == Some(1) && other.out.contains("loopx next"), "{other:?}");
}
