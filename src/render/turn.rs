//! The packet of a turn as a screen of at most 15 lines.

use super::table::{cut, quote, table};
use crate::privacy::Text;
use crate::turn::{Settlement, TurnPacket};
use crate::vocabulary::{ClosedWords, SettleRefusal, counted};

/// So many globs are shown.
const SCOPES: usize = 4;

/// Shows what an agent may do now.
#[must_use]
pub fn turn(packet: &TurnPacket) -> String {
    let mut rows = vec![row("decision", format!("{} ({}), {}", packet.decision, packet.mode, packet.state))];
    rows.push(row("next", packet.next_action.to_string()));
    if let Some(owner) = &packet.waiting_for {
        rows.push(row("waits for", format!("{} ({})", owner.name, owner.actor_class)));
    }
    rows.extend(packet.todo.as_ref().map(|todo| {
        let stalled = match packet.stalled {
            0 => String::new(),
            stalled => format!(", {} in a row without a pass", counted(stalled as usize, "turn")),
        };
        let title = quote(todo.title.as_ref());
        row("todo", format!("{} {title}, {}, {}{stalled}", todo.todo_id, todo.task_class, todo.priority))
    }));
    rows.extend(packet.gate.as_ref().map(|gate| {
        row("gate", format!("{} {}, {} decides", gate.gate_id, quote(gate.question.as_ref()), gate.required_actor))
    }));
    rows.extend(
        packet.user_todo.as_ref().map(|todo| row("person", format!("{} {}", todo.todo_id, quote(todo.title.as_ref())))),
    );
    rows.push(row("may write", scopes(&packet.boundary.write_scope)));
    rows.push(row("stops", packet.boundary.stop_condition.to_string()));
    rows.extend(packet.quota.map(|quota| {
        let frees =
            quota.frees_at.map_or_else(String::new, |at| format!(", a slot is free at {}", at.in_whole_seconds()));
        row("quota", format!("{} of {} left in {}h{frees}", quota.left, quota.allowed, quota.window_hours))
    }));
    rows.extend(
        packet
            .last_turn
            .as_ref()
            .map(|last| row("last turn", format!("{} of {} at {}", last.result, last.todo_id, last.at))),
    );
    rows.extend(packet.commands.first.first().map(|command| row("first", words(command))));
    rows.extend(packet.commands.settle.as_ref().map(|command| row("settle", words(command))));
    rows.extend(packet.pending_steps.first().map(|step| {
        let more = match packet.pending_steps.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        row("pending", format!("{} {}{more}", step.kind, list(&step.about)))
    }));
    let others = packet.other_goals.iter().map(|other| format!("{} {}", other.goal_id, other.decision));
    let others: Vec<String> = others.collect();
    rows.extend((!others.is_empty()).then(|| row("also", others.join(", "))));
    let title = format!("{} of {}", packet.agent_id, packet.goal_id);
    format!("{}\n{}", cut(&title, super::table::WIDTH), table(&rows))
}

/// Shows what settling a turn did, and what the agent may do next.
#[must_use]
pub fn settlement(settled: &Settlement, is_dry: bool) -> String {
    let mut text = format!("{}\n", settled_line(settled));
    let wrote = if is_dry { "would write" } else { "wrote" };
    for path in &settled.written {
        text.push_str(&format!("  {wrote} {path}\n"));
    }
    text.push('\n');
    text + &turn(&settled.next)
}

/// Shows in one line what settling a turn did.
#[must_use]
pub fn settlement_concise(settled: &Settlement) -> String {
    let result = settled.result.map_or("refused", ClosedWords::word);
    format!("{} {} {result}\n", settled.turn_id, settled.todo_id)
}

fn settled_line(settled: &Settlement) -> String {
    let Settlement { turn_id, todo_id, validation, .. } = settled;
    match (settled.refused, settled.result) {
        (Some(SettleRefusal::TurnSettledOtherwise), Some(result)) => {
            format!("Refused: {turn_id} of {todo_id} was settled before as {result}")
        }
        (Some(SettleRefusal::TodoOfPerson), _) => format!("Refused: {todo_id} is a person's to finish"),
        (Some(_), _) => format!("Refused: {todo_id} is another agent's"),
        (None, Some(result)) => {
            let before = if settled.replayed { ", which was settled before" } else { "" };
            let spent = if settled.spent { ", one slot spent" } else { "" };
            format!("{result}: {turn_id} of {todo_id}{before} (check: {validation}{spent})")
        }
        (None, None) => format!("{turn_id} of {todo_id} is not settled"),
    }
}

/// Shows it in one line, for agents and grep.
#[must_use]
pub fn turn_concise(packet: &TurnPacket) -> String {
    let todo = packet.todo.as_ref().map_or("-", |todo| todo.todo_id.as_ref());
    let turn = packet.turn_id.as_ref().map_or("-", AsRef::as_ref);
    format!("{} {} {todo} {turn}\n", packet.goal_id, packet.decision)
}

fn row(name: &str, said: String) -> Vec<String> {
    vec![format!("  {name}"), said]
}

fn scopes(globs: &[Text]) -> String {
    match globs {
        [] => "nothing".to_owned(),
        _ if globs.len() > SCOPES => format!("{} and {} more", list(&globs[..SCOPES]), globs.len() - SCOPES),
        _ => list(globs),
    }
}

fn list(texts: &[Text]) -> String {
    texts.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
}

fn words(command: &[Text]) -> String {
    command.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(" ")
}
