//! What a watch looks at and writes to: a state directory on disk, or one in the memory of a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::app::Error;
use crate::app::checkout::CheckedOut;
use crate::app::plan::write;
use crate::app::world::Records;
use crate::git::{Head, Repository, UnfinishedOperation};
use crate::render::OutputChange;
use crate::store::{Store, WrittenFiles};
use crate::vocabulary::Instant;
use crate::watch::{GitFolders, WatchLimit};
use crate::workspace::{Emitted, Files, Workspace, is_state_directory};

/// The branch and commit that are checked out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checkout {
    /// The branch, by its short name; `None` when no branch is.
    pub branch: Option<String>,
    /// The commit, in hex, once there is one.
    pub commit: Option<String>,
}

/// A state directory that changes while somebody looks.
pub trait WatchIo {
    /// Begins a look: says what is checked out, and remembers what must still hold when something is written.
    ///
    /// # Errors
    /// Git is there and cannot be read.
    fn begin(&mut self) -> Result<Checkout, Error>;

    /// Every file.
    ///
    /// # Errors
    /// The index cannot be read.
    fn walk(&self) -> Result<Box<dyn Files>, Error>;

    /// Those of some paths that are files; `None` when one of them is a folder.
    ///
    /// # Errors
    /// The index cannot be read.
    fn at(&self, paths: &BTreeSet<String>) -> Result<Option<Box<dyn Files>>, Error>;

    /// What is recorded; `None`: the same as `known`.
    ///
    /// # Errors
    /// Git is there and cannot be read.
    fn records(&self, known: &Records) -> Result<Option<Records>, Error>;

    /// Joins the documents here with those of the authority ref, of some goals or of all. Where no commits are, nothing
    /// differs from them.
    ///
    /// # Errors
    /// Git is there and cannot be read.
    fn join(
        &self,
        _records: &mut Records,
        _here: &Workspace,
        _goals: Option<&BTreeSet<String>>,
        _as_of: Instant,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// The files in the places of outputs, at and below a path; all of them for the empty path.
    fn outputs(&self, below: &str) -> BTreeMap<String, Vec<u8>>;

    /// Makes outputs what they shall be; `None` when git changed files since the look began, so that what was seen may
    /// be of two commits.
    ///
    /// # Errors
    /// The files cannot be written.
    fn write(&mut self, changes: &[OutputChange]) -> Result<Option<WrittenFiles>, Error>;
}

/// How long a write waits for another run. It is tried again later.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often in a row a look may be overtaken before it counts all the same.
const OVERTAKEN: usize = 8;

/// How long git may take between unlocking the index and saying that a merge is open, on a busy machine.
const STOPPING: Duration = Duration::from_secs(2);

/// A state directory on disk.
pub(super) struct DiskIo {
    root: PathBuf,
    repository: Option<Repository>,
    begun: Option<LookStart>,
    overtaken: usize,
}

/// What must still hold at the end of a look.
#[derive(Debug, PartialEq, Eq)]
struct LookStart {
    checkout: Checkout,
    is_locked: bool,
    operation: Option<UnfinishedOperation>,
    index: Option<(u64, SystemTime)>,
}

impl DiskIo {
    pub(super) fn open(root: PathBuf) -> Result<Self, Error> {
        let repository = Repository::discover(&root)?;
        Ok(Self { root, repository, begun: None, overtaken: 0 })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn repository(&self) -> Option<&Repository> {
        self.repository.as_ref()
    }

    /// Opens the repository anew: its configuration may have changed, or it may be new. One that is gone is a failure: what
    /// it recorded still closes.
    pub(super) fn reopen(&mut self) -> Result<(), Error> {
        let found = Repository::discover(&self.root)?;
        if self.repository.is_some() && found.is_none() {
            return Err(crate::git::GitError::Broken.into());
        }
        self.repository = found;
        Ok(())
    }

    /// Where git keeps what has to be watched.
    pub(super) fn git_folders(&self) -> Option<GitFolders> {
        let canonical = |path: &Path| path.canonicalize().ok();
        let repository = self.repository.as_ref()?;
        Some(GitFolders { own: canonical(repository.git_dir())?, common: canonical(repository.common_dir())? })
    }

    /// What stands in the way of a look.
    pub(super) fn limit(&self) -> WatchLimit {
        if !is_state_directory(&self.root) {
            return WatchLimit::Gone;
        }
        match self.repository.as_ref().and_then(Repository::operation) {
            // Between two steps of a bisect the files are those of one commit.
            None | Some(UnfinishedOperation::Bisect) if self.is_locked() || self.is_stopping() => WatchLimit::Locked,
            None | Some(UnfinishedOperation::Bisect) => WatchLimit::Clear,
            Some(operation) => WatchLimit::Unfinished(operation),
        }
    }

    fn is_locked(&self) -> bool {
        self.repository.as_ref().is_some_and(|repository| repository.git_dir().join("index.lock").exists())
    }

    /// Whether a merge may be about to stop at its conflicts: git notes what it could merge before it unlocks the index,
    /// and only then says that a merge is open. What stands between conflict marks meanwhile is nobody's document.
    fn is_stopping(&self) -> bool {
        let noted = self.repository.as_ref().and_then(|it| it.git_dir().join("AUTO_MERGE").metadata().ok());
        let age = noted.and_then(|noted| noted.modified().ok()).and_then(|noted| noted.elapsed().ok());
        age.is_some_and(|age| age < STOPPING)
    }

    fn now(&self) -> Result<LookStart, Error> {
        let Some(repository) = &self.repository else {
            return Ok(LookStart { checkout: Checkout::default(), is_locked: false, operation: None, index: None });
        };
        let is_locked = self.is_locked();
        let data = repository.git_dir().join("index").metadata().ok();
        let index = data.and_then(|data| Some((data.len(), data.modified().ok()?)));
        let head = repository.head()?;
        let commit = head.commit().map(|commit| commit.to_string());
        let branch = match head {
            Head::Branch { name, .. } => Some(name),
            Head::Detached(_) => None,
        };
        let operation = repository.operation();
        Ok(LookStart { checkout: Checkout { branch, commit }, is_locked, operation, index })
    }
}

impl WatchIo for DiskIo {
    fn begin(&mut self) -> Result<Checkout, Error> {
        let begun = self.now()?;
        let checkout = begun.checkout.clone();
        self.begun = Some(begun);
        Ok(checkout)
    }

    fn walk(&self) -> Result<Box<dyn Files>, Error> {
        Ok(Box::new(CheckedOut::open(&self.root, self.repository.as_ref())?))
    }

    fn at(&self, paths: &BTreeSet<String>) -> Result<Option<Box<dyn Files>>, Error> {
        let files = CheckedOut::at(&self.root, paths, self.repository.as_ref())?;
        Ok(files.map(|files| Box::new(files) as Box<dyn Files>))
    }

    fn records(&self, known: &Records) -> Result<Option<Records>, Error> {
        let renewed = known.renewed(self.repository.as_ref(), &self.root)?;
        if let Some(records) = renewed.as_ref().filter(|records| records.commits() != known.commits()) {
            records.keep_sums(self.repository.as_ref(), &self.root);
        }
        Ok(renewed)
    }

    fn join(
        &self,
        records: &mut Records,
        here: &Workspace,
        goals: Option<&BTreeSet<String>>,
        as_of: Instant,
    ) -> Result<(), Error> {
        records.join(self.repository.as_ref(), here, goals, as_of)
    }

    fn outputs(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let emitted = Emitted::below(&self.root, below);
        emitted.list().iter().filter_map(|path| Some((path.clone(), emitted.read(path)?))).collect()
    }

    fn write(&mut self, changes: &[OutputChange]) -> Result<Option<WrittenFiles>, Error> {
        let store = Store::open(&self.root, self.repository.clone(), PATIENCE)?;
        let now = self.now()?;
        let is_whole = self.begun.as_ref() == Some(&now) && self.limit() != WatchLimit::Gone;
        let is_same =
            self.begun.as_ref().is_some_and(|begun| begun.checkout == now.checkout && begun.operation == now.operation);
        let counts = is_whole || is_same && self.overtaken >= OVERTAKEN;
        if !counts {
            self.overtaken += 1;
            return Ok(None);
        }
        self.overtaken = 0;
        write(&store, changes).map(Some)
    }
}
