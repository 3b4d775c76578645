//! Who made the commits of a change: people, agents, or names that the base does not know (product.md 8).

use std::collections::BTreeSet;

use super::Submission;
use crate::vocabulary::{ActorClass, Classes, HashKeys, Id};
use crate::workspace::Policies;

/// A name on a commit: its author, its committer, a co-author, or whoever signed it. A claim, unless a signature vouches
/// for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contributor {
    /// The name that git has.
    pub name: String,
    /// The actors that the identity stands for by the base's policies; an identity may be shared.
    pub actors: Vec<(Id, Classes)>,
}

impl Contributor {
    /// Whether one of the actors is an agent or a host.
    #[must_use]
    pub fn is_agent(&self) -> bool {
        self.actors.iter().any(|(_, classes)| !classes.is_person())
    }

    /// Whether the identity stands for the actor of a name.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.actors.iter().any(|(id, _)| id.is_same(name))
    }

    /// What a review calls it: the actors, else the name that git has.
    pub(super) fn called(&self) -> String {
        let actors: Vec<&str> = self.actors.iter().map(|(id, _)| id.as_str()).collect();
        if actors.is_empty() { self.name.clone() } else { actors.join(" or ") }
    }
}

/// One commit of the change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeCommit {
    /// The short id.
    pub short: String,
    /// Who wrote the change.
    pub author: Contributor,
    /// Who made the commit, where that is somebody else and no hosting service.
    pub committer: Option<Contributor>,
    /// Whom its `Co-authored-by` trailers name.
    pub co_authors: Vec<Contributor>,
    /// The name of whoever signed it, where a valid signature says so; the actor of the author or of the committer.
    pub signed_by: Vec<Id>,
    /// What the wall refuses in its message, by rule.
    pub refused: BTreeSet<&'static str>,
}

/// Whose commit a commit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommitOwner {
    /// An agent's or a host's: one of its contributors is one.
    Agent,
    /// People's whom the base knows: its author, and its committer where that is somebody else.
    People,
    /// Nobody's whom the base knows.
    Unknown,
}

impl ChangeCommit {
    /// Everybody who had a part in it, the author first.
    pub fn contributors(&self) -> impl Iterator<Item = &Contributor> {
        std::iter::once(&self.author).chain(&self.committer).chain(&self.co_authors)
    }

    /// The agents among its contributors.
    pub(super) fn agents(&self) -> impl Iterator<Item = &Id> {
        let actors = self.contributors().flat_map(|one| &one.actors);
        actors.filter(|(_, classes)| !classes.is_person()).map(|(id, _)| id)
    }

    /// Whether one of its contributors stands for the agent of a name.
    pub(super) fn is_of_agent(&self, name: &str) -> bool {
        self.agents().any(|agent| agent.is_same(name))
    }

    pub(super) fn owner(&self) -> CommitOwner {
        let is_known = |one: &Contributor| !one.actors.is_empty();
        match self.contributors().any(Contributor::is_agent) {
            true => CommitOwner::Agent,
            false if is_known(&self.author) && self.committer.as_ref().is_none_or(is_known) => CommitOwner::People,
            false => CommitOwner::Unknown,
        }
    }

    pub(super) fn is_agents(&self) -> bool {
        self.owner() == CommitOwner::Agent
    }

    /// Whether the author, and whoever committed it instead, stand for the person of a name.
    pub(super) fn is_by(&self, name: &str) -> bool {
        self.author.is(name) && self.committer.as_ref().is_none_or(|committer| committer.is(name))
    }

    /// What its owner is not, for a message about what only people do.
    pub(super) fn is_no_person(&self) -> &'static str {
        if self.is_agents() { "no person" } else { "unknown to the base" }
    }

    /// What a review calls whoever decides whose commit it is: the agent, else whom the base does not know, else whoever
    /// committed it, else the author.
    pub(super) fn called(&self) -> String {
        let agent = self.contributors().find(|one| one.is_agent());
        let unknown = || std::iter::once(&self.author).chain(&self.committer).find(|one| one.actors.is_empty());
        agent.or_else(unknown).or(self.committer.as_ref()).unwrap_or(&self.author).called()
    }
}

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
