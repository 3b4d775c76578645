//! The ids of commits and of versions of files, and how two commits relate.

use std::fmt;

use crate::workspace::ContentId;

/// The id of a commit; displays as full lowercase hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub(crate) gix::ObjectId);

/// The id of one version of a file; displays as full lowercase hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(pub(crate) gix::ObjectId);

/// The id of one version of a folder; displays as full lowercase hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(pub(crate) gix::ObjectId);

impl TreeId {
    /// Reads an id as it displays.
    #[must_use]
    pub fn parse(hex: &str) -> Option<Self> {
        gix::ObjectId::from_hex(hex.as_bytes()).ok().map(Self)
    }
}

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<BlobId> for ContentId {
    fn from(id: BlobId) -> Self {
        Self::new(id.0.as_bytes())
    }
}

/// Whether one commit is part of the history of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ancestry {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// The history is cut off by a shallow clone before it could tell.
    Unknown,
}
