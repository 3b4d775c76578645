//! Committing: in every kind of repository, and what is refused.

use std::fs;
use std::time::Duration;

use loopx::git::{Repository, UnfinishedOperation};
use loopx::store::{CommitMessage, CommitMethod, CommitRequest, Durability, Store, StoreError, Wanted};

use super::reading::conflicting;
use super::sandbox::{Sandbox, put, snapshot};
use super::{child, commit_via, discover, message, open, time, wanted, write_and_commit};

const RECEIPT: &str = "receipts/goal-1/aa/run-0123456789abcdef.yaml";

#[test]
fn a_commit_holds_exactly_the_given_files_and_says_why() {
    let (sandbox, repo) = Sandbox::with_commit();
    let made = write_and_commit(&repo, &[(RECEIPT, "a: 1\n"), ("receipts/b.yaml", "b: 1\n")]).expect("committed");
    let commit = made.expect("a commit").to_string();
    assert_eq!(sandbox.git(&repo, &["rev-parse", "main"]).trim(), commit);
    assert_eq!(sandbox.changed(&repo, &commit), ["receipts/b.yaml", RECEIPT]);
    let format = "--format=%an|%ae|%cn|%ce|%at|%ct|%ai|%s|%(trailers:only)";
    let told = "A User|user@users.noreply.example|A User|user@users.noreply.example|1767323045|1767323045|\
                2026-01-02 03:04:05 +0000|Record one decision|Loopx-Goal: goal-1\nLoopx-Receipt: run-0123456789abcdef\n";
    assert_eq!(sandbox.git(&repo, &["log", "-1", format]).trim_end(), told.trim_end());
    assert_eq!(sandbox.log(&repo), ["Record one decision", "first.txt"]);
    assert_eq!(sandbox.status(&repo), "");
    for log in ["HEAD", "main"] {
        let line = sandbox.git(&repo, &["reflog", "show", "-1", "--format=%H %gs %gn", log]);
        assert_eq!(line.trim(), format!("{commit} commit: Record one decision A User"));
    }
    sandbox.fsck(&repo);
    assert_eq!(write_and_commit(&repo, &[(RECEIPT, "a: 1\n")]), Ok(None), "nothing is committed twice");
    assert_eq!(sandbox.log(&repo).len(), 2);
}

#[test]
fn files_are_removed_and_keep_their_mode() {
    let (sandbox, repo) = Sandbox::with_commit();
    write_and_commit(&repo, &[("a.json", "1"), ("b/c.json", "1"), ("d.json", "1")]).expect("committed");
    sandbox.git(&repo, &["update-index", "--chmod=+x", "d.json"]);
    fs::set_permissions(repo.join("d.json"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
    sandbox.git(&repo, &["commit", "--quiet", "--message=mode"]);
    let mut files = wanted(&[("d.json", "2")]);
    files.insert("b/c.json".to_owned(), Wanted::Absent);
    open(&repo).write(&files, &|_, _| true, Durability::Derived).expect("written");
    let commit = commit_via(&repo, &files, CommitMethod::Gix).expect("committed").expect("a commit");
    assert_eq!(sandbox.changed(&repo, &commit.to_string()), ["b/c.json", "d.json"]);
    assert_eq!(
        sandbox.git(&repo, &["ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD"]),
        "100644 a.json\n100755 d.json\n100644 first.txt\n"
    );
    assert_eq!(sandbox.status(&repo), "");
    sandbox.fsck(&repo);
}

#[test]
fn every_kind_of_work_tree_is_committed_to() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["worktree", "add", "--quiet", "../linked", "-b", "feature/linked"]);
    let superproject = sandbox.init("super", &[]);
    sandbox.git(&superproject, &["submodule", "--quiet", "add", "../repo", "sub"]);
    sandbox.identify(&superproject.join("sub"));
    let sha256 = sandbox.init("sha256", &["--object-format=sha256"]);
    let packed = sandbox.init("packed", &[]);
    for repo in [&sha256, &packed] {
        sandbox.commit_file(repo, "first.txt", "first\n");
    }
    sandbox.git(&packed, &["gc", "--quiet"]);
    sandbox.git(&packed, &["pack-refs", "--all"]);
    let source = format!("file://{}", repo.display());
    sandbox.commit_file(&repo, "second.txt", "second\n");
    sandbox.git(&repo, &["clone", "--quiet", "--depth=1", &source, "../shallow"]);
    sandbox.identify(&sandbox.path("shallow"));
    let unborn = sandbox.init("unborn", &[]);
    for (place, commits) in [
        (repo.clone(), 3),
        (sandbox.path("linked"), 2),
        (superproject.join("sub"), 2),
        (sha256, 2),
        (packed, 2),
        (sandbox.path("shallow"), 2),
        (unborn, 1),
    ] {
        put(&place, "state/nothing", "untracked");
        let made =
            write_and_commit(&place.join("state"), &[(RECEIPT, "a: 1\n")]).expect("committed").expect("a commit");
        assert_eq!(sandbox.changed(&place, &made.to_string()), [format!("state/{RECEIPT}")]);
        assert_eq!(sandbox.log(&place).len(), commits, "{}", place.display());
        assert_eq!(sandbox.status(&place), "?? state/nothing\n");
        sandbox.fsck(&place);
    }
    assert_eq!(sandbox.git(&repo, &["rev-parse", "feature/linked~1"]), sandbox.git(&repo, &["rev-parse", "main~2"]));
}

#[test]
fn a_detached_head_is_moved_only_when_allowed() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["checkout", "--quiet", "--detach"]);
    assert_eq!(write_and_commit(&repo, &[(RECEIPT, "a: 1\n")]), Err(StoreError::Detached));
    let (files, message) = (wanted(&[(RECEIPT, "a: 1\n")]), message());
    let request = CommitRequest {
        files: &files,
        message: &message,
        time: time(),
        via: CommitMethod::Gix,
        branch: None,
        allow_detached: true,
    };
    let made = open(&repo).commit(&request, &|_, _| false).expect("committed").expect("a commit");
    assert_eq!(sandbox.git(&repo, &["rev-parse", "HEAD"]).trim(), made.to_string());
    assert_eq!(sandbox.git(&repo, &["rev-parse", "main"]), sandbox.git(&repo, &["rev-parse", "HEAD~1"]));
    assert_eq!(sandbox.status(&repo), "");
}

#[test]
fn nothing_is_committed_where_it_would_do_harm() {
    let commit = |repo: &std::path::Path| write_and_commit(repo, &[(RECEIPT, "a: 1\n")]);
    let cases: [(&[&str], UnfinishedOperation); 6] = [
        (&["merge", "other"], UnfinishedOperation::Merge),
        (&["rebase", "other"], UnfinishedOperation::Rebase),
        (&["cherry-pick", "other"], UnfinishedOperation::CherryPick),
        (&["revert", "--no-edit", "HEAD~1"], UnfinishedOperation::Revert),
        (&["bisect", "start"], UnfinishedOperation::Bisect),
        (&["am", "../patch"], UnfinishedOperation::ApplyMailbox),
    ];
    for (command, operation) in cases {
        let (sandbox, repo) = conflicting();
        sandbox.try_git(&repo, command);
        let before = sandbox.git(&repo, &["rev-parse", "HEAD"]);
        assert_eq!(commit(&repo), Err(StoreError::Unfinished(operation)), "{command:?}");
        assert_eq!(sandbox.git(&repo, &["rev-parse", "HEAD"]), before);
        assert!(!repo.join(".git/index.lock").exists());
    }

    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["update-index", "--split-index"]);
    assert_eq!(commit(&repo), Err(StoreError::SplitIndex));
    sandbox.git(&repo, &["update-index", "--no-split-index"]);
    commit(&repo).expect("committed");

    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.commit_file(&repo, "folder/file.txt", "text");
    sandbox.git(&repo, &["sparse-checkout", "set", "--cone", "--sparse-index", "receipts"]);
    assert_eq!(commit(&repo), Err(StoreError::SparseIndex));
    sandbox.git(&repo, &["sparse-checkout", "reapply", "--no-sparse-index"]);
    commit(&repo).expect("committed");
    assert_eq!(sandbox.status(&repo), "");

    let (_sandbox, repo) = Sandbox::with_commit();
    let index = repo.join(".git/index");
    let mut bytes = fs::read(&index).expect("an index");
    bytes[40] ^= 1;
    fs::write(&index, bytes).expect("an index");
    assert_eq!(commit(&repo), Err(StoreError::CorruptIndex));

    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["clone", "--quiet", "--bare", ".", "../bare"]);
    assert_eq!(commit(&sandbox.path("bare")), Err(StoreError::NoRepository));
    sandbox.git(&repo, &["tag", "v1"]);
    sandbox.git(&repo, &["symbolic-ref", "HEAD", "refs/tags/v1"]);
    assert_eq!(commit(&repo), Err(StoreError::NoBranch));
    assert_eq!(commit(&sandbox.path("")), Err(StoreError::NoRepository));
}

#[test]
fn a_lock_of_git_is_waited_for_named_and_left_alone() {
    for (lock, name) in [("index.lock", "`index.lock`"), ("refs/heads/main.lock", "`refs/heads/main.lock`")] {
        let (sandbox, repo) = Sandbox::with_commit();
        let lock = repo.join(".git").join(lock);
        fs::write(&lock, "").expect("a lock");
        let hour = std::time::SystemTime::now() - Duration::from_secs(3700);
        fs::File::options().write(true).open(&lock).expect("a lock").set_modified(hour).expect("a time");
        let before = sandbox.git(&repo, &["rev-parse", "HEAD"]);
        let store = Store::open(&repo, Some(discover(&repo)), Duration::from_millis(30)).expect("a store");
        let (files, message) = (wanted(&[(RECEIPT, "a: 1\n")]), message());
        let request = CommitRequest {
            files: &files,
            message: &message,
            time: time(),
            via: CommitMethod::Gix,
            branch: None,
            allow_detached: false,
        };
        let held = store.commit(&request, &|_, _| false).expect_err("a lock").to_string();
        assert!(held.contains(name) && held.contains("held for 37"), "{held}");
        assert!(lock.exists() && sandbox.git(&repo, &["rev-parse", "HEAD"]) == before);
        // The remedy in the text works, from anywhere in the work tree.
        let paste = held.split('`').nth(3).expect("a command");
        assert!(sandbox.paste(&repo, paste).status.success() && !lock.exists(), "{paste}");
        store.commit(&request, &|_, _| false).expect("committed").expect("a commit");
        assert!(!repo.join(".git/index.lock").exists());
    }
}

#[test]
fn attributes_and_filters_decide_what_is_stored_as_git_itself_does() {
    let (sandbox, repo) = Sandbox::with_commit();
    put(&repo, ".gitattributes", "*.yaml text eol=crlf\n*.json filter=shout\n*.bin -text\n*.id ident\n");
    sandbox.git(&repo, &["config", "filter.shout.clean", "tr a-z A-Z"]);
    sandbox.git(&repo, &["config", "core.autocrlf", "input"]);
    sandbox.git(&repo, &["add", ".gitattributes"]);
    sandbox.git(&repo, &["commit", "--quiet", "--message=attributes"]);
    let files = [
        ("a.yaml", "a: 1\r\nb: 2\r\n"),
        ("b.yaml", "a: 1\n"),
        ("c.json", "{\"a\": 1}\n"),
        ("d.bin", "1\r\n"),
        ("e.md", "1\r\n2\r\n"),
        ("f.id", "$Id$\n"),
        ("state/g.yaml", "a: 1\r\n"),
    ];
    write_and_commit(&repo, &files).expect("committed").expect("a commit");
    for (path, _) in files {
        let stored = sandbox.git(&repo, &["rev-parse", &format!("HEAD:{path}")]);
        assert_eq!(stored, sandbox.git(&repo, &["hash-object", "--", path]), "{path}");
    }
    assert_eq!(sandbox.git(&repo, &["show", "HEAD:c.json"]), "{\"A\": 1}\n");
    assert_eq!(sandbox.git(&repo, &["show", "HEAD:e.md"]), "1\n2\n");
    assert_eq!(sandbox.status(&repo), "");
}

#[test]
fn what_a_hook_leaves_in_the_environment_points_nowhere_else() {
    let (sandbox, repo) = Sandbox::with_commit();
    let decoy = sandbox.init("decoy", &[]);
    sandbox.commit_file(&decoy, "decoy.txt", "decoy");
    let before = snapshot(&decoy);
    let mut command = child::start(&sandbox, "commit receipts/a.yaml", &repo);
    let git = decoy.join(".git");
    command.env("GIT_DIR", &git).env("GIT_WORK_TREE", &decoy).env("GIT_INDEX_FILE", git.join("index"));
    command.env("GIT_COMMON_DIR", &git).env("GIT_PREFIX", "x/").env("GIT_NAMESPACE", "decoy");
    command.env("GIT_OBJECT_DIRECTORY", git.join("objects")).env("GIT_SHALLOW_FILE", git.join("HEAD"));
    command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "core.worktree").env("GIT_CONFIG_VALUE_0", &decoy);
    let said = child::run(command);
    assert_eq!(said, sandbox.git(&repo, &["rev-parse", "HEAD"]).trim());
    assert_eq!(sandbox.log(&repo).len(), 2);
    assert_eq!(sandbox.status(&repo), "");
    assert_eq!(snapshot(&decoy), before);
}

#[test]
fn nobody_is_invented_to_commit_as() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["config", "--unset", "user.name"]);
    let commit = || child::start(&sandbox, "commit receipts/a.yaml", &repo);
    assert_eq!(child::run(commit()), StoreError::NoIdentity.to_string());
    let mut named = commit();
    named.env("GIT_AUTHOR_NAME", "An Author").env("GIT_COMMITTER_NAME", "A Committer");
    assert_eq!(child::run(named), sandbox.git(&repo, &["rev-parse", "HEAD"]).trim());
    assert_eq!(sandbox.git(&repo, &["log", "-1", "--format=%an, %cn"]).trim(), "An Author, A Committer");
}

#[test]
fn a_repository_of_another_user_is_read_and_not_written() {
    let (sandbox, repo) = Sandbox::with_commit();
    let given = std::process::Command::new("chown").args(["-R", "54321:54321"]).arg(&repo).output();
    if !given.is_ok_and(|output| output.status.success()) {
        return; // only root can give files away.
    }
    let before = snapshot(&repo.join(".git"));
    let found = discover(&repo);
    assert!(!found.is_trusted());
    let commit = found.revision("HEAD").expect("readable");
    assert_eq!(found.tree_files(commit, "", 1000).expect("readable").bytes.len(), 1);
    assert_eq!(write_and_commit(&repo, &[("a.yaml", "a: 1\n")]), Err(StoreError::Untrusted));
    assert_eq!(snapshot(&repo.join(".git")), before);
    assert!(repo.join("a.yaml").exists(), "files of the state directory are written");
    put(&sandbox.home(), ".gitconfig", &format!("[safe]\n\tdirectory = {}\n", repo.display()));
    let said = child::run(child::start(&sandbox, "commit b.yaml", &repo));
    assert_eq!(said, sandbox.git(&repo, &["rev-parse", "HEAD"]).trim());
}

#[test]
fn a_message_is_one_line_and_trailers() {
    let wrong: [(&str, &[(&str, &str)]); 6] = [
        ("", &[]),
        ("two\nlines", &[]),
        ("a subject", &[("Key", "two\nlines")]),
        ("a subject", &[("A key", "value")]),
        ("a subject", &[("", "value")]),
        ("a subject", &[("Key", " ")]),
    ];
    for (subject, trailers) in wrong {
        assert_eq!(CommitMessage::new(subject, trailers), Err(StoreError::Message), "{subject:?} {trailers:?}");
    }
    assert!(CommitMessage::new("a subject", &[]).is_ok());
}

#[test]
fn reading_alone_leaves_a_repository_untouched() {
    let (_sandbox, repo) = Sandbox::with_commit();
    let before = snapshot(&repo);
    let found = Repository::discover(&repo).expect("readable").expect("a repository");
    let commit = found.revision("HEAD").expect("known");
    found.history(commit, "", None).expect("readable");
    found.tree_files(commit, "", 1000).expect("readable");
    assert_eq!(snapshot(&repo), before);
}
