//! Conditions of documents and receipts that may not be used as they stand.

use std::collections::BTreeMap;

use super::case::Case;
use super::conditions::{Concern, Found, Owner, Reach};
use super::index::Index;
use super::world::{Fault, Trouble, World};
use crate::vocabulary::{ActorClass, Kind, Reason, WaitingOn};

/// The rule that a goal's folder without `goal.yaml` breaks.
const NO_GOAL: &str = "path/no-goal";

/// What blocks every goal.
pub(super) fn of_workspace<'a>(world: &'a World<'a>, index: &Index<'a>) -> Vec<Found<'a>> {
    let owner = index.actor(ActorClass::Controller);
    let found = each_once(&world.troubles).map(|trouble| of_trouble(trouble, owner));
    found.map(|found| found.reach(Reach::Workspace).concerns(Concern::All)).collect()
}

/// Sessions that hosts report and no binding names.
pub(super) fn of_unbound_sessions<'a>(index: &Index<'a>) -> Vec<Found<'a>> {
    let owner = index.actor(ActorClass::Controller);
    let mut all = Vec::new();
    for (session, facts, troubles) in index.unbound() {
        if let Some(facts) = facts {
            all.push(Found::new(Reason::UnboundSession, owner, session).since(facts.updated_at));
        }
        all.extend(each_once(troubles.iter().copied()).map(|trouble| of_facts(trouble, owner).reach(Reach::Listed)));
    }
    all
}

/// Documents and receipts of one goal.
pub(super) fn of_goal<'a>(case: &Case<'a>) -> Vec<Found<'a>> {
    let owner = case.owner();
    let mut all: Vec<_> = each_once(&case.documents.troubles).map(|trouble| of_trouble(trouble, owner)).collect();
    let is_explained = case.documents.troubles.iter().any(|trouble| trouble.kind == Some(Kind::Goal));
    if case.goal().is_none() && !is_explained {
        let path = format!("goals/{}/goal.yaml", case.goal_id);
        all.push(Found::new(Reason::DocumentInvalid, owner, path).and(NO_GOAL));
    }
    if case.active().is_some() {
        let receipts = case.unreadable_receipts.iter();
        all.extend(receipts.map(|run| Found::new(Reason::ConflictingDecisions, owner, *run).reach(Reach::Goal)));
    }
    for found in &mut all {
        found.agents = Concern::All;
    }
    for session in case.sessions.iter().filter(|session| session.is_live()) {
        let owner = case.owner_of_session(session);
        let troubles = each_once(session.troubles.iter().copied());
        all.extend(troubles.map(|trouble| of_facts(trouble, owner).concerns(Concern::only(session.agent()))));
    }
    all
}

/// A document, however many rules it breaks, is one cause for each thing that is wrong with it.
fn each_once<'a>(troubles: impl IntoIterator<Item = &'a Trouble>) -> impl Iterator<Item = &'a Trouble> {
    let mut first: BTreeMap<(&str, Fault), &Trouble> = BTreeMap::new();
    for trouble in troubles {
        let kept = first.entry((&trouble.path, trouble.fault)).or_insert(trouble);
        *kept = trouble.min(kept);
    }
    first.into_values()
}

fn of_trouble<'a>(trouble: &'a Trouble, owner: Owner<'a>) -> Found<'a> {
    let reason = match trouble.fault {
        Fault::Unreadable => Reason::DocumentInvalid,
        Fault::Refused => Reason::UnsafeMaterial,
    };
    Found::new(reason, owner, &*trouble.path).and(trouble.rule)
}

/// Facts close one agent's screen; what a host reported and must not have is the host's to take back.
fn of_facts<'a>(trouble: &'a Trouble, owner: Owner<'a>) -> Found<'a> {
    let found = of_trouble(trouble, owner).reach(Reach::Agent);
    match trouble.fault {
        Fault::Unreadable => found,
        Fault::Refused => Found { waiting_on: WaitingOn::Runtime, ..found },
    }
}
