//! Finds what somebody means by an id that they typed: one look-up for every command.
//!
//! Commands that read take any unique prefix. Commands that write take the whole id, or its slug where no other id has
//! that slug: a prefix that is unique today may be that of another document tomorrow. An id that history knows never
//! means a longer one, since whoever types it may mean what is gone.

use std::collections::BTreeSet;
use std::path::Path;

use super::actors_of;
use super::error::{Error, ErrorCode};
use crate::change::{NewDocument, slug_of};
use crate::document::MAX_BYTES;
use crate::git::{AuthorityCommit, BlobId, Repository};
use crate::reconcile::Plan;
use crate::vocabulary::{Id, Kind, Record, nearest};
use crate::workspace::{LoadedFile, Policies, Workspace, read};

/// How much of an id has to be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// Any unique prefix: the command reads.
    Prefix,
    /// The whole id, or its slug without the suffix if no other id has it: the command writes.
    Whole,
}

impl Precision {
    /// What a command needs that writes with `execute`.
    pub(super) fn of(execute: bool) -> Self {
        if execute { Self::Whole } else { Self::Prefix }
    }
}

/// Finds ids in a state directory and its history.
pub(super) struct Lookup<'a> {
    /// The documents.
    pub(super) workspace: &'a Workspace,
    /// What follows from them.
    pub(super) plan: &'a Plan,
    /// The repository, where there is one.
    pub(super) repository: Option<&'a Repository>,
    /// How much of an id has to be typed.
    pub(super) precision: Precision,
}

/// Why a typed id means no single one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unclear<'i> {
    /// No id is like it.
    Unknown,
    /// Several could be meant.
    Several(Vec<&'i str>),
    /// It is the beginning of these, and a command that writes wants more.
    TooShort(Vec<&'i str>),
}

/// Finds the one id that is meant. An exact id is meant whatever else begins with it.
pub(super) fn meant<'i>(
    typed: &str,
    ids: impl Iterator<Item = &'i str>,
    precision: Precision,
) -> Result<&'i str, Unclear<'i>> {
    let ids: BTreeSet<&str> = ids.collect();
    if let Some(exact) = ids.get(typed) {
        return Ok(exact);
    }
    let begun: Vec<&str> = ids.iter().copied().filter(|id| !typed.is_empty() && id.starts_with(typed)).collect();
    let is_whole = |id: &&str| precision == Precision::Prefix || slug_of(id) == typed;
    match begun.iter().copied().filter(is_whole).collect::<Vec<_>>()[..] {
        [only] => Ok(only),
        [] if begun.is_empty() => Err(Unclear::Unknown),
        [] => Err(Unclear::TooShort(begun)),
        ref several => Err(Unclear::Several(several.to_vec())),
    }
}

/// How many ids an error lists.
const LISTED: usize = 5;

impl Unclear<'_> {
    /// The error, with the code for an id that nothing has.
    pub(super) fn error<'i>(
        &self,
        name: &str,
        typed: &str,
        ids: impl Iterator<Item = &'i str>,
        unknown: ErrorCode,
    ) -> Error {
        let list = |ids: &[&str]| match ids.len().saturating_sub(LISTED) {
            0 => ids.join(", "),
            more => format!("{} and {more} more", ids[..LISTED].join(", ")),
        };
        match self {
            Self::Unknown => {
                let near = nearest(typed, ids).map_or_else(String::new, |near| format!("; did you mean {near}?"));
                Error::about(unknown, format!("{name} {typed}{near}"))
            }
            Self::Several(ids) => {
                Error::about(ErrorCode::AmbiguousDocument, format!("{name} {typed} could be {}", list(ids)))
            }
            Self::TooShort(ids) => Error::about(ErrorCode::IdNotWhole, format!("{name} {typed} begins {}", list(ids))),
        }
    }
}

impl Lookup<'_> {
    /// The goal that somebody names.
    pub(super) fn goal(&self, typed: &str) -> Result<String, Error> {
        let ids = || self.plan.goals.keys().map(Id::as_str);
        let found = meant(typed, ids(), self.precision);
        let id = found.map_err(|why| why.error("goal", typed, ids(), ErrorCode::UnknownGoal))?;
        self.refuse_gone(Kind::Goal, typed, id, None)?;
        Ok(id.to_owned())
    }

    /// The agent that somebody names, of one goal or of all.
    pub(super) fn agent(&self, typed: &str, goal: Option<&str>) -> Result<String, Error> {
        let of_goal = |(of, _): &&(Id, Id)| goal.is_none_or(|goal| of.as_str() == goal);
        let ids = || self.plan.projections.keys().filter(of_goal).map(|(_, agent)| agent.as_str());
        let found = meant(typed, ids(), self.precision);
        let id = found.map_err(|why| why.error("agent", typed, ids(), ErrorCode::UnknownAgent))?;
        if typed != id && self.listed_once(typed, goal)? {
            return Err(gone(ErrorCode::UnknownAgent, "agent", typed, id));
        }
        Ok(id.to_owned())
    }

    /// The document of a kind that somebody names, in a goal if one is named.
    pub(super) fn document(&self, kind: Kind, typed: &str, goal: Option<&str>) -> Result<&LoadedFile, Error> {
        let name = kind.row().name;
        let entries = || {
            let of_kind = self.workspace.entries.iter().filter(move |entry| entry.kind() == Some(kind));
            of_kind.filter(move |entry| goal.is_none() || entry.goal_id() == goal)
        };
        let ids = || entries().map(|entry| id_of(kind, entry));
        let found = meant(typed, ids(), self.precision);
        let id = found.map_err(|why| why.error(name, typed, ids(), ErrorCode::UnknownDocument))?;
        self.refuse_gone(kind, typed, id, goal)?;
        match entries().filter(|entry| id_of(kind, entry) == id).collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            ref several => {
                let of = |entry: &&LoadedFile| format!("{id} of {}", entry.goal_id().unwrap_or_default());
                let all: Vec<String> = several.iter().map(of).collect();
                let all: Vec<&str> = all.iter().map(String::as_str).collect();
                Err(Unclear::Several(all).error(name, typed, ids(), ErrorCode::UnknownDocument))
            }
        }
    }

    /// The only goal.
    pub(super) fn only_goal(&self) -> Result<&LoadedFile, Error> {
        let goals = self.workspace.entries.iter().filter(|entry| entry.kind() == Some(Kind::Goal));
        match goals.collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            [] => Err(Error::of(ErrorCode::UnknownGoal)),
            ref several => {
                let all: Vec<&str> = several.iter().map(|entry| id_of(Kind::Goal, entry)).collect();
                Err(Error::about(ErrorCode::AmbiguousDocument, format!("the goal could be {}", all.join(", "))))
            }
        }
    }

    /// Writes whole ids in place of those that somebody typed for a new document. An id that is no document's stays, for
    /// the rules to judge.
    pub(super) fn complete(&self, sheet: &mut NewDocument, goal: &str) -> Result<(), Error> {
        for (kind, id) in sheet.references_mut() {
            match self.document(kind, id.as_str(), Some(goal)) {
                Ok(entry) => *id = Id::new(id_of(kind, entry)),
                Err(Error { code: ErrorCode::UnknownDocument, .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes sure that what was typed is not itself the id of something that is gone.
    fn refuse_gone(&self, kind: Kind, typed: &str, id: &str, goal: Option<&str>) -> Result<(), Error> {
        if typed == id || !self.was(kind, typed, goal)? {
            return Ok(());
        }
        let (code, name) = match kind {
            Kind::Goal => (ErrorCode::UnknownGoal, "goal"),
            _ => (ErrorCode::UnknownDocument, kind.row().name),
        };
        Err(gone(code, name, typed, id))
    }

    /// Whether history knows a document of this id.
    fn was(&self, kind: Kind, typed: &str, goal: Option<&str>) -> Result<bool, Error> {
        Ok(self.changes(goal)?.iter().any(|(path, _)| is_of(path, kind, typed)))
    }

    /// Whether a goal listed this agent at some time.
    fn listed_once(&self, typed: &str, goal: Option<&str>) -> Result<bool, Error> {
        let Some(repository) = self.repository else { return Ok(false) };
        for (path, blob) in self.changes(goal)? {
            let Some(blob) = blob.filter(|_| Kind::at(&path).is_some_and(|(kind, _)| kind == Kind::Goal)) else {
                continue;
            };
            let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default();
            if let Some(Record::Goal(goal)) = read(&path.as_str().into(), &bytes, &self.workspace.wall).record
                && goal.agents.contains_key(typed)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the history of what is checked out, and of the authority ref, changed in a goal or in all.
    fn changes(&self, goal: Option<&str>) -> Result<Vec<(String, Option<BlobId>)>, Error> {
        let Some(repository) = self.repository else { return Ok(Vec::new()) };
        let reference = &self.workspace.settings.authority.reference;
        let authority = match repository.authority(reference.as_str())? {
            AuthorityCommit::Commit(commit) => Some(commit),
            AuthorityCommit::Unborn | AuthorityCommit::Missing { .. } => None,
        };
        let head = repository.head()?.commit();
        let folder = goal.map_or_else(|| "goals".to_owned(), |goal| format!("goals/{goal}"));
        let mut changes = Vec::new();
        for tip in head.into_iter().chain(authority.filter(|commit| Some(*commit) != head)) {
            let history = repository.history(tip, &folder, None)?;
            changes.extend(history.changes.into_iter().map(|it| (format!("{folder}/{}", it.path), it.blob)));
        }
        Ok(changes)
    }
}

/// The error of an id that history knows and that is the beginning of another one.
fn gone(code: ErrorCode, name: &str, typed: &str, id: &str) -> Error {
    Error::about(code, format!("{name} {typed} is gone from here, and {id} is another one: type its whole id"))
}

/// Whether a path is that of the document of an id.
fn is_of(path: &str, kind: Kind, id: &str) -> bool {
    let Some((of, fields)) = Kind::at(path) else { return false };
    of == kind && fields.iter().any(|(field, value)| Some(*field) == kind.row().id_field && *value == id)
}

/// The id that a document's path says.
fn id_of(kind: Kind, entry: &LoadedFile) -> &str {
    entry.field(kind.row().id_field.unwrap_or_default()).unwrap_or_default()
}

/// The actor whose git identity commits of this clone carry.
pub(super) fn actor_here(root: &Path, policies: &Policies) -> Result<String, Error> {
    let address = Repository::discover(root)?.and_then(|repository| repository.identity());
    let actor = address.and_then(|address| Some(actors_of(policies, &address).first()?.0.to_string()));
    actor.ok_or_else(|| Error::of(ErrorCode::UnknownActor))
}

/// The agents and hosts whose git identity commits of this clone carry.
pub(super) fn agents_here(root: &Path, policies: &Policies) -> Result<Vec<String>, Error> {
    let mut agents = Vec::new();
    for address in addresses_here(root)? {
        let known = actors_of(policies, &address).into_iter().filter(|(_, actor)| !actor.class.is_person());
        agents.extend(known.map(|(id, _)| id.to_string()));
    }
    agents.dedup();
    Ok(agents)
}

/// Why nobody decides with the git identity that commits of this clone carry; none where a person may.
pub(super) fn no_person_here(root: &Path, policies: &Policies) -> Result<Option<String>, Error> {
    let agents = agents_here(root, policies)?;
    if !agents.is_empty() {
        return Ok(Some(format!("commits made here are of {}, which is no person", agents.join(" or "))));
    }
    let service = addresses_here(root)?.into_iter().find(|address| policies.is_service(address));
    Ok(service.map(|service| format!("commits made here are of {service}, a hosting service")))
}

/// The addresses that git puts into a commit made here: of the author and of the committer, as the environment, else the
/// configuration says.
fn addresses_here(root: &Path) -> Result<Vec<String>, Error> {
    let configured = Repository::discover(root)?.and_then(|repository| repository.identity());
    let named = ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|variable| std::env::var(variable).ok());
    let mut addresses: Vec<String> =
        named.into_iter().filter_map(|named| named.filter(|it| !it.is_empty()).or(configured.clone())).collect();
    addresses.dedup();
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::Precision::{Prefix, Whole};
    use super::{Unclear, meant};

    #[test]
    fn readers_take_a_unique_prefix_and_writers_the_whole_id_or_its_slug() {
        let ids = ["switch-2f8q", "switch-read-9d4m", "store-7k2m", "store", "cut-1abc", "cut-2abc"];
        let found = |typed, precision| meant(typed, ids.into_iter(), precision);
        assert_eq!(found("switch-2", Prefix), Ok("switch-2f8q"));
        assert_eq!(found("switch-2", Whole), Err(Unclear::TooShort(vec!["switch-2f8q"])));
        assert_eq!(found("switch", Prefix), Err(Unclear::Several(vec!["switch-2f8q", "switch-read-9d4m"])));
        assert_eq!(found("switch", Whole), Ok("switch-2f8q"));
        for precision in [Prefix, Whole] {
            assert_eq!(found("store", precision), Ok("store"), "an exact id is meant whatever begins with it");
            assert_eq!(found("cut", precision), Err(Unclear::Several(vec!["cut-1abc", "cut-2abc"])));
            assert_eq!(found("nothing", precision), Err(Unclear::Unknown));
            assert_eq!(found("", precision), Err(Unclear::Unknown));
        }
    }
}
