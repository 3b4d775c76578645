//! G25: two branches give one id to two things, and a merge keeps one of them.

use super::team::{Said, Step, Team};

const PATH: &str = "goals/ledger/todos/more-7g7g.yaml";

fn todo(title: &str) -> String {
    format!(
        "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: more-7g7g\ntitle: {title}\n\
         task_class: advancement_task\nassignee: worker-bench\n"
    )
}

fn commit(team: &Team, author: &str, text: &str) {
    let put = [(PATH.to_owned(), text.to_owned())].into();
    team.commit(&Step { author: author.into(), message: "Plan more".into(), put, ..Step::default() });
}

/// Merges a branch into what is checked out; where both sides differ, one of them is kept.
fn merge(team: &Team, branch: &str, kept: &str) {
    team.git(&["merge", "--quiet", "--no-edit", "--no-ff", "--strategy-option", kept, branch]);
}

/// A team whose branches `one` and `other` both add the todo.
fn team(one: &str, other: &str) -> Team {
    let team = Team::new();
    team.branch("one", "main");
    commit(&team, "ravi", &todo(one));
    team.branch("other", "main");
    commit(&team, "maya", &todo(other));
    team
}

fn is_refused(said: &Said) -> bool {
    let text = format!("{}{}", said.out, said.err);
    assert!(said.code.is_some_and(|code| code < 2), "{text}");
    said.code == Some(1) && said.out.contains("transition/identity-changed") && said.out.contains("more-7g7g")
}

#[test]
fn a_merge_that_gives_one_id_two_meanings_fails() {
    for kept in ["ours", "theirs"] {
        let team = team("Clean up", "Write the report");
        // The branch takes the other one in, and keeps either.
        merge(&team, "one", kept);
        let said = team.loopx(&["review", "one..other"]);
        assert!(is_refused(&said), "kept {kept}, against one side: {said:?}");
        let said = team.loopx(&["review", "main..other"]);
        assert!(is_refused(&said), "kept {kept}, against what both began with: {said:?}");
        for arguments in [&["lint"][..], &["lint", "--rev", "HEAD"]] {
            let said = team.loopx(arguments);
            assert!(is_refused(&said), "kept {kept}, {arguments:?}: {said:?}");
        }
    }
}

#[test]
fn a_merge_of_the_same_document_is_no_second_meaning() {
    // Word for word the same on both sides.
    let same = team("Clean up", "Clean up");
    merge(&same, "one", "ours");
    assert!(!is_refused(&same.loopx(&["review", "one..other"])));
    assert!(!is_refused(&same.loopx(&["lint"])));
    // What a branch edited, and the other side took in by a squash merge and went on with.
    let team = Team::new();
    team.branch("other", "main");
    commit(&team, "maya", &todo("Clean up"));
    commit(&team, "maya", &todo("Clean up the folder"));
    team.branch("one", "main");
    commit(&team, "ravi", &todo("Clean up the folder"));
    commit(&team, "ravi", &todo("Clean up the folders"));
    team.git(&["switch", "--quiet", "other"]);
    merge(&team, "one", "theirs");
    assert!(!is_refused(&team.loopx(&["review", "one..other"])));
    assert!(!is_refused(&team.loopx(&["review", "main..other"])));
    assert!(!is_refused(&team.loopx(&["lint"])));
}

/// A conflict that somebody resolves by hand fails before it is committed, until the other document has an id of its own.
#[test]
fn a_conflict_over_an_id_is_refused_before_its_commit() {
    let team = team("Clean up", "Write the report");
    assert!(!team.sandbox.try_git(&team.repo, &["merge", "one"]).status.success());
    team.put(PATH, &todo("Write the report"));
    team.git(&["add", "--all"]);
    for arguments in [&["lint"][..], &["lint", "--staged"]] {
        assert!(is_refused(&team.loopx(arguments)), "{arguments:?}");
    }
    team.put("goals/ledger/todos/clean-8h8h.yaml", &todo("Clean up").replace("more-7g7g", "clean-8h8h"));
    team.git(&["add", "--all"]);
    for arguments in [&["lint"][..], &["lint", "--staged"]] {
        assert!(!is_refused(&team.loopx(arguments)), "{arguments:?}");
    }
    team.git(&["commit", "--quiet", "--no-edit"]);
    assert!(!is_refused(&team.loopx(&["lint"])));
}
