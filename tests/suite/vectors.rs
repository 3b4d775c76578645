//! Reads the conformance vectors under `fixtures/vectors`, and the one table of our departures from them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Reads a file of cases; `{{a|b}}` in it stands for `ab`, so that no refused shape stands in the repository.
pub(crate) fn load<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&joined(&text)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A text with each `{{a|b}}` joined.
fn joined(text: &str) -> String {
    let mut parts = text.split("{{");
    let mut joined = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (split, rest) = part.split_once("}}").expect("`{{` is closed by `}}`");
        joined.extend(split.split('|'));
        joined.push_str(rest);
    }
    joined
}

/// One group of rows of `departures.json`.
#[derive(Deserialize)]
struct Group {
    /// `upstream_weak` or `python_repr` when each case carries that tag, `fails_open`, `contradicts`, or `later` for
    /// what is still missing.
    ground: String,
    /// The reason, or the sentence of the specification that is contradicted.
    reason: String,
    /// By case: what holds instead.
    cases: BTreeMap<String, Value>,
}

/// The departures from one file of vectors.
pub(crate) struct Departures(BTreeMap<String, (String, Value)>);

impl Departures {
    /// Reads the rows of a file.
    pub(crate) fn of(file: &str) -> Self {
        let mut table: BTreeMap<String, Vec<Group>> = load("departures.json");
        let mut rows = BTreeMap::new();
        for group in table.remove(file).unwrap_or_default() {
            assert!(!group.reason.is_empty());
            for (case, instead) in group.cases {
                let earlier = rows.insert(case.clone(), (group.ground.clone(), instead));
                assert!(earlier.is_none(), "{case} departs twice");
            }
        }
        Self(rows)
    }

    /// Takes the row of a case: what holds instead of what the case expects.
    pub(crate) fn take(&mut self, case: &str, tags: &[String]) -> Option<Value> {
        let (ground, instead) = self.0.remove(case)?;
        let granted = matches!(&*ground, "fails_open" | "contradicts" | "later") || tags.contains(&ground);
        assert!(granted, "{case} has no tag {ground}");
        Some(instead)
    }

    /// Fails when a row names no case.
    pub(crate) fn finish(self) {
        assert!(self.0.is_empty(), "no such case: {:?}", self.0.keys());
    }
}
