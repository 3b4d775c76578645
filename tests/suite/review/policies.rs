//! The shipped policies, each beside the default, on the same changes.

use std::path::Path;

use loopx::app::ShippedPolicy;
use serde::Deserialize;

use super::team::{Step, Team, fixtures};

#[derive(Deserialize)]
struct Story {
    commits: Vec<Step>,
}

/// The commits of a story.
fn story(name: &str) -> Vec<Step> {
    let text = std::fs::read_to_string(fixtures().join(name).join("story.yaml")).expect("the story");
    serde_yaml::from_str::<Story>(&text).expect("a story").commits
}

/// A team that keeps a shipped policy beside its list of actors.
fn team(policy: ShippedPolicy) -> Team {
    let team = Team::new();
    let team_policy = std::fs::read_to_string(team.repo.join("loopx/policies/team.yaml")).expect("the policy");
    let (actors, _) = team_policy.split_once("transitions:").expect("a section of its own");
    team.put("policies/team.yaml", actors);
    team.put(&policy.path(), policy.text());
    team.commit(&Step { author: "maya".into(), message: "Choose a policy".into(), ..Step::default() });
    team
}

/// The levels of a rule in the review of some commits.
fn levels(team: &Team, name: &str, commits: &[Step], rule: &str, more: &[&str]) -> Vec<String> {
    team.branch(name, "main");
    commits.iter().for_each(|step| team.commit(step));
    let range = format!("main..{name}");
    let said = team.loopx(&[&["review", range.as_str(), "--format", "json"], more].concat());
    let review: serde_json::Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{said:?}"));
    let items = ["items", "widenings"].into_iter().flat_map(|list| review[list].as_array().expect("a list"));
    let breaches = items.flat_map(|item| item["breaks"].as_array().expect("a list"));
    breaches.filter(|it| it["rule"] == rule).map(|it| it["level"].as_str().expect("a level").to_owned()).collect()
}

#[test]
fn strict_wants_proof_of_a_decision_and_the_default_does_not() {
    let decision = story("approve-with-receipt");
    let rule = "transition/unverified";
    assert_eq!(levels(&team(ShippedPolicy::Default), "approve", &decision, rule, &[]), [""; 0]);
    let strict = team(ShippedPolicy::Strict);
    assert_eq!(levels(&strict, "approve", &decision, rule, &[]), ["error"]);
    std::fs::write(strict.repo.join("reviewers.txt"), "maya\n").expect("a file");
    let reviewed = strict.loopx(&["review", "main..approve", "--format", "json", "--reviewers", "reviewers.txt"]);
    assert!(!reviewed.out.contains(rule), "{}", reviewed.out);
}

#[test]
fn strict_lets_no_agent_change_a_goal() {
    let edit = |author: &str| Step {
        author: author.into(),
        message: "Say it better".into(),
        edit: [("goals/ledger/goal.yaml".to_owned(), vec![("objective: ".to_owned(), "objective: Then ".to_owned())])]
            .into(),
        ..Step::default()
    };
    let rule = "transition/by-policy";
    let strict = team(ShippedPolicy::Strict);
    assert_eq!(levels(&strict, "by-agent", &[edit("codex-main")], rule, &[]), ["error"]);
    assert_eq!(levels(&strict, "by-owner", &[edit("maya")], rule, &[]), [""; 0]);
    assert_eq!(levels(&team(ShippedPolicy::Default), "by-agent", &[edit("codex-main")], rule, &[]), [""; 0]);
}

#[test]
fn solo_notes_what_only_a_second_person_could_look_at() {
    let (wider, other) = (story("wider-goal"), story("other-author"));
    let (default, solo) = (team(ShippedPolicy::Default), team(ShippedPolicy::Solo));
    assert_eq!(levels(&default, "wider", &wider, "transition/wider", &[]), ["warning"]);
    assert_eq!(levels(&solo, "wider", &wider, "transition/wider", &[]), ["note"]);
    // What agents may not do stays refused, and so does an act in another's name.
    for team in [&default, &solo] {
        assert_eq!(levels(team, "other", &other, "transition/other-author", &[]), ["error"]);
    }
    let widened = story("attack-agent-widens");
    assert_eq!(levels(&solo, "attack", &widened, "transition/agent-widens", &[]), ["error"]);
    assert!(Path::new(&solo.repo).join("loopx/policies/solo.yaml").is_file());
}
