//! Law 10 on generated state directories: whatever an agent commits, what it permits lies within what people allowed, or
//! the review refuses it; and what agents do every day is never refused.

mod moves;
mod oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use loopx::app::{Changes, Records, compare, world};
use loopx::reconcile::receipts;
use loopx::reconcile::{PermitSummary, World, standing, unrecorded};
use loopx::review::{ChangeCommit, Contributor, FileChange, Review, Version};
use loopx::rules::{JudgedDirectory, judge, judge_as};
use loopx::vocabulary::{ActorClass, Classes, Id, Instant, Receipt, Record, receipt_path};
use loopx::workspace::{MemoryFiles, Workspace};
use rayon::prelude::*;
use serde_json::{Value, json};

use self::moves::{goals, nudge, put, tamper, work};
use self::oracle::Oracle;
use crate::generator::{Dice, Generated, generate};

/// The agent that commits.
const AGENT: &str = "codex-main";

/// How many cases are tried; `LOOPX_CASES` raises it.
fn cases() -> u64 {
    std::env::var("LOOPX_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(500)
}

type Files = BTreeMap<String, Vec<u8>>;

/// A state directory whose policies know agents from people.
fn base(seed: u64) -> Files {
    let mut files = generate(seed, 1).files;
    let actor = |class: &str, name: &str| json!({ "class": class, "git": [format!("{name}@users.noreply.example")] });
    let actors = json!({
        "maya": actor("owner", "maya"), "lena": actor("user", "lena"), "ines": actor("operator", "ines"),
        "ravi": actor("controller", "ravi"), AGENT: actor("agent", AGENT),
    });
    let policy = json!({ "schema_version": "loopx_policy_v0", "actors": actors });
    put(&mut files, "policies/team.yaml", &policy);
    if seed.is_multiple_of(3) {
        hand_over(&mut files);
    }
    if seed.is_multiple_of(2) {
        set_out(&mut files, seed);
    }
    files
}

/// Adds work of every standing that the moves are about: approved, watched, waiting for a person, held up by one.
fn set_out(files: &mut Files, seed: u64) {
    let goals = goals(files);
    let Some(goal) = goals.first() else { return };
    let mut todo = |id: &str, class: &str, more: Value| {
        let mut document = json!({
            "schema_version": "loopx_todo_v0", "goal_id": goal, "todo_id": id, "title": "Do it", "task_class": class,
        });
        document.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        put(files, &format!("goals/{goal}/todos/{id}.yaml"), &document);
    };
    todo("read-1a1a", "advancement_task", json!({ "assignee": AGENT }));
    todo("free-2b2b", "advancement_task", json!({}));
    todo("tell-3c3c", "user_action", json!({ "assignee": "maya" }));
    todo("late-4d4d", "advancement_task", json!({ "after": ["tell-3c3c", "free-2b2b"] }));
    todo("next-5e5e", "advancement_task", json!({ "after": ["free-2b2b"], "assignee": "claude-review" }));
    todo("held-6f6f", "advancement_task", json!({ "status": "blocked" }));
    let watch = json!({ "watch_only": true, "cadence": "6h", "next_due_at": "2026-03-20T09:00:00Z" });
    todo("watch-7g7g", "continuous_monitor", watch);
    let mut gate = |id: &str, more: Value| {
        let mut document = json!({
            "schema_version": "operator_gate_v0", "goal_id": goal, "gate_id": id, "question": "May I?",
            "required_actor": "controller", "requested": { "by": AGENT, "at": "2026-03-05T08:00:00Z" },
        });
        document.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        put(files, &format!("goals/{goal}/gates/{id}.yaml"), &document);
        document
    };
    let approval = json!({
        "label": "approve", "by": "ravi", "actor_class": "controller", "at": "2026-03-05T09:00:00Z", "reason": "fine",
    });
    let read = gate("read-8h8h", json!({ "blocks": ["read-1a1a"], "decision": approval }));
    gate("held-9j9j", json!({ "blocks": ["held-6f6f"] }));
    if seed.is_multiple_of(8) {
        gate("all-1k1k", json!({}));
    }
    let receipt = receipts::of_gate(&serde_json::from_value(read).expect("a gate")).expect("a decision");
    let path = receipt_path(receipt.goal_id.as_str(), receipt.run_id.as_str());
    put(files, &path, &serde_json::to_value(&receipt).expect("a receipt"));
}

/// Adds work that a person approved to be handed to the agent, and that it has not accepted yet.
fn hand_over(files: &mut Files) {
    let goals = goals(files);
    let Some(goal) = goals.first() else { return };
    let todo = json!({
        "schema_version": "loopx_todo_v0", "goal_id": goal, "todo_id": "given-1a1a", "title": "Take it over",
        "task_class": "advancement_task",
    });
    let handoff = json!({
        "schema_version": "handoff_packet_v0", "goal_id": goal, "handoff_id": "given-2b2b",
        "from_agent": "claude-review", "to_agent": AGENT, "todo_id": "given-1a1a", "next_action": "Do the rest",
        "stop_condition": "Stop at the first failed check", "expires_at": "2026-03-10T09:30:00Z",
        "approved": { "by": "maya", "actor_class": "owner", "at": "2026-03-05T08:00:00Z" },
    });
    let record = serde_json::from_value(handoff.clone()).expect("a handoff");
    let receipt = receipts::of_handoff_approval(&record).expect("an approval");
    let path = receipt_path(receipt.goal_id.as_str(), receipt.run_id.as_str());
    put(files, &path, &serde_json::to_value(&receipt).expect("a receipt"));
    put(files, &format!("goals/{goal}/todos/given-1a1a.yaml"), &todo);
    put(files, &format!("goals/{goal}/handoffs/given-2b2b.yaml"), &handoff);
}

/// How many state directories the cases share; each is changed in many ways.
const BASES: u64 = 250;

/// The cases: a seed and the state directory that it changes.
fn drawn() -> impl Iterator<Item = (u64, &'static Files)> {
    let bases = bases();
    (0..cases()).zip(bases.iter().cycle()).map(|(round, (seed, files))| (seed ^ (round << 32), files))
}

/// State directories in which nothing is wrong and the agent may work, each with its seed.
fn bases() -> &'static [(u64, Files)] {
    static FOUND: OnceLock<Vec<(u64, Files)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let (mut found, count) = (Vec::new(), usize::try_from(BASES.min(cases())).expect("a count"));
        for start in (0..).step_by(2000) {
            let drawn = (start..start + 2000_u64).into_par_iter().map(|seed| (seed, base(seed)));
            found.extend(drawn.filter(|(_, files)| is_usable(files)).collect::<Vec<_>>());
            if found.len() >= count {
                break;
            }
        }
        found.truncate(count);
        found
    })
}

fn is_usable(files: &Files) -> bool {
    let judged = judge(&MemoryFiles::new(files.clone()), Generated::now());
    let is_wrong = judged.findings.iter().any(|finding| finding.level == loopx::vocabulary::Level::Error);
    let mut goals = judged.workspace.entries.iter().filter_map(|entry| match &entry.record {
        Some(Record::Goal(goal)) => Some(goal),
        _ => None,
    });
    let works = |goal: &loopx::vocabulary::Goal| {
        goal.status == loopx::vocabulary::GoalStatus::Active && goal.agents.contains_key(AGENT)
    };
    !is_wrong && goals.all(works)
}

/// A base and a change of it, both judged.
struct Case {
    before: JudgedDirectory,
    after: JudgedDirectory,
    changes: Changes,
}

impl Case {
    /// A change whose files an agent committed as `history` says; at the paths of `own` it had held the todo up itself.
    fn new(base: &Files, changed: &Files, history: History, own: &BTreeSet<String>) -> Self {
        let as_of = Generated::now();
        let (old, new) = (MemoryFiles::new(base.clone()), MemoryFiles::new(changed.clone()));
        let before = judge(&old, as_of);
        let after = judge_as(&new, (&old, &before), as_of);
        let paths: BTreeSet<&String> = base.keys().chain(changed.keys()).collect();
        let differing = paths.into_iter().filter(|path| base.get(*path) != changed.get(*path));
        let files = differing.map(|path| FileChange {
            held_by: own.get(path).map(|_| Id::new(AGENT)).into_iter().collect(),
            ..file(path, &before.workspace, &after.workspace, history)
        });
        let files = files.collect();
        let codex = Contributor { name: AGENT.into(), actors: vec![(Id::new(AGENT), Classes::one(ActorClass::Agent))] };
        let commit = ChangeCommit { short: "0000000".into(), author: codex, ..ChangeCommit::default() };
        Self { before, after, changes: Changes { commits: vec![commit], files } }
    }

    fn review(&self) -> Review {
        compare(&self.before, &self.after, &self.changes, None, Generated::now())
    }
}

fn record_at(workspace: &Workspace, path: &str) -> Option<Record> {
    workspace.index.at(path).and_then(|number| workspace.entries[number].record.clone())
}

/// How the commits of an agent made a file what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum History {
    /// One commit on the base.
    Line,
    /// A merge of the base, of a commit on it, and of a branch that left an older base, where the file was so.
    Octopus,
    /// The same with the older branch first.
    Turned,
}

impl History {
    fn drawn(dice: &mut Dice) -> Self {
        [Self::Line, Self::Line, Self::Octopus, Self::Turned][dice.below(4)]
    }

    fn versions(self, start: Option<Record>, record: Option<Record>) -> Vec<Version> {
        let outside = |record: &Option<Record>| Version { record: record.clone(), ..Version::default() };
        let (base, older) = (outside(&start), outside(&record));
        let made = |parents: &[usize], forks: &[Vec<usize>]| Version {
            commit: Some(0),
            record: record.clone(),
            parents: parents.to_vec(),
            forks: forks.to_vec(),
        };
        match self {
            Self::Line => vec![base, made(&[0], &[])],
            Self::Octopus => vec![base, older, made(&[0, 0, 1], &[vec![0], vec![1]])],
            Self::Turned => vec![base, older, made(&[1, 0, 0], &[vec![1], vec![1]])],
        }
    }
}

fn file(path: &str, before: &Workspace, after: &Workspace, history: History) -> FileChange {
    let (start, record) = (record_at(before, path), record_at(after, path));
    FileChange {
        path: Arc::from(path),
        versions: history.versions(start.clone(), record),
        start,
        held_by: Vec::new(),
        is_of_both: false,
        is_given_twice: false,
    }
}

/// The todos that somebody holds up now and nobody held up at first.
fn held_since(base: &Files, here: &Files) -> BTreeSet<String> {
    let is_held = |files: &Files, path: &str| {
        let document = files.get(path).and_then(|bytes| serde_yaml::from_slice::<Value>(bytes).ok());
        document.is_some_and(|it| {
            ["blocked", "deferred"].contains(&it["status"].as_str().unwrap_or_default()) || !it["resume_when"].is_null()
        })
    };
    let todos = here.keys().filter(|path| path.contains("/todos/"));
    todos.filter(|path| is_held(here, path) && !is_held(base, path)).cloned().collect()
}

/// What a state directory lets agents do, its own decisions recorded.
fn standing_of(judged: &JudgedDirectory, as_of: Instant) -> PermitSummary {
    let records = Records::in_tree(&judged.workspace);
    let mut here: World<'_> = world(&judged.workspace, &records);
    let receipts: Vec<Receipt> = unrecorded(&here, &judged.workspace.wall);
    here.record(&receipts);
    standing(&here, &judged.workspace.wall, as_of)
}

/// Whatever an agent commits, a review refuses what opens more than people allowed, and what ends a wait for a person.
#[test]
fn an_agent_opens_nothing_by_itself() {
    let (mut kinds, mut passed) = (BTreeMap::new(), 0);
    for (seed, base) in drawn() {
        let mut dice = Dice::new(seed ^ 0x10);
        let changed = tamper(base, &mut dice);
        let case = Case::new(base, &changed, History::drawn(&mut dice), &BTreeSet::new());
        let broken = Oracle::new(&case, &BTreeSet::new()).broken();
        let is_refused = case.review().is_refused();
        assert!(is_refused || broken.is_empty(), "seed {seed} {broken:#?}\n{}", differences(base, &changed));
        broken.iter().for_each(|(kind, _)| *kinds.entry(*kind).or_insert(0_u64) += 1);
        passed += u64::from(!is_refused);
    }
    assert!(passed >= cases() / 50, "{passed} pass");
    // Each kind of hole is tried, else nothing is shown of it.
    let tried = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    for kind in Oracle::KINDS {
        assert!(tried(kind) >= cases().div_ceil(1000), "{kind} is tried too seldom: {kinds:?}");
    }
    assert!(tried("opens") >= cases() / 50 && tried("ends a wait") >= cases() / 50, "{kinds:?}");
}

/// Pull requests of an agent one after the other, each accepted: together they open no more than one alone.
#[test]
fn a_sequence_of_pull_requests_opens_nothing_either() {
    let (mut accepted, mut long) = (0, 0);
    for (seed, base) in drawn() {
        let mut dice = Dice::new(seed ^ 0x30);
        let (mut here, mut gone) = (base.clone(), BTreeSet::new());
        let mut merged = 0;
        for _ in 0..4 {
            let changed = if dice.percent(30) { work(&here, &mut dice) } else { nudge(&here, &mut dice) };
            let case = Case::new(&here, &changed, History::drawn(&mut dice), &held_since(base, &here));
            if changed == here || case.review().is_refused() {
                continue;
            }
            // An id that was given away anew names new work.
            gone.extend(base.keys().filter(|path| !changed.contains_key(*path)).cloned());
            here = changed;
            merged += 1;
        }
        let case = Case::new(base, &here, History::Line, &BTreeSet::new());
        let broken = Oracle::new(&case, &gone).broken();
        assert!(broken.is_empty(), "seed {seed}, {merged} merged: {broken:#?}\n{}", differences(base, &here));
        accepted += merged;
        long += u64::from(merged > 1);
    }
    assert!(accepted >= cases() && long >= cases() / 4, "{accepted} accepted, {long} sequences");
}

/// What agents do every day is never refused.
#[test]
fn daily_work_is_never_refused() {
    let (mut done, mut started) = (0, 0);
    for (seed, base) in drawn() {
        let mut dice = Dice::new(seed ^ 0x20);
        let changed = work(base, &mut dice);
        let case = Case::new(base, &changed, History::drawn(&mut dice), &BTreeSet::new());
        let review = case.review();
        let refusals: Vec<String> = review
            .findings()
            .filter(|finding| finding.level == loopx::vocabulary::Level::Error)
            // What the privacy scanner takes for a secret is no matter of this law.
            .filter(|finding| !finding.rule.starts_with("privacy/"))
            .map(|finding| format!("{} {}: {}", finding.rule, finding.primary.path, finding.message))
            .collect();
        assert!(refusals.is_empty(), "seed {seed} {refusals:#?}\n{}", differences(base, &changed));
        done += usize::from(*base != changed);
        started += usize::from(!review.opens.is_empty());
    }
    let least = usize::try_from(cases() / 50).expect("a count");
    assert!(done >= least && started >= least, "{done} changes, {started} open something");
}

/// The documents that differ, whole.
fn differences(base: &Files, changed: &Files) -> String {
    let paths: BTreeSet<&String> = base.keys().chain(changed.keys()).collect();
    let text = |files: &Files, path: &String| {
        files.get(path).map_or("nothing".to_owned(), |bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let differing = paths.into_iter().filter(|path| base.get(*path) != changed.get(*path));
    differing.map(|path| format!("== {path}\n{}--\n{}", text(base, path), text(changed, path))).collect()
}
