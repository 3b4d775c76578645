//! `loopx settle`, killed around each change to the disk: this test program, started again, ends itself there.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loopx::app::{SettleRequest, settle_probed};
use loopx::store::Probe;
use loopx::vocabulary::{Id, Instant, TurnResult};
use serde_json::{Value, json};

use super::settling::{FACTS, SHARED_FACTS, TODO, ready, sharing};
use super::{Example, NOW, has, text};

const PLACE: &str = "LOOPX_TEST_SETTLE";
const TURN: &str = "LOOPX_TEST_TURN";
/// How many changes to the disk are made before the end; the child writes how many it made into this file, if it lives.
const LIFE: &str = "LOOPX_TEST_SETTLE_LIFE";
const MADE: &str = "changes-made.text";

/// Settles a turn in another process, which is killed after so many changes to the disk; tells how many it made, if
/// it came to its end.
fn settle_until(example: &Example, packet: &Value, changes: usize) -> Option<usize> {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    example.sandbox.scrub(&mut command);
    command.args(["--exact", "turn::killed::act", "--ignored", "--quiet"]);
    command.env(PLACE, &example.repo).env(LIFE, changes.to_string());
    command.env(TURN, format!("{} {}", text(packet, "/turn_id"), text(packet, "/todo/todo_id")));
    let output = command.output().expect("a child");
    let made = std::fs::read_to_string(example.sandbox.path(MADE)).ok().and_then(|made| made.parse().ok());
    assert_eq!(output.status.success(), made.is_some(), "{output:?}");
    made
}

/// What the child does.
#[test]
#[ignore = "only ever started by other tests"]
fn act() {
    let Some(place) = std::env::var_os(PLACE) else { return };
    let place = Path::new(&place);
    let turn = std::env::var(TURN).expect("a turn");
    let (turn, todo) = turn.split_once(' ').expect("a turn and its todo");
    let life: usize = std::env::var(LIFE).ok().and_then(|life| life.parse().ok()).expect("a number");
    let made = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&made);
    let probe: Probe = Arc::new(move |_| {
        if counted.fetch_add(1, Ordering::SeqCst) == life {
            std::process::abort();
        }
        Ok(())
    });
    let request = SettleRequest {
        turn: Id::new(turn),
        todo: Id::new(todo),
        agent: None,
        outcome: TurnResult::Done,
        summary: None,
        timeout: Duration::from_secs(60),
        dry_run: false,
    };
    settle_probed(place, &request, Instant::parse(NOW), Some(probe)).expect("a settled turn");
    if made.load(Ordering::SeqCst) == life {
        std::process::abort();
    }
    let made = made.load(Ordering::SeqCst).to_string();
    std::fs::write(place.with_file_name(MADE), made).expect("writable");
}

/// Four files are written (the turn, the spend, the todo, the facts), each in three steps (staged, its folder made, put
/// in its place): a kill before each of the twelve changes, and one after the last.
#[test]
fn fault_killed_around_each_durable_step() {
    killed_around_each_step(ready, FACTS, [12, 9]);
}

/// Facts that all work trees share appear in one step.
#[test]
fn fault_killed_around_each_durable_step_where_facts_are_shared() {
    killed_around_each_step(sharing, SHARED_FACTS, [10, 7]);
}

/// Kills a settle around each change to the disk and settles again; `all` counts the changes, and `open` the
/// kills between the turn's receipt and the last of what follows from it.
fn killed_around_each_step(make: fn() -> Example, facts: &str, [all, open]: [usize; 2]) {
    let told = |it: &Example| std::fs::read_to_string(it.repo.join(facts)).unwrap_or_default();
    let whole = make();
    let packet = whole.next("codex-main");
    let changes = settle_until(&whole, &packet, usize::MAX).expect("it comes to its end");
    let state =
        |it: &Example| (it.receipts("turn"), it.receipts("quota_spend"), it.read(TODO), told(it), it.read("check.sh"));
    let expected = state(&whole);
    assert_eq!((expected.0.len(), expected.1.len(), expected.3.matches("val-").count()), (1, 1, 1));
    assert_eq!(changes, all, "changes to the disk");
    let mut finished = 0;
    for number in 0..=changes {
        let example = make();
        // A second check would be seen.
        example.put("check.sh", "test ! -e ran && touch ran\n");
        let packet = example.next("codex-main");
        assert_eq!(settle_until(&example, &packet, number), None, "killed at {number}");
        let has_begun = !example.receipts("turn").is_empty();
        let is_complete = told(&example).contains("val-");
        if has_begun && !is_complete {
            finished += 1;
            let pending = example.next("codex-main");
            has(&pending, &[("/decision", json!("settle")), ("/pending_steps/0/kind", json!("finish"))]);
        }
        if !has_begun {
            std::fs::remove_file(example.repo.join("ran")).expect("the check ran");
        }
        let said = example.settle_at(NOW, &packet, &["--done"]);
        assert_eq!(said.code, Some(0), "killed at {number}: {said:?}");
        has(&said.json(), &[("/replayed", json!(has_begun)), ("/result", json!("done")), ("/spent", json!(true))]);
        let again = example.settle_at(NOW, &packet, &["--done"]).json();
        has(&again, &[("/replayed", json!(true)), ("/written", json!([]))]);
        example.put("check.sh", &expected.4);
        assert_eq!(state(&example), expected, "killed at {number} of {changes}");
        assert!(!example.repo.join(".loopx").exists(), "what was staged is cleared away");
    }
    assert_eq!(finished, open, "kills between the turn's receipt and the last of what follows from it");
}
