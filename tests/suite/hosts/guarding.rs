//! The guard denies exactly what the effective boundary excludes: shown with real files and real links.

use std::path::{Path, PathBuf};

use loopx::hosts::{GoalAccess, GuardVerdict, Host, LinkAt, Mutation, Tool, WorkTree, guard, locate};
use loopx::vocabulary::{Glob, MayContinue, WaitingOn};

fn goal(scope: &[&str], may_continue: MayContinue) -> GoalAccess {
    GoalAccess {
        goal_id: "a-goal".to_owned(),
        agent_id: "an-agent".to_owned(),
        may_continue,
        write_scope: scope.iter().map(|glob| (*glob).to_owned()).collect(),
        owner: "maya".to_owned(),
        next_action: "maya decides cutover-2f8q".to_owned(),
        command: Some("loopx gate decide cutover-2f8q".to_owned()),
        validation_command: vec!["make".to_owned(), "check".to_owned()],
        stop_condition: "stop".to_owned(),
        waiting_on: WaitingOn::User,
        todo_id: None,
        todo_title: None,
        is_claimed: false,
        gate: None,
        reasons: Vec::new(),
    }
}

fn file(path: &str, state_path: Option<&str>) -> Mutation {
    Mutation::File { path: path.to_owned(), state_path: state_path.map(str::to_owned) }
}

fn write(mutation: Mutation, goals: &[GoalAccess]) -> GuardVerdict {
    guard(Host::ClaudeCode, &Tool::Write(Some(Vec::new())), &[mutation], goals, false)
}

fn reason(verdict: GuardVerdict) -> String {
    match verdict {
        GuardVerdict::Excluded(reason) => reason,
        verdict => panic!("not excluded: {verdict:?}"),
    }
}

#[test]
fn each_row_of_the_table() {
    let open = [goal(&["docs/**"], MayContinue::Yes)];
    assert_eq!(write(file("docs/a.md", None), &open), GuardVerdict::Silent);
    assert_eq!(write(file("docs/a.md", None), &[goal(&["docs/**"], MayContinue::Unknown)]), GuardVerdict::Silent);
    assert_eq!(write(Mutation::Outside, &open), GuardVerdict::Silent);
    assert!(matches!(write(Mutation::Unknown, &open), GuardVerdict::Unknown(_)));
    let outside = reason(write(file("src/a.rs", None), &open));
    assert!(
        outside.contains("docs/**") && outside.contains("maya") && outside.contains("loopx gate request"),
        "{outside}"
    );
    let state = reason(write(file("docs/loopx/goals/g/gates/x.yaml", Some("goals/g/gates/x.yaml")), &open));
    assert!(state.contains("loopx gate request"), "{state}");
    let git = reason(write(file("docs/.git/config", None), &open));
    assert!(git.contains("git"), "{git}");
    let closed = [goal(&["docs/**"], MayContinue::No)];
    let waits = reason(write(file("docs/a.md", None), &closed));
    assert!(waits.contains("maya decides cutover-2f8q") && waits.contains("loopx gate decide cutover-2f8q"), "{waits}");
    let two = [goal(&["docs/**"], MayContinue::No), goal(&["src/**"], MayContinue::Yes)];
    assert_eq!(write(file("src/a.rs", None), &two), GuardVerdict::Silent);
    assert!(matches!(write(file("docs/a.md", None), &two), GuardVerdict::Excluded(_)));
    assert!(matches!(write(file("a", None), &[]), GuardVerdict::Excluded(_)), "without a goal nothing is permitted");
}

#[test]
fn shells_are_judged_only_while_a_goal_is_closed() {
    let shell = |command: &str, may| {
        let tool = Tool::Shell(Some(command.to_owned()));
        guard(Host::ClaudeCode, &tool, &[], &[goal(&["docs/**"], may)], false)
    };
    assert_eq!(shell("rm -rf x", MayContinue::Yes), GuardVerdict::Silent);
    assert_eq!(shell("make check", MayContinue::No), GuardVerdict::Silent);
    assert_eq!(shell("loopx status", MayContinue::No), GuardVerdict::Silent);
    assert!(matches!(shell("rm -rf x", MayContinue::No), GuardVerdict::Excluded(_)));
    assert!(matches!(shell("ls; rm x", MayContinue::No), GuardVerdict::Excluded(_)));
}

#[test]
fn a_file_system_that_folds_case_is_compared_folded() {
    let open = [goal(&["docs/**"], MayContinue::Yes)];
    let write = |path: &str, folds| {
        guard(Host::ClaudeCode, &Tool::Write(Some(Vec::new())), &[file(path, Some(path))], &open, folds)
    };
    assert!(matches!(write("Docs/a.md", false), GuardVerdict::Excluded(_)));
    assert_eq!(write("Docs/a.md", true), GuardVerdict::Silent);
    let all = [goal(&["**"], MayContinue::Yes)];
    let write = |folds| {
        guard(
            Host::ClaudeCode,
            &Tool::Write(Some(Vec::new())),
            &[file("GOALS/g/x.yaml", Some("GOALS/g/x.yaml"))],
            &all,
            folds,
        )
    };
    assert_eq!(write(false), GuardVerdict::Silent);
    assert!(matches!(write(true), GuardVerdict::Excluded(_)));
}

/// A small generator: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("small")
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

const NAMES: &[&str] = &["a", "b", "docs", "link", "goals", "x.md", "y.rs"];
const GLOBS: &[&str] =
    &["docs/**", "a/*.md", "**/x.md", "b/**/y.rs", "a/{b,docs}/**", "*", "goals/**", "a/b/x.md", "**"];
const STATES: &[&str] = &["", "a/", "docs/b/"];

/// How a guard finds what stands at a path.
type LinkReader = fn(&Path) -> LinkAt;

fn link_at(path: &Path) -> LinkAt {
    std::fs::read_link(path).map_or(LinkAt::NoLink, LinkAt::Target)
}

/// Whether the boundary excludes the file that a write reaches, by the words of the documents alone.
fn is_excluded(landed: Option<&str>, scope: &[&str], state: &str) -> bool {
    let Some(path) = landed else { return false };
    let globs: Vec<Glob> = scope.iter().map(|glob| Glob::new(*glob)).collect();
    let in_layout = path.strip_prefix(state).is_some_and(|below| below.starts_with("goals/") || below == "goals");
    in_layout || !Glob::new(path).is_within(&globs)
}

/// Writes through the operating system, and looks where the bytes came to stand.
fn landing(root: &Path, path: &Path) -> Option<Result<String, ()>> {
    if std::fs::write(path, "written").is_err() {
        return None;
    }
    let real = path.canonicalize().expect("a file that was just written");
    let below = real.strip_prefix(root).map(|below| below.to_string_lossy().into_owned()).map_err(|_| ());
    std::fs::remove_file(&real).expect("a file");
    Some(below)
}

fn spelled(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
        plain
    })
}

/// Compares guard and boundary in one generated work tree; gives the paths on which they differ.
fn differences(seed: u64, read_link: LinkReader) -> (usize, Vec<String>) {
    let mut numbers = Numbers(seed * 7919 + 17);
    let top = tempfile::tempdir().expect("a folder");
    let top = top.path().canonicalize().expect("a folder");
    std::fs::create_dir_all(&top).expect("a folder");
    let root = top.join("repository");
    let elsewhere = top.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    for folder in ["a/b/docs", "docs/a/goals", "goals/a", "b/a"] {
        std::fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    for _ in 0..3 {
        let folder = numbers.pick(&["", "a", "docs", "a/b", "b"]);
        let target = numbers.pick(&[
            "../docs",
            "a",
            "../elsewhere",
            "../../elsewhere",
            "b/../docs",
            "x.md",
            "goals/a",
            "../goals/n.yaml",
        ]);
        let _ = std::os::unix::fs::symlink(target, root.join(folder).join("link"));
    }
    let scope: Vec<&str> = (0..=numbers.below(2)).map(|_| numbers.pick(GLOBS)).collect();
    let state = numbers.pick(STATES);
    let goals = [goal(&scope, MayContinue::Yes)];
    let trees = [WorkTree { root: root.clone() }];
    let (mut tried, mut wrong) = (0, Vec::new());
    for _ in 0..12 {
        let parts: Vec<&str> =
            (0..=numbers.below(4)).map(|_| if numbers.below(5) == 0 { ".." } else { numbers.pick(NAMES) }).collect();
        let path = parts.join("/");
        let folder = root.join(numbers.pick(&["", "a", "docs"]));
        let readings = [folder.join(&path), spelled(&folder.join(&path))];
        let landed: Vec<_> = readings.iter().filter_map(|reading| landing(&root, reading)).collect();
        // What the system itself refuses to write needs no guard.
        if landed.len() < 2 {
            continue;
        }
        tried += 1;
        let expected = landed.iter().any(|landed| is_excluded(landed.as_ref().ok().map(String::as_str), &scope, state));
        let locations = locate(&path, &folder, &trees, false, &read_link);
        let writes: Vec<Mutation> = locations.iter().map(|location| Mutation::of(location, state, false)).collect();
        let verdict = guard(Host::ClaudeCode, &Tool::Write(Some(vec![path.clone()])), &writes, &goals, false);
        if (verdict != GuardVerdict::Silent) != expected {
            wrong.push(format!("{path} in {scope:?} of {state:?}: {verdict:?}, landed {landed:?}"));
        }
    }
    let _ = std::fs::remove_dir_all(&top);
    (tried, wrong)
}

#[cfg(unix)]
#[test]
fn the_guard_denies_exactly_what_the_boundary_excludes() {
    let mut tried = 0;
    for seed in 1..400 {
        let (count, wrong) = differences(seed, link_at);
        tried += count;
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    assert!(tried > 800, "{tried} writes were tried");
}

#[cfg(unix)]
#[test]
fn a_guard_that_follows_no_link_is_found() {
    let found = (1..400).any(|seed| !differences(seed, |_| LinkAt::NoLink).1.is_empty());
    assert!(found, "the property sees the hole");
}
