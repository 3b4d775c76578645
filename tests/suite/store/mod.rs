//! What git says, and what is written beside it. Needs the `git` command, which stands for the user.

mod child;
mod commit;
mod commit_beside;
mod reading;
mod files;
mod history;
pub(crate) mod interrupted;
pub(crate) mod sandbox;
mod storm;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use loopx::git::{CommitId, Repository};
use loopx::store::{CommitMessage, CommitMethod, CommitRequest, Store, StoreError, Wanted};

/// No test waits for as long as this, however busy the machine; those about waiting bring their own bound.
const WAIT: Duration = Duration::from_secs(600);

fn discover(directory: &Path) -> Repository {
    Repository::discover(directory).expect("a readable repository").expect("a repository")
}

fn open(directory: &Path) -> Store {
    let repository = Repository::discover(directory).expect("a readable repository");
    Store::open(directory, repository, WAIT).expect("a writable directory")
}

fn wanted(files: &[(&str, &str)]) -> BTreeMap<String, Wanted> {
    let content = |text: &str| Wanted::Content(text.as_bytes().to_vec());
    files.iter().map(|(path, text)| ((*path).to_owned(), content(text))).collect()
}

fn message() -> CommitMessage {
    CommitMessage::new("Record one decision", &[("Loopx-Goal", "goal-1"), ("Loopx-Receipt", "run-0123456789abcdef")])
        .expect("a well-formed message")
}

fn time() -> jiff::Timestamp {
    "2026-01-02T03:04:05Z".parse().expect("a time")
}

fn commit_via(
    directory: &Path,
    files: &BTreeMap<String, Wanted>,
    via: CommitMethod,
) -> Result<Option<CommitId>, StoreError> {
    let (store, message) = (open(directory), message());
    let request = CommitRequest { files, message: &message, time: time(), via, branch: None, allow_detached: false };
    store.commit(&request, &|_, _| false)
}

/// Writes the files and commits them, as a run does.
fn write_and_commit(directory: &Path, files: &[(&str, &str)]) -> Result<Option<CommitId>, StoreError> {
    let files = wanted(files);
    open(directory).write(&files, &|_, _| false, loopx::store::Durability::Derived)?;
    commit_via(directory, &files, CommitMethod::Gix)
}

/// Figures of the long runs go to the terminal:
/// `cargo test --release --test suite store:: -- --ignored --nocapture --test-threads 1`.
pub(crate) fn report(line: &str) {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}").expect("a terminal");
}
