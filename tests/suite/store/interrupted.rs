//! Runs that end in the middle: at every change to the disk in turn, and by `kill` at random moments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use super::child;
use super::sandbox::{Sandbox, put};

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

/// How many of the outputs hold `text`; every one must be whole.
fn whole(root: &Path, count: usize, text: &str, earlier: &str) -> usize {
    let is_new = |number: &usize| {
        let found = fs::read_to_string(root.join(child::output(*number))).expect("an output");
        let is_new = found == child::content(*number, text);
        assert!(is_new || found == child::content(*number, earlier), "output {number} is torn");
        is_new
    };
    (0..count).filter(is_new).count()
}

/// Kills runs that rewrite `count` outputs, and returns how many of them had begun to put files in place and not ended.
fn kill_writers(kills: usize, count: usize) -> usize {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    let writer = |text: &str| child::start(&sandbox, &format!("write {count} {text}"), &root);
    let first = root.join(child::output(0));
    let has_begun = |text: &str| fs::read_to_string(&first).is_ok_and(|found| found == child::content(0, text));
    assert_eq!(child::run(writer("start")), count.to_string());
    // One run to its end tells how long the window is.
    let mut measured = writer("measured").spawn().expect("a child");
    wait_for(&mut measured, || has_begun("measured"));
    let begun = Instant::now();
    measured.wait().expect("a child");
    let window = begun.elapsed();

    let (mut spread, mut inside) = (Spread(7), 0);
    let mut earlier = "measured".to_owned();
    for number in 0..kills {
        let text = format!("run {number}");
        let mut killed = writer(&text).spawn().expect("a child");
        // One in four at any moment of the process, the others once the first file is in place.
        if number % 4 == 0 {
            std::thread::sleep(spread.below(window * 3));
        } else {
            wait_for(&mut killed, || has_begun(&text));
            std::thread::sleep(spread.below(window));
        }
        kill(killed);
        let new = whole(&root, count, &text, &earlier);
        inside += usize::from(0 < new && new < count);
        // What is mixed now is made one by the next run, which also clears what was staged.
        assert_eq!(child::run(writer(&text)), (count - new).to_string());
        assert_eq!(whole(&root, count, &text, &text), count);
        assert!(!root.join(".loopx").exists());
        earlier = text;
    }
    inside
}

#[test]
fn a_killed_run_leaves_no_torn_file() {
    let inside = kill_writers(6, 100);
    assert!(inside > 0, "no kill fell between the first and the last file");
}

#[test]
#[ignore = "two hundred kills of two thousand files take minutes"]
fn two_hundred_killed_runs_leave_no_torn_file() {
    let inside = kill_writers(200, 2000);
    assert!(inside >= 100, "only {inside} kills fell between the first and the last file");
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
    let left: Vec<_> =
        fs::read_dir(repo.join(".git/loopx")).expect("a folder").flatten().map(|found| found.file_name()).collect();
    assert_eq!(left, ["lock"]);
    assert!(!repo.join(".git/index.lock").exists() && !repo.join(".git/refs/heads/main.lock").exists());
}

#[test]
fn a_run_that_ends_at_any_change_is_completed_by_the_next() {
    let (sandbox, repo) = with_staged_work(1);
    let mut receipts = Vec::new();
    for life in 0.. {
        let receipt = child::receipt("goal", life);
        let act = format!("commit {receipt}");
        let said = child::run(child::with_life(child::start(&sandbox, &act, &repo), life));
        receipts.push(receipt);
        if !said.is_empty() {
            assert!(life >= 12, "only {life} changes were made: {said}");
            return check(&sandbox, &repo, &receipts);
        }
        let said = child::run(child::start(&sandbox, &act, &repo));
        assert!(said == "nothing" || said == sandbox.git(&repo, &["rev-parse", "HEAD"]).trim(), "{said}");
        check(&sandbox, &repo, &receipts);
        // The user's own git is not held up either.
        sandbox.git(&repo, &["update-index", "--refresh"]);
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
    assert!(inside >= 100, "only {inside} kills fell into the commit");
}
