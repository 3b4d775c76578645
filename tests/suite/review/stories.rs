//! Each folder of `fixtures/review/` is a pull request: `story.yaml` makes it, `expected.yaml` was written before its
//! review was seen, `review.txt` is what a reviewer reads (`SNAPSHOTS=overwrite` rewrites it).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::team::{Step, Team, fixtures};
use crate::store::sandbox::put;

/// The longest review of a story of one act.
const SHORT: usize = 12;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Story {
    #[expect(dead_code, reason = "for readers of the fixture")]
    about: String,
    /// What `main` holds before the branch begins.
    #[serde(default)]
    before: Vec<Step>,
    /// What `main` did since the branch began.
    #[serde(default)]
    main: Vec<Step>,
    /// Who reviewed the change, as CI knows it.
    #[serde(default)]
    reviewers: Vec<String>,
    commits: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    first: String,
    exit: i32,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    names_not: Vec<String>,
    #[serde(default)]
    comment: Vec<String>,
    #[serde(default)]
    comment_not: Vec<String>,
    /// How many things somebody did in it.
    acts: usize,
    /// A story like it that passes, where this one is an attack.
    twin: Option<String>,
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(fixtures()).expect("the fixtures").filter_map(Result::ok);
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join("story.yaml").is_file()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> String {
    folder.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Makes the branch of a story; gives the name of its base.
fn play(team: &Team, name: &str, story: &Story) -> String {
    let mut start = "main".to_owned();
    if !story.before.is_empty() {
        start = format!("before-{name}");
        team.branch(&start, "main");
        story.before.iter().for_each(|step| team.commit(step));
    }
    let mut base = start.clone();
    if !story.main.is_empty() {
        base = format!("main-{name}");
        team.branch(&base, &start);
        story.main.iter().for_each(|step| team.commit(step));
    }
    team.branch(name, &start);
    story.commits.iter().for_each(|step| team.commit(step));
    base
}

/// A comment without its code spans, in which nothing means anything to a renderer.
pub(super) fn outside_code(comment: &str) -> String {
    comment.split('`').step_by(2).collect()
}

/// What is wrong with the review of a story.
fn judge(team: &Team, folder: &Path) -> Vec<String> {
    let (story, expected): (Story, Expected) = (read(&folder.join("story.yaml")), read(&folder.join("expected.yaml")));
    let name = name(folder);
    let base = play(team, &name, &story);
    let approvals = team.sandbox.path("approvals").display().to_string();
    put(&team.sandbox.path(""), "approvals", &story.reviewers.join("\n"));
    let vouched: &[&str] = if story.reviewers.is_empty() { &[] } else { &["--reviewers", &approvals] };
    let said = team.loopx(&[&["review", &format!("{base}..{name}")], vouched].concat());
    let mut wrong = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            wrong.push(format!("{name}: {what}"));
        }
    };
    check(said.code == Some(expected.exit), format!("exit {:?}, not {}", said.code, expected.exit));
    check(said.err.is_empty(), format!("says {}", said.err));
    check(said.out.lines().next() == Some(&expected.first), format!("does not begin with {:?}", expected.first));
    for text in &expected.names {
        check(said.out.contains(text), format!("does not name {text:?}"));
    }
    for text in &expected.names_not {
        check(!said.out.contains(text), format!("names {text:?}"));
    }
    if expected.acts == 1 {
        check(said.out.lines().count() <= SHORT, format!("has {} lines", said.out.lines().count()));
    }
    let wide = said.out.lines().filter(|line| line.chars().count() > 100 && !line.contains(" loopx/"));
    wide.for_each(|line| check(false, format!("a line is too wide: {line}")));
    let range = format!("{base}...{name}");
    let comment = team.loopx(&[&["review", &range, "--format", "markdown"], vouched].concat());
    check(comment.code == Some(expected.exit), format!("as a comment exit {:?}", comment.code));
    for text in &expected.comment {
        check(comment.out.contains(text), format!("the comment does not hold {text:?}"));
    }
    let live = outside_code(&comment.out);
    for text in &expected.comment_not {
        check(!live.contains(text), format!("the comment holds {text:?}"));
    }
    for sign in ["@", "](", "![", "http", "www."] {
        check(!live.contains(sign), format!("the comment has a living {sign:?}"));
    }
    check(comment.out.matches("<!--").count() == 1, "the comment has one mark".to_owned());
    let snapshot = folder.join("review.txt");
    let shown = format!("{}\n{}", said.out, comment.out);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::write(&snapshot, &shown).expect("writable");
    }
    let fresh = std::fs::read_to_string(&snapshot).unwrap_or_default() == shown;
    check(fresh, format!("review.txt is stale (SNAPSHOTS=overwrite rewrites)\n{shown}"));
    wrong
}

#[test]
fn each_story_reads_as_it_was_expected() {
    let team = Team::new();
    let wrong: Vec<String> = folders().iter().flat_map(|folder| judge(&team, folder)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_attacks_and_each_has_a_harmless_twin() {
    let stories = folders();
    assert!(stories.len() >= 25, "{} stories", stories.len());
    let attacks: Vec<&PathBuf> = stories.iter().filter(|folder| name(folder).starts_with("attack-")).collect();
    assert!(attacks.len() >= 10, "{} attacks", attacks.len());
    for attack in attacks {
        let expected: Expected = read(&attack.join("expected.yaml"));
        let Some(twin) = expected.twin else { panic!("{} has no twin", name(attack)) };
        let twin: Expected = read(&fixtures().join(twin).join("expected.yaml"));
        assert_eq!(twin.exit, 0, "the twin of {} passes", name(attack));
        let is_inert = name(attack) == "attack-markdown";
        assert!(expected.exit == 1 || is_inert, "{} is caught", name(attack));
    }
}

#[test]
fn nothing_changes_between_a_commit_and_itself() {
    let team = Team::new();
    let said = team.loopx(&["review", "main..main"]);
    assert_eq!(
        (said.out.as_str(), said.code),
        ("Nothing changes: main and main are the same commit.\n0 refused, 0 to look at, 0 open.\n", Some(0))
    );
}
