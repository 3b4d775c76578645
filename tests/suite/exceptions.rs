//! Policies that refuse a word of the generated sentences, and except the fields that hold it, each for a time.

use std::collections::{BTreeMap, BTreeSet};

use loopx::document::{Format, parse, to_yaml};
use loopx::privacy::{FieldPath, Grammar, Policy, Wall, scan_document};
use loopx::vocabulary::{Duration, Instant};
use serde_json::{Value, json};

use crate::generator::Dice;

/// The word that such a policy takes for a private host; no key has it, so the policy itself is not refused.
const HOST: &str = "shadow";

/// Where the policy of a generated directory stands.
pub(crate) const POLICY: &str = "policies/team.yaml";

/// A policy whose exceptions end after an instant: some within seconds, some within days, some together.
pub(crate) fn excepting(files: &BTreeMap<String, Vec<u8>>, dice: &mut Dice, from: Instant) -> Vec<u8> {
    let wall = Wall::new(&Policy { private_hosts: vec![HOST.to_owned()], ..Policy::default() });
    // Mostly all of them, for one document that is refused from the beginning hides what time does to the others.
    let kept = if dice.percent(85) { 100 } else { 70 };
    let mut exceptions = Vec::new();
    for (path, bytes) in files.iter().filter(|(path, _)| *path != POLICY) {
        let fields = fields(&wall, bytes).into_iter();
        exceptions.extend(fields.filter(|_| dice.percent(kept)).map(|field| (path.clone(), field)).collect::<Vec<_>>());
    }
    let mut exception = |(document, field): (String, String)| {
        let after = match dice.below(4) {
            0 => dice.below(30),
            1 => dice.below(60 * 3600),
            2 => (1 + dice.below(3)) * 15 * 3600,
            _ => 90 * 24 * 3600,
        };
        let ends = from.after(Duration::seconds(after as u64)).to_string();
        json!({
            "rule": "privacy/private-network", "document": document, "field": field, "reason": "reviewed",
            "owner": "maya", "expires_at": ends,
        })
    };
    let exceptions: Vec<Value> = exceptions.into_iter().map(&mut exception).collect();
    to_yaml(&json!({
        "schema_version": "loopx_policy_v0", "actors": { "maya": { "class": "owner" } },
        "privacy": { "private_hosts": [HOST], "exceptions": exceptions },
    }))
    .into_bytes()
}

/// The fields of a document that hold the word.
fn fields(wall: &Wall, bytes: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let Some(document) = parse(bytes, Format::Yaml).document else { return BTreeSet::new() };
    let found = scan_document(wall, &document, &text, &|_: &FieldPath| Grammar::Free);
    found.iter().map(|found| found.path.field()).collect()
}
