//! Authority: who may decide, and how far a decision reaches.

pub(super) mod accepted_by_another;
pub(super) mod agent_decides;
mod disguised_agent;
mod outside_goal;
mod outside_repository;
pub(super) mod self_decision;
mod unknown_owner;
pub(super) mod wrong_class;

use super::{DocumentContext, Rule, RuleCheck};
use crate::finding::{Anchor, Finding};
use crate::vocabulary::acts::stated_acts;
use crate::vocabulary::{ActorClass, Record};

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

/// An act that is claimed to be a person's.
#[derive(Debug, Clone, Copy)]
struct PersonClaim<'a> {
    /// The field of the act.
    act: &'static str,
    /// Who.
    by: &'a str,
    /// The class of who.
    class: ActorClass,
}

/// The acts of a document in whose class people act.
fn claims(record: &Record) -> Vec<PersonClaim<'_>> {
    let stated = stated_acts(record).into_iter().filter_map(|act| {
        let class = act.actor_class.filter(|class| class.is_person())?;
        Some(PersonClaim { act: act.field, by: act.by.as_str(), class })
    });
    stated.collect()
}

/// Whether the goal or the policies know a name as an agent's or a host's.
fn is_agent(it: &DocumentContext<'_>, name: &str) -> bool {
    let listed = it.goal().is_some_and(|(_, goal)| goal.agents.keys().any(|agent| agent.is_same(name)));
    let known = it.context.workspace.policies.actor(name);
    listed || known.is_some_and(|(_, actor)| !actor.class.is_person())
}
