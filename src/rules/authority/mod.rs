//! Authority: who may decide, and how far a decision reaches.

pub(super) mod accepted_by_another;
pub(super) mod agent_decides;
mod disguised_agent;
mod outside_goal;
mod outside_repository;
pub(super) mod self_decision;
mod unknown_owner;
pub(super) mod wrong_class;

use super::{Check, Rule, Subject};
use crate::finding::{Anchor, Finding};
use crate::vocabulary::{ActorClass, Goal, Kind, Record};

pub(super) const RULES: &[Rule] = &[
    accepted_by_another::RULE,
    agent_decides::RULE,
    disguised_agent::RULE,
    outside_goal::RULE,
    outside_repository::RULE,
    self_decision::RULE,
    unknown_owner::RULE,
    wrong_class::RULE,
];

/// The kinds whose documents carry acts of people.
const DECIDED: &[Kind] = &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal];

/// An act of a person, as it is claimed.
#[derive(Debug, Clone, Copy)]
struct Claim<'a> {
    /// The field of the act.
    act: &'static str,
    /// Who.
    by: &'a str,
    /// The class of who.
    class: ActorClass,
}

/// The acts of a document that only people do.
fn claims(record: &Record) -> Vec<Claim<'_>> {
    macro_rules! claim {
        ($act:literal, $field:expr) => {
            $field.as_ref().map(|act| Claim { act: $act, by: act.by.as_str(), class: act.actor_class })
        };
    }
    let claims = match record {
        Record::Gate(gate) => [claim!("decision", gate.decision), claim!("withdrawn", gate.withdrawn)],
        Record::Handoff(handoff) => [claim!("approved", handoff.approved), claim!("withdrawn", handoff.withdrawn)],
        Record::Reward(reward) => [claim!("given", Some(&reward.given)), None],
        Record::Proposal(proposal) => [claim!("decision", proposal.decision), None],
        _ => [None, None],
    };
    claims.into_iter().flatten().filter(|claim| claim.class.is_person()).collect()
}

/// Whether the goal or the policies know a name as an agent's or a host's.
fn is_agent(it: &Subject<'_>, name: &str) -> bool {
    let listed = goal_of(it).is_some_and(|(_, goal)| goal.agents.contains_key(name));
    let known = it.scene.workspace.policies.actors.get(name);
    listed || known.is_some_and(|actor| !actor.class.is_person())
}

/// The readable goal of a document, and the number of its file.
fn goal_of<'a>(it: &Subject<'a>) -> Option<(usize, &'a Goal)> {
    let number = it.scene.goal(it.record.goal_id()?)?.goal?;
    match &it.scene.workspace.entries[number].record {
        Some(Record::Goal(goal)) => Some((number, goal)),
        _ => None,
    }
}
