//! What git knows of a state directory, as plain data: refs, trees, history and signatures.
//!
//! Comes in: a directory. Goes out: what its git repository records, who recorded it and when. Only reads: it moves no
//! ref and writes no object; it starts no process but git's own where a signature is to be verified. Must not know: what any document means.

mod id;
mod compare;
mod error;
mod history;
mod names;
mod place;
mod refs;
mod settings;
mod signature;
mod sparse;
mod staged;
mod tree;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gix::open::permissions::{Attributes, Config, Environment};
use gix::sec::Permission;
use gix::sec::trust::{DefaultForLevel, Mapping};

use crate::workspace::{ContentId, Identify};
pub use compare::PathDifference;
pub(crate) use error::failed;
pub use error::{Fetch, GitError, GitFault, quoted};
pub use history::{ChangeKind, CommitInfo, CommittedChange, Form, History};
pub use id::{Ancestry, BlobId, CommitId, TreeId};
pub use place::GitPlace;
pub use refs::{AuthorityCommit, Branch, Head};
pub use settings::LeftOut;
pub use signature::Signature;
pub use tree::{CommitFiles, DEEPEST, Listing, Skipped};

/// Where a repository keeps its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepositoryKind {
    /// A work tree with its own `.git` folder.
    WorkTree,
    /// A further work tree of another repository.
    LinkedWorkTree,
    /// The work tree of a submodule.
    Submodule,
    /// No work tree at all.
    Bare,
}

/// What git was asked to do and has not finished; displays as words that fit after "during".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnfinishedOperation {
    /// `git merge` stopped before its commit.
    Merge,
    /// `git rebase` is under way.
    Rebase,
    /// `git cherry-pick` stopped before its commit.
    CherryPick,
    /// `git revert` stopped before its commit.
    Revert,
    /// `git bisect` is looking for a commit.
    Bisect,
    /// `git am` is applying patches.
    ApplyMailbox,
}

impl fmt::Display for UnfinishedOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Merge => "a merge",
            Self::Rebase => "a rebase",
            Self::CherryPick => "a cherry-pick",
            Self::Revert => "a revert",
            Self::Bisect => "a bisect",
            Self::ApplyMailbox => "the application of a mailbox",
        })
    }
}

/// A git repository, read only. Every path it takes or gives is relative to the directory it was discovered from.
#[derive(Clone)]
pub struct Repository {
    git: gix::Repository,
    /// The directory's path below the root of the work tree: empty, or ending in a slash.
    prefix: String,
    /// How many versions of files were read, by this one and its copies.
    read: Arc<AtomicUsize>,
}

impl fmt::Debug for Repository {
    /// Leaves out every absolute path.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository").field("kind", &self.kind()).field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl Repository {
    /// Finds the repository that holds `directory`; none is fine.
    ///
    /// Only the place counts: what a calling hook left in `GIT_DIR`, `GIT_INDEX_FILE` and their like is not read.
    ///
    /// # Errors
    ///
    /// A repository that is there and cannot be read: a reftable, a broken configuration, a work tree elsewhere, a `.git`
    /// that lacks its parts or leads nowhere.
    pub fn discover(directory: &Path) -> Result<Option<Self>, GitError> {
        let directory = directory.canonicalize().map_err(|error| GitError::of_io("find the directory", &error))?;
        let git = match gix::ThreadSafeRepository::discover_opts(&directory, Default::default(), permissions()) {
            Ok(found) => found.to_thread_local(),
            // A gate would open if a broken repository counted as none.
            Err(error) if is_absent(&error) => {
                return if marked(&directory).is_some() { Err(GitError::Broken) } else { Ok(None) };
            }
            Err(error) => return Err(failed("open the repository")(error)),
        };
        // gix opens such a repository and then fails at each ref with a message that names no remedy.
        if git.common_dir().join("reftable").is_dir() {
            return Err(GitError::Reftable);
        }
        let prefix = prefix(&git, &directory)?;
        let top = directory.ancestors().nth(prefix.matches('/').count());
        // Above a broken repository another one may stand.
        if git.workdir().is_some() && marked(&directory) != top {
            return Err(GitError::Broken);
        }
        Ok(Some(Self { git, prefix, read: Arc::default() }))
    }

    /// Returns the same repository as seen from the root of its work tree.
    #[must_use]
    pub fn at_top(&self) -> Self {
        Self { git: self.git.clone(), prefix: String::new(), read: Arc::clone(&self.read) }
    }

    /// Returns the same repository as seen from a folder below the root of its trees; `prefix` is empty, or ends in a
    /// slash. The folder need not be checked out.
    #[must_use]
    pub fn below(&self, prefix: &str) -> Self {
        Self { git: self.git.clone(), prefix: prefix.to_owned(), read: Arc::clone(&self.read) }
    }

    /// Tells how many versions of files were read, by this one and its copies.
    #[must_use]
    pub fn blobs_read(&self) -> usize {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns the directory's path below the root of the work tree: empty, or ending in a slash.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the root of the work tree, which a bare repository lacks.
    #[must_use]
    pub fn work_tree(&self) -> Option<&Path> {
        self.git.workdir()
    }

    /// Returns the folder with this work tree's `HEAD` and index.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        self.git.git_dir()
    }

    /// Returns the folder with the objects and branches, shared by all work trees.
    #[must_use]
    pub fn common_dir(&self) -> &Path {
        self.git.common_dir()
    }

    /// Returns where the repository keeps its files.
    #[must_use]
    pub fn kind(&self) -> RepositoryKind {
        match self.git.kind() {
            _ if self.git.workdir().is_none() => RepositoryKind::Bare,
            gix::repository::Kind::Common => RepositoryKind::WorkTree,
            gix::repository::Kind::LinkedWorkTree => RepositoryKind::LinkedWorkTree,
            gix::repository::Kind::Submodule => RepositoryKind::Submodule,
        }
    }

    /// Tells whether the current user owns the repository, or `safe.directory` names it. Nothing may be written to one
    /// that is not trusted, and its own configuration is not followed when it is read.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.git.git_dir_trust() == gix::sec::Trust::Full
    }

    /// Tells whether a part of the history was left out when the repository was cloned.
    ///
    /// # Errors
    ///
    /// The list of those commits cannot be read.
    pub fn is_shallow(&self) -> Result<bool, GitError> {
        self.git.is_shallow().map_err(failed("read the shallow boundary"))
    }

    /// Returns what git has begun and not finished here.
    #[must_use]
    pub fn operation(&self) -> Option<UnfinishedOperation> {
        use gix::state::InProgress;
        Some(match self.git.state()? {
            InProgress::Merge => UnfinishedOperation::Merge,
            InProgress::Rebase | InProgress::RebaseInteractive => UnfinishedOperation::Rebase,
            InProgress::CherryPick | InProgress::CherryPickSequence => UnfinishedOperation::CherryPick,
            InProgress::Revert | InProgress::RevertSequence => UnfinishedOperation::Revert,
            InProgress::Bisect => UnfinishedOperation::Bisect,
            InProgress::ApplyMailbox | InProgress::ApplyMailboxRebase => UnfinishedOperation::ApplyMailbox,
        })
    }

    /// How this repository names the contents of files: as it would name a blob of the same bytes.
    #[must_use]
    pub fn identify(&self) -> Identify {
        match self.git.object_hash() {
            gix::hash::Kind::Sha256 => |bytes| content_id(gix::hash::Kind::Sha256, bytes),
            _ => |bytes| content_id(gix::hash::Kind::Sha1, bytes),
        }
    }

    /// Opens the same repository anew, with whatever its configuration says by now.
    ///
    /// # Errors
    ///
    /// As [`Repository::discover`], and the repository having gone.
    pub fn reopen(&self) -> Result<Self, GitError> {
        let mut git = self.git.clone();
        git.reload().map_err(failed("open the repository"))?;
        Ok(Self { git, prefix: self.prefix.clone(), read: Arc::clone(&self.read) })
    }

    /// Returns the library's own handle, for `store`, the one module that writes.
    pub(crate) fn handle(&self) -> &gix::Repository {
        &self.git
    }
}

/// Names a content; one that nobody may name, since it collides with another on purpose, has a name of no file.
fn content_id(hash: gix::hash::Kind, bytes: &[u8]) -> ContentId {
    let name = gix::objs::compute_hash(hash, gix::objs::Kind::Blob, bytes);
    name.map_or_else(|_| ContentId::new(&[]), |name| ContentId::new(name.as_bytes()))
}

/// What may be read beside the repository itself. No object stands for another one (`git replace`): a clone need not have
/// the substitutes, and a receipt is what its commit holds. The user's configuration and identity are read, but no `GIT_*`
/// variable that points git somewhere else. A hook runs with those set for the repository that it belongs to.
fn permissions() -> Mapping<gix::open::Options> {
    let level = |trust| {
        let options = gix::open::Options::default_for_level(trust).config_overrides(["core.useReplaceRefs=false"]);
        options.permissions(gix::open::Permissions {
            env: Environment { git_prefix: Permission::Deny, objects: Permission::Deny, ..Environment::all() },
            config: Config { env: false, ..Config::all() },
            attributes: Attributes::all(),
        })
    };
    Mapping { full: level(gix::sec::Trust::Full), reduced: level(gix::sec::Trust::Reduced) }
}

/// Tells a directory without a repository from a repository that cannot be opened.
fn is_absent(error: &gix::Error) -> bool {
    use gix::discover::upwards::Error as Upwards;
    matches!(
        error.downcast_any_ref(),
        Some(
            Upwards::NoGitRepository { .. }
                | Upwards::NoGitRepositoryWithinCeiling { .. }
                | Upwards::NoGitRepositoryWithinFs { .. }
        )
    )
}

/// The nearest folder at or above `directory` in which anything is called `.git`.
fn marked(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// Finds the canonical `directory` below the root of the work tree.
fn prefix(git: &gix::Repository, directory: &Path) -> Result<String, GitError> {
    let Some(root) = git.workdir() else { return Ok(String::new()) };
    let root: PathBuf = root.canonicalize().map_err(|error| GitError::of_io("find the work tree", &error))?;
    let below = directory.strip_prefix(&root).map_err(|_| GitError::OutsideWorkTree)?;
    let mut prefix = String::new();
    for part in below {
        prefix.push_str(part.to_str().ok_or(GitError::NotUnicode)?);
        prefix.push('/');
    }
    Ok(prefix)
}
