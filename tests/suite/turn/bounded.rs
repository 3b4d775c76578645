//! A turn costs the same whatever the history of its goal, and whatever else stands in the directory.

use loopx::app::{
    ChangeRequest, IncrementalPlan, NextRequest, Operation, StatusRequest, change_document, next, open_watch_io, status,
};
use loopx::change::Action;
use loopx::vocabulary::{ActorClass, GateDecision, Instant, Line};
use serde_json::{Value, json};

use super::{Example, NOW, has};

/// How many receipts the long history has; `LOOPX_FULL=1` tries the full number.
fn many() -> usize {
    if std::env::var_os("LOOPX_FULL").is_some_and(|value| value == "1") { 10_000 } else { 1_000 }
}

fn now() -> Instant {
    Instant::parse(NOW).expect("an instant")
}

/// What an agent's packet costs: versions of files that git was asked for, and documents that were read.
fn look(example: &Example) -> (usize, usize) {
    let request = NextRequest { agent: "codex-main".to_owned(), ..NextRequest::default() };
    let turn = next(&example.repo, &request, now()).expect("a packet");
    (turn.blobs_read, turn.documents_read)
}

/// How many versions of files a look takes before there is a sum, and after one more turn was committed, with so many
/// receipts before it.
fn looked_at(receipts: usize) -> (usize, usize) {
    let example = Example::approved();
    for number in 0..receipts {
        example.spend("ledger-cutover", number, "2026-03-01T08:00:00Z");
    }
    example.commit("history");
    let (before, _) = look(&example);
    let packet = example.next("codex-main");
    let settled = example.settle_at(NOW, &packet, &[]);
    assert_eq!(settled.code, Some(0), "{settled:?}");
    example.commit("turn");
    let summed = example.next("codex-main");
    has(&summed, &[("/last_turn/result", json!("passed")), ("/quota/left", json!(39))]);
    let (after, _) = look(&example);
    // The sum says what the receipts say: without it, and with one that nobody can read.
    let sums = example.repo.join(".git/loopx/receipts");
    for sum in std::fs::read_dir(&sums).expect("a sum").flatten() {
        std::fs::write(sum.path(), "{ \"form\": 1, \"tree\": ").expect("writable");
    }
    assert_eq!(example.next("codex-main"), summed);
    std::fs::remove_dir_all(&sums).expect("the sums");
    assert_eq!(example.next("codex-main"), summed);
    (before, after)
}

#[test]
fn one_more_receipt_is_one_more_look_however_many_there_are() {
    let (few_before, few) = looked_at(10);
    let (many_before, many_after) = looked_at(many());
    assert!(few_before + many() / 2 < many_before, "without the sum each is read: {few_before}, {many_before}");
    assert_eq!(few, many_after, "the turn and its spend, and what every look reads");
}

/// Whoever reads all receipts of a commit leaves their sum to the next look: a reconcile, and a watch as it begins.
#[test]
fn a_reconcile_and_a_watch_leave_a_sum() {
    let reconcile = |example: &Example| assert_eq!(example.loopx(NOW, &["reconcile"]).code, Some(0));
    let watch = |example: &Example| {
        let mut io = open_watch_io(&example.repo).expect("a state directory");
        assert!(IncrementalPlan::open(&mut *io, now()).expect("a plan").is_some());
    };
    for leave in [&reconcile as &dyn Fn(&Example), &watch] {
        let example = Example::approved();
        for number in 0..100 {
            example.spend("ledger-cutover", number, "2026-03-01T08:00:00Z");
        }
        example.commit("history");
        let (before, _) = look(&example);
        leave(&example);
        let (after, _) = look(&example);
        let receipts = example.git(&["ls-files", "receipts/ledger-cutover"]).lines().count();
        assert_eq!((receipts > 100, before), (true, after + receipts), "each receipt was read once");
    }
}

/// A receipt that stands at the ref and was changed there is no addition: everything is read again.
#[test]
fn a_receipt_that_changes_in_the_history_is_seen() {
    let example = Example::approved();
    for number in 0..20 {
        example.spend("ledger-cutover", number, "2026-03-07T08:00:00Z");
    }
    example.commit("history");
    let packet = example.next("codex-main");
    has(&packet, &[("/quota/left", json!(20))]);
    assert_eq!(example.settle_at(NOW, &packet, &[]).code, Some(0));
    example.commit("turn");
    has(&example.next("codex-main"), &[("/quota/left", json!(19))]);
    let spend = super::spend_receipt_of("ledger-cutover", 3, "2026-03-07T08:00:00Z").path();
    std::fs::remove_file(example.repo.join(spend)).expect("a spend");
    example.commit("rewrite history");
    has(&example.next("codex-main"), &[("/quota/left", json!(20))]);
}

/// The example beside so many other goals.
fn beside(goals: usize) -> Example {
    let example = Example::new();
    for number in 0..goals {
        example.put(
            &format!("goals/other-{number}/goal.yaml"),
            &format!(
                "schema_version: loopx_goal_v0\ngoal_id: other-{number}\nobjective: Reach it\nowner: lena\n\
                 agents: {{ agent-{number}: works }}\nboundary: {{ write_scope: [src/**], stop_condition: stop }}\n"
            ),
        );
        example.put(
            &format!("goals/other-{number}/todos/todo-{number}.yaml"),
            &format!(
                "schema_version: loopx_todo_v0\ngoal_id: other-{number}\ntodo_id: todo-{number}\ntitle: Do it\n\
                 task_class: advancement_task\n"
            ),
        );
    }
    if goals > 0 {
        example.commit("other goals");
    }
    example
}

/// How many documents each command about one goal or agent reads.
fn documents(example: &Example) -> [usize; 4] {
    let of = |goal: Option<&str>, agent: Option<&str>| {
        let asked = StatusRequest { goal: goal.map(str::to_owned), agent: agent.map(str::to_owned), me: None };
        status(&example.repo, asked, now()).expect("a screen").0.documents()
    };
    let reason = Line::new("reads agree");
    let decide = ChangeRequest {
        operation: Operation::Act {
            act: Action::Decide { label: GateDecision::Approve, reason, until: None },
            id: "cutover-2f8q".to_owned(),
        },
        goal: None,
        by: Some("maya".to_owned()),
        class: Some(ActorClass::Owner),
        at: None,
    };
    let decided = change_document(&example.repo, &decide, now(), false).expect("a decision");
    assert!(!decided.is_refused());
    [of(Some("ledger-cutover"), None), of(None, Some("codex-main")), decided.state.documents(), look(example).1]
}

#[test]
fn what_is_about_one_goal_reads_one_goal() {
    let (alone, crowded) = (beside(0), beside(60));
    assert_eq!(documents(&alone), documents(&crowded));
    let all =
        |example: &Example| status(&example.repo, StatusRequest::default(), now()).expect("a screen").0.documents();
    assert_eq!(all(&alone) + 120, all(&crowded));
}

/// One goal read alone is told as it is among all; its rows are numbered as `explain` takes them.
#[test]
fn a_screen_of_one_goal_says_what_that_of_all_says() {
    for example in [beside(3), Example::approved()] {
        let json_of = |more: &[&str]| example.does(NOW, &[&["status", "--format", "json"], more].concat()).json();
        let whole = json_of(&[]);
        let kept = |field: &str, is_wanted: &dyn Fn(&Value) -> bool| -> Vec<Value> {
            whole[field].as_array().expect("a list").iter().filter(|it| is_wanted(it)).cloned().collect()
        };
        for goal in ["ledger-cutover", "api-docs", "flaky-suite"] {
            let one = json_of(&["--goal", goal]);
            for field in ["rows", "goals", "projections", "proposed_changes"] {
                assert_eq!(one[field], json!(kept(field, &|it| it["goal_id"] == goal)), "{field} of {goal}");
            }
            assert_eq!(one["notes"], whole["notes"]);
            let screen = example.does(NOW, &["status", "--goal", goal]).out;
            let Some(line) = screen.lines().find(|line| line.starts_with("One row: ")) else { continue };
            let words: Vec<&str> = line.trim_start_matches("One row: loopx ").split(' ').collect();
            let told = example.does(NOW, &words).out;
            let reason = one["rows"][0]["reason"].as_str().expect("a reason").to_owned();
            assert!(told.contains(&reason) && told.contains(goal), "{line}: {told}");
        }
        for agent in ["codex-main", "claude-review"] {
            let one = json_of(&["--agent", agent]);
            let is_of = |it: &Value| it["agents"].as_array().is_some_and(|agents| agents.contains(&json!(agent)));
            assert_eq!(one["rows"], json!(kept("rows", &is_of)), "{agent}");
            assert_eq!(one["projections"], json!(kept("projections", &|it| it["agent_id"] == agent)), "{agent}");
        }
    }
}

/// A decision whose receipt stands already is compared with it, whether a part of the directory is read or all of it.
#[test]
fn a_gate_is_decided_once_in_a_part_as_in_the_whole() {
    let example = beside(2);
    example.approve();
    example.git(&["checkout", "--quiet", "--", "goals/ledger-cutover/gates"]);
    let other = ["gate", "decide", "cutover-2f8q", "reject", "--reason", "no", "--by", "maya", "--execute"];
    let said = example.loopx(NOW, &other);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("receipt/conflict"), "{said:?}");
    let same = ["gate", "decide", "cutover-2f8q", "approve", "--reason", "reads agree", "--by", "maya", "--execute"];
    assert_eq!(example.loopx(NOW, &same).code, Some(0));
    let unknown = example.loopx(NOW, &["gate", "decide", "cutover-2f8x", "approve", "--reason", "x", "--by", "maya"]);
    assert_eq!(unknown.code, Some(3));
    assert!(unknown.err.contains("did you mean"), "{unknown:?}");
}
