//! The rules of the builder.

use super::member::{Member, bounded, collapsed, scalar_text, truthy};
use crate::privacy::{Text, Wall};
use crate::vocabulary::{
    ClosedWords,
    contract::{False, Nullable},
    readonly::{
        AttentionItem, Built, GateWord, Groups, Lane, ReadOnly, ReadonlyBoundary, ReadonlyScreen, ReadonlySource,
        ReadonlyV0, ReconcileRule, SessionRuntime, SourceRef, Waiting, WorkLaneContract,
    },
};
use serde_json::Value;
use std::collections::BTreeSet;
use thiserror::Error;

/// The longest text, id, kind and time in code points, before the dots.
const TEXT: usize = 180;
const ID: usize = 120;
const KIND: usize = 60;
const TIME: usize = 80;

const VALIDATED: [&str; 4] = ["ok", "passed", "success", "validated"];
const FAILED: [&str; 4] = ["blocked", "error", "failed", "timed_out"];
const REFUSED: [&str; 4] = ["denied", "refused", "reject", "rejected"];
const RAW: [&str; 10] =
    ["credential", "local_path", "log", "raw", "secret", "stderr", "stdout", "token", "trace", "transcript"];

const STATUS_KEYS: [&str; 2] = ["status", "state"];
const KIND_KEYS: [&str; 2] = ["kind", "type"];
const ACTOR_KEYS: [&str; 4] = ["actor", "required_actor", "decision_actor", "channel"];
const ACTION_KEYS: [&str; 4] = ["recommended_action", "agent_next_action", "next_action", "handoff"];
const QUESTION_KEYS: [&str; 6] = ["question", "requested_decision", "title", "summary", "message", "next_action"];
const VALIDATION_KEYS: [&str; 5] = ["validation_summary", "validated", "result", "summary", "message"];
const BLOCKER_KEYS: [&str; 5] = ["blocker", "blocker_summary", "summary", "message", "title"];

const ASK_FOR_SUMMARIES: &str = "provide compact summaries without raw material before projection";
const KEEP_WATCH: &str = "monitor for a material transition";
const CONFLICT_POLICY: &str = "recompute projection from compact source refs; do not copy raw transcripts, raw logs, \
                               credentials, billing records, or sandbox internals into LoopX state";

/// Why summaries can't be projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Malformed {
    /// The input is no object.
    #[error("a summary must be one JSON object")]
    NotAnObject,
    /// No goal is named; a projection without one belongs to nobody.
    #[error("`goal_id` must be a text")]
    NoGoal,
    /// A group is a number or `true`, so nobody knows what it left out.
    #[error("`{0}` must be a list of objects")]
    NotAList(&'static str),
}

/// Builds the projection of one object of host summaries.
///
/// Every text passes the wall whole, before it is cut, so that no part of a refused text is left over.
///
/// # Errors
/// [`Malformed`] when the summaries can't be read at all; an absent or empty group is read as empty.
pub fn readonly_projection(summary: &Value, wall: &Wall) -> Result<Built<Text>, Malformed> {
    let builder = ProjectionBuilder { facts: facts(summary)?, wall };
    let goal_id = wall.text(goal_id(summary)?);
    let boundary = builder.boundary();
    let source_refs = builder.source_refs();
    let (lane, first_screen) = builder.first_screen(boundary.raw_material_detected);
    Ok(Built {
        schema_version: ReadonlyV0::Only,
        goal_id,
        mode: ReadOnly::Only,
        source: ReadonlySource {
            host_kind: SessionRuntime::Only,
            source_refs: source_refs.clone(),
            latest_fact_at: Nullable(builder.latest_fact_at()),
        },
        boundary,
        work_lane_contract: WorkLaneContract {
            lane,
            must_attempt_work: first_screen.agent_can_continue,
            user_gate_blocks_delivery: lane == Lane::UserGate,
            monitor_only: lane == Lane::Monitor,
        },
        attention_item: AttentionItem {
            kind: lane,
            priority: lane.priority(),
            title: first_screen.recommended_action.clone(),
            waiting_on: first_screen.waiting_on,
            evidence_refs: source_refs,
        },
        first_screen,
        reconcile_rule: ReconcileRule {
            raw_fact_source: Text::fixed("host_session_log"),
            compact_projection_source: Text::fixed("loopx_run_projection"),
            conflict_policy: Text::fixed(CONFLICT_POLICY),
        },
    })
}

/// The goal's id, as it is given.
fn goal_id(summary: &Value) -> Result<String, Malformed> {
    match &summary["goal_id"] {
        Value::Bool(_) => Err(Malformed::NoGoal),
        given => scalar_text(given).ok_or(Malformed::NoGoal),
    }
}

/// The members of one group that are objects.
struct Group<'a> {
    /// What a member is when it does not say: the group's name in the singular.
    kind: &'static str,
    members: Vec<Member<'a>>,
}

/// Reads the six groups.
fn facts(summary: &Value) -> Result<Groups<Group<'_>>, Malformed> {
    let Value::Object(summary) = summary else { return Err(Malformed::NotAnObject) };
    let group = |name: &'static str, kind| match summary.get(name).unwrap_or(&Value::Null) {
        Value::Array(members) => {
            Ok(Group { kind, members: members.iter().filter_map(Value::as_object).map(Member).collect() })
        }
        scalar @ (Value::Bool(_) | Value::Number(_)) if truthy(scalar) => Err(Malformed::NotAList(name)),
        _ => Ok(Group { kind, members: Vec::new() }),
    };
    Ok(Groups {
        sessions: group("sessions", "session")?,
        events: group("events", "event")?,
        outcomes: group("outcomes", "outcome")?,
        gates: group("gates", "gate")?,
        artifacts: group("artifacts", "artifact")?,
        decision_results: group("decision_results", "decision_result")?,
    })
}

struct ProjectionBuilder<'a> {
    facts: Groups<Group<'a>>,
    wall: &'a Wall,
}

impl<'a> ProjectionBuilder<'a> {
    fn first_screen(&self, raw_material: bool) -> (Lane, ReadonlyScreen<Text>) {
        let gate = self.facts.gates.members.iter().find_map(|gate| PendingGate::blocking(*gate));
        let agent_todo = self.agent_todo().filter(|_| gate.is_none());
        let latest_blocker = self.latest_blocker();
        let lane = match (&gate, &agent_todo, &latest_blocker) {
            (Some(_), _, _) => Lane::UserGate,
            (None, Some(_), _) => Lane::AdvancementTask,
            (None, None, Some(_)) => Lane::Blocker,
            (None, None, None) => Lane::Monitor,
        };
        let user_todo = gate.as_ref().and_then(|gate| self.text(gate.member, &QUESTION_KEYS));
        let recommended_action = match lane {
            _ if raw_material => Some(Text::fixed(ASK_FOR_SUMMARIES)),
            Lane::UserGate => user_todo.clone(),
            Lane::AdvancementTask => agent_todo.clone(),
            Lane::Blocker | Lane::Monitor => Some(Text::fixed(KEEP_WATCH)),
        };
        let screen = ReadonlyScreen {
            waiting_on: match (lane, &gate) {
                (_, Some(gate)) => gate.actor,
                (Lane::AdvancementTask, None) => Waiting::Agent,
                (Lane::Blocker, None) => Waiting::Runtime,
                (Lane::UserGate | Lane::Monitor, None) => Waiting::None,
            },
            user_action_required: gate.is_some(),
            agent_can_continue: agent_todo.is_some() && !raw_material,
            first_user_todo: Nullable(user_todo),
            first_agent_todo: Nullable(agent_todo),
            latest_validation: Nullable(self.latest_validation()),
            latest_blocker: Nullable(latest_blocker),
            gate_state: gate.map_or(GateWord::None, |gate| gate.status),
            recommended_action: Nullable(recommended_action),
        };
        (lane, screen)
    }

    /// What the agent would do next. A summary tells what happened: that of a blocker or of a refused decision is
    /// no action, and nobody goes on because of it.
    fn agent_todo(&self) -> Option<Text> {
        let Groups { sessions, events, outcomes, decision_results, .. } = &self.facts;
        let decisions = decision_results.members.iter().map(|fact| (*fact, is_refused(*fact)));
        let sessions = sessions.members.iter().map(|fact| (*fact, false));
        let others = events.members.iter().chain(&outcomes.members).map(|fact| (*fact, is_blocker(*fact)));
        decisions.chain(sessions).chain(others).find_map(|(fact, in_the_way)| {
            let summary = || self.text(fact, &["summary"]).filter(|_| !in_the_way);
            self.text(fact, &ACTION_KEYS).or_else(summary)
        })
    }

    fn latest_validation(&self) -> Option<Text> {
        let Groups { outcomes, events, .. } = &self.facts;
        newest(&[outcomes, events], is_validation).and_then(|fact| self.text(fact, &VALIDATION_KEYS))
    }

    fn latest_blocker(&self) -> Option<Text> {
        let Groups { gates, outcomes, events, .. } = &self.facts;
        newest(&[gates, outcomes, events], is_blocker).and_then(|fact| self.text(fact, &BLOCKER_KEYS))
    }

    fn latest_fact_at(&self) -> Option<Text> {
        let Groups { sessions, events, outcomes, .. } = &self.facts;
        newest(&[sessions, events, outcomes], |_| true).and_then(|fact| self.shown(&fact.time(), TIME))
    }

    fn source_refs(&self) -> Groups<Vec<SourceRef<Text>>> {
        self.facts.map(|group| group.members.iter().map(|fact| self.source_ref(*fact, group.kind)).collect())
    }

    fn source_ref(&self, fact: Member<'_>, default: &'static str) -> SourceRef<Text> {
        let kind = scalar_text(fact.first_true(&KIND_KEYS)).and_then(|kind| self.shown(&kind, KIND));
        let id = |key| self.shown(&scalar_text(fact.get(key))?, ID);
        SourceRef {
            kind: kind.unwrap_or(Text::fixed(default)),
            session_id: id("session_id"),
            event_id: id("event_id"),
            outcome_id: id("outcome_id"),
            gate_id: id("gate_id"),
            approval_id: id("approval_id"),
            artifact_id: id("artifact_id"),
            tool_call_id: id("tool_call_id"),
            run_id: id("run_id"),
            ref_id: id("ref_id"),
        }
    }

    /// What was not copied, and the keys that name raw material, cut like an id.
    fn boundary(&self) -> ReadonlyBoundary<Text> {
        let keys = self.facts.each().into_iter().flat_map(|group| &group.members).flat_map(|fact| fact.0.keys());
        let raw: BTreeSet<&String> = keys.filter(|key| self.names_raw_material(key)).collect();
        ReadonlyBoundary {
            raw_transcript_copied: False,
            raw_logs_copied: False,
            credentials_copied: False,
            runtime_writeback_allowed: False,
            runtime_mutation_allowed: False,
            raw_material_detected: !raw.is_empty(),
            raw_material_key_names: raw.into_iter().filter_map(|key| self.shown(key, ID)).collect(),
        }
    }

    /// Whether a key holds one of the builder's words, or is refused by the wall.
    fn names_raw_material(&self, key: &str) -> bool {
        let lower = key.to_lowercase();
        RAW.iter().any(|word| lower.contains(word)) || self.wall.forbids_field(key)
    }

    fn text(&self, fact: Member<'_>, keys: &[&str]) -> Option<Text> {
        keys.iter().find_map(|key| self.shown(&scalar_text(fact.get(key))?, TEXT))
    }

    /// A text as it leaves: in one line, past the wall, then cut.
    fn shown(&self, text: &str, limit: usize) -> Option<Text> {
        collapsed(text).map(|text| self.wall.text(bounded(self.wall.redact(&text), limit)))
    }
}

/// A gate that waits for a human decision.
struct PendingGate<'a> {
    member: Member<'a>,
    status: GateWord,
    actor: Waiting,
}

impl<'a> PendingGate<'a> {
    /// Reads a member as a gate that blocks. Any key that names a human counts: another actor beside it must not
    /// open the gate.
    fn blocking(member: Member<'a>) -> Option<Self> {
        let status = GateWord::of(&member.word(&STATUS_KEYS)).filter(|status| *status != GateWord::None)?;
        let human = member.words(&ACTOR_KEYS).filter_map(|word| Waiting::of(&word)).find(|actor| actor.is_human());
        let asked = member.has("requires_human_decision") || member.has("action_required");
        let released = *member.get("advisory") == Value::Bool(true) || *member.get("blocking") == Value::Bool(false);
        ((human.is_some() || asked) && !released).then_some(Self {
            member,
            status,
            actor: human.unwrap_or(Waiting::Operator),
        })
    }
}

fn is_validation(fact: Member<'_>) -> bool {
    let kind = fact.word(&KIND_KEYS);
    (matches!(&*kind, "validation" | "outcome") && VALIDATED.contains(&&*fact.word(&STATUS_KEYS)))
        || fact.has_text(&["validation_summary", "validated", "result"])
}

fn is_refused(decision: Member<'_>) -> bool {
    REFUSED.contains(&&*decision.word(&STATUS_KEYS))
}

fn is_blocker(fact: Member<'_>) -> bool {
    fact.word(&KIND_KEYS) == "blocker"
        || FAILED.contains(&&*fact.word(&STATUS_KEYS))
        || fact.has_text(&["blocker", "blocker_summary"])
}

/// The newest member that is a candidate; of equally new ones the first.
fn newest<'a>(groups: &[&Group<'a>], candidate: impl Fn(Member<'a>) -> bool) -> Option<Member<'a>> {
    let members = groups.iter().flat_map(|group| &group.members).copied();
    // The greatest of a reversed order is the first of the order.
    members.filter(|fact| candidate(*fact)).rev().max_by_key(|fact| fact.moment())
}

#[cfg(test)]
mod tests {
    use super::{Malformed, readonly_projection};
    use crate::privacy::Wall;
    use serde_json::{Value, json};

    fn first_agent_todo(mut summary: Value) -> Option<String> {
        summary["goal_id"] = "goal-alpha".into();
        let built = readonly_projection(&summary, Wall::shipped()).expect("is well formed");
        built.first_screen.first_agent_todo.get().map(ToString::to_string)
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let refused = |summary| readonly_projection(&summary, Wall::shipped()).map(drop);
        assert_eq!(refused(json!([])), Err(Malformed::NotAnObject));
        assert_eq!(refused(json!({"gates": []})), Err(Malformed::NoGoal));
        assert_eq!(refused(json!({"goal_id": "a", "gates": true})), Err(Malformed::NotAList("gates")));
        assert_eq!(refused(json!({"goal_id": "a", "events": 7})), Err(Malformed::NotAList("events")));
        assert_eq!(refused(json!({"goal_id": "a", "events": 0, "gates": "open"})), Ok(()));
    }

    #[test]
    fn only_the_named_action_of_a_refused_decision_is_work() {
        let refused = json!({"status": "Rejected", "summary": "the rollout"});
        assert_eq!(first_agent_todo(json!({"decision_results": [refused]})), None);
        let next = json!({"status": "rejected", "summary": "the rollout", "next_action": "plan anew"});
        assert_eq!(first_agent_todo(json!({"decision_results": [next]})).as_deref(), Some("plan anew"));
    }

    #[test]
    fn a_refused_text_is_masked_before_it_is_cut() {
        let path = ["/ho", "me/alice/notes"].concat();
        let shown = first_agent_todo(json!({"sessions": [{"summary": format!("{} {path}", "x".repeat(170))}]}));
        assert_eq!(shown, Some(format!("{} ‹hidden:...", "x".repeat(170))));
    }
}
