//! How long a verdict holds: until the first instant at which staleness, expiry or a due date changes it, or at which a
//! document is refused that an exception excused.

use std::collections::{BTreeMap, BTreeSet};

use super::conditions::FoundCondition;
use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::sessions::START_LIMIT;
use super::verdict::{Verdict, judge};
use crate::vocabulary::{EventKind, EventStatus, Instant, Record, TodoStatus};

/// How many instants are looked at. Where none of them changes a verdict and there are more, it is looked at again at
/// the first of all: too early, never too late, and the same instant whenever it is asked for before then.
const LOOKS: usize = 16;

/// Until when the parts of a verdict hold; no instant is for ever.
#[derive(Debug, Default)]
pub(super) struct Until<'a> {
    /// The conditions, what becomes of writebacks, and whom the goal waits for.
    pub(super) conditions: Option<Instant>,
    /// The screen of each agent whose screen changes by itself.
    pub(super) screens: BTreeMap<&'a str, Instant>,
}

impl<'a> Until<'a> {
    /// Looks ahead from a verdict.
    pub(super) fn new(state: &GoalState<'_, 'a>, workspace: &[FoundCondition<'a>], now: &Verdict<'a>) -> Self {
        let context = state.context;
        let mut until = Self::default();
        let mut open: BTreeSet<&'a str> = now.screens.keys().copied().collect();
        let instants = instants(state);
        let end = context.usable_until();
        let instants: Vec<Instant> = instants.into_iter().take_while(|at| end.is_none_or(|end| *at < end)).collect();
        for (looks, instant) in instants.iter().copied().enumerate() {
            if open.is_empty() && until.conditions.is_some() {
                break;
            }
            let then = (looks < LOOKS).then(|| judge(context, workspace, instant));
            let instant = if then.is_some() { instant } else { instants.first().copied().unwrap_or(instant) };
            let changes =
                |agent: &&'a str| then.as_ref().is_none_or(|then| then.screens[*agent] != now.screens[*agent]);
            let changed: Vec<&'a str> = open.iter().filter(|agent| changes(agent)).copied().collect();
            for agent in changed {
                open.remove(agent);
                until.screens.insert(agent, instant);
            }
            let is_other = |then: Verdict<'_>| {
                then.found != now.found || then.writebacks != now.writebacks || then.waiting_on != now.waiting_on
            };
            if then.is_none_or(is_other) {
                until.conditions.get_or_insert(instant);
            }
        }
        // Nobody can look behind the end of the case.
        if let Some(end) = end {
            until.screens.extend(open.into_iter().map(|agent| (agent, end)));
            until.conditions.get_or_insert(end);
        }
        until
    }
}

/// Every later instant that a document or a fact names, in order.
fn instants(state: &GoalState<'_, '_>) -> BTreeSet<Instant> {
    let context = state.context;
    let documents = context.documents;
    let gates = documents.gates.values();
    let gates =
        gates.flat_map(|gate| gate.expires_at.into_iter().chain(gate.decision.as_ref().and_then(|act| act.until)));
    let handoffs = documents.handoffs.values().filter(|it| it.withdrawn.is_none()).map(|handoff| handoff.expires_at);
    let here = documents.effective.into_iter().flat_map(|effective| effective.todos_here.values());
    let here = here.filter_map(|record| match record {
        Record::Todo(todo) => Some(todo),
        _ => None,
    });
    let todos = documents.todos.values().copied().chain(here).filter(|todo| todo.status != TodoStatus::Done);
    let todos = todos.flat_map(|todo| todo.next_due_at.into_iter().chain(todo.expires_at));
    let quota = state.quota.and_then(|quota| quota.turns_at);
    let all = gates.chain(handoffs).chain(todos).chain(sessions(context)).chain(quota);
    all.filter(|instant| *instant > state.as_of).collect()
}

fn sessions(context: &GoalContext<'_>) -> impl Iterator<Item = Instant> {
    let limits = &context.world.settings.stale_after;
    context.sessions.iter().filter(|session| session.is_live()).flat_map(move |session| {
        let claimed = session.newest_event(EventKind::Turn).filter(|event| event.status == EventStatus::Claimed);
        session.stale_at(limits).into_iter().chain(claimed.map(|event| event.at.after(START_LIMIT)))
    })
}
