//! What a watch shows for people, lines and programs.

use loopx::privacy::Text;
use loopx::render::{
    EventSign, MeaningChange, WatchEvent, WatchEventKind, parts, watch_concise, watch_foot, watch_json, watch_lines,
};
use loopx::vocabulary::Instant;
use serde_json::json;

fn event(what: WatchEventKind) -> WatchEvent {
    WatchEvent { at: Instant::parse("2026-03-07T17:04:11Z").expect("a moment"), what }
}

fn told(sign: EventSign, about: &'static str, text: &'static str) -> MeaningChange {
    MeaningChange { sign, about: Text::fixed(about), goal: Some(Text::fixed("ledger")), text: Text::fixed(text) }
}

fn ran(changes: Vec<MeaningChange>, written: usize) -> WatchEventKind {
    WatchEventKind::Ran { changes, moved: None, written, removed: 0, took: 4_250, next: None }
}

fn story() -> Vec<WatchEvent> {
    let fault =
        told(EventSign::Fault, "gt-2f8q", "`aproved` is not a gate decision (line 11); ledger projects blocked");
    let mended = told(EventSign::Plain, "gt-2f8q", "mended: approved, not recorded yet");
    let next = Some("git commit, then loopx reconcile --commit");
    let moved = Some(Text::fixed("main b6e33b2 -> 71c09aa"));
    let events = [
        WatchEventKind::Began { documents: 36, unusable: 1, goals: 2, means: "native", files: 0 },
        ran(vec![fault], 2),
        WatchEventKind::Ran { changes: vec![mended], moved: None, written: 3, removed: 0, took: 4_250, next },
        ran(vec![told(EventSign::Notable, "gt-6c3j", "blocks + td-9d4m")], 0),
        WatchEventKind::Waits(Text::fixed("git: a merge is in progress, waiting")),
        WatchEventKind::Ran { changes: Vec::new(), moved, written: 1, removed: 0, took: 11_000, next: None },
        WatchEventKind::Recorded {
            commit: Text::fixed("3bac6ac"),
            deeds: vec![Text::fixed("gate gt-2f8q approved")],
            files: 3,
        },
        WatchEventKind::Executed(Some(0)),
        WatchEventKind::Executed(Some(2)),
        WatchEventKind::Failed(Text::fixed("cannot_write: The files cannot be written")),
        WatchEventKind::Ended { commit: Some(Text::fixed("71c09aa")), is_up_to_date: true },
    ];
    events.into_iter().map(event).collect()
}

#[test]
fn people_see_one_line_for_each_change() {
    let shown: String = story().iter().map(|event| watch_lines(event, "17:04:11")).collect();
    assert_eq!(
        shown,
        "watching 36 documents, 2 goals, native events; outputs up to date; 1 document cannot be used, see loopx lint
17:04:11  x gt-2f8q  `aproved` is not a gate decision (line 11); ledger projects blocked; 2 files, 4 ms
17:04:11  . gt-2f8q  mended: approved, not recorded yet; 3 files, 4 ms
           next: git commit, then loopx reconcile --commit
17:04:11  ! gt-6c3j  blocks + td-9d4m; no output differs
17:04:11  - git: a merge is in progress, waiting
17:04:11  . main b6e33b2 -> 71c09aa, looked at everything; 1 file, 11 ms
17:04:11  . recorded in 3bac6ac; 3 files
           + gate gt-2f8q approved
17:04:11  x the command ended with exit code 2
17:04:11  x cannot_write: The files cannot be written
stopped; outputs match 71c09aa and what is not committed
"
    );
    assert_eq!(watch_foot(2, 1, 0), "2 goals  1 waits on a person  0 errors");
}

#[test]
fn many_changes_of_one_run_are_cut() {
    let changes = (0..40).map(|_| told(EventSign::Plain, "td-1", "removed")).collect();
    let shown = watch_lines(&event(ran(changes, 40)), "17:04:11");
    assert_eq!(shown.lines().count(), 13);
    assert!(shown.ends_with("17:04:11  . and 28 more: loopx status; 40 files, 4 ms\n"), "{shown}");
}

#[test]
fn lines_have_no_time_and_no_count() {
    let shown: String = story().iter().map(watch_concise).collect();
    assert!(
        shown.starts_with("x gt-2f8q `aproved` is not a gate decision (line 11); ledger projects blocked\n"),
        "{shown}"
    );
    assert!(!shown.contains("17:04") && !shown.contains(" ms"), "{shown}");
}

#[test]
fn programs_get_one_versioned_object_a_line() {
    let shown: String = story().iter().map(watch_json).collect();
    let mut events = Vec::new();
    for line in shown.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("an object");
        assert_eq!(object["schema_version"], "loopx_watch_event_v0");
        assert_eq!(object["at"], "2026-03-07T17:04:11Z");
        events.push(object["event"].as_str().expect("a word").to_owned());
    }
    let all = ["began", "changed", "ran", "changed", "ran", "changed", "ran", "waits", "ran", "recorded", "executed"];
    assert_eq!(events, [&all[..], &["executed", "failed", "ended"]].concat());
}

#[test]
fn a_field_changes_by_its_parts() {
    let cases = [
        (json!(["a", "b"]), json!(["b", "c"]), "blocks - a, blocks + c"),
        (json!(["a", "b"]), json!(["b", "a"]), "blocks in another order"),
        (json!("P1"), json!("P0"), "blocks P1 -> P0"),
        (json!("two words"), json!(null), "blocks \"two words\" -> none"),
        (json!({ "by": "a", "at": 1 }), json!({ "by": "b", "at": 1 }), "blocks.by a -> b"),
        (json!(null), json!({ "by": "a" }), "blocks added"),
        (json!([{ "a": 1 }]), json!([]), "blocks changed"),
    ];
    for (old, new, shown) in cases {
        assert_eq!(parts("blocks", Some(&old), Some(&new)).join(", "), shown);
    }
}
