//! Reading: who changed what, and what a clone without its whole history can still say.

use std::fs;
use std::path::Path;

use loopx::git::{Ancestry, ChangeKind, CommitId, GitError, History};

use super::discover;
use super::sandbox::{Sandbox, put};

/// The history below `receipts`, as subject, kind and path.
fn told(sandbox: &Sandbox, repo: &Path, history: &History) -> Vec<String> {
    let line = |change: &loopx::git::CommittedChange| {
        let subject = sandbox.git(repo, &["log", "-1", "--format=%s", &change.commit.to_string()]);
        let kind = match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Modified => "modified",
            ChangeKind::Removed => "removed",
        };
        assert_eq!(change.blob.is_none(), change.kind == ChangeKind::Removed);
        format!("{}: {kind} {}", subject.trim(), change.path)
    };
    history.changes.iter().map(line).collect()
}

fn head(repo: &Path) -> CommitId {
    discover(repo).revision("HEAD").expect("known")
}

fn history(repo: &Path, since: Option<CommitId>) -> History {
    discover(repo).history(head(repo), "receipts", since).expect("readable")
}

/// Commits everything, one minute after the last time.
fn commit(sandbox: &Sandbox, repo: &Path, minute: u32, subject: &str) {
    sandbox.git(repo, &["add", "--all"]);
    let date = format!("--date=2026-01-01T00:{minute:02}:00Z");
    let mut command = std::process::Command::new("git");
    sandbox.scrub(&mut command);
    command.env("GIT_COMMITTER_DATE", &date[7..]).arg("-C").arg(repo);
    assert!(command.args(["commit", "--quiet", &date, "--message", subject]).status().expect("git").success());
}

#[test]
fn every_change_below_a_folder_is_listed_oldest_first() {
    let (sandbox, repo) = Sandbox::with_commit();
    put(&repo, "receipts/g/aa/one.yaml", "1\n");
    put(&repo, "receipts/g/bb/two.yaml", "2\n");
    put(&repo, "goals/g/goal.yaml", "elsewhere\n");
    commit(&sandbox, &repo, 1, "record");
    put(&repo, "goals/g/goal.yaml", "still elsewhere\n");
    commit(&sandbox, &repo, 2, "other work");
    let pinned = head(&repo);
    put(&repo, "receipts/g/aa/one.yaml", "edited\n");
    commit(&sandbox, &repo, 3, "edit");
    fs::create_dir_all(repo.join("receipts/h")).expect("a folder");
    fs::rename(repo.join("receipts/g/bb/two.yaml"), repo.join("receipts/h/two.yaml")).expect("a rename");
    commit(&sandbox, &repo, 4, "move");
    fs::remove_file(repo.join("receipts/g/aa/one.yaml")).expect("a file");
    commit(&sandbox, &repo, 5, "remove");
    let after = [
        "edit: modified g/aa/one.yaml",
        "move: removed g/bb/two.yaml",
        "move: added h/two.yaml",
        "remove: removed g/aa/one.yaml",
    ];
    let before = ["record: added g/aa/one.yaml", "record: added g/bb/two.yaml"];
    assert_eq!(told(&sandbox, &repo, &history(&repo, None)), [&before[..], &after[..]].concat());
    assert_eq!(told(&sandbox, &repo, &history(&repo, Some(pinned))), after);
    let state = discover(&repo.join("receipts"));
    let same = state.history(head(&repo), "", None).expect("readable");
    assert_eq!(told(&sandbox, &repo, &same), [&before[..], &after[..]].concat(), "paths are relative to the directory");
}

#[test]
fn a_merge_that_keeps_both_sides_changes_nothing_and_one_that_drops_a_side_is_caught() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["checkout", "--quiet", "-b", "other"]);
    put(&repo, "receipts/b.yaml", "b\n");
    commit(&sandbox, &repo, 1, "record b");
    sandbox.git(&repo, &["checkout", "--quiet", "main"]);
    put(&repo, "receipts/a.yaml", "a\n");
    commit(&sandbox, &repo, 2, "record a");
    sandbox.git(&repo, &["branch", "before"]);
    sandbox.git(&repo, &["merge", "--quiet", "--no-edit", "other"]);
    let both = ["record a: added a.yaml", "record b: added b.yaml"];
    let mut found = told(&sandbox, &repo, &history(&repo, None));
    found.sort();
    assert_eq!(found, both, "a clean merge");

    sandbox.git(&repo, &["reset", "--quiet", "--hard", "before"]);
    sandbox.git(&repo, &["merge", "--quiet", "--strategy=ours", "--message=drop", "other"]);
    let mut found = told(&sandbox, &repo, &history(&repo, None));
    found.sort();
    assert_eq!(found, ["drop: removed b.yaml", both[0], both[1]], "a merge that drops a side");

    sandbox.git(&repo, &["reset", "--quiet", "--hard", "before"]);
    sandbox.git(&repo, &["merge", "--quiet", "--no-commit", "other"]);
    put(&repo, "receipts/b.yaml", "forged\n");
    put(&repo, "receipts/c.yaml", "smuggled\n");
    commit(&sandbox, &repo, 3, "evil");
    let mut found = told(&sandbox, &repo, &history(&repo, None));
    found.sort();
    assert_eq!(found, ["evil: added c.yaml", "evil: modified b.yaml", both[0], both[1]], "a merge that forges");
}

#[test]
fn a_shallow_clone_says_what_it_cannot_know() {
    let (sandbox, repo) = Sandbox::with_commit();
    put(&repo, "receipts/a.yaml", "a\n");
    commit(&sandbox, &repo, 1, "record a");
    put(&repo, "receipts/b.yaml", "b\n");
    commit(&sandbox, &repo, 2, "record b");
    let (first, last) = (discover(&repo).revision("HEAD~1").expect("known"), head(&repo));
    sandbox.git(&repo, &["checkout", "--quiet", "--orphan", "unrelated"]);
    commit(&sandbox, &repo, 3, "unrelated");
    let unrelated = head(&repo);
    assert_eq!(discover(&repo).merge_base(first, last), Ok(Some(first)));
    assert_eq!(discover(&repo).merge_base(last, unrelated), Ok(None));
    assert_eq!(discover(&repo).reaches(last, first), Ok(Ancestry::Yes));
    assert_eq!(discover(&repo).reaches(first, last), Ok(Ancestry::No));
    assert_eq!(discover(&repo).reaches(last, unrelated), Ok(Ancestry::No));

    let source = format!("file://{}", repo.display());
    sandbox.git(&repo, &["clone", "--quiet", "--depth=1", "--no-single-branch", &source, "../clone"]);
    let clone = sandbox.path("clone");
    let found = discover(&clone);
    let shallow = found.history(last, "receipts", None).expect("readable");
    assert_eq!((shallow.changes, shallow.boundary), (Vec::new(), vec![last]));
    assert_eq!(found.reaches(last, last), Ok(Ancestry::Yes));
    assert_eq!(found.reaches(last, first), Ok(Ancestry::Unknown));
    let refused = found.merge_base(last, unrelated).expect_err("cut off");
    assert!(
        matches!(refused, GitError::Shallow { .. }) && refused.to_string().contains("git fetch --unshallow origin")
    );
    assert!(sandbox.paste(&clone, "git fetch --quiet --unshallow origin").status.success());
    assert_eq!(discover(&clone).reaches(last, first), Ok(Ancestry::Yes));
}

#[test]
fn a_commit_tells_its_author_and_time() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["config", "user.name", "Zoë"]);
    sandbox.commit_file(&repo, "second.txt", "second");
    let commit = discover(&repo).commit(head(&repo)).expect("readable");
    assert_eq!((&*commit.author_name, &*commit.author_email), ("Zoë", "user@users.noreply.example"));
    assert_eq!(commit.time.as_second(), 1_700_000_000);
    assert_eq!(commit.short, sandbox.git(&repo, &["rev-parse", "--short", "HEAD"]).trim());
}
