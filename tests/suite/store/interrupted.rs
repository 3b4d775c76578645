//! Runs that end in the middle: at every change to the disk in turn, and by `kill` at random moments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::generator::{NOW, steady};

use super::sandbox::{Sandbox, put, snapshot};
use super::{child, report};

/// Numbers that are spread well and the same in every run; what is random is the moment they are used at.
pub(crate) struct Spread(pub(crate) u64);

impl Spread {
    pub(crate) fn below(&mut self, limit: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        limit.mul_f64((self.0 >> 33) as f64 / (1_u64 << 31) as f64)
    }
}

pub(crate) fn kill(mut child: Child) {
    child.kill().expect("a child");
    child.wait().expect("a child");
}

/// Waits until `happened`, or until the child has ended.
pub(crate) fn wait_for(child: &mut Child, happened: impl Fn() -> bool) {
    while !happened() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// A generated state directory and what `loopx reconcile` makes of it.
struct Reconciled {
    sandbox: Sandbox,
    root: PathBuf,
    /// Every output with its bytes, as a run leaves it that nobody stops.
    outputs: Vec<(PathBuf, Vec<u8>)>,
}

impl Reconciled {
    fn new(goals: usize) -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.init("repo", &[]);
        for (path, bytes) in steady(1, goals).files {
            put(&root, &path, std::str::from_utf8(&bytes).expect("Unicode"));
        }
        let mut reconciled = Self { sandbox, root, outputs: Vec::new() };
        reconciled.complete();
        for place in ["attention.json", "projections", "previews", "blockers"] {
            let place = reconciled.root.join(place);
            if place.is_dir() {
                reconciled.outputs.extend(snapshot(&place));
            } else if place.exists() {
                reconciled.outputs.push((place.clone(), fs::read(place).expect("an output")));
            }
        }
        reconciled.outputs.sort();
        reconciled
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        command.arg("-C").arg(&self.root).args(["--now", NOW, "--quiet", "reconcile"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn complete(&self) {
        assert!(self.command().status().expect("a run").success());
    }

    /// Makes every output one that a run has to replace: the same, and a line break.
    fn make_stale(&self) {
        for (path, bytes) in &self.outputs {
            fs::write(path, [bytes, &b"\n"[..]].concat()).expect("an output");
        }
    }

    /// Tells whether a run has begun to put outputs in place.
    fn has_begun(&self) -> bool {
        let (first, bytes) = &self.outputs[0];
        fs::metadata(first).is_ok_and(|found| found.len() == bytes.len() as u64)
    }

    /// How many outputs are replaced; every one must be whole.
    fn replaced(&self) -> usize {
        let is_new = |(path, bytes): &&(PathBuf, Vec<u8>)| {
            let found = fs::read(path).expect("an output");
            let is_new = found == *bytes;
            assert!(is_new || found.strip_suffix(b"\n") == Some(bytes), "{} is torn", path.display());
            is_new
        };
        self.outputs.iter().filter(is_new).count()
    }
}

/// Moves the window in which kills fall to where a run is: other work on the machine makes it longer or shorter.
pub(crate) fn nearer(window: Duration, came_in_time: bool) -> Duration {
    if came_in_time { window * 21 / 20 } else { window * 9 / 10 }
}

/// Kills so many runs of `loopx reconcile`, and more until `wanted` of them had begun to put outputs in place and not
/// ended, but never more than three times as many; returns how many runs were killed, and how many of them there.
fn kill_runs(kills: usize, wanted: usize, goals: usize, fewest: usize) -> (usize, usize) {
    let reconciled = Reconciled::new(goals);
    let count = reconciled.outputs.len();
    assert!(count >= fewest, "only {count} outputs");
    // One run to its end tells how long the window is.
    reconciled.make_stale();
    let started = Instant::now();
    let mut measured = reconciled.command().spawn().expect("a run");
    wait_for(&mut measured, || reconciled.has_begun());
    let before = started.elapsed();
    measured.wait().expect("a run");
    let mut window = started.elapsed() - before;

    let (mut spread, mut inside, mut number) = (Spread(7), 0, 0);
    while number < kills || inside < wanted && number < 3 * kills {
        reconciled.make_stale();
        let mut killed = reconciled.command().spawn().expect("a run");
        // One in four at any moment of the process, the others once the first output is in place.
        if number % 4 == 0 {
            std::thread::sleep(spread.below(before + window));
        } else {
            wait_for(&mut killed, || reconciled.has_begun());
            std::thread::sleep(spread.below(window));
        }
        kill(killed);
        let replaced = reconciled.replaced();
        inside += usize::from(0 < replaced && replaced < count);
        window = nearer(window, replaced < count);
        reconciled.complete();
        assert_eq!(reconciled.replaced(), count, "the next run completes it");
        assert!(!reconciled.root.join(".loopx").exists(), "and clears what was staged");
        number += 1;
    }
    (number, inside)
}

#[test]
fn a_killed_reconcile_leaves_no_torn_output() {
    // On a busy machine a few kills may all come too late; none of them may tear anything.
    let (_, inside) = kill_runs(10, 1, 20, 20);
    assert!(inside > 0, "no kill fell between the first and the last output");
}

#[test]
#[ignore = "two hundred kills of two thousand outputs take minutes"]
fn two_hundred_killed_reconciles_leave_no_torn_output() {
    let (kills, inside) = kill_runs(200, 100, 1200, 2000);
    report(&format!("{inside} of {kills} kills fell between the first and the last output"));
    assert!(inside >= 100);
}

/// A repository whose user has staged something, and what must be said of it after every run.
fn with_staged_work(files: usize) -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let repo = sandbox.filled(files);
    put(&repo, "staged.txt", "staged\n");
    sandbox.git(&repo, &["add", "staged.txt"]);
    (sandbox, repo)
}

/// Checks that a receipt was recorded once, that nothing else changed, and that git can go on.
fn check(sandbox: &Sandbox, repo: &Path, receipts: &[String]) {
    let subjects = sandbox.log(repo);
    for receipt in receipts {
        let subject = format!("Record {receipt}");
        assert_eq!(subjects.iter().filter(|found| **found == subject).count(), 1, "{subject}");
    }
    assert_eq!(subjects.len(), receipts.len() + 1);
    let mut listed = sandbox.git(repo, &["ls-tree", "-r", "-z", "--name-only", "HEAD:receipts"]);
    listed.pop();
    assert_eq!(listed.split('\0').count(), receipts.len());
    assert_eq!(sandbox.status(repo), "A  staged.txt\n");
    let place = |name: &str| repo.join(sandbox.git(repo, &["rev-parse", "--git-path", name]).trim());
    let left = fs::read_dir(place("loopx")).expect("a folder").flatten();
    assert_eq!(left.map(|found| found.file_name()).collect::<Vec<_>>(), ["lock"]);
    let branch = sandbox.git(repo, &["symbolic-ref", "HEAD"]);
    assert!(!place("index.lock").exists() && !place(&format!("{}.lock", branch.trim())).exists());
}

/// Ends a run at every change to the disk in turn, each time with another receipt.
fn end_everywhere(sandbox: &Sandbox, repo: &Path) {
    let mut receipts = Vec::new();
    for life in 0.. {
        let receipt = child::receipt("goal", life);
        let act = format!("commit {receipt}");
        let said = child::run(child::with_life(child::start(sandbox, &act, repo), life));
        receipts.push(receipt);
        if !said.is_empty() {
            assert!(life >= 12, "only {life} changes were made: {said}");
            return check(sandbox, repo, &receipts);
        }
        let said = child::run(child::start(sandbox, &act, repo));
        assert!(said == "nothing" || said == sandbox.git(repo, &["rev-parse", "HEAD"]).trim(), "{said}");
        check(sandbox, repo, &receipts);
        // The user's own git is not held up either.
        sandbox.git(repo, &["update-index", "--refresh"]);
    }
}

#[test]
fn a_run_that_ends_at_any_change_is_completed_by_the_next() {
    let (sandbox, repo) = with_staged_work(1);
    sandbox.git(&repo, &["worktree", "add", "--quiet", "../linked", "-b", "feature/linked"]);
    let linked = sandbox.path("linked");
    put(&linked, "staged.txt", "staged\n");
    sandbox.git(&linked, &["add", "staged.txt"]);
    for repo in [repo, linked] {
        end_everywhere(&sandbox, &repo);
        sandbox.fsck(&repo);
    }
}

/// Kills runs that commit one receipt each beside `files` others, and returns how many of them held git's locks.
fn kill_committers(kills: usize, files: usize) -> usize {
    let (sandbox, repo) = with_staged_work(files);
    let (mut spread, mut inside, mut receipts) = (Spread(11), 0, Vec::new());
    let held = || {
        let entries = fs::read_dir(repo.join(".git/loopx")).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_name() != "lock")
    };
    // One run to its end tells how long the window is.
    let mut window = Duration::ZERO;
    for number in 0..=kills {
        let receipt = child::receipt("goal", number);
        let run = || child::start(&sandbox, &format!("commit {receipt}"), &repo);
        receipts.push(receipt.clone());
        let mut killed = run().spawn().expect("a child");
        if number == 0 {
            wait_for(&mut killed, held);
            let begun = Instant::now();
            wait_for(&mut killed, || !held());
            window = begun.elapsed();
            killed.wait().expect("a child");
            continue;
        }
        if number % 8 == 0 {
            std::thread::sleep(spread.below(window * 10));
        } else {
            wait_for(&mut killed, held);
            std::thread::sleep(spread.below(window));
        }
        kill(killed);
        inside += usize::from(held());
        child::run(run());
        if number % 20 == 0 || number == kills {
            check(&sandbox, &repo, &receipts);
        }
    }
    sandbox.git(&repo, &["commit", "--quiet", "--message=theirs"]);
    assert_eq!(sandbox.changed(&repo, "HEAD"), ["staged.txt"]);
    sandbox.fsck(&repo);
    inside
}

#[test]
fn a_killed_commit_is_completed_by_the_next_run() {
    let inside = kill_committers(20, 500);
    assert!(inside > 0, "no kill fell into the commit");
}

#[test]
#[ignore = "two hundred kills take a while"]
fn two_hundred_killed_commits_lose_and_double_nothing() {
    let inside = kill_committers(200, 20_000);
    report(&format!("{inside} of 200 kills fell into the commit"));
    assert!(inside >= 100);
}
