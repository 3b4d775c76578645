//! Nothing from the future counts (law 11): what is dated more than five minutes ahead is taken out of the world until
//! then, whatever it says.

use std::collections::BTreeMap;

use super::world::{Recorded, World};
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
            documents.gates.values().for_each(|gate| this.gate(gate, as_of, &mut dates));
            documents.handoffs.values().for_each(|handoff| this.handoff(handoff, as_of, &mut dates));
            documents.bindings.values().for_each(|binding| this.binding(binding, as_of, &mut dates));
            documents.proposals.values().for_each(|proposal| this.proposal(proposal, as_of, &mut dates));
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

    fn gate(&mut self, gate: &Gate, as_of: Instant, dates: &mut Vec<Instant>) {
        let acts = [gate.decision.as_ref().map(|act| act.at), gate.withdrawn.as_ref().map(|act| act.at)];
        if note(&acts, as_of, dates) {
            let mut copy = gate.clone();
            copy.decision.take_if(|act| act.at.is_ahead_of(as_of));
            copy.withdrawn.take_if(|act| act.at.is_ahead_of(as_of));
            self.gates.push(copy);
        }
    }

    fn handoff(&mut self, handoff: &Handoff, as_of: Instant, dates: &mut Vec<Instant>) {
        let (approved, withdrawn) = (handoff.approved.as_ref(), handoff.withdrawn.as_ref());
        let accepted = handoff.accepted.as_ref().map(|act| act.at);
        if note(&[approved.map(|act| act.at), accepted, withdrawn.map(|act| act.at)], as_of, dates) {
            let mut copy = handoff.clone();
            copy.approved.take_if(|act| act.at.is_ahead_of(as_of));
            copy.accepted.take_if(|act| act.at.is_ahead_of(as_of));
            copy.withdrawn.take_if(|act| act.at.is_ahead_of(as_of));
            self.handoffs.push(copy);
        }
    }

    fn binding(&mut self, binding: &Binding, as_of: Instant, dates: &mut Vec<Instant>) {
        let acts = [binding.closed.as_ref().map(|act| act.at), binding.replaced.as_ref().map(|act| act.at)];
        if note(&acts, as_of, dates) {
            let mut copy = binding.clone();
            copy.closed.take_if(|act| act.at.is_ahead_of(as_of));
            copy.replaced.take_if(|act| act.at.is_ahead_of(as_of));
            self.bindings.push(copy);
        }
    }

    fn proposal(&mut self, proposal: &Proposal, as_of: Instant, dates: &mut Vec<Instant>) {
        if note(&[proposal.decision.as_ref().map(|act| act.at)], as_of, dates) {
            self.proposals.push(Proposal { decision: None, ..proposal.clone() });
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

/// Notes the dates of acts that lie ahead; tells whether there are any.
fn note(acts: &[Option<Instant>], as_of: Instant, dates: &mut Vec<Instant>) -> bool {
    let before = dates.len();
    dates.extend(acts.iter().flatten().filter(|at| at.is_ahead_of(as_of)));
    dates.len() > before
}

/// Lists the acts of people and agents that are dated ahead, by goal and document.
#[must_use]
pub fn acts_ahead(world: &World<'_>, as_of: Instant) -> Vec<AheadAct> {
    let mut all = Vec::new();
    for documents in world.goals.values() {
        let mut add = |kind, goal_id: &Id, id: &Id, act, at: Option<Instant>| {
            let at = at.filter(|at| at.is_ahead_of(as_of));
            all.extend(at.map(|at| AheadAct { kind, goal_id: goal_id.clone(), id: id.clone(), act, at }));
        };
        for gate in documents.gates.values() {
            let (goal, id) = (&gate.goal_id, &gate.gate_id);
            add(Kind::Gate, goal, id, "decision", gate.decision.as_ref().map(|act| act.at));
            add(Kind::Gate, goal, id, "withdrawn", gate.withdrawn.as_ref().map(|act| act.at));
        }
        for handoff in documents.handoffs.values() {
            let (goal, id) = (&handoff.goal_id, &handoff.handoff_id);
            add(Kind::Handoff, goal, id, "approved", handoff.approved.as_ref().map(|act| act.at));
            add(Kind::Handoff, goal, id, "accepted", handoff.accepted.as_ref().map(|act| act.at));
            add(Kind::Handoff, goal, id, "withdrawn", handoff.withdrawn.as_ref().map(|act| act.at));
        }
        for reward in documents.rewards.values() {
            add(Kind::Reward, &reward.goal_id, &reward.reward_id, "given", Some(reward.given.at));
        }
    }
    all
}
