//! Committing beside a user: what is staged stays staged, what is unstaged stays so.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loopx::store::{CommitMethod, CommitRequest, DiskStep, Store, StoreError, Wanted};

use super::sandbox::{Sandbox, put, put_program};
use super::{WAIT, commit_via, discover, message, time, wanted, write_and_commit};

const RECEIPT: &str = "state/receipts/a.yaml";

/// A repository in the middle of somebody's work.
fn busy() -> (Sandbox, PathBuf) {
    let (sandbox, repo) = Sandbox::with_commit();
    for name in ["changed", "staged", "both", "removed", "gone", "renamed"] {
        put(&repo, &format!("state/{name}.txt"), &format!("{name}\n"));
    }
    put(&repo, "state/receipts/old.yaml", "old: 1\n");
    sandbox.git(&repo, &["add", "--all"]);
    sandbox.git(&repo, &["commit", "--quiet", "--message=files"]);
    put(&repo, "state/changed.txt", "not staged\n");
    put(&repo, "state/staged.txt", "staged\nand more\n");
    put(&repo, "state/both.txt", "staged\n");
    put(&repo, "state/receipts/new.yaml", "new: 1\n");
    sandbox.git(&repo, &["add", "state/staged.txt", "state/both.txt", "state/receipts/new.yaml"]);
    put(&repo, "state/both.txt", "and changed again\n");
    put(&repo, "state/intended.txt", "intended\n");
    put(&repo, "state/untracked.txt", "untracked\n");
    sandbox.git(&repo, &["add", "--intent-to-add", "state/intended.txt"]);
    sandbox.git(&repo, &["rm", "--quiet", "state/removed.txt"]);
    sandbox.git(&repo, &["mv", "state/renamed.txt", "state/new-name.txt"]);
    fs::remove_file(repo.join("state/gone.txt")).expect("a file");
    (sandbox, repo)
}

/// All that git knows of the user's work.
fn work(sandbox: &Sandbox, repo: &Path) -> [String; 3] {
    [
        sandbox.status(repo),
        sandbox.git(repo, &["diff", "--cached", "--no-renames", "--", ".", ":!state/receipts/a.yaml"]),
        sandbox.git(repo, &["diff", "--no-renames"]),
    ]
}

#[test]
fn somebodys_work_is_neither_committed_nor_lost() {
    for via in [CommitMethod::Gix, CommitMethod::Git] {
        let (sandbox, repo) = busy();
        let before = work(&sandbox, &repo);
        put(&repo, RECEIPT, "a: 1\n");
        let made = commit_via(&repo, &wanted(&[(RECEIPT, "a: 1\n")]), via).expect("committed").expect("a commit");
        assert_eq!(sandbox.changed(&repo, &made.to_string()), [RECEIPT], "{via:?}");
        assert_eq!(work(&sandbox, &repo), before, "{via:?}");
        // The user goes on, in the same folder: their commit holds their work and keeps ours.
        sandbox.git(&repo, &["commit", "--quiet", "--message=theirs"]);
        let mut theirs = sandbox.changed(&repo, "HEAD");
        theirs.sort();
        let expected = ["both", "new-name", "receipts/new", "removed", "renamed", "staged"];
        let expected = expected.map(|name| format!("state/{name}.{}", if name.contains('/') { "yaml" } else { "txt" }));
        assert_eq!(theirs, expected, "{via:?}");
        assert_eq!(sandbox.git(&repo, &["show", &format!("HEAD:{RECEIPT}")]), "a: 1\n");
        sandbox.fsck(&repo);
    }
}

/// What git remembers of unchanged folders in the index must not outlive our change in one of them.
#[test]
fn the_users_next_commit_elsewhere_keeps_ours() {
    let (sandbox, repo) = Sandbox::with_commit();
    for path in ["state/receipts/old.yaml", "src/deep/code.txt"] {
        sandbox.commit_file(&repo, path, "1\n");
    }
    write_and_commit(&repo, &[(RECEIPT, "a: 1\n"), ("state/receipts/old.yaml", "1\n")]).expect("committed");
    sandbox.commit_file(&repo, "src/deep/more.txt", "theirs\n");
    assert_eq!(sandbox.changed(&repo, "HEAD"), ["src/deep/more.txt"]);
    sandbox.commit_file(&repo, "state/receipts/theirs.yaml", "theirs\n");
    assert_eq!(sandbox.changed(&repo, "HEAD"), ["state/receipts/theirs.yaml"]);
    assert_eq!(sandbox.status(&repo), "");
    sandbox.fsck(&repo);
}

#[test]
fn an_index_keeps_working_whatever_its_features() {
    let features: [&[&str]; 5] = [
        &["update-index", "--index-version=4"],
        &["update-index", "--untracked-cache"],
        &["config", "index.skipHash", "true"],
        &["config", "core.fsmonitor", "false"],
        &["config", "feature.manyFiles", "true"],
    ];
    for feature in features {
        let (sandbox, repo) = busy();
        sandbox.git(&repo, feature);
        sandbox.git(&repo, &["update-index", "--force-write-index"]);
        let before = work(&sandbox, &repo);
        write_and_commit(&repo, &[(RECEIPT, "a: 1\n")]).expect("committed").expect("a commit");
        assert_eq!(work(&sandbox, &repo), before, "{feature:?}");
        sandbox.fsck(&repo);
    }
}

#[test]
fn no_flag_hides_a_file_of_ours() {
    let (sandbox, repo) = Sandbox::with_commit();
    write_and_commit(&repo, &[("a.yaml", "a: 1\n"), ("b.yaml", "b: 1\n")]).expect("committed");
    sandbox.git(&repo, &["update-index", "--skip-worktree", "a.yaml"]);
    sandbox.git(&repo, &["update-index", "--assume-unchanged", "b.yaml"]);
    for (path, text) in [("a.yaml", "a: 2\n"), ("b.yaml", "b: 2\n")] {
        put(&repo, path, text);
    }
    commit_via(&repo, &wanted(&[("a.yaml", "a: 2\n"), ("b.yaml", "b: 2\n")]), CommitMethod::Gix).expect("committed");
    assert_eq!(sandbox.git(&repo, &["ls-files", "-v"]), "H a.yaml\nH b.yaml\nH first.txt\n");
}

#[test]
fn what_the_user_staged_for_the_same_file_is_not_overwritten() {
    let (sandbox, repo) = Sandbox::with_commit();
    write_and_commit(&repo, &[("old.yaml", "old: 1\n"), ("out.yaml", "out: 1\n")]).expect("committed");
    let stage = |path: &str, text: &str| {
        put(&repo, path, text);
        sandbox.git(&repo, &["add", path]);
    };
    let commit = |path: &str, owned: bool| {
        let store = Store::open(&repo, Some(discover(&repo)), WAIT).expect("a store");
        let (files, message) = (wanted(&[(path, "final: 1\n")]), message());
        let request = CommitRequest {
            files: &files,
            message: &message,
            time: time(),
            via: CommitMethod::Gix,
            branch: None,
            allow_detached: false,
        };
        store.commit(&request, &|_, _| owned)
    };
    let staged = |path: &str| Err(StoreError::Staged { path: path.to_owned() });
    stage("new.yaml", "mine: 1\n");
    stage("old.yaml", "mine: 1\n");
    sandbox.git(&repo, &["rm", "--cached", "--quiet", "out.yaml"]);
    for path in ["new.yaml", "old.yaml", "out.yaml"] {
        let before = sandbox.git(&repo, &["ls-files", "--stage"]);
        assert_eq!(commit(path, false), staged(path));
        assert_eq!(sandbox.git(&repo, &["ls-files", "--stage"]), before);
    }
    stage("same.yaml", "final: 1\n");
    for path in ["new.yaml", "old.yaml", "out.yaml"] {
        assert!(commit(path, true).expect("committed").is_some(), "what is ours may be replaced");
    }
    assert!(commit("same.yaml", false).expect("committed").is_some(), "what is staged is what is committed");
}

#[test]
fn a_conflict_or_a_name_in_use_in_the_index_is_refused() {
    let (sandbox, repo) = super::reading::conflicting();
    sandbox.git(&repo, &["checkout", "--quiet", "HEAD~1"]);
    put(&repo, "first.txt", "to be stashed\n");
    sandbox.git(&repo, &["stash", "--quiet"]);
    sandbox.git(&repo, &["checkout", "--quiet", "main"]);
    sandbox.try_git(&repo, &["stash", "pop"]);
    let commit = |path: &str| commit_via(&repo, &wanted(&[(path, "x\n")]), CommitMethod::Gix);
    assert_eq!(commit("first.txt"), Err(StoreError::Unmerged { path: "first.txt".to_owned() }));
    assert!(commit("other.txt").expect("committed").is_some(), "an unmerged file elsewhere is not in the way");
    sandbox.git(&repo, &["checkout", "--quiet", "--force", "main"]);
    sandbox.commit_file(&repo, "folder/file.txt", "text");
    for path in ["folder", "first.txt/below.yaml"] {
        assert_eq!(commit(path), Err(StoreError::Occupied { path: path.to_owned() }));
    }
    let gone = [("folder".to_owned(), Wanted::Absent)].into();
    assert_eq!(commit_via(&repo, &gone, CommitMethod::Gix), Err(StoreError::Occupied { path: "folder".to_owned() }));
}

#[test]
fn a_branch_that_moves_meanwhile_is_followed() {
    let (sandbox, repo) = Sandbox::with_commit();
    let other = sandbox.git(&repo, &["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "meanwhile"]);
    let moves = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let (sandbox, count) = (Arc::new(sandbox), Arc::clone(&moves));
    let (user, place) = (Arc::clone(&sandbox), repo.clone());
    let probe = move |step: DiskStep| {
        if step == DiskStep::Announce && count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            user.git(&place, &["update-ref", "refs/heads/main", other.trim()]);
        }
        Ok(())
    };
    let store = Store::open_probed(&repo, Some(discover(&repo)), WAIT, Some(Arc::new(probe))).expect("a store");
    let (files, message) = (wanted(&[(RECEIPT, "a: 1\n")]), message());
    store.write(&files, &|_, _| false, loopx::store::Durability::Kept).expect("written");
    let request = CommitRequest {
        files: &files,
        message: &message,
        time: time(),
        via: CommitMethod::Gix,
        branch: None,
        allow_detached: false,
    };
    store.commit(&request, &|_, _| false).expect("committed").expect("a commit");
    assert_eq!(moves.load(std::sync::atomic::Ordering::SeqCst), 2);
    assert_eq!(sandbox.log(&repo), ["Record one decision", "meanwhile", "first.txt"]);
    assert_eq!(sandbox.status(&repo), "");
    sandbox.fsck(&repo);
}

fn hook(repo: &Path, name: &str, text: &str) {
    put_program(repo, &format!(".git/hooks/{name}"), &format!("#!/bin/sh\n{text}\n"));
}

#[test]
fn the_git_command_runs_hooks_and_a_refusal_changes_nothing() {
    let (sandbox, repo) = busy();
    hook(&repo, "pre-commit", "exit 1");
    let before = (work(&sandbox, &repo), sandbox.git(&repo, &["ls-files", "--stage"]));
    put(&repo, RECEIPT, "a: 1\n");
    let files = wanted(&[(RECEIPT, "a: 1\n")]);
    assert_eq!(
        commit_via(&repo, &files, CommitMethod::Git),
        Err(StoreError::GitCommand { act: "commit", code: Some(1) })
    );
    fs::remove_file(repo.join(RECEIPT)).expect("a file");
    assert_eq!((work(&sandbox, &repo), sandbox.git(&repo, &["ls-files", "--stage"])), before);
    put(&repo, RECEIPT, "a: 1\n");
    hook(&repo, "pre-commit", "exit 0");
    hook(&repo, "commit-msg", r#"echo "Signed-off-by: a hook" >> "$1""#);
    commit_via(&repo, &files, CommitMethod::Git).expect("committed").expect("a commit");
    let text = "Record one decision\n\nLoopx-Goal: goal-1\nLoopx-Receipt: run-0123456789abcdef\nSigned-off-by: a hook";
    assert_eq!(sandbox.git(&repo, &["log", "-1", "--format=%B"]).trim(), text);
    assert_eq!(
        sandbox.git(&repo, &["log", "-1", "--format=%ct %cd", "--date=raw"]).trim(),
        "1767323045 1767323045 +0000"
    );
    assert_eq!(commit_via(&repo, &files, CommitMethod::Git), Ok(None));
}

#[test]
fn the_git_command_takes_odd_names_removals_and_a_branch_without_commit() {
    let sandbox = Sandbox::new();
    let repo = sandbox.init("repo", &[]);
    put(&repo, ".gitignore", "receipts/\n");
    put(&repo, "staged.txt", "staged");
    sandbox.git(&repo, &["add", "staged.txt"]);
    let names = ["receipts/*.yaml", "receipts/x.yaml", ":(top)odd.yaml"];
    for name in names {
        put(&repo, name, "a: 1\n");
    }
    let made =
        commit_via(&repo, &wanted(&[(names[0], "a: 1\n")]), CommitMethod::Git).expect("committed").expect("a commit");
    assert_eq!(sandbox.changed(&repo, &made.to_string()), ["receipts/*.yaml"]);
    assert_eq!(sandbox.git(&repo, &["diff", "--cached", "--name-only"]), "staged.txt\n");
    fs::remove_file(repo.join(names[0])).expect("a file");
    let mut files = wanted(&[(names[1], "a: 1\n")]);
    files.insert(names[0].to_owned(), Wanted::Absent);
    let made = commit_via(&repo, &files, CommitMethod::Git).expect("committed").expect("a commit");
    assert_eq!(sandbox.changed(&repo, &made.to_string()), names[..2]);
    assert!(matches!(
        commit_via(&repo, &wanted(&[(names[2], "a")]), CommitMethod::Git),
        Err(StoreError::Outside { .. })
    ));
}

/// Waits until something is there. The bound is only for a test that would else hang.
fn await_file(path: &Path) {
    let end = std::time::Instant::now() + WAIT;
    while !path.exists() {
        assert!(std::time::Instant::now() < end, "{} never came", path.display());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// A repository in which something is staged, and whose file system monitor is a script of ours.
fn with_monitor(script: &str) -> (Sandbox, PathBuf) {
    let (sandbox, repo) = Sandbox::with_commit();
    put_program(&sandbox.home(), "monitor", script);
    put(&repo, "staged.txt", "staged");
    sandbox.git(&repo, &["add", "staged.txt"]);
    sandbox.git(&repo, &["config", "core.fsmonitor", sandbox.home().join("monitor").to_str().expect("Unicode")]);
    (sandbox, repo)
}

/// The same with a monitor that takes longer than any run would wait for by the clock.
#[cfg(target_os = "linux")]
#[test]
fn a_git_commit_that_a_slow_monitor_holds_up_is_waited_for() {
    let script = "#!/bin/sh\ntouch \"$HOME/../asked\"\nsleep 1\nprintf 'token\\0/\\0'\n";
    let (sandbox, repo) = with_monitor(script);
    let asked = sandbox.path("asked");
    let theirs = ["commit", "--quiet", "--message=theirs"];
    std::thread::scope(|scope| {
        let user = scope.spawn(|| sandbox.try_git(&repo, &theirs));
        await_file(&asked);
        write_and_commit(&repo, &[(RECEIPT, "a: 1\n")]).expect("committed").expect("a commit");
        let refused = user.join().expect("no panic");
        assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("index.lock"));
    });
    sandbox.git(&repo, &["config", "--unset", "core.fsmonitor"]);
    assert_eq!(sandbox.status(&repo), "A  staged.txt\n");
    sandbox.git(&repo, &theirs);
    assert_eq!(sandbox.changed(&repo, "HEAD"), ["staged.txt"]);
}

/// `git commit` reads the index, asks the file system monitor, and locks the index only then.
#[test]
fn a_git_commit_that_read_the_index_too_early_fails_rather_than_undo_ours() {
    let script = r#"#!/bin/sh
if [ ! -e "$HOME/../asked" ]; then
    touch "$HOME/../asked"
    while [ ! -e "$HOME/../answer" ]; do sleep 0.01; done
fi
printf 'token\0/\0'
"#;
    let (sandbox, repo) = with_monitor(script);
    let [asked, answer, ended] = ["asked", "answer", "ended"].map(|name| sandbox.path(name));
    let theirs = ["commit", "--quiet", "--message=theirs"];
    let refused = std::thread::scope(|scope| {
        let user = scope.spawn(|| {
            let output = sandbox.try_git(&repo, &theirs);
            fs::write(&ended, "").expect("a file");
            output
        });
        await_file(&asked);
        let (answer, ended) = (answer.clone(), ended.clone());
        let probe = move |step: DiskStep| {
            if step == DiskStep::Release {
                fs::write(&answer, "").expect("a file");
                await_file(&ended);
            }
            Ok(())
        };
        let store = Store::open_probed(&repo, Some(discover(&repo)), WAIT, Some(Arc::new(probe))).expect("a store");
        let (files, message) = (wanted(&[(RECEIPT, "a: 1\n")]), message());
        store.write(&files, &|_, _| false, loopx::store::Durability::Kept).expect("written");
        let request = CommitRequest {
            files: &files,
            message: &message,
            time: time(),
            via: CommitMethod::Gix,
            branch: None,
            allow_detached: false,
        };
        store.commit(&request, &|_, _| false).expect("committed").expect("a commit");
        user.join().expect("no panic")
    });
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("index.lock"));
    assert_eq!(sandbox.status(&repo), "A  staged.txt\n");
    sandbox.git(&repo, &theirs);
    assert_eq!(sandbox.changed(&repo, "HEAD"), ["staged.txt"]);
    assert_eq!(sandbox.status(&repo), "");
}

/// The index, byte for byte, and whether git's lock of it is there.
fn index(repo: &Path) -> (Vec<u8>, bool) {
    (fs::read(repo.join(".git/index")).expect("the index"), repo.join(".git/index.lock").exists())
}

/// Whether a process that wrote its number to a file still runs.
fn runs(number: &Path) -> bool {
    let number = fs::read_to_string(number).expect("a number");
    let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

#[test]
fn a_hook_that_never_ends_is_ended_and_the_index_is_as_it_was() {
    let (sandbox, repo) = busy();
    put(&repo, RECEIPT, "a: 1\n");
    let (number, commit) = (sandbox.path("number"), sandbox.git(&repo, &["rev-parse", "HEAD"]));
    hook(&repo, "pre-commit", &format!("echo $$ > '{}'; sleep 600 & wait", number.display()));
    let before = index(&repo);
    let (files, message) = (wanted(&[(RECEIPT, "a: 1\n")]), message());
    let request = CommitRequest {
        files: &files,
        message: &message,
        time: time(),
        via: CommitMethod::Git,
        branch: None,
        allow_detached: false,
    };
    let store = Store::open(&repo, Some(discover(&repo)), WAIT).expect("a store");
    let store = store.with_deadline(std::time::Duration::from_secs(1));
    assert_eq!(store.commit(&request, &|_, _| false), Err(StoreError::GitDeadline { act: "commit", seconds: 1 }));
    assert!(index(&repo) == before, "the index is untouched");
    assert_eq!(sandbox.git(&repo, &["rev-parse", "HEAD"]), commit);
    assert!(!cfg!(target_os = "linux") || !runs(&number), "the hook is ended too");
    drop(store);
    fs::remove_file(repo.join(".git/hooks/pre-commit")).expect("the hook");
    commit_via(&repo, &files, CommitMethod::Git).expect("committed").expect("a commit");
    assert_eq!(sandbox.changed(&repo, "HEAD"), [RECEIPT]);
    sandbox.fsck(&repo);
}

/// A commit is made once its branch has moved, whatever a hook that runs afterwards does.
#[test]
fn a_hook_that_hangs_after_the_commit_undoes_nothing() {
    let (sandbox, repo) = busy();
    let before = work(&sandbox, &repo);
    put(&repo, RECEIPT, "a: 1\n");
    hook(&repo, "post-commit", "sleep 600 & wait");
    let (files, message) = (wanted(&[(RECEIPT, "a: 1\n")]), message());
    let request = CommitRequest {
        files: &files,
        message: &message,
        time: time(),
        via: CommitMethod::Git,
        branch: None,
        allow_detached: false,
    };
    let store = Store::open(&repo, Some(discover(&repo)), WAIT).expect("a store");
    let store = store.with_deadline(std::time::Duration::from_secs(2));
    let made = store.commit(&request, &|_, _| false).expect("committed").expect("a commit");
    assert_eq!(sandbox.changed(&repo, &made.to_string()), [RECEIPT]);
    assert_eq!(work(&sandbox, &repo), before);
    assert!(!index(&repo).1);
    sandbox.fsck(&repo);
}

/// What somebody means to add later stays so, also when it is a file of ours.
#[test]
fn what_is_only_meant_to_be_added_is_no_work_of_anybody() {
    for via in [CommitMethod::Gix, CommitMethod::Git] {
        let (sandbox, repo) = Sandbox::with_commit();
        put(&repo, RECEIPT, "a: 1\n");
        sandbox.git(&repo, &["add", "--intent-to-add", RECEIPT]);
        let files = wanted(&[(RECEIPT, "a: 1\n")]);
        let made = commit_via(&repo, &files, via).expect("committed").expect("a commit");
        assert_eq!(sandbox.changed(&repo, &made.to_string()), [RECEIPT], "{via:?}");
        assert_eq!(sandbox.status(&repo), "", "{via:?}");
    }
}
