//! The todos of each agent, summed up once: what it can run, what holds it up, what it only waits for.

use std::collections::BTreeMap;

use super::goal_state::GoalState;
use crate::vocabulary::{TaskClass, Todo, TodoStatus};

/// The open agent todos of one agent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Work<'a> {
    /// The first runnable one, by priority and id.
    pub(super) runnable: Option<&'a Todo>,
    /// The first one that something holds up.
    held: Option<&'a Todo>,
    /// The first one that waits for a pull request.
    awaited: Option<&'a Todo>,
    unfinished: usize,
    waiting_for_pull_request: usize,
    open: usize,
    quiet_monitors: usize,
}

/// The todos of each agent, summed up.
pub(super) type WorkByAgent<'a> = BTreeMap<Option<&'a str>, Work<'a>>;

/// Sums the todos of every agent up. Those of nobody in particular stand under `None`.
pub(super) fn by_agent<'a>(state: &GoalState<'_, 'a>) -> WorkByAgent<'a> {
    let mut work = WorkByAgent::new();
    for todo in state.todos.values().copied() {
        if todo.status != TodoStatus::Done && !todo.task_class.is_user() && !state.is_over(todo) {
            work.entry(state.context.agent_of(todo)).or_default().add(state, todo);
        }
    }
    work
}

impl<'a> Work<'a> {
    fn add(&mut self, state: &GoalState<'_, 'a>, todo: &'a Todo) {
        let is_due = state.is_due(todo);
        let is_open = todo.status == TodoStatus::Open;
        self.unfinished += 1;
        self.open += usize::from(is_open);
        self.quiet_monitors += usize::from(is_open && todo.task_class == TaskClass::ContinuousMonitor && !is_due);
        let awaits = todo.resume_when.as_ref().is_some_and(|resume| resume.is_pull_request());
        self.waiting_for_pull_request += usize::from(awaits);
        self.awaited = first(self.awaited, Some(todo).filter(|_| awaits));
        if state.is_runnable(todo) {
            self.runnable = first(self.runnable, Some(todo));
        } else if is_due && todo.status != TodoStatus::Deferred {
            self.held = first(self.held, Some(todo));
        }
    }

    /// This and what is nobody's in particular.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            runnable: first(self.runnable, other.runnable),
            held: first(self.held, other.held),
            awaited: first(self.awaited, other.awaited),
            unfinished: self.unfinished + other.unfinished,
            waiting_for_pull_request: self.waiting_for_pull_request + other.waiting_for_pull_request,
            open: self.open + other.open,
            quiet_monitors: self.quiet_monitors + other.quiet_monitors,
        }
    }

    /// The todo that a screen points at: the first runnable one, else the first that is held up or waited for.
    pub(super) fn selected(&self) -> Option<&'a Todo> {
        self.runnable.or(self.held).or(self.awaited)
    }

    /// The first todo that waits for a pull request, when nothing else is left to do.
    pub(super) fn only_awaits(&self) -> Option<&'a Todo> {
        self.awaited.filter(|_| self.waiting_for_pull_request == self.unfinished)
    }

    /// Whether only monitors are open and none is due.
    pub(super) fn is_quiet(&self) -> bool {
        self.open > 0 && self.quiet_monitors == self.open
    }
}

/// The first by priority, then id.
fn first<'a>(one: Option<&'a Todo>, other: Option<&'a Todo>) -> Option<&'a Todo> {
    one.into_iter().chain(other).min_by_key(|todo| (todo.priority, &todo.todo_id))
}
