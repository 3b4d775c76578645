//! What the law says, written down a second time and in another way.

use std::collections::{BTreeMap, BTreeSet};

use loopx::app::{Records, world};
use loopx::reconcile::{GoalDocumentKey, Permit, PermitSummary, reconcile, unrecorded};
use loopx::rules::JudgedDirectory;
use loopx::vocabulary::{
    Blocks, EventClass, Gate, GateStanding, GoalStatus, Id, Kind, Record, RequiredActor, Todo, TodoStatus,
};

use super::{AGENT, Case, standing_of};
use crate::generator::Generated;

fn gates_of(judged: &JudgedDirectory, goal: &Id) -> BTreeMap<Id, GateStanding> {
    let records = Records::in_tree(&judged.workspace);
    let mut here = world(&judged.workspace, &records);
    let receipts = unrecorded(&here, &judged.workspace.wall);
    here.record(&receipts);
    let plan = reconcile(&here, &judged.workspace.wall, Generated::now());
    plan.goals.get(goal).map(|goal| goal.gates.clone()).unwrap_or_default()
}

/// What the law says, written down a second time and in another way: without the fields of people, for there are none
/// in a change of an agent alone.
pub(super) struct Oracle<'c> {
    case: &'c Case,
    /// The documents of the base that were gone meanwhile: whatever stands there now is new.
    gone: &'c BTreeSet<String>,
    before: PermitSummary,
    after: PermitSummary,
    /// Where the gates of the base stand, by goal.
    gates: BTreeMap<Id, BTreeMap<Id, GateStanding>>,
}

impl<'c> Oracle<'c> {
    /// What can be broken.
    pub(super) const KINDS: [&'static str; 9] =
        ["opens", "ends a wait", "finishes", "frees", "asks lower", "rewords", "loosens", "takes over", "voids"];

    pub(super) fn new(case: &'c Case, gone: &'c BTreeSet<String>) -> Self {
        let as_of = Generated::now();
        let goals = case.before.workspace.index.goals.keys().map(|goal| Id::new(goal.as_ref()));
        let gates = goals.map(|goal| (goal.clone(), gates_of(&case.before, &goal))).collect();
        let (before, after) = (standing_of(&case.before, as_of), standing_of(&case.after, as_of));
        Self { case, gone, before, after, gates }
    }

    /// What the change does that an agent may not, by kind.
    pub(super) fn broken(&self) -> Vec<(&'static str, String)> {
        let mut broken = Vec::new();
        broken.extend(self.widened().iter().map(|permit| ("opens", format!("{permit:?}"))));
        broken.extend(self.ended().iter().map(|wait| ("ends a wait", format!("{wait:?}"))));
        broken.extend(self.finished().iter().map(|todo| ("finishes", todo.to_string())));
        for (base, now) in self.kept_gates() {
            broken.extend(self.freed(base, now).map(|todo| ("frees", todo)));
            let is_lower = base.required_actor != now.required_actor && now.required_actor != RequiredActor::Owner;
            broken.extend(is_lower.then(|| ("asks lower", base.gate_id.to_string())));
        }
        for (base, now) in self.kept_todos() {
            broken.extend(self.reworded(base, now).map(|field| ("rewords", format!("{field} of {}", base.todo_id))));
            broken.extend(self.loosened(base, now).map(|field| ("loosens", format!("{field} of {}", base.todo_id))));
            let is_taken = base.assignee.as_ref().is_some_and(|was| match &now.assignee {
                Some(is) => is != was,
                None => self.agents(&base.goal_id).any(|agent| agent != was),
            });
            broken.extend(is_taken.then(|| ("takes over", base.todo_id.to_string())));
        }
        let added = self.case.after.workspace.entries.iter().filter_map(|entry| match &entry.record {
            Some(Record::Receipt(receipt)) if self.case.before.workspace.index.at(&entry.path).is_none() => {
                Some(receipt)
            }
            _ => None,
        });
        let voids = added.filter(|receipt| receipt.event_class == EventClass::QuotaVoid);
        broken.extend(voids.map(|receipt| ("voids", receipt.run_id.to_string())));
        broken
    }

    /// The gates of the base that are there still, each with what it says now. One that was taken back held nothing up.
    fn kept_gates(&self) -> impl Iterator<Item = (&'c Gate, &'c Gate)> {
        let gates = self.case.before.workspace.entries.iter().filter_map(|entry| match &entry.record {
            Some(Record::Gate(gate)) => Some(gate),
            _ => None,
        });
        gates.filter_map(|gate| {
            let is_withdrawn = self.gates[&gate.goal_id].get(&gate.gate_id) == Some(&GateStanding::Withdrawn);
            let index = self.case.after.workspace.index.goals.get(gate.goal_id.as_str())?;
            let number = index.find(Kind::Gate, gate.gate_id.as_str())?;
            match &self.case.after.workspace.entries[number].record {
                Some(Record::Gate(now)) if !is_withdrawn => Some((gate, now)),
                _ => None,
            }
        })
    }

    /// The unfinished todos of the base that are there still, are an agent's, and are not done. One that became a
    /// person's is none of them: it waits for a person, however it is worded.
    fn kept_todos(&self) -> impl Iterator<Item = (&'c Todo, &'c Todo)> {
        let todos = self.case.before.workspace.entries.iter().filter_map(|entry| match &entry.record {
            Some(Record::Todo(todo)) => Some(todo),
            _ => None,
        });
        todos.filter_map(|todo| {
            let base = self.todo(&self.case.before, &todo.goal_id, &todo.todo_id)?;
            let now = self.todo(&self.case.after, &todo.goal_id, &todo.todo_id)?;
            let is_agents = !base.task_class.is_user() && !now.task_class.is_user();
            (is_agents && now.status != TodoStatus::Done).then_some((base, now))
        })
    }

    /// What a gate held up, or asked about, and does not any more.
    fn freed(&self, base: &Gate, now: &Gate) -> Option<String> {
        let is_unfinished = |todo: &&Id| {
            let now = self.todo(&self.case.after, &base.goal_id, todo);
            let before = self.todo(&self.case.before, &base.goal_id, todo);
            before.is_some() && now.is_some_and(|now| now.status != TodoStatus::Done)
        };
        match (&base.blocks, &now.blocks) {
            (Blocks::Nothing, _) | (_, Blocks::Goal) => None,
            (Blocks::Goal, _) => Some(format!("{}: the goal", base.gate_id)),
            (Blocks::Todos(base), now) => {
                base.iter().filter(is_unfinished).find(|todo| !now.todos().contains(todo)).map(ToString::to_string)
            }
        }
    }

    /// What of a todo is otherwise than it was approved, where it may be started all the same.
    fn reworded(&self, base: &Todo, now: &Todo) -> Option<&'static str> {
        let is_permitted = self.after.permits.iter().any(|it| it.goal_id == base.goal_id && it.todo_id == base.todo_id);
        let is_approved = self.kept_gates().any(|(gate, _)| {
            gate.goal_id == base.goal_id
                && gate.blocks.todos().contains(&base.todo_id)
                && self.gates[&gate.goal_id].get(&gate.gate_id) == Some(&GateStanding::Approved)
        });
        let fields = [
            ("title", base.title != now.title),
            ("task_class", base.task_class != now.task_class),
            ("after", base.after != now.after),
        ];
        let mut differing = fields.into_iter().filter(|(_, differs)| *differs && is_permitted && is_approved);
        differing.next().map(|(field, _)| field)
    }

    /// What of a todo holds it up less than it did, whatever else holds it up.
    fn loosened(&self, base: &Todo, now: &Todo) -> Option<&'static str> {
        let is_done = |todo: &Id| {
            let of =
                |judged| self.todo(judged, &base.goal_id, todo).is_some_and(|todo| todo.status == TodoStatus::Done);
            of(&self.case.after) || of(&self.case.before)
        };
        let dropped = base.after.iter().any(|first| !now.after.contains(first) && !is_done(first));
        let is_held = matches!(base.status, TodoStatus::Blocked | TodoStatus::Deferred | TodoStatus::Done);
        let fields = [
            ("after", dropped && base.status != TodoStatus::Done),
            ("status", is_held && now.status == TodoStatus::Open),
            ("watch_only", base.watch_only && !now.watch_only && base.status != TodoStatus::Done),
        ];
        fields.into_iter().find(|(_, is_less)| *is_less).map(|(field, _)| field)
    }

    /// The agents of a goal after the change.
    fn agents(&self, goal: &Id) -> impl Iterator<Item = &'c Id> {
        let goals = self.case.after.workspace.entries.iter().filter_map(|entry| match &entry.record {
            Some(Record::Goal(goal)) => Some(goal),
            _ => None,
        });
        goals.filter(move |it| it.goal_id == *goal).flat_map(|goal| goal.agents.keys())
    }

    fn todo(&self, judged: &'c JudgedDirectory, goal: &Id, todo: &Id) -> Option<&'c Todo> {
        let is_base = std::ptr::eq(judged, &raw const self.case.before);
        if is_base && self.gone.contains(&format!("goals/{goal}/todos/{todo}.yaml")) {
            return None;
        }
        let number = judged.workspace.index.goals.get(goal.as_str())?.find(Kind::Todo, todo.as_str())?;
        match &judged.workspace.entries[number].record {
            Some(Record::Todo(todo)) => Some(todo),
            _ => None,
        }
    }

    /// Whether a todo was done in the base, or an agent could come to finish it: nothing closed holds it up there, and
    /// so on for what comes before it.
    fn may_be_done(&self, goal: &Id, todo: &Id, gates: &BTreeMap<Id, GateStanding>, depth: usize) -> bool {
        let Some(base) = self.todo(&self.case.before, goal, todo) else {
            return self.todo(&self.case.after, goal, todo).is_some_and(|new| !new.task_class.is_user());
        };
        base.status == TodoStatus::Done
            || depth < 9
                && !base.task_class.is_user()
                && base.status == TodoStatus::Open
                && self.closed_gates(goal, todo, gates).is_empty()
                && base.after.iter().all(|first| self.may_be_done(goal, first, gates, depth + 1))
    }

    /// The gates of the base that hold a todo up.
    fn closed_gates(&self, goal: &Id, todo: &Id, gates: &BTreeMap<Id, GateStanding>) -> Vec<&'c Gate> {
        let index = &self.case.before.workspace.index;
        let all = index.goals.get(goal.as_str()).into_iter().flat_map(|goal| goal.of(Kind::Gate));
        let records = all.filter_map(|(_, number)| match &self.case.before.workspace.entries[number].record {
            Some(Record::Gate(gate)) => Some(gate),
            _ => None,
        });
        let is_known = self.todo(&self.case.before, goal, todo).is_some();
        let blocks = |gate: &&Gate| gate.blocks.is_goal() || is_known && gate.blocks.todos().contains(todo);
        let is_closed = |gate: &&Gate| {
            use GateStanding as S;
            matches!(gates.get(&gate.gate_id), Some(S::Requested | S::Deferred | S::Rejected | S::Expired))
        };
        records.filter(blocks).filter(is_closed).collect()
    }

    /// What is permitted and was not.
    fn widened(&self) -> Vec<&Permit> {
        self.after.permits.iter().filter(|permit| !self.is_fine(permit)).collect()
    }

    fn is_fine(&self, permit: &Permit) -> bool {
        let is_known = self.todo(&self.case.before, &permit.goal_id, &permit.todo_id).is_some();
        let same = |known: &&Permit| is_known && known.goal_id == permit.goal_id && known.todo_id == permit.todo_id;
        let is_limited = |known: &Permit| {
            let writes = permit.write_scope.iter().all(|glob| glob.is_within(&known.write_scope));
            let slots =
                |permit: &Permit| permit.quota.as_ref().map_or(u64::MAX, |quota| quota.allowed_slots_in_window());
            writes
                && slots(permit) <= slots(known)
                && permit.stop_condition == known.stop_condition
                && permit.validation_command == known.validation_command
                && permit.agents.iter().all(|(agent, scope)| known.agents.get(agent) == Some(scope))
        };
        if let Some(known) = self.before.permits.iter().find(same) {
            let is_own = known.agents.keys().any(|agent| agent == AGENT);
            let ends_later = known.ends.is_some() && permit.ends.is_none_or(|end| Some(end) > known.ends);
            // Its own handoff accepted, or its own claim released.
            return is_limited(known) && !ends_later
                || is_own && is_limited(&Permit { agents: permit.agents.clone(), ..known.clone() });
        }
        let no_gates = BTreeMap::new();
        let gates = self.gates.get(&permit.goal_id).unwrap_or(&no_gates);
        let of_goal = self.case.before.workspace.index.goals.get(permit.goal_id.as_str()).and_then(|goal| goal.goal);
        let Some(Record::Goal(goal)) =
            of_goal.and_then(|number| self.case.before.workspace.entries[number].record.as_ref())
        else {
            return false;
        };
        let known = Permit {
            agents: goal.agents.clone(),
            write_scope: goal.boundary.write_scope.clone(),
            quota: goal.quota.clone(),
            validation_command: goal.validation_command.clone(),
            // A handoff may have a stop condition of its own.
            stop_condition: permit.stop_condition.clone(),
            ..permit.clone()
        };
        let is_active = goal.status == GoalStatus::Active;
        is_limited(&known)
            && is_active
            && self.closed_gates(&permit.goal_id, &permit.todo_id, gates).is_empty()
            && self.may_be_done(&permit.goal_id, &permit.todo_id, gates, 0)
    }

    /// What is done although a gate that was closed holds it up.
    fn finished(&self) -> Vec<Id> {
        let all = self.case.before.workspace.entries.iter().filter_map(|entry| match &entry.record {
            Some(Record::Todo(todo)) => Some(todo),
            _ => None,
        });
        let is_done = |todo: &&Todo| {
            if self.todo(&self.case.before, &todo.goal_id, &todo.todo_id).is_none() {
                return false;
            }
            let now = self.todo(&self.case.after, &todo.goal_id, &todo.todo_id);
            todo.status != TodoStatus::Done && now.is_some_and(|now| now.status == TodoStatus::Done)
        };
        let is_held =
            |todo: &&Todo| !self.closed_gates(&todo.goal_id, &todo.todo_id, &self.gates[&todo.goal_id]).is_empty();
        all.filter(is_done).filter(is_held).map(|todo| todo.todo_id.clone()).collect()
    }

    /// What waited for a person and does not any more.
    fn ended(&self) -> Vec<&GoalDocumentKey> {
        let waits = |key: &&GoalDocumentKey| self.after.waits.contains(*key) || self.after.unusable.contains(*key);
        self.before.waits.iter().filter(|key| !waits(key)).collect()
    }
}
