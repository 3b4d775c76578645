//! Payloads that no host should send: no panic, the safe answer, and nothing of them in any output.

use loopx::hosts::{EVENTS, HOSTS, Host, PayloadReading, Tool, read_event};

use super::{event_of, folder, sample};

fn is_nothing(host: Host, event: &str, payload: &[u8]) -> bool {
    read_event(host, event, payload) == PayloadReading::Nothing
}

#[test]
fn the_variants_that_are_too_odd_to_store() {
    let claude = |payload: &[u8]| is_nothing(Host::ClaudeCode, "Stop", payload);
    let deep = format!("{{\"hook_event_name\":\"Stop\",\"x\":{}{}}}", "[".repeat(20_000), "]".repeat(20_000));
    assert!(claude(deep.as_bytes()));
    let with_session = deep.replace("\"x\"", "\"session_id\":\"a\",\"x\"");
    assert!(!claude(with_session.as_bytes()), "an unknown key is skipped, however deep");
    assert!(claude(b"{\"hook_event_name\":\"Stop\",\"session_id\":\"\xff\xfe\"}"));
    let edit = sample(Host::ClaudeCode, "PreToolUse-edit", "/w");
    assert!(is_nothing(Host::ClaudeCode, "PreToolUse", &edit[..200]));
    for empty in [&b""[..], b"[]", b"null", b"7", b"\"x\""] {
        assert!(claude(empty));
    }
    let stop = sample(Host::CodexCli, "Stop", "/w");
    assert!(is_nothing(Host::CodexCli, "Stop", &[stop.clone(), stop.clone()].concat()));
    assert!(claude(br#"{"hook_event_name":"Stop","session_id":"a","session_id":"b"}"#));
    assert!(is_nothing(Host::ClaudeCode, "PreToolUse", &sample(Host::ClaudeCode, "SessionEnd", "/w")));
    assert!(is_nothing(Host::CodexCli, "PreToolUse", &sample(Host::GeminiCli, "BeforeTool-shell", "/w")));
}

#[test]
fn a_write_that_cannot_be_read_is_never_taken_for_a_harmless_one() {
    let read = |input: &str| {
        let payload =
            format!(r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write","tool_input":{input}}}"#);
        read_event(Host::ClaudeCode, "PreToolUse", payload.as_bytes())
    };
    let nul = r#"{"file_path":"a\u0000"}"#;
    for input in [
        "{}",
        "7",
        "null",
        "[]",
        r#"{"file_path":7}"#,
        r#"{"file_path":""}"#,
        nul,
        r#"{"file_path":"a","file_path":"b"}"#,
    ] {
        match read(input) {
            PayloadReading::Event(event) => assert_eq!(event.tool, Tool::Write(None), "{input}"),
            reading => panic!("{input}: {reading:?}"),
        }
    }
    // A lone surrogate is no text to this program, and may be one to the host.
    let surrogate = read(r#"{"file_path":"a\ud800"}"#);
    assert_eq!(surrogate, PayloadReading::Unreadable { session: "s".to_owned(), tool: Some("Write".to_owned()) });
    // Where it is not read, it does no harm.
    let PayloadReading::Event(event) = read(r#"{"file_path":"a","content":"\ud800"}"#) else {
        panic!("content is not read")
    };
    assert_eq!(event.tool, Tool::Write(Some(vec!["a".to_owned()])));
}

#[test]
fn large_payloads_are_judged_as_their_small_twins() {
    let event = |payload: &[u8], name: &str| match read_event(Host::ClaudeCode, name, payload) {
        PayloadReading::Event(event) => event,
        reading => panic!("{reading:?}"),
    };
    let grown = |name: &str, pointer: &str, text: String| {
        let mut value: serde_json::Value = serde_json::from_slice(&sample(Host::ClaudeCode, name, "/w")).expect("JSON");
        value
            .pointer_mut(pointer)
            .expect("an object")
            .as_object_mut()
            .expect("an object")
            .insert("content".into(), text.into());
        serde_json::to_vec(&value).expect("JSON")
    };
    let small = event(&sample(Host::ClaudeCode, "PreToolUse-edit", "/w"), "PreToolUse");
    assert_eq!(event(&grown("PreToolUse-edit", "/tool_input", "x".repeat(8_000_000)), "PreToolUse"), small);
    let small = event(&sample(Host::ClaudeCode, "UserPromptSubmit", "/w"), "UserPromptSubmit");
    assert_eq!(event(&grown("UserPromptSubmit", "", "never copy ".repeat(18_200)), "UserPromptSubmit"), small);
}

/// What is read of a payload holds nothing of the fields that are never read.
#[test]
fn fields_that_are_never_read_do_not_arrive() {
    for host in HOSTS {
        for entry in std::fs::read_dir(folder(host.host)).expect("samples") {
            let file = entry.expect("a file").file_name().to_string_lossy().into_owned();
            let name = file.trim_end_matches(".json");
            let reading = read_event(host.host, &event_of(host.host, name), &sample(host.host, name, "/w"));
            let kept = format!("{reading:?}");
            // The text of a patch names its files; only their paths are kept in memory.
            let is_patch_in_shell = name == "PreToolUse-patch-in-shell";
            assert!(is_patch_in_shell || !kept.contains("never copy"), "{} {name}: {kept}", host.word);
        }
    }
}

#[test]
fn every_cut_and_every_flipped_byte_gives_some_answer() {
    let mut executions = 0;
    for host in HOSTS {
        for row in EVENTS.iter().filter(|row| row.host == host.host) {
            let Ok(entry) = std::fs::read(folder(host.host).join(format!("{}.json", row.name))) else { continue };
            for cut in (0..entry.len()).step_by(7) {
                let _ = read_event(host.host, row.name, &entry[..cut]);
                let mut flipped = entry.clone();
                flipped[cut] ^= 0x24;
                let _ = read_event(host.host, row.name, &flipped);
                executions += 2;
            }
        }
    }
    assert!(executions > 1000, "{executions}");
}
