//! Documents of the contracts' own shapes: what is accepted and what is refused.

use crate::vectors::{self, Departures};
use loopx::privacy::Wall;
use loopx::vocabulary::contract::Fault;
use loopx::vocabulary::memory::Memory;
use loopx::vocabulary::plugin::Plugin;
use loopx::vocabulary::projection::Projection;
use loopx::vocabulary::readonly::ReadonlyProjection;
use loopx::vocabulary::writeback::{Knowledge, WriteClass, Writeback};
use loopx::vocabulary::{Closed, Kind, schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Case {
    name: String,
    expected: String,
    document: Value,
    wrapper_goal_id: Option<String>,
    context: Option<Context>,
}

/// What an adapter knows, in a case of `writeback.json`.
#[derive(Deserialize)]
struct Context {
    projection_exists: bool,
    loopx_event_recorded: bool,
    runtime_supports_dry_run: bool,
    supported_write_classes: Vec<String>,
    seen_idempotency_keys: Vec<loopx::vocabulary::Line>,
    dry_run_previewed: bool,
}

impl Context {
    fn knowledge(&self) -> Knowledge {
        Knowledge {
            projection_exists: self.projection_exists,
            source_recorded: self.loopx_event_recorded,
            previews: self.runtime_supports_dry_run,
            previewed: self.dry_run_previewed,
            classes: self.supported_write_classes.iter().filter_map(|word| WriteClass::of(word)).collect(),
            keys: self.seen_idempotency_keys.clone(),
        }
    }
}

/// Everything that speaks against a document: its shape, then what only the record knows, then private material.
fn faults<T: DeserializeOwned>(kind: Kind, document: &Value, judge: impl Fn(&T) -> Vec<Fault>) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema(kind)).expect("schemas compile");
    let mut faults: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {}", error.instance_path(), error.masked())).collect();
    if faults.is_empty() {
        match serde_json::from_value::<T>(document.clone()) {
            Ok(record) => faults.extend(judge(&record).iter().map(|fault| format!("{}: {}", fault.route, fault.rule))),
            Err(error) => faults.push(error.to_string()),
        }
    }
    faults.extend(private(document));
    faults
}

/// What the wall refuses in any text of a document.
fn private(document: &Value) -> Vec<String> {
    let mut waiting = vec![document];
    let mut found = Vec::new();
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => {
                found.extend(Wall::shipped().scan_text(text).iter().map(|hit| hit.rule.id.to_string()));
            }
            Value::Array(items) => waiting.extend(items),
            Value::Object(entries) => waiting.extend(entries.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found
}

#[test]
fn memory_documents_are_judged_as_the_contract_says() {
    let judge = |case: &Case| {
        let mut faults = faults(Kind::Memory, &case.document, Memory::faults);
        if case.document.get("goal_id").and_then(Value::as_str) != case.wrapper_goal_id.as_deref() {
            faults.push("another goal".to_owned());
        }
        faults
    };
    check("openviking.json", judge);
}

#[test]
fn writebacks_are_judged_as_the_contract_says() {
    let judge = |case: &Case| {
        faults(Kind::Writeback, &case.document, |writeback: &Writeback| {
            let known = case.context.as_ref().map(Context::knowledge).unwrap_or_default();
            [writeback.faults(), writeback.entry_faults(&known)].concat()
        })
    };
    check("writeback.json", judge);
}

fn check(file: &str, judge: impl Fn(&Case) -> Vec<String>) {
    let cases: Vec<Case> = vectors::load(file);
    let mut departures = Departures::of(file);
    let mut wrong = Vec::new();
    for case in &cases {
        let faults = judge(case);
        let verdict = if faults.is_empty() { "accept" } else { "reject" };
        let instead = departures.take(&case.name, &[]);
        assert_ne!(instead, Some(case.expected.as_str().into()), "{} does not depart", case.name);
        let expected = instead.as_ref().and_then(Value::as_str).unwrap_or(&case.expected);
        if verdict != expected {
            wrong.push(format!("{}: {verdict}, not {expected}: {}", case.name, faults.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    departures.finish();
}

#[test]
fn each_sample_of_a_contract_is_accepted() {
    let sample = |name: &str| -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts").join(name);
        serde_json::from_str(&fs::read_to_string(path).expect("the fixture is there")).expect("is JSON")
    };
    let none: [String; 0] = [];
    assert_eq!(
        faults(Kind::ReadonlyProjection, &sample("readonly_sketch.json"), |_: &ReadonlyProjection| Vec::new()),
        none
    );
    assert_eq!(faults(Kind::Projection, &sample("projection.json"), Projection::faults), none);
    assert_eq!(faults(Kind::Writeback, &sample("writeback.json"), Writeback::faults), none);
    assert_eq!(faults(Kind::Plugin, &sample("plugin.json"), |_: &Plugin| Vec::new()), none);
}
