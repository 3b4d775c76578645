//! What happened to one path below `receipts/`, and what was rightly written there first.

use std::collections::BTreeMap;

use super::FOLDER;
use crate::app::Error;
use crate::app::recording::{Cited, cited};
use crate::document::MAX_BYTES;
use crate::git::{Ancestry, BlobId, CommitId, CommittedChange, History, Listing, Repository};
use crate::vocabulary::{Receipt, Record};
use crate::workspace::{Workspace, read};

/// One path below the state directory.
#[derive(Debug, Default)]
pub(super) struct PathHistory<'h> {
    /// Every change of it, each after those that it builds on.
    pub(super) changes: Vec<&'h CommittedChange>,
    /// What stands there now.
    pub(super) now: Option<BlobId>,
    /// What stood there where the look begins, and the commit that held it.
    pub(super) before: Option<(CommitId, BlobId)>,
}

/// The first commit of a receipt.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReceiptOrigin {
    pub(super) commit: CommitId,
    pub(super) blob: BlobId,
    /// Whether a host brought the effect about, so that no commit can hold what it cites.
    pub(super) by_host: bool,
}

/// What was committed at a path.
#[derive(Debug)]
pub(super) enum CommittedContent {
    /// A receipt in its place; the commit holds what it cites, unless a host brought it about.
    Sound { by_host: bool },
    /// A receipt in another place than its own.
    Misnamed(Box<Receipt>),
    /// A receipt of a decision that its commit does not hold.
    Invented(Box<Receipt>),
    /// No receipt.
    Unreadable,
}

/// Gathers what happened to each path. `before` lists what some commits held where the look begins.
pub(super) fn trails<'h>(
    history: &'h History,
    now: &Listing,
    before: &[(CommitId, Listing)],
) -> BTreeMap<String, PathHistory<'h>> {
    let mut trails: BTreeMap<String, PathHistory<'h>> = BTreeMap::new();
    let full = |path: &str| format!("{FOLDER}/{path}");
    for change in &history.changes {
        trails.entry(full(&change.path)).or_default().changes.push(change);
    }
    for (path, blob) in &now.blobs {
        trails.entry(full(path)).or_default().now = Some(*blob);
    }
    for (commit, listing) in before {
        for (path, blob) in &listing.blobs {
            trails.entry(full(path)).or_default().before.get_or_insert((*commit, *blob));
        }
    }
    trails
}

/// Whether a path names a document; others among the receipts, and names that editors hide, are nobody's receipts.
pub(super) fn is_document(path: &str) -> bool {
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    !is_hidden && [".yaml", ".yml", ".json"].iter().any(|ending| path.ends_with(ending))
}

/// The repository, and the words in which its files are read.
#[derive(Clone, Copy)]
pub(super) struct ReceiptReader<'a> {
    pub(super) repository: &'a Repository,
    pub(super) workspace: &'a Workspace,
}

impl ReceiptReader<'_> {
    /// The bytes of one version of a file; those that are too large are no document.
    pub(super) fn bytes(self, blob: BlobId) -> Result<Vec<u8>, Error> {
        Ok(self.repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default())
    }

    /// The receipt that bytes hold.
    pub(super) fn receipt(self, path: &str, bytes: &[u8]) -> Option<Receipt> {
        match read(&path.into(), bytes, &self.workspace.wall).record {
            Some(Record::Receipt(receipt)) => Some(receipt),
            _ => None,
        }
    }

    /// Judges what a commit put at a path.
    pub(super) fn content(self, path: &str, commit: CommitId, blob: BlobId) -> Result<CommittedContent, Error> {
        let Some(receipt) = self.receipt(path, &self.bytes(blob)?) else { return Ok(CommittedContent::Unreadable) };
        if !receipt.belongs_at(path) {
            return Ok(CommittedContent::Misnamed(Box::new(receipt)));
        }
        Ok(match cited(self.repository, commit, &receipt, &self.workspace.wall)? {
            Cited::Held => CommittedContent::Sound { by_host: false },
            Cited::ByHost => CommittedContent::Sound { by_host: true },
            Cited::Otherwise | Cited::Absent => CommittedContent::Invented(Box::new(receipt)),
        })
    }

    /// The first commits of the receipt at a path: sound ones that build on no other. Two branches that recorded the
    /// same effect give two; what follows on one of them, however it is dated, gives none.
    pub(super) fn origins(self, path: &str, trail: &PathHistory<'_>) -> Result<Vec<ReceiptOrigin>, Error> {
        let mut origins: Vec<ReceiptOrigin> = Vec::new();
        if let Some((commit, blob)) = trail.before {
            return Ok(vec![ReceiptOrigin { commit, blob, by_host: false }]);
        }
        for change in &trail.changes {
            let Some(blob) = change.blob.filter(|blob| origins.iter().all(|origin| origin.blob != *blob)) else {
                continue;
            };
            let CommittedContent::Sound { by_host } = self.content(path, change.commit, blob)? else { continue };
            if !self.builds_on(change.commit, &origins)? {
                origins.push(ReceiptOrigin { commit: change.commit, blob, by_host });
            }
        }
        Ok(origins)
    }

    fn builds_on(self, commit: CommitId, origins: &[ReceiptOrigin]) -> Result<bool, Error> {
        for origin in origins {
            if self.repository.reaches(commit, origin.commit)? != Ancestry::No {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
