//! A run of `loopx` that is told to end, or is killed, while `git commit` runs its hooks.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::team::{Team, open};
use crate::store::sandbox::put_program;

/// No wait takes as long as this, however busy the machine.
const WAIT: Duration = Duration::from_secs(60);

fn until(what: &str, happened: impl Fn() -> bool) {
    let end = Instant::now() + WAIT;
    while !happened() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(name: &str, number: &str) {
    assert!(Command::new("kill").args([name, number.trim()]).status().expect("kill").success());
}

/// A decision that waits for its receipt, a hook that waits for a person, and a run that waits for the hook.
fn waiting() -> (Team, Child, String) {
    let team = Team::with_settings("authority: { ref: main }\ncommit: { via: git }\n");
    team.decide("approve");
    team.commit("decide");
    team.git(&["config", "core.fsmonitor", "false"]);
    let number = team.sandbox.path("number");
    put_program(
        &team.repo,
        ".git/hooks/pre-commit",
        &format!("#!/bin/sh\necho $$ > '{0}.new'; mv '{0}.new' '{0}'; sleep 600 & wait\n", number.display()),
    );
    let child = team.command(&["reconcile", "--commit"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("loopx");
    until("the hook never ran", || number.exists());
    let number = fs::read_to_string(number).expect("a number");
    (team, child, number)
}

fn index(team: &Team) -> Vec<u8> {
    fs::read(team.repo.join(".git/index")).expect("the index")
}

fn is_locked(team: &Team) -> bool {
    team.repo.join(".git/index.lock").exists()
}

fn records(team: &Team) {
    fs::remove_file(team.repo.join(".git/hooks/pre-commit")).expect("the hook");
    team.does(&["reconcile", "--commit"]);
    assert_eq!(team.screen(), open());
    assert_eq!(team.sandbox.status(&team.repo), "");
    team.sandbox.fsck(&team.repo);
}

#[test]
fn a_signal_ends_the_commit_and_leaves_the_index_as_it_was() {
    for name in ["-TERM", "-INT"] {
        let (team, child, hook) = waiting();
        let before = index(&team);
        assert!(is_locked(&team));
        signal(name, &child.id().to_string());
        let output = child.wait_with_output().expect("loopx ends");
        assert_eq!(output.status.code(), Some(3), "{name}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted; nothing was committed"), "{output:?}");
        assert!(index(&team) == before && !is_locked(&team), "{name}");
        assert!(!Path::new("/proc").exists() || !is_running(&hook), "{name}: the hook is ended too");
        assert_eq!(team.log(), ["decide", "ask"]);
        records(&team);
    }
}

/// Nobody can follow a kill; the next run puts its lock away, and the index is what it was.
#[test]
fn a_killed_run_leaves_the_index_as_it_was() {
    let (team, mut child, hook) = waiting();
    let before = index(&team);
    child.kill().expect("loopx");
    child.wait().expect("loopx");
    signal("-TERM", &hook);
    until("git never ended", || !team.repo.join(".git/loopx/index.lock").exists());
    assert!(index(&team) == before);
    assert_eq!(team.log(), ["decide", "ask"]);
    records(&team);
}

fn is_running(number: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}
