//! The pure builder of contract 1 against the vectors.

use crate::vectors::{self, Departures};
use loopx::privacy::Wall;
use loopx::project::readonly_projection;
use loopx::vocabulary::{Kind, schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Case {
    name: String,
    tags: Vec<String>,
    input: Value,
    expected: Value,
}

/// What the builder makes of summaries; null when it refuses them.
fn built(summary: &Value) -> Value {
    let built = readonly_projection(summary, Wall::shipped());
    built.map_or(Value::Null, |built| serde_json::to_value(built).expect("is JSON"))
}

#[test]
fn every_vector_passes_or_departs_as_declared() {
    let cases: Vec<Case> = vectors::load("readonly_projection.json");
    let mut departures = Departures::of("readonly_projection.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let built = built(&case.input);
        let expected = match departures.take(&case.name, &case.tags) {
            Some(changes) => departed(case, &changes),
            None => case.expected.clone(),
        };
        if built != expected {
            wrong.push(format!("{:?}: {}", case.name, differences(&expected, &built)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    departures.finish();
}

/// The expected value with what stands at some pointers instead; null when the summaries are refused instead.
fn departed(case: &Case, changes: &Value) -> Value {
    let Some(changes) = changes.as_object() else { return Value::Null };
    let mut expected = case.expected.clone();
    for (pointer, value) in changes {
        let place = expected.pointer_mut(pointer).unwrap_or_else(|| panic!("{}: no {pointer}", case.name));
        assert_ne!(place, value, "{}: {pointer} does not depart", case.name);
        *place = value.clone();
    }
    assert_ne!(expected, case.expected, "{} does not depart", case.name);
    expected
}

/// The pointers at which two values differ, with what was built: a row for the table of departures.
fn differences(expected: &Value, built: &Value) -> Value {
    let mut rows = Map::new();
    let mut waiting = vec![(String::new(), expected, built)];
    while let Some((pointer, expected, built)) = waiting.pop() {
        match (expected, built) {
            (Value::Object(left), Value::Object(right)) if left.keys().eq(right.keys()) => {
                let fields = left.iter().zip(right.values());
                waiting.extend(fields.map(|((key, left), right)| (format!("{pointer}/{key}"), left, right)));
            }
            _ if expected == built => {}
            _ => drop(rows.insert(pointer, built.clone())),
        }
    }
    rows.into()
}

#[test]
fn what_the_builder_writes_passes_its_own_schema() {
    let validator = jsonschema::draft202012::new(schema(Kind::ReadonlyProjection)).expect("the schema compiles");
    for case in vectors::load::<Vec<Case>>("readonly_projection.json") {
        let built = built(&case.input);
        // The builder takes an empty goal id as it is given; no document may have one.
        if built["goal_id"].as_str().is_some_and(|goal| !goal.is_empty()) {
            let faults = validator.iter_errors(&built).map(|error| error.to_string());
            assert_eq!(faults.collect::<Vec<_>>(), [""; 0], "{}", case.name);
        }
    }
}

#[test]
fn a_key_is_raw_when_the_vectors_say_so_but_for_those_that_they_miss() {
    #[derive(Deserialize)]
    struct Row {
        key: String,
        flagged_0_5_1: bool,
    }
    let mut departures = Departures::of("raw_key_classes.json");
    for row in vectors::load::<Vec<Row>>("raw_key_classes.json") {
        let instead = departures.take(&row.key, &[]);
        let raw = instead.map_or(row.flagged_0_5_1, |raw| raw.as_bool().expect("a flag"));
        // A departure is a key that is missed, never one that is let through.
        assert!(raw || !row.flagged_0_5_1, "{}", row.key);
        let built = built(&json!({"goal_id": "goal-alpha", "artifacts": [{&row.key: 1}]}));
        assert_eq!(built["boundary"]["raw_material_detected"], raw, "{}", row.key);
    }
    departures.finish();
}
