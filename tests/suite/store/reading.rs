//! Reading: which repository it is, where decisions count, and what is there.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use loopx::git::{
    AuthorityCommit, CommitFiles, GitError, Head, LeftOut, Repository, RepositoryKind, Skipped, UnfinishedOperation,
};

use super::discover;
use super::sandbox::{Sandbox, put};

const LARGEST: u64 = 1 << 18;

#[test]
fn a_directory_without_git_has_no_repository() {
    let sandbox = Sandbox::new();
    assert!(Repository::discover(&sandbox.path("")).expect("readable").is_none());
}

#[test]
fn every_kind_of_repository_is_recognised() {
    let (sandbox, repo) = Sandbox::with_commit();
    put(&repo, "state/goals/a/goal.yaml", "x");
    sandbox.git(&repo, &["worktree", "add", "--quiet", "../linked", "-b", "linked"]);
    sandbox.git(&repo, &["clone", "--quiet", "--bare", ".", "../bare"]);
    let superproject = sandbox.init("super", &[]);
    sandbox.git(&superproject, &["submodule", "--quiet", "add", "../repo", "sub"]);
    let cases = [
        (repo.clone(), RepositoryKind::WorkTree, ""),
        (repo.join("state/goals/a"), RepositoryKind::WorkTree, "state/goals/a/"),
        (sandbox.path("linked"), RepositoryKind::LinkedWorkTree, ""),
        (superproject.join("sub"), RepositoryKind::Submodule, ""),
        (superproject, RepositoryKind::WorkTree, ""),
        (sandbox.path("bare"), RepositoryKind::Bare, ""),
    ];
    for (place, kind, prefix) in cases {
        let found = discover(&place);
        assert_eq!((found.kind(), found.prefix()), (kind, prefix), "{kind:?}");
        assert!(found.is_trusted() && !found.is_shallow().expect("readable"));
    }
}

#[test]
fn a_link_into_a_repository_is_followed_to_where_it_leads() {
    let (sandbox, repo) = Sandbox::with_commit();
    put(&repo, "state/loopx.yaml", "x");
    std::os::unix::fs::symlink(repo.join("state"), sandbox.path("door")).expect("a link");
    assert_eq!(discover(&sandbox.path("door")).prefix(), "state/");
}

#[test]
fn sha256_and_unborn_and_detached_are_read() {
    let sandbox = Sandbox::new();
    let repo = sandbox.init("repo", &["--object-format=sha256"]);
    let unborn = Head::Branch { name: "main".to_owned(), commit: None };
    assert_eq!(discover(&repo).head().expect("readable"), unborn);
    assert_eq!(discover(&repo).authority("HEAD").expect("readable"), AuthorityCommit::Unborn);
    assert_eq!(discover(&repo).authority("main").expect("readable"), AuthorityCommit::Unborn);
    sandbox.commit_file(&repo, "a/b.txt", "text");
    sandbox.git(&repo, &["checkout", "--quiet", "--detach"]);
    let found = discover(&repo);
    let Head::Detached(commit) = found.head().expect("readable") else { panic!("a branch") };
    assert_eq!(commit.to_string().len(), 64);
    let files = found.tree_files(commit, "a", LARGEST).expect("readable");
    assert_eq!(files.bytes.into_iter().collect::<Vec<_>>(), [("b.txt".to_owned(), b"text".to_vec())]);
}

#[test]
fn a_reftable_is_refused_with_the_command_that_moves_it() {
    let sandbox = Sandbox::new();
    let repo = sandbox.path("repo");
    fs::create_dir(&repo).expect("a folder");
    if !sandbox.try_git(&repo, &["init", "--quiet", "--ref-format=reftable"]).status.success() {
        return; // git before 2.45 cannot make one.
    }
    let refused = Repository::discover(&repo).expect_err("a reftable");
    assert_eq!(refused, GitError::Reftable);
    assert!(refused.to_string().contains("git refs migrate"), "{refused}");
}

#[test]
fn an_authority_is_a_branch_here_or_of_origin() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["branch", "team/state"]);
    sandbox.git(&repo, &["clone", "--quiet", ".", "../clone"]);
    let clone = sandbox.path("clone");
    let head = sandbox.git(&repo, &["rev-parse", "HEAD"]);
    for name in ["HEAD", "main", "team/state"] {
        let AuthorityCommit::Commit(commit) = discover(&clone).authority(name).expect("readable") else {
            panic!("{name} is not found");
        };
        assert_eq!(commit.to_string(), head.trim());
    }
    // Of a branch here and the same one of origin the descendant counts.
    sandbox.identify(&clone);
    sandbox.commit_file(&clone, "second.txt", "second");
    let here = sandbox.git(&clone, &["rev-parse", "HEAD"]);
    let AuthorityCommit::Commit(commit) = discover(&clone).authority("main").expect("readable") else {
        panic!("missing")
    };
    assert_eq!(commit.to_string(), here.trim());
    assert_eq!(discover(&clone).default_branch().expect("readable").as_deref(), Some("main"));
    assert_eq!(discover(&repo).default_branch().expect("readable").as_deref(), Some("main"));
}

#[test]
fn a_missing_authority_names_a_fetch_that_works() {
    let (sandbox, repo) = Sandbox::with_commit();
    let odd = "it's;odd";
    for name in ["feature", odd] {
        sandbox.git(&repo, &["branch", name]);
    }
    sandbox.commit_file(&repo, "second.txt", "second");
    let source = format!("file://{}", repo.display());
    sandbox.git(&repo, &["clone", "--quiet", "--depth=1", "--branch=feature", &source, "../clone"]);
    let clone = sandbox.path("clone");
    for name in ["main", odd] {
        let found = discover(&clone).authority(name).expect("readable");
        let AuthorityCommit::Missing { fetch: Some(fetch) } = found else { panic!("{found:?}") };
        let pasted = sandbox.paste(&clone, &fetch.to_string());
        assert!(pasted.status.success(), "{fetch}: {}", String::from_utf8_lossy(&pasted.stderr));
        assert!(matches!(discover(&clone).authority(name), Ok(AuthorityCommit::Commit(_))), "{fetch}");
        assert!(discover(&clone).is_shallow().expect("readable"), "{fetch}");
    }
    for name in ["absent", "..", "-", "a b", "refs/heads/main"] {
        let found = discover(&repo).authority(name).expect("readable");
        let AuthorityCommit::Missing { fetch: Some(remedy) } = found else { panic!("{name}: {found:?}") };
        assert_eq!(remedy.to_string(), "git config loopx.authority main", "{name}");
    }
}

#[test]
fn a_revision_is_found_or_says_what_to_fetch() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["tag", "--annotate", "--message=v1", "v1"]);
    let first = sandbox.git(&repo, &["rev-parse", "HEAD"]);
    sandbox.commit_file(&repo, "second.txt", "second");
    let found = discover(&repo);
    for name in ["v1", "HEAD~1", "main^", &first[..9], first.trim()] {
        assert_eq!(found.revision(name).expect("known").to_string(), first.trim(), "{name}");
    }
    assert_eq!(found.revision("nothing"), Err(GitError::UnknownRevision { fetch: None }));
    let source = format!("file://{}", repo.display());
    sandbox.git(&repo, &["clone", "--quiet", "--depth=1", &source, "../clone"]);
    let clone = discover(&sandbox.path("clone"));
    for (name, command) in [
        ("HEAD~1", "git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'"),
        (first.trim(), "git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'"),
        ("origin/other", "git fetch --depth=1 origin refs/heads/other:refs/remotes/origin/other"),
    ] {
        let refused = clone.revision(name).expect_err("unknown");
        let GitError::UnknownRevision { fetch: Some(fetch) } = &refused else { panic!("{refused:?}") };
        assert_eq!(fetch.to_string(), command);
        assert!(refused.to_string().contains(command));
    }
}

#[test]
fn the_files_of_a_commit_are_those_below_the_directory() {
    let (sandbox, repo) = Sandbox::with_commit();
    for number in 0..600 {
        put(&repo, &format!("state/receipts/goal/{:02x}/run-{number}.yaml", number % 7), &format!("n: {number}\n"));
    }
    put(&repo, "state/loopx.yaml", "schema_version: loopx_workspace_v0\n");
    put(&repo, "state/receipts.yaml", "not in the folder\n");
    put(&repo, "other/goals/a.yaml", "elsewhere\n");
    sandbox.git(&repo, &["add", "--all"]);
    sandbox.git(&repo, &["commit", "--quiet", "--message=state"]);
    sandbox.git(&repo, &["repack", "-adq"]);
    let found = discover(&repo.join("state"));
    let commit = found.revision("HEAD").expect("known");
    let files = found.tree_files(commit, "", LARGEST).expect("readable");
    let listed = sandbox.git(&repo, &["ls-tree", "-r", "-z", "--name-only", "HEAD:state"]);
    assert!(files.bytes.keys().map(String::as_str).eq(listed.split_terminator('\0')), "paths differ from git's");
    assert!(files.bytes.iter().all(|(path, bytes)| fs::read(repo.join("state").join(path)).expect("a file") == *bytes));
    assert!(files.skipped.is_empty());
    let receipts = found.tree_files(commit, "receipts", LARGEST).expect("readable").bytes;
    assert_eq!(receipts.len(), 600);
    assert_eq!(receipts["goal/00/run-0.yaml"], b"n: 0\n");
    for absent in ["nothing", "loopx.yaml", "loopx.yaml/below"] {
        assert!(found.tree_files(commit, absent, LARGEST).expect("readable").bytes.is_empty(), "{absent}");
    }
}

#[test]
fn what_is_no_readable_file_is_skipped_and_said() {
    let (sandbox, repo) = Sandbox::with_commit();
    put(&repo, "goals/prüfung.yaml", "a: b\n");
    put(&repo, "goals/large.yaml", &"x".repeat(2000));
    fs::write(repo.join("goals").join(std::ffi::OsStr::from_bytes(b"bad\xff.yaml")), "x").expect("a file");
    std::os::unix::fs::symlink("large.yaml", repo.join("goals/link.yaml")).expect("a link");
    put(&repo, &format!("goals/{}deep.yaml", "d/".repeat(40)), "x");
    sandbox.git(&repo, &["add", "--all"]);
    let id = sandbox.git(&repo, &["rev-parse", "HEAD"]);
    sandbox.git(&repo, &["update-index", "--add", "--cacheinfo", &format!("160000,{},goals/sub", id.trim())]);
    sandbox.git(&repo, &["commit", "--quiet", "--message=odd"]);
    let found = discover(&repo);
    let commit = found.revision("HEAD").expect("known");
    let CommitFiles { bytes, mut skipped } = found.tree_files(commit, "goals", 1000).expect("readable");
    assert_eq!(bytes.keys().collect::<Vec<_>>(), ["prüfung.yaml"]);
    skipped.sort_by_key(|one| format!("{one:?}"));
    let deep = format!("{}d", "d/".repeat(32));
    let expected = [
        Skipped::Depth(deep),
        Skipped::Link("link.yaml".to_owned()),
        Skipped::Name(r"bad\xff.yaml".to_owned()),
        Skipped::Size("large.yaml".to_owned()),
        Skipped::Submodule("sub".to_owned()),
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn what_a_partial_clone_left_out_is_named_with_its_fetch() {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["config", "uploadpack.allowFilter", "true"]);
    let source = format!("file://{}", repo.display());
    sandbox.git(&repo, &["clone", "--quiet", "--no-checkout", "--filter=blob:none", &source, "../clone"]);
    let clone = sandbox.path("clone");
    let found = discover(&clone);
    let commit = found.revision("HEAD").expect("known");
    let refused = found.tree_files(commit, "", LARGEST).expect_err("no blobs");
    let GitError::MissingObject { fetch: Some(fetch), .. } = &refused else { panic!("{refused:?}") };
    assert!(sandbox.paste(&clone, &fetch.to_string()).status.success(), "{fetch}");
    assert_eq!(discover(&clone).tree_files(commit, "", LARGEST).expect("fetched").bytes.len(), 1);
}

#[test]
fn what_git_has_not_finished_is_told() {
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
        assert_eq!(discover(&repo).operation(), None);
        sandbox.try_git(&repo, command);
        assert_eq!(discover(&repo).operation(), Some(operation), "{command:?}");
    }
}

/// A repository where each way to bring `other` into `main` stops at a conflict.
pub(super) fn conflicting() -> (Sandbox, std::path::PathBuf) {
    let (sandbox, repo) = Sandbox::with_commit();
    sandbox.git(&repo, &["checkout", "--quiet", "-b", "other"]);
    sandbox.commit_file(&repo, "first.txt", "theirs\n");
    let patch = sandbox.git(&repo, &["format-patch", "--stdout", "HEAD~1"]);
    fs::write(sandbox.path("patch"), patch).expect("a file");
    sandbox.git(&repo, &["checkout", "--quiet", "main"]);
    sandbox.commit_file(&repo, "first.txt", "ours\n");
    sandbox.commit_file(&repo, "first.txt", "ours again\n");
    (sandbox, repo)
}

#[test]
fn no_error_names_a_path_of_the_machine() {
    let (sandbox, repo) = Sandbox::with_commit();
    let place = repo.to_str().expect("Unicode").to_owned();
    let commit = discover(&repo).revision("HEAD").expect("known");
    let id = commit.to_string();
    let object = repo.join(".git/objects").join(&id[..2]).join(&id[2..]);
    fs::remove_file(&object).expect("an object");
    let mut said = vec![discover(&repo).tree_files(commit, "", LARGEST).expect_err("lost").to_string()];
    fs::write(&object, "garbage").expect("an object");
    said.push(discover(&repo).tree_files(commit, "", LARGEST).expect_err("corrupt").to_string());
    fs::write(repo.join(".git/HEAD"), "garbage").expect("a file");
    said.push(format!("{:?}", Repository::discover(&repo).map(|found| found.map(|found| found.head()))));
    fs::write(repo.join(".git/config"), "[core\n").expect("a file");
    said.push(format!("{:?}", Repository::discover(&repo)));
    said.push(Repository::discover(Path::new("/no/such/place")).expect_err("absent").to_string());
    let home = sandbox.path("");
    for text in said {
        assert!(!text.contains(&place) && !text.contains(home.to_str().expect("Unicode")), "{text}");
        assert!(!text.contains("/no/such"), "{text}");
    }
}

#[test]
fn what_a_commit_would_leave_out_is_told() {
    let (sandbox, repo) = Sandbox::with_commit();
    assert_eq!(discover(&repo).left_out(), LeftOut::default());
    for (hook, mode) in [("pre-commit", 0o755), ("commit-msg", 0o644), ("pre-push", 0o755)] {
        put(&repo, &format!(".git/hooks/{hook}"), "#!/bin/sh\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(repo.join(".git/hooks").join(hook), mode).expect("a mode");
    }
    sandbox.git(&repo, &["config", "commit.gpgSign", "true"]);
    assert_eq!(discover(&repo).left_out(), LeftOut { hooks: vec!["pre-commit"], signature: true });
    sandbox.git(&repo, &["config", "core.hooksPath", "team-hooks"]);
    assert_eq!(discover(&repo).left_out(), LeftOut { hooks: vec![], signature: true });
    fs::rename(repo.join(".git/hooks"), repo.join("team-hooks")).expect("a rename");
    assert_eq!(discover(&repo).left_out(), LeftOut { hooks: vec!["pre-commit"], signature: true });
}
