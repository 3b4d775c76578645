//! What all goals share, joined once: receipts by goal, facts by session, the one actor of each class.

use std::collections::{BTreeMap, BTreeSet};

use super::ledger::Ledger;
use super::world::{Recorded, UnusableDocument, World};
use crate::vocabulary::{ActorClass, Facts, Instant, Kind};

/// Joins over the whole world.
#[derive(Debug, Default)]
pub(super) struct WorldIndex<'a> {
    ledgers: BTreeMap<&'a str, Ledger<'a>>,
    no_receipts: Ledger<'a>,
    facts: BTreeMap<&'a str, Vec<&'a Facts>>,
    fact_troubles: BTreeMap<&'a str, Vec<&'a UnusableDocument>>,
    bindings: BTreeMap<&'a str, usize>,
    sole_actors: BTreeMap<ActorClass, Option<&'a str>>,
}

impl<'a> WorldIndex<'a> {
    pub(super) fn new(world: &'a World<'a>) -> Self {
        let mut index = Self::default();
        for (run_id, recorded) in &world.receipts {
            match recorded {
                Recorded::Receipt(receipt) => {
                    index.ledgers.entry(receipt.goal_id.as_str()).or_default().add(run_id, receipt);
                }
                Recorded::Unreadable { goal_id } => {
                    index.ledgers.entry(goal_id).or_default().unreadable.insert(run_id);
                }
            }
        }
        for (goal, spends) in &world.spends {
            index.ledgers.entry(goal).or_default().add_spends(spends);
        }
        for ((_, session), facts) in &world.facts {
            index.facts.entry(session).or_default().push(facts);
        }
        for document in &world.fact_troubles {
            if let Some(session) = &document.id {
                index.fact_troubles.entry(session).or_default().push(document);
            }
        }
        for goal in world.goals.values() {
            let readable = goal.bindings.keys().copied();
            let unreadable = goal.unusable.iter().filter(|document| document.kind == Some(Kind::Binding));
            let sessions: BTreeSet<&str> =
                readable.chain(unreadable.filter_map(|document| document.id.as_deref())).collect();
            for session in sessions {
                *index.bindings.entry(session).or_default() += 1;
            }
        }
        for (name, class) in
            world.actors.iter().flat_map(|(name, classes)| classes.all().iter().map(move |it| (name, it)))
        {
            index.sole_actors.entry(*class).and_modify(|sole| *sole = None).or_insert(Some(name));
        }
        index
    }

    /// The receipts of a goal.
    pub(super) fn ledger(&self, goal_id: &str) -> &Ledger<'a> {
        self.ledgers.get(goal_id).unwrap_or(&self.no_receipts)
    }

    /// The facts of a bound session, by runtime. Two goals that bind one session share none: nobody can say whose they
    /// are.
    pub(super) fn facts_of(&self, session: &str) -> &[&'a Facts] {
        match self.bindings.get(session) {
            Some(1) => self.facts.get(session).map_or(&[], Vec::as_slice),
            _ => &[],
        }
    }

    /// Whether more than one goal binds a session.
    pub(super) fn is_shared(&self, session: &str) -> bool {
        self.bindings.get(session).is_some_and(|goals| *goals > 1)
    }

    /// What is wrong with the facts of a session.
    pub(super) fn fact_troubles_of(&self, session: &str) -> &[&'a UnusableDocument] {
        self.fact_troubles.get(session).map_or(&[], Vec::as_slice)
    }

    /// Sessions that hosts report and no binding names, with the instant of their newest facts where they can be read.
    pub(super) fn unbound(&self) -> impl Iterator<Item = (&'a str, Option<&'a Facts>, &[&'a UnusableDocument])> {
        let sessions: BTreeSet<&'a str> = self.facts.keys().chain(self.fact_troubles.keys()).copied().collect();
        sessions.into_iter().filter(|session| !self.bindings.contains_key(session)).map(|session| {
            let newest = self.facts.get(session).and_then(|facts| facts.iter().max_by_key(|facts| facts.updated_at));
            (session, newest.copied(), self.fact_troubles_of(session))
        })
    }

    /// When facts of sessions that no binding names are refused that are not yet.
    pub(super) fn unbound_until(&self, world: &World<'a>) -> impl Iterator<Item = Instant> {
        let unbound = world.facts_usable_until.iter().filter(|(session, _)| !self.bindings.contains_key(*session));
        unbound.map(|(_, until)| *until)
    }

    /// The name of a class: the one actor that policy gives it.
    pub(super) fn sole_actor(&self, class: ActorClass) -> Option<&'a str> {
        self.sole_actors.get(&class).copied().flatten()
    }
}
