//! The privacy wall against the vectors: one verdict for each text, value and field name.

use loopx::privacy::{FieldPath, Wall};
use serde::Deserialize;
use serde_json::Value;

use crate::vectors::{self, Departures};

#[derive(Deserialize)]
struct Case {
    name: String,
    kind: String,
    should_be: String,
    confidence: String,
    value: Value,
}

/// What the wall says to a case, with the rows that say it.
fn rows(case: &Case) -> Vec<&'static str> {
    let wall = Wall::shipped();
    match (&*case.kind, case.value.as_str()) {
        ("field_name", Some(name)) if wall.forbids_field(name) => vec!["field-name"],
        ("field_name", _) => Vec::new(),
        (_, Some(text)) => wall.scan_text(text).iter().map(|hit| hit.rule.id).collect(),
        (_, None) => wall.scan_payload(&case.value.to_string()).iter().map(|found| found.hit.rule.id).collect(),
    }
}

#[test]
fn the_vectors_hold_or_depart_as_declared() {
    let cases: Vec<Case> = vectors::load("public_safety.json");
    let mut departures = Departures::of("public_safety.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let rows = rows(case);
        let verdict = if rows.is_empty() { "safe" } else { "unsafe" };
        let instead = departures.take(&case.name, &[]);
        assert!(instead.is_none() || case.confidence == "policy", "{} is sure and may not depart", case.name);
        assert_ne!(instead, Some(case.should_be.as_str().into()), "{} does not depart", case.name);
        let expected = instead.as_ref().and_then(Value::as_str).unwrap_or(&case.should_be);
        if verdict != expected {
            wrong.push(format!(
                "{} ({}): {verdict} {rows:?}, not {expected}: {}",
                case.name, case.confidence, case.value
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    departures.finish();
}

#[test]
fn a_hit_in_a_payload_names_its_route() {
    let path = ["/ho", "me/sample/x"].concat();
    let found = Wall::shipped().scan_payload(&format!(r#"{{"a": [{{"b": ["ok", "{path}"]}}]}}"#));
    let routes: Vec<String> = found.iter().map(|found| found.path.to_string()).collect();
    assert_eq!(routes, ["a[0].b[1]"]);
    assert_ne!(found[0].path, FieldPath::root());
}
