//! The twelve examples of a turn: what `loopx next` says of the example as it stands, and as it changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loopx::app::{SettleRequest, settle_probed};
use loopx::store::DiskStep;
use loopx::turn::packet_schema;
use loopx::vocabulary::{Id, Instant, TurnResult};
use serde_json::json;

use super::{Example, NOW, has, text};

#[test]
fn example_1_a_gate_is_asked_of_its_owner() {
    let packet = Example::new().next("codex-main");
    has(
        &packet,
        &[
            ("/goal_id", json!("ledger-cutover")),
            ("/decision", json!("ask")),
            ("/mode", json!("user_gate")),
            ("/state", json!("operator_gate")),
            ("/gate/gate_id", json!("cutover-2f8q")),
            ("/gate/state", json!("requested")),
            ("/waiting_for/name", json!("maya")),
            ("/turn_id", json!(null)),
            ("/quota/left", json!(40)),
            ("/lane", json!("user_gate")),
            ("/session_id", json!("codex-ledger-q4")),
            ("/judged_by", json!("same")),
            ("/commands/settle", json!(null)),
        ],
    );
}

#[test]
fn example_2_a_todo_can_be_worked_on() {
    let packet = Example::new().next("claude-review");
    has(
        &packet,
        &[
            ("/goal_id", json!("api-docs")),
            ("/decision", json!("work")),
            ("/mode", json!("bounded_delivery")),
            ("/state", json!("eligible")),
            ("/todo/todo_id", json!("errors-6n1x")),
            ("/turn_id", json!("turn-b48c9c6f8e88de03")),
            ("/boundary/write_scope", json!(["docs/api/**"])),
            ("/obligation", json!("advance_one_bounded_segment")),
            ("/lane", json!("advancement_task")),
            ("/other_goals/0/goal_id", json!("ledger-cutover")),
            ("/quota", json!(null)),
            ("/stalled", json!(0)),
        ],
    );
}

#[test]
fn example_3_an_approved_handoff_is_accepted_first() {
    let packet = Example::approved().next("codex-main");
    has(
        &packet,
        &[
            ("/decision", json!("work")),
            ("/handoff/handoff_id", json!("cutover-3y5k")),
            ("/handoff/accept", json!(true)),
            ("/boundary/write_scope", json!(["services/ledger/config/staging/**"])),
            ("/boundary/stop_condition", json!("Stop at the first failed check and set the flag back.")),
            ("/validation_command", json!(["sh", "check.sh"])),
            ("/may_continue", json!("yes")),
        ],
    );
    let first = packet["commands"]["first"][0].as_array().expect("a command");
    assert_eq!(first[1..4], [json!("handoff"), json!("accept"), json!("cutover-3y5k")]);
}

#[test]
fn the_commands_of_a_packet_run_as_they_stand() {
    let example = Example::approved();
    let packet = example.next("codex-main");
    let words = |command: &serde_json::Value| -> Vec<String> {
        command.as_array().expect("a command").iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
    };
    let run = |command: &serde_json::Value, more: &[&str]| {
        let words = words(command);
        assert_eq!(words[0], "loopx");
        let words: Vec<&str> = words[1..].iter().map(String::as_str).chain(more.iter().copied()).collect();
        example.does(NOW, &words)
    };
    run(&packet["commands"]["first"][0], &[]);
    run(&packet["commands"]["ask"], &["May the old flag go?", "--id", "flag-1"]);
    std::fs::remove_file(example.repo.join("goals/ledger-cutover/gates/flag-1.yaml")).expect("the gate");
    run(&packet["commands"]["settle"], &["--done"]);
    assert!(example.read("goals/ledger-cutover/todos/cutover-9d4m.yaml").contains("status: done"));
}

#[test]
fn example_4_a_decision_on_a_branch_waits_for_its_merge() {
    let example = Example::new();
    example.git(&["switch", "--quiet", "--create", "work"]);
    example.approve();
    example.commit("approve");
    let packet = example.next("codex-main");
    has(&packet, &[("/decision", json!("ask")), ("/waiting_on", json!("controller"))]);
}

#[test]
fn example_5_without_facts_the_session_is_reported_first() {
    let example = Example::new();
    std::fs::remove_dir_all(example.repo.join("facts")).expect("the facts");
    example.commit("no facts");
    let packet = example.next("claude-review");
    has(
        &packet,
        &[
            ("/decision", json!("report")),
            ("/goal_id", json!("api-docs")),
            ("/may_continue", json!("unknown")),
            ("/mode", json!("control_plane_self_repair")),
        ],
    );
    assert_eq!(packet["commands"]["first"][0][1], json!("refresh-state"));
}

#[test]
fn example_6_without_a_slot_the_agent_waits() {
    let example = Example::approved();
    for number in 0..40 {
        example.spend("ledger-cutover", number, &format!("2026-03-07T08:{number:02}:00Z"));
    }
    let packet = example.next("codex-main");
    has(
        &packet,
        &[
            ("/decision", json!("wait")),
            ("/mode", json!("quota_throttled")),
            ("/state", json!("throttled")),
            ("/quota/left", json!(0)),
            ("/quota/spent", json!(40)),
            ("/obligation", json!("advance_one_bounded_segment")),
        ],
    );
    assert!(text(&packet, "/quota/frees_at").starts_with("2026-03-08T08:00:00"));
    let status = example.does(NOW, &["status", "--format", "json"]).json();
    let quota =
        status["goals"].as_array().expect("goals").iter().find_map(|goal| goal.get("quota").filter(|it| !it.is_null()));
    assert_ne!(quota.and_then(|quota| quota["spent"].as_u64()), Some(40), "unmerged spends count for the agent alone");
}

#[test]
fn example_7_a_paused_goal_stops() {
    let example = Example::new();
    example.replace("goals/ledger-cutover/goal.yaml", "priority: P0\n", "priority: P0\nstatus: paused\n");
    example.commit("pause");
    let packet = example.next("codex-main");
    has(&packet, &[("/decision", json!("stop")), ("/mode", json!("skip")), ("/state", json!("paused"))]);
}

pub(crate) fn monitor(example: &Example) {
    std::fs::remove_file(example.repo.join("goals/api-docs/todos/errors-6n1x.yaml")).expect("the todo");
    example.put(
        "goals/api-docs/todos/links-2b7n.yaml",
        "schema_version: loopx_todo_v0\ngoal_id: api-docs\ntodo_id: links-2b7n\ntitle: Look for broken links\n\
         task_class: continuous_monitor\ncadence: 6h\nnext_due_at: 2026-03-07T22:00:00Z\n",
    );
    example.commit("only a monitor");
}

#[test]
fn example_8_a_monitor_that_is_not_due_waits() {
    let example = Example::new();
    monitor(&example);
    let packet = example.next_at(NOW, "claude-review", &["--goal", "api-docs", "--host", "claude_code"]);
    has(
        &packet,
        &[
            ("/decision", json!("wait")),
            ("/mode", json!("monitor_quiet_skip")),
            ("/state", json!("eligible")),
            ("/schedule/interval_minutes", json!(15)),
            ("/schedule/cadence_class", json!("monitor_wait")),
            ("/obligation", json!("quiet_until_material_monitor_transition")),
        ],
    );
}

#[test]
fn example_9_a_monitor_is_worked_on_when_it_is_due() {
    let example = Example::new();
    monitor(&example);
    let due = "2026-03-07T22:00:00Z";
    let packet = example.next_at(due, "claude-review", &["--goal", "api-docs", "--host", "claude_code"]);
    has(
        &packet,
        &[
            ("/decision", json!("work")),
            ("/obligation", json!("attempt_due_monitor")),
            ("/lane", json!("continuous_monitor")),
            ("/schedule/interval_minutes", json!(3)),
        ],
    );
    let settled = example.settle_at(due, &packet, &[]);
    assert_eq!(settled.code, Some(0), "{settled:?}");
    assert!(example.read("goals/api-docs/todos/links-2b7n.yaml").contains("next_due_at: 2026-03-08T04:00:00Z"));
    has(&settled.json(), &[("/next/decision", json!("wait")), ("/spent", json!(false))]);
}

#[test]
fn example_10_what_is_deleted_here_still_closes() {
    let example = Example::new();
    for path in ["gates/cutover-2f8q.yaml", "handoffs/cutover-3y5k.yaml"] {
        std::fs::remove_file(example.repo.join("goals/ledger-cutover").join(path)).expect("a document");
    }
    let packet = example.next("codex-main");
    has(
        &packet,
        &[
            ("/decision", json!("ask")),
            ("/gate/gate_id", json!("cutover-2f8q")),
            ("/judged_by", json!("authority_ref")),
            ("/turn_id", json!(null)),
        ],
    );
}

/// Settles a turn and stops right after the receipt is in its place.
pub(crate) fn settle_until_receipt(example: &Example, packet: &serde_json::Value, outcome: TurnResult) {
    let request = SettleRequest {
        turn: Id::new(text(packet, "/turn_id")),
        todo: Id::new(text(packet, "/todo/todo_id")),
        agent: None,
        outcome,
        summary: None,
        timeout: Duration::from_secs(60),
        dry_run: false,
    };
    let published = Arc::new(AtomicUsize::new(0));
    let probe = {
        let published = Arc::clone(&published);
        Arc::new(move |step: DiskStep| match step {
            _ if published.load(Ordering::SeqCst) > 0 => Err(std::io::Error::other("stopped")),
            DiskStep::Publish => {
                published.fetch_add(1, Ordering::SeqCst);
                Ok(())
            }
            _ => Ok(()),
        })
    };
    let stopped = settle_probed(&example.repo, &request, Instant::parse(NOW), Some(probe));
    assert!(stopped.is_err(), "{stopped:?}");
    assert_eq!(published.load(Ordering::SeqCst), 1);
}

#[test]
fn example_11_a_turn_that_was_killed_is_finished_first() {
    let example = Example::new();
    let packet = example.next("claude-review");
    settle_until_receipt(&example, &packet, TurnResult::Done);
    let packet = example.next("claude-review");
    has(
        &packet,
        &[
            ("/decision", json!("settle")),
            ("/pending_steps/0/kind", json!("finish")),
            ("/pending_steps/0/turn_id", json!("turn-b48c9c6f8e88de03")),
            ("/turn_id", json!("turn-b48c9c6f8e88de03")),
        ],
    );
    let settled = example.settle_at(NOW, &packet, &["--done"]).json();
    has(&settled, &[("/replayed", json!(true)), ("/result", json!("done"))]);
    assert!(example.read("goals/api-docs/todos/errors-6n1x.yaml").contains("status: done"));
    assert!(example.read("facts/claude_code/claude-docs-v2.yaml").contains("turn_id: turn-b48c9c6f8e88de03"));
    assert_eq!(example.receipts("turn").len(), 1);
}

#[test]
fn example_12_a_todo_that_failed_three_times_is_replanned() {
    let example = Example::new();
    let mut packet = example.next("claude-review");
    for turn in 0..3 {
        has(&packet, &[("/decision", json!("work")), ("/stalled", json!(turn))]);
        let said = example.settle_at(NOW, &packet, &["--outcome", "failed", "--summary", "two examples fail"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        packet = said.json()["next"].clone();
    }
    has(&packet, &[("/decision", json!("replan")), ("/mode", json!("autonomous_replan")), ("/stalled", json!(3))]);
    assert_eq!(example.receipts("turn").len(), 3);
    assert!(example.receipts("quota_spend").is_empty());
}

#[test]
fn a_packet_fits_its_schema_and_its_screen_is_short() {
    let validator = jsonschema::validator_for(&packet_schema()).expect("a schema");
    let example = Example::approved();
    for agent in ["codex-main", "claude-review", "worker-bench"] {
        for more in [&[][..], &["--host", "codex_cli"]] {
            let packet = example.next_at(NOW, agent, more);
            let faults: Vec<String> = validator.iter_errors(&packet).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{faults:?}");
            for pointer in packet["untrusted"].as_array().expect("pointers") {
                let pointer = pointer.as_str().expect("a pointer");
                assert!(packet.pointer(pointer).is_some_and(|text| !text.is_null()), "{pointer}");
            }
        }
        let screen = example.does(NOW, &["next", "--agent", agent]).out;
        assert!(screen.lines().count() <= 15, "{screen}");
    }
}

#[test]
fn nothing_is_written_by_a_look() {
    let example = Example::new();
    let before = crate::store::sandbox::snapshot(&example.repo);
    for agent in ["codex-main", "claude-review"] {
        example.next(agent);
        example.does(NOW, &["next", "--agent", agent, "--host", "codex_app"]);
    }
    assert!(before == crate::store::sandbox::snapshot(&example.repo), "no byte changed");
    let unknown = example.loopx(NOW, &["next", "--agent", "codex-mian"]);
    assert_eq!(unknown.code, Some(3));
    assert!(unknown.err.contains("did you mean codex-main?"), "{unknown:?}");
}

#[test]
fn giving_the_cursor_back_acknowledges_the_interval() {
    let example = Example::new();
    let schedule = |now: &str, cursor: Option<&str>| {
        let cursor: Vec<&str> = cursor.iter().flat_map(|cursor| ["--cursor", cursor]).collect();
        example.next_at(now, "codex-main", &[&["--host", "claude_code"], &cursor[..]].concat())["schedule"].clone()
    };
    let first = schedule(NOW, None);
    has(&first, &[("/interval_minutes", json!(30)), ("/reset", json!(true)), ("/final", json!(false))]);
    let early = schedule("2026-03-07T17:29:00Z", Some(&text(&first, "/cursor")));
    has(&early, &[("/interval_minutes", json!(30)), ("/reset", json!(false))]);
    let over = schedule("2026-03-07T17:30:00Z", Some(&text(&early, "/cursor")));
    has(&over, &[("/interval_minutes", json!(60)), ("/reset", json!(false))]);
    let last = schedule("2026-03-07T18:30:00Z", Some(&text(&over, "/cursor")));
    has(&last, &[("/interval_minutes", json!(120)), ("/final", json!(true)), ("/after_limit", json!("stop_loop"))]);
    example.approve();
    example.commit("approve");
    let other = schedule("2026-03-07T18:30:00Z", Some(&text(&last, "/cursor")));
    has(&other, &[("/interval_minutes", json!(3)), ("/reset", json!(true)), ("/action", json!("run_now"))]);
}
