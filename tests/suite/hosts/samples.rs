//! Every sample payload: what may be answered, byte for byte, and what it reports.

use loopx::hosts::{
    HOSTS, HookAnswer, Host, HostReport, PayloadReading, SessionKey, Tool, event_row, read_event, render, report,
    reported,
};
use loopx::vocabulary::{EventStatus, Facts, Instant, OutcomeStatus, SessionStatus};

use super::{event_of, folder, sample};

/// What an answer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum May {
    Nothing,
    Inject,
    Refuse,
    Both,
}

use May::{Both, Inject, Nothing, Refuse};

/// Each sample, what may be answered, and what its facts say afterwards: the status, and what is new.
const SAMPLES: &[(Host, &str, May, &str)] = &[
    (Host::ClaudeCode, "SessionStart", Inject, ""),
    (Host::ClaudeCode, "SessionStart-resume", Inject, ""),
    (Host::ClaudeCode, "SessionStart-fork", Inject, ""),
    (Host::ClaudeCode, "UserPromptSubmit", Both, "running, turn started"),
    (Host::ClaudeCode, "UserPromptExpansion", Nothing, ""),
    (Host::ClaudeCode, "PreToolUse-bash", Both, ""),
    (Host::ClaudeCode, "PreToolUse-edit", Both, ""),
    (Host::ClaudeCode, "PreToolUse-subagent", Both, ""),
    (Host::ClaudeCode, "PreToolUse-edit-outside", Both, ""),
    (Host::ClaudeCode, "PermissionRequest", Refuse, "waiting, approval pending"),
    (Host::ClaudeCode, "PostToolUse-validation-passed", Inject, "idle, validation passed"),
    (Host::ClaudeCode, "PostToolUse-not-zero-not-failed", Inject, ""),
    (Host::ClaudeCode, "PostToolUse-validation-in-background", Inject, ""),
    (Host::ClaudeCode, "PostToolUseFailure-validation-failed", Inject, "idle, validation failed"),
    (Host::ClaudeCode, "Notification", Nothing, ""),
    (Host::ClaudeCode, "Stop", Refuse, "idle"),
    (Host::ClaudeCode, "Stop-again", Refuse, "idle"),
    (Host::ClaudeCode, "StopFailure", Nothing, "failed"),
    (Host::ClaudeCode, "SubagentStop", Refuse, ""),
    (Host::ClaudeCode, "PreCompact", Nothing, ""),
    (Host::ClaudeCode, "PostCompact", Nothing, ""),
    (Host::ClaudeCode, "SessionEnd", Nothing, "stopped"),
    (Host::ClaudeCode, "hostile", Both, ""),
    (Host::CodexCli, "SessionStart", Inject, ""),
    (Host::CodexCli, "SessionStart-resume", Inject, ""),
    (Host::CodexCli, "UserPromptSubmit", Both, "running, turn started"),
    (Host::CodexCli, "PreToolUse-bash", Both, ""),
    (Host::CodexCli, "PreToolUse-apply_patch", Both, ""),
    (Host::CodexCli, "PreToolUse-patch-in-shell", Both, ""),
    (Host::CodexCli, "PermissionRequest", Refuse, "waiting, approval pending"),
    (Host::CodexCli, "PostToolUse-bash", Inject, ""),
    (Host::CodexCli, "Stop", Refuse, "idle"),
    (Host::CodexCli, "Stop-again", Refuse, "idle"),
    (Host::CodexCli, "Interrupt", Nothing, "idle"),
    (Host::CodexCli, "SubagentStop", Refuse, ""),
    (Host::CodexCli, "PreCompact", Nothing, ""),
    (Host::CodexCli, "PostCompact", Nothing, ""),
    (Host::CodexCli, "SessionEnd", Nothing, "stopped"),
    (Host::CodexCli, "hostile", Refuse, ""),
    (Host::GeminiCli, "SessionStart", Inject, ""),
    (Host::GeminiCli, "SessionStart-resume", Inject, ""),
    (Host::GeminiCli, "BeforeAgent", Both, "running, turn started"),
    (Host::GeminiCli, "BeforeTool-shell", Refuse, ""),
    (Host::GeminiCli, "BeforeTool-replace", Refuse, ""),
    (Host::GeminiCli, "BeforeTool-mcp", Refuse, ""),
    (Host::GeminiCli, "BeforeTool-write_file-outside", Refuse, ""),
    (Host::GeminiCli, "AfterTool-shell", Inject, ""),
    (Host::GeminiCli, "AfterTool-shell-failed", Inject, ""),
    (Host::GeminiCli, "Notification", Nothing, "waiting, approval pending"),
    (Host::GeminiCli, "AfterAgent", Refuse, "idle"),
    (Host::GeminiCli, "AfterAgent-again", Refuse, "idle"),
    (Host::GeminiCli, "PreCompress", Nothing, ""),
    (Host::GeminiCli, "SessionEnd", Nothing, "stopped"),
    (Host::GeminiCli, "hostile", Inject, ""),
    (Host::Opencode, "session.created", Nothing, ""),
    (Host::Opencode, "session.created-subagent", Nothing, ""),
    (Host::Opencode, "session.status-busy", Nothing, "running, turn started"),
    (Host::Opencode, "session.status-idle", Nothing, "idle"),
    (Host::Opencode, "session.idle", Nothing, "idle"),
    (Host::Opencode, "session.error", Nothing, "failed"),
    (Host::Opencode, "permission.asked", Nothing, "waiting, approval pending"),
    (Host::Opencode, "permission.replied", Nothing, "running"),
    (Host::Opencode, "file.edited", Nothing, ""),
    (Host::Opencode, "chat.message", Nothing, ""),
    (Host::Opencode, "tool.execute.before-bash", Refuse, ""),
    (Host::Opencode, "tool.execute.before-edit", Refuse, ""),
    (Host::Opencode, "tool.execute.before-write-outside", Refuse, ""),
    (Host::Opencode, "v2-execute.before", Refuse, ""),
    (Host::Opencode, "tool.execute.after-validation-passed", Nothing, "idle, validation passed"),
    (Host::Opencode, "tool.execute.after-validation-failed", Nothing, "idle, validation failed"),
    (Host::Opencode, "experimental.session.compacting", Inject, ""),
    (Host::Opencode, "hostile", Nothing, ""),
];

fn at(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

fn key(host: Host) -> SessionKey {
    SessionKey { surface: host.row().surface, session_id: "a-session".to_owned(), epoch: 3, todo_id: None }
}

/// Facts of a session that was idle just now.
fn idle(host: Host) -> Facts {
    reported(None, &key(host), HostReport::Idle, at("2026-03-07T17:00:00Z")).expect("facts")
}

/// What is new in facts, in the words of the table.
fn news(before: &Facts, after: &Facts) -> String {
    let mut news = vec![after.status.to_string()];
    for event in after.events.iter().filter(|event| !before.events.contains(event)) {
        news.push(format!("{} {}", event.kind, event.status));
    }
    for approval in &after.approvals {
        news.push(format!("approval {}", approval.status));
    }
    for outcome in &after.outcomes {
        news.push(format!("{} {}", outcome.kind, outcome.status));
    }
    news.join(", ")
}

#[test]
fn every_sample_reports_what_the_table_says() {
    let validation = ["make".to_owned(), "ledger-check".to_owned()];
    for (host, name, _, expected) in SAMPLES {
        let payload = sample(*host, name, "/w");
        let reading = read_event(*host, &event_of(*host, name), &payload);
        let PayloadReading::Event(event) = reading else {
            assert_eq!(
                (*expected, *name == "hostile" || *name == "file.edited"),
                ("", true),
                "{host} {name}: {reading:?}"
            );
            continue;
        };
        assert!(!event.session.is_empty(), "{host} {name}");
        let before = idle(*host);
        let told = report(&event, &[&validation]);
        let after = told.and_then(|told| reported(Some(&before), &key(*host), told, at("2026-03-07T17:00:01Z")));
        // An idle session that goes on idle has nothing to say; here the table names the status all the same.
        let said = match (told, &after) {
            (Some(HostReport::Idle | HostReport::Interrupted), None) => "idle".to_owned(),
            (_, after) => after.as_ref().map_or_else(String::new, |after| news(&before, after)),
        };
        assert_eq!(said, *expected, "{host} {name}");
    }
}

#[test]
fn every_file_is_in_the_table() {
    for host in HOSTS {
        let mut files: Vec<String> = std::fs::read_dir(folder(host.host))
            .expect("samples")
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().trim_end_matches(".json").to_owned())
            .collect();
        files.sort();
        let mut listed: Vec<&str> = SAMPLES.iter().filter(|row| row.0 == host.host).map(|row| row.1).collect();
        listed.sort_unstable();
        assert_eq!(files, listed, "{}", host.word);
    }
}

#[test]
fn every_answer_has_the_form_that_the_host_expects() {
    for (host, name, may, _) in SAMPLES {
        let event = event_of(*host, name);
        let row = event_row(*host, &event).unwrap_or_else(|| panic!("{host} {event} has a row"));
        let injected = render(row, &HookAnswer::Inject("T\"".to_owned()));
        let refused = render(row, &HookAnswer::Refuse("R\"".to_owned()));
        assert_eq!(injected, inject_form(*host, &event, matches!(may, Inject | Both)), "{host} {name}");
        assert_eq!(refused, refuse_form(*host, &event, matches!(may, Refuse | Both)), "{host} {name}");
        assert_eq!(render(row, &HookAnswer::Silence), silence(*host), "{host} {name}");
    }
}

fn silence(host: Host) -> &'static str {
    if host == Host::GeminiCli { "{}\n" } else { "" }
}

fn inject_form(host: Host, event: &str, may: bool) -> String {
    match (may, host) {
        (false, _) => silence(host).to_owned(),
        (true, Host::Opencode) => "{\"inject\":\"T\\\"\"}\n".to_owned(),
        (true, _) => {
            format!("{{\"hookSpecificOutput\":{{\"hookEventName\":\"{event}\",\"additionalContext\":\"T\\\"\"}}}}\n")
        }
    }
}

fn refuse_form(host: Host, event: &str, may: bool) -> String {
    let reason = "R\\\"";
    match (may, host, event) {
        (false, ..) => silence(host).to_owned(),
        (true, Host::Opencode, _) => format!("{{\"deny\":\"{reason}\"}}\n"),
        (true, Host::GeminiCli, _) => format!("{{\"decision\":\"deny\",\"reason\":\"{reason}\"}}\n"),
        (true, _, "PreToolUse") => format!(
            "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\
             \"permissionDecisionReason\":\"{reason}\"}}}}\n"
        ),
        (true, _, "PermissionRequest") => format!(
            "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PermissionRequest\",\"decision\":\
             {{\"behavior\":\"deny\",\"message\":\"{reason}\"}}}}}}\n"
        ),
        (true, ..) => format!("{{\"decision\":\"block\",\"reason\":\"{reason}\"}}\n"),
    }
}

#[test]
fn only_a_host_that_can_ask_is_told_to_ask() {
    let ask = |host, event| render(event_row(host, event).expect("a row"), &HookAnswer::Ask("R".to_owned()));
    assert!(ask(Host::ClaudeCode, "PreToolUse").contains(r#""permissionDecision":"ask""#));
    assert!(ask(Host::CodexCli, "PreToolUse").contains(r#""permissionDecision":"deny""#));
    assert!(ask(Host::GeminiCli, "BeforeTool").contains(r#""decision":"deny""#));
    assert!(ask(Host::Opencode, "tool.execute.before").contains("deny"));
}

#[test]
fn the_tools_of_the_samples_are_known() {
    let tool = |host, name: &str| match read_event(host, &event_of(host, name), &sample(host, name, "/w")) {
        PayloadReading::Event(event) => event.tool,
        reading => panic!("{name}: {reading:?}"),
    };
    let write = |path: &str| Tool::Write(Some(vec![path.to_owned()]));
    let check = || Tool::Shell(Some("make ledger-check".to_owned()));
    assert_eq!(tool(Host::ClaudeCode, "PreToolUse-edit"), write("/w/work/ledger/services/ledger/store.rs"));
    assert_eq!(tool(Host::GeminiCli, "BeforeTool-replace"), write("services/ledger/store.rs"));
    assert_eq!(tool(Host::Opencode, "tool.execute.before-edit"), write("/w/work/ledger/services/ledger/store.rs"));
    assert_eq!(tool(Host::Opencode, "v2-execute.before"), check());
    assert_eq!(tool(Host::GeminiCli, "BeforeTool-shell"), check());
    assert_eq!(tool(Host::GeminiCli, "BeforeTool-mcp"), Tool::Other);
    let Tool::Write(Some(paths)) = tool(Host::CodexCli, "PreToolUse-apply_patch") else { panic!("a patch writes") };
    assert_eq!(
        paths,
        ["services/ledger/store.rs", ".github/workflows/deploy.yml", "docs/ledger/old.md", "docs/ledger/new.md"]
    );
}

#[test]
fn facts_follow_a_whole_session() {
    let key = SessionKey { todo_id: Some("a-todo".to_owned()), ..key(Host::ClaudeCode) };
    let mut facts = None;
    let mut clock = at("2026-03-07T17:00:00Z").timestamp();
    let mut tell = |facts: &mut Option<Facts>, told: HostReport| {
        clock += jiff::SignedDuration::from_secs(1);
        *facts = reported(facts.as_ref(), &key, told, Instant::new(clock)).or(facts.take());
        facts.clone().expect("facts")
    };
    for turn in 1..=40 {
        tell(&mut facts, HostReport::Started);
        tell(&mut facts, HostReport::Waiting);
        let now = tell(&mut facts, HostReport::Working);
        assert_eq!((now.status, now.approvals.len()), (SessionStatus::Running, 0));
        tell(&mut facts, HostReport::Validated { is_passed: turn % 2 == 0 });
        let now = tell(&mut facts, HostReport::Idle);
        let last = now.events.last().expect("a turn");
        assert_eq!((last.status, last.event_id.as_str()), (EventStatus::Completed, &*format!("ht-3-{turn}")));
    }
    let now = tell(&mut facts, HostReport::Failed);
    assert_eq!((now.events.len(), now.outcomes.len()), (16, 16));
    assert_eq!(now.outcomes[15].status, OutcomeStatus::Passed);
    assert_eq!(now.outcomes[15].todo_id.as_ref().map(|id| id.as_str()), Some("a-todo"));
    assert_eq!(tell(&mut facts, HostReport::Idle).status, SessionStatus::Failed, "idle after an error is no success");
    assert_eq!(tell(&mut facts, HostReport::Started).status, SessionStatus::Running);
    assert_eq!(tell(&mut facts, HostReport::Stopped).status, SessionStatus::Stopped);
    let older = reported(facts.as_ref(), &key, HostReport::Started, at("2026-03-07T16:00:00Z"));
    assert_eq!(older, None, "an older report never replaces a newer fact");
}
