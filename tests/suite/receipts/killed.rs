//! `loopx reconcile` and `loopx reconcile --commit`, killed at random moments. `LOOPX_FULL=1` runs the full numbers.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::team::Team;
use crate::store::interrupted::{Spread, kill, nearer, wait_for};
use crate::store::sandbox::put;

/// How much is killed.
struct Size {
    kills: usize,
    goals: usize,
    agents: usize,
    /// Other files in the repository.
    files: usize,
}

fn size() -> Size {
    match is_full() {
        true => Size { kills: 200, goals: 40, agents: 50, files: 20_000 },
        false => Size { kills: 6, goals: 4, agents: 25, files: 200 },
    }
}

fn is_full() -> bool {
    std::env::var_os("LOOPX_FULL").is_some_and(|value| value == "1")
}

/// Figures of the full run go to the terminal.
fn report(what: &str, kills: usize, inside: usize, begun: Instant) {
    if is_full() {
        let seconds = begun.elapsed().as_secs();
        writeln!(std::io::stdout(), "{what}: {kills} kills, {inside} inside, {seconds} s").expect("a terminal");
        assert!(inside >= 100, "only {inside} kills fell inside");
    }
    assert!(inside > 0, "no kill fell inside");
}

fn start(team: &Team, arguments: &[&str]) -> Command {
    let mut command = team.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Writes the goals anew, so that each of their first screens differs.
fn stop_at(team: &Team, size: &Size, text: &str) {
    for goal in 0..size.goals {
        let agents: Vec<String> = (0..size.agents).map(|agent| format!("  agent-{agent}: works on it\n")).collect();
        team.put(
            &format!("goals/goal-{goal}/goal.yaml"),
            &format!(
                "schema_version: loopx_goal_v0\ngoal_id: goal-{goal}\nobjective: Reach it\nowner: maya\nagents:\n{}\
                 boundary:\n  write_scope: [services/**]\n  stop_condition: {text}\n",
                agents.concat()
            ),
        );
    }
}

/// How many first screens say `text`; every one must be whole, and of this run or the one before.
fn new_screens(team: &Team, size: &Size, text: &str, earlier: &str) -> usize {
    let is_new = |(goal, agent): &(usize, usize)| {
        let path = format!("projections/goal-{goal}/agent-{agent}.json");
        let screen: serde_json::Value = serde_json::from_str(&team.read(&path)).expect("a whole file");
        let found = screen["first_screen"]["boundary"]["stop_condition"].as_str().expect("text").to_owned();
        assert!(found == text || found == earlier, "{path}: {found}");
        found == text
    };
    let all = (0..size.goals).flat_map(|goal| (0..size.agents).map(move |agent| (goal, agent)));
    all.filter(is_new).count()
}

#[test]
fn a_killed_reconcile_leaves_whole_files_and_the_next_run_completes_it() {
    let (size, begun, team) = (size(), Instant::now(), Team::new());
    let first = team.repo.join("loopx/projections/goal-0/agent-0.json");
    let has_begun = |text: &str| fs::read_to_string(&first).is_ok_and(|found| found.contains(text));
    stop_at(&team, &size, "start");
    team.does(&["reconcile"]);
    // One run to its end tells how long the window is.
    stop_at(&team, &size, "measured");
    let mut measured = start(&team, &["reconcile"]).spawn().expect("a child");
    wait_for(&mut measured, || has_begun("measured"));
    let published = Instant::now();
    measured.wait().expect("a child");
    let mut window = published.elapsed();

    let (mut spread, mut inside, mut earlier, mut number) = (Spread(7), 0, "measured".to_owned(), 0);
    while number < size.kills || inside * 2 < size.kills && number < 4 * size.kills {
        let text = format!("run-{number}");
        stop_at(&team, &size, &text);
        let mut killed = start(&team, &["reconcile"]).spawn().expect("a child");
        if number % 8 == 0 {
            std::thread::sleep(spread.below(window * 3));
        } else {
            wait_for(&mut killed, || has_begun(&text));
            std::thread::sleep(spread.below(window));
        }
        kill(killed);
        let new = new_screens(&team, &size, &text, &earlier);
        inside += usize::from(0 < new && new < size.goals * size.agents);
        window = nearer(window, new < size.goals * size.agents);
        team.does(&["reconcile"]);
        assert_eq!(new_screens(&team, &size, &text, &text), size.goals * size.agents);
        assert!(!team.repo.join("loopx/.loopx").exists(), "what was staged is cleared away");
        earlier = text;
        number += 1;
    }
    let again = team.does(&["reconcile"]);
    assert!(again.starts_with("Nothing written:"), "{again}");
    report("reconcile", number, inside, begun);
}

/// A gate of its own for each kill.
fn gate(number: usize, decision: &str) -> (String, String) {
    let text = super::team::ASKED.replace("switch-2f8q", &format!("gate-{number}"));
    (format!("goals/ledger/gates/gate-{number}.yaml"), format!("{text}{decision}"))
}

#[test]
fn a_killed_commit_loses_and_doubles_nothing() {
    let (size, begun, team) = (size(), Instant::now(), Team::new());
    for number in 0..size.files {
        put(&team.repo, &format!("src/{}/file-{number}.txt", number % 97), &format!("{number}\n"));
    }
    // More than are killed at first: kills that come too late are made up for.
    let most = 4 * size.kills;
    (0..=most).for_each(|number| {
        let (path, text) = gate(number, "");
        team.put(&path, &text);
    });
    team.commit("ask");
    put(&team.repo, "staged.txt", "staged\n");
    team.git(&["add", "staged.txt"]);
    let held = || {
        let entries = fs::read_dir(team.repo.join(".git/loopx")).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_name() != "lock")
    };
    let (mut spread, mut inside, mut window, mut number) = (Spread(11), 0, Duration::ZERO, 0);
    while number <= size.kills || inside * 2 < size.kills && number <= most {
        let (path, text) = gate(number, &decision());
        team.put(&path, &text);
        team.git(&["commit", "--quiet", &format!("--message=decide {number}"), "--", &format!("loopx/{path}")]);
        let mut killed = start(&team, &["reconcile", "--commit"]).spawn().expect("a child");
        wait_for(&mut killed, held);
        if number == 0 {
            // One run to its end tells how long the window is.
            let locked = Instant::now();
            wait_for(&mut killed, || !held());
            window = locked.elapsed();
            killed.wait().expect("a child");
            number = 1;
            continue;
        }
        std::thread::sleep(spread.below(window));
        kill(killed);
        inside += usize::from(held());
        window = nearer(window, held());
        team.does(&["reconcile", "--commit"]);
        assert_eq!(team.sandbox.status(&team.repo), "A  staged.txt\n", "kill {number}");
        number += 1;
    }
    let receipts = team.receipts().len();
    assert_eq!(receipts, number);
    let recorded = team.log().iter().filter(|subject| subject.starts_with("loopx: record 1 decision")).count();
    assert_eq!(recorded, receipts, "each is recorded once");
    assert!(team.does(&["receipts", "verify"]).starts_with(&format!("{receipts} receipts in {receipts} commits, ")));
    team.git(&["commit", "--quiet", "--message=theirs"]);
    assert_eq!(team.sandbox.changed(&team.repo, "HEAD"), ["staged.txt"]);
    team.sandbox.fsck(&team.repo);
    report("reconcile --commit", number - 1, inside, begun);
}

fn decision() -> String {
    super::team::decided("approve")[super::team::ASKED.len()..].to_owned()
}
