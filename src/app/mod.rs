//! The use cases: one function for each thing that a person or an agent asks for.
//!
//! Comes in: a request as plain data, with the time where a verdict depends on it. Goes out: plain data to report, or
//! an [`Error`] when the job could not be done. Must not know: arguments, streams, exit codes. The only room that
//! joins rooms.

mod change;
mod ci;
mod error;
mod explain;
mod init;
mod lint;
mod lint_revision;
mod lookup;
mod mend;
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
mod status;
mod watch;
mod world;

use std::path::{Path, PathBuf};

pub use change::{Changed, Deed, Wish, change_document};
pub use ci::CiHost;
pub use error::{Error, ErrorCode, ErrorRow};
pub use explain::{explain, topics};
pub use init::{Initialized, init};
pub use lint::{Input, Linted, lint};
pub use lint_revision::Revision;
pub use mend::{Mended, mend, mended};
pub use plan::{Planned, State, apply, plan};
pub use project::{Projected, project};
pub use record::{Beside, commit, mend_receipts, record};
pub use recording::Recording;
pub use review::{Reviewed, Reviewing, review};
pub use row::explain_row;
pub use scan::{Scannable, Scanned, Scanning, redact, scan};
pub use schema::{kind_of, kinds, nearest_kind, schema};
pub use shipped::ShippedPolicy;
pub use status::{Asked, status};
pub use watch::{Checkout, Foot, Ground, Keeper, Listener, Looked, Ran, Watching, watch};
pub use world::{Records, world};

use crate::facts::{CommitId, Repository};
use crate::vocabulary::{Actor, Id, Instant};
use crate::workspace::{DiscoverError, Policies, discover};

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
    discover(place).map_err(undiscovered)
}

/// Opens the repository of a state directory whose history is to be judged by; git has to trust it.
fn trusted(root: &Path) -> Result<Repository, Error> {
    let repository = Repository::discover(root)?.ok_or(Error::of(ErrorCode::NoGit))?;
    if repository.is_trusted() {
        return Ok(repository);
    }
    let name = repository.work_tree().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    Err(Error::about(ErrorCode::RepositoryNotTrusted, name.unwrap_or_default()))
}

/// The actor that an address of git belongs to. The key of hashed addresses is no part of any repository: whoever has it
/// names it in the environment, and to everybody else a hash is of nobody.
fn actor_of<'p>(policies: &'p Policies, address: &str) -> Option<(&'p Id, &'p Actor)> {
    policies.actor_of(address, std::env::var(IDENTITY_KEY).ok().filter(|key| !key.is_empty()).as_deref())
}

/// Finds the commit that somebody named.
fn named_commit(repository: &Repository, name: &str) -> Result<CommitId, Error> {
    repository.revision(name).map_err(|error| {
        let why = error.to_string();
        Error::about(Error::from(error).code, format!("{name}: {why}"))
    })
}

fn undiscovered(error: DiscoverError) -> Error {
    match error {
        DiscoverError::Nothing => Error::of(ErrorCode::NoStateDirectory),
        DiscoverError::Several(names) => {
            let more = match names.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let names = names[..names.len().min(NAMED)].join(", ");
            Error::about(ErrorCode::SeveralStateDirectories, names + &more)
        }
    }
}
