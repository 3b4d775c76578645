//! Any policy: no panic when it is read, joined, made into a wall and asked for levels, and what it refuses is masked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopx::privacy::Wall;
use loopx::vocabulary::{Level, Record};
use loopx::workspace::{Policies, read};

/// What a policy is tried on, beside its own words.
const TEXT: &str = "see LED-12, https://vault.sample.io/x and goals/ledger/goal.yaml";

fuzz_target!(|bytes: &[u8]| {
    let document = [b"schema_version: loopx_policy_v0\n", bytes].concat();
    let Some(Record::Policy(policy)) = read(&"policies/team.yaml".into(), &document, Wall::shipped()).record else {
        return;
    };
    let policies = Policies::join([&policy]);
    let wall = Wall::new(&policies.wall());
    let own = String::from_utf8_lossy(&document);
    for text in [TEXT, &own] {
        let redacted = wall.redact(text);
        assert!(wall.scan_text(&redacted).is_empty());
        let _ = wall.text(text);
    }
    for rule in policies.rules.keys() {
        let _ = policies.level(rule, "goals/ledger/goal.yaml", Level::Error);
    }
});
