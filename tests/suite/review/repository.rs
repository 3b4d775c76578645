//! `loopx review` and `loopx lint --since` in the repositories that CI and people really have: shallow, linked, nested,
//! owned by others, with what a hook left behind. Where something is missing they fail, and say what brings it.

use std::process::Command;

use super::team::{NOW, Step, Team};
use crate::store::sandbox::{put, put_program, snapshot};

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const DECISION: &str = "decision:\n  label: approve\n  actor_class: owner\n  by: maya\n  at: 2026-03-06T16:12:00Z\n  \
                        reason: two days of reads agree\n";
/// A rule that a todo breaks.
const WRONG: &str = "after: [nowhere-1a2b]\n";

/// A team with a branch `topic`, on which the owner approves the gate.
fn decided() -> Team {
    let team = Team::new();
    team.branch("topic", "main");
    team.commit(&Step {
        author: "maya".into(),
        message: "Approve".into(),
        append: [(GATE.to_owned(), DECISION.to_owned())].into(),
        record: true,
        ..Step::default()
    });
    team
}

/// Clones `topic` with its last commit only.
fn shallow(team: &Team) -> std::path::PathBuf {
    let origin = format!("file://{}", team.repo.display());
    let clone = team.sandbox.path("clone");
    let options = ["clone", "--quiet", "--depth=1", "--branch=topic", &origin, &clone.display().to_string()];
    team.sandbox.git(&team.repo, &options);
    team.sandbox.identify(&clone);
    clone
}

/// The command between backticks in a message.
fn remedy(text: &str) -> String {
    let start = text.find("`git ").unwrap_or_else(|| panic!("no command in: {text}"));
    text[start + 1..].split('`').next().expect("its end").to_owned()
}

/// P07, G01: a shallow clone without the base is no empty change; what it says to paste brings what it needs.
#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let team = decided();
    let clone = shallow(&team);
    let said = team.loopx_in(&clone, &["review", "origin/main..HEAD"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.is_empty() && said.err.starts_with("error[unknown_revision]: "), "{said:?}");
    let lint = team.loopx_in(&clone, &["lint", "--since", "origin/main"]);
    assert_eq!(lint.code, Some(3), "{lint:?}");
    assert!(team.sandbox.paste(&clone, &remedy(&said.err)).status.success(), "{}", remedy(&said.err));

    let said = team.loopx_in(&clone, &["review", "origin/main..HEAD"]);
    assert_eq!(said.code, Some(3), "the base is here now, and the history between is not: {said:?}");
    assert!(said.err.contains("`git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'`"), "{said:?}");
    assert!(team.sandbox.paste(&clone, &remedy(&said.err)).status.success());

    let said = team.loopx_in(&clone, &["review", "origin/main..HEAD"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("OPENS  codex-main may start switch-9d4m"), "{said:?}");
    let lint = team.loopx_in(&clone, &["lint", "--since", "origin/main"]);
    assert_eq!(lint.code, Some(0), "{lint:?}");
}

/// G10, G13: what a hook of another repository left in the environment leads nowhere.
#[test]
fn leaked_variables_of_git_lead_nowhere() {
    let team = decided();
    let decoy = team.sandbox.init("decoy", &[]);
    team.sandbox.commit_file(&decoy, "loopx/loopx.yaml", "schema_version: loopx_workspace_v0\n");
    let before = snapshot(&decoy);
    let plain = team.loopx(&["review", "main..topic"]);
    for arguments in [&["review", "main..topic"][..], &["lint", "--since", "main"], &["lint", "--staged"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        team.sandbox.scrub(&mut command);
        command.current_dir(&team.repo).args(["--now", NOW]).args(arguments);
        command.env("GIT_DIR", decoy.join(".git")).env("GIT_WORK_TREE", &decoy);
        command.env("GIT_INDEX_FILE", decoy.join(".git/index")).env("GIT_OBJECT_DIRECTORY", decoy.join(".git/objects"));
        let output = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {text}");
        if arguments[0] == "review" {
            assert_eq!(text, plain.out);
        }
    }
    assert!(before == snapshot(&decoy), "the decoy is untouched");
}

/// G11: a linked work tree and a submodule are repositories of their own, from a nested folder too.
#[test]
fn linked_work_trees_and_submodules_are_reviewed_where_they_stand() {
    let team = decided();
    let plain = team.loopx(&["review", "main..topic"]);
    let linked = team.sandbox.path("linked");
    team.git(&["switch", "--quiet", "main"]);
    team.git(&["worktree", "add", "--quiet", &linked.display().to_string(), "topic"]);
    let said = team.loopx_in(&linked.join("loopx/goals/ledger"), &["review", "main..HEAD"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with(plain.out.lines().next().expect("a line")), "{said:?}");

    let outer = team.sandbox.init("outer", &[]);
    team.sandbox.commit_file(&outer, "readme.txt", "outer\n");
    let origin = format!("file://{}", team.repo.display());
    team.sandbox.git(&outer, &["submodule", "--quiet", "add", &origin, "state"]);
    team.sandbox.git(&outer.join("state"), &["fetch", "--quiet", "origin", "topic:topic"]);
    let said = team.loopx_in(&outer.join("state/loopx"), &["review", "main..topic"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with(plain.out.lines().next().expect("a line")), "{said:?}");
}

/// G04: a repository that git does not trust is not reviewed, and the message names it and the remedy.
#[cfg(target_os = "linux")]
#[test]
fn a_repository_of_somebody_else_is_not_reviewed() {
    let team = decided();
    let owned =
        Command::new("chown").arg("-R").arg("12345").arg(&team.repo).status().is_ok_and(|status| status.success());
    if !owned {
        return; // Only the superuser gives files away.
    }
    for arguments in [&["review", "main..topic"][..], &["lint", "--since", "main"]] {
        let said = team.loopx(arguments);
        assert_eq!(said.code, Some(3), "{said:?}");
        assert!(said.err.starts_with("error[repository_not_trusted]: "), "{said:?}");
        assert!(said.err.contains(": repo. ") && said.err.contains("safe.directory"), "{said:?}");
    }
    let lint = team.loopx(&["lint"]);
    assert_eq!(lint.code, Some(0), "files are judged where they stand: {lint:?}");
    assert!(lint.out.contains("documents clean"), "{lint:?}");
}

/// Without a range the authority ref is the base; where that is what is checked out, nothing is said to be unchanged.
#[test]
fn the_base_without_a_range_is_the_authority_ref() {
    let team = decided();
    let said = team.loopx(&["review"]);
    assert_eq!((said.code, &said.out), (Some(0), &team.loopx(&["review", "main..HEAD"]).out));
    team.git(&["switch", "--quiet", "main"]);
    let said = team.loopx(&["review"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.starts_with("error[nothing_to_compare]: "), "{said:?}");
    let said = team.loopx(&["review", "nowhere..HEAD"]);
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{said:?}");
    assert!(said.err.starts_with("error[unknown_revision]: ") && said.err.contains("nowhere"), "{said:?}");
}

/// G08: without git, or before the first commit, there is nothing to review, and it is said plainly.
#[test]
fn without_a_commit_it_is_said_plainly() {
    let team = Team::new();
    let fresh = team.sandbox.init("fresh", &[]);
    put(&fresh, "loopx.yaml", "schema_version: loopx_workspace_v0\n");
    let said = team.loopx_in(&fresh, &["review"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.starts_with("error[unknown_revision]: "), "{said:?}");
    let lint = team.loopx_in(&fresh, &["lint", "--staged"]);
    assert_eq!(lint.code, Some(0), "nothing is staged, so nothing is refused: {lint:?}");
    let bare = team.sandbox.path("no-git");
    put(&bare, "loopx.yaml", "schema_version: loopx_workspace_v0\n");
    let said = team.loopx_in(&bare, &["review"]);
    assert!(said.code == Some(3) && said.err.starts_with("error[no_git]: "), "{said:?}");
}

/// A state directory that moves would be judged by no policy at all, so the move is not reviewed as if it were new.
#[test]
fn a_moved_state_directory_is_not_taken_for_a_new_one() {
    let team = Team::new();
    team.branch("moved", "main");
    team.git(&["mv", "loopx", "state"]);
    put(&team.repo, "state/goals/ledger/gates/switch-2f8q.yaml", &format!("{}{DECISION}", gate(&team)));
    team.git(&["add", "--all"]);
    team.git(&["-c", "user.email=codex-main@users.noreply.example", "commit", "--quiet", "--message=Move"]);
    let said = team.loopx(&["review", "main..moved"]);
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{said:?}");
    assert!(
        said.err.starts_with("error[state_directory_moved]: ") && said.err.contains("loopx/loopx.yaml"),
        "{said:?}"
    );
}

fn gate(team: &Team) -> String {
    std::fs::read_to_string(team.repo.join("state").join(GATE)).expect("the gate")
}

/// R10: a review writes nothing.
#[test]
fn a_review_writes_nothing() {
    let team = decided();
    let before = snapshot(&team.repo);
    team.does(&["review", "main..topic"]);
    team.does(&["lint", "--since", "main"]);
    assert!(before == snapshot(&team.repo));
}

/// Lint tells what a change brought, and what it broke elsewhere; what was wrong before is not its own.
#[test]
fn lint_since_tells_what_the_change_brought() {
    let team = Team::new();
    let todo = |id: &str| format!("goals/ledger/todos/{id}.yaml");
    let append = |path: String, text: &str| Step {
        author: "maya".into(),
        message: "Change".into(),
        append: [(path, text.to_owned())].into(),
        ..Step::default()
    };
    team.commit(&append(todo("bench-7k2m"), WRONG));
    team.branch("topic", "main");
    let clean = team.loopx(&["lint", "--since", "main"]);
    assert_eq!(clean.code, Some(0), "{clean:?}");
    team.commit(&Step { remove: vec![todo("switch-9d4m")], ..append(todo("retire-5h3j"), WRONG) });
    let said = team.loopx(&["lint", "--since", "main", "--format", "concise"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("retire-5h3j.yaml"), "its own: {}", said.out);
    assert!(said.out.contains("gates/switch-2f8q.yaml"), "what it broke elsewhere: {}", said.out);
    assert!(!said.out.contains("bench-7k2m.yaml"), "not what was wrong before: {}", said.out);

    let all = team.loopx(&["lint", "--rev", "HEAD", "--format", "concise"]);
    assert!(all.code == Some(1) && all.out.contains("bench-7k2m.yaml"), "{all:?}");
    team.git(&["checkout", "--quiet", "main"]);
    assert_eq!(team.loopx(&["lint", "--rev", "topic", "--format", "concise"]).out, all.out, "whatever is checked out");
}

/// Lint looks at what would be committed, not at what stands in the work tree.
#[test]
fn lint_staged_looks_at_what_would_be_committed() {
    let team = Team::new();
    let path = "goals/ledger/todos/bench-7k2m.yaml";
    let good = std::fs::read_to_string(team.repo.join("loopx").join(path)).expect("a file");
    team.put(path, &format!("{good}{WRONG}"));
    assert_eq!(team.loopx(&["lint", "--staged"]).code, Some(0), "it is not staged");
    team.git(&["add", "--all"]);
    team.put(path, &good);
    let said = team.loopx(&["lint", "--staged", "--format", "concise"]);
    assert!(said.code == Some(1) && said.out.contains("bench-7k2m.yaml"), "{said:?}");

    // A hook sees what `git commit --all` has put together, by the index that git names.
    team.git(&["reset", "--quiet", "--hard"]);
    put_program(
        &team.repo,
        ".git/hooks/pre-commit",
        &format!("#!/bin/sh\nexec '{}' --now {NOW} lint --staged\n", env!("CARGO_BIN_EXE_loopx")),
    );
    team.put(path, &format!("{good}{WRONG}"));
    let refused = team.sandbox.try_git(&team.repo, &["commit", "--quiet", "--all", "--message=wrong"]);
    assert!(!refused.status.success(), "the hook refuses");
    team.put(path, &format!("{good}priority: P2\n"));
    team.git(&["commit", "--quiet", "--all", "--message=right"]);
}
