//! Each reason has a state directory that yields it and a near miss that does not; where several meet, or none is told,
//! a verdict shows how they combine. What follows is always compared whole.

use std::collections::BTreeSet;

use loopx::reconcile::{AuthorityState, Plan, Recorded};
use loopx::vocabulary::{ClosedWords, GateState, Reason, reasons};

use super::shown::{shown, verdict_of};
use super::state::{State, folder, instant};

const FIXTURES: &str = "fixtures/reconcile";

/// Every reason that the plan tells, in whatever place.
fn told(plan: &Plan) -> BTreeSet<Reason> {
    let of_goals = plan.goals.values().flat_map(|goal| &goal.conditions).chain(&plan.workspace);
    let of_screens = plan.projections.values().flat_map(|projection| &projection.first_screen.reasons);
    of_goals.map(|condition| condition.reason).chain(of_screens.copied()).collect()
}

#[test]
fn every_reason_has_a_state_that_yields_it_and_a_near_miss_that_does_not() {
    for reason in reasons() {
        let yields = verdict_of(&format!("{FIXTURES}/{reason}/yields"));
        assert!(told(&yields).contains(reason), "{reason} is not told:\n{}", shown(&yields));
        let near_miss = verdict_of(&format!("{FIXTURES}/{reason}/near_miss"));
        assert!(!told(&near_miss).contains(reason), "{reason} is told:\n{}", shown(&near_miss));
    }
}

#[test]
fn every_folder_of_fixtures_is_a_reason() {
    for entry in std::fs::read_dir(folder(FIXTURES)).expect("the fixtures") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a word");
        assert!(Reason::of(name).is_some(), "{name}");
    }
}

#[test]
fn verdicts_combine_as_written() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder("fixtures/verdicts")).expect("the fixtures") {
        let name = entry.expect("an entry").file_name();
        verdict_of(&format!("fixtures/verdicts/{}", name.to_str().expect("a word")));
        count += 1;
    }
    assert!(count > 40, "only {count} verdicts");
}

#[test]
fn a_receipt_that_nobody_can_read_closes_what_it_is_of_or_else_the_goal() {
    let as_of = instant("2026-03-07T12:00:00Z");
    let state = State::open("fixtures/reconcile/conflicting_decisions/near_miss");
    let open = state.plan(as_of);
    let run_id = open.projections.values().find_map(|it| it.loopx_refs.run_id.clone()).expect("a receipt");
    for (run_id, about) in [(run_id.as_ref(), "cutover"), ("run-0000000000000000", "run-0000000000000000")] {
        let mut world = state.world();
        world.receipts.insert(run_id, Recorded::Unreadable { goal_id: "ledger" });
        let plan = state.plan_of(&world, as_of);
        let [row] = &plan.attention.rows[..] else { panic!("{}", shown(&plan)) };
        assert_eq!((row.reason, row.about[0].as_ref()), (Reason::ConflictingDecisions, about));
        let screen = &plan.projections.values().next().expect("a screen").first_screen;
        let is_of_the_gate = about == "cutover";
        // An approved gate that names the first todo is still told; the quota is what closes then.
        assert_eq!(screen.gate_state, if is_of_the_gate { GateState::Blocked } else { GateState::Approved });
        assert_eq!(screen.may_continue.word(), "no");
    }
}

#[test]
fn nothing_is_recorded_without_the_authority_and_one_line_says_so() {
    let as_of = instant("2026-03-07T12:00:00Z");
    let state = State::open("fixtures/reconcile/decision_not_recorded/yields");
    let mut world = state.world();
    let fetch = "git fetch origin main".to_owned();
    world.authority = AuthorityState::RefMissing { reference: "main".to_owned(), fetch };
    let plan = state.plan_of(&world, as_of);
    let said: Vec<_> = plan.notes.iter().map(AsRef::as_ref).filter(|note: &&str| note.contains("git fetch")).collect();
    assert_eq!(said, ["main is not in this clone, so nothing is recorded: git fetch origin main"]);
    assert_eq!(told(&plan), BTreeSet::from([Reason::DecisionNotRecorded, Reason::ChangeNotRecorded]));
}
