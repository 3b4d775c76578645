//! Documents of the contracts' own shapes: what is accepted and what is refused.

use crate::vectors::{self, Departures};
use loopx::rules::judge_alone;
use loopx::vocabulary::contract::ContractRule;
use loopx::vocabulary::readonly::ReadonlyProjection;
use loopx::vocabulary::writeback::{Knowledge, WriteClass};
use loopx::vocabulary::{ClosedWords, Line, Record, WaitingOn};
use loopx::workspace::MemoryFiles;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What an adapter knows, in the words of `writeback.json`.
#[derive(Deserialize)]
struct Context {
    projection_exists: bool,
    loopx_event_recorded: bool,
    runtime_supports_dry_run: bool,
    supported_write_classes: Vec<String>,
    seen_idempotency_keys: Vec<Line>,
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

/// The rules that speak against a document: what lint says of it by itself, and what an adapter adds.
fn faults(document: &Value, context: Option<&Context>) -> Vec<String> {
    let judged =
        judge_alone(&MemoryFiles::from_iter([("document.json".to_owned(), document.to_string().into_bytes())]));
    let mut faults: Vec<String> = judged.findings.iter().map(|finding| finding.rule.to_owned()).collect();
    if let (Some(Record::Writeback(writeback)), Some(context)) = (&judged.workspace.entries[0].record, context) {
        faults.extend(writeback.entry_faults(&context.knowledge()).iter().map(|fault| fault.rule.to_string()));
    }
    faults
}

#[derive(Deserialize)]
struct Case {
    name: String,
    expected: String,
    document: Value,
    wrapper_goal_id: Option<String>,
    context: Option<Context>,
}

#[test]
fn memory_documents_are_judged_as_the_contract_says() {
    let judge = |case: &Case| {
        let mut faults = faults(&case.document, None);
        if case.document.get("goal_id").and_then(Value::as_str) != case.wrapper_goal_id.as_deref() {
            faults.push("another goal".to_owned());
        }
        faults
    };
    check("openviking.json", judge);
}

#[test]
fn writebacks_are_judged_as_the_contract_says() {
    check("writeback.json", |case| faults(&case.document, case.context.as_ref()));
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

/// Reads a document of `fixtures/contracts`.
fn sample(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_sample_of_a_contract_is_accepted() {
    for name in ["readonly_sketch.json", "projection.json", "writeback.json", "plugin.json", "memory.json"] {
        assert_eq!(faults(&sample(name), None), [""; 0], "{name}");
    }
}

#[test]
fn the_sketch_of_contract_1_reads_codex_as_agent() {
    let Ok(ReadonlyProjection::Sketch(sketch)) = serde_json::from_value(sample("readonly_sketch.json")) else {
        panic!("the sample is a sketch");
    };
    assert_eq!(sketch.goal_projection.waiting_on.screen(), WaitingOn::Agent);
}

#[test]
fn each_rule_of_a_contract_is_broken_by_one_change_of_a_sample() {
    #[derive(Deserialize)]
    struct Row {
        rule: String,
        sample: String,
        set: Map<String, Value>,
        context: Option<Context>,
    }
    let rows: Vec<Row> = serde_json::from_value(sample("broken.json")).expect("has the shape of rows");
    let mut unbroken: BTreeSet<&str> = ContractRule::ALL.iter().map(|rule| rule.word()).collect();
    for row in &rows {
        let mut document = sample(&row.sample);
        for (pointer, value) in &row.set {
            *document.pointer_mut(pointer).unwrap_or_else(|| panic!("{}: no {pointer}", row.rule)) = value.clone();
        }
        assert_eq!(faults(&document, row.context.as_ref()), [&*row.rule]);
        unbroken.remove(&*row.rule);
    }
    assert!(unbroken.is_empty(), "no row breaks {unbroken:?}");
}
