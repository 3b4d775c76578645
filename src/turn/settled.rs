//! What a settled turn writes: its receipt, the spend, the progress of its todo, the outcomes of its session.

use serde_json::json;

use super::history::TurnRow;
use crate::change::TodoProgress;
use crate::vocabulary::{
    ActorClass, ClosedWords, Digest, Effect, EventClass, Id, Instant, Kind, Line, Outcome, OutcomeFact, OutcomeKind,
    OutcomeStatus, Paragraph, Receipt, ReceiptSource, TaskClass, Todo, TodoStatus, TurnResult, TurnValidation, sha256,
};

/// A turn as it is settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledTurn<'a> {
    /// Its goal.
    pub goal_id: &'a Id,
    /// Its id.
    pub turn_id: &'a Id,
    /// The agent.
    pub agent_id: &'a Id,
    /// The todo as it counts.
    pub todo: &'a Todo,
    /// The session that is bound.
    pub session_id: Option<&'a Id>,
    /// The command that the goal declares.
    pub validation_command: &'a [Line],
    /// How it ended.
    pub result: TurnResult,
    /// What came of the command.
    pub validation: TurnValidation,
    /// When.
    pub at: Instant,
}

/// The receipt of a settled turn: the point from which on it is settled.
#[must_use]
pub fn turn_receipt(turn: &SettledTurn<'_>) -> Receipt {
    let effect = Effect::Turn(turn.goal_id.as_str(), turn.turn_id.as_str());
    let result = match turn.result {
        TurnResult::Done => Outcome::Label(Id::new(TurnResult::Done.word())),
        other => Outcome::Status(Id::new(other.word())),
    };
    Receipt {
        source: source(turn, turn.validation),
        result,
        at: turn.at,
        agent_id: Some(turn.agent_id.clone()),
        todo_id: Some(turn.todo.todo_id.clone()),
        session_id: turn.session_id.cloned(),
        outcome_id: Some(outcome_id(turn.turn_id, is_validated(turn.validation))),
        ..receipt(effect, EventClass::Turn)
    }
}

/// The receipt of the slot that a settled turn spends.
#[must_use]
pub fn spend_receipt(turn: &Receipt, turn_id: &Id) -> Receipt {
    let effect = Effect::QuotaSpend(turn.goal_id.as_str(), turn_id.as_str());
    Receipt {
        source: turn.source.clone(),
        result: Outcome::Status(Id::new("spent")),
        at: turn.at,
        agent_id: turn.agent_id.clone(),
        todo_id: turn.todo_id.clone(),
        session_id: turn.session_id.clone(),
        ..receipt(effect, EventClass::QuotaSpend)
    }
}

/// The receipt by which a person takes a spend back.
#[must_use]
pub fn void_receipt(spend: &Receipt, turn_id: &Id, actor_class: ActorClass, at: Instant) -> Receipt {
    let effect = Effect::QuotaVoid(spend.goal_id.as_str(), turn_id.as_str());
    Receipt {
        source: spend.source.clone(),
        result: Outcome::Label(Id::new("voided")),
        actor_class,
        at,
        agent_id: spend.agent_id.clone(),
        todo_id: spend.todo_id.clone(),
        ..receipt(effect, EventClass::QuotaVoid)
    }
}

fn receipt(effect: Effect<'_>, event_class: EventClass) -> Receipt {
    Receipt {
        schema_version: Default::default(),
        goal_id: Id::new(effect.goal_id()),
        run_id: effect.run_id(),
        effect_key: Paragraph::new(effect.key()),
        event_class,
        source: ReceiptSource { kind: Id::new(Kind::Todo.row().version), id: Id::new(""), digest: Digest::new("") },
        result: Outcome::Status(Id::new("")),
        actor_class: ActorClass::Agent,
        at: Instant::new(jiff::Timestamp::UNIX_EPOCH),
        agent_id: None,
        todo_id: None,
        session_id: None,
        outcome_id: None,
        artifact_id: None,
    }
}

/// The todo, with a digest of what was settled in its RFC 8785 form.
fn source(turn: &SettledTurn<'_>, validation: TurnValidation) -> ReceiptSource {
    let kind = Kind::Todo.row().version;
    let content = json!({
        "kind": kind,
        "goal": turn.goal_id,
        "id": turn.turn_id,
        "agent": turn.agent_id,
        "todo": turn.todo.todo_id,
        "title": turn.todo.title,
        "validation_command": turn.validation_command,
        "result": turn.result,
        "validation": validation,
    });
    let digest = Digest::new(sha256(content.to_string().as_bytes()));
    ReceiptSource { kind: Id::new(kind), id: turn.todo.todo_id.clone(), digest }
}

fn is_validated(validation: TurnValidation) -> bool {
    matches!(validation, TurnValidation::Passed | TurnValidation::Failed | TurnValidation::TimedOut)
}

/// The outcome of a turn: its validation where one ran, else its work.
fn outcome_id(turn_id: &Id, is_validated: bool) -> Id {
    let hex = turn_id.as_str().strip_prefix("turn-").unwrap_or(turn_id.as_str());
    Id::new(format!("{}-{hex}", if is_validated { "val" } else { "out" }))
}

/// What a settled turn makes of its todo, as that stands here.
#[must_use]
pub fn progress(todo: &Todo, turn: &TurnRow, is_nobodys: bool) -> TodoProgress {
    let mut progress = TodoProgress::default();
    if todo.status == TodoStatus::Done || turn.result == TurnResult::Blocked {
        return progress;
    }
    match turn.result {
        TurnResult::Done => {
            progress.done_at = Some(turn.at);
            progress.evidence = turn.outcome_id.clone().filter(|id| !todo.evidence.contains(id));
            progress.evidence.take_if(|_| turn.session_id.is_none());
        }
        _ if todo.task_class == TaskClass::ContinuousMonitor => {
            let due = todo.cadence.map(|cadence| turn.at.after(cadence));
            progress.next_due_at = due.filter(|due| todo.next_due_at.is_none_or(|known| known < *due));
        }
        _ => {}
    }
    progress.claimed_by = Some(turn.agent_id.clone()).filter(|_| is_nobodys && todo.claimed_by.is_none());
    progress
}

/// What came of the check of a turn whose receipt stands already, from the digest of its source; `None` where the todo
/// or the command changed since.
#[must_use]
pub fn validation_of(receipt: &Receipt, turn: &SettledTurn<'_>) -> Option<TurnValidation> {
    TurnValidation::ALL.iter().copied().find(|validation| source(turn, *validation) == receipt.source)
}

/// The outcomes that a settled turn adds to the facts of its session.
#[must_use]
pub fn outcomes(row: &TurnRow, validation: Option<TurnValidation>, summary: Option<&Line>) -> Vec<OutcomeFact> {
    let validated = row.outcome_id.as_ref().is_some_and(|id| id.as_str().starts_with("val-"));
    let work = match row.result {
        TurnResult::Blocked => OutcomeStatus::Blocked,
        // What failed its check is what the agent took for passed.
        TurnResult::Failed if !validated => OutcomeStatus::Failed,
        _ => OutcomeStatus::Passed,
    };
    let item = |kind, status| OutcomeFact {
        outcome_id: outcome_id(&row.turn_id, kind == OutcomeKind::Validation),
        kind,
        status,
        at: row.at,
        summary: summary.cloned(),
        todo_id: Some(row.todo_id.clone()),
        artifact_id: None,
        gate_id: None,
        turn_id: Some(row.turn_id.clone()),
        supersedes: None,
    };
    let check = match (row.result, validation) {
        (_, Some(TurnValidation::Passed)) | (TurnResult::Passed | TurnResult::Done, _) => OutcomeStatus::Passed,
        (_, Some(TurnValidation::Failed | TurnValidation::TimedOut)) | (TurnResult::Failed, _) => OutcomeStatus::Failed,
        _ => OutcomeStatus::Unknown,
    };
    let mut all = vec![item(OutcomeKind::Work, work)];
    all.extend(validated.then(|| item(OutcomeKind::Validation, check)));
    all
}
