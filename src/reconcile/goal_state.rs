//! One goal at one instant: where its gates and handoffs stand, and which todos are runnable (semantics.md 1).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::gates::{GateReading, is_done};
use super::goal_context::GoalContext;
use super::handoffs::{HandoffReading, Need};
use super::quota::QuotaReading;
use crate::vocabulary::{Gate, Handoff, Instant, Record, TaskClass, Todo, TodoStatus};

/// One goal at one instant.
#[derive(Debug)]
pub(super) struct GoalState<'c, 'a> {
    pub(super) context: &'c GoalContext<'a>,
    pub(super) as_of: Instant,
    /// The todos as they count: one that is done here only, behind a closed gate or an unfinished todo, is open.
    pub(super) todos: Cow<'a, BTreeMap<&'a str, &'a Todo>>,
    pub(super) gates: BTreeMap<&'a str, GateReading>,
    pub(super) handoffs: BTreeMap<&'a str, HandoffReading>,
    pub(super) quota: Option<QuotaReading>,
    /// Todos that would be runnable if every gate were open.
    pub(super) ready: BTreeSet<&'a str>,
}

impl<'c, 'a> GoalState<'c, 'a> {
    pub(super) fn new(context: &'c GoalContext<'a>, as_of: Instant) -> Self {
        let todos = todos(context, as_of);
        let gates = context.documents.gates.iter().map(|(id, gate)| {
            let records = context.gates[id];
            (*id, records.read(gate, &todos, as_of))
        });
        let gates: BTreeMap<_, _> = gates.collect();
        let handoffs = context.documents.handoffs.iter().map(|(id, handoff)| {
            let gate = handoff.gate_id.as_ref().and_then(|gate| gates.get(gate.as_str())).copied();
            (*id, context.handoffs[id].read(handoff, gate, as_of))
        });
        let handoffs = handoffs.collect();
        let quota = quota(context, as_of);
        let mut state = Self { context, as_of, todos, gates, handoffs, quota, ready: BTreeSet::new() };
        if context.workable().is_some() {
            let ready = state.todos.iter().filter(|(_, todo)| state.is_ready(todo));
            state.ready = ready.map(|(id, _)| *id).collect();
        }
        state
    }

    /// Whether nothing but a gate keeps a todo from running, be it one that blocks it or one that its handoff names.
    pub(super) fn is_ready(&self, todo: &Todo) -> bool {
        let is_held = self.context.documents.effective.is_some_and(|it| it.held.contains(todo.todo_id.as_str()));
        !is_held && self.is_ready_for_its_agent(todo)
    }

    /// The same, whichever agent the versions of the todo name.
    pub(super) fn is_ready_for_its_agent(&self, todo: &Todo) -> bool {
        let waits_for_a_gate = |handoff: &Handoff, reading: HandoffReading| {
            handoff.gate_id.is_some() && reading.needs == Some(Need::Approval)
        };
        todo.status == TodoStatus::Open
            && !todo.task_class.is_user()
            && self.is_due(todo)
            && !self.is_over(todo)
            && !self.waits_for_another(todo)
            && self.closed_handoffs_of(todo).all(|(handoff, reading)| waits_for_a_gate(handoff, reading))
    }

    /// The handoffs of a todo that may not start it.
    fn closed_handoffs_of(&self, todo: &Todo) -> impl Iterator<Item = (&'a Handoff, HandoffReading)> {
        let handoffs = self.context.handoffs_of(todo.todo_id.as_str()).iter();
        let readings = handoffs.map(|handoff| (*handoff, self.handoff(handoff.handoff_id.as_str())));
        readings.filter(|(_, reading)| reading.is_closed())
    }

    /// Whether a todo is ready and no closed gate or handoff holds it up.
    pub(super) fn is_runnable(&self, todo: &Todo) -> bool {
        let id = todo.todo_id.as_str();
        let is_closed = |gate: &Gate| self.gate(gate.gate_id.as_str()).closed.is_some();
        let is_held = self.context.gates_of(id).any(is_closed) || self.closed_handoffs_of(todo).next().is_some();
        self.ready.contains(id) && !is_held
    }

    /// Whether an agent may say that a todo is done: what has to come first is done, and no closed gate or handoff holds
    /// it up. Whether a monitor is due, and what a todo that is over was for, does not matter.
    pub(super) fn may_be_finished(&self, todo: &Todo) -> bool {
        let id = todo.todo_id.as_str();
        let is_closed = |gate: &Gate| self.gate(gate.gate_id.as_str()).closed.is_some();
        self.context.workable().is_some()
            && todo.status == TodoStatus::Open
            && !todo.task_class.is_user()
            && todo.after.iter().all(|id| is_done(&self.context.documents.todos, id.as_str()))
            && !self.context.gates_of(id).any(is_closed)
            && self.closed_handoffs_of(todo).next().is_none()
    }

    /// Whether a todo is no monitor, or a due one; one that was never scheduled is due.
    pub(super) fn is_due(&self, todo: &Todo) -> bool {
        todo.task_class != TaskClass::ContinuousMonitor || todo.next_due_at.is_none_or(|due| self.as_of >= due)
    }

    /// Whether a todo is not worth doing any more.
    pub(super) fn is_over(&self, todo: &Todo) -> bool {
        todo.expires_at.is_some_and(|expires_at| self.as_of >= expires_at)
    }

    /// Whether a todo waits for another one, or for something that no document settles.
    fn waits_for_another(&self, todo: &Todo) -> bool {
        let todos = &*self.todos;
        let resumes = |resume: &crate::vocabulary::ResumeWhen| resume.todo().is_some_and(|id| is_done(todos, id));
        !todo.after.iter().all(|id| is_done(todos, id.as_str())) || !todo.resume_when.as_ref().is_none_or(resumes)
    }

    /// The reading of a gate of this goal.
    pub(super) fn gate(&self, gate_id: &str) -> GateReading {
        self.gates[gate_id]
    }

    /// The reading of a handoff of this goal.
    pub(super) fn handoff(&self, handoff_id: &str) -> HandoffReading {
        self.handoffs[handoff_id]
    }
}

/// The todos as they count. What is done here and not at the authority ref counts unless a gate or another todo was in
/// the way; that in turn may be in the way of others.
fn todos<'a>(context: &GoalContext<'a>, as_of: Instant) -> Cow<'a, BTreeMap<&'a str, &'a Todo>> {
    let all = &context.documents.todos;
    let Some(effective) = context.documents.effective.filter(|it| !it.reopened.is_empty()) else {
        return Cow::Borrowed(all);
    };
    let mut todos = all.clone();
    loop {
        let is_closed = |todo: &Todo| {
            let id = todo.todo_id.as_str();
            let mut gates = context.gates_of(id);
            gates.any(|gate| context.gates[gate.gate_id.as_str()].read(gate, &todos, as_of).closed.is_some())
                || !todo.after.iter().all(|first| is_done(&todos, first.as_str()))
        };
        let counted = effective.reopened.iter().filter(|(id, _)| is_done(&todos, id));
        let closed = counted.filter_map(|(id, open)| match open {
            Record::Todo(open) if is_closed(open) => Some((&**id, open)),
            _ => None,
        });
        let closed: Vec<(&str, &Todo)> = closed.collect();
        if closed.is_empty() {
            return Cow::Owned(todos);
        }
        todos.extend(closed);
    }
}

/// What is left of the quota; of two versions the one that has less left.
fn quota(context: &GoalContext<'_>, as_of: Instant) -> Option<QuotaReading> {
    let own = context.goal().and_then(|goal| goal.quota.as_ref());
    let theirs = context.documents.effective.and_then(|effective| effective.quota.as_ref());
    let reading = |quota| QuotaReading::new(quota, context.ledger, as_of);
    let readings: Vec<QuotaReading> = own.into_iter().chain(theirs).map(reading).collect();
    // Whichever has less left, either may turn first.
    let turns_at = readings.iter().filter_map(|reading| reading.turns_at).min();
    let least = readings.into_iter().min_by_key(QuotaReading::left)?;
    Some(QuotaReading { turns_at, ..least })
}
