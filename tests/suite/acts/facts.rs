//! Facts that programs report: one item, or the latest status.

use std::io::Write as _;
use std::process::Stdio;

use super::place::Place;
use crate::receipts::team::Said;
use crate::store::sandbox::put;

const BINDING: &str = "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: codex-q4\n\
                       agent_id: codex-main\nsession_mode: attached_host\nhost_surface: codex_cli\n\
                       executor_endpoint_id: codex-exec\nattached_capabilities: [session_queue]\noperator: maya\n";

/// Where all work trees of the clone share them.
const FACTS: &str = ".git/loopx/facts/loopx/codex_cli_tui/codex-q4.yaml";

const ITEM: &str = r#"{"outcome_id": "out-2", "kind": "validation", "status": "passed", "summary": "42 checks"}"#;

fn bound() -> Place {
    let place = Place::new();
    place.0.put("goals/ledger/bindings/codex-q4.yaml", BINDING);
    place.0.commit("bind");
    place
}

/// Runs a command with something on its standard input.
fn with_input(place: &Place, arguments: &[&str], input: &str) -> Said {
    let mut command = place.0.command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    // A program that refuses early may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Said::of(child.wait_with_output().expect("the program ends"))
}

fn facts(place: &Place) -> Option<String> {
    std::fs::read_to_string(place.0.repo.join(FACTS)).ok()
}

#[test]
fn an_item_is_written_behind_the_others_and_once() {
    let place = bound();
    let first = with_input(&place, &["run", "record", "-", "--session", "codex-q4"], ITEM);
    assert_eq!(first.code, Some(0), "{first:?}");
    let started = "schema_version: session_runtime_facts_v0\nruntime_id: codex_cli_tui\nsession_id: codex-q4\n\
                   host_kind: codex_cli\nstatus: running\nupdated_at: 2026-03-07T12:00:00Z\noutcomes:\n";
    let item = "  - outcome_id: out-2\n    kind: validation\n    status: passed\n    at: 2026-03-07T12:00:00Z\n    \
                summary: 42 checks\n";
    assert_eq!(facts(&place), Some(format!("{started}{item}")));
    let again = with_input(&place, &["run", "record", "-", "--agent", "codex-main"], ITEM);
    assert_eq!((again.code, again.out.as_str()), (Some(0), "Nothing to do: the documents say so already.\n"));
    assert_eq!(facts(&place), Some(format!("{started}{item}")));
    // Every other byte stays, however the list is written.
    let one = "  - { outcome_id: out-1, kind: work, status: passed, at: 2026-03-07T10:00:00Z } # first\n";
    put(&place.0.repo, FACTS, &format!("{started}{one}events: [] # none\n"));
    place.0.does(&["run", "record", ITEM]);
    assert_eq!(facts(&place), Some(format!("{started}{one}{item}events: [] # none\n")));
    let event = r#"{"event_id": "ev-1", "kind": "turn", "status": "completed", "at": "2026-03-07T11:00:00Z"}"#;
    place.0.does(&["run", "record", event]);
    assert!(facts(&place).expect("facts").contains("ev-1"));
    assert_eq!(place.0.loopx(&["lint"]).code, Some(0));
}

#[test]
fn an_item_that_is_none_is_refused_by_its_keys_alone() {
    let place = bound();
    place.0.does(&["run", "record", ITEM]);
    let before = facts(&place);
    let secret = "what nobody may read";
    let with = |more: &str| format!(r#"{{"outcome_id": "out-3", "kind": "work", "status": "passed", {more}}}"#);
    for (input, says) in [
        (with(&format!(r#""stdout": "{secret}""#)), "no such keys: stdout"),
        (with(&format!(r#""token_count": "{secret}""#)), "no such keys: token_count"),
        (with(&format!(r#""summary": ["{secret}"]"#)), "of their form, or none: summary"),
        (format!(r#"{{"messages": [{{"role": "user", "content": "{secret}"}}]}}"#), "no such keys: messages"),
        (format!("User: {secret}\nAssistant: yes\n"), "no JSON object"),
        (r#"{"outcome_id": "out-2", "kind": "work", "status": "failed"}"#.to_owned(), "another item out-2"),
        (with(r#""at": "2027-01-01T00:00:00Z""#), "fact/in-the-future"),
    ] {
        let said = with_input(&place, &["run", "record", "-", "--session", "codex-q4"], &input);
        assert_eq!(said.code, Some(1), "{input}: {said:?}");
        assert!(said.err.contains(says), "{input}: {said:?}");
        assert!(!format!("{said:?}").contains("nobody may"), "{input}: {said:?}");
        assert_eq!(facts(&place), before, "{input}");
    }
    let path = ["/ho", "me/alice/notes"].concat();
    let said = with_input(&place, &["run", "record", "-"], &with(&format!(r#""summary": "see {path}""#)));
    assert!(said.code == Some(1) && said.err.contains("refused material: summary"), "{said:?}");
    assert!(!format!("{said:?}").contains("alice"), "{said:?}");
}

#[test]
fn facts_of_a_session_that_is_not_bound_are_refused() {
    let place = Place::new();
    for command in [&["run", "record", ITEM][..], &["refresh-state"]] {
        for session in [&["--session", "codex-q4"][..], &["--agent", "codex-main"], &[]] {
            let said = place.0.loopx(&[command, session].concat());
            assert_eq!(said.code, Some(1), "{command:?} {session:?}: {said:?}");
            assert!(said.err.contains("has no live binding here"), "{said:?}");
        }
    }
    place.0.put("goals/ledger/bindings/codex-q4.yaml", BINDING);
    place.0.does(&["session", "close", "codex-q4", "--by", "maya", "--execute"]);
    let said = place.0.loopx(&["refresh-state", "--session", "codex-q4"]);
    assert!(said.code == Some(1) && facts(&place).is_none(), "{said:?}");
}

#[test]
fn a_status_is_reported_as_of_now_and_never_goes_back() {
    let place = bound();
    let at = |now: &'static str, more: &[&'static str]| {
        let said = place.0.loopx(&[&["--now", now, "refresh-state", "--agent", "codex-main"], more].concat());
        assert_eq!(said.code, Some(0), "{said:?}");
        facts(&place).expect("facts")
    };
    let started = at("2026-03-07T10:00:00Z", &[]);
    assert!(started.ends_with("status: running\nupdated_at: 2026-03-07T10:00:00Z\n"), "{started}");
    assert!(
        at("2026-03-07T11:00:00Z", &["--status", "idle"]).ends_with("status: idle\nupdated_at: 2026-03-07T11:00:00Z\n")
    );
    let kept = at("2026-03-07T11:30:00Z", &[]);
    assert!(kept.ends_with("status: idle\nupdated_at: 2026-03-07T11:30:00Z\n"), "{kept}");
    assert_eq!(at("2026-03-07T11:30:00Z", &[]), kept, "a repeat changes nothing");
    assert_eq!(at("2026-03-07T11:00:00Z", &[]), kept, "what was said later stays said");
}
