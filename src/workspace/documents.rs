//! Look-ups of a loaded state directory: a file by its path, a document by its goal and id.

use super::index::GoalIndex;
use super::load::{LoadedFile, Workspace};
use crate::vocabulary::{Binding, Goal, Id, Kind, Record, TypedRecord};

impl Workspace {
    /// The file at a path below the state directory.
    #[must_use]
    pub fn file_at(&self, path: &str) -> Option<&LoadedFile> {
        self.index.at(path).map(|number| &self.entries[number])
    }

    /// The file of a document, readable or not, by what its path says.
    #[must_use]
    pub fn file_of(&self, goal: &str, kind: Kind, id: &str) -> Option<&LoadedFile> {
        let goal = self.index.goals.get(goal)?;
        let number = if kind == Kind::Goal { goal.goal } else { goal.find(kind, id) };
        Some(&self.entries[number?])
    }

    /// A readable document of any kind.
    #[must_use]
    pub fn record(&self, goal: &str, kind: Kind, id: &str) -> Option<&Record> {
        self.file_of(goal, kind, id)?.record.as_ref()
    }

    /// A readable document of one kind.
    #[must_use]
    pub fn get<T: TypedRecord>(&self, goal: &str, id: &str) -> Option<&T> {
        T::of(self.record(goal, T::KIND, id)?)
    }

    /// Returns a goal whose document can be read.
    #[must_use]
    pub fn goal(&self, id: &str) -> Option<&Goal> {
        self.get(id, id)
    }

    /// The owner of a readable goal.
    #[must_use]
    pub fn owner(&self, goal: &str) -> Option<&Id> {
        self.goal(goal).map(|goal| &goal.owner)
    }

    /// The files of one kind in a goal, readable or not, sorted by id.
    pub fn files_of(&self, goal: &str, kind: Kind) -> impl Iterator<Item = &LoadedFile> {
        let goal: Option<&GoalIndex> = self.index.goals.get(goal);
        goal.into_iter().flat_map(move |goal| goal.of(kind)).map(|(_, number)| &self.entries[number])
    }

    /// The readable documents of one kind in a goal, each with its file, sorted by id.
    pub fn documents<'a, T: TypedRecord + 'a>(&'a self, goal: &str) -> impl Iterator<Item = (&'a LoadedFile, &'a T)> {
        self.files_of(goal, T::KIND).filter_map(|file| Some((file, T::of(file.record.as_ref()?)?)))
    }

    /// The files of the bindings of a session, readable or not, in all goals.
    pub fn files_of_bindings(&self, session: &str) -> impl Iterator<Item = &LoadedFile> {
        self.index.bindings.get(session).into_iter().flatten().map(|number| &self.entries[*number])
    }

    /// The readable bindings of a session in all goals, each with its file.
    pub fn bindings_of(&self, session: &str) -> impl Iterator<Item = (&LoadedFile, &Binding)> {
        self.files_of_bindings(session).filter_map(|file| Some((file, Binding::of(file.record.as_ref()?)?)))
    }

    /// The files of the facts of a session, readable or not.
    pub fn files_of_facts(&self, session: &str) -> impl Iterator<Item = &LoadedFile> {
        self.index.sessions.get(session).into_iter().flatten().map(|number| &self.entries[*number])
    }
}
