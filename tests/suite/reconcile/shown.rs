//! A plan in words, compared with what a fixture expects; `SNAPSHOTS=overwrite` writes what it should expect.

use std::fmt::{self, Write as _};

use loopx::privacy::Text;
use loopx::reconcile::{Answer, Plan};
use loopx::vocabulary::{AttentionRow, Instant, Projection};
use snapbox::{Assert, Data};

use super::state::{State, folder, instant};

/// Reads a fixture and compares everything that follows from it with its `expected.txt`.
pub(crate) fn verdict_of(fixture: &str) -> Plan {
    let as_of = std::fs::read_to_string(folder(fixture).join("as_of.txt")).expect("every fixture has an instant");
    let plan = State::open(fixture).plan(instant(&as_of));
    let expected = Data::read_from(&folder(fixture).join("expected.txt"), None);
    Assert::new().action_env("SNAPSHOTS").eq(shown(&plan), expected);
    plan
}

/// Screens, rows, what lacks a receipt, what is noted.
pub(crate) fn shown(plan: &Plan) -> String {
    let mut text = String::new();
    write_plan(&mut text, plan).expect("writing to a String cannot fail");
    text
}

fn write_plan(text: &mut String, plan: &Plan) -> fmt::Result {
    for projection in plan.projections.values() {
        write_screen(text, projection)?;
    }
    for row in &plan.attention.rows {
        write_row(text, row)?;
    }
    for goal in plan.attention.goals.iter().filter(|goal| goal.goal_id.as_ref() != "ledger") {
        writeln!(text, "goal {} waiting_on={}", goal.goal_id, goal.waiting_on)?;
    }
    for answer in plan.writebacks.values() {
        write_answer(text, answer)?;
    }
    for receipt in &plan.unrecorded {
        writeln!(text, "lacks a receipt: {} {}", receipt.effect_key, receipt.result.word())?;
    }
    for note in &plan.notes {
        writeln!(text, "note: {note}")?;
    }
    Ok(())
}

fn write_screen(text: &mut String, projection: &Projection) -> fmt::Result {
    let screen = &projection.first_screen;
    let reasons: Vec<_> = screen.reasons.iter().map(ToString::to_string).collect();
    let boundary = &screen.boundary;
    writeln!(
        text,
        "{} {}: may_continue={} waiting_on={} gate_state={} quota_state={} until {}",
        projection.goal_id,
        projection.agent_id,
        screen.may_continue,
        screen.waiting_on,
        screen.gate_state,
        screen.quota_state,
        moment(projection.valid_until),
    )?;
    writeln!(text, "  reasons: {}", reasons.join(", "))?;
    writeln!(text, "  next: {}", screen.next_action)?;
    writeln!(
        text,
        "  executable={} user_todo={} gate={} session={} todo={} run={}",
        word(screen.first_executable_agent_todo.as_ref()),
        word(screen.open_user_todo.as_ref()),
        word(screen.first_gate_id.as_ref()),
        word(projection.runtime.session_id.as_ref()),
        word(projection.loopx_refs.todo_id.as_ref()),
        word(projection.loopx_refs.run_id.as_ref()),
    )?;
    writeln!(text, "  validated: {}", screen.latest_validation)?;
    writeln!(text, "  may write: {}; {}", words(&boundary.write_scope), boundary.stop_condition)
}

fn write_row(text: &mut String, row: &AttentionRow) -> fmt::Result {
    writeln!(
        text,
        "{} {} {}: {} ({}), waiting_on={}, since {}",
        row.severity,
        word(row.goal_id.as_ref()),
        row.reason,
        row.owner.name,
        row.owner.actor_class,
        row.waiting_on,
        moment(row.since),
    )?;
    writeln!(text, "  about {}; of {}; blocks {}", words(&row.about), words(&row.agents), words(&row.blocks))?;
    for consequence in &row.consequences {
        writeln!(text, "  so: {} {}", consequence.reason, words(&consequence.about))?;
    }
    writeln!(text, "  do: {}", row.command)
}

fn write_answer(text: &mut String, answer: &Answer) -> fmt::Result {
    match answer {
        Answer::Previewed(preview) => {
            let document = &preview.document;
            writeln!(
                text,
                "preview {}: {} to {}, {:?}",
                preview.request_id, document.writeback.idempotency_key, document.runtime.session_id, preview.state,
            )?;
            writeln!(text, "  digest {}", preview.digest)
        }
        Answer::Blocked(blocker) => {
            writeln!(text, "blocker {}: {} ({} of 5)", blocker.request_id, blocker.reason, blocker.criterion)?;
            writeln!(text, "  next: {}", blocker.next)
        }
    }
}

fn word(text: Option<&Text>) -> &str {
    text.map_or("-", AsRef::as_ref)
}

fn words(texts: &[Text]) -> String {
    match texts {
        [] => "-".to_owned(),
        _ => texts.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" "),
    }
}

fn moment(instant: Option<Instant>) -> String {
    instant.map_or_else(|| "-".to_owned(), |instant| instant.to_string())
}
