//! The pure builder of contract 1 against the vectors.

use crate::vectors;
use loopx::project::readonly_projection;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Case {
    name: String,
    tags: Vec<String>,
    input: Value,
    expected: Value,
}

/// One way in which the builder departs from the vectors.
#[derive(Deserialize)]
struct Departure {
    /// `upstream_weak` or `python_repr` when each case carries that tag, else `fails_open` or `contradicts`.
    ground: String,
    /// The sentence or reason.
    reason: String,
    /// By case: what stands at which pointer instead; null for a case that is refused.
    cases: BTreeMap<String, Option<BTreeMap<String, Value>>>,
}

/// Masks what the vectors plant.
fn wall(text: &str) -> String {
    let path = ["/ho", "me/sample/notes.txt"].concat();
    let header = ["Bea", "rer abcdefghijklmnop1234"].concat();
    text.replace(&path, "[masked]").replace(&header, "[masked]")
}

#[test]
fn every_vector_passes_or_departs_as_declared() {
    let cases: Vec<Case> = vectors::load("readonly_projection.json");
    let departures: Vec<Departure> = vectors::load("readonly_projection_departures.json");
    let mut declared: BTreeMap<&str, &Departure> = BTreeMap::new();
    for departure in &departures {
        assert!(!departure.reason.is_empty());
        for name in departure.cases.keys() {
            assert!(declared.insert(name, departure).is_none(), "{name} departs twice");
        }
    }
    let mut wrong = Vec::new();
    for case in &cases {
        let departure = declared.remove(&*case.name);
        let built =
            readonly_projection(&case.input, &wall).ok().map(|built| serde_json::to_value(built).expect("is JSON"));
        let built = built.unwrap_or(Value::Null);
        let expected = departure.map_or_else(|| case.expected.clone(), |departure| departed(case, departure));
        if built != expected {
            wrong.push(format!("{}: {}", case.name, differences(&expected, &built)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(declared.is_empty(), "no such case: {:?}", declared.keys());
}

/// What a declared departure makes of the expected value.
fn departed(case: &Case, departure: &Departure) -> Value {
    match &*departure.ground {
        "fails_open" | "contradicts" => {}
        tag => assert!(case.tags.iter().any(|each| each == tag), "{} has no tag {tag}", case.name),
    }
    let Some(changes) = &departure.cases[&case.name] else { return Value::Null };
    let mut expected = case.expected.clone();
    for (pointer, value) in changes {
        let place = expected.pointer_mut(pointer).unwrap_or_else(|| panic!("{}: no {pointer}", case.name));
        assert_ne!(place, value, "{}: {pointer} does not depart", case.name);
        *place = value.clone();
    }
    assert_ne!(expected, case.expected, "{} does not depart", case.name);
    expected
}

/// The pointers at which two values differ.
fn differences(expected: &Value, built: &Value) -> String {
    fn walk(pointer: &str, expected: &Value, built: &Value, lines: &mut Vec<String>) {
        match (expected, built) {
            (Value::Object(left), Value::Object(right)) => {
                for key in left.keys().chain(right.keys()).collect::<BTreeSet<_>>() {
                    let at = |side: &serde_json::Map<String, Value>| side.get(key).cloned().unwrap_or_default();
                    walk(&format!("{pointer}/{key}"), &at(left), &at(right), lines);
                }
            }
            _ if expected != built => lines.push(format!("{pointer} is {built}, not {expected}")),
            _ => {}
        }
    }
    let mut lines = Vec::new();
    walk("", expected, built, &mut lines);
    lines.join("; ")
}
