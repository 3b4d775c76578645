//! What an agent might commit: anything at all, the moves that holes were found with, and what it does every day.

use std::collections::BTreeSet;

use loopx::document::to_yaml;
use loopx::reconcile::GoalDocumentKey;
use loopx::rules::judge;
use loopx::vocabulary::{Effect, Id, Kind, receipt_path};
use loopx::workspace::MemoryFiles;
use serde_json::{Value, json};

use super::{AGENT, Files, standing_of};
use crate::generator::{Dice, Generated};

/// Every document of a goal, as plain data.
pub(super) fn documents(files: &Files) -> Vec<(String, Value)> {
    let of_goals = files.iter().filter(|(path, _)| path.starts_with("goals/"));
    let parsed = of_goals.filter_map(|(path, bytes)| Some((path.clone(), serde_yaml::from_slice(bytes).ok()?)));
    parsed.filter(|(_, value): &(String, Value)| value.is_object()).collect()
}

pub(super) fn put(files: &mut Files, path: &str, document: &Value) {
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
        "watch_only" => json!(dice.percent(50)),
        "write_scope" => json!(["services/ledger/**", "**"]),
        _ => json!("something else"),
    }
}

const FIELDS: [&str; 25] = [
    "watch_only",
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

/// Anything of the goals, as an agent might change it that knows no rule.
pub(super) fn tamper(files: &Files, dice: &mut Dice) -> Files {
    let mut changed = files.clone();
    match dice.below(20) {
        0..5 => end_a_wait(&mut changed, dice),
        5..11 => one_move(&mut changed, dice),
        _ => edit_anything(&mut changed, dice),
    }
    changed
}

/// One small step, such as a review may accept.
pub(super) fn nudge(files: &Files, dice: &mut Dice) -> Files {
    let mut changed = files.clone();
    one_move(&mut changed, dice);
    changed
}

/// A move that a hole was found with, or that is close to one.
fn one_move(files: &mut Files, dice: &mut Dice) {
    match dice.below(8) {
        0 | 1 => ask_again(files, dice),
        2 => void_a_spend(files, dice),
        3 => edit_one(files, dice, "/gates/", &["blocks", "required_actor", "expires_at"]),
        4 => edit_one(files, dice, "/handoffs/", &["write_scope", "expires_at", "withdrawn", "stop_condition"]),
        _ => edit_one(
            files,
            dice,
            "/todos/",
            &[
                "after",
                "assignee",
                "claimed_by",
                "status",
                "resume_when",
                "next_due_at",
                "watch_only",
                "title",
                "task_class",
            ],
        ),
    }
}

/// Edits one field of one document of a kind, or takes it away.
fn edit_one(files: &mut Files, dice: &mut Dice, kind: &str, fields: &[&str]) {
    let all = documents(files);
    let of_kind: Vec<&(String, Value)> = all.iter().filter(|(path, _)| path.contains(kind)).collect();
    let Some((path, document)) = of_kind.get(dice.below(of_kind.len())).copied() else { return };
    let (mut document, field) = (document.clone(), dice.pick(fields));
    let value = if dice.percent(40) { Value::Null } else { any_value(dice, field, &all) };
    if field == "status" && value != "done" {
        document.as_object_mut().map(|fields| fields.remove("done_at"));
    }
    set(&mut document, field, value);
    put(files, path, &document);
}

/// Writes a field, or takes it away.
fn set(document: &mut Value, field: &str, value: Value) {
    if field == "status" && value == "done" {
        document["done_at"] = json!("2026-03-07T16:30:00Z");
    }
    match (value, document.as_object_mut()) {
        (Value::Null, Some(fields)) => drop(fields.remove(field)),
        (value, _) => document[field] = value,
    }
}

/// Raises the revision of a gate, and perhaps asks about something else, or somebody else, or rewords the work.
fn ask_again(files: &mut Files, dice: &mut Dice) {
    let all = documents(files);
    let gates: Vec<&(String, Value)> = all.iter().filter(|(path, _)| path.contains("/gates/")).collect();
    let Some((path, gate)) = gates.get(dice.below(gates.len())).copied() else { return };
    let mut gate = asked_again(gate);
    for field in ["blocks", "required_actor"] {
        if dice.percent(40) {
            let value = any_value(dice, field, &all);
            set(&mut gate, field, value);
        }
    }
    put(files, path, &gate);
    if dice.percent(30) {
        edit_one(files, dice, "/todos/", &["title", "after", "assignee"]);
    }
}

/// The same gate, asked again about the same work.
fn asked_again(gate: &Value) -> Value {
    let mut gate = gate.clone();
    gate["revision"] = json!(1 + gate["revision"].as_u64().unwrap_or(1));
    gate["requested"] = json!({ "by": AGENT, "at": "2026-03-07T15:00:00Z" });
    for field in ["decision", "withdrawn", "expires_at"] {
        set(&mut gate, field, Value::Null);
    }
    gate
}

/// A receipt of a spend, or of one that is taken back.
fn account(files: &mut Files, dice: &mut Dice, is_void: bool) {
    let goals = goals(files);
    let Some(goal) = goals.get(dice.below(goals.len())) else { return };
    let spend = format!("eff-{}", dice.below(1000));
    let (class, effect) = match is_void {
        true => ("quota_void", Effect::QuotaVoid(goal, &spend)),
        false => ("quota_spend", Effect::QuotaSpend(goal, &spend)),
    };
    let run = effect.run_id();
    let receipt = json!({
        "schema_version": "loopx_run_receipt_v0", "goal_id": goal, "run_id": run, "effect_key": effect.key(),
        "event_class": class, "source": { "kind": "turn", "id": spend, "digest": "ab".repeat(32) },
        "result": { "status": "applied" }, "actor_class": "agent", "agent_id": AGENT, "at": "2026-03-07T16:00:00Z",
    });
    put(files, &receipt_path(goal, run.as_str()), &receipt);
}

fn void_a_spend(files: &mut Files, dice: &mut Dice) {
    account(files, dice, true);
}

/// Edits anything of the goals, several times.
fn edit_anything(changed: &mut Files, dice: &mut Dice) {
    for _ in 0..1 + dice.below(3) {
        let all = documents(changed);
        if all.is_empty() {
            return;
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
                put(changed, &path, &document);
            }
            3 => add_todo(changed, dice),
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
                set(&mut document, &field, value);
                put(changed, &path, &document);
            }
        }
    }
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

pub(super) fn goals(files: &Files) -> Vec<String> {
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
pub(super) fn work(files: &Files, dice: &mut Dice) -> Files {
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
        match dice.below(9) {
            0 => add_todo(&mut changed, dice),
            6 => account(&mut changed, dice, false),
            7 => {
                let gates: Vec<&(String, Value)> = all.iter().filter(|(path, _)| path.contains("/gates/")).collect();
                if let Some((path, gate)) = gates.get(dice.below(gates.len())) {
                    put(&mut changed, path, &asked_again(gate));
                }
            }
            8 => look_later(&mut changed, &all),
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

/// Lets the monitors look later, and look only.
fn look_later(files: &mut Files, all: &[(String, Value)]) {
    for (path, document) in all.iter().filter(|(_, document)| document["task_class"] == "continuous_monitor") {
        let mut later = document.clone();
        (later["next_due_at"], later["watch_only"]) = (json!("2026-04-01T09:00:00Z"), json!(true));
        put(files, path, &later);
    }
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
