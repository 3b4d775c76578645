//! The documents of one directory. Every field of every kind is drawn sometimes, every word of every vocabulary too.

use std::collections::BTreeMap;

use loopx::reconcile::receipts;
use loopx::vocabulary::writeback::WriteClass;
use loopx::vocabulary::{
    ActorClass, AdmissionVerdict, ApprovalStatus, ArtifactStatus, Capability, ClosedWords, CommitVia, Effect,
    EventClass, EventKind, Gate, GateDecision, GoalStatus, Handoff, HostKind, HostSurface, Level, OutcomeKind,
    OutcomeStatus, Priority, ProposalType, Receipt, RequiredActor, Reward, RewardLabel, Rotation, RuntimeId,
    SessionMode, SessionStatus, Storage, TaskClass, TodoStatus, TransitionVerdict, WritebackMode, run_id, sha256,
};
use serde_json::{Map, Value, json};

use super::words::{PEOPLE, person, sentence};
use super::{Dice, Generated};

const AGENTS: [&str; 4] = ["codex-main", "claude-review", "worker-bench", "gemini-docs"];

fn maybe(
    dice: &mut Dice,
    percent: usize,
    object: &mut Map<String, Value>,
    key: &str,
    value: impl FnOnce(&mut Dice) -> Value,
) {
    if dice.percent(percent) {
        let value = value(dice);
        object.insert(key.to_owned(), value);
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// The settings, the policy and the hosts.
pub(super) fn workspace(generated: &mut Generated, dice: &mut Dice) {
    let mut settings = object(json!({ "schema_version": "loopx_workspace_v0" }));
    maybe(dice, 50, &mut settings, "workspace_id", |_| json!("ledger-team"));
    maybe(dice, 70, &mut settings, "facts", |dice| json!(dice.word::<Storage>()));
    maybe(dice, 50, &mut settings, "outputs", |dice| json!(dice.word::<Storage>()));
    maybe(dice, 40, &mut settings, "stale_after", |dice| json!(dice.pick(&["6h", "24h", "90m", "2d"])));
    if dice.percent(30) {
        settings.insert("stale_after".into(), json!({ "default": "24h", dice.word::<RuntimeId>(): "6h" }));
    }
    maybe(dice, 30, &mut settings, "handoff_ttl", |_| json!("48h"));
    maybe(dice, 30, &mut settings, "rotation", |dice| json!(dice.word::<Rotation>()));
    maybe(dice, 50, &mut settings, "commit", |dice| json!({ "via": dice.word::<CommitVia>() }));
    generated.put("loopx.yaml".into(), &Value::Object(settings));

    let mut actors = Map::new();
    for (name, class) in PEOPLE {
        if dice.percent(80) {
            actors.insert(name.into(), json!({ "class": class, "git": [format!("{name}@users.noreply.example")] }));
        }
    }
    actors.insert("codex-main".into(), json!({ "class": "agent" }));
    actors.insert("desk".into(), json!({ "class": dice.word::<ActorClass>() }));
    let level = dice.word::<Level>();
    let policy = json!({
        "schema_version": "loopx_policy_v0",
        "actors": actors,
        "rules": { "binding/mode-missing": level, "reference/fact-not-found": { "level": "note", "paths": { "goals/**": level } } },
        "privacy": { "ticket_prefixes": ["ACMEPAY"] },
        "transitions": [{ "actor_class": dice.word::<ActorClass>(), "kind": "operator_gate_v0", "verdict": dice.word::<TransitionVerdict>() }],
    });
    generated.put("policies/team.yaml".into(), &policy);

    let host = dice.word::<HostKind>();
    let mut admission = object(json!({
        "schema_version": "host_admission_v0", "host_kind": host, "mode": dice.word::<SessionMode>(),
    }));
    for row in 1..=9 {
        let verdict = dice.word::<AdmissionVerdict>();
        admission.insert(row.to_string(), json!({ "verdict": verdict, "evidence": sentence(dice, 30) }));
    }
    generated.put(format!("hosts/{host}/admission.yaml"), &Value::Object(admission));
    let mut plugin: Value =
        serde_json::from_str(include_str!("../../../fixtures/contracts/plugin.json")).expect("a sample");
    plugin["host_kind"] = json!(host);
    generated.put(format!("hosts/{host}/plugin.yaml"), &plugin);
}

/// Something that a host may be told about.
#[derive(Clone)]
struct Source {
    id: String,
    class: WriteClass,
    /// Its receipt, when it has one.
    run: String,
    /// The agent that it is for; empty: any.
    agent: String,
}

/// What the documents of one goal share.
struct Scene<'a> {
    generated: &'a mut Generated,
    dice: &'a mut Dice,
    goal: String,
    agents: Vec<&'static str>,
    todos: Vec<String>,
    outcomes: Vec<String>,
    /// What a host may be told about.
    sources: Vec<Source>,
    /// The sessions of agents, each with its runtime.
    sessions: BTreeMap<String, (String, &'static str)>,
    /// What all of its todos are, when they are all alike: `pull_request`, `quiet`, `person`; or where the
    /// gate of the first one stands: `approved`, `deferred`, `consumed`. Nothing else goes wrong then.
    mood: &'static str,
}

/// One goal with everything that belongs to it.
pub(super) fn goal(generated: &mut Generated, dice: &mut Dice, number: usize) {
    let count = dice.below(AGENTS.len());
    let mut scene = Scene {
        goal: format!("ledger-{number:05}"),
        agents: AGENTS[..count].to_vec(),
        todos: (0..3 + dice.below(3)).map(|todo| format!("step-{todo}-k{}", dice.below(9))).collect(),
        outcomes: (0..3).map(|outcome| format!("out-{outcome}-{}", dice.below(99))).collect(),
        sources: Vec::new(),
        sessions: BTreeMap::new(),
        mood: if dice.percent(60) {
            ""
        } else {
            dice.pick(&["pull_request", "quiet", "person", "approved", "deferred", "deferred", "deferred", "consumed"])
        },
        generated,
        dice,
    };
    scene.goal_document();
    for todo in 0..scene.todos.len() {
        scene.todo(todo);
    }
    let is_plain = scene.mood.is_empty();
    for gate in 0..1 + scene.dice.below(if is_plain { 3 } else { 1 }) {
        scene.gate(gate);
    }
    for handoff in 0..if is_plain { 1 + scene.dice.below(3) } else { 0 } {
        scene.handoff(handoff);
    }
    let rewards = scene.dice.below(3);
    for reward in 0..rewards {
        scene.reward(reward);
    }
    scene.proposal();
    scene.sessions();
    scene.memory();
    scene.runs();
    for request in 0..1 + scene.dice.below(4) {
        scene.writeback(request);
    }
    if is_plain {
        scene.go_wrong();
    }
}

impl Scene<'_> {
    fn put(&mut self, path: &str, document: Map<String, Value>) {
        let path = format!("goals/{}/{path}.yaml", self.goal);
        self.generated.put(path, &Value::Object(document));
    }

    fn agent(&mut self) -> &'static str {
        let unknown = self.mood.is_empty() && self.dice.percent(4);
        if unknown || self.agents.is_empty() { "stranger-7" } else { self.agents[self.dice.below(self.agents.len())] }
    }

    fn todo_id(&mut self) -> String {
        self.todos[self.dice.below(self.todos.len())].clone()
    }

    fn evidence(&mut self) -> Value {
        json!([self.outcomes[self.dice.below(self.outcomes.len())]])
    }

    fn goal_document(&mut self) {
        let dice = &mut *self.dice;
        let agents: Map<_, _> = self.agents.iter().map(|agent| ((*agent).into(), json!(sentence(dice, 24)))).collect();
        let status = if dice.percent(72) { "active" } else { dice.word::<GoalStatus>() };
        let mut goal = object(json!({
            "schema_version": "loopx_goal_v0", "goal_id": self.goal, "objective": sentence(dice, 110),
            "owner": dice.pick(&["maya", "lena", "nobody-in-policy"]), "agents": agents, "status": status,
            "priority": dice.word::<Priority>(),
            "boundary": { "write_scope": ["services/ledger/**", "docs/ledger/**"], "stop_condition": sentence(dice, 70) },
        }));
        maybe(dice, 40, &mut goal, "title", |dice| json!(sentence(dice, 20)));
        maybe(dice, 60, &mut goal, "non_goals", |dice| json!([sentence(dice, 30), sentence(dice, 30)]));
        maybe(dice, 30, &mut goal, "authority_sources", |dice| json!([sentence(dice, 40)]));
        let slots = dice.below(4);
        maybe(dice, 40, &mut goal, "quota", |_| json!({ "allowed_slots": slots, "window_hours": 24 }));
        maybe(dice, 30, &mut goal, "validation_command", |_| json!(["make", "ledger-check"]));
        self.put("goal", goal);
    }

    fn todo(&mut self, number: usize) {
        let dice = &mut *self.dice;
        let class = match (self.mood, number) {
            ("pull_request", _) => "advancement_task",
            ("quiet", _) => "continuous_monitor",
            ("person", 0) => "user_action",
            ("person" | "approved" | "deferred" | "consumed", _) => "advancement_task",
            _ if dice.percent(50) => "advancement_task",
            _ => dice.word::<TaskClass>(),
        };
        let status = match (self.mood, number) {
            ("pull_request", _) => "deferred",
            ("consumed", 0) => "done",
            ("quiet" | "person" | "approved" | "deferred" | "consumed", _) => "open",
            _ if dice.percent(60) => "open",
            _ => dice.word::<TodoStatus>(),
        };
        let mut todo = object(json!({
            "schema_version": "loopx_todo_v0", "goal_id": self.goal, "todo_id": self.todos[number],
            "title": sentence(dice, 40), "task_class": class, "status": status, "priority": dice.word::<Priority>(),
        }));
        match status {
            "done" => drop(todo.insert("done_at".into(), json!(dice.hours_ago(72)))),
            "deferred" => {
                let resume = match dice.below(3) {
                    _ if self.mood == "pull_request" => "pr_merged:acme/ledger#41".to_owned(),
                    0 => format!("todo_done:{}", self.todos[0]),
                    1 => "pr_merged:acme/ledger#41".to_owned(),
                    _ => "capacity_available:bench".to_owned(),
                };
                todo.insert("resume_when".into(), json!(resume));
            }
            _ => {}
        }
        if class == "continuous_monitor" {
            todo.insert("cadence".into(), json!("6h"));
            let due = if self.mood == "quiet" { "2026-03-09T09:00:00Z".to_owned() } else { dice.around(20) };
            maybe(dice, if self.mood == "quiet" { 100 } else { 70 }, &mut todo, "next_due_at", |_| json!(due));
            maybe(dice, 30, &mut todo, "watch_only", |_| json!(true));
        }
        maybe(dice, 10, &mut todo, "expires_at", |dice| json!(dice.around(100)));
        if number > 0 {
            let before = self.todos[dice.below(number)].clone();
            let (chance, before) = if self.mood == "person" { (100, self.todos[0].clone()) } else { (45, before) };
            maybe(dice, chance, &mut todo, "after", |_| json!([before]));
        }
        if !class.starts_with("user") {
            let agent = self.agent();
            maybe(self.dice, 40, &mut todo, "assignee", |_| json!(agent));
            let agent = self.agent();
            maybe(self.dice, 20, &mut todo, "claimed_by", |_| json!(agent));
        }
        let evidence = self.evidence();
        maybe(self.dice, 30, &mut todo, "evidence", |_| evidence);
        let path = format!("todos/{}", self.todos[number]);
        self.put(&path, todo);
    }

    fn gate(&mut self, number: usize) {
        let id = format!("gate-{number}-q{}", self.dice.below(9));
        let asker = self.agent();
        let (mut todo, evidence) = (self.todo_id(), self.evidence());
        let label = match self.mood {
            "approved" | "consumed" => Some("approve"),
            "deferred" => Some("defer"),
            _ => None,
        };
        if label.is_some() {
            todo = self.todos[0].clone();
        }
        let dice = &mut *self.dice;
        let required = dice.word::<RequiredActor>();
        let mut gate = object(json!({
            "schema_version": "operator_gate_v0", "goal_id": self.goal, "gate_id": id, "question": sentence(dice, 80),
            "required_actor": required, "requested": { "by": asker, "at": "2026-03-04T09:00:00Z" },
        }));
        match dice.below(10) {
            0 if label.is_none() => {}
            1 if label.is_none() => drop(gate.insert("blocks".into(), json!("none"))),
            _ => drop(gate.insert("blocks".into(), json!([todo]))),
        }
        maybe(dice, 40, &mut gate, "evidence", |_| evidence);
        maybe(dice, if label.is_none() { 15 } else { 0 }, &mut gate, "expires_at", |dice| json!(dice.around(60)));
        maybe(dice, 15, &mut gate, "revision", |_| json!(2));
        if label.is_some() || dice.percent(65) {
            let label = label.unwrap_or_else(|| dice.word::<GateDecision>());
            let class = if dice.percent(90) { required } else { "owner" };
            let mut decision = object(json!({
                "label": label, "actor_class": class, "by": person(class), "at": "2026-03-05T10:00:00Z",
                "reason": sentence(dice, 50),
            }));
            if label == "defer" {
                let until = if self.mood == "deferred" { "2026-03-09T08:00:00Z".to_owned() } else { dice.around(48) };
                decision.insert("until".into(), json!(until));
            }
            if self.mood.is_empty() && dice.percent(8) {
                decision.insert("by".into(), json!(asker));
            }
            gate.insert("decision".into(), Value::Object(decision));
        }
        if dice.percent(8) {
            gate.insert(
                "withdrawn".into(),
                json!({ "by": person(required), "actor_class": required, "at": "2026-03-06T10:00:00Z" }),
            );
        }
        let record: Gate = serde_json::from_value(Value::Object(gate.clone())).expect("a gate");
        self.source(&id, WriteClass::OperatorGateDecision, "", receipts::of_gate(&record).as_ref());
        self.maybe_record(receipts::of_gate(&record));
        self.maybe_record(receipts::of_gate_withdrawal(&record));
        self.put(&format!("gates/{id}"), gate);
    }

    /// Keeps in mind what a host may be told about.
    fn source(&mut self, id: &str, class: WriteClass, agent: &str, receipt: Option<&Receipt>) {
        let run = receipt.map_or(String::new(), |receipt| receipt.run_id.to_string());
        self.sources.push(Source { id: id.to_owned(), class, run, agent: agent.to_owned() });
    }

    /// Records what was decided, mostly; sometimes as if something else had been.
    fn maybe_record(&mut self, receipt: Option<Receipt>) {
        let Some(mut receipt) = receipt else { return };
        let may_go_wrong = self.mood.is_empty();
        if may_go_wrong && self.dice.percent(25) {
            return;
        }
        if may_go_wrong && self.dice.percent(6) {
            receipt.result = serde_json::from_value(json!({ "label": "other" })).expect("a result");
        }
        self.generated.record(receipt);
    }

    fn handoff(&mut self, number: usize) {
        let id = format!("hand-{number}-y{}", self.dice.below(9));
        let (from, to, todo, evidence) = (self.agent(), self.agent(), self.todo_id(), self.evidence());
        let dice = &mut *self.dice;
        let expires = if dice.percent(60) { "2026-03-10T09:30:00Z".to_owned() } else { dice.around(40) };
        let mut handoff = object(json!({
            "schema_version": "handoff_packet_v0", "goal_id": self.goal, "handoff_id": id, "from_agent": from,
            "to_agent": to, "todo_id": todo, "next_action": sentence(dice, 100), "stop_condition": sentence(dice, 60),
            "expires_at": expires,
        }));
        maybe(dice, 50, &mut handoff, "write_scope", |_| json!(["services/ledger/config/**"]));
        maybe(dice, 30, &mut handoff, "evidence", |_| evidence);
        if dice.percent(60) {
            let class = dice.pick(&["owner", "operator", "controller", "user"]);
            handoff.insert(
                "approved".into(),
                json!({ "by": person(class), "actor_class": class, "at": "2026-03-05T08:00:00Z" }),
            );
            maybe(dice, 75, &mut handoff, "accepted", |_| json!({ "by": to, "at": "2026-03-05T12:00:00Z" }));
        }
        maybe(
            dice,
            14,
            &mut handoff,
            "withdrawn",
            |_| json!({ "by": "maya", "actor_class": "owner", "at": "2026-03-06T08:00:00Z" }),
        );
        let record: Handoff = serde_json::from_value(Value::Object(handoff.clone())).expect("a handoff");
        self.source(&id, WriteClass::HandoffPacketPointer, to, receipts::of_handoff_acceptance(&record).as_ref());
        self.maybe_record(receipts::of_handoff_approval(&record));
        self.maybe_record(receipts::of_handoff_acceptance(&record));
        self.put(&format!("handoffs/{id}"), handoff);
    }

    fn reward(&mut self, number: usize) {
        let id = format!("reward-{number}-c{}", self.dice.below(9));
        let judges = self.outcomes[0].clone();
        let dice = &mut *self.dice;
        let class = dice.pick(&["user", "owner", "operator", "controller"]);
        let mut reward = object(json!({
            "schema_version": "human_reward_v0", "goal_id": self.goal, "reward_id": id, "judges": judges,
            "reward": dice.word::<RewardLabel>(),
            "given": { "by": person(class), "actor_class": class, "at": "2026-03-06T18:00:00Z", "reason": sentence(dice, 40) },
        }));
        maybe(dice, 50, &mut reward, "lesson", |dice| json!(sentence(dice, 200)));
        let record: Reward = serde_json::from_value(Value::Object(reward.clone())).expect("a reward");
        self.source(&id, WriteClass::HumanRewardOverlay, "", Some(&receipts::of_reward(&record)));
        self.maybe_record(Some(receipts::of_reward(&record)));
        self.put(&format!("rewards/{id}"), reward);
    }

    fn proposal(&mut self) {
        if !self.dice.percent(40) {
            return;
        }
        let evidence = self.evidence();
        let proposal = object(json!({
            "schema_version": "dreaming_proposal_v0", "goal_id": self.goal, "proposal_id": "idea-1w9d",
            "proposal_type": self.dice.word::<ProposalType>(), "summary": sentence(self.dice, 220), "evidence": evidence,
        }));
        self.put("proposals/idea-1w9d", proposal);
    }

    fn sessions(&mut self) {
        for number in 0..self.agents.len() {
            let agent = self.agents[number];
            let session = format!("s-{}-{agent}", self.goal);
            self.binding(&session, agent);
            if self.mood.is_empty() && self.dice.percent(5) {
                self.binding(&format!("{session}-b"), agent);
            }
        }
        if self.dice.percent(20) {
            let session = format!("handle-{}", self.goal);
            self.facts(&session, "claude_code", "claude_code");
        }
    }

    fn binding(&mut self, session: &str, agent: &str) {
        let dice = &mut *self.dice;
        let is_attached = dice.percent(70);
        let surface = HostSurface::ALL[dice.below(HostSurface::ALL.len())];
        let (runtime, host) = surface.row();
        let (mut runtime, host) = match is_attached {
            true => (runtime.word(), host.word()),
            false => ("custom_worker", dice.word::<HostKind>()),
        };
        let mut binding = object(json!({
            "schema_version": "loopx_agent_session_binding_v0", "goal_id": self.goal, "session_id": session,
            "agent_id": agent, "executor_endpoint_id": format!("ep-{session}"),
            "session_mode": if is_attached { "attached_host" } else { "managed_runtime" },
        }));
        if is_attached {
            binding.insert("host_surface".into(), json!(surface.word()));
            maybe(dice, 85, &mut binding, "attached_capabilities", |dice| match dice.percent(55) {
                true => json!(["session_queue", "claim_wait", "reply_readback"]),
                false => json!([dice.word::<Capability>()]),
            });
        } else {
            maybe(dice, 50, &mut binding, "command", |_| json!(["bench", "run"]));
        }
        maybe(dice, 50, &mut binding, "operator", |_| json!("ines"));
        maybe(dice, 30, &mut binding, "channel_id", |_| json!("side"));
        maybe(dice, 5, &mut binding, "closed", |_| json!({ "by": "ines", "at": "2026-03-07T12:00:00Z" }));
        if self.mood.is_empty() && dice.percent(14) {
            runtime = dice.word::<RuntimeId>();
        }
        self.sessions.entry(agent.to_owned()).or_insert((session.to_owned(), runtime));
        let has_facts = !self.mood.is_empty() || dice.percent(85);
        self.put(&format!("bindings/{session}"), binding);
        if has_facts {
            self.facts(session, runtime, host);
        }
    }

    fn facts(&mut self, session: &str, runtime: &str, host: &str) {
        let items: Vec<Value> = (0..1 + self.dice.below(3)).map(|number| self.outcome(number)).collect();
        let todo = self.todo_id();
        let outcome = self.outcomes[self.dice.below(3)].clone();
        if !self.mood.is_empty() {
            let facts = json!({
                "schema_version": "session_runtime_facts_v0", "runtime_id": runtime, "session_id": session,
                "status": "running", "updated_at": self.dice.hours_ago(5),
            });
            return self.generated.put(format!("facts/{runtime}/{session}.yaml"), &facts);
        }
        let dice = &mut *self.dice;
        let age = if dice.percent(80) { 20 } else { 90 };
        let mut facts = object(json!({
            "schema_version": "session_runtime_facts_v0", "runtime_id": runtime, "session_id": session,
            "status": if dice.percent(20) { "completed" } else { dice.word::<SessionStatus>() }, "updated_at": dice.hours_ago(age), "outcomes": items,
        }));
        maybe(dice, 50, &mut facts, "host_kind", |_| json!(host));
        maybe(dice, 90, &mut facts, "events", |dice| {
            let kind =
                if dice.percent(45) { EventKind::Turn } else { EventKind::ALL[dice.below(EventKind::ALL.len())] };
            let status = kind.statuses()[dice.below(kind.statuses().len())];
            json!([{ "event_id": "evt-1", "kind": kind.word(), "status": status.word(), "at": dice.hours_ago(6), "turn_id": "turn-1" }])
        });
        maybe(
            dice,
            30,
            &mut facts,
            "approvals",
            |dice| json!([{ "approval_id": "app-1", "kind": "shell", "status": dice.word::<ApprovalStatus>(), "at": dice.hours_ago(6) }]),
        );
        maybe(dice, 55, &mut facts, "artifacts", |dice| {
            json!([{ "artifact_id": "art-1", "kind": "report", "status": dice.word::<ArtifactStatus>(), "at": dice.hours_ago(40),
                "todo_id": todo, "supersedes": outcome, "summary": sentence(dice, 50) }])
        });
        maybe(
            dice,
            30,
            &mut facts,
            "decision_results",
            |dice| json!([{ "decision_id": "dec-1", "kind": "gate", "status": dice.word::<GateDecision>(), "at": dice.hours_ago(6) }]),
        );
        self.generated.put(format!("facts/{runtime}/{session}.yaml"), &Value::Object(facts));
    }

    fn outcome(&mut self, number: usize) -> Value {
        let (todo, id) = (self.todo_id(), self.outcomes[number].clone());
        let dice = &mut *self.dice;
        json!({
            "outcome_id": id, "kind": dice.word::<OutcomeKind>(), "status": dice.word::<OutcomeStatus>(),
            "todo_id": todo, "at": dice.hours_ago(48), "summary": sentence(dice, 60),
        })
    }

    fn writeback(&mut self, number: usize) {
        let unknown = Source {
            id: self.outcomes[0].clone(),
            class: WriteClass::ArtifactPointer,
            run: String::new(),
            agent: String::new(),
        };
        // An accepted handoff is rare, so handoffs are asked for more often.
        let handoff = WriteClass::HandoffPacketPointer.word();
        let class = if self.dice.percent(35) { handoff } else { self.dice.word::<WriteClass>() };
        let of_class: Vec<_> = self.sources.iter().filter(|source| source.class.word() == class).cloned().collect();
        let known = self.dice.percent(90) && !of_class.is_empty();
        let known = known.then(|| of_class[self.dice.below(of_class.len())].clone());
        let source = known.unwrap_or(unknown);
        let agent =
            if source.agent.is_empty() { self.agents.first().copied().unwrap_or_default() } else { &source.agent };
        let Some((session, runtime)) = self.sessions.get(agent).cloned() else { return };
        let id = format!("note-{number}-g{}", self.dice.below(9));
        let mode = self.dice.word::<WritebackMode>();
        let target = if self.dice.percent(92) { session.clone() } else { "handle-gone".to_owned() };
        let mut request = object(json!({
            "schema_version": "loopx_writeback_request_v0", "goal_id": self.goal, "request_id": id,
            "session_id": target, "source": source.id, "mode": mode,
        }));
        if mode == "apply" {
            request.insert("approved_preview_digest".into(), json!(sha256(self.goal.as_bytes())));
            if !source.run.is_empty() && self.dice.percent(60) {
                self.told(runtime, &session, &format!("{}:{}:{}", self.goal, source.run, source.class));
            }
        }
        self.put(&format!("writebacks/{id}"), request);
    }

    /// The result of telling a host.
    fn told(&mut self, runtime: &str, session: &str, key: &str) {
        let goal = self.goal.clone();
        let effect = Effect::Writeback(&goal, runtime, session, key);
        let status = self.dice.pick(&["applied", "skipped", "rejected", "failed", "failed"]);
        let receipt = json!({
            "schema_version": "loopx_run_receipt_v0", "goal_id": goal, "run_id": effect.run_id(),
            "effect_key": effect.key(), "event_class": EventClass::Writeback,
            "source": { "kind": "writeback", "id": session, "digest": sha256(key.as_bytes()) },
            "result": { "status": status }, "actor_class": "host", "at": self.dice.hours_ago(20),
        });
        self.generated.record(serde_json::from_value(receipt).expect("a receipt"));
    }

    fn memory(&mut self) {
        if !self.dice.percent(25) {
            return;
        }
        let sample = include_str!("../../../fixtures/contracts/memory.json");
        let mut memory: Value = serde_json::from_str(sample).expect("a sample");
        memory["goal_id"] = json!(self.goal);
        let id = memory["issue_projection"]["issue_ref_id"].as_str().expect("an id").to_owned();
        self.put(&format!("memory/{id}"), object(memory));
    }

    /// Receipts of effects: spent slots and what else a run records.
    fn runs(&mut self) {
        for number in 0..self.dice.below(5) {
            let class = match number {
                0 => "quota_spend",
                _ => self.dice.pick(&[
                    "quota_spend",
                    "quota_spend",
                    "quota_void",
                    "turn",
                    "turn",
                    "artifact_pointer",
                    "run_projection",
                ]),
            };
            self.run(number, class);
        }
    }

    fn run(&mut self, number: usize, class: &str) {
        let (goal, id, artifact) = (self.goal.clone(), format!("{class}-{number}"), format!("art-{number}"));
        let key = match class {
            "quota_spend" => Effect::QuotaSpend(&goal, &id).key(),
            "quota_void" => Effect::QuotaVoid(&goal, &format!("quota_spend-{}", number - 1)).key(),
            "turn" => Effect::Turn(&goal, &id).key(),
            _ => json!([class, goal, id]).to_string(),
        };
        let run = run_id(&key);
        let mut receipt = json!({
            "schema_version": "loopx_run_receipt_v0", "goal_id": goal, "run_id": run, "effect_key": key,
            "event_class": class, "source": { "kind": "turn", "id": id, "digest": sha256(id.as_bytes()) },
            "result": { "status": "done" }, "actor_class": "host", "at": self.dice.hours_ago(20),
        });
        if let Some(agent) = self.agents.first() {
            receipt["agent_id"] = json!(agent);
        }
        let class = match class {
            "turn" | "run_projection" => WriteClass::RunProjectionPointer,
            "artifact_pointer" => WriteClass::ArtifactPointer,
            _ => WriteClass::QuotaSchedulerHint,
        };
        if matches!(class, WriteClass::RunProjectionPointer | WriteClass::ArtifactPointer) {
            receipt["artifact_id"] = json!(artifact);
            receipt["outcome_id"] = json!(self.outcomes[0]);
            let (agent, run) = (String::new(), run.to_string());
            self.sources.push(Source { id: artifact, class: WriteClass::ArtifactPointer, run, agent });
        }
        self.sources.push(Source { id: run.to_string(), class, run: run.to_string(), agent: String::new() });
        self.generated.record(serde_json::from_value(receipt).expect("a receipt"));
    }

    /// One thing that goes wrong in some goals.
    fn go_wrong(&mut self) {
        let path = match self.dice.below(10) {
            0 => format!("goals/{}/goal.yaml", self.goal),
            1 => format!("goals/{}/todos/{}.yaml", self.goal, self.todos[0]),
            2..=4 => {
                let first = format!("goals/{}/gates/", self.goal);
                self.generated.files.range(first..).next().map(|(path, _)| path.clone()).unwrap_or_default()
            }
            _ => return,
        };
        let Some(text) = self.generated.files.get_mut(&path) else { return };
        match self.dice.below(6) {
            0 => text.extend_from_slice(b"unknown_key: 1\n"),
            1 => text.extend_from_slice(b"schema_version: twice\n"),
            2 => text.truncate(text.len() / 2),
            _ => text.extend_from_slice(b"# kept in /ho\x6de/somebody/notes\n"),
        }
    }
}
