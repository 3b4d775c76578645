//! The commits of a change and whose they are: people's, agents', or nobody's whom the base knows.

use std::collections::BTreeSet;

use crate::vocabulary::{Classes, Id};

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
