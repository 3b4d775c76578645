//! Writing: files that appear whole or not at all, and only where they belong.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loopx::store::{DiskStep, Durability, Probe, Store, StoreError, Wanted, WrittenFiles};

use super::sandbox::{Sandbox, put, snapshot};
use super::{WAIT, open, wanted};

/// Ours is what says so.
fn owned(_path: &str, bytes: &[u8]) -> bool {
    bytes.starts_with(b"ours")
}

fn write(directory: &Path, files: &[(&str, &str)]) -> Result<WrittenFiles, StoreError> {
    open(directory).write(&wanted(files), &owned, Durability::Derived)
}

fn is_clean(directory: &Path) -> bool {
    !directory.join(".loopx/.gitignore").exists()
        && !snapshot(directory).iter().any(|(path, _)| path.to_string_lossy().contains("stage-"))
}

#[test]
fn only_what_differs_is_written() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    let files = [("attention.md", "ours 1"), ("projections/g/a.json", "ours 2"), ("projections/g/b.json", "ours 3")];
    let first = write(&root, &files).expect("written");
    assert_eq!((first.written.len(), first.removed.len(), first.unchanged), (3, 0, 0));
    let times = || {
        snapshot(&root)
            .iter()
            .map(|(path, _)| fs::metadata(path).expect("a file").modified().expect("a time"))
            .collect::<Vec<_>>()
    };
    let before = times();
    let again = write(&root, &files).expect("written");
    assert_eq!(again, WrittenFiles { unchanged: 3, ..WrittenFiles::default() });
    assert_eq!(times(), before, "a second run touches nothing");
    let changed = write(&root, &[("attention.md", "ours 1"), ("projections/g/b.json", "ours 4")]).expect("written");
    assert_eq!((changed.written, changed.unchanged), (vec!["projections/g/b.json".to_owned()], 1));
    assert_eq!(fs::read_to_string(root.join("projections/g/b.json")).expect("a file"), "ours 4");
    assert!(is_clean(&root) && !root.join(".loopx").exists());
}

#[test]
fn a_file_is_removed_with_the_folders_that_it_leaves_empty() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    write(&root, &[("previews/g/a.json", "ours"), ("previews/h/b.json", "ours")]).expect("written");
    let gone =
        ["previews/g/a.json", "previews/g/never.json", "nowhere/x.json"].map(|path| (path.to_owned(), Wanted::Absent));
    let written = open(&root).write(&gone.into(), &owned, Durability::Kept).expect("removed");
    assert_eq!((written.removed, written.unchanged), (vec!["previews/g/a.json".to_owned()], 2));
    assert!(!root.join("previews/g").exists() && root.join("previews/h/b.json").exists());
}

#[test]
fn a_file_may_follow_the_last_one_of_its_folder() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    write(&root, &[("previews/g/a.json", "ours")]).expect("written");
    let mut files = wanted(&[("previews/g/b.json", "ours")]);
    files.insert("previews/g/a.json".to_owned(), Wanted::Absent);
    open(&root).write(&files, &owned, Durability::Derived).expect("written");
    assert!(!root.join("previews/g/a.json").exists() && root.join("previews/g/b.json").exists());
}

#[test]
fn nothing_is_touched_when_one_file_is_refused() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    put(&root, "projections/notes.json", "written by hand");
    put(&root, "file", "a file");
    fs::create_dir_all(root.join("folder/below")).expect("a folder");
    put(&sandbox.path("outside"), "kept.json", "ours, but elsewhere");
    symlink(sandbox.path("outside"), root.join("door")).expect("a link");
    symlink(sandbox.path("outside/kept.json"), root.join("window.json")).expect("a link");
    let path = |path: &str| path.to_owned();
    let cases = [
        ("projections/notes.json", StoreError::NotOurs { path: path("projections/notes.json") }),
        ("door/kept.json", StoreError::Link { path: path("door") }),
        ("window.json", StoreError::Link { path: path("window.json") }),
        ("file/below.json", StoreError::Occupied { path: path("file") }),
        ("folder", StoreError::Occupied { path: path("folder") }),
        ("../up.json", StoreError::Outside { path: path("../up.json") }),
        ("/etc/x", StoreError::Outside { path: path("/etc/x") }),
        ("a//b", StoreError::Outside { path: path("a//b") }),
        ("a/./b", StoreError::Outside { path: path("a/./b") }),
        ("", StoreError::Outside { path: path("") }),
        (".git/config", StoreError::Outside { path: path(".git/config") }),
        ("a/.GIT/config", StoreError::Outside { path: path("a/.GIT/config") }),
        (r"a\b", StoreError::Outside { path: path(r"a\b") }),
        ("C:/x", StoreError::Outside { path: path("C:/x") }),
    ];
    let before = snapshot(&sandbox.path(""));
    for (refused, expected) in cases {
        let files = [("aaa.json", "ours"), (refused, "ours, new"), ("zzz.json", "ours")];
        assert_eq!(write(&root, &files), Err(expected.clone()), "{refused}");
        let gone = [(refused.to_owned(), Wanted::Absent)];
        assert_eq!(open(&root).write(&gone.into(), &owned, Durability::Derived), Err(expected), "{refused}");
    }
    let lock = root.join(".git/loopx/lock");
    let after: Vec<_> = snapshot(&sandbox.path("")).into_iter().filter(|(path, _)| *path != lock).collect();
    assert_eq!(after, before);
}

#[test]
fn a_file_keeps_its_permissions_and_a_new_one_gets_the_usual() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    put(&root, "kept.json", "ours");
    put(&root, "usual.txt", "");
    fs::set_permissions(root.join("kept.json"), fs::Permissions::from_mode(0o640)).expect("permissions");
    write(&root, &[("kept.json", "ours, new"), ("new.json", "ours")]).expect("written");
    let mode = |path: &str| fs::metadata(root.join(path)).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode("kept.json"), 0o640);
    assert_eq!(mode("new.json"), mode("usual.txt"));
}

/// Fails at one change to the disk.
fn failing_at(change: usize, kind: std::io::ErrorKind) -> (Probe, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&made);
    let probe = move |_: DiskStep| match counter.fetch_add(1, Ordering::SeqCst) {
        now if now == change => Err(kind.into()),
        _ => Ok(()),
    };
    (Arc::new(probe), made)
}

#[test]
fn a_full_disk_leaves_no_part_of_a_file_and_the_next_run_completes() {
    let files = wanted(&[
        ("a/1.json", "ours 1, new"),
        ("a/2.json", "ours 2, new"),
        ("b/3.json", "ours 3, new"),
        ("c/4.json", "ours 4, new"),
    ]);
    for change in 0.. {
        let sandbox = Sandbox::new();
        let root = sandbox.init("repo", &[]);
        write(&root, &[("a/1.json", "ours 1, old"), ("a/2.json", "ours 2, old"), ("old.json", "ours, to go")])
            .expect("written");
        let mut files = files.clone();
        files.insert("old.json".to_owned(), Wanted::Absent);
        let (probe, made) = failing_at(change, std::io::ErrorKind::StorageFull);
        let store = Store::open_probed(&root, None, WAIT, Some(probe)).expect("a store");
        let failed = store.write(&files, &owned, Durability::Kept);
        drop(store);
        for (path, bytes) in
            snapshot(&root).iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "json"))
        {
            assert!(bytes.ends_with(b"new") || bytes.ends_with(b"old") || bytes.ends_with(b"go"), "{}", path.display());
        }
        assert!(is_clean(&root) || root.join(".loopx/lock").exists(), "change {change}");
        if made.load(Ordering::SeqCst) <= change {
            assert!(failed.is_ok());
            assert!(change >= 9, "only {change} changes were ever made");
            return;
        }
        let said = failed.expect_err("a full disk").to_string();
        let name = root.to_str().expect("Unicode");
        assert!(said.contains(".json") && said.contains("no storage space") && !said.contains(name), "{said}");
        open(&root).write(&files, &owned, Durability::Kept).expect("completed");
        assert_eq!(fs::read_to_string(root.join("b/3.json")).expect("a file"), "ours 3, new");
        assert!(!root.join("old.json").exists());
    }
}

#[test]
fn what_cannot_be_staged_leaves_every_file_as_it_was() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    let names: Vec<String> = (0..300).map(|number| format!("o/{number}.json")).collect();
    let old: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "ours, old")).collect();
    let new: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "ours, new")).collect();
    write(&root, &old).expect("written");
    let (probe, _) = failing_at(299, std::io::ErrorKind::StorageFull);
    let repository = super::discover(&root);
    let store = Store::open_probed(&root, Some(repository), WAIT, Some(probe)).expect("a store");
    store.write(&wanted(&new), &owned, Durability::Derived).expect_err("a full disk");
    for name in &names {
        assert_eq!(fs::read_to_string(root.join(name)).expect("a file"), "ours, old");
    }
}

#[test]
fn a_second_run_waits_and_then_says_who_is_in_the_way() {
    let sandbox = Sandbox::new();
    let bare = sandbox.path("no-git");
    fs::create_dir(&bare).expect("a folder");
    for root in [sandbox.init("repo", &[]), bare] {
        let first = open(&root);
        let refused =
            Store::open(&root, loopx::git::Repository::discover(&root).expect("readable"), Duration::from_millis(30));
        assert_eq!(refused.err(), Some(StoreError::Busy { seconds: 0 }));
        let second = std::thread::scope(|scope| {
            let second = scope.spawn(|| open(&root).write(&wanted(&[("x.json", "ours")]), &owned, Durability::Derived));
            drop(first);
            second.join().expect("no panic")
        });
        assert_eq!(second.expect("written").written, ["x.json"]);
    }
    assert_eq!(sandbox.status(&sandbox.path("repo")), "?? x.json\n", "the lock is not in the work tree");
}

#[test]
fn what_a_killed_run_had_staged_is_swept_and_never_shown_to_git() {
    let sandbox = Sandbox::new();
    let root = sandbox.init("repo", &[]);
    put(&root, ".loopx/.gitignore", "*\n");
    put(&root, ".loopx/stage-abc/0", "half a fi");
    assert_eq!(sandbox.status(&root), "");
    open(&root);
    assert!(!root.join(".loopx").exists());
    put(&root, ".loopx/stage-abc/0", "half a fi");
    put(&root, ".loopx/notes.txt", "somebody's");
    open(&root);
    assert!(!root.join(".loopx/stage-abc").exists() && root.join(".loopx/notes.txt").exists());
}
