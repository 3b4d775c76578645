//! What stands here and does not count until it is at the authority ref.

use crate::vocabulary::Kind;

/// A change here that would open something and does not count yet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proposed {
    /// The kind of document.
    pub kind: Kind,
    /// Its id.
    pub id: Box<str>,
    /// What the change is: the field that says more, or what became of the document.
    pub what: ProposedKind,
    /// Whether only the copy here is older, so that the authority ref has to be merged into this branch.
    pub is_behind: bool,
}

/// What a change is that does not count yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProposedKind {
    /// The document is new.
    Added,
    /// The document is gone.
    Removed,
    /// A field says something else.
    Field(&'static str),
}

impl Proposed {
    /// Names the document and the change; holds ids and names of fields, never a value.
    #[must_use]
    pub fn words(&self) -> String {
        let name = self.kind.row().name;
        match self.what {
            ProposedKind::Added => format!("{name} {} is new", self.id),
            ProposedKind::Removed => format!("{name} {} is removed", self.id),
            ProposedKind::Field(field) => format!("{name} {}: {field} changes", self.id),
        }
    }
}
