//! Look-ups: a document by goal, kind and id is one step.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::load::{LoadedFile, PathFields};
use crate::vocabulary::Kind;

/// Every document of a state directory by what its path says.
#[derive(Debug, Default)]
pub struct Index {
    /// The goals, sorted by id.
    pub goals: BTreeMap<Arc<str>, GoalIndex>,
    by_path: HashMap<Arc<str>, usize>,
    /// Facts by session id.
    pub sessions: BTreeMap<Box<str>, Vec<usize>>,
    /// Bindings by session id.
    pub bindings: BTreeMap<Box<str>, Vec<usize>>,
}

/// The documents of one goal.
#[derive(Debug, Default)]
pub struct GoalIndex {
    /// `goal.yaml`.
    pub goal: Option<usize>,
    /// The others by kind and id.
    pub documents: BTreeMap<(Kind, Box<str>), usize>,
}

impl Index {
    pub(super) fn new(entries: &[LoadedFile]) -> Self {
        let mut index = Self::default();
        for (number, entry) in entries.iter().enumerate() {
            index.by_path.insert(Arc::clone(&entry.path), number);
            let Some(PathFields { kind, .. }) = &entry.place else { continue };
            let sessions = match kind {
                Kind::Facts => Some(&mut index.sessions),
                Kind::Binding => Some(&mut index.bindings),
                _ => None,
            };
            if let (Some(sessions), Some(session)) = (sessions, entry.field("session_id")) {
                sessions.entry(session.into()).or_default().push(number);
            }
            let Some(goal) = entry.field("goal_id") else { continue };
            let documents = index.goals.entry(Arc::from(goal)).or_default();
            match kind.row().id_field {
                Some("goal_id") => documents.goal = Some(number),
                Some(field) => {
                    if let Some(id) = entry.field(field) {
                        documents.documents.entry((*kind, id.into())).or_insert(number);
                    }
                }
                None => {}
            }
        }
        index
    }

    /// The number of the file at a path.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }
}

impl GoalIndex {
    /// The number of a document.
    #[must_use]
    pub fn find(&self, kind: Kind, id: &str) -> Option<usize> {
        self.documents.get(&(kind, Box::from(id))).copied()
    }

    /// The ids of one kind with their numbers, sorted.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = (&str, usize)> {
        let start = (kind, Box::from(""));
        self.documents
            .range(start..)
            .take_while(move |((other, _), _)| *other == kind)
            .map(|((_, id), number)| (&**id, *number))
    }
}
