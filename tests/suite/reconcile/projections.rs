//! The five acceptance checks of contract 2.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use loopx::privacy::Wall;
use loopx::reconcile::Plan;
use loopx::render::outputs;
use loopx::vocabulary::{GateState, MayContinue, Record};
use loopx::workspace::read;
use serde_json::Value;

use super::state::{State, folder, instant};
use crate::fixture::files_below;

/// Every state directory of the fixtures of this room, with what follows from it.
static PLANS: LazyLock<Vec<(String, Plan)>> = LazyLock::new(|| {
    let mut plans = Vec::new();
    for area in ["fixtures/reconcile", "fixtures/verdicts"] {
        for name in folders(area) {
            for state in folders(&name).into_iter().chain([name.clone()]) {
                let Ok(as_of) = std::fs::read_to_string(folder(&state).join("as_of.txt")) else { continue };
                let plan = State::open(&state).plan(instant(&as_of));
                plans.push((state, plan));
            }
        }
    }
    assert!(plans.len() > 90, "only {} states", plans.len());
    plans
});

fn folders(name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder(name)).expect("a folder").filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| format!("{name}/{}", entry.file_name().to_string_lossy())).collect()
}

/// The projections of a plan as the files say them.
fn projections(plan: &Plan) -> Vec<(String, Value)> {
    let files = outputs(plan).into_iter().filter(|(path, _)| path.starts_with("projections/"));
    files.map(|(path, bytes)| (path, serde_json::from_slice(&bytes).expect("JSON"))).collect()
}

#[test]
fn check_1_the_join_keys_are_enough_to_reconcile_a_handoff() {
    let state = State::open("fixtures/verdicts/handoff_approved_by_its_gate");
    let plan = state.plan(instant("2026-03-07T12:00:00Z"));
    let world = state.world();
    let mut joined = 0;
    for (_, projection) in projections(&plan) {
        let goal = &world.goals[projection["goal_id"].as_str().expect("a goal")];
        let agent = projection["agent_id"].as_str().expect("an agent");
        assert!(goal.goal.is_some_and(|goal| goal.agents.contains_key(agent)));
        let refs = &projection["loopx_refs"];
        let run = refs["run_id"].as_str().expect("the newest receipt");
        assert!(world.receipts.contains_key(run));
        if let Some(todo) = refs["todo_id"].as_str() {
            let handoff = goal.handoffs.values().find(|handoff| handoff.todo_id == *todo).expect("its handoff");
            assert_eq!(handoff.to_agent.as_str(), agent);
            joined += 1;
            // Pointers only: what the handoff asks and what its evidence says stay where they are.
            assert!(!projection.to_string().contains(handoff.next_action.as_str()));
        }
    }
    assert_eq!(joined, 1);
}

#[test]
fn check_2_the_eight_fields_are_on_every_first_screen_and_the_shape_is_the_contracts() {
    let eight = [
        "waiting_on",
        "next_action",
        "open_user_todo",
        "first_executable_agent_todo",
        "latest_validation",
        "gate_state",
        "quota_state",
        "boundary",
    ];
    for (state, plan) in PLANS.iter() {
        for (path, bytes) in outputs(plan).into_iter().filter(|(path, _)| path.starts_with("projections/")) {
            let reading = read(&Arc::from(path.as_str()), &bytes, Wall::shipped());
            assert!(matches!(reading.record, Some(Record::Projection(_))), "{state} {path}: {:?}", reading.shape);
            let projection: Value = serde_json::from_slice(&bytes).expect("JSON");
            let screen = projection["first_screen"].as_object().expect("a screen");
            assert!(eight.iter().all(|field| screen.contains_key(*field)), "{state} {path}");
            assert!(screen["latest_validation"].as_str().is_some_and(|text| !text.is_empty()));
            assert!(screen["next_action"].as_str().is_some_and(|text| !text.is_empty()));
        }
    }
}

#[test]
fn check_3_a_missing_fact_is_said_and_never_guessed() {
    let plan = State::open("fixtures/reconcile/missing_runtime_fact/yields").plan(instant("2026-03-07T12:00:00Z"));
    for projection in plan.projections.values() {
        let screen = &projection.first_screen;
        assert_eq!(projection.runtime.session_id.as_ref().map(AsRef::as_ref), Some("codex-q4"));
        assert_eq!(screen.latest_validation.as_ref(), "no facts of codex-q4");
        assert_eq!((screen.gate_state, screen.may_continue), (GateState::Blocked, MayContinue::Unknown));
        assert!(projection.loopx_refs.event_id.is_none() && projection.loopx_refs.outcome_id.is_none());
    }
    let plan = State::open("fixtures/reconcile/in_step/yields").plan(instant("2026-03-07T12:00:00Z"));
    for projection in plan.projections.values() {
        assert_eq!(projection.runtime.runtime_id.as_ref(), "none");
        assert_eq!(projection.runtime.session_id, None);
        assert_eq!(projection.first_screen.latest_validation.as_ref(), "no session is bound, so no runtime facts");
    }
    for (state, plan) in PLANS.iter() {
        for projection in plan.projections.values() {
            let screen = &projection.first_screen;
            let has_none = projection.runtime.session_id.is_none();
            assert_eq!(has_none, projection.runtime.runtime_id.as_ref() == "none", "{state}");
            // Whoever may go on has a todo to go on with.
            assert!(screen.may_continue != MayContinue::Yes || screen.first_executable_agent_todo.is_some(), "{state}");
        }
    }
}

#[test]
fn check_4_a_projection_only_reads() {
    for (state, plan) in PLANS.iter() {
        for (path, projection) in projections(plan) {
            let boundary = &projection["first_screen"]["boundary"];
            assert_eq!(boundary["mode"], "read_only_projection", "{state} {path}");
            let flags = ["raw_transcripts_copied", "credentials_copied", "private_paths_copied"];
            assert!(flags.iter().all(|flag| boundary[flag] == false), "{state} {path}");
            assert_eq!(projection["runtime"]["source_ids_redacted"], true, "{state} {path}");
        }
    }
    let reaching_out = ["std::fs", "std::env", "std::net", "std::process", "std::time", "gix", "::now()"];
    for room in ["src/reconcile", "src/review", "src/render"] {
        for path in files_below(&folder(room)) {
            let text = std::fs::read_to_string(&path).expect("source is text");
            let found = reaching_out.iter().find(|word| text.contains(*word));
            assert_eq!(found, None, "{}", path.display());
        }
    }
}

#[test]
fn check_5_public_fixtures_and_what_follows_from_them_hold_nothing_private() {
    let wall = Wall::shipped();
    for (state, plan) in PLANS.iter() {
        for (path, bytes) in outputs(plan) {
            let text = String::from_utf8(bytes).expect("text");
            assert_eq!(wall.scan_text(&text), [], "{state} {path}");
        }
    }
    let mut seen = BTreeSet::new();
    for area in ["fixtures/reconcile", "fixtures/verdicts", "state-example"] {
        scan(&folder(area), wall, &mut seen);
    }
    assert!(seen.contains("yaml") && seen.contains("txt"));
}

fn scan(folder: &Path, wall: &Wall, seen: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            scan(&path, wall, seen);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            assert_eq!(wall.scan_text(&text), [], "{}", path.display());
            seen.extend(path.extension().map(|ending| ending.to_string_lossy().into_owned()));
        }
    }
}
