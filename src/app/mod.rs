//! The use cases: one function for each thing that a person or an agent asks for.
//!
//! Comes in: a request as plain data, with the time where a verdict depends on it. Goes out: plain data to report, or
//! an [`Error`] when the job could not be done. Must not know: arguments, streams, exit codes. The only module
//! that joins others.

mod reconciled;
mod lint_target;
mod authority;
mod change;
mod checkout;
mod ci;
mod connect;
mod other_branches;
mod doctor;
mod error;
mod explain;
mod goal_receipts;
mod host_commands;
mod hook;
mod ingest;
mod init;
mod lint;
mod lint_revision;
mod lookup;
mod fix;
mod names;
mod observe;
mod permission;
mod other_files;
mod plan;
mod project;
mod scan;
pub mod receipts;
mod record;
mod recording;
mod review;
mod row;
mod schema;
mod shipped;
mod sessions;
mod shared_facts;
mod status;
mod turn;
mod validate;
mod watch;
mod world;

use std::path::{Path, PathBuf};

use crate::git::{CommitId, Repository};
use crate::vocabulary::{Id, Instant, PolicyActor};
use crate::workspace::{DiscoverError, DisplayPaths, MARK, Policies, discover, display_prefix};
pub use change::{ChangeRequest, Changed, Operation, change_document};
pub use ci::CiHost;
pub use connect::{
    ConnectCheck, ConnectRequest, Connected, HookLine, SetupChange, SetupState, check_connection, connect, disconnect,
    plugin,
};
pub use doctor::{DoctorLine, RunHook, doctor};
pub use error::{Error, ErrorCode, ErrorRow};
pub use explain::{explain, topics};
pub use fix::{FixedFile, fix, fixed};
pub use hook::{BoundGoal, GoalChoice, Holder, HookRequest, HostRoute, HostSession, Routes, hook, hook_fallback};
pub use host_commands::{Asking, heartbeat_prompt, project as host_project};
pub use ingest::{Ingested, ingest};
pub use init::{Initialized, init};
pub use lint::{Input, Linted, lint};
pub use lint_revision::Revision;
pub use observe::{Reported, SessionChoice};
pub use plan::{Planned, ReconciledDirectory, apply, plan};
pub use project::{Projected, project};
pub use record::{PendingReceipts, commit, mend_receipts, record};
pub use recording::Recording;
pub use review::{Changes, Range, ReviewOptions, Reviewed, compare, review};
pub use row::explain_row;
pub use scan::{ScanOptions, Scannable, Scanned, redact, scan};
pub use schema::{AnswerShape, kind_of, kinds, nearest_kind, schema};
pub use sessions::{
    SessionLine, announce_session, choose_goal, move_routes, refuse_while_held, restore_session, sessions,
};
pub use shipped::ShippedPolicy;
pub use status::{StatusRequest, status};
pub use turn::{
    Answered, GuardRequest, NextRequest, NextTurn, SettleRequest, TimerReport, acknowledge_timer, next, quota_spend,
    quota_status, quota_void, settle, settle_probed, should_run,
};
pub use validate::{ValidationRequest, validate};
pub use watch::{
    Checkout, IncrementalPlan, Listener, Looked, ReconcileRun, StatusLine, WatchIo, WatchOptions, open_watch_io, watch,
};
pub use world::{ReadCommitted, Records, world};

/// How many state directories an error lists.
const NAMED: usize = 5;

/// The variable that holds the key of hashed addresses.
const IDENTITY_KEY: &str = "LOOPX_IDENTITY_KEY";

/// The clock's time, in whole seconds.
#[must_use]
pub fn now() -> Instant {
    let now = jiff::Timestamp::now();
    Instant::new(jiff::Timestamp::from_second(now.as_second()).unwrap_or(now))
}

/// Finds the state directory of a place.
///
/// # Errors
/// There is none, or several to choose from.
pub fn state_directory(place: &Path) -> Result<PathBuf, Error> {
    discover(place).map_err(|error| undiscovered(place, error))
}

/// Opens the repository of a state directory whose history is to be judged by; git has to trust it.
fn trusted(root: &Path) -> Result<Repository, Error> {
    must_be_trusted(Repository::discover(root)?.ok_or(Error::of(ErrorCode::NoGit))?)
}

fn must_be_trusted(repository: Repository) -> Result<Repository, Error> {
    if repository.is_trusted() {
        return Ok(repository);
    }
    let folder = repository.work_tree().unwrap_or(repository.git_dir());
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    Err(Error::about(ErrorCode::RepositoryNotTrusted, name.unwrap_or_default()))
}

/// The key of keyed hashes of addresses. It is no part of any repository: whoever has it names it in the environment, and
/// to everybody else such a hash is of nobody.
fn identity_secret() -> Option<String> {
    std::env::var(IDENTITY_KEY).ok().filter(|key| !key.is_empty())
}

/// The actors that an address of git stands for.
fn actors_of<'p>(policies: &'p Policies, address: &str) -> Vec<(&'p Id, &'p PolicyActor)> {
    let secret = identity_secret();
    let known = policies.actors_of(address, secret.as_deref());
    known.map(|(id, _)| id.as_str()).collect::<Vec<_>>().into_iter().filter_map(|id| policies.actor(id)).collect()
}

/// A state directory as git holds it.
struct Located {
    /// The repository, as seen from there.
    repository: Repository,
    /// Where it stands on disk; nowhere in a bare clone, and where it is not checked out.
    root: Option<PathBuf>,
}

impl Located {
    /// Finds the state directory of a place on disk, else the one that `elsewhere` finds in git as a path below the root
    /// of the repository. `None` when there is none at all.
    fn find(
        place: &Path,
        elsewhere: impl FnOnce(&Repository) -> Result<Option<String>, Error>,
    ) -> Result<Option<Self>, Error> {
        match discover(place) {
            Ok(root) => return Ok(Some(Self { repository: trusted(&root)?, root: Some(root) })),
            Err(DiscoverError::Nothing) => {}
            Err(several) => return Err(undiscovered(place, several)),
        }
        let Some(repository) = Repository::discover(place)? else { return Err(Error::of(ErrorCode::NoStateDirectory)) };
        let repository = must_be_trusted(repository)?;
        let found = elsewhere(&repository)?;
        Ok(found.map(|prefix| Self { repository: repository.below(&prefix), root: None }))
    }

    /// How the paths of the state directory are shown from `place`.
    fn paths(&self, place: &Path) -> DisplayPaths {
        match &self.root {
            Some(root) => DisplayPaths::below(place, root),
            None => DisplayPaths::in_repository(self.repository.prefix()),
        }
    }

    /// What stands before a path of the state directory so that it leads there: from `place` to what is checked out,
    /// else from the root of the repository.
    fn shown(&self, place: &Path) -> String {
        self.root.as_ref().map_or_else(|| self.repository.prefix().to_owned(), |root| display_prefix(place, root))
    }
}

/// The state directory of a commit, as its path below the root of the repository: empty, or ending in a slash; `None`
/// when the commit has none.
///
/// # Errors
/// There are several, or git cannot be read.
fn state_directory_in(repository: &Repository, commit: CommitId) -> Result<Option<String>, Error> {
    let files = repository.at_top().list_named(commit, "", &|name| name == MARK.as_bytes())?;
    only(files.blobs.into_keys())
}

/// The only state directory among the paths of files.
fn only(files: impl Iterator<Item = String>) -> Result<Option<String>, Error> {
    let prefix = |path: String| path.strip_suffix(MARK).map(str::to_owned);
    let mut found: Vec<String> = files.filter_map(prefix).filter(|it| it.is_empty() || it.ends_with('/')).collect();
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => Err(several(&found.iter().map(|it| it.trim_end_matches('/').to_owned()).collect::<Vec<_>>())),
    }
}

/// Why no state directory was found for a place.
fn undiscovered(place: &Path, error: DiscoverError) -> Error {
    match error {
        DiscoverError::Nothing => checkout::absent(place),
        DiscoverError::Several(names) => several(&names),
    }
}

fn several(names: &[String]) -> Error {
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names[..names.len().min(NAMED)].join(", ");
    Error::about(ErrorCode::SeveralStateDirectories, names + &more)
}
