//! Law 9 over generated state directories: whatever is removed, hidden, unreadable or changed on a branch, what is
//! permitted shrinks or stays.

use std::collections::BTreeMap;

use loopx::document::{self, parse, to_yaml};
use loopx::reconcile::{Permit, Plan};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::trees::{Trees, alone, readable};
use crate::generator::{Dice, Generated, generate};

/// How many cases each property is tried on; `LOOPX_CASES` names another number.
fn cases() -> u64 {
    std::env::var("LOOPX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(500)
}

fn drawn(seed: u64) -> (Generated, Trees) {
    let generated = generate(seed, 1 + (seed % 3) as usize);
    let trees = Trees::committed(&generated.files, generated.recorded.clone());
    (generated, trees)
}

/// What of the second list lies outside the first.
fn beyond<'p>(before: &[Permit], after: &'p [Permit]) -> Vec<&'p Permit> {
    let is_within = |permit: &&Permit| {
        before.iter().any(|known| {
            known.goal_id == permit.goal_id
                && known.todo_id == permit.todo_id
                && (known.agent_id == permit.agent_id || known.agent_id.is_none())
                && permit.write_scope.iter().all(|glob| glob.is_within(&known.write_scope))
        })
    };
    after.iter().filter(|permit| !is_within(permit)).collect()
}

/// Removes, hides or locks some files of the work tree; facts that git ignores are no part of any commit.
fn lose(trees: &mut Trees, dice: &mut Dice) {
    let paths: Vec<String> = trees.here.keys().filter(|path| path.starts_with("goals/")).cloned().collect();
    let share = 5 + dice.below(60);
    for path in paths {
        if !dice.percent(share) {
            continue;
        }
        if dice.percent(70) {
            trees.here.remove(&path);
            // What HEAD has lost too is removed by a commit of the branch.
            if dice.percent(40) {
                trees.head.remove(&path);
            }
        } else {
            trees.here.insert(path, None);
        }
    }
    if dice.percent(20) {
        trees.base = None;
    }
}

fn shrinks_when_files_are_lost(seed: u64) -> bool {
    let (_, trees) = drawn(seed);
    let now = Generated::now();
    let mut lossy = trees.clone();
    lose(&mut lossy, &mut Dice::new(seed ^ 0x105e));
    beyond(&trees.join(now).permits(now), &lossy.join(now).permits(now)).is_empty()
}

#[test]
fn what_is_permitted_shrinks_when_files_are_lost() {
    let broken: Vec<u64> = (0..cases()).into_par_iter().filter(|seed| !shrinks_when_files_are_lost(*seed)).collect();
    assert_eq!(broken, Vec::<u64>::new());
}

/// A reader that forgets what is not there opens gates.
#[test]
fn a_reader_that_skips_silently_is_found() {
    let opens = |seed: u64| {
        let (_, trees) = drawn(seed);
        let now = Generated::now();
        let mut lossy = trees.clone();
        lose(&mut lossy, &mut Dice::new(seed ^ 0x105e));
        !beyond(&trees.join(now).permits(now), &alone(&lossy, now)).is_empty()
    };
    let found = (0..cases().min(500)).into_par_iter().filter(|seed| opens(*seed)).count();
    assert!(found > 20, "only {found}");
}

type Document = BTreeMap<String, Value>;

/// Changes one field of a document as somebody would who wants more.
fn widen(path: &str, document: &mut Document, dice: &mut Dice) {
    let kind = path.split('/').nth(2).unwrap_or_default();
    let mut set = |field: &str, value: Value| drop(document.insert(field.to_owned(), value));
    match (kind, dice.below(8)) {
        ("todos", 0 | 1) => set("status", json!("open")),
        ("todos", 2) => drop(document.remove("after")),
        ("todos", 3) => set("assignee", json!("codex-main")),
        ("todos", 4) => drop(document.remove("assignee")),
        ("todos", 5) => set("task_class", json!("advancement_task")),
        ("todos", 6) => {
            document.remove("resume_when");
            document.remove("expires_at");
        }
        ("todos", _) => drop(document.remove("next_due_at")),
        ("gates", 0) => set("blocks", json!("none")),
        // The next revision asks about less, and has no answer.
        ("gates", 1) => {
            set("blocks", json!("none"));
            set("revision", json!(2));
            set("requested", json!({"by": "codex-main", "at": "2026-03-07T15:00:00Z"}));
            document.remove("decision");
            document.remove("expires_at");
        }
        ("gates", 5) => set("requested", json!({"by": "codex-main", "at": "2026-03-01T09:00:00Z"})),
        ("gates", 2) => set("required_actor", json!("user")),
        ("gates", 3) => drop(document.remove("decision")),
        ("gates", 4) => drop(document.remove("expires_at")),
        ("gates", _) => set(
            "decision",
            json!({"label": "approve", "actor_class": "owner", "by": "maya", "at": "2026-03-07T16:00:00Z", "reason": "x"}),
        ),
        ("handoffs", 0 | 1) => {
            set(
                "withdrawn",
                json!({"by": "maya", "actor_class": "owner", "at": "2026-03-07T16:00:00Z", "reason": "x"}),
            );
        }
        ("handoffs", 2) => set("to_agent", json!("codex-main")),
        ("handoffs", 3) => set("expires_at", json!("2027-03-07T16:00:00Z")),
        ("handoffs", _) => drop(document.remove("write_scope")),
        ("goal.yaml", 0 | 1) => set("status", json!("active")),
        ("goal.yaml", 2) => drop(document.remove("quota")),
        ("goal.yaml", 3) => set("boundary", json!({"write_scope": ["**"], "stop_condition": "never"})),
        ("goal.yaml", 4) => {
            let agents = document.entry("agents".to_owned()).or_insert(json!({}));
            agents.as_object_mut().map(|agents| agents.insert("codex-new".to_owned(), json!("anything")));
        }
        _ => {}
    }
}

/// Changes some documents on a branch.
fn branch(files: &BTreeMap<String, Vec<u8>>, dice: &mut Dice) -> BTreeMap<String, Vec<u8>> {
    let share = 10 + dice.below(60);
    let change = |(path, bytes): (&String, &Vec<u8>)| {
        let is_changed = path.starts_with("goals/") && dice.percent(share);
        let parsed = parse(bytes, document::Format::Yaml).document.filter(|_| is_changed);
        let object = parsed.and_then(|parsed| match parsed.root.to_json() {
            Value::Object(object) => Some(object.into_iter().collect::<Document>()),
            _ => None,
        });
        let bytes = match object {
            Some(mut document) => {
                widen(path, &mut document, dice);
                to_yaml(&document).into_bytes()
            }
            None => bytes.clone(),
        };
        (path.clone(), bytes)
    };
    files.iter().map(change).collect()
}

/// A branch on which somebody wants more, and perhaps loses files.
pub(crate) fn branched(seed: u64) -> (Trees, Trees) {
    let (generated, trees) = drawn(seed);
    let mut dice = Dice::new(seed ^ 0xb4_a9c4);
    let changed = readable(&branch(&generated.files, &mut dice));
    let mut branched = Trees { here: changed.clone(), head: changed, ..trees.clone() };
    if dice.percent(50) {
        lose(&mut branched, &mut dice);
    }
    (trees, branched)
}

/// What is told of a branch.
pub(crate) fn plan_of_a_branch(seed: u64) -> Plan {
    branched(seed).1.join(Generated::now()).plan(Generated::now())
}

fn opens_nothing_on_a_branch(seed: u64) -> bool {
    let (trees, branched) = branched(seed);
    let now = Generated::now();
    beyond(&trees.join(now).permits(now), &branched.join(now).permits(now)).is_empty()
}

#[test]
fn a_branch_opens_nothing() {
    let broken: Vec<u64> = (0..cases()).into_par_iter().filter(|seed| !opens_nothing_on_a_branch(*seed)).collect();
    assert_eq!(broken, Vec::<u64>::new());
}

/// What is unchanged since the branch began is the authority ref's, whatever became of it there.
#[test]
fn a_branch_that_is_behind_stands_where_the_authority_ref_stands() {
    let stands = |seed: u64| {
        let (generated, old) = drawn(seed);
        let now = Generated::now();
        let newer = readable(&branch(&generated.files, &mut Dice::new(seed ^ 0x0cd)));
        let ahead = Trees {
            here: newer.clone(),
            head: newer.clone(),
            reference: newer.clone(),
            base: Some(newer),
            ..old.clone()
        };
        let behind = Trees { reference: ahead.reference.clone(), ..old };
        let shown = |trees: &Trees| loopx::render::outputs(&trees.join(now).plan(now));
        shown(&ahead) == shown(&behind)
    };
    let broken: Vec<u64> = (0..cases()).into_par_iter().filter(|seed| !stands(*seed)).collect();
    assert_eq!(broken, Vec::<u64>::new());
}

/// A branch from before somebody edited the authority ref by hand, on which somebody else wants more: both sides.
fn beside_edits_at_the_ref(seed: u64) -> (Trees, Trees) {
    let (generated, trees) = drawn(seed);
    let edited = readable(&branch(&generated.files, &mut Dice::new(seed ^ 0x0e_d17)));
    let reference = Trees {
        here: edited.clone(),
        head: edited.clone(),
        reference: edited.clone(),
        base: Some(edited.clone()),
        ..trees.clone()
    };
    let changed = readable(&branch(&generated.files, &mut Dice::new(seed ^ 0xb4_a9c4)));
    let branched = Trees { here: changed.clone(), head: changed, reference: edited, ..trees };
    (reference, branched)
}

/// Which permits a case gains, and every document that its versions do not agree on: what a failed property prints.
fn gained(reference: &Trees, branched: &Trees) -> Option<String> {
    let now = Generated::now();
    let before = reference.join(now).permits(now);
    let after = branched.join(now).permits(now);
    let gained = beyond(&before, &after);
    if gained.is_empty() {
        return None;
    }
    let (base, none) = (branched.base.as_ref(), Vec::new());
    let mut text = format!("gained {gained:#?}\nof {before:#?}\n");
    let shown = |bytes: Option<&Option<Vec<u8>>>| {
        bytes.map_or("absent".to_owned(), |bytes| String::from_utf8_lossy(bytes.as_ref().unwrap_or(&none)).into_owned())
    };
    let is_concerned = |path: &&String| gained.iter().any(|permit| path.contains(permit.goal_id.as_str()));
    for path in branched.here.keys().filter(is_concerned) {
        let versions = [base.and_then(|base| base.get(path)), branched.reference.get(path), branched.here.get(path)];
        if versions[0] != versions[1] || versions[0] != versions[2] {
            let [base, reference, here] = versions.map(shown);
            text += &format!("== {path}\n-- base\n{base}\n-- ref\n{reference}\n-- here\n{here}\n");
        }
    }
    Some(text)
}

/// Cases beyond the first ones that once opened something: a handoff that ended sooner here made way for an older one;
/// a decision or a withdrawal that was recorded for another question was read as this one's; whose a todo is was read
/// from handoffs that the authority ref had withdrawn.
const FOUND: [u64; 6] = [920, 1270, 11_416, 12_323, 25_807, 33_718];

#[test]
fn a_branch_opens_nothing_that_an_edit_at_the_authority_ref_closed() {
    let told = |seed: u64| {
        let (reference, branched) = beside_edits_at_the_ref(seed);
        gained(&reference, &branched).map(|text| format!("case {seed}: {text}"))
    };
    let broken = (0..cases()).into_par_iter().chain(FOUND).find_map_any(told);
    assert!(broken.is_none(), "{}", broken.unwrap_or_default());
}
