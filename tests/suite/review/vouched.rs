//! Who vouches for an act: the person's own signature, or a review that CI knows of. A name alone is a claim.

use std::process::Command;

use super::team::{Step, Team};
use crate::store::sandbox::put;

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const DECISION: &str = "decision:\n  label: approve\n  actor_class: owner\n  by: maya\n  at: 2026-03-06T16:12:00Z\n  \
                        reason: two days of reads agree\n";

/// A team that wants every decision vouched for, and a way to sign: the keys of two of its members.
///
/// Needs `ssh-keygen`: without it nothing of this is known, so the tests fail.
fn strict() -> Team {
    let team = Team::new();
    for name in ["maya", "ravi"] {
        let key = team.sandbox.path(name);
        let made =
            Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"]).arg(&key).status();
        assert!(made.expect("ssh-keygen is installed").success(), "a key of {name}");
    }
    let public = |name: &str| std::fs::read_to_string(team.sandbox.path(&format!("{name}.pub"))).expect("a key");
    let signers: String =
        ["maya", "ravi"].map(|name| format!("{name}@users.noreply.example {}", public(name))).concat();
    put(&team.sandbox.path(""), "signers", &signers);
    team.git(&["config", "gpg.format", "ssh"]);
    team.git(&["config", "gpg.ssh.allowedSignersFile", &team.sandbox.path("signers").display().to_string()]);
    team.commit(&Step {
        author: "ravi".into(),
        message: "Want decisions vouched for".into(),
        append: [("policies/team.yaml".to_owned(), "rules:\n  transition/unverified: error\n".to_owned())].into(),
        ..Step::default()
    });
    team
}

/// Commits maya's decision on a branch, signed with somebody's key.
fn decide(team: &Team, branch: &str, key: Option<&str>) {
    team.branch(branch, "main");
    if let Some(key) = key {
        team.git(&["config", "user.signingKey", &team.sandbox.path(key).display().to_string()]);
        team.git(&["config", "commit.gpgSign", "true"]);
    }
    team.commit(&Step {
        author: "maya".into(),
        message: format!("Approve on {branch}"),
        append: [(GATE.to_owned(), DECISION.to_owned())].into(),
        record: true,
        ..Step::default()
    });
    team.git(&["config", "commit.gpgSign", "false"]);
}

#[test]
fn a_signature_of_the_person_vouches_and_that_of_another_does_not() {
    let team = strict();
    decide(&team, "unsigned", None);
    let said = team.loopx(&["review", "main..unsigned"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("nobody vouches that `maya` did it") && said.out.contains("transition/unverified"));
    assert!(said.out.contains("Names are claims."), "{}", said.out);

    decide(&team, "signed", Some("maya"));
    let said = team.loopx(&["review", "main..signed"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("decided by maya (owner, verified)"), "{}", said.out);
    assert!(said.out.contains("Every act is vouched for."), "{}", said.out);

    decide(&team, "signed-by-another", Some("ravi"));
    let said = team.loopx(&["review", "main..signed-by-another"]);
    assert_eq!(said.code, Some(1), "a good signature of another person: {said:?}");
}

#[test]
fn a_review_that_ci_knows_of_vouches() {
    let team = strict();
    decide(&team, "topic", None);
    for (names, code) in [
        ("maya\n", 0),
        ("# approved at the hosting service\nmaya@users.noreply.example  # by address\n", 0),
        ("ravi\n", 1),
        ("", 1),
    ] {
        put(&team.sandbox.path(""), "approvals", names);
        let file = team.sandbox.path("approvals").display().to_string();
        let said = team.loopx(&["review", "main..topic", "--reviewers", &file]);
        assert_eq!(said.code, Some(code), "{names:?}: {said:?}");
    }
    let said = team.loopx(&["review", "main..topic", "--reviewers", "nowhere"]);
    assert!(said.code == Some(3) && said.out.is_empty(), "a lost file is no answer: {said:?}");
}

/// A policy of the change itself does not lower what the base demands.
#[test]
fn what_is_demanded_is_the_bases_word() {
    let team = strict();
    team.branch("lower", "main");
    team.commit(&Step {
        author: "maya".into(),
        message: "Approve".into(),
        append: [(GATE.to_owned(), DECISION.to_owned())].into(),
        edit: [(
            "policies/team.yaml".to_owned(),
            vec![("transition/unverified: error".to_owned(), "transition/unverified: \"off\"".to_owned())],
        )]
        .into(),
        ..Step::default()
    });
    let said = team.loopx(&["review", "main..lower"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let (policy, gate) = (said.out.find("! policy"), said.out.find("x gate"));
    assert!(policy.is_some() && policy < gate, "the widening comes first: {}", said.out);
}
