//! Many runs that commit at once, beside a user who does.

use std::path::Path;
use std::time::{Duration, Instant};

use super::sandbox::{Sandbox, put};
use super::{child, report};

const WRITERS: usize = 8;

struct Storm {
    /// Files in the repository before it begins.
    files: usize,
    /// Commits of each writer.
    each: usize,
    /// Commits of the user.
    user: usize,
}

/// The user works and is told now and then that the index is locked, as git tells everybody; they try again.
fn until_done(sandbox: &Sandbox, repo: &Path, arguments: &[&str]) {
    let end = Instant::now() + super::WAIT;
    loop {
        let output = sandbox.try_git(repo, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        match output.status.success() {
            true => return,
            false if errors.contains("lock") && Instant::now() < end => std::thread::sleep(Duration::from_millis(3)),
            false => panic!("git {arguments:?}: {errors}"),
        }
    }
}

impl Storm {
    /// Lets the storm pass and checks that nothing was lost; returns how long it took.
    fn pass(&self) -> Duration {
        let sandbox = Sandbox::new();
        let repo = sandbox.filled(self.files);
        let begun = Instant::now();
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| child::start(&sandbox, &format!("storm goal-{writer} {}", self.each), &repo))
            .map(|mut command| command.spawn().expect("a child"))
            .collect();
        for number in 0..self.user {
            let path = format!("src/{}/user-{number}.txt", number % 97);
            put(&repo, &path, "theirs\n");
            until_done(&sandbox, &repo, &["add", "--", &path]);
            until_done(&sandbox, &repo, &["commit", "--quiet", "--message", &format!("theirs {number}")]);
        }
        for writer in writers {
            let output = writer.wait_with_output().expect("a child");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains(&format!("child: {} runs", self.each)), "{said}");
        }
        let took = begun.elapsed();
        self.check(&sandbox, &repo);
        took
    }

    fn check(&self, sandbox: &Sandbox, repo: &Path) {
        assert_eq!(sandbox.log(repo).len(), 1 + WRITERS * self.each + self.user, "a commit is missing");
        let mut listed = sandbox.git(repo, &["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
        listed.pop();
        let listed: Vec<&str> = listed.split('\0').collect();
        for writer in 0..WRITERS {
            for number in 0..self.each {
                let receipt = child::receipt(&format!("goal-{writer}"), number);
                assert!(listed.binary_search(&&*receipt).is_ok(), "{receipt} is lost");
            }
        }
        assert_eq!(listed.iter().filter(|path| path.contains("/user-")).count(), self.user);
        assert_eq!(listed.len(), self.files + WRITERS * self.each + self.user);
        assert_eq!(sandbox.status(repo), "");
        sandbox.fsck(repo);
    }
}

#[test]
fn eight_writers_and_a_user_lose_nothing() {
    Storm { files: 200, each: 4, user: 8 }.pass();
}

#[test]
#[ignore = "twenty repetitions with twenty thousand files take many minutes"]
fn eight_writers_and_a_user_lose_nothing_in_twenty_thousand_files() {
    for repetition in 0..20 {
        let took = Storm { files: 20_000, each: 10, user: 10 }.pass();
        report(&format!("20 k files, repetition {repetition}: {:.1} s", took.as_secs_f64()));
    }
}

#[test]
#[ignore = "a repository of two hundred thousand files takes minutes to make"]
fn eight_writers_and_a_user_lose_nothing_in_two_hundred_thousand_files() {
    let took = Storm { files: 200_000, each: 5, user: 5 }.pass();
    report(&format!("200 k files: {:.1} s for {} commits", took.as_secs_f64(), WRITERS * 5 + 5));
}
