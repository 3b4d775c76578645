//! What git holds in a state directory beside its documents: nobody reads it there, and everybody sees it in the history.

use std::collections::BTreeMap;
use std::path::Path;

use super::Error;
use crate::finding::Finding;
use crate::git::{BlobId, DEEPEST, Listing, Repository, Skipped};
use crate::rules::scan_others;
use crate::workspace::{Files, MemoryFiles, Overlay, PathClass, ReadFault, Workspace, is_judged};

/// The largest file that is looked through; what is larger is refused.
const LARGEST: u64 = 16 << 20;

/// Files and symbolic links of a state directory that no rule reads as documents, by path.
#[derive(Debug, Clone, Default)]
pub(super) struct OtherFiles {
    /// Files, by what git calls their content.
    blobs: BTreeMap<String, BlobId>,
    /// Symbolic links, by the text of their targets.
    links: BTreeMap<String, BlobId>,
    /// Files of the work tree.
    content: BTreeMap<String, Result<Vec<u8>, ReadFault>>,
    /// Targets of links of the work tree.
    targets: BTreeMap<String, Vec<u8>>,
}

impl OtherFiles {
    /// What a commit or the index holds beside the files that are judged where they stand. A path that cannot be read is a
    /// fault of its own, never nothing.
    pub(super) fn of(listing: &Listing) -> Self {
        let mut others = Self { links: listing.links.clone(), ..Self::default() };
        let is_other = |(path, _): &(&String, &BlobId)| !is_judged(path);
        others.blobs.extend(listing.blobs.iter().filter(is_other).map(|(path, blob)| (path.clone(), *blob)));
        for (path, fault) in listing.skipped.iter().filter_map(fault) {
            others.content.insert(path.to_owned(), Err(fault));
        }
        others
    }

    /// One version of some files, and the links among them.
    pub(super) fn with(blobs: BTreeMap<String, BlobId>, links: BTreeMap<String, BlobId>) -> Self {
        Self { blobs, links, ..Self::default() }
    }

    /// What git tracks of the work tree of a state directory, without the files that are `listed` as documents. Without a
    /// repository, every file that is not hidden.
    pub(super) fn on_disk(
        root: &Path,
        repository: Option<&Repository>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let mut others = Self::default();
        let Some(repository) = repository else {
            for path in crate::workspace::plain_files(root).into_iter().filter(|path| is_wanted(path)) {
                others.take_from_disk(root, &path);
            }
            return Ok(others);
        };
        let tracked = repository.tracked(is_wanted)?;
        let not_checked_out = |path: &str| root.join(path).symlink_metadata().is_err();
        let left_out = match tracked.blobs.keys().any(|path| not_checked_out(path)) {
            true => repository.not_checked_out()?,
            false => BTreeMap::new(),
        };
        for path in tracked.blobs.keys().chain(tracked.links.keys()) {
            match left_out.get(path) {
                Some(blob) if not_checked_out(path) => drop(others.blobs.insert(path.clone(), *blob)),
                _ => others.take_from_disk(root, path),
            }
        }
        for (path, fault) in tracked.skipped.iter().filter_map(fault) {
            others.content.insert(path.to_owned(), Err(fault));
        }
        Ok(others)
    }

    /// Reads what stands at a path of the work tree; what is gone is nothing.
    fn take_from_disk(&mut self, root: &Path, path: &str) {
        let full = root.join(path);
        let Ok(data) = full.symlink_metadata() else { return };
        if data.is_symlink() {
            let target = std::fs::read_link(&full).map(|target| target.into_os_string().into_encoded_bytes());
            self.targets.extend(target.ok().map(|target| (path.to_owned(), target)));
        } else if data.is_file() && data.len() > LARGEST {
            self.content.insert(path.to_owned(), Err(too_large()));
        } else if data.is_file() {
            let bytes = std::fs::read(&full).map_err(|error| ReadFault { reason: error.kind().to_string() });
            self.content.insert(path.to_owned(), bytes);
        }
    }

    /// Leaves out what `before` has in the same version.
    pub(super) fn without(mut self, before: &Self) -> Self {
        self.blobs.retain(|path, blob| before.blobs.get(path) != Some(blob));
        self.links.retain(|path, blob| before.links.get(path) != Some(blob));
        self.content.retain(|path, content| before.content.get(path) != Some(content));
        self
    }

    /// What of this stands at the paths of `after`: what it was before.
    pub(super) fn at_paths_of(mut self, after: &Self) -> Self {
        let is_there = |path: &str| {
            after.blobs.contains_key(path)
                || after.links.contains_key(path)
                || after.content.contains_key(path)
                || after.targets.contains_key(path)
        };
        self.retain(is_there);
        self
    }

    fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.blobs.retain(|path, _| is_kept(path));
        self.links.retain(|path, _| is_kept(path));
        self.content.retain(|path, _| is_kept(path));
        self.targets.retain(|path, _| is_kept(path));
    }

    /// Lists what the wall refuses in them, and what cannot be looked through, by the policies of a state directory.
    pub(super) fn findings(
        mut self,
        repository: Option<&Repository>,
        workspace: &Workspace,
    ) -> Result<Vec<Finding>, Error> {
        if repository.is_some_and(|repository| repository.prefix().is_empty()) {
            self.retain(is_in_layout);
        }
        if let Some(repository) = repository {
            for (path, blob) in std::mem::take(&mut self.blobs) {
                let content = repository.blob(blob, LARGEST)?.ok_or_else(too_large);
                self.content.insert(path, content);
            }
            for (path, blob) in std::mem::take(&mut self.links) {
                self.targets.extend(repository.blob(blob, LARGEST)?.map(|target| (path, target)));
            }
        }
        let nothing = MemoryFiles::default();
        let files = Overlay::with(&nothing, self.content);
        Ok(scan_others(&files as &dyn Files, &self.targets, workspace))
    }
}

/// Whether a path lies in a folder of the layout. A state directory at the root of its repository shares it with code, which
/// is not ours to judge.
fn is_in_layout(path: &str) -> bool {
    path.split('/').next().is_some_and(|first| PathClass::of(first) != PathClass::Nothing)
}

fn too_large() -> ReadFault {
    ReadFault { reason: "it is larger than 16 MiB, so it was not looked through".to_owned() }
}

/// Why a path of a listing is not read, where that is a fault.
fn fault(skipped: &Skipped) -> Option<(&str, ReadFault)> {
    let (path, reason) = match skipped {
        Skipped::Name(path) => (path, "its name is no UTF-8".to_owned()),
        Skipped::Depth(path) => {
            (path, format!("it stands more than {DEEPEST} folders deep, so it was not looked through"))
        }
        Skipped::Link(_) | Skipped::Submodule(_) | Skipped::Size(_) => return None,
    };
    Some((path, ReadFault { reason }))
}
