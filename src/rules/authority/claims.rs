//! Acts that a document claims people did, and who is known as an agent.

use super::super::DocumentContext;
use crate::vocabulary::acts::stated_acts;
use crate::vocabulary::{ActorClass, Record};

/// An act that is claimed to be a person's.
#[derive(Debug, Clone, Copy)]
pub(super) struct PersonClaim<'a> {
    /// The field of the act.
    pub(super) act: &'static str,
    /// Who.
    pub(super) by: &'a str,
    /// The class of who.
    pub(super) class: ActorClass,
}

/// The acts of a document in whose class people act.
pub(super) fn claims(record: &Record) -> Vec<PersonClaim<'_>> {
    let stated = stated_acts(record).into_iter().filter_map(|act| {
        let class = act.actor_class.filter(|class| class.is_person())?;
        Some(PersonClaim { act: act.field, by: act.by.as_str(), class })
    });
    stated.collect()
}

/// Whether the goal or the policies know a name as an agent's or a host's.
pub(super) fn is_agent(it: &DocumentContext<'_>, name: &str) -> bool {
    let listed = it.goal().is_some_and(|(_, goal)| goal.agents.keys().any(|agent| agent.is_same(name)));
    let known = it.context.workspace.policies.actor(name);
    listed || known.is_some_and(|(_, actor)| !actor.class.is_person())
}
