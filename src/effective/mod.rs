//! The effective tree: the documents that verdicts come from (law 9, "absence is not permission").
//!
//! Comes in: a state directory as it stands here, the versions of its documents at the authority ref, at `HEAD` and where
//! both parted, and what is recorded. Goes out: for each goal that differs, the documents that count: what either version
//! closes stays closed, and what the version here would open is named as proposed. Pure: no git, disk or clock.
//! Must not know: how anything is read, reconciled or shown.

mod goal;
mod merge;
mod proposed;
mod table;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::vocabulary::Kind;
use crate::workspace::{LoadedFile, Workspace};
pub use goal::EffectiveGoal;
pub use proposed::Proposed;
pub use table::{FieldRow, GOAL, HANDOFF, TODO, Taken};
pub use versions::IsRecorded;
pub use versions::{ContentVersions, DocumentDifference, DocumentKey};

/// What counts of the documents that differ from the authority ref.
#[derive(Debug, Clone, Default)]
pub struct Effective {
    /// The goals that differ, by id.
    pub goals: BTreeMap<Box<str>, EffectiveGoal>,
    /// Facts that are gone here and that a commit still holds.
    pub facts: Vec<LoadedFile>,
}

/// The documents of commits that differ from those here, read.
#[derive(Debug)]
pub struct Committed<'a> {
    /// Those of the authority ref.
    pub reference: &'a Workspace,
    /// Those of `HEAD`.
    pub head: &'a Workspace,
}

/// Joins the documents here with those of the authority ref.
#[must_use]
pub fn effective(
    here: &Workspace,
    committed: &Committed<'_>,
    versions: &ContentVersions,
    differences: &BTreeMap<DocumentKey, DocumentDifference>,
    is_recorded: IsRecorded<'_>,
) -> Effective {
    let mut effective = Effective::default();
    let mut by_goal: BTreeMap<&str, Vec<goal::DifferingDocument<'_>>> = BTreeMap::new();
    for (key, difference) in differences {
        let side = goal::DifferingDocument {
            key,
            here: difference.here.as_ref().and_then(|path| here.file_at(path)),
            reference: difference.reference.as_ref().and_then(|path| committed.reference.file_at(path)),
            head: difference.head.as_ref().and_then(|path| committed.head.file_at(path)),
            is_unchanged: difference.is_unchanged,
            is_committed: difference.is_committed,
            is_changed_there: difference.is_changed_there,
        };
        match key.kind {
            Kind::Facts => effective.facts.extend(side.reference.or(side.head).cloned()),
            _ => by_goal.entry(&key.goal).or_default().push(side),
        }
    }
    for (goal, sides) in by_goal {
        let is_recorded_goal = versions.has_goal(goal);
        effective.goals.insert(goal.into(), EffectiveGoal::new(here, &sides, is_recorded_goal, is_recorded));
    }
    effective
}

/// The paths whose contents have to be read to join some differences: at the authority ref, and at `HEAD`.
#[must_use]
pub fn wanted(differences: &BTreeMap<DocumentKey, DocumentDifference>) -> [BTreeSet<Arc<str>>; 2] {
    let reference = differences.values().filter_map(|it| it.reference.clone()).collect();
    let head = differences.values().filter_map(|it| it.head.clone()).collect();
    [reference, head]
}

/// The goals of which anything differs.
impl Effective {
    /// Puts what was joined anew in place of what was known of some goals.
    pub fn renew(&mut self, goals: &BTreeSet<String>, mut new: Self) {
        self.goals.retain(|goal, _| !goals.contains(&**goal));
        self.goals.append(&mut new.goals);
        self.facts = new.facts;
    }

    /// The sessions of the bindings of a goal that differ, whether or not they count.
    pub fn sessions(&self, goal: &str) -> impl Iterator<Item = &str> {
        let documents = self.goals.get(goal).into_iter().flat_map(|goal| goal.documents.keys());
        documents.filter(|(kind, _)| *kind == Kind::Binding).map(|(_, session)| &**session)
    }

    /// The goals that have a binding of this session that differs.
    pub fn goals_that_bind(&self, session: &str) -> impl Iterator<Item = &str> {
        let key = (Kind::Binding, Box::from(session));
        self.goals.iter().filter(move |(_, goal)| goal.documents.contains_key(&key)).map(|(goal, _)| &**goal)
    }
}
