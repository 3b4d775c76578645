//! Who made the commits of a change: people, agents, or names that the base does not know (product.md 8).

use super::Submission;
use super::commit::{ChangeCommit, CommitOwner};
use crate::vocabulary::{ActorClass, HashKeys, Id};
use crate::workspace::Policies;

/// Why an act does not count as the act of the person that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthorshipFault {
    /// An agent or a host had a part in the commit.
    Agent,
    /// The base knows nobody by this name.
    UnknownName,
    /// Somebody else made the commit.
    OtherCommit,
    /// No commit of the change wrote it.
    NoCommit,
    /// The base does not give the person this class.
    Class,
}

/// An act of a person, as a version of a document states it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActClaim<'c> {
    pub(super) by: &'c str,
    pub(super) class: Option<ActorClass>,
    /// The goal of the document.
    pub(super) goal: Option<&'c str>,
}

impl Submission<'_> {
    pub(super) fn policies(&self) -> &Policies {
        &self.before.workspace.policies
    }

    /// Tells why an act is not the act of the person that it names, by its commit and by what the base knows.
    pub(super) fn fault_of_act(&self, claim: ActClaim<'_>, commit: Option<&ChangeCommit>) -> Option<AuthorshipFault> {
        if commit.is_some_and(ChangeCommit::is_agents) {
            return Some(AuthorshipFault::Agent);
        }
        let known = self.policies().actor(claim.by).filter(|(_, actor)| actor.class.is_person());
        let Some((id, actor)) = known else { return Some(AuthorshipFault::UnknownName) };
        if !self.is_reviewed_by(claim.by) {
            match commit {
                None => return Some(AuthorshipFault::NoCommit),
                Some(commit) if !commit.is_by(claim.by) => return Some(AuthorshipFault::OtherCommit),
                Some(_) => {}
            }
        }
        let owns = || claim.goal.is_some_and(|goal| self.owner_before(goal).is_some_and(|owner| owner.is_same(id)));
        let may = |class: ActorClass| actor.class.has(class) || class == ActorClass::Owner && owns();
        claim.class.is_some_and(|class| !may(class)).then_some(AuthorshipFault::Class)
    }

    /// The owner of a goal as the base has it.
    pub(super) fn owner_before(&self, goal: &str) -> Option<&Id> {
        Some(&self.before.world.goals.get(goal)?.goal?.owner)
    }

    /// Whether what a commit wrote is what people of the base wrote, or vouch for.
    pub(super) fn is_trusted(&self, commit: &ChangeCommit) -> bool {
        match commit.owner() {
            CommitOwner::Agent => false,
            CommitOwner::People => true,
            CommitOwner::Unknown => self.is_reviewed_by_anybody(),
        }
    }

    /// Whether the base knows the identities of anybody, so that it can tell people from agents.
    pub(super) fn knows_anybody(&self) -> bool {
        self.policies().knows_anybody()
    }

    /// Whether a person reviewed this very change, as whoever runs the review vouches.
    pub(super) fn is_reviewed_by(&self, name: &str) -> bool {
        let policies = self.policies();
        let keys = HashKeys { salt: policies.identity_salt.as_deref(), secret: None };
        let actor = policies.actor(name).map(|(_, actor)| actor);
        let is_of = |called: &String| {
            let has = |actor: &crate::vocabulary::PolicyActor| actor.git.iter().any(|known| known.is_of(called, keys));
            Id::new(name).is_same(called) || actor.is_some_and(has)
        };
        self.reviewers.is_some_and(|reviewers| reviewers.iter().any(is_of))
    }

    /// Whether a person whom the base knows reviewed this very change.
    fn is_reviewed_by_anybody(&self) -> bool {
        let people = self.policies().actors.iter().filter(|(_, actor)| actor.class.is_person());
        people.into_iter().any(|(id, _)| self.is_reviewed_by(id.as_str()))
    }
}
