//! The vectors of contract 5 that speak of turns, quotas and timers, and of contract 1's status layer: each case passes,
//! or stands in `departures.json`.

use std::collections::{BTreeMap, BTreeSet};

use loopx::app::{Records, world};
use loopx::privacy::Wall;
use loopx::project::readonly_projection;
use loopx::reconcile::agent_views;
use loopx::turn::{
    Ack, AckState, BackoffHint, DecidedTurn, HostSchedule, Situation, StopCause, Timer, TurnHistory, TurnInput,
    acknowledge, after_limit, capped, host_named, host_of, interval_of, normalized_rrule, packet, pending_steps, rrule,
    situation, timer,
};
use loopx::vocabulary::readonly::Waiting;
use loopx::vocabulary::{
    CadenceClass, ClosedWords, Duration, Facts, HostSurface, Instant, Quota, Receipt, Todo, TurnDecision, TurnMode,
    WaitingOn,
};
use loopx::workspace::MemoryFiles;
use serde_json::{Map, Value, json};

use crate::host_commands::AREAS;
use crate::vectors::{Departures, load};

const NOW: &str = "2026-01-01T12:00:00Z";

fn instant(value: &Value) -> Option<Instant> {
    Instant::parse(value.as_str()?)
}

fn now() -> Instant {
    Instant::parse(NOW).expect("an instant")
}

/// What this program says of a case, by the names of the vectors; `None`: no adapter speaks of it.
fn answer(case: &Value) -> Option<Value> {
    let input = &case["input"];
    match case["area"].as_str()? {
        "quota_state" => Some(quota_state(input)),
        "quota_ledger" => Some(quota_ledger(input)),
        "work_lane" => work_lane(input),
        "should_run_cli" => should_run(case["id"].as_str()?),
        "cadence" => Some(json!({ "seconds": input.as_str().and_then(cadence) })),
        "rrule" => {
            let rule = input.as_str().unwrap_or_default();
            Some(json!({ "normalized": normalized_rrule(rule), "interval_minutes": interval_of(rule) }))
        }
        "monitor_wait" => Some(monitor_wait(input)),
        "execution_context" => Some(context(input)),
        "arbitration" => disposition(&input["interaction_contract"]),
        "scheduler_hint" => hinted(input, input["profile"].as_str().and_then(host_named)),
        "scheduler_state" => scheduler_state(input),
        "scheduler_ack" => Some(scheduler_ack(input)),
        "session_projection" => Some(session_projection(input)),
        _ => None,
    }
}

/// What contract 1's builder makes of summaries.
fn session_projection(input: &Value) -> Value {
    // The cases leave the goal out, which a summary names.
    let mut input = input.clone();
    input["goal_id"] = json!("g");
    let built = readonly_projection(&input, Wall::shipped()).expect("compact summaries");
    let built = serde_json::to_value(built).expect("is JSON");
    json!({
        "first_screen": built["first_screen"],
        "work_lane_contract": built["work_lane_contract"],
        "raw_material_detected": built["boundary"]["raw_material_detected"],
        "raw_material_key_names": built["boundary"]["raw_material_key_names"],
    })
}

/// A cadence as documents write it: the shape refuses what stands for no time.
fn cadence(text: &str) -> Option<u64> {
    let pattern = regex::Regex::new(loopx::vocabulary::DURATION_PATTERN).expect("a pattern");
    pattern.is_match(text).then(|| Duration::parse(text).map(Duration::as_seconds))?
}

fn quota_state(input: &Value) -> Value {
    let given = &input["goal"]["quota"];
    let spent = given["spent_slots"].as_u64().unwrap_or(0);
    let mut stated = given.as_object().cloned().unwrap_or_default();
    stated.remove("spent_slots");
    let quota: Quota = serde_json::from_value(Value::Object(stated)).expect("a quota");
    let allowed = quota.allowed_slots_in_window();
    let waiting = input["waiting_on"].as_str();
    let it = Situation {
        stop: (quota.compute <= 0.0).then_some(StopCause::QuotaZero),
        is_unhealthy: input["severity"] == json!("high"),
        waits_for_person: matches!(waiting, Some("controller" | "user_or_controller")),
        waits_for_evidence: waiting == Some("external_evidence"),
        is_exhausted: spent >= allowed,
        has_open_todo: waiting == Some("codex"),
        ..Situation::default()
    };
    json!({
        "state": it.state(),
        "pause_cause": it.pause_cause(),
        "compute": quota.compute,
        "window_hours": quota.window_hours,
        "slot_minutes": quota.slot_minutes,
        "allowed_slots": allowed,
        "spent_slots": spent,
    })
}

/// A goal of one agent with todos and receipts, in memory.
struct Case {
    files: BTreeMap<String, Vec<u8>>,
    receipts: Vec<Receipt>,
    history: TurnHistory,
}

impl Case {
    fn new(quota: &str) -> Self {
        let goal = format!(
            "schema_version: loopx_goal_v0\ngoal_id: g\nobjective: Reach it\nowner: maya\nagents: {{ agent-a: works }}\n\
             boundary: {{ write_scope: [src/**], stop_condition: stop }}\n{quota}"
        );
        let files = BTreeMap::from([
            ("loopx.yaml".to_owned(), b"schema_version: loopx_workspace_v0\n".to_vec()),
            ("goals/g/goal.yaml".to_owned(), goal.into_bytes()),
        ]);
        Self { files, receipts: Vec::new(), history: TurnHistory::default() }
    }

    fn todo(mut self, id: &str, class: &str, more: &str) -> Self {
        let text = format!(
            "schema_version: loopx_todo_v0\ngoal_id: g\ntodo_id: {id}\ntitle: Work on it\ntask_class: {class}\n{more}"
        );
        self.files.insert(format!("goals/g/todos/{id}.yaml"), text.into_bytes());
        self
    }

    fn gate(mut self) -> Self {
        let text = "schema_version: operator_gate_v0\ngoal_id: g\ngate_id: gate\nquestion: May it go on?\n\
                    required_actor: owner\nblocks: [a1]\nrequested: { by: agent-a, at: 2025-12-31T12:00:00Z }\n";
        self.files.insert("goals/g/gates/gate.yaml".to_owned(), text.into());
        self
    }

    fn spent(mut self, goal: &str, number: usize, at: &str) -> Self {
        self.receipts.push(super::spend_receipt_of(goal, number, at));
        self
    }

    fn failed(mut self, times: usize) -> Self {
        for number in 0..times {
            self.history.add_turn(super::failed_turn("a1", number), loopx::turn::Places::default());
        }
        self
    }

    /// Gives what a turn is decided from to a function.
    fn with<T>(&self, as_of: Instant, function: impl FnOnce(&TurnInput<'_>) -> T) -> T {
        let workspace = loopx::rules::open(&MemoryFiles::new(self.files.clone()), as_of);
        let records = Records::of(self.receipts.iter().cloned());
        let views = agent_views(&world(&workspace, &records), &workspace.wall, as_of, "agent-a");
        let todo_here = |_: &str| -> Option<&Todo> { None };
        let facts_here = |_: &str| -> Option<&Facts> { None };
        function(&TurnInput {
            view: views.first().expect("the goal lists the agent"),
            history: &self.history,
            wall: &workspace.wall,
            as_of,
            session: None,
            todo_here: &todo_here,
            facts_here: &facts_here,
            has_repository: false,
            prefix: "",
            host: None,
            cursor: None,
            others: &[],
            notes: &[],
        })
    }

    fn decide(&self) -> (Situation, DecidedTurn, Timer) {
        self.with(now(), |input| {
            let situation = situation(input, &pending_steps(input));
            let decided = DecidedTurn::of(&situation);
            let timer = timer(&input.host_schedule(&situation, decided, Some(HostSurface::CodexApp)));
            (situation, decided, timer)
        })
    }
}

fn quota_ledger(input: &Value) -> Value {
    let at = instant(&input["now"]).expect("an instant");
    let mut case = Case::new("quota: {}\n");
    let mut number = 0;
    for run in input["runs"].as_array().expect("runs") {
        for _ in 0..run["quota_event"]["slots"].as_u64().expect("slots") {
            number += 1;
            let goal = run["goal_id"].as_str().expect("a goal");
            case = case.spent(goal, number, run["generated_at"].as_str().expect("an instant"));
        }
    }
    let quota = case.with(at, |input| packet(input).quota).expect("a quota");
    json!({ "spent_slots": quota.spent, "allowed_slots": quota.allowed })
}

fn work_lane(input: &Value) -> Option<Value> {
    let mut case = Case::new("");
    let is = |name: &str| input[name] == json!(true);
    let priority = |item: &Value| format!("priority: {}\n", item["priority"].as_str().unwrap_or("P1"));
    if let Some(first) = input.get("first_advancement") {
        case = case.todo("a1", "advancement_task", &priority(first));
    }
    let open_monitors = input["todo_counts"]["monitor"].as_u64().unwrap_or(0);
    let due = input["due_monitor_items"].as_array().and_then(|items| items.first());
    let attempted = is("monitor_attempt_already_recorded");
    match due {
        Some(item) if !attempted => {
            let more = format!("{}cadence: 1h\nnext_due_at: 2026-01-01T11:55:00Z\n", priority(item));
            case = case.todo("m1", "continuous_monitor", &more);
        }
        _ if open_monitors > 0 => {
            case = case.todo("m1", "continuous_monitor", "cadence: 1h\nnext_due_at: 2026-01-01T17:00:00Z\n");
        }
        _ => {}
    }
    if input["outcome_followthrough"]["required"] == json!(true) {
        case = case.failed(3);
    }
    let (situation, decided, _) = case.decide();
    let todo = case.with(now(), |input| input.view.todo.as_ref().map(|todo| todo.todo_id.to_string()));
    if todo.is_none() && decided.obligation.is_none() {
        return Some(Value::Null);
    }
    let is_monitor = decided.lane.map(ClosedWords::word) == Some("continuous_monitor");
    let mut said = json!({
        "lane": decided.lane,
        "obligation": decided.obligation,
        "must_attempt_work": situation.is_runnable,
    });
    if is_monitor && situation.is_runnable {
        said["selected_todo_id"] = json!(todo);
    }
    Some(said)
}

fn should_run(id: &str) -> Option<Value> {
    let open = |case: Case| case.todo("a1", "advancement_task", "");
    let done = "status: done\ndone_at: 2025-12-31T12:00:00Z\n";
    let monitor = |due: &str| format!("cadence: 1h\nexpires_at: 2026-02-01T00:00:00Z\nnext_due_at: {due}\n");
    let later = "2026-01-01T17:00:00Z";
    let case = match id {
        "should_run_cli-02" | "should_run_cli-03" => open(Case::new("")).gate(),
        "should_run_cli-04" => open(Case::new("")),
        "should_run_cli-08" => open(Case::new("quota: { allowed_slots: 1 }\n")).spent("g", 1, "2026-01-01T11:00:00Z"),
        "should_run_cli-12" => open(Case::new("")).todo("m1", "continuous_monitor", &monitor(later)),
        "should_run_cli-13" => {
            Case::new("").todo("a1", "advancement_task", done).todo("m1", "continuous_monitor", &monitor(later))
        }
        "should_run_cli-14" => Case::new("").todo("m1", "continuous_monitor", &monitor("2026-01-01T11:00:00Z")),
        "should_run_cli-15" => open(Case::new("quota: { compute: 0 }\n")),
        _ => return None,
    };
    let (situation, decided, timer) = case.decide();
    let state = (id == "should_run_cli-03").then(|| AckState {
        reset_token: timer.token.clone(),
        progression_index: 0,
        last_applied_rrule: Some(rrule(30)),
        updated_at: now(),
        host_update_failures: Vec::new(),
    });
    let hint = BackoffHint::of(&timer, state.as_ref(), None, now());
    let asks = decided.decision == TurnDecision::Ask || decided.mode == TurnMode::ScopedUserGateFallback;
    Some(json!({
        "should_run": decided.channels.must_attempt,
        "state": situation.state(),
        "mode": decided.mode,
        "user_action_required": asks,
        "notify": decided.channels.notify(),
        "agent": {
            "must_attempt": decided.channels.must_attempt,
            "delivery_allowed": decided.channels.delivery_allowed,
            "quiet_noop_allowed": decided.channels.quiet_noop,
        },
        "work_lane_obligation": decided.obligation,
        "scheduler": {
            "action": timer.action,
            "cadence_class": timer.class,
            "reason_code": timer.reason_code,
        },
        "recommended_rrule": hint.recommended_rrule(),
    }))
}

fn monitor_wait(input: &Value) -> Value {
    let monitor = &input["monitor"];
    let at = instant(&input["now"]).expect("an instant");
    let is_over = instant(&monitor["expires_at"]).is_some_and(|expires| at >= expires);
    let minutes = |due: Instant| u32::try_from(due.since(at).as_seconds().div_ceil(60)).expect("minutes");
    let due = instant(&monitor["next_due_at"]).map(minutes);
    let often =
        monitor["cadence"].as_str().and_then(cadence).map(|seconds| u32::try_from(seconds / 60).expect("short"));
    let cap = due.or(often).filter(|_| !is_over);
    json!({ "cap_minutes": cap, "progression_minutes": cap.map(|cap| capped(&[15, 30, 60], cap)) })
}

fn context(input: &Value) -> Value {
    let word = |name: &str| input[name].as_str().unwrap_or_default();
    let host = host_of(word("host_surface"), word("scheduler_owner"), word("execution_mode"));
    json!({ "valid": host.is_ok(), "codex_app_applicable": host == Ok(HostSurface::CodexApp) })
}

/// A mode of the vectors as a decision of ours.
fn decision(mode: &str) -> Option<(TurnDecision, TurnMode)> {
    Some(match mode {
        "bounded_delivery" | "monitor_due" => (TurnDecision::Work, TurnMode::BoundedDelivery),
        "scoped_user_gate_fallback" => (TurnDecision::Work, TurnMode::ScopedUserGateFallback),
        "user_gate" => (TurnDecision::Ask, TurnMode::UserGate),
        "monitor_quiet_skip" => (TurnDecision::Wait, TurnMode::MonitorQuietSkip),
        "mapped_noop_if_unchanged" => (TurnDecision::Wait, TurnMode::ExternalEvidenceObservation),
        "reassignment_required" => (TurnDecision::Wait, TurnMode::ReassignmentRequired),
        "quota_throttle" => (TurnDecision::Wait, TurnMode::QuotaThrottled),
        "successor_replan_required" => (TurnDecision::Replan, TurnMode::AutonomousReplan),
        _ => return None,
    })
}

fn timer_of(contract: &Value, host: Option<HostSurface>) -> Option<Timer> {
    let (decision, mode) = decision(contract["mode"].as_str()?)?;
    Some(timer(&HostSchedule {
        host,
        goal_id: "g",
        agent_id: "agent-a",
        decision,
        mode,
        stop: None,
        next_action: "do x",
        next_due_at: None,
        as_of: now(),
    }))
}

fn disposition(contract: &Value) -> Option<Value> {
    let timer = timer_of(contract, Some(HostSurface::CodexApp))?;
    let disposition = match timer.class {
        CadenceClass::UnchangedNoop => "unchanged_wait",
        class => class.word(),
    };
    Some(json!({ "disposition": disposition, "reason_code": timer.reason_code, "errors": [] }))
}

fn said(timer: &Timer, hint: &BackoffHint, host: Option<HostSurface>) -> Value {
    let is_app = host == Some(HostSurface::CodexApp);
    let mut said = json!({
        "action": timer.action,
        "cadence_class": timer.class,
        "reason_code": timer.reason_code,
        "applicability": match host {
            Some(_) if is_app => "applicable",
            Some(_) => "not_applicable",
            None => "blocked_invalid_context",
        },
        "host_action": if is_app { hint.host_action } else { "none" },
        "final_check": timer.limit.is_some(),
    });
    if is_app {
        let more = json!({
            "recommended_interval_minutes": hint.interval,
            "progression_minutes": timer.progression,
            "apply_needed": hint.apply_needed,
            "ack_needed": hint.ack_needed,
            "state_status": hint.state_status,
            "progression_index": hint.index,
        });
        said.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        said["recommended_rrule"] = json!(hint.recommended_rrule());
    }
    let hosts = [
        ("local_scheduler", HostSurface::LocalScheduler),
        ("codex_cli_tui", HostSurface::CodexCli),
        ("claude_code_loop", HostSurface::ClaudeCode),
        ("codex_app_ssh_goal", HostSurface::CodexAppSsh),
    ];
    let word = |host| after_limit(Some(host), timer.limit.is_some(), timer.progression.is_empty());
    said["limits"] = hosts.iter().map(|(name, _)| ((*name).to_owned(), json!(timer.limit))).collect();
    said["after_limits"] = hosts.iter().map(|(name, host)| ((*name).to_owned(), json!(word(*host)))).collect();
    said
}

fn hinted(input: &Value, host: Option<HostSurface>) -> Option<Value> {
    let timer = timer_of(&input["interaction_contract"], host)?;
    Some(said(&timer, &BackoffHint::of(&timer, None, None, now()), host))
}

fn human_gate() -> Timer {
    timer_of(&json!({ "mode": "user_gate" }), Some(HostSurface::CodexApp)).expect("a mode")
}

fn state(value: &Value, token: &str) -> Option<AckState> {
    let mut value = value.as_object()?.clone();
    if value["reset_token"] == json!("<current>") {
        value.insert("reset_token".to_owned(), json!(token));
    }
    Some(serde_json::from_value(Value::Object(value)).expect("a state"))
}

fn scheduler_state(input: &Value) -> Option<Value> {
    if input.get("rec_a").is_some() {
        let token = |action: &str| {
            timer(&HostSchedule {
                host: Some(HostSurface::CodexApp),
                goal_id: "g",
                agent_id: "agent-a",
                decision: TurnDecision::Ask,
                mode: TurnMode::UserGate,
                stop: None,
                next_action: action,
                next_due_at: None,
                as_of: now(),
            })
            .token
        };
        let words = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
        return Some(json!({ "token_equal": token(&words("rec_a")) == token(&words("rec_b")) }));
    }
    let timer = human_gate();
    let state = state(&input["state"], &timer.token);
    let hint = BackoffHint::of(&timer, state.as_ref(), input["observed_host_rrule"].as_str(), instant(&input["now"])?);
    Some(said(&timer, &hint, Some(HostSurface::CodexApp)))
}

fn scheduler_ack(input: &Value) -> Value {
    let mut timer = human_gate();
    if input["hint"].as_str().is_some_and(|hint| hint.contains("stop hint")) {
        timer.progression.clear();
    }
    let hint = BackoffHint::of(&timer, None, None, now());
    let word = |name: &str| input["args"][name].as_str();
    if word("agent_id").is_none() {
        // The command line asks for it.
        return json!({ "ok": false });
    }
    let (applied_rrule, reset_token) = (word("applied_rrule"), word("reset_token"));
    let ack = Ack { applied_rrule, reset_token, state_key: word("state_key") };
    match acknowledge(&timer, &hint, ack, "key", now()) {
        Ok(state) => json!({
            "ok": true,
            "already_applied": state.is_none(),
            "applied_rrule": applied_rrule.map(normalized_rrule),
        }),
        Err(_) => json!({ "ok": false }),
    }
}

/// What a case expects that differs from what is said; prose is not compared.
fn differences(expected: &Value, said: &Value) -> Map<String, Value> {
    let mut differences = Map::new();
    let (Some(expected), Some(said)) = (expected.as_object(), said.as_object()) else {
        if expected != said {
            differences.insert(String::new(), said.clone());
        }
        return differences;
    };
    for (field, wanted) in expected.iter().filter(|(field, _)| *field != "reason") {
        let found = said.get(field).cloned().unwrap_or(Value::Null);
        let is_same = match (wanted, &found) {
            // Contract 5 lists one host less where there is no limit.
            (Value::Object(wanted), Value::Object(found)) => {
                wanted.iter().all(|(name, value)| found.get(name) == Some(value))
            }
            (wanted, found) => wanted == found,
        };
        if !is_same {
            differences.insert(field.clone(), found);
        }
    }
    differences
}

#[test]
fn each_case_of_hosts_passes_or_departs_as_listed() {
    let is_ours = |area: &str| !AREAS.contains(&area);
    let cases: Vec<Value> = load("hosts.json");
    let mut departures = Departures::of("hosts.json").only(is_ours);
    let (mut wrong, mut passed, mut seen) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
    for case in cases.iter().filter(|case| case["area"].as_str().is_some_and(is_ours)) {
        let id = case["id"].as_str().expect("an id");
        assert!(seen.insert(id), "{id} is there twice");
        let instead = departures.take(id, &[]);
        let found = match answer(case) {
            None => Value::Null,
            Some(said) => Value::Object(differences(&case["expect"], &said)),
        };
        let is_pass = found == json!({});
        match (&instead, is_pass) {
            (None, true) => *passed.entry(case["area"].as_str().expect("an area")).or_insert(0) += 1,
            (None, false) => wrong.push(format!("{id}: {found}")),
            (Some(_), true) => wrong.push(format!("{id} passes and is listed")),
            (Some(listed), false) if *listed != found => wrong.push(format!("{id}: {found}, listed {listed}")),
            (Some(_), false) => {}
        }
    }
    departures.finish();
    assert!(wrong.is_empty(), "{}\npassed: {passed:?}", wrong.join("\n"));
}

#[test]
fn each_case_of_the_status_layer_departs_as_listed() {
    let cases: Vec<Value> = load("status_layer.json");
    let mut departures = Departures::of("status_layer.json");
    for case in &cases {
        let name = case["name"].as_str().expect("a name");
        let found = match case["fn"].as_str().expect("a function") {
            "session_runtime_status_waiting_on" => waiting_on(&case["input"]),
            "build_attention_queue (kept fields)" => queue(&case["input"]),
            _ => None,
        };
        let is_pass = found.as_ref() == Some(&case["expected"]);
        assert_eq!(departures.take(name, &[]).is_none(), is_pass, "{name}: {found:?} for {}", case["expected"]);
    }
    departures.finish();
}

/// A word of contract 1, as the status layer says it. `monitor_only` says the same as the word.
fn waiting_on(input: &Value) -> Option<Value> {
    let word = match Waiting::of(input["value"].as_str()?)?.screen() {
        WaitingOn::User | WaitingOn::Controller => "user_or_controller",
        WaitingOn::Agent => "codex",
        WaitingOn::None => "monitor_signal",
        other => other.word(),
    };
    Some(json!(word))
}

/// The queue of goals, each with a todo for its agent where its projection says so; a stopped goal is paused. What the
/// status layer calls the status and the source of a row are those of its projection.
fn queue(input: &Value) -> Option<Value> {
    let mut files = BTreeMap::from([("loopx.yaml".to_owned(), b"schema_version: loopx_workspace_v0\n".to_vec())]);
    let goals = input["history"]["goals"].as_array()?;
    if input["contract"]["ok"] != json!(true) || !input["global_registry"]["findings"].as_array()?.is_empty() {
        return None;
    }
    for goal in goals {
        let id = goal["id"].as_str()?;
        let status = if goal["activation_state"] == json!("stopped") { "paused" } else { "active" };
        let text = format!(
            "schema_version: loopx_goal_v0\ngoal_id: {id}\nobjective: Reach it\nowner: maya\nstatus: {status}\n\
             agents: {{ agent-a: works }}\nboundary: {{ write_scope: [src/**], stop_condition: stop }}\n"
        );
        files.insert(format!("goals/{id}/goal.yaml"), text.into_bytes());
        let text = format!(
            "schema_version: loopx_todo_v0\ngoal_id: {id}\ntodo_id: todo-{id}\ntitle: go\n\
             task_class: advancement_task\n"
        );
        files.insert(format!("goals/{id}/todos/todo-{id}.yaml"), text.into_bytes());
    }
    let workspace = loopx::rules::open(&MemoryFiles::new(files), now());
    let plan = loopx::reconcile::reconcile(&world(&workspace, &Records::default()), &workspace.wall, now());
    let active: Vec<_> = plan.attention.goals.iter().filter(|goal| goal.waiting_on != WaitingOn::None).collect();
    let items: Vec<Value> = active
        .iter()
        .map(|goal| {
            json!({
                "goal_id": goal.goal_id,
                "status": "session_runtime_advancement_task",
                "waiting_on": if goal.waiting_on == WaitingOn::Agent { "codex" } else { goal.waiting_on.word() },
                "severity": "action",
                "source": "session_runtime_projection",
            })
        })
        .collect();
    let of = |waiting: WaitingOn| active.iter().filter(|goal| goal.waiting_on == waiting).count();
    Some(json!({
        "available": true,
        "item_count": items.len(),
        "needs_user_or_controller": of(WaitingOn::User) + of(WaitingOn::Controller),
        "needs_controller": of(WaitingOn::Controller),
        "needs_codex": of(WaitingOn::Agent),
        "watching_external_evidence": of(WaitingOn::ExternalEvidence),
        "watching_monitor": 0,
        "items": items,
    }))
}

/// Every case has its name once; those that pass, but for fields that nothing here has, are as many as the design says.
#[test]
fn the_lists_hold_every_case_and_as_many_pass_as_are_counted() {
    let counted = |file: &str, key: &str, area: &dyn Fn(&Value) -> String| {
        let cases: Vec<Value> = load(file);
        let departures = Departures::of(file);
        let names: BTreeSet<&str> = cases.iter().map(|case| case[key].as_str().expect("a name")).collect();
        assert_eq!(names.len(), cases.len(), "a name of {file} is there twice");
        let listed: BTreeSet<&str> = departures.names().collect();
        let unknown: Vec<&&str> = listed.difference(&names).collect();
        assert!(unknown.is_empty(), "no such case of {file}: {unknown:?}");
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for case in &cases {
            let name = case[key].as_str().expect("a name");
            let count = counts.entry(area(case)).or_default();
            count.0 += usize::from(!listed.contains(name) || departures.but_for_fields.contains(name));
            count.1 += 1;
        }
        counts.into_iter().map(|(area, (passed, all))| format!("{area} {passed}/{all}")).collect::<Vec<_>>()
    };
    let hosts = counted("hosts.json", "id", &|case| case["area"].as_str().unwrap_or_default().to_owned());
    assert_eq!(
        hosts,
        [
            "acceptance 4/4",
            "arbitration 6/7",
            "cadence 9/9",
            "execution_context 4/5",
            "monitor_wait 6/6",
            "quota_ledger 5/5",
            "quota_state 12/13",
            "rrule 6/6",
            "scheduler_ack 8/8",
            "scheduler_hint 11/11",
            "scheduler_state 11/11",
            "session_projection 6/6",
            "should_run_cli 8/13",
            "slash_arguments 4/6",
            "slash_routing 11/11",
            "work_lane 7/11",
            "write_cli 8/10",
        ]
    );
    let layers = counted("status_layer.json", "name", &|case| {
        let name = case["name"].as_str().unwrap_or_default();
        name.split('_').next().unwrap_or_default().to_owned()
    });
    assert_eq!(layers, ["attention 0/11", "compact 0/18", "queue 2/6", "waiting 15/28"]);
}
