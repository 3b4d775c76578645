//! Conditions of documents and receipts that may not be used as they stand.

use std::collections::BTreeMap;

use super::{Concern, ConditionOwner, ConditionScope, FoundCondition};
use crate::reconcile::goal_context::GoalContext;
use crate::reconcile::index::WorldIndex;
use crate::reconcile::world::{DocumentFault, UnusableDocument, World};
use crate::vocabulary::{ActorClass, ClosedWords as _, HostSurface, Kind, Reason, WaitingOn};

/// The rule that a goal's folder without `goal.yaml` breaks.
const NO_GOAL: &str = "path/no-goal";

/// What blocks every goal.
pub(in crate::reconcile) fn of_workspace<'a>(world: &'a World<'a>, index: &WorldIndex<'a>) -> Vec<FoundCondition<'a>> {
    let owner = index.actor(ActorClass::Controller);
    let found = each_once(&world.unusable).map(|document| of_trouble(document, owner));
    found.map(|found| found.reach(ConditionScope::Workspace).concerns(Concern::All)).collect()
}

/// Sessions that hosts report and no binding names.
pub(in crate::reconcile) fn of_unbound_sessions<'a>(index: &WorldIndex<'a>) -> Vec<FoundCondition<'a>> {
    let owner = index.actor(ActorClass::Controller);
    let mut all = Vec::new();
    for (session, facts, unusable) in index.unbound() {
        if let Some(facts) = facts {
            let surface = HostSurface::ALL.iter().find(|surface| surface.row().0 == facts.runtime_id);
            let form = surface.map_or_else(|| "--managed".to_owned(), |surface| format!("--surface {surface}"));
            let command = format!("loopx session bind GOAL AGENT {form} --id {{0}}");
            let found = FoundCondition::new(Reason::UnboundSession, owner, session).since(facts.updated_at);
            all.push(found.by_command(Some(command)));
        }
        all.extend(
            each_once(unusable.iter().copied()).map(|document| of_facts(document, owner).reach(ConditionScope::Listed)),
        );
    }
    all
}

/// Documents and receipts of one goal.
pub(in crate::reconcile) fn of_goal<'a>(context: &GoalContext<'a>) -> Vec<FoundCondition<'a>> {
    let owner = context.owner();
    let mut all: Vec<_> = each_once(&context.documents.unusable).map(|document| of_trouble(document, owner)).collect();
    let is_explained = context.documents.unusable.iter().any(|document| document.kind == Some(Kind::Goal));
    if context.goal().is_none() && !is_explained {
        let path = format!("goals/{}/goal.yaml", context.goal_id);
        all.push(FoundCondition::new(Reason::DocumentInvalid, owner, path).and(NO_GOAL));
    }
    if context.active().is_some() {
        let receipts = context.unreadable_receipts.iter();
        all.extend(
            receipts
                .map(|run| FoundCondition::new(Reason::ConflictingDecisions, owner, *run).reach(ConditionScope::Goal)),
        );
    }
    for found in &mut all {
        found.agents = Concern::All;
    }
    for session in context.sessions.iter().filter(|session| session.is_live()) {
        let owner = context.owner_of_session(session);
        let unusable = each_once(session.unusable.iter().copied());
        all.extend(unusable.map(|document| of_facts(document, owner).concerns(Concern::only(session.agent()))));
    }
    all
}

/// A document, however many rules it breaks, is one cause for each thing that is wrong with it.
fn each_once<'a>(
    unusable: impl IntoIterator<Item = &'a UnusableDocument>,
) -> impl Iterator<Item = &'a UnusableDocument> {
    let mut first: BTreeMap<(&str, DocumentFault), &UnusableDocument> = BTreeMap::new();
    for document in unusable {
        let kept = first.entry((&document.path, document.fault)).or_insert(document);
        *kept = document.min(kept);
    }
    first.into_values()
}

fn of_trouble<'a>(document: &'a UnusableDocument, owner: ConditionOwner<'a>) -> FoundCondition<'a> {
    let reason = match document.fault {
        DocumentFault::Unreadable => Reason::DocumentInvalid,
        DocumentFault::Refused => Reason::UnsafeMaterial,
    };
    FoundCondition::new(reason, owner, &*document.path).and(document.rule)
}

/// Facts close one agent's screen; what a host reported and must not have is the host's to take back.
fn of_facts<'a>(document: &'a UnusableDocument, owner: ConditionOwner<'a>) -> FoundCondition<'a> {
    let found = of_trouble(document, owner).reach(ConditionScope::Agent);
    match document.fault {
        DocumentFault::Unreadable => found,
        DocumentFault::Refused => FoundCondition { waiting_on: WaitingOn::Runtime, ..found },
    }
}
