//! This test program, started again as a process of its own: to be killed, to run beside others, or to see another
//! environment.
//!
//! The acts stand for `loopx reconcile --commit`; once the command does all of it, `start` can start that instead.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loopx::git::Repository;
use loopx::store::{CommitMessage, CommitMethod, CommitRequest, Durability, Probe, Store};

use super::sandbox::Sandbox;
use super::{WAIT, time, wanted};

const ACT: &str = "LOOPX_TEST_ACT";
const PLACE: &str = "LOOPX_TEST_PLACE";
/// How many changes to the disk the child makes before it ends itself without a word.
const LIFE: &str = "LOOPX_TEST_LIFE";

/// Prepares a child that does `act` in `place` and sees nothing of this machine but the sandbox.
pub(super) fn start(sandbox: &Sandbox, act: &str, place: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    sandbox.scrub(&mut command);
    command.args(["--exact", "store::child::act", "--ignored", "--nocapture", "--quiet"]);
    command.env(ACT, act).env(PLACE, place).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Lets the child end after some changes to the disk.
pub(super) fn with_life(mut command: Command, changes: usize) -> Command {
    command.env(LIFE, changes.to_string());
    command
}

/// Runs a child to its end and returns what it had to say.
pub(super) fn run(mut command: Command) -> String {
    let output = command.output().expect("a child");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.lines().find_map(|line| line.split_once("child: ")).map_or(String::new(), |(_, said)| said.to_owned())
}

/// What the child does. Ends in one line, if it comes to an end.
#[test]
#[ignore = "only ever started by other tests"]
fn act() {
    let Ok(act) = std::env::var(ACT) else { return };
    let place = std::env::var_os(PLACE).expect("a place");
    let life = std::env::var(LIFE).ok().and_then(|life| life.parse().ok());
    let said = match work(&act, Path::new(&place), life.map(ending_after)) {
        Ok(said) => said,
        Err(error) => error.to_string(),
    };
    // Past the test harness, which would keep it for itself.
    writeln!(std::io::stdout(), "child: {said}").expect("an open pipe");
}

fn ending_after(changes: usize) -> Probe {
    let made = AtomicUsize::new(0);
    Arc::new(move |_| {
        if made.fetch_add(1, Ordering::SeqCst) == changes {
            std::process::abort();
        }
        Ok(())
    })
}

fn work(act: &str, place: &Path, probe: Option<Probe>) -> Result<String, loopx::store::StoreError> {
    let (act, rest) = act.split_once(' ').unwrap_or((act, ""));
    let repository = Repository::discover(place)?;
    let open = |probe| Store::open_probed(place, repository.clone(), WAIT, probe);
    let files = match act {
        // `storm NAME COUNT`: many runs, one after another.
        "storm" => {
            let (name, count) = rest.split_once(' ').expect("a name and a count");
            for number in 0..count.parse().expect("a count") {
                work(&format!("commit {}", receipt(name, number)), place, None)?;
            }
            return Ok(format!("{count} runs"));
        }
        // `commit PATH...`: a run that records something.
        "commit" => rest.split(' ').map(|path| (path, "recorded: true\n")).collect::<Vec<_>>(),
        other => panic!("no act is called {other}"),
    };
    let store = open(probe)?;
    let files = wanted(&files);
    store.write(&files, &|_, _| true, Durability::Derived)?;
    let message = CommitMessage::new(&format!("Record {rest}"), &[("Loopx-Goal", "goal-1")])?;
    let request = CommitRequest {
        files: &files,
        message: &message,
        time: time(),
        via: CommitMethod::Gix,
        branch: None,
        allow_detached: false,
    };
    let committed = store.commit(&request, &|_, _| true)?;
    Ok(committed.map_or_else(|| "nothing".to_owned(), |commit| commit.to_string()))
}

/// The path of a receipt.
pub(super) fn receipt(name: &str, number: usize) -> String {
    format!("receipts/{name}/{:02x}/run-{number}.yaml", number % 256)
}
