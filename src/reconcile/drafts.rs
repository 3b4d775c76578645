//! A writeback before it is shown: who would be told what, its key, and the digest that a person approves.

use serde_json::{Value, json};

use super::sources::{RecordedEvent, WritebackContent};
use crate::vocabulary::contract::{False, Nullable};
use crate::vocabulary::writeback::{
    ArtifactPayload, DecisionPayload, HandoffPayload, LoopxSource, Payload, QuotaPayload, RewardPayload, RunPayload,
    Write, WriteBoundary, WriteClass, WriteResult, Writeback, WritebackStatus, WritebackTarget,
};
use crate::vocabulary::{ClosedWords, Digest, Receipt, RuntimeId, WritebackMode, sha256};

/// A writeback that every entry criterion allows, as documents name things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WritebackDraft<'a> {
    pub(super) goal: &'a str,
    pub(super) agent: &'a str,
    pub(super) runtime: RuntimeId,
    pub(super) session: &'a str,
    pub(super) event: RecordedEvent<'a>,
}

impl WritebackDraft<'_> {
    /// The class, which the event decides.
    pub(super) fn class(&self) -> WriteClass {
        self.event.reported.event_class().write_class()
    }

    /// Goal, source run and class: a target takes a key at most once.
    pub(super) fn key(&self) -> String {
        format!("{}:{}:{}", self.goal, self.event.run_id, self.class())
    }

    /// The preview, with every text made by `text`. Nothing is applied by it, so it is a dry run.
    pub(super) fn document<T>(&self, text: impl Fn(&str) -> T) -> Writeback<T, T> {
        let text = &text;
        Writeback {
            schema_version: Default::default(),
            goal_id: text(self.goal),
            agent_id: text(self.agent),
            runtime: WritebackTarget { runtime_id: text(self.runtime.word()), session_id: text(self.session) },
            loopx_source: LoopxSource {
                source_run_id: Nullable(Some(text(self.event.run_id.as_str()))),
                source_todo_id: Nullable(self.event.todo.as_ref().map(|todo| text(todo.as_str()))),
                source_event_class: self.event.reported.event_class(),
            },
            writeback: Write {
                write_class: self.class(),
                mode: WritebackMode::DryRun,
                idempotency_key: text(&self.key()),
                payload: self.payload(text),
            },
            boundary: WriteBoundary {
                raw_transcripts_copied: False,
                raw_tool_outputs_copied: False,
                credentials_copied: False,
                private_paths_copied: False,
                launch_authority_granted: False,
            },
            result: WriteResult {
                status: WritebackStatus::Previewed,
                runtime_event_id: Nullable(None),
                loopx_writeback_run_id: Nullable(None),
                reason: None,
            },
        }
    }

    fn payload<T>(&self, text: &impl Fn(&str) -> T) -> Payload<T, T> {
        match &self.event.reported {
            WritebackContent::Decision { gate, label, class, reason } => Payload::Decision(DecisionPayload {
                decision_id: text(gate.gate_id.as_str()),
                decision_label: text(label),
                actor_class: *class,
                reason_summary: text(reason),
                source_run_id: Some(text(self.event.run_id.as_str())),
            }),
            WritebackContent::Reward(reward) => Payload::Reward(RewardPayload {
                reward_id: text(reward.reward_id.as_str()),
                judged_run_id: text(reward.judges.as_str()),
                decision_label: text(reward.reward.word()),
                reason: text(reward.given.reason.as_str()),
            }),
            WritebackContent::Quota { hint, window_id, reason_code } => {
                Payload::Quota(QuotaPayload { hint: *hint, window_id: text(window_id), reason_code: text(reason_code) })
            }
            WritebackContent::Handoff(handoff) => Payload::Handoff(HandoffPayload {
                handoff_id: text(handoff.handoff_id.as_str()),
                next_action: text(handoff.next_action.as_str()),
                stop_condition: text(handoff.stop_condition.as_str()),
                evidence_pointers: handoff.evidence.iter().map(|id| text(id.as_str())).collect(),
            }),
            WritebackContent::Artifact { artifact_id, receipt } => Payload::Artifact(ArtifactPayload {
                artifact_id: text(artifact_id.as_str()),
                validation_label: text(validation_label(receipt)),
                outcome_class: text(receipt.result.word()),
            }),
            WritebackContent::Run(receipt) => Payload::Run(RunPayload {
                run_id: text(receipt.run_id.as_str()),
                validation_label: text(validation_label(receipt)),
                outcome_class: text(receipt.result.word()),
            }),
        }
    }

    /// What a person approves: the SHA-256 of the canonical form of everything that the host would be told, with the
    /// digest of the source. Mode, result and facts have no part in it, so any clone computes the same.
    pub(super) fn digest(&self) -> Digest {
        let document = self.document(str::to_owned);
        let approved = json!({
            "goal": document.goal_id,
            "agent": document.agent_id,
            "runtime": document.runtime,
            "loopx_source": document.loopx_source,
            "source_digest": self.event.digest,
            "write_class": document.writeback.write_class,
            "key": document.writeback.idempotency_key,
            "payload": document.writeback.payload,
            "boundary": document.boundary,
        });
        // Sorted ASCII keys, text, whole numbers: plain JSON is the canonical form of RFC 8785.
        Digest::new(sha256(approved.to_string().as_bytes()))
    }

    /// Every text that would leave.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let mut waiting = vec![json!(self.document(str::to_owned))];
        while let Some(value) = waiting.pop() {
            match value {
                Value::String(text) => texts.push(text),
                Value::Array(items) => waiting.extend(items),
                Value::Object(entries) => waiting.extend(entries.into_iter().map(|(_, value)| value)),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        texts
    }
}

/// What says that it is sound: the outcome that the receipt links.
fn validation_label(receipt: &Receipt) -> &str {
    receipt.outcome_id.as_ref().map_or("none", |outcome| outcome.as_str())
}
