//! Session files and exports of hosts: what they report, and what is never read.

use loopx::hosts::{EXPORT_SURFACES, SessionKey, read_export, reported};
use loopx::vocabulary::{ApprovalStatus, Facts, HostSurface, Instant, SessionStatus};

use crate::receipts::team::Team;

fn export(surface: HostSurface) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hosts/exports");
    let ending = match surface {
        HostSurface::Opencode => "json",
        HostSurface::Acp => "ndjson",
        _ => "jsonl",
    };
    std::fs::read(folder.join(format!("{surface}.{ending}"))).expect("an export")
}

fn facts(surface: HostSurface, bytes: &[u8]) -> Option<Facts> {
    let at = Instant::parse("2026-01-05T10:00:00Z").expect("an instant");
    let key = SessionKey { surface, session_id: "s".to_owned(), epoch: 0, todo_id: None };
    let reports = read_export(surface, bytes, at).reports;
    reports.into_iter().fold(None, |facts, (report, at)| reported(facts.as_ref(), &key, report, at).or(facts))
}

#[test]
fn each_format_says_where_its_session_stands() {
    let expected = [
        (
            HostSurface::ClaudeCode,
            "11111111-1111-4111-8111-111111111111",
            SessionStatus::Idle,
            "2026-01-05T09:00:13Z",
            1,
        ),
        (HostSurface::CodexCli, "22222222-2222-7222-8222-222222222222", SessionStatus::Idle, "2026-01-05T09:05:02Z", 2),
        (
            HostSurface::GeminiCli,
            "33333333-3333-4333-8333-333333333333",
            SessionStatus::Failed,
            "2026-01-05T09:00:14Z",
            1,
        ),
        (HostSurface::Opencode, "ses_syn1", SessionStatus::Idle, "2026-01-05T09:00:13Z", 1),
        (HostSurface::Acp, "sess_syn1", SessionStatus::Idle, "2026-01-05T10:00:00Z", 1),
    ];
    assert_eq!(EXPORT_SURFACES.len(), expected.len());
    for (surface, session, status, updated_at, turns) in expected {
        let bytes = export(surface);
        let read = read_export(surface, &bytes, Instant::parse("2026-01-05T10:00:00Z").expect("an instant"));
        assert_eq!((read.session.as_deref(), read.unreadable_lines), (Some(session), 0), "{surface}");
        let facts = facts(surface, &bytes).expect("facts");
        let at = Instant::parse(updated_at).expect("an instant");
        assert_eq!((facts.status, facts.updated_at, facts.events.len()), (status, at, turns), "{surface}");
        assert!(!format!("{facts:?}").contains("never copy"), "{surface}");
    }
    let acp = facts(HostSurface::Acp, &export(HostSurface::Acp)).expect("facts");
    assert_eq!(acp.approvals[0].status, ApprovalStatus::Granted);
}

#[test]
fn a_torn_last_line_is_left_out_and_a_broken_one_is_counted() {
    let mut bytes = export(HostSurface::CodexCli);
    bytes.extend_from_slice(b"{\"timestamp\":\"2026-01-05T09:06");
    let at = Instant::parse("2026-01-05T10:00:00Z").expect("an instant");
    assert_eq!(read_export(HostSurface::CodexCli, &bytes, at).unreadable_lines, 0);
    let broken = [b"not json\n", bytes.as_slice()].concat();
    assert_eq!(read_export(HostSurface::CodexCli, &broken, at).unreadable_lines, 1);
}

#[test]
fn ingested_facts_stand_beside_the_repository_and_hold_nothing_of_what_was_said() {
    let team = Team::new();
    team.put("export.jsonl", std::str::from_utf8(&export(HostSurface::ClaudeCode)).expect("text"));
    let said = team.does(&["ingest", "claude_code", "loopx/export.jsonl", "--format", "json"]);
    assert!(said.contains("\"bound\": false") && said.contains("\"status\": \"idle\""), "{said}");
    let folder = team.repo.join(".git/loopx/facts/loopx/claude_code");
    let file = std::fs::read_dir(folder).expect("facts").next().expect("a file").expect("a file").path();
    let facts = std::fs::read_to_string(file).expect("facts");
    assert!(!facts.contains("never copy") && !facts.contains("11111111-1111"), "{facts}");
    let again = team.does(&["ingest", "claude_code", "loopx/export.jsonl", "--format", "json"]);
    assert!(again.contains("\"written\": false"), "{again}");
}
