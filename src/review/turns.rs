//! What the change says of the turns of agents: how many were settled, and what they spent.

use std::collections::BTreeMap;

use super::Submission;
use super::phrase::{Phrase, PhraseBuilder};
use super::touched::TouchedDocument;
use crate::vocabulary::{Effect, Id, Kind, Record, counted};

/// The turns of one agent on one goal.
#[derive(Default)]
struct Turns {
    settled: usize,
    spent: usize,
}

/// Says of each agent how many turns it settled, and what it spent of the quota.
pub(super) fn settled(
    submission: &Submission<'_>,
    steps: &[TouchedDocument<'_>],
    phrases: PhraseBuilder<'_>,
) -> Vec<Phrase> {
    let mut turns: BTreeMap<(&str, &str), Turns> = BTreeMap::new();
    for step in steps.iter().filter(|step| step.kind == Kind::Receipt && step.is_added()) {
        let Some(Record::Receipt(receipt)) = step.new_record() else { continue };
        let agent = receipt.agent_id.as_ref().map_or("", Id::as_str);
        let (settled, spent) = match Effect::read(receipt.effect_key.as_str()) {
            Some(Effect::Turn(..)) => (1, 0),
            Some(Effect::QuotaSpend(..)) => (0, 1),
            _ => continue,
        };
        let of_agent = turns.entry((receipt.goal_id.as_str(), agent)).or_default();
        of_agent.settled += settled;
        of_agent.spent += spent;
    }
    let allowed = |goal: &str| {
        let quota = submission.after.plan.goals.get(&Id::new(goal)).and_then(|goal| goal.quota);
        quota.map_or_else(String::new, |quota| format!(" of {}", quota.allowed))
    };
    let said = turns.into_iter().map(|((goal, agent), turns)| {
        let told = format!(" settled {}, spent {}{} on ", counted(turns.settled, "turn"), turns.spent, allowed(goal));
        phrases.name(agent).figure(told).name(goal).done()
    });
    said.collect()
}
