//! `docs/reference/writeback.md`, made from the tables of classes and criteria, and from the schema of the payloads.

use std::fmt::Write as _;

use loopx::vocabulary::writeback::{CRITERIA, SourceEvent, WriteClass, WritebackStatus};
use loopx::vocabulary::{ClosedWords, Kind, schema};
use serde_json::Value;

const OPENING: &str = "# Writebacks

A writeback tells a host, in compact metadata, about one event that LoopX has recorded. A request asks for it:

```yaml
schema_version: loopx_writeback_request_v0
goal_id: ledger-cutover
request_id: backfill-gate-5d1p
session_id: codex-ledger-q4
source: backfill-8h2v
mode: dry_run
```

`source` is the id of a gate, handoff, reward, artifact or run. The rest is derived: the class from the source, the payload
from what was recorded, the idempotency key `goal:source run:class`. Reconcile emits a preview in
`previews/<goal>/<request>.json`, or a blocker in `blockers/<goal>/<request>.json` that names the first criterion which
does not hold. Only active goals tell anybody anything. A preview applies nothing.
";

const APPROVAL: &str = "
## The digest

`loopx plan` shows the `preview_digest` beside each preview that it would write, `loopx plan --format json` that of all. It
is the SHA-256 of goal, agent, runtime, source, class, key, payload and boundary, with the digest of the source's receipt;
mode, result and facts have no part in it, so any clone computes the same. A reviewed change to `mode: apply` names it in `approved_preview_digest`. Once it no longer matches, the
condition is `preview_outdated` and nothing may be applied. What came of an apply is a receipt; one that says neither
`applied` nor `skipped` gives `writeback_failed`, and the decision stands all the same.
";

/// The page.
pub(crate) fn page() -> String {
    let mut page = String::from(OPENING);
    classes(&mut page);
    criteria(&mut page);
    page.push_str(APPROVAL);
    page.push_str("\n## Results\n\n| result | meaning |\n|---|---|\n");
    for (word, meaning) in WritebackStatus::VOCABULARY.words {
        line(&mut page, &format!("| `{word}` | {meaning} |"));
    }
    page
}

fn line(page: &mut String, text: &str) {
    writeln!(page, "{text}").expect("writing to a String cannot fail");
}

fn classes(page: &mut String) {
    page.push_str("\n## Classes\n\nEach payload is closed: another key is refused.\n");
    for (event, (word, meaning)) in SourceEvent::ALL.iter().zip(SourceEvent::VOCABULARY.words) {
        let class = event.write_class();
        let (_, says) = WriteClass::VOCABULARY.words[class as usize];
        let (is, never) = says.split_once("; never ").expect("each class says what it must not mean");
        line(page, &format!("\n### {class}\n"));
        line(page, &format!("- reflects `{word}`: {meaning}"));
        line(page, &format!("- is {is}"));
        line(page, &format!("- must not mean {never}"));
        line(page, &format!("- carries {}", payload(class)));
    }
}

/// The keys of a class's payload as the schema has them.
fn payload(class: WriteClass) -> String {
    let root = schema(Kind::Writeback);
    let branches = root["$defs"]["Write"]["allOf"].as_array().expect("a branch for each class");
    let of_class = |branch: &&Value| branch["if"]["properties"]["write_class"]["const"] == class.word();
    let branch = branches.iter().find(of_class).expect("a branch");
    let shape = &branch["then"]["properties"]["payload"];
    match (shape.get("then"), shape.get("else")) {
        (Some(short), Some(long)) => format!("{}; or, in the short form, {}", keys(root, long), keys(root, short)),
        _ => keys(root, shape),
    }
}

fn keys(root: &Value, shape: &Value) -> String {
    let pointer = shape["$ref"].as_str().expect("a definition").trim_start_matches('#');
    let shape = root.pointer(pointer).expect("a definition");
    assert_eq!(shape["additionalProperties"], false, "a payload is closed");
    let required = shape["required"].as_array().expect("a payload requires something");
    let properties = shape["properties"].as_object().expect("a payload has keys");
    let key = |key: &String| match required.iter().any(|name| name == key) {
        true => format!("`{key}`"),
        false => format!("`{key}` (may be absent)"),
    };
    properties.keys().map(key).collect::<Vec<_>>().join(", ")
}

fn criteria(page: &mut String) {
    page.push_str(
        "\n## Entry criteria\n\nAsked in this order. Documents and receipts decide, never facts, so every clone finds the same.\n\n\
         | | the contract asks | it holds when | a blocker's reason |\n|---|---|---|---|\n",
    );
    for row in &CRITERIA {
        let reasons: Vec<_> = row.reasons.iter().map(|reason| format!("`{reason}`")).collect();
        let number = row.criterion.number();
        line(page, &format!("| {number} | {} | {} | {} |", row.asks, row.holds, reasons.join(", ")));
    }
}
