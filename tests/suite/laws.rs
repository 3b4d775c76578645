//! The laws of reconcile (product.md 3) over generated state directories, each with a planted fault that breaks it.

use std::collections::BTreeMap;

use loopx::app::{Records, world};
use loopx::document::{self, parse, to_yaml};
use loopx::reconcile::{Plan, reconcile};
use loopx::render::outputs;
use loopx::report::{Batch, Report, ReportFormat, Totals, write};
use loopx::rules::{JudgedDirectory, judge, judge_alone, judge_beside, open};
use loopx::vocabulary::{ClosedWords, Duration, Instant, Kind, Reason, reasons, schema, vocabularies};
use loopx::workspace::{Files, MemoryFiles, ReadFault};
use serde_json::Value;

use crate::counts::Counts;
use crate::effective::property::plan_of_a_branch;
use crate::exceptions::{POLICY, excepting};
use crate::generator::{Dice, Generated, generate};

/// How many state directories each law is tried on.
const WORKSPACES: u64 = 500;

/// Fewest times that each kind, word and reason has to be drawn.
const FEWEST: usize = 20;

type Outputs = BTreeMap<String, Vec<u8>>;

/// What turns a state directory into outputs; the laws hold for the real one and fail for those with a planted fault.
type Pipeline = dyn Fn(&dyn Files, &Generated, Instant) -> Outputs;

fn plan(files: &dyn Files, generated: &Generated, as_of: Instant) -> Plan {
    let workspace = open(files, as_of);
    let records = Records::of(generated.recorded.iter().cloned());
    reconcile(&world(&workspace, &records), &workspace.wall, as_of)
}

fn real(files: &dyn Files, generated: &Generated, as_of: Instant) -> Outputs {
    outputs(&plan(files, generated, as_of))
}

fn memory(generated: &Generated) -> MemoryFiles {
    MemoryFiles::new(generated.files.clone())
}

fn drawn(seed: u64) -> Generated {
    generate(seed, 1 + (seed % 3) as usize)
}

/// The seeds for which a check fails.
fn broken(check: impl Fn(u64) -> bool + Sync, seeds: u64) -> Vec<u64> {
    use rayon::prelude::*;
    (0..seeds).into_par_iter().filter(|seed| !check(*seed)).collect()
}

// Law 1: pure.

fn is_pure(pipeline: &Pipeline, seed: u64) -> bool {
    let generated = drawn(seed);
    let run = || pipeline(&memory(&generated), &generated, Generated::now());
    run() == run()
}

#[test]
fn law_1_the_same_input_gives_the_same_bytes() {
    assert_eq!(broken(|seed| is_pure(&real, seed), WORKSPACES), Vec::<u64>::new());
}

#[test]
fn law_1_sees_a_clock_in_an_output() {
    let with_clock = |files: &dyn Files, generated: &Generated, as_of: Instant| {
        let mut outputs = real(files, generated, as_of);
        outputs.insert("clock".into(), format!("{:?}", std::time::Instant::now()).into_bytes());
        outputs
    };
    assert!(!is_pure(&with_clock, 1));
}

// A change is judged beside what it changes as it is by itself.

/// Takes one file away, breaks others, and puts one beside another of its name.
fn changed(generated: &Generated, seed: u64) -> BTreeMap<String, Vec<u8>> {
    let mut files = generated.files.clone();
    let paths: Vec<String> = files.keys().filter(|path| path.starts_with("goals/")).cloned().collect();
    let drawn = |step: u64| &paths[(seed.wrapping_mul(31).wrapping_add(step * 7) % paths.len() as u64) as usize];
    files.remove(drawn(0));
    files.entry(drawn(1).clone()).or_default().extend_from_slice(b"titel: x\n");
    files.insert(drawn(2).replace(".yaml", ".json"), b"{}".to_vec());
    files
}

#[test]
fn a_file_that_two_sides_share_is_judged_as_in_each() {
    let is_same = |seed: u64| {
        let generated = drawn(seed);
        let (plain, broken) = (memory(&generated), MemoryFiles::new(changed(&generated, seed)));
        [(&plain, &broken), (&broken, &plain)].iter().all(|(before, after)| {
            let known = judge(*before, Generated::now());
            let alone = judge(*after, Generated::now());
            let beside = judge_beside(*after, (*before, &known), Generated::now());
            let shown = |judged: &JudgedDirectory| format!("{:?} {:?}", judged.workspace.entries, judged.findings);
            shown(&alone) == shown(&beside)
        })
    };
    assert_eq!(broken(is_same, 100), Vec::<u64>::new());
}

// What is written is what lint accepts.

/// The same directory with one field missing from every fifth document.
fn with_missing_fields(generated: &Generated, seed: u64) -> MemoryFiles {
    let mut dice = Dice::new(seed ^ 0x3155);
    let lacking = |(path, bytes): (&String, &Vec<u8>)| {
        let parsed = parse(bytes, document::Format::Yaml).document.filter(|_| dice.percent(20));
        let Some(Value::Object(mut object)) = parsed.map(|parsed| parsed.root.to_json()) else {
            return (path.clone(), bytes.clone());
        };
        let names: Vec<String> = object.keys().filter(|name| *name != "schema_version").cloned().collect();
        if let Some(name) = names.get(dice.below(names.len().max(1))) {
            object.remove(name);
        }
        (path.clone(), to_yaml(&object).into_bytes())
    };
    MemoryFiles::new(generated.files.iter().map(lacking).collect())
}

/// The outputs that lint would refuse, each with its findings.
fn refused(pipeline: &Pipeline, seed: u64) -> Vec<String> {
    let generated = drawn(seed);
    let sound = pipeline(&memory(&generated), &generated, Generated::now());
    let lacking = pipeline(&with_missing_fields(&generated, seed), &generated, Generated::now());
    let branch = outputs(&plan_of_a_branch(seed));
    [sound, lacking, branch]
        .into_iter()
        .flat_map(|outputs| judge_alone(&MemoryFiles::new(outputs)).findings)
        .map(|it| format!("{it:?}"))
        .collect()
}

#[test]
fn every_output_is_lint_clean() {
    use rayon::prelude::*;
    let refused: Vec<String> = (0..WORKSPACES).into_par_iter().flat_map(|seed| refused(&real, seed)).collect();
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
fn an_output_that_lint_refuses_is_seen() {
    let nameless = |files: &dyn Files, generated: &Generated, as_of: Instant| {
        let mut outputs = real(files, generated, as_of);
        for bytes in outputs.values_mut() {
            *bytes = String::from_utf8_lossy(bytes).replace("\"agent_id\"", "\"agent\"").into_bytes();
        }
        outputs
    };
    assert!((0..24).any(|seed| !refused(&nameless, seed).is_empty()));
}

// Law 2: idempotent; outputs change only on a change or at `valid_until`.

fn is_idempotent(pipeline: &Pipeline, seed: u64) -> bool {
    let generated = drawn(seed);
    let now = Generated::now();
    let first = pipeline(&memory(&generated), &generated, now);
    let mut after = generated.files.clone();
    after.extend(first.clone());
    pipeline(&MemoryFiles::new(after), &generated, now) == first && lasts(pipeline, &generated, &first)
}

fn lasts(pipeline: &Pipeline, generated: &Generated, first: &Outputs) -> bool {
    let now = Generated::now();
    // Until just before the first of its own limits, each output stays as it is. A preview or a blocker has none of its
    // own: the queue says when it becomes the other one.
    first.iter().filter(|(path, _)| path.ends_with(".json")).all(|(path, bytes)| {
        let own = path.starts_with("previews/") || path.starts_with("blockers/");
        let limited = if own { &first["attention.json"] } else { bytes };
        let json: Value = serde_json::from_slice(limited).expect("an output is JSON");
        let until = json.get("valid_until").and_then(Value::as_str).and_then(Instant::parse);
        let last = until.map_or(now.after(Duration::hours(24 * 365)), |until| {
            let left = until.since(now).as_seconds();
            now.after(Duration::seconds(left.saturating_sub(1)))
        });
        let then = pipeline(&memory(generated), generated, last);
        then.get(path) == Some(bytes)
    })
}

#[test]
fn law_2_a_second_run_changes_nothing_before_valid_until() {
    assert_eq!(broken(|seed| is_idempotent(&real, seed), WORKSPACES), Vec::<u64>::new());
}

#[test]
fn law_2_nothing_changes_before_valid_until_where_exceptions_end() {
    let lasts = |seed: u64| {
        let mut generated = drawn(seed);
        let policy = excepting(&generated.files, &mut Dice::new(seed), Generated::now());
        generated.files.insert(POLICY.to_owned(), policy);
        let first = real(&memory(&generated), &generated, Generated::now());
        lasts(&real, &generated, &first)
    };
    assert_eq!(broken(lasts, 60), Vec::<u64>::new());
}

#[test]
fn law_2_sees_an_age_in_an_output() {
    let with_age = |files: &dyn Files, generated: &Generated, as_of: Instant| {
        let mut outputs = real(files, generated, as_of);
        for bytes in outputs.values_mut().filter(|bytes| bytes.starts_with(b"{")) {
            let mut json: Value = serde_json::from_slice(bytes).expect("JSON");
            json["age"] = as_of.since(Instant::parse("2026-03-01T00:00:00Z").expect("a moment")).as_seconds().into();
            *bytes = serde_json::to_vec(&json).expect("JSON");
        }
        outputs
    };
    assert!(!is_idempotent(&with_age, 1));
}

// Law 3: order-free.

/// Files listed in another order.
struct Shuffled {
    files: MemoryFiles,
    names: Vec<String>,
}

impl Files for Shuffled {
    fn list(&self) -> &[String] {
        &self.names
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        self.files.read(path)
    }
}

/// The same documents with keys and facts in another order.
fn reordered(generated: &Generated, dice: &mut Dice) -> BTreeMap<String, Vec<u8>> {
    let reorder = |path: &String, bytes: &Vec<u8>, dice: &mut Dice| {
        let Some(document) = parse(bytes, document::Format::Yaml).document else { return bytes.clone() };
        if bytes.contains(&b'#') {
            return bytes.clone();
        }
        let mut json = document.root.to_json();
        if path.starts_with("facts/") {
            for group in ["outcomes", "events", "artifacts"] {
                if let Some(Value::Array(items)) = json.get_mut(group) {
                    dice.shuffle(items);
                }
            }
        }
        let Value::Object(object) = &json else { return bytes.clone() };
        let mut keys: Vec<_> = object.keys().cloned().collect();
        dice.shuffle(&mut keys);
        let entry = |key: &String| to_yaml(&serde_json::json!({ key.as_str(): object[key] }));
        keys.iter().map(entry).collect::<String>().into_bytes()
    };
    generated.files.iter().map(|(path, bytes)| (path.clone(), reorder(path, bytes, dice))).collect()
}

fn is_order_free(pipeline: &Pipeline, seed: u64) -> bool {
    let generated = drawn(seed);
    let mut dice = Dice::new(seed ^ 0xabcd);
    let files = MemoryFiles::new(reordered(&generated, &mut dice));
    let mut names = files.list().to_vec();
    dice.shuffle(&mut names);
    let mut other = generated.clone();
    dice.shuffle(&mut other.recorded);
    let shuffled = Shuffled { files, names };
    pipeline(&shuffled, &other, Generated::now()) == pipeline(&memory(&generated), &generated, Generated::now())
}

#[test]
fn law_3_order_does_not_matter() {
    assert_eq!(broken(|seed| is_order_free(&real, seed), WORKSPACES), Vec::<u64>::new());
}

#[test]
fn law_3_sees_an_unsorted_map() {
    let in_listed_order = |files: &dyn Files, generated: &Generated, as_of: Instant| {
        let mut outputs = real(files, generated, as_of);
        outputs.insert("goals".into(), files.list().join("\n").into_bytes());
        outputs
    };
    assert!(!is_order_free(&in_listed_order, 1));
}

// Law 5: fail closed.

/// Breaks one document of a goal that has a screen, and says which goal.
fn broken_document(generated: &Generated, dice: &mut Dice) -> Option<(String, BTreeMap<String, Vec<u8>>)> {
    let paths: Vec<_> = generated.files.keys().filter(|path| path.starts_with("goals/")).collect();
    let path = *paths.get(dice.below(paths.len()))?;
    let goal = path.split('/').nth(1)?.to_owned();
    let mut files = generated.files.clone();
    let text = files.get_mut(path)?;
    match dice.below(3) {
        0 => text.extend_from_slice(b"no_such_key: 1\n"),
        1 => *text = String::from_utf8_lossy(text).replace("schema_version: ", "schema_version: x").into_bytes(),
        _ => text.extend_from_slice(b"]\n"),
    }
    Some((goal, files))
}

fn fails_closed(pipeline: &Pipeline, seed: u64) -> bool {
    let generated = drawn(seed);
    let mut dice = Dice::new(seed ^ 0x5eed);
    let Some((goal, files)) = broken_document(&generated, &mut dice) else { return true };
    let now = Generated::now();
    let before = pipeline(&memory(&generated), &generated, now);
    let after = pipeline(&MemoryFiles::new(files), &generated, now);
    let own = format!("projections/{goal}/");
    let is_closed = |bytes: &[u8]| {
        let screen: Value = serde_json::from_slice(bytes).expect("a projection");
        screen["first_screen"]["gate_state"] == "blocked" && screen["first_screen"]["may_continue"] == "no"
    };
    let queue: Value = serde_json::from_slice(&after["attention.json"]).expect("the queue");
    let is_named = queue["rows"]
        .as_array()
        .into_iter()
        .flatten()
        // A document that holds refused material besides is told as that.
        .filter(|row| ["document_invalid", "unsafe_material"].iter().any(|reason| row["reason"] == *reason))
        .any(|row| row["goal_id"] == goal.as_str());
    let closed = after.iter().filter(|(path, _)| path.starts_with(&own)).all(|(_, bytes)| is_closed(bytes));
    let others = |outputs: &Outputs| -> Vec<(String, Vec<u8>)> {
        let other = outputs.iter().filter(|(path, _)| path.starts_with("projections/") && !path.starts_with(&own));
        other.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    is_named && closed && others(&before) == others(&after)
}

#[test]
fn law_5_an_unreadable_document_closes_its_goal_and_no_other() {
    assert_eq!(broken(|seed| fails_closed(&real, seed), WORKSPACES), Vec::<u64>::new());
}

#[test]
fn law_5_sees_a_dropped_document() {
    let forgetful = |files: &dyn Files, generated: &Generated, as_of: Instant| {
        let sound = files.list().iter().filter_map(|path| {
            let bytes = files.read(path).ok()?;
            parse(&bytes, document::Format::Yaml).document.map(|_| (path.clone(), bytes))
        });
        let sound: MemoryFiles =
            sound.filter(|(_, bytes)| !bytes.windows(11).any(|text| text == b"no_such_key")).collect();
        real(&sound, generated, as_of)
    };
    let seeds = broken(|seed| fails_closed(&forgetful, seed), 40);
    assert!(seeds.len() > 10, "{seeds:?}");
}

/// A fact that is left out changes the verdict of some directory: facts are looked at.
#[test]
fn law_5_sees_a_dropped_fact() {
    let without = |generated: &Generated| -> MemoryFiles {
        let kept = generated.files.iter().filter(|(path, _)| !path.starts_with("facts/"));
        kept.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    let unseen = broken(
        |seed| {
            let generated = drawn(seed);
            let now = Generated::now();
            real(&memory(&generated), &generated, now) == real(&without(&generated), &generated, now)
        },
        40,
    );
    assert!(unseen.len() > 20, "dropping every fact went unnoticed");
}

// Law 6: nothing private leaves.

/// Canaries of several shapes, each unmistakable in any output.
fn canaries(seed: u64) -> Vec<String> {
    let mark = format!("{:012}", seed * 7919 % 1_000_000_007);
    vec![
        ["/ho", "me/canary", &mark, "/notes.txt"].concat(),
        ["gh", "p_", "Zx9Qw7Er5Ty3", &mark, "Ui1Op0As2Df4"].concat(),
        ["C:", "\\Users\\canary", &mark, "\\x"].concat(),
    ]
}

fn with_canaries(generated: &Generated, seed: u64) -> BTreeMap<String, Vec<u8>> {
    let mut dice = Dice::new(seed ^ 0xcafe);
    let canaries = canaries(seed);
    let mut files = generated.files.clone();
    let paths: Vec<_> = files.keys().cloned().collect();
    for path in paths {
        if !dice.percent(30) {
            continue;
        }
        let canary = canaries[dice.below(canaries.len())].clone();
        let Some(text) = files.get_mut(&path) else { continue };
        let shown = String::from_utf8_lossy(text).into_owned();
        *text = match dice.below(4) {
            0 => format!("{shown}# see {canary}\n"),
            1 => format!("{shown}'{canary}': 1\n"),
            2 => shown.replacen("evidence", &format!("evidence {canary}"), 1),
            _ => shown.replacen("window", &format!("window {canary}"), 2),
        }
        .into_bytes();
    }
    files
}

fn leaks(generated: &Generated, seed: u64, pipeline: &Pipeline) -> bool {
    let files = MemoryFiles::new(with_canaries(generated, seed));
    let mut text: Vec<u8> = pipeline(&files, generated, Generated::now()).into_values().flatten().collect();
    let judged = judge(&files, Generated::now());
    let paths = loopx::workspace::DisplayPaths::default();
    let batch = || Batch { findings: &judged.findings, paths: &paths, wall: &judged.workspace.wall };
    for format in [ReportFormat::Human, ReportFormat::Concise, ReportFormat::Json] {
        let report = Report { batches: vec![batch()], totals: Totals::default() };
        write(&mut text, format, &report).expect("memory takes everything");
    }
    let text = String::from_utf8_lossy(&text);
    let mark = format!("{:012}", seed * 7919 % 1_000_000_007);
    text.contains(&mark)
}

#[test]
fn law_6_no_canary_reaches_an_output_or_a_finding() {
    assert_eq!(broken(|seed| !leaks(&drawn(seed), seed, &real), WORKSPACES), Vec::<u64>::new());
}

#[test]
fn law_6_sees_text_that_went_around_the_wall() {
    let around = |files: &dyn Files, generated: &Generated, as_of: Instant| {
        let mut outputs = real(files, generated, as_of);
        let raw = files.list().iter().filter_map(|path| files.read(path).ok()).flatten().collect();
        outputs.insert("raw".into(), raw);
        outputs
    };
    assert!(leaks(&drawn(3), 3, &around));
}

// What was drawn.

/// A kind that only foreign programs write.
const NOT_DRAWN: [&str; 1] = ["session_runtime_readonly_projection_v0"];

/// Vocabularies whose words stand in the contracts' own documents only, in tables, or in no document. Of the results of
/// writebacks a preview knows one, of the quota's hints it gives two.
const NOT_COUNTED: [&str; 4] = ["plane", "reason", "writeback_status", "quota_hint"];

/// Whether a vocabulary is one of the documents of a state directory.
fn is_counted(name: &str) -> bool {
    let own = Kind::ALL.iter().filter(|kind| {
        let version = kind.row().version;
        !NOT_DRAWN.contains(&version) && !version.starts_with("openviking") && !version.starts_with("host_integration")
    });
    let named = format!("\"x-vocabulary\":\"{name}\"");
    !NOT_COUNTED.contains(&name) && own.into_iter().any(|kind| schema(*kind).to_string().contains(&named))
        || ["gate_standing", "handoff_standing"].contains(&name)
}

#[test]
fn every_kind_word_and_reason_is_drawn() {
    let mut counts = Counts::default();
    let mut told: BTreeMap<Reason, usize> = BTreeMap::new();
    for seed in 0..WORKSPACES {
        let generated = drawn(seed);
        let plan = plan(&memory(&generated), &generated, Generated::now());
        let emitted = outputs(&plan);
        for (path, bytes) in generated.files.iter().chain(&emitted) {
            let document =
                parse(bytes, if path.ends_with("json") { document::Format::Json } else { document::Format::Yaml })
                    .document;
            if let (Some((kind, _)), Some(document)) = (Kind::at(path), document) {
                counts.document(kind, &document.root.to_json());
            }
        }
        let goals = plan.goals.values();
        let branch = plan_of_a_branch(seed);
        let of_branch = branch.goals.values().flat_map(|goal| &goal.conditions);
        for condition in of_branch.filter(|condition| condition.reason == Reason::ChangeNotRecorded) {
            *told.entry(condition.reason).or_default() += 1;
        }
        for condition in goals.clone().flat_map(|goal| &goal.conditions).chain(&plan.workspace) {
            *told.entry(condition.reason).or_default() += 1;
            counts.word("severity", condition.severity.word());
        }
        for screen in plan.projections.values().map(|projection| &projection.first_screen) {
            screen
                .reasons
                .iter()
                .filter(|reason| **reason == Reason::InStep)
                .for_each(|reason| *told.entry(*reason).or_default() += 1);
            counts.word("waiting_on", screen.waiting_on.word());
            counts.word("gate_state", screen.gate_state.word());
            counts.word("quota_state", screen.quota_state.word());
            counts.word("may_continue", screen.may_continue.word());
        }
        for goal in goals {
            goal.gates.values().for_each(|standing| counts.word("gate_standing", standing.word()));
            goal.handoffs.values().for_each(|standing| counts.word("handoff_standing", standing.word()));
        }
    }
    let mut few = Vec::new();
    for kind in Kind::ALL.iter().filter(|kind| !NOT_DRAWN.contains(&kind.row().version)) {
        let count = counts.kinds.get(kind.row().version).copied().unwrap_or_default();
        few.extend((count < FEWEST).then(|| format!("{}: {count}", kind.row().version)));
    }
    for vocabulary in vocabularies().iter().filter(|vocabulary| is_counted(vocabulary.name)) {
        for (word, _) in vocabulary.words {
            let key = (vocabulary.name.to_owned(), (*word).to_owned());
            let count = counts.words.get(&key).copied().unwrap_or_default();
            few.extend((count < FEWEST).then(|| format!("{}.{word}: {count}", vocabulary.name)));
        }
    }
    for reason in reasons() {
        let count = told.get(reason).copied().unwrap_or_default();
        few.extend((count < FEWEST).then(|| format!("reason {reason}: {count}")));
    }
    assert!(few.is_empty(), "drawn fewer than {FEWEST} times in {WORKSPACES} directories:\n{}", few.join("\n"));
}
