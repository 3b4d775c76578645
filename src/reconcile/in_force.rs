//! Nothing from the future counts (law 11): what is dated more than five minutes ahead is taken out of the world until
//! then, whatever it says.

use std::collections::BTreeMap;

use super::world::{Recorded, World};
use crate::vocabulary::acts::{StatedAct, StatesActs};
use crate::vocabulary::{Binding, CLOCK_TOLERANCE, Facts, Gate, Handoff, Id, Instant, Kind, Proposal};

/// An act that is dated ahead, and so not in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AheadAct {
    /// The kind of its document.
    pub kind: Kind,
    /// The goal.
    pub goal_id: Id,
    /// The document.
    pub id: Id,
    /// The field of the act.
    pub act: &'static str,
    /// Its date.
    pub at: Instant,
}

/// Copies of documents and facts without what is dated ahead.
#[derive(Debug, Default)]
pub(super) struct InForce<'a> {
    gates: Vec<Gate>,
    handoffs: Vec<Handoff>,
    bindings: Vec<Binding>,
    proposals: Vec<Proposal>,
    facts: Vec<Facts>,
    /// Rewards that are given ahead.
    rewards: Vec<(&'a str, &'a str)>,
    /// Facts that are updated ahead.
    unheard: Vec<&'a Facts>,
    receipts: Vec<&'a str>,
    /// When the first of a goal, and of a session, comes into force.
    goals: BTreeMap<&'a str, Instant>,
    sessions: BTreeMap<&'a str, Instant>,
}

/// The first instant at which what is dated so counts.
fn counts_from(at: Instant) -> Instant {
    at.before(CLOCK_TOLERANCE)
}

impl<'a> InForce<'a> {
    /// Looks at everything that carries a date. `None` where nothing is dated ahead, which is nearly always.
    pub(super) fn of(world: &'a World<'a>, as_of: Instant) -> Option<Self> {
        let mut this = Self::default();
        for (goal, documents) in &world.goals {
            let mut dates = Vec::new();
            this.gates.extend(documents.gates.values().filter_map(|it| in_force(*it, as_of, &mut dates)));
            this.handoffs.extend(documents.handoffs.values().filter_map(|it| in_force(*it, as_of, &mut dates)));
            this.bindings.extend(documents.bindings.values().filter_map(|it| in_force(*it, as_of, &mut dates)));
            this.proposals.extend(documents.proposals.values().filter_map(|it| in_force(*it, as_of, &mut dates)));
            for (id, reward) in documents.rewards.iter().filter(|(_, reward)| reward.given.at.is_ahead_of(as_of)) {
                this.rewards.push((goal, id));
                dates.push(reward.given.at);
            }
            this.note_goal(goal, &dates);
        }
        for (run, recorded) in &world.receipts {
            if let Recorded::Receipt(receipt) = recorded
                && receipt.at.is_ahead_of(as_of)
            {
                this.receipts.push(run);
                this.note_goal(receipt.goal_id.as_str(), &[receipt.at]);
            }
        }
        world.facts.values().for_each(|facts| this.facts(facts, as_of));
        let is_all = this.goals.is_empty() && this.sessions.is_empty();
        (!is_all).then_some(this)
    }

    fn note_goal(&mut self, goal: &'a str, dates: &[Instant]) {
        if let Some(first) = dates.iter().map(|at| counts_from(*at)).min() {
            self.goals.entry(goal).and_modify(|known| *known = first.min(*known)).or_insert(first);
        }
    }

    fn facts(&mut self, facts: &'a Facts, as_of: Instant) {
        let dates: Vec<Instant> = facts.items().map(|item| item.at).chain([facts.updated_at]).collect();
        let Some(first) = dates.iter().filter(|at| at.is_ahead_of(as_of)).min() else { return };
        self.sessions.insert(facts.session_id.as_str(), counts_from(*first));
        if facts.updated_at.is_ahead_of(as_of) {
            return self.unheard.push(facts);
        }
        let mut copy = facts.clone();
        copy.outcomes.retain(|item| !item.at.is_ahead_of(as_of));
        copy.events.retain(|item| !item.at.is_ahead_of(as_of));
        copy.approvals.retain(|item| !item.at.is_ahead_of(as_of));
        copy.artifacts.retain(|item| !item.at.is_ahead_of(as_of));
        copy.decision_results.retain(|item| !item.at.is_ahead_of(as_of));
        self.facts.push(copy);
    }

    /// The world without what is dated ahead, and until when it is so.
    pub(super) fn world<'b>(&'b self, world: &World<'b>) -> World<'b> {
        let mut world = world.clone();
        for gate in &self.gates {
            goal(&mut world, gate.goal_id.as_str(), |it| {
                it.gates.insert(gate.gate_id.as_str(), gate);
            });
        }
        for handoff in &self.handoffs {
            let id = handoff.handoff_id.as_str();
            goal(&mut world, handoff.goal_id.as_str(), |it| {
                it.handoffs.insert(id, handoff);
            });
        }
        for binding in &self.bindings {
            let id = binding.session_id.as_str();
            goal(&mut world, binding.goal_id.as_str(), |it| {
                it.bindings.insert(id, binding);
            });
        }
        for proposal in &self.proposals {
            let id = proposal.proposal_id.as_str();
            goal(&mut world, proposal.goal_id.as_str(), |it| {
                it.proposals.insert(id, proposal);
            });
        }
        for (goal_id, reward) in &self.rewards {
            goal(&mut world, goal_id, |it| {
                it.rewards.remove(reward);
            });
        }
        for (goal_id, first) in &self.goals {
            goal(&mut world, goal_id, |it| it.usable_until = it.usable_until.into_iter().chain([*first]).min());
        }
        for run in &self.receipts {
            world.receipts.remove(run);
        }
        for facts in &self.facts {
            world.facts.insert((facts.runtime_id, facts.session_id.as_str()), facts);
        }
        for facts in &self.unheard {
            world.facts.remove(&(facts.runtime_id, facts.session_id.as_str()));
        }
        for (session, first) in &self.sessions {
            world.facts_usable_until.entry(session).and_modify(|known| *known = (*first).min(*known)).or_insert(*first);
        }
        world
    }
}

fn goal<'b>(world: &mut World<'b>, id: &str, change: impl FnOnce(&mut super::world::GoalDocuments<'b>)) {
    if let Some(documents) = world.goals.get_mut(id) {
        change(documents);
    }
}

/// A copy of a document without its acts that are dated ahead, whose dates are noted; `None` where there are none.
fn in_force<T: StatesActs>(document: &T, as_of: Instant, dates: &mut Vec<Instant>) -> Option<T> {
    let before = dates.len();
    let acts = document.acts();
    dates.extend(acts.iter().filter(|act| !act.is_required && act.at.is_ahead_of(as_of)).map(|act| act.at));
    (dates.len() > before).then(|| {
        let mut copy = document.clone();
        copy.take_out(|at| at.is_ahead_of(as_of));
        copy
    })
}

/// Lists the acts of people and agents that are dated ahead, by goal and document.
#[must_use]
pub fn acts_ahead(world: &World<'_>, as_of: Instant) -> Vec<AheadAct> {
    let mut all = Vec::new();
    for documents in world.goals.values() {
        let mut add = |kind, goal_id: &Id, id: &Id, acts: Vec<StatedAct<'_>>| {
            let ahead = acts.into_iter().filter(|act| act.field != "requested" && act.at.is_ahead_of(as_of));
            all.extend(ahead.map(|StatedAct { field, at, .. }| AheadAct {
                kind,
                goal_id: goal_id.clone(),
                id: id.clone(),
                act: field,
                at,
            }));
        };
        for gate in documents.gates.values() {
            add(Kind::Gate, &gate.goal_id, &gate.gate_id, gate.acts());
        }
        for handoff in documents.handoffs.values() {
            add(Kind::Handoff, &handoff.goal_id, &handoff.handoff_id, handoff.acts());
        }
        for reward in documents.rewards.values() {
            add(Kind::Reward, &reward.goal_id, &reward.reward_id, reward.acts());
        }
    }
    all
}
