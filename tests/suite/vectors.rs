//! Reads the conformance vectors under `fixtures/vectors`, and the one table of our departures from them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Whether the cases pass but for fields that nothing here has.
    #[serde(default)]
    fields: bool,
    /// By case: what holds instead.
    cases: BTreeMap<String, Value>,
}

/// The departures from one file of vectors.
#[derive(Default)]
pub(crate) struct Departures {
    rows: BTreeMap<String, (String, Value)>,
    /// The cases that pass but for fields that nothing here has.
    pub(crate) but_for_fields: BTreeSet<String>,
}

impl Departures {
    /// Reads the rows of a file.
    pub(crate) fn of(file: &str) -> Self {
        let mut table: BTreeMap<String, Vec<Group>> = load("departures.json");
        let (mut rows, mut but_for_fields) = (BTreeMap::new(), BTreeSet::new());
        for group in table.remove(file).unwrap_or_default() {
            assert!(!group.reason.is_empty());
            if group.fields {
                but_for_fields.extend(group.cases.keys().cloned());
            }
            for (case, instead) in group.cases {
                let earlier = rows.insert(case.clone(), (group.ground.clone(), instead));
                assert!(earlier.is_none(), "{case} departs twice");
            }
        }
        Self { rows, but_for_fields }
    }

    /// The rows of some areas, each of which begins the names of its cases.
    pub(crate) fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.rows.retain(|case, _| is_wanted(case.split('-').next().unwrap_or_default()));
        self
    }

    /// The names of all rows.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// Takes the row of a case: what holds instead of what the case expects.
    pub(crate) fn take(&mut self, case: &str, tags: &[String]) -> Option<Value> {
        let (ground, instead) = self.rows.remove(case)?;
        let granted = matches!(&*ground, "fails_open" | "contradicts" | "later") || tags.contains(&ground);
        assert!(granted, "{case} has no tag {ground}");
        Some(instead)
    }

    /// Fails when a row names no case.
    pub(crate) fn finish(self) {
        assert!(self.rows.is_empty(), "no such case: {:?}", self.rows.keys());
    }
}
