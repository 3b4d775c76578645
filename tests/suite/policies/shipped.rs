//! The policies that ship with the program: documents that are clean, and mean what they say.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use loopx::app::ShippedPolicy;
use loopx::privacy::Wall;
use loopx::rules::ALL;
use loopx::vocabulary::{Level, Policy, Record};
use loopx::workspace::{Policies, has_levels, read};

fn policy(shipped: ShippedPolicy) -> Policy {
    match read(&shipped.path().as_str().into(), shipped.text().as_bytes(), Wall::shipped()).record {
        Some(Record::Policy(policy)) => policy,
        _ => panic!("{} is no policy", shipped.name()),
    }
}

/// The default is written out: its rows are the levels that ship, and every rule without a row is an error.
#[test]
fn the_default_is_what_holds_without_a_policy() {
    let default = policy(ShippedPolicy::Default);
    let levels = Policies::join([&default]);
    for rule in ALL.iter() {
        let level = levels.level(rule.id, "goals/ledger/goal.yaml", Level::Error);
        assert_eq!(level, rule.level, "{}: policies/default.yaml", rule.id);
    }
    let rows: BTreeSet<&str> = default.rules.iter().flatten().map(|(id, _)| id.as_str()).collect();
    let other = ALL.iter().filter(|rule| rule.level != Level::Error).map(|rule| rule.id);
    assert_eq!(rows, other.collect(), "policies/default.yaml lists what is no error");
    assert_eq!(levels.wall(), Policies::default().wall());
    assert!(levels.transitions.is_empty() && levels.actors.is_empty());
}

#[test]
fn every_row_of_a_shipped_policy_changes_something() {
    for shipped in [ShippedPolicy::Strict, ShippedPolicy::Solo] {
        let policy = policy(shipped);
        for (id, row) in policy.rules.iter().flatten() {
            let rule = ALL.iter().find(|rule| rule.id == id).unwrap_or_else(|| panic!("{id} is no rule"));
            assert!(has_levels(id) && row.level.is_some_and(|level| level != rule.level), "{} {id}", shipped.name());
        }
        // Each row says in a comment above it why it is there, or stands in a group that does.
        let comments = shipped.text().lines().filter(|line| line.trim_start().starts_with('#')).count();
        assert!(comments >= 4, "{}", shipped.name());
    }
}

#[test]
fn init_writes_the_policy_that_was_asked_for_and_it_is_clean() {
    for shipped in ShippedPolicy::ALL {
        let place = tempfile::tempdir().expect("a folder");
        let run = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
            command.current_dir(place.path()).env_clear().args(["--now", "2026-03-07T12:00:00Z"]).args(arguments);
            command.output().expect("the program runs")
        };
        let said = run(&["init", "--policy", shipped.name()]);
        assert_eq!(said.status.code(), Some(0), "{said:?}");
        let path = Path::new("loopx").join(shipped.path());
        let text = std::fs::read_to_string(place.path().join(path)).expect("the policy");
        assert_eq!(text, shipped.text());
        let said = run(&["lint"]);
        assert_eq!(said.status.code(), Some(0), "{}: {said:?}", shipped.name());
        let said = run(&["init", "--policy", "lax"]);
        assert_eq!(said.status.code(), Some(2), "{said:?}");
    }
}
