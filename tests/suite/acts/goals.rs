//! Goals and proposals: people start and decide them.

use super::place::Place;

const NEW: [&str; 9] = [
    "goal",
    "new",
    "Reads come from the new store",
    "--write-scope",
    "services/reads/**",
    "--stop",
    "A check fails",
    "--register",
    "codex-main=writes",
];

#[test]
fn a_goal_starts_as_a_draft_and_people_change_its_status() {
    let place = Place::new();
    place.does(&[&NEW[..], &["--id", "reads-1abc", "--by", "maya"]].concat());
    assert_eq!(
        place.read("goals/reads-1abc/goal.yaml"),
        "schema_version: loopx_goal_v0\ngoal_id: reads-1abc\nobjective: Reads come from the new store\nowner: maya\n\
         agents:\n  codex-main: writes\nboundary:\n  write_scope:\n    - services/reads/**\n  \
         stop_condition: A check fails\nstatus: draft\n"
    );
    // Without an id the same goal is not started twice.
    let again = place.0.does(&[&NEW[..], &["--execute"]].concat());
    assert_eq!(again, "Nothing to do: the documents say so already.\n");
    place.refuses(&["goal", "pause", "reads-1abc"], "reads-1abc is draft: only an active goal can be paused");
    assert_eq!(place.does(&["goal", "resume", "reads-1abc"]), "-status: draft\n+status: active\n");
    assert_eq!(place.does(&["goal", "pause", "reads-1abc"]), "-status: active\n+status: paused\n");
    assert_eq!(place.does(&["goal", "complete", "reads-1abc"]), "-status: paused\n+status: completed\n");
    // A goal whose status nobody wrote is active.
    assert_eq!(place.does(&["goal", "pause", "ledger"]), "+status: paused\n");
    assert_eq!(place.does(&["goal", "resume", "ledger"]), "-status: paused\n+status: active\n");
    place.refuses(&["goal", "complete", "ledger"], "gate switch-2f8q of ledger is undecided");
    place.0.decide("reject");
    place.0.does(&["record"]);
    place.0.commit("reject");
    place.does(&["goal", "complete", "ledger"]);
}

#[test]
fn no_agent_starts_or_changes_a_goal() {
    let place = Place::new();
    for (agent, is_clone) in [(&["--by", "codex-main"][..], false), (&[], true)] {
        if is_clone {
            place.as_agent();
        }
        place.refuses(&[&NEW[..], agent].concat(), "codex-main is no person");
        for act in ["pause", "resume", "complete"] {
            place.refuses(&[&["goal", act, "ledger"], agent].concat(), "codex-main is no person");
        }
    }
    // Whoever is named, the clone is the agent's.
    place.refuses(&["goal", "pause", "ledger", "--by", "maya"], "codex-main is no person");
    // Somebody whom no policy knows has to say who they are.
    place.commits_as("stranger@users.noreply.example");
    let said = place.0.loopx(&["goal", "pause", "ledger", "--execute"]);
    assert!(said.code == Some(3) && said.err.contains("unknown_actor"), "{said:?}");
}

#[test]
fn anybody_proposes_and_a_person_decides_once() {
    let place = Place::new();
    let add = |id| ["proposal", "add", "The glossary repeats the schema", "--goal", "ledger", "--id", id];
    place.as_agent();
    place.does(&add("one-1abc"));
    place.0.does(
        &[&["proposal", "add", "Another idea", "--id", "two-2abc", "--goal", "ledger"][..], &["--execute"]].concat(),
    );
    place.0.commit("propose");
    let promote = ["proposal", "promote", "one-1abc", "--title", "Cut the glossary", "--reason", "worth an hour"];
    let reject = ["proposal", "reject", "two-2abc", "--reason", "no"];
    place.refuses(&promote, "codex-main is no person, and only a person decides one-1abc");
    place.refuses(&reject, "codex-main is no person");
    place.as_person();
    place.refuses(&[&promote[..], &["--by", "codex-main"]].concat(), "codex-main is no person");
    let changed = place.does(&promote);
    for line in
        ["+  label: approve\n", "+  by: maya\n", "+promoted_todo_id: cut-the-glossary-", "+title: Cut the glossary\n"]
    {
        assert!(changed.contains(line), "{line}: {changed}");
    }
    assert!(place.does(&reject).contains("+  label: reject\n"));
    let promote_two = ["proposal", "promote", "two-2abc", "--title", "Try", "--reason", "yes"];
    place.refuses(&promote_two, "the decision of two-2abc is `reject` already");
    place.refuses(
        &["proposal", "reject", "one-1abc", "--reason", "no"],
        "the decision of one-1abc is `approve` already",
    );
}
