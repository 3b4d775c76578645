//! Where a review finds its two sides: branches that only `origin` has, bare clones, and a state directory that the
//! change itself adds.

use super::team::{Step, Team};

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const DECISION: &str = "decision:\n  label: approve\n  actor_class: owner\n  by: maya\n  at: 2026-03-06T16:12:00Z\n  \
                        reason: two days of reads agree\n";

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

#[test]
fn a_branch_that_only_origin_has_is_named_as_status_names_it() {
    let team = decided();
    let plain = team.does(&["review", "main..topic"]);
    let clone = team.sandbox.path("clone");
    team.git(&["switch", "--quiet", "topic"]);
    team.sandbox.git(&team.repo, &["clone", "--quiet", ".", &clone.display().to_string()]);
    assert!(!team.sandbox.try_git(&clone, &["rev-parse", "--verify", "refs/heads/main"]).status.success());
    assert_eq!(team.loopx_in(&clone, &["review", "main..topic"]).out, plain);
    team.sandbox.git(&clone, &["checkout", "--quiet", "--detach"]);
    team.sandbox.git(&clone, &["branch", "--quiet", "-D", "topic"]);
    let said = team.loopx_in(&clone, &["review", "main..topic"]);
    assert_eq!((said.code, said.out), (Some(0), plain));
    assert_eq!(team.loopx_in(&clone, &["lint", "--since", "main"]).code, Some(0));
    let said = team.loopx_in(&clone, &["review", "nowhere..topic"]);
    assert!(said.code == Some(3) && said.err.contains("nowhere"), "{said:?}");
}

#[test]
fn a_bare_clone_is_reviewed() {
    let team = decided();
    let plain = team.does(&["review", "main..topic"]);
    let bare = team.sandbox.path("bare.git");
    team.sandbox.git(&team.repo, &["clone", "--quiet", "--bare", ".", &bare.display().to_string()]);
    let said = team.loopx_in(&bare, &["review", "main..topic"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), plain.as_str()), "{said:?}");
    // Without a range: what `HEAD` names, since it left the authority ref of its settings.
    team.sandbox.git(&bare, &["symbolic-ref", "HEAD", "refs/heads/topic"]);
    let said = team.loopx_in(&bare, &["review"]);
    assert_eq!((said.code, said.out), (Some(0), team.does(&["review", "main..HEAD"])));
    assert_eq!(team.loopx_in(&bare, &["lint", "--rev", "topic"]).code, Some(0));
    // What is wrong is named by its path below the root of the repository.
    team.branch("wrong", "main");
    team.commit(&Step {
        author: "maya".into(),
        message: "Break".into(),
        append: [("goals/ledger/todos/bench-7k2m.yaml".to_owned(), "after: [nowhere-1a2b]\n".to_owned())].into(),
        ..Step::default()
    });
    team.git(&["push", "--quiet", &bare.display().to_string(), "wrong"]);
    // A host of code finds it from the root of the repository too.
    let said = team.loopx_in(&bare, &["lint", "--rev", "wrong", "--format", "github"]);
    assert!(said.out.contains("file=loopx/goals/"), "{said:?}");
    let said = team.loopx_in(&bare, &["lint", "--rev", "wrong", "--format", "concise"]);
    assert!(said.code == Some(1) && said.out.starts_with("loopx/goals/ledger/todos/bench-7k2m.yaml:"), "{said:?}");
}

/// A repository that had no state directory until the change, from wherever it is looked at.
#[test]
fn a_change_that_adds_the_state_directory_is_reviewed() {
    let team = Team::new();
    team.git(&["checkout", "--quiet", "--orphan", "before"]);
    team.git(&["rm", "--quiet", "-r", "--force", "."]);
    team.sandbox.commit_file(&team.repo, "readme.txt", "nothing yet\n");
    team.git(&["switch", "--quiet", "--create", "adds"]);
    team.git(&["checkout", "main", "--", "loopx"]);
    team.git(&["commit", "--quiet", "--message=Add the state directory"]);
    let here = team.loopx(&["review", "before..adds"]);
    assert!(matches!(here.code, Some(0 | 1)) && here.out.contains("switch-9d4m"), "{here:?}");
    team.git(&["switch", "--quiet", "before"]);
    assert!(!team.repo.join("loopx").exists());
    let there = team.loopx(&["review", "before..adds"]);
    assert_eq!((there.code, &there.out), (here.code, &here.out), "{there:?}");
    let bare = team.sandbox.path("bare.git");
    team.sandbox.git(&team.repo, &["clone", "--quiet", "--bare", ".", &bare.display().to_string()]);
    assert_eq!(team.loopx_in(&bare, &["review", "before..adds"]).out, here.out);
    // Where neither side has one there is nothing to review.
    let said = team.loopx(&["review", "before..before"]);
    assert!(said.code == Some(3) && said.err.starts_with("error[no_state_directory]"), "{said:?}");
}

/// An empty side is a variable without a value, and no change.
#[test]
fn a_range_with_an_empty_side_is_a_mistake_in_the_arguments() {
    let team = decided();
    for range in ["", "..", "...", "main..", "main...", "..topic", "...topic"] {
        let said = team.loopx(&["review", range]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{range:?}: {said:?}");
        assert!(said.err.contains("loopx review BASE..HEAD"), "{range:?}: {said:?}");
    }
}
