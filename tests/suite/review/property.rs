//! Law 10 on generated state directories: whatever an agent commits, what it permits lies within what people allowed, or
//! the review refuses it; and what agents do every day is never refused.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use loopx::app::{Changes, Records, compare, world};
use loopx::document::to_yaml;
use loopx::reconcile::receipts;
use loopx::reconcile::{GoalDocumentKey, Permit, PermitSummary, World, reconcile, standing, unrecorded};
use loopx::review::{ChangeCommit, Contributor, FileChange, Review, Version};
use loopx::rules::{JudgedDirectory, judge, judge_as};
use loopx::vocabulary::{
    ActorClass, Classes, Gate, GateStanding, Id, Instant, Kind, Receipt, Record, Todo, TodoStatus, receipt_path,
};
use loopx::workspace::{MemoryFiles, Workspace};
use rayon::prelude::*;
use serde_json::{Value, json};

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
    files
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
    fn new(base: &Files, changed: &Files) -> Self {
        let as_of = Generated::now();
        let (old, new) = (MemoryFiles::new(base.clone()), MemoryFiles::new(changed.clone()));
        let before = judge(&old, as_of);
        let after = judge_as(&new, (&old, &before), as_of);
        let paths: BTreeSet<&String> = base.keys().chain(changed.keys()).collect();
        let differing = paths.into_iter().filter(|path| base.get(*path) != changed.get(*path));
        let files = differing.map(|path| file(path, &before.workspace, &after.workspace)).collect();
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

fn file(path: &str, before: &Workspace, after: &Workspace) -> FileChange {
    let (start, record) = (record_at(before, path), record_at(after, path));
    let first = Version { record: start.clone(), ..Version::default() };
    let last = Version { commit: Some(0), record, parents: vec![0], ..Version::default() };
    FileChange {
        path: Arc::from(path),
        start,
        versions: vec![first, last],
        held_by: Vec::new(),
        is_of_both: false,
        is_given_twice: false,
    }
}

/// What a state directory lets agents do, its own decisions recorded.
fn standing_of(judged: &JudgedDirectory, as_of: Instant) -> PermitSummary {
    let records = Records::in_tree(&judged.workspace);
    let mut here: World<'_> = world(&judged.workspace, &records);
    let receipts: Vec<Receipt> = unrecorded(&here, &judged.workspace.wall);
    here.record(&receipts);
    standing(&here, &judged.workspace.wall, as_of)
}

fn gates_of(judged: &JudgedDirectory, goal: &Id) -> BTreeMap<Id, GateStanding> {
    let records = Records::in_tree(&judged.workspace);
    let mut here = world(&judged.workspace, &records);
    let receipts = unrecorded(&here, &judged.workspace.wall);
    here.record(&receipts);
    let plan = reconcile(&here, &judged.workspace.wall, Generated::now());
    plan.goals.get(goal).map(|goal| goal.gates.clone()).unwrap_or_default()
}

/// What the law says, written down a second time and in another way: without the fields of people, for there are none
/// in a change of an agent alone.
struct Oracle<'c> {
    case: &'c Case,
    before: PermitSummary,
    after: PermitSummary,
}

impl<'c> Oracle<'c> {
    fn new(case: &'c Case) -> Self {
        let as_of = Generated::now();
        Self { case, before: standing_of(&case.before, as_of), after: standing_of(&case.after, as_of) }
    }

    fn todo(&self, judged: &'c JudgedDirectory, goal: &Id, todo: &Id) -> Option<&'c Todo> {
        let number = judged.workspace.index.goals.get(goal.as_str())?.find(Kind::Todo, todo.as_str())?;
        match &judged.workspace.entries[number].record {
            Some(Record::Todo(todo)) => Some(todo),
            _ => None,
        }
    }

    /// Whether a todo was done in the base, or an agent could come to finish it: nothing closed holds it up there, and
    /// so on for what comes before it.
    fn may_be_done(&self, goal: &Id, todo: &Id, gates: &BTreeMap<Id, GateStanding>, depth: usize) -> bool {
        let Some(base) = self.todo(&self.case.before, goal, todo) else {
            return self.todo(&self.case.after, goal, todo).is_some_and(|new| !new.task_class.is_user());
        };
        base.status == TodoStatus::Done
            || depth < 9
                && !base.task_class.is_user()
                && base.status == TodoStatus::Open
                && self.closed_gates(goal, todo, gates).is_empty()
                && base.after.iter().all(|first| self.may_be_done(goal, first, gates, depth + 1))
    }

    /// The gates of the base that hold a todo up.
    fn closed_gates(&self, goal: &Id, todo: &Id, gates: &BTreeMap<Id, GateStanding>) -> Vec<&'c Gate> {
        let index = &self.case.before.workspace.index;
        let all = index.goals.get(goal.as_str()).into_iter().flat_map(|goal| goal.of(Kind::Gate));
        let records = all.filter_map(|(_, number)| match &self.case.before.workspace.entries[number].record {
            Some(Record::Gate(gate)) => Some(gate),
            _ => None,
        });
        let blocks = |gate: &&Gate| gate.blocks.is_goal() || gate.blocks.todos().contains(todo);
        let is_closed = |gate: &&Gate| {
            use GateStanding as S;
            matches!(gates.get(&gate.gate_id), Some(S::Requested | S::Deferred | S::Rejected | S::Expired))
        };
        records.filter(blocks).filter(is_closed).collect()
    }

    /// What is permitted and was not.
    fn widened(&self) -> Vec<&Permit> {
        self.after.permits.iter().filter(|permit| !self.is_fine(permit)).collect()
    }

    fn is_fine(&self, permit: &Permit) -> bool {
        let same = |known: &&Permit| known.goal_id == permit.goal_id && known.todo_id == permit.todo_id;
        let is_limited = |known: &Permit| {
            let writes = permit.write_scope.iter().all(|glob| glob.is_within(&known.write_scope));
            let slots =
                |permit: &Permit| permit.quota.as_ref().map_or(u64::MAX, |quota| quota.allowed_slots_in_window());
            writes
                && slots(permit) <= slots(known)
                && permit.stop_condition == known.stop_condition
                && permit.validation_command == known.validation_command
                && permit.agents.iter().all(|(agent, scope)| known.agents.get(agent) == Some(scope))
        };
        if let Some(known) = self.before.permits.iter().find(same) {
            let is_own = known.agents.keys().any(|agent| agent == AGENT);
            let ends_later = known.ends.is_some() && permit.ends.is_none_or(|end| Some(end) > known.ends);
            // Its own handoff accepted, or its own claim released.
            return is_limited(known) && !ends_later
                || is_own && is_limited(&Permit { agents: permit.agents.clone(), ..known.clone() });
        }
        let gates = gates_of(&self.case.before, &permit.goal_id);
        let of_goal = self.case.before.workspace.index.goals.get(permit.goal_id.as_str()).and_then(|goal| goal.goal);
        let Some(Record::Goal(goal)) =
            of_goal.and_then(|number| self.case.before.workspace.entries[number].record.as_ref())
        else {
            return false;
        };
        let known = Permit {
            agents: goal.agents.clone(),
            write_scope: goal.boundary.write_scope.clone(),
            quota: goal.quota.clone(),
            validation_command: goal.validation_command.clone(),
            // A handoff may have a stop condition of its own.
            stop_condition: permit.stop_condition.clone(),
            ..permit.clone()
        };
        let is_active = goal.status == loopx::vocabulary::GoalStatus::Active;
        is_limited(&known)
            && is_active
            && self.closed_gates(&permit.goal_id, &permit.todo_id, &gates).is_empty()
            && self.may_be_done(&permit.goal_id, &permit.todo_id, &gates, 0)
    }

    /// What is done although a gate that was closed holds it up.
    fn finished(&self) -> Vec<Id> {
        let all = self.case.before.workspace.entries.iter().filter_map(|entry| match &entry.record {
            Some(Record::Todo(todo)) => Some(todo),
            _ => None,
        });
        let is_done = |todo: &&Todo| {
            let now = self.todo(&self.case.after, &todo.goal_id, &todo.todo_id);
            todo.status != TodoStatus::Done && now.is_some_and(|now| now.status == TodoStatus::Done)
        };
        let is_held = |todo: &&Todo| {
            let gates = gates_of(&self.case.before, &todo.goal_id);
            !self.closed_gates(&todo.goal_id, &todo.todo_id, &gates).is_empty()
        };
        all.filter(is_done).filter(is_held).map(|todo| todo.todo_id.clone()).collect()
    }

    /// What waited for a person and does not any more.
    fn ended(&self) -> Vec<&GoalDocumentKey> {
        let waits = |key: &&GoalDocumentKey| self.after.waits.contains(*key) || self.after.unusable.contains(*key);
        self.before.waits.iter().filter(|key| !waits(key)).collect()
    }
}

/// Every document of a goal, as plain data.
fn documents(files: &Files) -> Vec<(String, Value)> {
    let of_goals = files.iter().filter(|(path, _)| path.starts_with("goals/"));
    let parsed = of_goals.filter_map(|(path, bytes)| Some((path.clone(), serde_yaml::from_slice(bytes).ok()?)));
    parsed.filter(|(_, value): &(String, Value)| value.is_object()).collect()
}

fn put(files: &mut Files, path: &str, document: &Value) {
    files.insert(path.to_owned(), to_yaml(document).into_bytes());
}

/// Something that an agent might write into a field, sound or not.
fn any_value(dice: &mut Dice, field: &str, all: &[(String, Value)]) -> Value {
    let todos: Vec<&str> = all.iter().filter_map(|(_, document)| document["todo_id"].as_str()).collect();
    let todo = if todos.is_empty() { "step-0-k0" } else { todos[dice.below(todos.len())] };
    let act = || json!({ "by": "maya", "actor_class": "owner", "at": "2026-03-07T16:00:00Z", "reason": "looks right" });
    match field {
        "status" => json!(dice.pick(&["open", "done", "blocked", "deferred", "active", "paused", "completed"])),
        "blocks" => [json!("none"), json!([todo]), Value::Null][dice.below(3)].clone(),
        "after" => [json!([todo]), Value::Null][dice.below(2)].clone(),
        "task_class" => json!(dice.pick(&["advancement_task", "user_gate", "user_action", "continuous_monitor"])),
        "assignee" | "claimed_by" | "to_agent" | "from_agent" => json!(dice.pick(&[AGENT, "claude-review", "maya"])),
        "quota" => {
            json!({ "allowed_slots": dice.below(9), "compute": dice.pick(&["0", "1"]).parse::<f64>().unwrap_or(1.0) })
        }
        "boundary" => json!({ "write_scope": [dice.pick(&["**", "docs/ledger/**"])], "stop_condition": "Stop never" }),
        "agents" => json!({ AGENT: "anything", "worker-bench": "measures" }),
        "decision" => {
            let mut decision = act();
            decision["label"] = json!(dice.pick(&["approve", "reject", "defer"]));
            decision
        }
        "withdrawn" | "approved" => act(),
        "accepted" => json!({ "by": dice.pick(&[AGENT, "claude-review"]), "at": "2026-03-07T16:00:00Z" }),
        "requested" => json!({ "by": AGENT, "at": "2026-03-07T15:00:00Z" }),
        "revision" => json!(1 + dice.below(4)),
        "expires_at" | "next_due_at" | "done_at" => json!(dice.around(48)),
        "required_actor" => json!(dice.pick(&["user", "operator", "owner"])),
        "resume_when" => json!(format!("todo_done:{todo}")),
        "validation_command" => json!(["true"]),
        "write_scope" => json!(["services/ledger/**", "**"]),
        _ => json!("something else"),
    }
}

const FIELDS: [&str; 24] = [
    "status",
    "status",
    "blocks",
    "after",
    "after",
    "task_class",
    "assignee",
    "claimed_by",
    "to_agent",
    "quota",
    "boundary",
    "agents",
    "decision",
    "withdrawn",
    "approved",
    "accepted",
    "requested",
    "revision",
    "expires_at",
    "next_due_at",
    "required_actor",
    "resume_when",
    "validation_command",
    "title",
];

/// Edits anything of the goals, as an agent might that knows no rule.
fn tamper(files: &Files, dice: &mut Dice) -> Files {
    let mut changed = files.clone();
    if dice.percent(25) {
        end_a_wait(&mut changed, dice);
        return changed;
    }
    for _ in 0..1 + dice.below(3) {
        let all = documents(&changed);
        if all.is_empty() {
            return changed;
        }
        // Mostly what decides who may do what.
        let matters = |(path, _): &&(String, Value)| {
            ["/todos/", "/gates/", "/handoffs/", "/goal.yaml"].iter().any(|part| path.contains(part))
        };
        let few: Vec<&(String, Value)> = all.iter().filter(matters).collect();
        let (path, mut document) = match dice.percent(90) && !few.is_empty() {
            true => few[dice.below(few.len())].clone(),
            false => all[dice.below(all.len())].clone(),
        };
        match dice.below(10) {
            0 | 1 => drop(changed.remove(&path)),
            2 => {
                let field = dice.pick(&FIELDS);
                if let Some(fields) = document.as_object_mut() {
                    fields.remove(field);
                }
                put(&mut changed, &path, &document);
            }
            3 => add_todo(&mut changed, dice),
            _ => {
                let known: Vec<String> =
                    document.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default();
                let field = match dice.percent(50) || known.is_empty() {
                    true => dice.pick(&FIELDS).to_owned(),
                    false => known[dice.below(known.len())].clone(),
                };
                if ["schema_version", "goal_id"].contains(&field.as_str()) {
                    continue;
                }
                let value = any_value(dice, &field, &all);
                if field == "status" && value == "done" {
                    document["done_at"] = json!("2026-03-07T16:30:00Z");
                }
                match (value, document.as_object_mut()) {
                    (Value::Null, Some(fields)) => drop(fields.remove(&field)),
                    (value, _) => document[field.as_str()] = value,
                }
                put(&mut changed, &path, &document);
            }
        }
    }
    changed
}

/// Ends a wait for a person, and does nothing else.
fn end_a_wait(files: &mut Files, dice: &mut Dice) {
    let judged = judge(&MemoryFiles::new(files.clone()), Generated::now());
    let waits: Vec<GoalDocumentKey> = standing_of(&judged, Generated::now()).waits.into_iter().collect();
    let Some((goal, kind, id)) = waits.get(dice.below(waits.len())) else { return };
    let folder = if *kind == Kind::Gate { "gates" } else { "todos" };
    let path = format!("goals/{goal}/{folder}/{id}.yaml");
    let document = documents(files).into_iter().find(|(known, _)| *known == path);
    match (document, dice.below(3)) {
        (Some((_, mut document)), 1) if *kind == Kind::Todo => {
            document["status"] = json!("blocked");
            put(files, &path, &document);
        }
        (Some((_, mut document)), 2) if *kind == Kind::Todo => {
            document["task_class"] = json!("advancement_task");
            put(files, &path, &document);
        }
        _ => drop(files.remove(&path)),
    }
}

fn goals(files: &Files) -> Vec<String> {
    let of = |path: &String| Some(path.strip_prefix("goals/")?.strip_suffix("/goal.yaml")?.to_owned());
    files.keys().filter_map(of).collect()
}

fn add_todo(files: &mut Files, dice: &mut Dice) {
    let goals = goals(files);
    let Some(goal) = goals.get(dice.below(goals.len())) else { return };
    let id = format!("new-{}", dice.below(1000));
    let mut document = json!({
        "schema_version": "loopx_todo_v0", "goal_id": goal, "todo_id": id, "title": "Look at it once more",
        "task_class": "advancement_task",
    });
    if dice.percent(60) {
        document["assignee"] = json!(AGENT);
    }
    put(files, &format!("goals/{goal}/todos/{id}.yaml"), &document);
}

/// What an agent does every day, on what it may: adds, finishes, claims and defers its todos, accepts its handoffs, and
/// asks for more.
fn work(files: &Files, dice: &mut Dice) -> Files {
    let mut changed = files.clone();
    for _ in 0..1 + dice.below(3) {
        let judged = judge(&MemoryFiles::new(changed.clone()), Generated::now());
        let standing = standing_of(&judged, Generated::now());
        let is_own = |agents: &BTreeSet<Id>| agents.iter().any(|agent| agent == AGENT);
        let own: Vec<(Id, Id)> =
            standing.finishable.iter().filter(|(_, agents)| is_own(agents)).map(|(key, _)| key.clone()).collect();
        let all = documents(&changed);
        let find = |goal: &Id, kind: &str, id: &Id| {
            let path = format!("goals/{goal}/{kind}/{id}.yaml");
            all.iter().find(|(known, _)| *known == path).cloned()
        };
        match dice.below(6) {
            0 => add_todo(&mut changed, dice),
            1 => {
                let acceptable = standing.acceptable.iter().filter_map(|(goal, id)| find(goal, "handoffs", id));
                let mut own = acceptable.filter(|(_, document)| document["to_agent"] == AGENT);
                if let Some((path, mut document)) = own.next() {
                    document["accepted"] = json!({ "by": AGENT, "at": "2026-03-07T16:00:00Z" });
                    put(&mut changed, &path, &document);
                }
            }
            2 => ask(&mut changed, dice),
            what if !own.is_empty() => {
                let (goal, todo) = &own[dice.below(own.len())];
                let Some((path, mut document)) = find(goal, "todos", todo) else { continue };
                match what {
                    3 => {
                        document["status"] = json!("done");
                        document["done_at"] = json!("2026-03-07T16:30:00Z");
                    }
                    4 => {
                        document["status"] = json!("deferred");
                        document["resume_when"] = json!("pr_merged:acme/ledger#41");
                    }
                    _ if document["claimed_by"].is_null() => document["claimed_by"] = json!(AGENT),
                    _ => document["evidence"] = json!(["out-more"]),
                }
                put(&mut changed, &path, &document);
            }
            _ => {}
        }
    }
    changed
}

/// Asks a question about one's own work.
fn ask(files: &mut Files, dice: &mut Dice) {
    let goals = goals(files);
    let Some(goal) = goals.get(dice.below(goals.len())) else { return };
    let id = format!("ask-{}", dice.below(1000));
    let gate = json!({
        "schema_version": "operator_gate_v0", "goal_id": goal, "gate_id": id, "question": "May I look at it once more?",
        "required_actor": "owner", "requested": { "by": AGENT, "at": "2026-03-07T15:00:00Z" },
    });
    put(files, &format!("goals/{goal}/gates/{id}.yaml"), &gate);
}

/// Whatever an agent commits, a review refuses what opens more than people allowed, and what ends a wait for a person.
#[test]
fn an_agent_opens_nothing_by_itself() {
    let (mut opened, mut ended, mut passed) = (0, 0, 0);
    for (seed, base) in drawn() {
        let mut dice = Dice::new(seed ^ 0x10);
        let changed = tamper(base, &mut dice);
        let case = Case::new(base, &changed);
        let oracle = Oracle::new(&case);
        let (wider, over) = (oracle.widened(), oracle.ended());
        let review = case.review();
        assert!(
            review.is_refused() || wider.is_empty(),
            "seed {seed} opens {wider:#?}\n{}",
            differences(base, &changed)
        );
        assert!(review.is_refused() || over.is_empty(), "seed {seed} ends {over:?}\n{}", differences(base, &changed));
        let early = oracle.finished();
        assert!(
            review.is_refused() || early.is_empty(),
            "seed {seed} finishes {early:?}\n{}",
            differences(base, &changed)
        );
        opened += usize::from(!wider.is_empty());
        ended += usize::from(!over.is_empty());
        passed += usize::from(!review.is_refused());
    }
    let least = usize::try_from(cases() / 50).expect("a count");
    assert!(opened >= least && ended >= least && passed >= least, "{opened} open, {ended} end waits, {passed} pass");
}

/// What agents do every day is never refused.
#[test]
fn daily_work_is_never_refused() {
    let (mut done, mut started) = (0, 0);
    for (seed, base) in drawn() {
        let mut dice = Dice::new(seed ^ 0x20);
        let changed = work(base, &mut dice);
        let case = Case::new(base, &changed);
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
