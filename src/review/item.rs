//! One document that means something else than before.

use std::sync::Arc;

use super::items::rank;
use super::phrase::Phrase;
use crate::finding::Finding;
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level};

/// How carefully an item is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemSign {
    /// A rule of level error is broken.
    Refused,
    /// A rule of level warning is broken.
    Look,
    /// It is new.
    Added,
    /// Modified.
    Changed,
    /// It is gone.
    Removed,
}

/// A topic that reviewers look for, such as privacy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewTopic {
    /// What may be read and written.
    Scopes,
    /// What sessions can do.
    Capabilities,
    /// How many turns may be spent.
    Quota,
    /// Sessions.
    Bindings,
    /// What hosts are told.
    Writebacks,
    /// What judges changes.
    Policies,
    /// What counts.
    Receipts,
}

impl ReviewTopic {
    pub(super) const ALL: [Self; 7] = [
        Self::Scopes,
        Self::Capabilities,
        Self::Quota,
        Self::Bindings,
        Self::Writebacks,
        Self::Policies,
        Self::Receipts,
    ];

    /// Returns the word that JSON and screens use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Scopes => "scopes",
            Self::Capabilities => "capabilities",
            Self::Quota => "quota",
            Self::Bindings => "bindings",
            Self::Writebacks => "writebacks",
            Self::Policies => "policies",
            Self::Receipts => "receipts",
        }
    }
}

/// One document that means something else than before.
#[derive(Debug, Clone)]
pub struct ReviewItem {
    /// Its kind; none for a file of no kind.
    pub kind: Option<Kind>,
    /// Its goal.
    pub goal_id: Option<Text>,
    /// What it is called: its id, else its path.
    pub id: Text,
    /// Its path below the state directory.
    pub path: Arc<str>,
    /// What became of it.
    pub what: Vec<Phrase>,
    /// What a closer look shows.
    pub details: Vec<Phrase>,
    /// The rules that it breaks.
    pub breaches: Vec<Finding>,
    /// What reviewers look for that it touches.
    pub topics: Vec<ReviewTopic>,
    /// Whether the change touches it; else it only breaks rules since.
    pub is_touched: bool,
    pub(super) act: ItemSign,
}

impl ReviewItem {
    /// How carefully it is to be looked at.
    #[must_use]
    pub fn sign(&self) -> ItemSign {
        let worst = self.breaches.iter().map(|finding| finding.level).min();
        match worst {
            Some(Level::Error) => ItemSign::Refused,
            Some(Level::Warning) => ItemSign::Look,
            _ => self.act,
        }
    }

    pub(super) fn order(&self) -> impl Ord + '_ {
        let loud = self.sign().min(ItemSign::Added);
        (loud, &self.goal_id, self.kind.map(rank), &self.id, &self.path)
    }
}
