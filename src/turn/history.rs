//! The turns that were settled, wherever their receipts stand: here, at `HEAD` or at the authority ref.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::vocabulary::{ClosedWords, Effect, EventClass, Id, Instant, Receipt, TurnResult, sha256};

/// A settled turn, as its receipt says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRow {
    /// The id of its receipt.
    pub run_id: Id,
    /// The turn.
    pub turn_id: Id,
    /// The agent that settled it.
    pub agent_id: Id,
    /// The todo.
    pub todo_id: Id,
    /// The session that was bound then.
    pub session_id: Option<Id>,
    /// The outcome that it records.
    pub outcome_id: Option<Id>,
    /// How it ended.
    pub result: TurnResult,
    /// When.
    pub at: Instant,
}

/// The places where a receipt stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Places {
    /// In the work tree.
    pub here: bool,
    /// In the commit that is checked out.
    pub head: bool,
    /// At the authority ref.
    pub reference: bool,
}

/// A turn and where its receipt stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenTurn {
    /// The turn.
    pub row: TurnRow,
    /// Where its receipt stands.
    pub places: Places,
}

/// The turns of one goal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnHistory {
    /// By the id of their receipts.
    turns: BTreeMap<Id, SeenTurn>,
    /// The turns that a slot was spent for.
    pub spent: BTreeSet<Box<str>>,
    /// The newest date of an effect receipt.
    pub newest_at: Option<Instant>,
}

impl TurnRow {
    /// Reads the receipt of a turn; `None` where it is another one, or no sound one.
    #[must_use]
    pub fn of(receipt: &Receipt) -> Option<Self> {
        let Some(Effect::Turn(_, turn)) = Effect::read(receipt.effect_key.as_str()) else { return None };
        let is_sound = receipt.event_class == EventClass::Turn && receipt.is_sound();
        let result = TurnResult::of(receipt.result.word())?;
        is_sound.then_some(())?;
        Some(Self {
            run_id: receipt.run_id.clone(),
            turn_id: Id::new(turn),
            agent_id: receipt.agent_id.clone()?,
            todo_id: receipt.todo_id.clone()?,
            session_id: receipt.session_id.clone(),
            outcome_id: receipt.outcome_id.clone(),
            result,
            at: receipt.at,
        })
    }

    fn order(&self) -> (Instant, &Id) {
        (self.at, &self.run_id)
    }
}

impl TurnHistory {
    /// Takes a receipt from one of the places.
    pub fn add(&mut self, receipt: &Receipt, places: Places) {
        match Effect::read(receipt.effect_key.as_str()) {
            Some(Effect::QuotaSpend(_, turn)) => drop(self.spent.insert(turn.into())),
            Some(Effect::Turn(..)) => {
                if let Some(row) = TurnRow::of(receipt) {
                    self.add_turn(row, places);
                }
            }
            Some(Effect::QuotaVoid(..)) => {}
            _ => return,
        }
        self.newest_at = self.newest_at.max(Some(receipt.at));
    }

    /// Takes a turn from one of the places.
    pub fn add_turn(&mut self, row: TurnRow, places: Places) {
        let id = row.run_id.clone();
        let seen = self.turns.entry(id).or_insert(SeenTurn { row, places: Places::default() });
        seen.places.join(places);
    }

    /// The newest turn of an agent on a todo.
    #[must_use]
    pub fn newest(&self, agent: &str, todo: &str) -> Option<&SeenTurn> {
        self.newest_where(|row| row.agent_id == *agent && row.todo_id == *todo)
    }

    /// The newest turn of an agent.
    #[must_use]
    pub fn newest_of(&self, agent: &str) -> Option<&SeenTurn> {
        self.newest_where(|row| row.agent_id == *agent)
    }

    fn newest_where(&self, is_wanted: impl Fn(&TurnRow) -> bool) -> Option<&SeenTurn> {
        self.turns.values().filter(|turn| is_wanted(&turn.row)).max_by_key(|turn| turn.row.order())
    }

    /// How many of the last turns of a todo in a row did not pass.
    #[must_use]
    pub fn stalled(&self, todo: &str) -> u32 {
        let mut turns: Vec<&TurnRow> = self.turns.values().map(|turn| &turn.row).collect();
        turns.retain(|row| row.todo_id == *todo);
        turns.sort_unstable_by_key(|row| std::cmp::Reverse(row.order()));
        let failed = |row: &&&TurnRow| matches!(row.result, TurnResult::Failed | TurnResult::Blocked);
        u32::try_from(turns.iter().take_while(failed).count()).unwrap_or(u32::MAX)
    }

    /// The settled turn of an id.
    #[must_use]
    pub fn turn(&self, turn_id: &str) -> Option<&SeenTurn> {
        self.turns.values().find(|turn| turn.row.turn_id == *turn_id)
    }

    /// The turns of an agent whose receipts are not at the authority ref, the oldest first.
    pub fn unmerged<'h>(&'h self, agent: &str) -> impl Iterator<Item = &'h SeenTurn> {
        let mut turns: Vec<&SeenTurn> = self.turns.values().collect();
        turns.retain(|turn| turn.row.agent_id == *agent && !turn.places.reference);
        turns.sort_unstable_by_key(|turn| turn.row.order());
        turns.into_iter()
    }

    /// The turn that an agent may settle next on a todo.
    #[must_use]
    pub fn next_turn_id(&self, goal: &str, agent: &str, todo: &str) -> Id {
        turn_id(goal, agent, todo, self.newest(agent, todo).map(|turn| &turn.row.run_id))
    }
}

impl Places {
    fn join(&mut self, other: Self) {
        self.here |= other.here;
        self.head |= other.head;
        self.reference |= other.reference;
    }
}

/// The id of a turn: idempotency key and fencing token in one, for it names the turn before.
#[must_use]
pub fn turn_id(goal: &str, agent: &str, todo: &str, previous: Option<&Id>) -> Id {
    let key = json!(["turn_id", goal, agent, todo, previous]).to_string();
    Id::new(format!("turn-{}", &sha256(key.as_bytes())[..16]))
}

#[cfg(test)]
mod tests {
    use super::turn_id;
    use crate::vocabulary::Id;

    #[test]
    fn the_id_of_a_turn_is_that_of_the_examples() {
        let first = turn_id("api-docs", "claude-review", "errors-6n1x", None);
        assert_eq!(first.as_str(), "turn-b48c9c6f8e88de03");
        let second = turn_id("api-docs", "claude-review", "errors-6n1x", Some(&Id::new("run-7552a9ddef39c7b1")));
        assert_ne!(first, second);
    }
}
