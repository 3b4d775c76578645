//! Writeback requests: the entry criteria in their order, what a host is told by class, the digest that a person
//! approves, and until when a preview holds.

use std::collections::{BTreeMap, BTreeSet};

use loopx::reconcile::{Answer, ApplyState, Plan, Preview, Recorded};
use loopx::render::outputs;
use loopx::rules::judge_alone;
use loopx::vocabulary::writeback::{CRITERIA, WriteClass};
use loopx::vocabulary::{ClosedWords, Effect, Reason, run_id};
use loopx::workspace::MemoryFiles;
use serde_json::{Value, json};
use snapbox::{Assert, Data};

use super::state::{State, folder, instant};

const NOW: &str = "2026-03-07T12:00:00Z";
const GATE: &str = "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: cutover\n\
                    question: May codex-main switch the read flag?\nrequired_actor: owner\nblocks: [switch]\n\
                    requested: { by: codex-main, at: 2026-03-05T09:00:00Z }\n";
const BINDING: &str = "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: codex-q4\n\
                       agent_id: codex-main\nsession_mode: attached_host\nhost_surface: codex_cli\n\
                       executor_endpoint_id: ep-7k2f\n";
const ABLE: &str = "attached_capabilities: [session_queue, reply_readback]\n";
const HANDOFF: &str = "schema_version: handoff_packet_v0\ngoal_id: ledger\nhandoff_id: over\nfrom_agent: claude-review\n\
                       to_agent: codex-main\ntodo_id: switch\nnext_action: Set the flag, then run the check.\n\
                       stop_condition: Stop at the first failed check.\nexpires_at: 2026-03-10T09:30:00Z\n\
                       evidence: [out-shadow]\napproved: { by: maya, actor_class: owner, at: 2026-03-05T12:00:00Z }\n";
const ACCEPTED: &str = "accepted: { by: codex-main, at: 2026-03-05T13:00:00Z }\n";

/// The line of a decision.
fn decision(label: &str, reason: &str) -> String {
    format!(
        "decision: {{ label: {label}, actor_class: owner, by: maya, at: 2026-03-06T09:00:00Z, reason: {reason} }}\n"
    )
}

/// A goal of two agents, one of which has a session, and a decided gate.
#[derive(Clone)]
struct Ledger(BTreeMap<String, String>);

impl Ledger {
    fn new() -> Self {
        let mut ledger = Self(BTreeMap::new());
        ledger.put("loopx.yaml", "schema_version: loopx_workspace_v0\n");
        ledger.put(
            "goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store.\nowner: maya\n\
             agents: { codex-main: code, claude-review: review }\nquota: { allowed_slots: 2 }\n\
             boundary: { write_scope: [services/**], stop_condition: stop for a gate }\n",
        );
        ledger.put(
            "goals/ledger/todos/switch.yaml",
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch\ntitle: Switch the read flag\n\
             task_class: advancement_task\n",
        );
        ledger.put("goals/ledger/bindings/codex-q4.yaml", &format!("{BINDING}{ABLE}"));
        ledger.put("goals/ledger/gates/cutover.yaml", &format!("{GATE}{}", decision("approve", "shadow reads agree")));
        ledger
    }

    fn put(&mut self, path: &str, text: &str) {
        self.0.insert(path.to_owned(), text.to_owned());
    }

    /// Asks to tell the session about a source.
    fn ask(&mut self, request: &str, source: &str) {
        let text = format!(
            "schema_version: loopx_writeback_request_v0\ngoal_id: ledger\nrequest_id: {request}\nsession_id: codex-q4\n\
             source: {source}\nmode: dry_run\n"
        );
        self.put(&format!("goals/ledger/writebacks/{request}.yaml"), &text);
    }

    /// Records an effect of a host.
    fn record(&mut self, key: &str, class: &str, more: &str) -> String {
        let run = run_id(key);
        let digest = "c".repeat(64);
        let text = format!(
            "schema_version: loopx_run_receipt_v0\ngoal_id: ledger\nrun_id: {run}\neffect_key: '{key}'\n\
             event_class: {class}\nsource: {{ kind: turn, id: art-flag, digest: {digest} }}\nactor_class: host\n\
             at: 2026-03-06T10:00:00Z\n{more}"
        );
        self.put(&format!("receipts/ledger/{}/{run}.yaml", &run.as_str()[4..6]), &text);
        run.to_string()
    }

    /// What follows when the decisions of these ids are recorded.
    fn plan(&self, recorded: &[&str]) -> Plan {
        self.plan_at(recorded, NOW)
    }

    fn plan_at(&self, recorded: &[&str], at: &str) -> Plan {
        let files: MemoryFiles = self.0.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
        State::read(&files, recorded).plan(instant(at))
    }
}

/// What becomes of a request: the number and reason of a blocker, or nothing.
fn blocked(plan: &Plan, request: &str) -> Option<(u8, Reason)> {
    match answer(plan, request) {
        Answer::Blocked(blocker) => Some((blocker.criterion, blocker.reason)),
        Answer::Previewed(_) => None,
    }
}

fn answer<'p>(plan: &'p Plan, request: &str) -> &'p Answer {
    let found = plan.writebacks.iter().find(|((_, id), _)| id.as_str() == request);
    found.unwrap_or_else(|| panic!("{request} has no answer")).1
}

fn preview<'p>(plan: &'p Plan, request: &str) -> &'p Preview {
    match answer(plan, request) {
        Answer::Previewed(preview) => preview,
        Answer::Blocked(blocker) => panic!("{request}: {} ({} of 5)", blocker.reason, blocker.criterion),
    }
}

fn payload(preview: &Preview) -> Value {
    json!(preview.document.writeback.payload)
}

#[test]
fn the_criteria_are_asked_in_their_order_and_the_first_that_does_not_hold_is_named() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    ledger.put("goals/ledger/gates/cutover.yaml", GATE);
    let closed = format!("{BINDING}closed: {{ by: ines, at: 2026-03-06T12:00:00Z }}\n");
    ledger.put("goals/ledger/bindings/codex-q4.yaml", &closed);
    assert_eq!(blocked(&ledger.plan(&[]), "tell"), Some((1, Reason::WritebackTargetUnavailable)));

    ledger.put("goals/ledger/bindings/codex-q4.yaml", BINDING);
    assert_eq!(blocked(&ledger.plan(&[]), "tell"), Some((2, Reason::SourceEventNotRecorded)));

    let path = ["/ho", "me/maya/notes"].concat();
    let unsafe_gate = format!("{GATE}{}", decision("approve", &format!("see {path}")));
    ledger.put("goals/ledger/gates/cutover.yaml", &unsafe_gate);
    assert_eq!(blocked(&ledger.plan(&["cutover"]), "tell"), Some((3, Reason::WritebackTargetUnavailable)));

    let queue = format!("{BINDING}attached_capabilities: [session_queue]\n");
    ledger.put("goals/ledger/bindings/codex-q4.yaml", &queue);
    let plan = ledger.plan(&["cutover"]);
    assert_eq!(blocked(&plan, "tell"), Some((4, Reason::UnsafeMaterial)));
    assert!(
        !json!(match answer(&plan, "tell") {
            Answer::Blocked(blocker) => blocker,
            Answer::Previewed(_) => panic!("previewed"),
        })
        .to_string()
        .contains("maya")
    );

    ledger.put("goals/ledger/gates/cutover.yaml", &format!("{GATE}{}", decision("approve", "shadow reads agree")));
    assert_eq!(blocked(&ledger.plan(&["cutover"]), "tell"), Some((5, Reason::WritebackTargetUnavailable)));

    ledger.put("goals/ledger/bindings/codex-q4.yaml", &format!("{BINDING}{ABLE}"));
    assert_eq!(blocked(&ledger.plan(&["cutover"]), "tell"), None);
}

#[test]
fn a_managed_session_needs_no_capabilities_since_loopx_runs_it() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    let managed = "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: codex-q4\n\
                   agent_id: codex-main\nsession_mode: managed_runtime\nexecutor_endpoint_id: ep-7k2f\n";
    ledger.put("goals/ledger/bindings/codex-q4.yaml", managed);
    let plan = ledger.plan(&["cutover"]);
    assert_eq!(preview(&plan, "tell").document.runtime.runtime_id.as_ref(), "custom_worker");
}

#[test]
fn the_target_is_the_session_that_the_projection_of_the_agent_shows() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    ledger.put("goals/ledger/bindings/codex-p3.yaml", &format!("{BINDING}{ABLE}").replace("codex-q4", "codex-p3"));
    let plan = ledger.plan(&["cutover"]);
    assert_eq!(blocked(&plan, "tell"), Some((1, Reason::WritebackTargetUnavailable)));
    let row = plan.attention.rows.iter().find(|row| row.reason == Reason::SecondExecutor).expect("its cause");
    assert_eq!(row.consequences[0].reason, Reason::WritebackTargetUnavailable);

    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    ledger
        .put("goals/other/goal.yaml", &ledger.0["goals/ledger/goal.yaml"].replace("goal_id: ledger", "goal_id: other"));
    ledger.put(
        "goals/other/bindings/codex-q4.yaml",
        &format!("{BINDING}{ABLE}").replace("goal_id: ledger", "goal_id: other"),
    );
    assert_eq!(blocked(&ledger.plan(&["cutover"]), "tell"), Some((1, Reason::WritebackTargetUnavailable)));

    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    ledger.put("goals/ledger/bindings/codex-q4.yaml", &format!("{BINDING}{ABLE}").replace("codex-main", "stranger"));
    assert_eq!(blocked(&ledger.plan(&["cutover"]), "tell"), Some((1, Reason::WritebackTargetUnavailable)));
}

#[test]
fn each_class_tells_its_closed_payload_and_lint_accepts_it() {
    let mut ledger = Ledger::new();
    ledger.put("goals/ledger/handoffs/over.yaml", &format!("{HANDOFF}{ACCEPTED}"));
    ledger.put(
        "goals/ledger/rewards/praise.yaml",
        "schema_version: human_reward_v0\ngoal_id: ledger\nreward_id: praise\njudges: over\nreward: positive\n\
         given: { by: lena, actor_class: user, at: 2026-03-06T18:00:00Z, reason: small and clear }\n",
    );
    let spend = ledger.record(&Effect::QuotaSpend("ledger", "s1").key(), "quota_spend", "result: { status: spent }\n");
    let more = "result: { status: passed }\noutcome_id: out-shadow\nartifact_id: art-flag\n";
    let turn = ledger.record(&Effect::Turn("ledger", "t1").key(), "turn", more);
    ledger.record(r#"["artifact_pointer","ledger","art-report"]"#, "artifact_pointer", more);
    let run = ledger.record(r#"["run_projection","ledger","r1"]"#, "run_projection", "result: { status: passed }\n");
    let sources = ["cutover", "praise", &spend, "over", "art-flag", &run, &turn];
    for (number, source) in sources.iter().enumerate() {
        ledger.ask(&format!("tell-{number}"), source);
    }
    let plan = ledger.plan(&["cutover", "over", "praise"]);
    let files = outputs(&plan);
    let previews: BTreeMap<_, _> = files.iter().filter(|(path, _)| path.starts_with("previews/")).collect();
    let mut classes = BTreeSet::new();
    let mut shown = Vec::new();
    for (path, bytes) in &previews {
        let judged = judge_alone(&MemoryFiles::from_iter([((*path).clone(), (*bytes).clone())]));
        assert!(judged.findings.is_empty(), "{path}: {:?}", judged.findings);
        let document: Value = serde_json::from_slice(bytes).expect("JSON");
        classes.insert(document["writeback"]["write_class"].as_str().expect("a class").to_owned());
        shown.push(json!({ "loopx_source": document["loopx_source"], "writeback": document["writeback"] }));
    }
    assert_eq!(classes, WriteClass::ALL.iter().map(|class| class.word().to_owned()).collect());
    let expected = Data::read_from(&folder("fixtures/writebacks/classes.json"), None);
    Assert::new().action_env("SNAPSHOTS").eq(serde_json::to_string_pretty(&shown).expect("JSON") + "\n", expected);
}

#[test]
fn a_handoff_is_told_to_its_own_agent_once_it_is_accepted() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "over");
    ledger.put("goals/ledger/handoffs/over.yaml", HANDOFF);
    let plan = ledger.plan(&["over"]);
    assert_eq!(blocked(&plan, "tell"), Some((2, Reason::SourceEventNotRecorded)));
    let row = plan.attention.rows.iter().find(|row| row.reason == Reason::HandoffNotAccepted).expect("its cause");
    assert_eq!(row.consequences[0].about[0].as_ref(), "tell");

    let accepted = format!("{HANDOFF}{ACCEPTED}");
    ledger.put("goals/ledger/handoffs/over.yaml", &accepted);
    assert_eq!(blocked(&ledger.plan(&[]), "tell"), Some((2, Reason::SourceEventNotRecorded)));
    let plan = ledger.plan(&["over"]);
    assert_eq!(payload(preview(&plan, "tell"))["next_action"], "Set the flag, then run the check.");

    let to_another = accepted.replace("codex-main", "gemini").replace("claude-review", "codex-main");
    ledger.put("goals/ledger/handoffs/over.yaml", &to_another.replace("gemini", "claude-review"));
    assert_eq!(blocked(&ledger.plan(&["over"]), "tell"), Some((1, Reason::WritebackTargetUnavailable)));

    let withdrawn = "withdrawn: { by: maya, actor_class: owner, at: 2026-03-06T08:00:00Z }\n";
    ledger.put("goals/ledger/handoffs/over.yaml", &format!("{accepted}{withdrawn}"));
    assert_eq!(blocked(&ledger.plan(&["over"]), "tell"), Some((2, Reason::SourceEventNotRecorded)));
}

#[test]
fn a_run_is_a_source_only_while_what_it_records_stands() {
    let mut ledger = Ledger::new();
    let of_revision = |revision| Effect::Gate("ledger", "cutover", revision).run_id();
    ledger.ask("tell", "cutover");
    ledger.ask("tell-run", of_revision(1).as_str());
    let plan = ledger.plan(&["cutover"]);
    assert_eq!(payload(preview(&plan, "tell-run")), payload(preview(&plan, "tell")));

    let key = Effect::Writeback("ledger", "codex_cli_tui", "codex-q4", "k").key();
    let result = ledger.record(&key, "writeback", "result: { status: applied }\n");
    let unsound = ledger.record(&Effect::QuotaSpend("ledger", "s2").key(), "turn", "result: { status: done }\n");
    for source in [result.as_str(), unsound.as_str(), "run-0000000000000000", "out-shadow"] {
        ledger.ask("tell", source);
        let found = blocked(&ledger.plan(&["cutover"]), "tell");
        assert_eq!(found, Some((2, Reason::SourceEventNotRecorded)), "{source}");
    }

    // The gate is asked again, so the first decision stands no more.
    let again = GATE.replace(
        "requested: { by: codex-main, at: 2026-03-05",
        "revision: 2\nrequested: { by: codex-main, at: 2026-03-07",
    );
    ledger.put("goals/ledger/gates/cutover.yaml", &again);
    assert_eq!(blocked(&ledger.plan(&[]), "tell-run"), Some((2, Reason::SourceEventNotRecorded)));
}

#[test]
fn a_pointer_with_a_key_of_its_own_closes_no_goal() {
    let mut ledger = Ledger::new();
    let run = ledger.record(r#"["run_projection","ledger","r1"]"#, "run_projection", "result: { status: passed }\n");
    let plan = ledger.plan(&["cutover"]);
    assert!(plan.attention.rows.iter().all(|row| row.reason != Reason::ConflictingDecisions));
    assert!(plan.projections.values().any(|it| it.loopx_refs.run_id.as_ref().is_some_and(|id| id.as_ref() == run)));
}

/// A digest of what the goal's one request shows.
fn digest(ledger: &Ledger) -> String {
    preview(&ledger.plan(&["cutover"]), "tell").digest.to_string()
}

#[test]
fn the_digest_covers_what_the_host_is_told_and_nothing_else() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    let approved = digest(&ledger);
    let edit = |path: &str, old: &str, new: &str| {
        let mut other = ledger.clone();
        let text = other.0[path].replace(old, new);
        assert_ne!(text, other.0[path], "{path} holds {old}");
        other.put(path, &text);
        digest(&other)
    };
    let (gate, binding, request) =
        ("goals/ledger/gates/cutover.yaml", "goals/ledger/bindings/codex-q4.yaml", "goals/ledger/writebacks/tell.yaml");
    let apply = format!("mode: apply\napproved_preview_digest: {approved}");
    for same in [
        edit(request, "mode: dry_run", &apply),
        edit(binding, "ep-7k2f", "ep-9z9z"),
        edit(gate, "blocks: [switch]", "blocks: [switch]\nevidence: [out-shadow]"),
        edit("goals/ledger/todos/switch.yaml", "Switch the read flag", "Switch it"),
        preview(&ledger.plan_at(&["cutover"], "2027-01-01T00:00:00Z"), "tell").digest.to_string(),
    ] {
        assert_eq!(same, approved);
    }
    let mut with_facts = ledger.clone();
    let facts = "schema_version: session_runtime_facts_v0\nruntime_id: codex_cli_tui\nsession_id: codex-q4\n\
                 status: completed\nupdated_at: 2026-03-07T11:00:00Z\n";
    with_facts.put("facts/codex_cli_tui/codex-q4.yaml", facts);
    assert_eq!(digest(&with_facts), approved);

    let others = BTreeSet::from([
        edit(gate, "shadow reads agree", "shadow reads still agree"),
        edit(gate, "label: approve", "label: reject"),
        edit(gate, "the read flag?", "the flag?"),
        edit(gate, "2026-03-06T09", "2026-03-06T10"),
        edit(binding, "codex_cli", "claude_code"),
        edit(binding, "agent_id: codex-main", "agent_id: claude-review"),
    ]);
    assert_eq!(others.len(), 6, "each edit has a digest of its own");
    assert!(!others.contains(&approved));
}

#[test]
fn an_apply_stands_by_its_receipt_first_and_then_by_the_digest() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    let approved = digest(&ledger);
    let key = preview(&ledger.plan(&["cutover"]), "tell").document.writeback.idempotency_key.to_string();
    let apply = |digest: &str| {
        ledger.0["goals/ledger/writebacks/tell.yaml"]
            .replace("mode: dry_run", &format!("mode: apply\napproved_preview_digest: {digest}"))
    };
    let effect = Effect::Writeback("ledger", "codex_cli_tui", "codex-q4", &key).key();
    let state = |digest: &str, result: Option<&str>| {
        let mut ledger = ledger.clone();
        ledger.put("goals/ledger/writebacks/tell.yaml", &apply(digest));
        if let Some(result) = result {
            ledger.record(&effect, "writeback", &format!("result: {{ status: {result} }}\n"));
        }
        let plan = ledger.plan(&["cutover"]);
        // Whatever the apply, the document on disk stays a preview.
        assert_eq!(preview(&plan, "tell").document.writeback.mode.word(), "dry_run");
        preview(&plan, "tell").state
    };
    let other = "0".repeat(64);
    assert_eq!(state(&approved, None), ApplyState::Approved);
    assert_eq!(state(&other, None), ApplyState::Outdated);
    for (result, stands) in [
        ("applied", ApplyState::Done),
        ("skipped", ApplyState::Done),
        ("rejected", ApplyState::Failed),
        ("failed", ApplyState::Failed),
        ("lost", ApplyState::Failed),
    ] {
        assert_eq!(state(&approved, Some(result)), stands, "{result}");
        assert_eq!(state(&other, Some(result)), stands, "{result}");
    }
}

#[test]
fn a_result_that_nobody_can_read_is_not_applied_over() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    let approved = digest(&ledger);
    let key = preview(&ledger.plan(&["cutover"]), "tell").document.writeback.idempotency_key.to_string();
    let request = &ledger.0["goals/ledger/writebacks/tell.yaml"];
    let apply = request.replace("mode: dry_run", &format!("mode: apply\napproved_preview_digest: {approved}"));
    ledger.put("goals/ledger/writebacks/tell.yaml", &apply);
    let files: MemoryFiles = ledger.0.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
    let state = State::read(&files, &["cutover"]);
    let mut world = state.world();
    let run = Effect::Writeback("ledger", "codex_cli_tui", "codex-q4", &key).run_id();
    world.receipts.insert(run.as_str(), Recorded::Unreadable { goal_id: "ledger" });
    let plan = state.plan_of(&world, instant(NOW));
    assert_eq!(preview(&plan, "tell").state, ApplyState::Failed);
    assert!(plan.attention.rows.iter().any(|row| row.reason == Reason::WritebackFailed));
}

#[test]
fn a_preview_ends_with_what_it_reflects_and_the_queue_says_when() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    let until = "2026-03-08T09:00:00Z";
    let deferred = decision("defer", "after the audit").replace(" }", &format!(", until: {until} }}"));
    ledger.put("goals/ledger/gates/cutover.yaml", &format!("{GATE}{deferred}"));
    let plan = ledger.plan(&["cutover"]);
    assert_eq!(payload(preview(&plan, "tell"))["decision_label"], "deferred");
    assert_eq!(plan.attention.valid_until, Some(instant(until)));
    let then = ledger.plan_at(&["cutover"], until);
    assert_eq!(blocked(&then, "tell"), Some((2, Reason::SourceEventNotRecorded)));

    let expiring = format!("{GATE}expires_at: {until}\n{}", decision("approve", "shadow reads agree"));
    ledger.put("goals/ledger/gates/cutover.yaml", &expiring);
    assert_eq!(ledger.plan(&["cutover"]).attention.valid_until, Some(instant(until)));
    assert_eq!(blocked(&ledger.plan_at(&["cutover"], until), "tell"), Some((2, Reason::SourceEventNotRecorded)));
}

#[test]
fn a_goal_that_nobody_works_on_tells_nobody_anything() {
    let mut ledger = Ledger::new();
    ledger.ask("tell", "cutover");
    let goal = ledger.0["goals/ledger/goal.yaml"].clone();
    ledger.put("goals/ledger/goal.yaml", &format!("{goal}status: paused\n"));
    assert!(ledger.plan(&["cutover"]).writebacks.is_empty());
}

#[test]
fn every_blocker_of_the_generated_directories_names_a_criterion_with_its_reason() {
    use crate::generator::{Generated, generate};
    use loopx::app::{Records, world};
    let mut criteria = BTreeMap::new();
    for seed in 0..200 {
        let generated = generate(seed, 2);
        let workspace = loopx::rules::open(&MemoryFiles::new(generated.files.clone()), Generated::now());
        let records = Records::of(generated.recorded.iter().cloned());
        let plan = loopx::reconcile::reconcile(&world(&workspace, &records), &workspace.wall, Generated::now());
        let runs: BTreeSet<&str> = generated.recorded.iter().map(|receipt| receipt.run_id.as_str()).collect();
        for answer in plan.writebacks.values() {
            match answer {
                Answer::Blocked(blocker) => {
                    let row = &CRITERIA[usize::from(blocker.criterion) - 1];
                    assert!(row.reasons.contains(&blocker.reason), "{}: {}", blocker.criterion, blocker.reason);
                    *criteria.entry(blocker.criterion).or_insert(0) += 1;
                }
                Answer::Previewed(preview) => {
                    let run = preview.document.loopx_source.source_run_id.get().expect("a run");
                    assert!(runs.contains(run.as_ref()), "seed {seed}: {run} is not recorded");
                }
            }
        }
    }
    // Refused material is seldom in the very source; the order of the criteria has a test of its own.
    assert!([1, 2, 3, 5].iter().all(|criterion| criteria.contains_key(criterion)), "{criteria:?}");
}
