//! Composes the packet of one agent of one goal.

use super::decide::DecidedTurn;
use super::input::TurnInput;
use super::packet::{PendingStep, TurnPacket, TurnV0};
use super::pending::pending_steps;
use super::situation::{Situation, StopCause};
use crate::privacy::Text;
use crate::vocabulary::{PendingKind, TurnDecision, WaitingOn};

/// Builds the packet of one agent of one goal; it may still be longer than a packet is, see [`fit`](super::fit).
#[must_use]
pub fn packet(input: &TurnInput<'_>) -> TurnPacket {
    let steps = pending_steps(input);
    let situation = situation(input, &steps);
    let decided = DecidedTurn::of(&situation);
    let (view, wall) = (input.view, input.wall);
    let screen = &view.projection.first_screen;
    let settles = matches!(decided.decision, TurnDecision::Work | TurnDecision::Replan | TurnDecision::Settle);
    let turn_id = if settles { input.turn_id(decided.decision, &steps) } else { None };
    let command = view.goal.iter().flat_map(|goal| &goal.validation_command).filter(|_| settles);
    let mut packet = TurnPacket {
        schema_version: TurnV0::Only,
        as_of: input.as_of,
        goal_id: wall.text(&view.goal_id),
        agent_id: wall.text(&view.agent_id),
        session_id: input.session().map(|id| wall.text(id)),
        decision: decided.decision,
        mode: decided.mode,
        state: situation.state(),
        may_continue: screen.may_continue,
        waiting_on: screen.waiting_on,
        gate_state: screen.gate_state,
        quota_state: screen.quota_state,
        next_action: screen.next_action.clone(),
        latest_validation: screen.latest_validation.clone(),
        reasons: screen.reasons.clone(),
        valid_until: view.projection.valid_until,
        waiting_for: view.waiting_for.clone(),
        judged_by: view.judged_by,
        todo: view.todo.as_ref().map(|todo| input.todo(todo)),
        boundary: input.boundary(),
        gate: input.gate(),
        user_todo: input.user_todo(),
        handoff: input.handoff(),
        quota: input.quota(),
        validation_command: command.map(|word| wall.text(word)).collect(),
        last_turn: input.history.newest_of(view.agent_id.as_str()).map(|turn| input.last_turn(&turn.row)),
        stalled: situation.stalled,
        commands: input.commands(decided.decision, turn_id.as_ref(), &steps),
        turn_id: turn_id.map(|id| wall.text(id)),
        pending_steps: steps,
        lane: decided.lane,
        obligation: decided.obligation,
        schedule: input.schedule(&situation, decided),
        other_goals: input.other_goals(),
        notes: input.notes(),
        untrusted: Vec::new(),
    };
    packet.untrusted = untrusted(&packet);
    packet
}

/// What the table of decisions looks at.
#[must_use]
pub fn situation(input: &TurnInput<'_>, steps: &[PendingStep]) -> Situation {
    let view = input.view;
    let screen = &view.projection.first_screen;
    let stop = if !view.is_active() {
        Some(StopCause::NotActive)
    } else if view.is_quota_zero() {
        Some(StopCause::QuotaZero)
    } else {
        Some(StopCause::AllDone).filter(|_| view.open.is_all_done)
    };
    let todo = view.todo.as_ref();
    Situation {
        stop,
        must_settle: steps.iter().any(|step| matches!(step.kind, PendingKind::Finish | PendingKind::Settle)),
        is_unhealthy: view.is_unhealthy || input.is_clock_behind(),
        waits_for_person: matches!(screen.waiting_on, WaitingOn::User | WaitingOn::Controller),
        lacks_facts: view.lacks_facts,
        is_rejected: view.is_rejected,
        stalled: todo.map_or(0, |todo| input.history.stalled(todo.todo_id.as_str())),
        waits_for_evidence: screen.waiting_on == WaitingOn::ExternalEvidence,
        is_exhausted: view.quota.is_some_and(|quota| quota.is_exhausted()),
        is_runnable: view.is_runnable,
        is_gate_closed: view.gate.is_some(),
        has_user_todo: view.user_todo.is_some(),
        is_quiet: view.open.is_quiet,
        has_open_todo: view.open.own > 0,
        is_all_of_peers: view.open.own == 0 && view.open.of_peers > 0,
        task_class: todo.map(|todo| todo.task_class),
    }
}

/// Where text of documents stands in a packet.
fn untrusted(packet: &TurnPacket) -> Vec<Text> {
    let pointers = [
        ("/next_action", true),
        ("/latest_validation", true),
        ("/todo/title", packet.todo.is_some()),
        ("/boundary/write_scope", !packet.boundary.write_scope.is_empty()),
        ("/boundary/read_scope", !packet.boundary.read_scope.is_empty()),
        ("/boundary/stop_condition", true),
        ("/gate/question", packet.gate.is_some()),
        ("/user_todo/title", packet.user_todo.is_some()),
        ("/handoff/next_action", packet.handoff.is_some()),
        ("/validation_command", !packet.validation_command.is_empty()),
    ];
    pointers.iter().filter(|(_, is_there)| *is_there).map(|(pointer, _)| Text::fixed(pointer)).collect()
}
