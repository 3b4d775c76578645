//! The quota commands, the guard of contract 5, and what receipts and reviews say of turns.

use serde_json::{Value, json};

use super::{Example, NOW, has, text};
use crate::store::sandbox::snapshot;

/// The example with one turn of `codex-main` settled.
fn settled() -> (Example, Value) {
    let example = Example::approved();
    let accept = ["handoff", "accept", "cutover-3y5k", "--goal", "ledger-cutover", "--by", "codex-main", "--execute"];
    example.does(NOW, &accept);
    example.commit("accept");
    let packet = example.next("codex-main");
    assert_eq!(example.settle_at(NOW, &packet, &[]).code, Some(0));
    (example, packet)
}

fn json_of(example: &Example, arguments: &[&str]) -> Value {
    example.does(NOW, &[arguments, &["--format", "json"]].concat()).json()
}

#[test]
fn the_guard_says_what_the_packet_says() {
    let example = Example::new();
    let before = snapshot(&example.repo);
    let guard = ["quota", "should-run", "--agent", "codex-main", "--profile", "codex_app_heartbeat"];
    has(
        &json_of(&example, &guard),
        &[
            ("/ok", json!(true)),
            ("/should_run", json!(false)),
            ("/user_action_required", json!(true)),
            ("/state", json!("operator_gate")),
            ("/interaction_contract/mode", json!("user_gate")),
            ("/interaction_contract/user_channel/notify", json!("NOTIFY")),
            ("/scheduler_hint/action", json!("backoff_waiting_for_user")),
            ("/scheduler_hint/codex_app/recommended_rrule", json!("FREQ=MINUTELY;INTERVAL=30")),
            ("/scheduler_hint/codex_app/stateful_backoff/apply_needed", json!(true)),
        ],
    );
    let lost = json_of(&example, &["quota", "should-run", "--agent", "codex-main"]);
    has(&lost, &[("/scheduler_hint/action", json!("repair_scheduler_execution_context"))]);
    let unknown = example.loopx(NOW, &["quota", "should-run", "--agent", "nope", "--format", "json"]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
    has(
        &unknown.json(),
        &[
            ("/ok", json!(false)),
            ("/error_code", json!("quota_agent_not_registered")),
            ("/should_run", json!(false)),
            ("/state", json!("blocked_health")),
        ],
    );
    assert!(before == snapshot(&example.repo), "no byte changed");
}

#[test]
fn an_acknowledgement_settles_the_timer_and_spends_nothing() {
    let example = Example::new();
    let guard = ["quota", "should-run", "--agent", "codex-main", "--host", "codex_app"];
    let first = json_of(&example, &guard);
    let arguments = first.pointer("/scheduler_hint/codex_app/ack_hint/cli_args").expect("a command");
    let arguments: Vec<&str> =
        arguments.as_array().expect("words").iter().map(|it| it.as_str().expect("a word")).collect();
    let wrong = arguments.iter().map(|word| word.replace("INTERVAL=30", "INTERVAL=15")).collect::<Vec<_>>();
    let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
    assert_eq!(example.loopx(NOW, &wrong).code, Some(1));
    has(&json_of(&example, &arguments), &[("/ok", json!(true)), ("/already_applied", json!(false))]);
    let second = json_of(&example, &guard);
    has(
        &second,
        &[
            ("/scheduler_hint/codex_app/recommended_rrule", json!(null)),
            ("/scheduler_hint/codex_app/stateful_backoff/state_status", json!("same_identity")),
        ],
    );
    assert!(example.receipts("quota_spend").is_empty() && example.sandbox.status(&example.repo).is_empty());
    // Another host has its own timer, and a failed update is not asked for again at once.
    let other = ["quota", "should-run", "--agent", "claude-review", "--host", "codex_app"];
    has(&json_of(&example, &other), &[("/scheduler_hint/codex_app/stateful_backoff/apply_needed", json!(true))]);
    let fail = ["quota", "scheduler-fail", "--agent", "claude-review", "--host", "codex_app", "--kind", "timeout"];
    has(&json_of(&example, &fail), &[("/recorded", json!(true))]);
    has(
        &json_of(&example, &other),
        &[
            ("/scheduler_hint/codex_app/recommended_rrule", json!(null)),
            ("/scheduler_hint/codex_app/stateful_backoff/state_status", json!("host_update_failure_suppressed")),
        ],
    );
}

#[test]
fn a_spend_is_written_once_and_taken_back_by_a_person() {
    let (example, packet) = settled();
    let turn = text(&packet, "/turn_id");
    has(&json_of(&example, &["quota", "spend", "--turn", &turn]), &[("/appended", json!(false))]);
    let path = example.sandbox.git(&example.repo, &["ls-files", "--others", "receipts"]);
    let spend = path.lines().find(|path| example.read(path).contains("event_class: quota_spend")).expect("a spend");
    std::fs::remove_file(example.repo.join(spend)).expect("the spend");
    has(&json_of(&example, &["quota", "spend", "--turn", &turn]), &[("/appended", json!(true))]);
    assert_eq!(example.receipts("quota_spend").len(), 1);
    let agent = example.loopx(NOW, &["quota", "void", "--turn", &turn, "--by", "codex-main", "--execute"]);
    assert_eq!(agent.code, Some(1), "{agent:?}");
    let shown = json_of(&example, &["quota", "void", "--turn", &turn, "--by", "maya"]);
    has(&shown, &[("/changed", json!(true)), ("/written", json!(false))]);
    assert!(example.receipts("quota_void").is_empty());
    has(
        &json_of(&example, &["quota", "void", "--turn", &turn, "--by", "maya", "--execute"]),
        &[("/written", json!(true))],
    );
    has(&example.next("codex-main"), &[("/quota/left", json!(39))]);
    example.commit("turn and void");
    has(&example.next("codex-main"), &[("/quota/left", json!(40))]);
    let again = json_of(&example, &["quota", "void", "--turn", &turn, "--by", "maya", "--execute"]);
    has(&again, &[("/changed", json!(false))]);
    let unknown = example.loopx(NOW, &["quota", "void", "--turn", "turn-0000000000000000", "--by", "maya"]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
}

#[test]
fn the_status_of_quotas_names_each_goal_and_agent() {
    let (example, _) = settled();
    let status = json_of(&example, &["quota", "status"]);
    has(
        &status,
        &[
            ("/goals/ledger-cutover/quota/spent", json!(1)),
            ("/goals/ledger-cutover/quota/left", json!(39)),
            ("/goals/api-docs/quota", json!(null)),
            ("/goals/api-docs/agents/0/state", json!("eligible")),
        ],
    );
    let said = example.does(NOW, &["quota", "status", "--goal", "ledger-cutover"]).out;
    assert!(said.contains("left") && said.contains("39"), "{said}");
}

#[test]
fn receipts_of_turns_are_listed_shown_and_verified() {
    let (example, packet) = settled();
    let turn = text(&packet, "/turn_id");
    let list = example.does(NOW, &["receipts", "list", "--goal", "ledger-cutover"]).out;
    assert!(list.contains(&format!("  {turn} of cutover-")) && list.contains(&format!("slot of {turn}")), "{list}");
    example.commit("turn");
    let verified = example.loopx(NOW, &["receipts", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let listed = example.does(NOW, &["receipts", "list", "--format", "json"]).json();
    let all = listed["receipts"].as_array().expect("receipts");
    let run = all.iter().find(|one| one["result"] == json!("passed")).expect("the turn")["run_id"].clone();
    let shown = example.does(NOW, &["receipts", "show", run.as_str().expect("an id")]).out;
    assert!(shown.contains("recorded") && shown.contains(&turn), "{shown}");
}

#[test]
fn a_review_counts_the_turns_of_each_agent() {
    let (example, _) = settled();
    example.git(&["switch", "--quiet", "--create", "work"]);
    example.git(&["config", "user.email", "codex-main@users.noreply.example"]);
    example.commit("a turn");
    let review = example.loopx(NOW, &["review", "main..work"]);
    assert!(review.out.contains("codex-main settled 1 turn, spent 1 of 40 on ledger-cutover"), "{review:?}");
    let json = example.loopx(NOW, &["review", "main..work", "--format", "json"]).json();
    assert_eq!(json["turns"].as_array().map(Vec::len), Some(1), "{json}");
    assert_eq!(json["refused"], json!(false), "{json}");
}

#[test]
fn an_agent_that_takes_a_spend_back_is_refused_by_a_review() {
    let (example, packet) = settled();
    example.commit("a turn");
    example.git(&["switch", "--quiet", "--create", "work"]);
    example.does(NOW, &["quota", "void", "--turn", &text(&packet, "/turn_id"), "--by", "maya", "--execute"]);
    example.git(&["config", "user.email", "codex-main@users.noreply.example"]);
    example.commit("take it back");
    let review = example.loopx(NOW, &["review", "main..work"]);
    assert_eq!(review.code, Some(1), "{review:?}");
    assert!(review.out.contains("transition/agent-decides"), "{review:?}");
}
