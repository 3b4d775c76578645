//! Which documents stand otherwise here than at the authority ref, found by the names of their contents alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::vocabulary::{Kind, Plane};
use crate::workspace::{ContentId, LoadedFile, Workspace};

/// What the commits beside the work tree hold: names of contents by path below the state directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentVersions {
    /// The commit of the authority ref, whole.
    reference: BTreeMap<Arc<str>, ContentId>,
    /// Where `HEAD` differs from the authority ref; `None` for a path that it lacks.
    head: BTreeMap<Arc<str>, Option<ContentId>>,
    /// The same of the commit where both parted; `None` where it is not known, as in a shallow clone.
    base: Option<BTreeMap<Arc<str>, Option<ContentId>>>,
}

/// What a document is called: its kind, its goal and its id, as its path says. Facts have their runtime for a goal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentKey {
    /// The kind.
    pub kind: Kind,
    /// The goal; of facts the runtime.
    pub goal: Box<str>,
    /// The id; of facts the session.
    pub id: Box<str>,
}

impl DocumentKey {
    /// Reads the path of a document that a verdict rests on; `None` for every other path.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        let (kind, fields) = Kind::at(path)?;
        let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| Box::from(*value));
        match kind.row().plane {
            Plane::Desired => Some(Self { kind, goal: field("goal_id")?, id: field(kind.row().id_field?)? }),
            Plane::Observed => Some(Self { kind, goal: field("runtime_id")?, id: field("session_id")? }),
            Plane::Recorded | Plane::Emitted => None,
        }
    }
}

/// One document that stands otherwise here than at the authority ref.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentDifference {
    /// Its file here, if there is one.
    pub here: Option<Arc<str>>,
    /// Its file at the authority ref, if there is one.
    pub reference: Option<Arc<str>>,
    /// Its file at `HEAD`, where it is gone here.
    pub head: Option<Arc<str>>,
    /// Whether it stands here as `HEAD` has it.
    pub is_committed: bool,
    /// Whether it is here as it was where `HEAD` and the authority ref parted.
    pub is_unchanged: bool,
    /// Whether the authority ref has changed it since both parted.
    pub is_changed_there: bool,
}

impl ContentVersions {
    /// Takes the files of the authority ref and of the two other commits, each by path.
    #[must_use]
    pub fn new(
        reference: BTreeMap<Arc<str>, ContentId>,
        head: &BTreeMap<Arc<str>, ContentId>,
        base: Option<&BTreeMap<Arc<str>, ContentId>>,
    ) -> Self {
        let apart = |other: &BTreeMap<Arc<str>, ContentId>| {
            let gone = reference.keys().filter(|path| !other.contains_key(*path)).map(|path| (Arc::clone(path), None));
            let new = other.iter().filter(|(path, content)| reference.get(*path) != Some(content));
            gone.chain(new.map(|(path, content)| (Arc::clone(path), Some(*content)))).collect()
        };
        let (head, base) = (apart(head), base.map(apart));
        Self { reference, head, base }
    }

    /// Takes the files of the authority ref, and of the two other commits only where they differ from it.
    #[must_use]
    pub fn apart(
        reference: BTreeMap<Arc<str>, ContentId>,
        head: BTreeMap<Arc<str>, Option<ContentId>>,
        base: Option<BTreeMap<Arc<str>, Option<ContentId>>>,
    ) -> Self {
        Self { reference, head, base }
    }

    fn head(&self, path: &str) -> Option<ContentId> {
        self.head.get(path).copied().unwrap_or_else(|| self.reference.get(path).copied())
    }

    /// Whether a path was like this where both parted; false where nobody knows.
    fn is_base(&self, path: &str, content: Option<ContentId>) -> bool {
        let Some(base) = &self.base else { return false };
        base.get(path).copied().unwrap_or_else(|| self.reference.get(path).copied()) == content
    }

    /// Lists every path that `HEAD` holds.
    pub fn at_head(&self) -> impl Iterator<Item = (&Arc<str>, ContentId)> {
        let same = self.reference.iter().filter(|(path, _)| !self.head.contains_key(*path));
        let other = self.head.iter().filter_map(|(path, content)| Some((path, (*content)?)));
        same.map(|(path, content)| (path, *content)).chain(other)
    }

    /// Whether the authority ref holds `goal.yaml` of a goal.
    #[must_use]
    pub fn has_goal(&self, goal: &str) -> bool {
        ["yaml", "json"].iter().any(|ending| self.reference.contains_key(&*format!("goals/{goal}/goal.{ending}")))
    }

    /// Lists the documents that stand otherwise here than at the authority ref, of some goals or of all; of facts, which
    /// hosts write here, those that are gone here.
    #[must_use]
    pub fn differences(
        &self,
        here: &Workspace,
        goals: Option<&BTreeSet<String>>,
    ) -> BTreeMap<DocumentKey, DocumentDifference> {
        let mut differences = Differences { versions: self, found: BTreeMap::new() };
        let folders: Vec<String> = match goals {
            None => vec!["goals/".to_owned()],
            Some(goals) => goals.iter().map(|goal| format!("goals/{goal}/")).collect(),
        };
        for folder in &folders {
            let start = here.entries.partition_point(|entry| *entry.path < **folder);
            let standing = here.entries[start..].iter().take_while(|entry| entry.path.starts_with(folder));
            standing.for_each(|entry| differences.note(&entry.path, Some(entry)));
        }
        for folder in folders.iter().map(String::as_str).chain(["facts/"]) {
            let start: Arc<str> = Arc::from(folder);
            let committed = self.reference.range(Arc::clone(&start)..).map(|(path, _)| path);
            let of_head = self.head.range(start..).filter(|(path, _)| !self.reference.contains_key(*path));
            let all = committed.take_while(|path| path.starts_with(folder));
            let all = all.chain(of_head.map(|(path, _)| path).take_while(|path| path.starts_with(folder)));
            all.filter(|path| here.index.at(path).is_none()).for_each(|path| differences.note(path, None));
        }
        differences.found
    }
}

impl ContentVersions {
    /// Tells whether the commit where both parted had a file at a path, other than the authority ref has it.
    fn is_apart_from_base(&self, path: &str) -> bool {
        self.base.as_ref().is_some_and(|base| matches!(base.get(path), Some(Some(_))))
    }
}

/// Differences while they are collected.
struct Differences<'v> {
    versions: &'v ContentVersions,
    found: BTreeMap<DocumentKey, DocumentDifference>,
}

impl Differences<'_> {
    /// Notes what stands at a path here. A document has two paths where its format differs; it is unchanged when both are.
    fn note(&mut self, path: &Arc<str>, here: Option<&LoadedFile>) {
        let content = here.and_then(|entry| entry.content);
        let is_read = here.is_none_or(|entry| entry.content.is_some());
        let reference = self.versions.reference.get(path).copied();
        if is_read && content == reference {
            return;
        }
        let Some(key) = DocumentKey::at(path) else { return };
        let is_unchanged = is_read && self.versions.is_base(path, content);
        let is_committed = is_read && self.versions.head(path) == content;
        let new = || DocumentDifference { is_unchanged, is_committed, ..DocumentDifference::default() };
        let difference = self.found.entry(key).or_insert_with(new);
        difference.is_changed_there |= reference.is_some() && self.versions.is_apart_from_base(path);
        difference.is_unchanged &= is_unchanged;
        difference.is_committed &= is_committed;
        difference.reference = difference.reference.take().or(reference.map(|_| Arc::clone(path)));
        match here {
            Some(_) => difference.here = Some(Arc::clone(path)),
            None => difference.head = difference.head.take().or(self.versions.head(path).map(|_| Arc::clone(path))),
        }
    }
}

/// Tells whether a receipt of this run id is recorded.
pub type IsRecorded<'a> = &'a dyn Fn(&str) -> bool;
