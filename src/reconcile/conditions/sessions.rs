//! Conditions of sessions: bound without facts, silent, in the wrong mode, with two executors or an open turn.

use super::{Concern, FoundCondition};
use crate::reconcile::goal_state::GoalState;
use crate::reconcile::sessions::{START_LIMIT, Session};
use crate::vocabulary::{ClosedWords as _, EventKind, EventStatus, HostSurface, Reason};

/// How a binding gives way to a new one of its agent.
const REPLACE: &str = "loopx session replace {0}";

/// Finds the conditions of every live session.
pub(in crate::reconcile) fn find<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let context = state.context;
    let live: Vec<&Session<'a>> = context.sessions.iter().filter(|session| session.is_live()).collect();
    let mut all = Vec::new();
    for session in &live {
        let owner = context.owner_of_session(session);
        let about = |reason| FoundCondition::new(reason, owner, session.id()).concerns(Concern::only(session.agent()));
        if session.reports.is_empty() && session.unusable.is_empty() && !context.world.facts_absent {
            all.push(about(Reason::MissingRuntimeFact));
        }
        if let Some(stale_at) = session.stale_at(&context.world.settings.stale_after).filter(|at| state.as_of >= *at) {
            all.push(about(Reason::StaleFact).since(stale_at));
        }
        if let Some(facts) = session.mismatch() {
            let surface = HostSurface::ALL.iter().find(|surface| surface.row().0 == facts.runtime_id);
            let command = surface.map(|surface| format!("{REPLACE} --surface {surface} --reason \"...\""));
            all.push(about(Reason::ModeMismatch).since(facts.updated_at).by_command(command));
        }
        all.extend(of_events(state, session).map(|(reason, event)| {
            let found = about(reason).and(event.event_id.as_str()).since(event.at);
            let is_second = reason == Reason::SecondExecutor;
            found.by_command(is_second.then(|| format!("{REPLACE} --reason \"...\"")))
        }));
    }
    for of_agent in live.chunk_by(|one, other| one.agent() == other.agent()).filter(|sessions| sessions.len() > 1) {
        let first = of_agent[0];
        let found = FoundCondition::new(Reason::SecondExecutor, context.owner_of_session(first), first.id());
        let found = of_agent[1..].iter().fold(found, |found, session| found.and(session.id()));
        all.push(found.concerns(Concern::only(first.agent())));
    }
    all
}

/// What the newest events of a session mean.
fn of_events<'a>(
    state: &GoalState<'_, 'a>,
    session: &Session<'a>,
) -> impl Iterator<Item = (Reason, &'a crate::vocabulary::EventFact)> {
    let as_of = state.as_of;
    let newest = [EventKind::Turn, EventKind::Executor, EventKind::Delivery].map(|kind| session.newest_event(kind));
    newest.into_iter().flatten().filter_map(move |event| {
        let reason = match (event.kind, event.status) {
            (EventKind::Turn, EventStatus::Unresolved) => Reason::TurnUnresolved,
            (EventKind::Turn, EventStatus::Claimed) if as_of >= event.at.after(START_LIMIT) => {
                Reason::ClaimedNotStarted
            }
            (EventKind::Executor, EventStatus::Refused) => Reason::SecondExecutor,
            (EventKind::Delivery, EventStatus::Refused) => Reason::CapabilityUnavailable,
            _ => return None,
        };
        Some((reason, event))
    })
}
