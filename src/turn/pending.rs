//! What is pending after turns: steps that were recorded and not carried out, and receipts that do not count yet.

use super::history::SeenTurn;
use super::input::TurnInput;
use super::packet::PendingStep;
use super::settled::progress;
use crate::privacy::Text;
use crate::vocabulary::{Id, PendingKind, TaskClass, TurnResult};

/// How many steps a packet lists.
const LISTED: usize = 8;

/// What a recorded turn still lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// The spend of its slot.
    pub spend: bool,
    /// The progress of its todo.
    pub todo: bool,
    /// The outcomes in its session's facts.
    pub facts: bool,
}

impl Unfinished {
    /// Looks at what a recorded turn still lacks here.
    #[must_use]
    pub fn of(turn: &SeenTurn, input: &TurnInput<'_>) -> Self {
        let row = &turn.row;
        let goal = input.view.goal.as_ref();
        let todo = (input.todo_here)(row.todo_id.as_str());
        let is_monitor = todo.is_some_and(|todo| todo.task_class == TaskClass::ContinuousMonitor);
        let passed = matches!(row.result, TurnResult::Passed | TurnResult::Done);
        let has_quota = goal.is_some_and(|goal| goal.quota.is_some());
        let has_outcome = |session: &Id| {
            let facts = (input.facts_here)(session.as_str());
            let named = row.outcome_id.as_ref();
            facts.is_some_and(|facts| facts.outcomes.iter().any(|one| Some(&one.outcome_id) == named))
        };
        let is_bound = |session: &&Id| input.view.sessions.iter().any(|live| live.session_id == **session);
        Self {
            spend: passed && has_quota && !is_monitor && !input.history.spent.contains(row.turn_id.as_str()),
            todo: todo.is_some_and(|todo| !progress(todo, row, false).is_empty()),
            facts: row.session_id.as_ref().filter(is_bound).is_some_and(|session| !has_outcome(session)),
        }
    }

    /// Whether anything of it is lacking.
    #[must_use]
    pub fn is_any(self) -> bool {
        self.spend || self.todo || self.facts
    }
}

/// What is pending for the agent of a packet, the first one first.
#[must_use]
pub fn pending_steps(input: &TurnInput<'_>) -> Vec<PendingStep> {
    let mut steps = Vec::new();
    steps.extend(finish(input));
    steps.extend(unsettled(input));
    steps.extend(unvalidated(input));
    if input.has_repository {
        steps.extend(uncommitted(input));
        steps.extend(unmerged(input));
    }
    steps.truncate(LISTED);
    steps
}

/// The newest turn of the agent, where what follows from its receipt was not written.
fn finish(input: &TurnInput<'_>) -> Option<PendingStep> {
    let turn = input.history.newest_of(input.view.agent_id.as_str()).filter(|turn| !turn.places.reference)?;
    if !Unfinished::of(turn, input).is_any() {
        return None;
    }
    let row = &turn.row;
    Some(PendingStep {
        kind: PendingKind::Finish,
        turn_id: Some(input.wall.text(&row.turn_id)),
        about: vec![input.wall.text(&row.todo_id)],
        command: input.settle_command(&row.turn_id, &row.todo_id),
    })
}

/// The turns that the host reports an outcome of and that nobody settled.
fn unsettled<'a>(input: &'a TurnInput<'_>) -> impl Iterator<Item = PendingStep> + 'a {
    let view = input.view;
    let ids =
        view.runnable.iter().chain(view.todo.iter().map(|todo| &todo.todo_id).filter(|id| !view.runnable.contains(id)));
    ids.filter_map(move |todo| {
        let turn = input.history.next_turn_id(view.goal_id.as_str(), view.agent_id.as_str(), todo.as_str());
        let is_named = view.sessions.iter().any(|session| session.turns.contains(&turn));
        is_named.then(|| PendingStep {
            kind: PendingKind::Settle,
            turn_id: Some(input.wall.text(&turn)),
            about: vec![input.wall.text(todo)],
            command: input.settle_command(&turn, todo),
        })
    })
}

fn unvalidated<'a>(input: &'a TurnInput<'_>) -> impl Iterator<Item = PendingStep> + 'a {
    let command: Vec<Text> =
        input.view.goal.iter().flat_map(|goal| &goal.validation_command).map(|word| input.wall.text(word)).collect();
    input.view.unvalidated.iter().map(move |(outcome, session)| PendingStep {
        kind: PendingKind::Validate,
        turn_id: None,
        about: std::iter::once(outcome).chain(session).cloned().collect(),
        command: command.clone(),
    })
}

/// The receipts of this agent that stand here and in no commit.
fn uncommitted(input: &TurnInput<'_>) -> Option<PendingStep> {
    let turns = input.history.unmerged(input.view.agent_id.as_str()).filter(|turn| !turn.places.head);
    let newest = turns.last()?;
    let below = |folder: &str| input.wall.text(format!("{}{folder}/{}", input.prefix, input.view.goal_id));
    let command = [Text::fixed("git"), Text::fixed("add"), Text::fixed("--"), below("receipts"), below("goals")];
    Some(step(input, PendingKind::Commit, newest, command.into()))
}

/// The receipts of this agent that are committed and not at the authority ref.
fn unmerged(input: &TurnInput<'_>) -> Option<PendingStep> {
    let turns = input.history.unmerged(input.view.agent_id.as_str()).filter(|turn| turn.places.head);
    let newest = turns.last()?;
    let last = input.view.merge.as_deref().unwrap_or_default().rsplit("&& ").next().unwrap_or_default();
    let command = last.split(' ').filter(|word| !word.is_empty()).map(|word| input.wall.text(word)).collect();
    Some(step(input, PendingKind::Merge, newest, command))
}

fn step(input: &TurnInput<'_>, kind: PendingKind, turn: &SeenTurn, command: Vec<Text>) -> PendingStep {
    PendingStep {
        kind,
        turn_id: Some(input.wall.text(&turn.row.turn_id)),
        about: vec![input.wall.text(&turn.row.run_id)],
        command,
    }
}
