//! Writes what a host reports into the shared facts of a session.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::fault::{HOOK_PATIENCE, Unreadable};
use super::session::Holder;
use crate::app::shared_facts::{self, FactsText, session_lock};
use crate::document::to_yaml;
use crate::hosts::{HostReport, SessionKey, reported};
use crate::store::{LocalFiles, shared_facts_file};
use crate::vocabulary::{ClosedWords as _, Duration, Facts, Instant, SessionStatus};

/// How long a host that only goes on is not written down again.
const QUIET: Duration = Duration::seconds(60);

/// A report that waits for whoever holds the lock next.
#[derive(Debug, Serialize, Deserialize)]
struct Waiting {
    epoch: u64,
    todo_id: Option<String>,
    report: HostReport,
    at: Instant,
}

/// Tells the facts of a session what its host reports. A hook that cannot have the lock in time leaves the report to the
/// next one, so that none is lost and none is waited for.
pub(super) fn tell(
    files: &LocalFiles,
    root: &Path,
    dir: &str,
    holder: &Holder,
    key: &SessionKey,
    (report, at): (HostReport, Instant),
) -> Result<(), Unreadable> {
    let is_heard = holder.status != SessionStatus::Waiting && at.since(holder.at) < QUIET;
    if report == HostReport::Working && is_heard {
        return Ok(());
    }
    let waiting = Waiting { epoch: key.epoch, todo_id: key.todo_id.clone(), report, at };
    leave(files, &key.session_id, &waiting)?;
    let Some(_lock) = files.lock(&session_lock(&key.session_id), HOOK_PATIENCE)? else { return Ok(()) };
    fold(files, root, dir, key)
}

fn folder(session_id: &str) -> String {
    format!("hosts/reports/{session_id}")
}

/// Leaves a report where the holder of the lock finds it; names sort in the order of time.
fn leave(files: &LocalFiles, session_id: &str, waiting: &Waiting) -> Result<(), Unreadable> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = jiff::Timestamp::now().as_nanosecond();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}/{now:020}-{}-{count}.json", folder(session_id), std::process::id());
    Ok(files.write(&name, serde_json::to_string(waiting)?.as_bytes())?)
}

/// Folds every report that waits into the facts; a report goes only once the facts hold it.
fn fold(files: &LocalFiles, root: &Path, dir: &str, key: &SessionKey) -> Result<(), Unreadable> {
    let path = shared_facts_file(dir, key.runtime().word(), &key.session_id);
    let known = read_facts(files, root, dir, key)?;
    let mut facts = known.clone();
    let names = files.list(&folder(&key.session_id));
    for name in &names {
        let Some(bytes) = files.read(&format!("{}/{name}", folder(&key.session_id)))? else { continue };
        let Ok(waiting) = serde_json::from_slice::<Waiting>(&bytes) else { continue };
        let key = SessionKey { epoch: waiting.epoch, todo_id: waiting.todo_id, ..key.clone() };
        // The clocks of two processes may differ by a second; a report is never older than what was folded before it.
        let at = facts.as_ref().map_or(waiting.at, |facts| waiting.at.max(facts.updated_at));
        facts = reported(facts.as_ref(), &key, waiting.report, at).or(facts);
    }
    if let Some(facts) = facts.filter(|facts| Some(facts) != known.as_ref()) {
        files.write(&path, to_yaml(&facts).as_bytes())?;
        if let Some(holder) = Holder::read(files, &key.session_id)? {
            Holder { status: facts.status, at: facts.updated_at, ..holder }.write(files, &key.session_id)?;
        }
    }
    for name in names {
        files.remove(&format!("{}/{name}", folder(&key.session_id)))?;
    }
    Ok(())
}

/// The facts of a session as they stand. Facts that cannot be read are written anew by their host.
pub(crate) fn read_facts(
    files: &LocalFiles,
    root: &Path,
    dir: &str,
    key: &SessionKey,
) -> Result<Option<Facts>, Unreadable> {
    let found = shared_facts::read_facts(files, root, dir, (key.runtime().word(), &key.session_id))?;
    Ok(found.and_then(FactsText::facts))
}
