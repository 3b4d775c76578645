//! A large team's everyday directory, in which nothing is wrong: what speed is measured on.

use loopx::reconcile::receipts;
use loopx::vocabulary::{Gate, Handoff, OutcomeStatus, Priority};
use serde_json::{Map, Value, json};

use super::words::{PEOPLE, person, sentence};
use super::{Dice, Generated};

/// The agents of every goal, each with the surface that it works in.
const AGENTS: [(&str, &str, &str); 2] =
    [("codex-main", "codex_cli", "codex_cli_tui"), ("claude-review", "claude_code", "claude_code")];

/// The settings and the policy.
pub(super) fn workspace(generated: &mut Generated) {
    generated.put("loopx.yaml".into(), &json!({ "schema_version": "loopx_workspace_v0", "facts": "committed" }));
    let actors: Map<_, _> = PEOPLE.iter().map(|(name, class)| ((*name).into(), json!({ "class": class }))).collect();
    generated.put("policies/team.yaml".into(), &json!({ "schema_version": "loopx_policy_v0", "actors": actors }));
}

/// One goal with thirteen documents around it: one gate decided and recorded, one that waits, one handoff under way.
pub(super) fn goal(generated: &mut Generated, dice: &mut Dice, number: usize) {
    let goal = format!("ledger-{number:05}");
    let todos: Vec<_> = (0..4).map(|todo| format!("td-{number:05}-{todo}-{}", dice.below(90))).collect();
    let agents: Map<_, _> = AGENTS.iter().map(|(agent, ..)| ((*agent).into(), json!(sentence(dice, 60)))).collect();
    put(
        generated,
        &goal,
        "goal",
        json!({
            "schema_version": "loopx_goal_v0", "goal_id": goal, "title": sentence(dice, 40),
            "objective": sentence(dice, 168), "non_goals": [sentence(dice, 100), sentence(dice, 100)], "owner": "maya",
            "agents": agents, "priority": dice.word::<Priority>(),
            "boundary": {
                "write_scope": ["services/ledger/**", "docs/ledger/**"], "stop_condition": sentence(dice, 120),
            },
        }),
    );
    for (place, todo) in todos.iter().enumerate() {
        let after = &todos[..place.min(1)];
        put(
            generated,
            &goal,
            &format!("todos/{todo}"),
            json!({
                "schema_version": "loopx_todo_v0", "goal_id": goal, "todo_id": todo, "title": sentence(dice, 50),
                "task_class": "advancement_task", "assignee": AGENTS[place % 2].0, "priority": dice.word::<Priority>(),
                "status": "open", "evidence": [format!("out-{number:05}-0-0")], "after": after,
            }),
        );
    }
    decisions(generated, dice, &goal, &todos, number);
    for (place, (agent, surface, runtime)) in AGENTS.iter().enumerate() {
        let session = format!("bs-{number:05}-{place}");
        put(
            generated,
            &goal,
            &format!("bindings/{session}"),
            json!({
                "schema_version": "loopx_agent_session_binding_v0", "goal_id": goal, "session_id": session,
                "agent_id": agent, "executor_endpoint_id": format!("ep-{number:05}-{place}"),
                "session_mode": "attached_host", "host_surface": surface, "operator": "ines",
            }),
        );
        let facts = facts(dice, number, place, &session, runtime, &todos);
        generated.put(format!("facts/{runtime}/{session}.yaml"), &facts);
    }
}

/// A decided gate and the handoff that it approves, with their receipts, and a gate that waits.
fn decisions(generated: &mut Generated, dice: &mut Dice, goal: &str, todos: &[String], number: usize) {
    let gate = |dice: &mut Dice, id: &str, todo: &str| {
        json!({
            "schema_version": "operator_gate_v0", "goal_id": goal, "gate_id": id, "question": sentence(dice, 168),
            "required_actor": "owner", "blocks": [todo], "evidence": [format!("out-{number:05}-0-1")],
            "requested": { "by": "codex-main", "at": "2026-03-04T09:00:00Z", "reason": sentence(dice, 120) },
        })
    };
    let (decided, waiting, handoff) =
        (format!("gt-{number:05}-a"), format!("gt-{number:05}-b"), format!("ho-{number:05}-a"));
    let mut document = gate(dice, &decided, &todos[0]);
    document["decision"] = json!({
        "label": "approve", "actor_class": "owner", "by": person("owner"), "at": "2026-03-05T10:00:00Z",
        "reason": sentence(dice, 150),
    });
    let record: Gate = serde_json::from_value(document.clone()).expect("a gate");
    generated.record(receipts::of_gate(&record).expect("a decision"));
    put(generated, goal, &format!("gates/{decided}"), document);
    let document = gate(dice, &waiting, &todos[1]);
    put(generated, goal, &format!("gates/{waiting}"), document);
    let document = json!({
        "schema_version": "handoff_packet_v0", "goal_id": goal, "handoff_id": handoff, "from_agent": "claude-review",
        "to_agent": "codex-main", "todo_id": todos[2], "next_action": sentence(dice, 168),
        "stop_condition": sentence(dice, 120), "write_scope": ["services/ledger/config/**"],
        "expires_at": "2026-03-10T09:30:00Z",
        "approved": { "by": person("owner"), "actor_class": "owner", "at": "2026-03-05T08:00:00Z" },
    });
    let record: Handoff = serde_json::from_value(document.clone()).expect("a handoff");
    generated.record(receipts::of_handoff_approval(&record).expect("an approval"));
    put(generated, goal, &format!("handoffs/{handoff}"), document);
}

/// What a host reports of one session: a dozen outcomes, the latest events, and artifacts.
fn facts(dice: &mut Dice, number: usize, place: usize, session: &str, runtime: &str, todos: &[String]) -> Value {
    let outcomes: Vec<_> = (0..12)
        .map(|item| {
            json!({
                "outcome_id": format!("out-{number:05}-{place}-{item}"),
                "kind": if item % 2 == 0 { "work" } else { "validation" }, "status": dice.word::<OutcomeStatus>(),
                "todo_id": todos[item % 4], "at": dice.hours_ago(48), "summary": sentence(dice, 110),
            })
        })
        .collect();
    let events: Vec<_> = (0..4)
        .map(|item| {
            json!({
                "event_id": format!("evt-{number:05}-{place}-{item}"), "kind": "turn", "status": "completed",
                "at": dice.hours_ago(20), "turn_id": format!("turn-{item}"), "summary": sentence(dice, 60),
            })
        })
        .collect();
    let artifacts: Vec<_> = (0..2)
        .map(|item| {
            json!({
                "artifact_id": format!("art-{number:05}-{place}-{item}"), "kind": "report", "status": "current",
                "at": dice.hours_ago(40), "summary": sentence(dice, 60),
            })
        })
        .collect();
    json!({
        "schema_version": "session_runtime_facts_v0", "runtime_id": runtime, "session_id": session,
        "status": "running", "updated_at": dice.hours_ago(5), "outcomes": outcomes, "events": events,
        "artifacts": artifacts,
    })
}

/// Writes a document of a goal; an empty list is left out, as a person would.
fn put(generated: &mut Generated, goal: &str, path: &str, mut document: Value) {
    if let Some(fields) = document.as_object_mut() {
        fields.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    }
    generated.put(format!("goals/{goal}/{path}.yaml"), &document);
}
