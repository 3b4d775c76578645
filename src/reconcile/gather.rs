//! The world as a loaded state directory shows it; receipts and the authority come from git and are added to it.

use super::world::{Fault, GoalDocuments, Trouble, World};
use crate::vocabulary::{Kind, Record};
use crate::workspace::{Entry, Workspace};

impl<'a> World<'a> {
    /// Takes the documents and facts of a loaded state directory. Nothing is recorded yet.
    ///
    /// Facts that hold refused material are left out; desired documents that do are masked wherever they are shown.
    #[must_use]
    pub fn of(workspace: &'a Workspace) -> Self {
        let mut world = Self::new(&workspace.settings);
        world.actors = workspace.policies.actors.iter().map(|(name, actor)| (name.as_str(), actor.class)).collect();
        for entry in &workspace.entries {
            world.take(entry);
        }
        world
    }

    fn take(&mut self, entry: &'a Entry) {
        let Some((kind, _)) = entry.place else { return };
        let goal_id = entry.field("goal_id");
        for trouble in troubles(entry, kind) {
            match (kind, goal_id) {
                (Kind::Workspace | Kind::Policy, _) => self.troubles.push(trouble),
                (Kind::Facts, _) => self.fact_troubles.push(trouble),
                (Kind::Receipt | Kind::Projection | Kind::Writeback, _) | (_, None) => {}
                (_, Some(goal_id)) => self.goals.entry(goal_id).or_default().troubles.push(trouble),
            }
        }
        match (&entry.record, goal_id) {
            (Some(Record::Facts(facts)), _) if entry.refused.is_none() => {
                self.facts.insert((facts.runtime_id, facts.session_id.as_str()), facts);
            }
            (Some(record), Some(goal_id)) => self.goals.entry(goal_id).or_default().take(record),
            _ => {}
        }
    }
}

impl<'a> GoalDocuments<'a> {
    fn take(&mut self, record: &'a Record) {
        match record {
            Record::Goal(goal) => self.goal = Some(goal),
            Record::Todo(todo) => drop(self.todos.insert(todo.todo_id.as_str(), todo)),
            Record::Gate(gate) => drop(self.gates.insert(gate.gate_id.as_str(), gate)),
            Record::Handoff(handoff) => drop(self.handoffs.insert(handoff.handoff_id.as_str(), handoff)),
            Record::Reward(reward) => drop(self.rewards.insert(reward.reward_id.as_str(), reward)),
            Record::Proposal(proposal) => drop(self.proposals.insert(proposal.proposal_id.as_str(), proposal)),
            Record::Binding(binding) => drop(self.bindings.insert(binding.session_id.as_str(), binding)),
            Record::WritebackRequest(request) => drop(self.writebacks.insert(request.request_id.as_str(), request)),
            Record::Memory(memory) => {
                self.memory.insert(memory.issue_projection.issue_ref_id.as_str(), memory);
            }
            _ => {}
        }
    }
}

/// What is wrong with a document: that it cannot be read, that it holds refused material, or both.
fn troubles(entry: &Entry, kind: Kind) -> impl Iterator<Item = Trouble> {
    let id_field = if kind == Kind::Facts { Some("session_id") } else { kind.row().id_field };
    let unreadable = entry.unreadable.map(|rule| (rule, Fault::Unreadable));
    let refused = entry.refused.map(|rule| (rule, Fault::Refused));
    unreadable.into_iter().chain(refused).map(move |(rule, fault)| Trouble {
        path: entry.path.clone(),
        rule,
        fault,
        kind: Some(kind),
        id: id_field.and_then(|field| entry.field(field)).map(Into::into),
        agents: Vec::new(),
    })
}
