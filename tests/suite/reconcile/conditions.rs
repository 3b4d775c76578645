//! Each reason has a state directory that yields it and a near miss that does not; what else follows is compared whole.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use loopx::reconcile::Plan;
use loopx::vocabulary::{Closed, Reason, reasons};
use snapbox::{Assert, Data};

use super::state::{State, folder, instant};

const FIXTURES: &str = "fixtures/reconcile";

/// Every reason that the plan tells, in whatever place.
fn told(plan: &Plan) -> BTreeSet<Reason> {
    let of_goals = plan.goals.values().flat_map(|goal| &goal.conditions).chain(&plan.workspace);
    let of_screens = plan.projections.values().flat_map(|projection| &projection.first_screen.reasons);
    of_goals.map(|condition| condition.reason).chain(of_screens.copied()).collect()
}

/// Reads a fixture and compares everything that follows with its `expected.txt`.
fn plan_of(fixture: &str) -> Plan {
    let as_of = std::fs::read_to_string(folder(fixture).join("as_of.txt")).expect("every fixture has an instant");
    let plan = State::open(fixture).plan(instant(&as_of));
    let expected = Data::read_from(&folder(fixture).join("expected.txt"), None);
    Assert::new().action_env("SNAPSHOTS").eq(shown(&plan), expected);
    plan
}

#[test]
fn every_reason_has_a_state_that_yields_it_and_a_near_miss_that_does_not() {
    for reason in reasons() {
        // They come with previews of writeback requests.
        if ["source_event_not_recorded", "preview_outdated", "writeback_failed", "writeback_target_unavailable"]
            .contains(&reason.word())
        {
            assert!(reason.is_of_writeback());
            continue;
        }
        let yields = plan_of(&format!("{FIXTURES}/{reason}/yields"));
        assert!(told(&yields).contains(reason), "{reason} is not told:\n{}", shown(&yields));
        let near_miss = plan_of(&format!("{FIXTURES}/{reason}/near_miss"));
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

/// A plan in words: screens, rows, what lacks a receipt.
fn shown(plan: &Plan) -> String {
    let mut text = String::new();
    for ((goal, agent), projection) in &plan.projections {
        let screen = &projection.first_screen;
        let reasons: Vec<_> = screen.reasons.iter().map(ToString::to_string).collect();
        let todo = screen.first_executable_agent_todo.as_ref().map_or("-", AsRef::as_ref);
        let gate = screen.first_gate_id.as_ref().map_or("-", AsRef::as_ref);
        let until = projection.valid_until.map_or_else(|| "ever".to_owned(), |until| until.to_string());
        write!(
            text,
            "{goal} {agent}: may_continue={} waiting_on={} gate_state={} quota_state={}\n  \
             todo={todo} gate={gate} until={until}\n  reasons: {}\n  next: {}\n  validated: {}\n",
            screen.may_continue,
            screen.waiting_on,
            screen.gate_state,
            screen.quota_state,
            reasons.join(", "),
            screen.next_action,
            screen.latest_validation,
        )
        .expect("writing to a String cannot fail");
    }
    for row in &plan.attention.rows {
        let words = |texts: &[loopx::privacy::Text]| texts.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
        let goal = row.goal_id.as_ref().map_or("-", AsRef::as_ref);
        let since = row.since.map_or_else(|| "-".to_owned(), |since| since.to_string());
        let (owner, class) = (&row.owner.name, row.owner.actor_class);
        write!(
            text,
            "{} {goal} {}: {owner} ({class}), waiting_on={}, since {since}\n  about: {}\n  agents: {}\n  blocks: {}\n  \
             do: {}\n",
            row.severity,
            row.reason,
            row.waiting_on,
            words(&row.about),
            words(&row.agents),
            words(&row.blocks),
            row.command
        )
        .expect("writing to a String cannot fail");
        for consequence in &row.consequences {
            writeln!(text, "  so: {} {}", consequence.reason, words(&consequence.about))
                .expect("writing to a String cannot fail");
        }
    }
    for receipt in &plan.unrecorded {
        writeln!(text, "lacks a receipt: {} {}", receipt.effect_key, receipt.result.word())
            .expect("writing to a String cannot fail");
    }
    text
}
