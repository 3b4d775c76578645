//! No policy makes the program panic. `fuzz/fuzz_targets/policy.rs` looks further.

use std::fmt::Write as _;

use loopx::document::MAX_BYTES;
use loopx::privacy::Wall;
use loopx::vocabulary::{Level, Record};
use loopx::workspace::{Policies, path_glob, read};
use proptest::prelude::*;

const TEXT: &str = "see LED-12, https://vault.sample.io/x, tel. 5 and goals/ledger/goal.yaml, \u{c9}co-12";

/// Reads a policy as a state directory's, and does with it what commands do.
fn tried(text: &str) -> Option<Policies> {
    let document = format!("schema_version: loopx_policy_v0\n{text}");
    let record = read(&"policies/team.yaml".into(), document.as_bytes(), Wall::shipped()).record;
    let Some(Record::Policy(policy)) = record else { return None };
    let policies = Policies::join([&policy]);
    let wall = Wall::new(&policies.wall());
    for text in [TEXT, &document[..document.len().min(4000)]] {
        let _ = (wall.text(text), wall.redact(text), wall.scan_text(text));
    }
    for rule in policies.rules.keys() {
        let _ = policies.level(rule, "goals/ledger/goal.yaml", Level::Error);
    }
    Some(policies)
}

#[test]
fn words_of_nothing_but_signs_add_nothing() {
    for word in ["-", "--", ".", "...", "- -", "‑", "é", "K", "チケット", "(", "[", "\\", "*", "a b", "ß"] {
        for section in ["ticket_prefixes", "private_hosts"] {
            let quoted = format!("'{word}'");
            let policies = tried(&format!("privacy:\n  {section}: [{quoted}, LED]\n"));
            let policies = policies.unwrap_or_else(|| panic!("{section} {word} is read"));
            let found = Wall::new(&policies.wall()).scan_text("plain words: a-b, c.d, 12.5, x - y");
            assert!(found.is_empty(), "{section} {word}: {found:?}");
        }
    }
}

#[test]
fn a_word_beyond_ascii_is_found_as_it_is_written() {
    let policies = tried("privacy:\n  ticket_prefixes: [ÉCO]\n  private_hosts: [bücher.sample.io]\n").expect("read");
    let wall = Wall::new(&policies.wall());
    assert_eq!(wall.text("see ÉCO-12").as_ref(), "see ‹hidden: internal ticket›");
    assert!(!wall.text("see https://bücher.sample.io/x").as_ref().contains("bücher"));
}

/// As many prefixes as one file holds, and the longest globs.
#[test]
fn the_largest_policy_is_taken() {
    let mut text = "privacy:\n  ticket_prefixes: [".to_owned();
    let mut number = 0u32;
    while text.len() < MAX_BYTES - 2000 && number < 32_000 {
        write!(text, "L{number:x}, ").expect("a string takes it");
        number += 1;
    }
    text.push_str("LED]\n");
    let policies = tried(&text).expect("read");
    let wall = Wall::new(&policies.wall());
    assert_eq!(wall.text("see LED-12").as_ref(), "see ‹hidden: internal ticket›");
    let long = format!("privacy:\n  private_hosts: [{}]\n", vec!["h".repeat(59); 3000].join(", "));
    assert!(tried(&long).is_some());
    for glob in ["?".repeat(1000), "*".repeat(1000), "{a,b}".repeat(200), "[a-z]".repeat(200), "**/".repeat(300)] {
        let _ = path_glob(&glob);
    }
    assert!(path_glob(&"?".repeat(1001)).is_none(), "longer than any path");
}

proptest! {
    #[test]
    fn no_policy_panics(words in prop::collection::vec("\\PC{1,12}", 1..6), glob in "[a-z*?{},/\\[\\]!-]{0,24}") {
        let list: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "''"))).collect();
        let list = list.join(", ");
        let text = format!(
            "rules:\n  privacy/ticket: {{ level: warning, paths: {{ '{glob}': off }} }}\nprivacy:\n  ticket_prefixes: [{list}]\n  private_hosts: [{list}]\n"
        );
        let _ = tried(&text);
    }
}
