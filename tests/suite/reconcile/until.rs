//! How long a verdict holds.

use std::collections::BTreeMap;

use loopx::render::outputs;
use loopx::vocabulary::Duration;
use loopx::workspace::MemoryFiles;

use super::state::{State, instant};

/// Many instants that change nothing: the verdict may be looked at again too early, but holds until then (law 2).
#[test]
fn a_verdict_among_many_instants_holds_until_it_says() {
    let todo = |number: usize| {
        let text = format!(
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: td-{number}\ntitle: Wait\nstatus: blocked\n\
             task_class: advancement_task\nexpires_at: 2026-03-08T{:02}:00:00Z\n",
            number % 24
        );
        (format!("goals/ledger/todos/td-{number}.yaml"), text.into_bytes())
    };
    let goal = "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads\nowner: maya\nagents: { a: b }\n\
                boundary: { write_scope: [docs/**], stop_condition: stop }\n";
    let mut files: BTreeMap<String, Vec<u8>> = (0..24).map(todo).collect();
    files.insert("goals/ledger/goal.yaml".to_owned(), goal.as_bytes().to_vec());
    let state = State::read(&MemoryFiles::new(files), &[]);
    let mut as_of = instant("2026-03-07T12:00:00Z");
    for _ in 0..24 {
        let plan = state.plan(as_of);
        let Some(until) = plan.valid_until else { return };
        let last = as_of.after(Duration::seconds(until.since(as_of).as_seconds() - 1));
        assert_eq!(outputs(&state.plan(last)), outputs(&plan), "from {as_of} until {until}");
        as_of = until;
    }
}
