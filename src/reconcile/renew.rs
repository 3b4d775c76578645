//! Judges some goals again and leaves what was said of the others.

use std::collections::BTreeSet;

use super::goal_context::GoalContext;
use super::in_force::InForce;
use super::index::WorldIndex;
use super::redactor::Redactor;
use super::world::World;
use super::{Plan, attention, conditions, judge};
use crate::privacy::Wall;
use crate::vocabulary::{Id, Instant};

impl Plan {
    /// Brings the verdicts on some goals up to date.
    ///
    /// The result is what [`reconcile`](super::reconcile) gives of the whole world, if nothing but documents of these
    /// goals and facts of their sessions is new since this plan was made, no binding among them, and `as_of` lies
    /// before `valid_until`. `world` holds these goals, every goal that shares a session with them, the facts and
    /// receipts of both, and what blocks every goal. Gives false, and changes nothing, where a name must not be shown:
    /// then goals cannot be told apart.
    pub fn renew(&mut self, world: &World<'_>, wall: &Wall, as_of: Instant, goals: &BTreeSet<String>) -> bool {
        let redactor = Redactor(wall);
        if goals.iter().any(|goal| redactor.text(goal).as_ref() != goal) {
            return false;
        }
        let in_force = InForce::of(world, as_of);
        let narrowed = in_force.as_ref().map(|in_force| in_force.world(world));
        let world = narrowed.as_ref().unwrap_or(world);
        let index = WorldIndex::new(world);
        let blocking = conditions::documents::of_workspace(world, &index);
        self.forget(goals);
        for (goal, documents) in world.goals.iter().filter(|(goal, _)| goals.contains(**goal)) {
            self.take(judge(&GoalContext::new(world, &index, wall, goal, documents), &blocking, as_of, redactor));
        }
        self.unrecorded.sort_by(|one, other| (&one.goal_id, &one.run_id).cmp(&(&other.goal_id, &other.run_id)));
        self.settle();
        true
    }

    /// Says of some goals again what was said of them before; without `goals`, of all.
    pub fn put_back(&mut self, before: Self, goals: Option<&BTreeSet<String>>) {
        let Some(goals) = goals else {
            *self = before;
            return;
        };
        self.forget(goals);
        self.projections.extend(before.projections);
        self.writebacks.extend(before.writebacks);
        self.goals.extend(before.goals);
        self.unrecorded.extend(before.unrecorded);
        self.unrecorded.sort_by(|one, other| (&one.goal_id, &one.run_id).cmp(&(&other.goal_id, &other.run_id)));
        self.attention.goals.extend(before.attention.goals);
        // Rows of no goal are in both.
        self.attention.rows.extend(before.attention.rows.into_iter().filter(|row| row.goal_id.is_some()));
        self.settle();
    }

    /// Takes out what was said of some goals.
    fn forget(&mut self, goals: &BTreeSet<String>) {
        let is_other = |goal: &str| !goals.contains(goal);
        self.projections.retain(|(goal, _), _| is_other(goal.as_str()));
        self.writebacks.retain(|(goal, _), _| is_other(goal.as_str()));
        self.goals.retain(|goal, _| is_other(goal.as_str()));
        self.unrecorded.retain(|receipt| is_other(receipt.goal_id.as_str()));
        self.attention.goals.retain(|goal| is_other(goal.goal_id.as_ref()));
        self.attention.rows.retain(|row| row.goal_id.as_ref().is_none_or(|goal| is_other(goal.as_ref())));
    }

    /// Ranks, and says until when all of it holds.
    pub(super) fn settle(&mut self) {
        attention::rank(&mut self.attention.rows);
        self.attention.goals.sort_by(|one, other| (one.priority, &one.goal_id).cmp(&(other.priority, &other.goal_id)));
        self.attention.valid_until =
            self.goals.values().filter_map(|goal| goal.valid_until).chain(self.workspace_until).min();
        let screens = self.projections.values().filter_map(|projection| projection.valid_until);
        self.valid_until = screens.chain(self.attention.valid_until).min();
    }

    /// What is said of some goals, and of none.
    #[must_use]
    pub fn part(&self, goals: &BTreeSet<String>) -> Self {
        let is_one = |goal: &Id| goals.contains(goal.as_str());
        let rows = self
            .attention
            .rows
            .iter()
            .filter(|row| row.goal_id.as_ref().is_none_or(|goal| goals.contains(goal.as_ref())));
        let mut part = Self {
            projections: self
                .projections
                .iter()
                .filter(|((goal, _), _)| is_one(goal))
                .map(|(key, it)| (key.clone(), it.clone()))
                .collect(),
            writebacks: self
                .writebacks
                .iter()
                .filter(|((goal, _), _)| is_one(goal))
                .map(|(key, it)| (key.clone(), it.clone()))
                .collect(),
            goals: self
                .goals
                .iter()
                .filter(|(goal, _)| is_one(goal))
                .map(|(key, it)| (key.clone(), it.clone()))
                .collect(),
            attention: crate::vocabulary::AttentionQueue {
                schema_version: Default::default(),
                rows: rows.cloned().collect(),
                goals: self
                    .attention
                    .goals
                    .iter()
                    .filter(|goal| goals.contains(goal.goal_id.as_ref()))
                    .cloned()
                    .collect(),
                valid_until: None,
            },
            workspace: self.workspace.clone(),
            unrecorded: self.unrecorded.iter().filter(|receipt| is_one(&receipt.goal_id)).cloned().collect(),
            notes: self.notes.clone(),
            workspace_until: self.workspace_until,
            valid_until: None,
        };
        part.settle();
        part
    }
}
