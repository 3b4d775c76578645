//! The commands that messages print are pasted, one after the other, until the job is done: none leads in a circle.

use std::path::{Path, PathBuf};

use super::team::{Step, Team};
use crate::store::sandbox::put;

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const DECISION: &str = "decision:\n  label: approve\n  actor_class: owner\n  by: maya\n  at: 2026-03-06T16:12:00Z\n  \
                        reason: two days of reads agree\n";

/// A team whose `main` has gone on since the branch `topic` began, on which the owner approves the gate. The branch is
/// also tagged `v1`, and merged at `refs/pull/1/merge` as a hosting service does.
fn served() -> Team {
    let team = Team::new();
    team.branch("topic", "main");
    team.commit(&Step {
        author: "maya".into(),
        message: "Approve".into(),
        append: [(GATE.to_owned(), DECISION.to_owned())].into(),
        record: true,
        ..Step::default()
    });
    team.git(&["tag", "v1"]);
    team.git(&["switch", "--quiet", "main"]);
    team.sandbox.commit_file(&team.repo, "readme.txt", "main goes on\n");
    team.git(&["switch", "--quiet", "--detach", "main"]);
    team.git(&["merge", "--quiet", "--no-edit", "topic"]);
    team.git(&["update-ref", "refs/pull/1/merge", "HEAD"]);
    team.git(&["switch", "--quiet", "main"]);
    // What a hosting service serves.
    team.git(&["config", "uploadpack.allowFilter", "true"]);
    team.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    team
}

fn clone(team: &Team, options: &[&str]) -> PathBuf {
    let (origin, clone) = (format!("file://{}", team.repo.display()), team.sandbox.path("clone"));
    let place = clone.display().to_string();
    team.sandbox.git(&team.repo, &[&["clone", "--quiet"], options, &[&origin, &place]].concat());
    team.sandbox.identify(&clone);
    clone
}

/// The command that a message tells to paste.
fn remedy(text: &str) -> Option<String> {
    let start = text.find("`git ")?;
    text[start + 1..].split('`').next().map(str::to_owned)
}

/// Runs a command, and whatever it says is to be run first, until it has an answer; gives how many remedies that took.
fn until_done(team: &Team, place: &Path, arguments: &[&str]) -> usize {
    let mut pasted = Vec::new();
    loop {
        let said = team.loopx_in(place, arguments);
        if said.code != Some(3) {
            assert!(matches!(said.code, Some(0 | 1)), "{arguments:?}: {said:?}");
            return pasted.len();
        }
        let remedy = remedy(&said.err).unwrap_or_else(|| panic!("{arguments:?}: no command in {said:?}, {pasted:?}"));
        assert!(!pasted.contains(&remedy), "{arguments:?}: {remedy} was pasted already; {said:?}");
        let output = team.sandbox.paste(place, &remedy);
        assert!(output.status.success(), "{remedy}: {output:?}");
        pasted.push(remedy);
    }
}

/// How a clone came about, in which `main` or its history is missing.
fn lacking(team: &Team, way: &str) -> PathBuf {
    match way {
        "a shallow clone of a branch" => clone(team, &["--depth=1", "--branch=topic"]),
        "a shallow clone of a tag" => clone(team, &["--depth=1", "--branch=v1"]),
        "a clone of a tag" => clone(team, &["--single-branch", "--branch=v1"]),
        "a clone of a branch" => clone(team, &["--single-branch", "--branch=topic"]),
        "a clone without files" => clone(team, &["--filter=blob:none", "--no-checkout", "--branch=topic"]),
        "the merge of a hosting service" => {
            let clone = team.sandbox.init("clone", &[]);
            team.sandbox.git(&clone, &["remote", "add", "origin", &format!("file://{}", team.repo.display())]);
            team.sandbox.git(&clone, &["fetch", "--quiet", "--depth=1", "origin", "refs/pull/1/merge"]);
            team.sandbox.git(&clone, &["checkout", "--quiet", "FETCH_HEAD"]);
            clone
        }
        other => panic!("{other}"),
    }
}

const WAYS: [&str; 6] = [
    "a shallow clone of a branch",
    "a shallow clone of a tag",
    "a clone of a tag",
    "a clone of a branch",
    "a clone without files",
    "the merge of a hosting service",
];

#[test]
fn what_a_review_says_to_fetch_is_enough() {
    for way in WAYS {
        let team = served();
        let place = lacking(&team, way);
        let taken = until_done(&team, &place, &["review", "main..HEAD"]);
        assert!(taken > 0, "{way} lacks nothing");
        let said = team.loopx_in(&place, &["review", "main..HEAD"]);
        assert!(said.out.contains("OPENS  codex-main may start switch-9d4m"), "{way}: {said:?}");
    }
}

#[test]
fn what_lint_and_verify_say_to_fetch_is_enough() {
    for way in WAYS {
        let team = served();
        let place = lacking(&team, way);
        if place.join("loopx").exists() {
            assert!(until_done(&team, &place, &["lint", "--since", "main"]) > 0, "{way} lacks nothing");
        }
        // A shallow clone says what it cannot know, and what brings it.
        let team = served();
        let place = lacking(&team, way);
        if !place.join("loopx").exists() {
            continue;
        }
        let said = team.loopx_in(&place, &["receipts", "verify"]);
        if let Some(at) = said.out.find("git fetch ").filter(|_| said.code == Some(3)) {
            let line = said.out[at..].lines().next().expect("a command");
            let output = team.sandbox.paste(&place, line);
            assert!(output.status.success(), "{line}: {output:?}");
        }
        assert_eq!(team.loopx_in(&place, &["receipts", "verify"]).code, Some(0), "{way}");
    }
}

/// An index that loopx does not write is refused with what makes it one that it does, for good.
#[test]
fn what_a_commit_says_about_the_index_is_enough() {
    for make in [
        &["update-index", "--split-index"][..],
        &["config", "core.splitIndex", "true"],
        &["sparse-checkout", "set", "--cone", "--sparse-index", "loopx"],
    ] {
        let team = Team::new();
        team.sandbox.commit_file(&team.repo, "app/main.txt", "1\n");
        team.commit(&Step {
            author: "maya".into(),
            message: "Approve".into(),
            append: [(GATE.to_owned(), DECISION.to_owned())].into(),
            ..Step::default()
        });
        team.git(make);
        team.git(&["update-index", "--force-write-index"]);
        assert_eq!(until_done(&team, &team.repo, &["reconcile", "--commit"]), 1, "{make:?}");
        assert!(team.git(&["log", "-1", "--format=%s"]).starts_with("loopx: record 1 decision"), "{make:?}");
        // The user goes on, and so does loopx.
        team.sandbox.commit_file(&team.repo, "more.txt", "2\n");
        assert_eq!(until_done(&team, &team.repo, &["reconcile", "--commit"]), 0, "{make:?}");
    }
}

/// An authority ref that nobody has: what is printed is one command that ends it, whatever the clone knows.
#[test]
fn what_is_said_of_a_missing_authority_ref_is_enough() {
    let settings = "schema_version: loopx_workspace_v0\nauthority: { ref: trunk2 }\n";
    // No remote: another branch that is here.
    let team = Team::new();
    team.put("loopx.yaml", settings);
    team.git(&["commit", "--quiet", "--all", "--message=settings"]);
    assert_eq!(until_done(&team, &team.repo, &["reconcile", "--commit"]), 1);
    assert_eq!(team.git(&["config", "loopx.authority"]).trim(), "main");
    // A remote that has no such branch, whose default branch names it.
    let team = Team::new();
    team.put("loopx.yaml", settings);
    team.git(&["commit", "--quiet", "--all", "--message=settings"]);
    let clone = clone(&team, &[]);
    let said = team.loopx_in(&clone, &["reconcile", "--commit"]);
    assert!(said.err.starts_with("error[authority_missing]: "), "{said:?}");
    let pushed = team.sandbox.paste(&clone, &remedy(&said.err).expect("a command"));
    assert!(pushed.status.success(), "{pushed:?}");
    let said = team.loopx_in(&clone, &["status"]);
    assert!(said.code == Some(0) && !said.out.contains("is not in this clone"), "{said:?}");
    // A remote without a state directory yet: its default branch.
    let team = Team::new();
    let bare = team.sandbox.init("host.git", &["--bare"]);
    let work = team.sandbox.init("work", &[]);
    team.sandbox.commit_file(&work, "readme.txt", "hello\n");
    team.sandbox.git(&work, &["remote", "add", "origin", &bare.display().to_string()]);
    team.sandbox.git(&work, &["push", "--quiet", "origin", "HEAD:main"]);
    team.sandbox.git(&work, &["fetch", "--quiet", "origin"]);
    team.sandbox.git(&work, &["remote", "set-head", "origin", "main"]);
    team.sandbox.git(&work, &["switch", "--quiet", "--create", "topic"]);
    team.sandbox.git(&team.repo, &["checkout-index", "--all", "--prefix", &format!("{}/", work.display())]);
    put(&work, "loopx/loopx.yaml", settings);
    team.sandbox.git(&work, &["add", "--all"]);
    team.sandbox.git(&work, &["commit", "--quiet", "--message=state"]);
    let said = team.loopx_in(&work, &["status"]);
    assert!(said.out.contains("git config loopx.authority main"), "{said:?}");
}

/// A wrong ending is renamed by the printed command, wherever it runs.
#[test]
fn what_is_said_of_a_wrong_ending_is_enough() {
    let team = Team::new();
    let todo = "goals/ledger/todos/bench-7k2m";
    team.git(&["mv", &format!("loopx/{todo}.yaml"), &format!("loopx/{todo}.yml")]);
    for place in [team.repo.clone(), team.repo.join("loopx/goals/ledger")] {
        let said = team.loopx_in(&place, &["lint"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        assert!(said.out.contains("rename it to bench-7k2m.yaml: loopx lint --fix"), "{said:?}");
    }
    assert_eq!(team.loopx_in(&team.repo.join("loopx/goals/ledger"), &["lint", "--fix"]).code, Some(0));
    assert!(team.repo.join(format!("loopx/{todo}.yaml")).exists());
    // Beside the right name there is nothing to rename.
    std::fs::copy(team.repo.join(format!("loopx/{todo}.yaml")), team.repo.join(format!("loopx/{todo}.yml")))
        .expect("a copy");
    let said = team.loopx(&["lint"]);
    assert!(
        said.code == Some(1) && said.out.contains("move what is only in bench-7k2m.yml") && !said.out.contains("--fix"),
        "{said:?}"
    );
}

/// A repository of somebody else is read once the user says that it is to be trusted.
#[cfg(unix)]
#[test]
fn what_is_said_of_a_foreign_repository_is_enough() {
    let team = Team::new();
    std::fs::create_dir_all(team.sandbox.home()).expect("a home");
    let given = std::process::Command::new("chown").args(["-R", "65534"]).arg(&team.repo).status().expect("chown");
    if !given.success() {
        // Only root gives a repository to somebody else.
        return;
    }
    let said = team.loopx_in(&team.repo, &["review", "main..HEAD"]);
    assert!(said.code == Some(3) && said.err.contains("error[repository_not_trusted]"), "{said:?}");
    let line = said.err.trim_end().rsplit("say so: ").next().expect("a command").to_owned();
    let pasted = team.sandbox.paste(&team.repo, &line);
    assert!(pasted.status.success(), "{line}: {pasted:?}");
    assert_eq!(team.loopx_in(&team.repo, &["review", "main..HEAD"]).code, Some(0));
}

/// Every command of loopx that an error advises is one.
#[test]
fn what_errors_advise_exists() {
    let team = Team::new();
    let mut tried = 0;
    for row in loopx::app::ErrorCode::ALL.iter().map(|code| code.row()) {
        for advised in row.help.split("loopx ").skip(1) {
            let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            let words = advised.split([' ', ',', ';', '`']).take_while(is_name).filter(|word| !word.starts_with('-'));
            let words: Vec<&str> = words.take_while(|word| !word.is_empty()).collect();
            let said = team.loopx(&[&words[..], &["--help"]].concat());
            assert_eq!(said.code, Some(0), "{}: loopx {advised}: {said:?}", row.word);
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried} commands");
}
