//! The one table of what opens: how each field of a document is taken where the version here and the one at the
//! authority ref differ. The effective tree keeps what either closes; `review` calls wider what would open.

use crate::vocabulary::{Glob, Goal, GoalStatus, Handoff, Instant, Quota, TaskClass, Todo, TodoStatus};

/// How a field is taken where two versions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// As the authority ref has it.
    Reference,
    /// What stands in either.
    Union,
    /// What stands in both.
    Intersection,
    /// The one that permits less.
    Smaller,
}

impl Taken {
    /// Its word in the reference.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reference => "the authority ref's",
            Self::Union => "what stands in either",
            Self::Intersection => "what stands in both",
            Self::Smaller => "the one that permits less",
        }
    }
}

/// One field that opens or closes something.
pub struct FieldRow<R> {
    /// The field, as a dotted route.
    pub field: &'static str,
    /// How it is taken where two versions differ.
    pub taken: Taken,
    /// What a version opens that says more than the other one.
    pub opens: &'static str,
    /// Takes from the version of the authority ref what closes; tells whether the version here would open more.
    pub close: fn(&mut R, &R) -> bool,
}

/// Says how a field is taken.
const fn row<R>(field: &'static str, taken: Taken, opens: &'static str, close: fn(&mut R, &R) -> bool) -> FieldRow<R> {
    FieldRow { field, taken, opens, close }
}

/// What opens in a goal.
pub const GOAL: &[FieldRow<Goal>] = &[
    row("boundary.write_scope", Taken::Intersection, "agents may also write elsewhere", |here, reference| {
        let (here, reference) = (&mut here.boundary.write_scope, &reference.boundary.write_scope);
        intersect(here, reference)
    }),
    row("boundary.read_scope", Taken::Intersection, "agents may also read elsewhere", |here, reference| {
        let (here, reference) = (&mut here.boundary.read_scope, &reference.boundary.read_scope);
        // No list states no limit, so an empty intersection must not become one.
        if reference.is_empty() {
            return false;
        }
        let opens = here.is_empty() || intersect(here, reference);
        if here.is_empty() {
            here.clone_from(reference);
        }
        opens
    }),
    row("agents", Taken::Intersection, "other agents may work on it, or do something else", |here, reference| {
        let before = here.agents.clone();
        here.agents.retain(|agent, _| reference.agents.contains_key(agent));
        for (agent, scope) in &mut here.agents {
            scope.clone_from(&reference.agents[agent]);
        }
        here.agents != before
    }),
    row("quota", Taken::Smaller, "more turns may be spent", |here, reference| {
        let opens = is_more(here.quota.as_ref(), reference.quota.as_ref());
        if opens {
            here.quota.clone_from(&reference.quota);
        }
        opens
    }),
    row("status", Taken::Intersection, "agents may work on it from now on", |here, reference| {
        let opens = here.status == GoalStatus::Active && reference.status != GoalStatus::Active;
        if opens {
            here.status = reference.status;
        }
        opens
    }),
    row("boundary.stop_condition", Taken::Reference, "agents stop at something else", |here, reference| {
        replace(&mut here.boundary.stop_condition, &reference.boundary.stop_condition)
    }),
    row("owner", Taken::Reference, "somebody else may decide every gate of it", |here, reference| {
        replace(&mut here.owner, &reference.owner)
    }),
    row("validation_command", Taken::Reference, "another command says whether it is reached", |here, reference| {
        replace(&mut here.validation_command, &reference.validation_command)
    }),
];

/// What opens in a todo; whose it is and what it waits for beside it is compared apart, since handoffs have a say.
pub const TODO: &[FieldRow<Todo>] = &[
    row("task_class", Taken::Reference, "agents may do what a person has to", |here, reference| {
        // A monitor runs when it is due and not before; any other agent's todo runs at once.
        let is_monitor =
            reference.task_class == TaskClass::ContinuousMonitor && here.task_class != reference.task_class;
        let opens = !here.task_class.is_user() && (reference.task_class.is_user() || is_monitor);
        if opens {
            here.task_class = reference.task_class;
        }
        opens
    }),
    row("status", Taken::Intersection, "it may be started, or counts as done", |here, reference| {
        let taken = status(here.task_class.is_user(), here.status, reference.status);
        let opens = taken != here.status;
        here.status = taken;
        opens
    }),
    row("after", Taken::Union, "it waits for less", |here, reference| {
        let missing: Vec<_> = reference.after.iter().filter(|todo| !here.after.contains(todo)).cloned().collect();
        here.after.extend_from_slice(&missing);
        !missing.is_empty()
    }),
    row("resume_when", Taken::Union, "it resumes at something else", |here, reference| {
        let opens = reference.resume_when.is_some() && here.resume_when != reference.resume_when;
        // Both have to be reached, and a todo names only one: it stays put until the versions agree.
        if opens && here.resume_when.is_some() && here.status == TodoStatus::Open {
            here.status = TodoStatus::Deferred;
        }
        if opens {
            here.resume_when.clone_from(&reference.resume_when);
        }
        opens
    }),
    row("next_due_at", Taken::Smaller, "it is due earlier", |here, reference| {
        let opens = here.next_due_at < reference.next_due_at;
        here.next_due_at = here.next_due_at.max(reference.next_due_at);
        opens
    }),
    row("expires_at", Taken::Smaller, "it is worth doing for longer", |here, reference| {
        sooner(&mut here.expires_at, reference.expires_at)
    }),
    row("watch_only", Taken::Union, "it may act, not only look", |here, reference| {
        let opens = reference.watch_only && !here.watch_only;
        here.watch_only |= reference.watch_only;
        opens
    }),
];

/// What opens in a handoff. What a person approved is what stands at the authority ref; acceptances count from here.
pub const HANDOFF: &[FieldRow<Handoff>] = &[
    row("to_agent", Taken::Reference, "another agent takes over", |here, reference| {
        replace(&mut here.to_agent, &reference.to_agent)
    }),
    row("from_agent", Taken::Reference, "another agent hands over", |here, reference| {
        replace(&mut here.from_agent, &reference.from_agent)
    }),
    row("todo_id", Taken::Reference, "another todo is handed over", |here, reference| {
        replace(&mut here.todo_id, &reference.todo_id)
    }),
    row("gate_id", Taken::Reference, "another gate approves it", |here, reference| {
        replace(&mut here.gate_id, &reference.gate_id)
    }),
    row("next_action", Taken::Reference, "something else is to be done", |here, reference| {
        replace(&mut here.next_action, &reference.next_action)
    }),
    row("stop_condition", Taken::Reference, "the agent stops at something else", |here, reference| {
        replace(&mut here.stop_condition, &reference.stop_condition)
    }),
    row("write_scope", Taken::Intersection, "its scope holds more", |here, reference| {
        // No list means what the goal allows.
        if reference.write_scope.is_empty() {
            return false;
        }
        let opens = here.write_scope.is_empty() || intersect(&mut here.write_scope, &reference.write_scope);
        if here.write_scope.is_empty() {
            here.write_scope.clone_from(&reference.write_scope);
        }
        opens
    }),
    row("expires_at", Taken::Smaller, "it can be accepted for longer", |here, reference| {
        let opens = here.expires_at > reference.expires_at;
        here.expires_at = here.expires_at.min(reference.expires_at);
        opens
    }),
    row("withdrawn", Taken::Reference, "its todo belongs to whoever had it before", |here, reference| {
        replace(&mut here.withdrawn, &reference.withdrawn)
    }),
];

/// Takes the other value; tells whether it is another one.
fn replace<T: PartialEq + Clone>(here: &mut T, reference: &T) -> bool {
    let opens = here != reference;
    if opens {
        here.clone_from(reference);
    }
    opens
}

/// Takes the sooner end, where no end is the latest; tells whether the one here comes later.
pub(super) fn sooner(here: &mut Option<Instant>, reference: Option<Instant>) -> bool {
    let opens = reference.is_some_and(|end| here.is_none_or(|own| own > end));
    if opens {
        *here = reference;
    }
    opens
}

/// Keeps of two scopes what surely lies in both; tells whether the one here holds more than the other one.
fn intersect(here: &mut Vec<Glob>, reference: &[Glob]) -> bool {
    let opens = here.iter().any(|glob| !glob.is_within(reference));
    if opens {
        let own: Vec<Glob> = here.iter().filter(|glob| glob.is_within(reference)).cloned().collect();
        let theirs = reference.iter().filter(|glob| glob.is_within(here) && !own.contains(glob)).cloned();
        *here = own.iter().cloned().chain(theirs).collect();
    }
    opens
}

/// Whether a quota allows more than another one; none allows everything.
fn is_more(here: Option<&Quota>, reference: Option<&Quota>) -> bool {
    let Some(reference) = reference else { return false };
    here.is_none_or(|here| here.allows_more_than(reference))
}

/// Where a todo stands that stands otherwise at the authority ref. A person's todo ends there and nowhere else. What is
/// done here counts where the authority ref lets it run; reconcile looks at its gates.
fn status(is_user: bool, here: TodoStatus, reference: TodoStatus) -> TodoStatus {
    use TodoStatus::{Blocked, Deferred, Done, Open};
    match (here, reference) {
        (_, Open) if is_user => Open,
        (Open, Done) if is_user => Open,
        (Done, Blocked | Deferred) | (Open, Blocked | Deferred) => reference,
        (Open, Done) => Blocked,
        _ => here,
    }
}
