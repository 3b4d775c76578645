//! `loopx init`, and what is said where no state directory stands: what git holds is not written again.

use std::path::Path;

use super::team::{Said, Team};
use crate::store::sandbox::{put, snapshot};

/// The command that a message tells to paste.
fn remedy(said: &Said) -> String {
    let start = said.err.find("`git ").unwrap_or_else(|| panic!("no command: {said:?}"));
    said.err[start + 1..].split('`').next().unwrap_or_default().to_owned()
}

/// Whatever a message says to run first brings the state directory, and nothing is written before.
fn brings_it(team: &Team, place: &Path) {
    for arguments in [&["lint"][..], &["init"], &["status"]] {
        let said = team.loopx_in(place, arguments);
        assert_eq!(said.code, Some(3), "{arguments:?}: {said:?}");
        assert!(said.err.starts_with("error[not_checked_out]: "), "{arguments:?}: {said:?}");
        assert!(!said.err.contains("loopx init"), "{said:?}");
    }
    let said = team.loopx_in(place, &["lint"]);
    let output = team.sandbox.paste(place, &remedy(&said));
    assert!(output.status.success(), "{said:?}: {output:?}");
    assert_eq!(team.loopx_in(place, &["lint"]).code, Some(0), "after {}", remedy(&said));
}

#[test]
fn a_sparse_checkout_without_the_state_directory_says_what_brings_it() {
    for options in [&["--cone"][..], &["--no-cone"], &["--cone", "--sparse-index"]] {
        let team = Team::new();
        team.sandbox.commit_file(&team.repo, "app/main.txt", "1\n");
        team.git(&[&["sparse-checkout", "set"], options, &["app"]].concat());
        assert!(!team.repo.join("loopx").exists());
        brings_it(&team, &team.repo);
        let team = Team::new();
        team.sandbox.commit_file(&team.repo, "app/main.txt", "1\n");
        team.git(&[&["sparse-checkout", "set"], options, &["app"]].concat());
        let said = team.loopx_in(&team.repo.join("app"), &["lint"]);
        let output = team.sandbox.paste(&team.repo.join("app"), &remedy(&said));
        assert!(output.status.success(), "{said:?} {output:?}");
        assert!(team.repo.join("loopx/loopx.yaml").exists());
    }
}

#[test]
fn a_removed_or_never_checked_out_state_directory_says_what_brings_it() {
    let team = Team::new();
    std::fs::remove_dir_all(team.repo.join("loopx")).expect("removed");
    brings_it(&team, &team.repo);
    let clone = team.sandbox.path("clone");
    let origin = format!("file://{}", team.repo.display());
    team.sandbox.git(&team.repo, &["clone", "--quiet", "--no-checkout", &origin, &clone.display().to_string()]);
    brings_it(&team, &clone);
}

#[test]
fn a_bare_repository_gets_nothing_of_init() {
    let team = Team::new();
    let bare = team.sandbox.path("bare.git");
    team.sandbox.git(&team.repo, &["clone", "--quiet", "--bare", ".", &bare.display().to_string()]);
    let before = snapshot(&bare);
    for arguments in [&["init"][..], &["lint"], &["init", "."]] {
        let said = team.loopx_in(&bare, arguments);
        assert_eq!(said.code, Some(3), "{arguments:?}: {said:?}");
        assert!(said.err.starts_with("error[bare_repository]: ") && !said.err.contains("init"), "{said:?}");
    }
    assert!(before == snapshot(&bare), "nothing was written");
    assert_eq!(team.loopx_in(&bare, &["lint", "--rev", "main"]).code, Some(0));
}

#[cfg(unix)]
#[test]
fn init_writes_through_no_link_that_leads_out() {
    let team = Team::new();
    let outside = team.sandbox.path("outside");
    std::fs::create_dir_all(&outside).expect("a folder");
    team.git(&["rm", "--quiet", "-r", "loopx"]);
    team.git(&["commit", "--quiet", "--message=gone"]);
    for target in [outside.clone(), team.sandbox.path("nowhere")] {
        let link = team.repo.join("loopx");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        for arguments in [&["init"][..], &["init", "loopx/state"]] {
            let said = team.loopx(arguments);
            assert_eq!(said.code, Some(3), "{said:?}");
            assert!(said.err.starts_with("error[link_leads_out]: "), "{said:?}");
        }
        std::fs::remove_file(link).expect("removed");
    }
    assert_eq!(std::fs::read_dir(&outside).expect("a folder").count(), 0);
    assert!(!team.sandbox.path("nowhere").exists());
}

/// A submodule's state directory is another repository's.
#[test]
fn a_submodule_with_a_state_directory_is_left_alone() {
    let team = Team::new();
    let other = Team::new();
    let origin = format!("file://{}", other.repo.display());
    team.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &origin, "vendor/other"]);
    team.git(&["commit", "--quiet", "--message=submodule"]);
    assert_eq!(team.loopx(&["lint"]).code, Some(0));
    assert_eq!(team.loopx(&["lint", "--staged"]).code, Some(0));
    let inner = team.loopx_in(&team.repo.join("vendor/other"), &["lint"]);
    assert_eq!(inner.code, Some(0), "{inner:?}");
    // Two of its own are still two.
    put(&team.repo, "second/loopx.yaml", "schema_version: loopx_workspace_v0\n");
    assert_eq!(team.loopx(&["lint"]).code, Some(3));
}
