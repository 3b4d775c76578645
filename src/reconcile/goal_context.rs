//! Everything known of one goal, whatever the time: documents, records, sessions and outcomes, joined once.

use std::collections::{BTreeMap, BTreeSet};

use super::gates::GateRecords;
use super::handoffs::{HandoffRecords, is_person};
use super::index::WorldIndex;
use super::ledger::{Ledger, RecordStatus};
use super::outcomes::{Evidence, OutcomeHistory, OutcomeSubject, outcomes};
use super::receipts;
use super::sessions::Session;
use super::world::{DocumentFault, GoalDocuments, World};
use crate::privacy::Wall;
use crate::vocabulary::{
    Blocks, Effect, Gate, Goal, GoalStatus, Handoff, Id, Instant, Priority, Receipt, Record, Reward, Todo,
};

/// One goal, joined.
#[derive(Debug)]
pub(super) struct GoalContext<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) index: &'a WorldIndex<'a>,
    /// Says what may leave; nothing is spoken through it here.
    pub(super) wall: &'a Wall,
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) goal_id: &'a str,
    pub(super) documents: &'a GoalDocuments<'a>,
    /// The agents that have a screen: those that the goal lists, or that an unreadable goal's documents name.
    pub(super) agents: BTreeSet<&'a str>,
    pub(super) gates: BTreeMap<&'a str, GateRecords>,
    pub(super) handoffs: BTreeMap<&'a str, HandoffRecords>,
    pub(super) rewards: BTreeMap<&'a str, RecordStatus>,
    /// By agent and id.
    pub(super) sessions: Vec<Session<'a>>,
    pub(super) outcomes: BTreeMap<OutcomeSubject<'a>, OutcomeHistory<'a>>,
    pub(super) evidence: Evidence<'a>,
    /// The one operator of all live sessions.
    pub(super) operator: Option<&'a str>,
    /// Receipts that valid acts still lack.
    pub(super) lacking: Vec<Receipt>,
    /// Receipts that nobody can read and no act explains.
    pub(super) unreadable_receipts: BTreeSet<&'a str>,
    handoffs_of: BTreeMap<&'a str, Vec<&'a Handoff>>,
    gates_of: BTreeMap<&'a str, Vec<&'a Gate>>,
    gates_of_goal: Vec<&'a Gate>,
}

impl<'a> GoalContext<'a> {
    pub(super) fn new(
        world: &'a World<'a>,
        index: &'a WorldIndex<'a>,
        wall: &'a Wall,
        goal_id: &'a str,
        documents: &'a GoalDocuments<'a>,
    ) -> Self {
        let ledger = index.ledger(goal_id);
        let mut sessions: Vec<_> = documents.bindings.values().map(|binding| Session::new(binding, index)).collect();
        sessions.sort_by_key(|session| (session.agent(), session.id()));
        let mut context = Self {
            world,
            index,
            wall,
            ledger,
            goal_id,
            documents,
            agents: agents_of(documents),
            gates: BTreeMap::new(),
            handoffs: BTreeMap::new(),
            rewards: BTreeMap::new(),
            outcomes: outcomes(&sessions),
            evidence: Evidence::new(&sessions),
            operator: sole_operator(sessions.iter().filter(|session| session.is_live())),
            sessions,
            lacking: Vec::new(),
            unreadable_receipts: BTreeSet::new(),
            handoffs_of: BTreeMap::new(),
            gates_of: BTreeMap::new(),
            gates_of_goal: Vec::new(),
        };
        context.join_gates();
        context.join_handoffs();
        context.join_rewards();
        context.find_unreadable_receipts();
        context.keep_refused_unrecorded();
        context
    }

    fn join_gates(&mut self) {
        for (id, gate) in &self.documents.gates {
            let effective = self.documents.effective;
            let here = effective.and_then(|effective| match effective.gates_here.get(*id) {
                Some(Record::Gate(here)) => Some(here),
                _ => None,
            });
            let is_older = effective.is_some_and(|effective| effective.older_gates.contains(*id));
            self.gates.insert(id, GateRecords::new(gate, here, is_older, self.ledger, &mut self.lacking));
            match &gate.blocks {
                Blocks::Goal => self.gates_of_goal.push(gate),
                Blocks::Todos(todos) => {
                    for todo in todos {
                        self.gates_of.entry(todo.as_str()).or_default().push(gate);
                    }
                }
                Blocks::Nothing => {}
            }
        }
    }

    fn join_handoffs(&mut self) {
        for (id, handoff) in &self.documents.handoffs {
            self.handoffs.insert(id, HandoffRecords::new(handoff, self.ledger, &mut self.lacking));
            if handoff.withdrawn.is_none() {
                self.handoffs_of.entry(handoff.todo_id.as_str()).or_default().push(handoff);
            }
        }
        for handoffs in self.handoffs_of.values_mut() {
            handoffs.sort_by_key(|handoff| (handoff.expires_at, &handoff.handoff_id));
        }
    }

    fn join_rewards(&mut self) {
        for (id, reward) in &self.documents.rewards {
            let expected = is_given_by_a_person(reward).then(|| receipts::of_reward(reward));
            let status = self.ledger.status(Effect::Reward(self.goal_id, id), expected.as_ref());
            self.lacking.extend(expected.filter(|_| status == RecordStatus::Proposed));
            self.rewards.insert(id, status);
        }
    }

    /// Receipts that cannot be read count against the act that they are of, else against the goal.
    fn find_unreadable_receipts(&mut self) {
        if self.ledger.unreadable.is_empty() {
            return;
        }
        let goal = self.goal_id;
        let gates = self.documents.gates.iter().flat_map(|(id, gate)| {
            [Effect::Gate(goal, id, gate.revision), Effect::GateWithdrawn(goal, id, gate.revision)]
        });
        let handoffs = self.documents.handoffs.keys();
        let handoffs = handoffs.flat_map(|id| [Effect::HandoffApproved(goal, id), Effect::HandoffAccepted(goal, id)]);
        let rewards = self.documents.rewards.keys().map(|id| Effect::Reward(goal, id));
        let explained: BTreeSet<Id> = gates.chain(handoffs).chain(rewards).map(Effect::run_id).collect();
        self.unreadable_receipts =
            self.ledger.unreadable.iter().copied().filter(|id| !explained.contains(*id)).collect();
    }

    /// A document that holds refused material gets no receipt before it is mended.
    fn keep_refused_unrecorded(&mut self) {
        let refused = self.documents.unusable.iter().filter(|document| document.fault == DocumentFault::Refused);
        let refused: BTreeSet<&str> = refused.filter_map(|document| document.id.as_deref()).collect();
        self.lacking.retain(|receipt| !refused.contains(receipt.source.id.as_str()));
        self.lacking.sort_by(|one, other| one.run_id.cmp(&other.run_id));
    }

    /// The goal, when it can be read.
    pub(super) fn goal(&self) -> Option<&'a Goal> {
        self.documents.goal
    }

    /// Its priority; an unreadable goal has the default one.
    pub(super) fn priority(&self) -> Priority {
        self.goal().map_or(Priority::P1, |goal| goal.priority)
    }

    /// The goal, when agents may work on it and every document of it can be used as it stands.
    pub(super) fn workable(&self) -> Option<&'a Goal> {
        self.active().filter(|_| self.world.unusable.is_empty() && self.documents.unusable.is_empty())
    }

    /// The goal, when agents may work on it.
    pub(super) fn active(&self) -> Option<&'a Goal> {
        self.goal().filter(|goal| goal.status == GoalStatus::Active)
    }

    /// When it is another case, though no file changes: something that it rests on is refused from then on.
    pub(super) fn usable_until(&self) -> Option<Instant> {
        let facts = self.sessions.iter().filter_map(|session| self.world.facts_usable_until.get(session.id()));
        facts.copied().chain(self.documents.usable_until).chain(self.world.usable_until).min()
    }

    /// The handoffs of a todo that are not withdrawn, the newest last.
    pub(super) fn handoffs_of(&self, todo: &str) -> &[&'a Handoff] {
        self.handoffs_of.get(todo).map_or(&[], Vec::as_slice)
    }

    /// The gates that hold a todo up while they are closed.
    pub(super) fn gates_of(&self, todo: &str) -> impl Iterator<Item = &'a Gate> {
        self.gates_of_goal.iter().chain(self.gates_of.get(todo).into_iter().flatten()).copied()
    }

    /// The agent that a todo belongs to; `None`: to every agent.
    pub(super) fn agent_of(&self, todo: &'a Todo) -> Option<&'a str> {
        let handed = || self.handoffs_of(todo.todo_id.as_str()).last().map(|handoff| &handoff.to_agent);
        todo.assignee.as_ref().or_else(handed).or(todo.claimed_by.as_ref()).map(Id::as_str)
    }

    /// The live sessions of an agent, by id.
    pub(super) fn live_sessions(&self, agent: &str) -> impl Iterator<Item = &Session<'a>> {
        let start = self.sessions.partition_point(|session| session.agent() < agent);
        self.sessions[start..].iter().take_while(move |session| session.agent() == agent).filter(|it| it.is_live())
    }
}

/// A host's approval or an agent's praise is never a person's reward.
fn is_given_by_a_person(reward: &Reward) -> bool {
    is_person(reward.given.actor_class)
}

/// The agents of a goal; of an unreadable goal those that its bindings, todos and handoffs name.
fn agents_of<'a>(documents: &'a GoalDocuments<'a>) -> BTreeSet<&'a str> {
    if let Some(goal) = documents.goal {
        return goal.agents.keys().map(Id::as_str).collect();
    }
    let todos = documents.todos.values().filter(|todo| !todo.task_class.is_user());
    let of_todos = todos.flat_map(|todo| todo.assignee.iter().chain(&todo.claimed_by));
    let of_bindings = documents.bindings.values().map(|binding| &binding.agent_id);
    let of_handoffs = documents.handoffs.values().flat_map(|handoff| [&handoff.from_agent, &handoff.to_agent]);
    let of_troubles = documents.unusable.iter().flat_map(|document| &document.agents);
    of_todos.chain(of_bindings).chain(of_handoffs).chain(of_troubles).map(Id::as_str).collect()
}

/// The operator of sessions, when they have exactly one.
pub(super) fn sole_operator<'s, 'a: 's>(sessions: impl Iterator<Item = &'s Session<'a>>) -> Option<&'a str> {
    let operators: BTreeSet<&str> = sessions.filter_map(|it| it.binding.operator.as_ref()).map(Id::as_str).collect();
    if operators.len() == 1 { operators.first().copied() } else { None }
}
