//! Reconcile: conditions, screens, the queue, and the laws.

mod state;

use loopx::reconcile::reconcile;
use loopx::render::outputs;
use loopx::vocabulary::Instant;

use state::State;

fn instant(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

#[test]
fn the_example_reads() {
    let state = State::open("state-example");
    let plan = reconcile(&state.world(), state.wall(), instant("2026-03-07T17:00:00Z"));
    for (path, bytes) in outputs(&plan) {
        eprintln!("== {path}\n{}", String::from_utf8_lossy(&bytes));
    }
    for receipt in &plan.unrecorded {
        eprintln!("{}", loopx::document::to_yaml(receipt));
    }
    eprintln!("{:#?}", plan.goals);
}
