//! Keeps the outputs in step with the documents, and says what changes.

mod options;
mod command;
mod io;
mod incremental;
mod run;
mod status_line;
mod tell;
mod words;

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::state_directory;
use crate::vocabulary::Instant;
use crate::watch::{EventSource, StopRequest};
pub use incremental::{IncrementalPlan, Looked, ReconcileRun};
use io::DiskIo;
pub use io::{Checkout, WatchIo};
pub use options::{Listener, StatusLine, WatchOptions};
use run::Watch;

/// Opens a state directory on disk as a watch sees it.
///
/// # Errors
/// Its repository cannot be read.
#[doc(hidden)]
pub fn open_watch_io(root: &Path) -> Result<Box<dyn WatchIo>, Error> {
    Ok(Box::new(DiskIo::open(root.to_owned())?))
}

/// Watches the state directory of a place until a signal ends it. `clock` gives the time that verdicts are for, in
/// whole seconds. Tells whether any goal has a document that can be read.
///
/// # Errors
/// There is no state directory, git cannot be read, or the first outputs cannot be written. Later failures are said,
/// and tried again.
pub fn watch(
    place: &Path,
    wanted: &WatchOptions,
    clock: &dyn Fn() -> Instant,
    listener: Listener<'_>,
) -> Result<bool, Error> {
    let root = state_directory(place)?
        .canonicalize()
        .map_err(|error| Error::about(ErrorCode::CannotRead, format!("the state directory: {}", error.kind())))?;
    let disk = DiskIo::open(root.clone())?;
    // Before the first look, so that nothing falls between.
    let events = (!wanted.once).then(|| EventSource::open(&root, disk.git_folders(), wanted.poll));
    let stop = match &events {
        Some(events) => StopRequest::listen(events.waker())
            .map_err(|error| Error::about(ErrorCode::CannotRead, format!("signals: {}", error.kind())))?,
        None => StopRequest::default(),
    };
    let mut watch = Watch::open(disk, wanted, clock, listener)?;
    watch.begin(events.as_ref().map_or("one look", |events| events.means().word()))?;
    if let Some(mut events) = events {
        watch.run(&mut events, &stop)?;
    }
    Ok(watch.is_possible())
}
