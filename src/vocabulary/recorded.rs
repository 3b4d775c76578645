//! Receipts: what counts, append-only and named by effect (semantics.md 6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::closed::version;
use super::kinds::Kind;
use super::shape::Outcome;
use super::text::{Digest, Id, Paragraph};
use super::time::Instant;
use super::words::{ActorClass, EventClass};

version!(ReceiptV0 = "loopx_run_receipt_v0");

/// The record of one effect, written once and committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The kind of this document.
    pub schema_version: ReceiptV0,
    /// Its goal.
    pub goal_id: Id,
    /// `run-` and the first 16 hex digits of the SHA-256 of the effect key; the name of the file.
    pub run_id: Id,
    /// What was asked, as a compact JSON array; never what was answered.
    pub effect_key: Paragraph,
    /// What kind of effect it is.
    pub event_class: EventClass,
    /// The document that this receipt is of.
    pub source: ReceiptSource,
    /// What was answered, or what came of it.
    pub result: Outcome,
    /// Who acted.
    pub actor_class: ActorClass,
    /// When.
    pub at: Instant,
    /// The agent it concerns; absent: all of the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Id>,
    /// The todo it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub todo_id: Option<Id>,
    /// The session it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Id>,
    /// The outcome it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome_id: Option<Id>,
    /// The artifact it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<Id>,
}

/// The document that a receipt is of, by kind, id and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptSource {
    /// The `schema_version` of the document, or the kind of fact.
    pub kind: Id,
    /// Its id.
    pub id: Id,
    /// The SHA-256 of what was decided.
    pub digest: Digest,
}

/// What was asked: the key that names a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect<'a> {
    /// A gate's revision was decided.
    Gate(&'a str, &'a str, u32),
    /// A gate's revision was withdrawn.
    GateWithdrawn(&'a str, &'a str, u32),
    /// A handoff was approved.
    HandoffApproved(&'a str, &'a str),
    /// A handoff was accepted.
    HandoffAccepted(&'a str, &'a str),
    /// A reward was given.
    Reward(&'a str, &'a str),
    /// A host was told: goal, runtime, session, idempotency key.
    Writeback(&'a str, &'a str, &'a str, &'a str),
    /// A turn settled.
    Turn(&'a str, &'a str),
    /// Quota was spent.
    QuotaSpend(&'a str, &'a str),
    /// A spend was taken back.
    QuotaVoid(&'a str, &'a str),
}

/// One element of an effect key.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum EffectPart<'a> {
    Text(&'a str),
    Number(u32),
}

impl<'a> Effect<'a> {
    /// The effect key: a compact JSON array.
    #[must_use]
    pub fn key(self) -> String {
        let array = match self {
            Self::Gate(goal, gate, revision) => serde_json::json!(["gate", goal, gate, revision]),
            Self::GateWithdrawn(goal, gate, revision) => serde_json::json!(["gate_withdrawn", goal, gate, revision]),
            Self::HandoffApproved(goal, handoff) => serde_json::json!(["handoff_approved", goal, handoff]),
            Self::HandoffAccepted(goal, handoff) => serde_json::json!(["handoff_accepted", goal, handoff]),
            Self::Reward(goal, reward) => serde_json::json!(["reward", goal, reward]),
            Self::Writeback(goal, runtime, session, key) => {
                serde_json::json!(["writeback", goal, runtime, session, key])
            }
            Self::Turn(goal, turn) => serde_json::json!(["turn", goal, turn]),
            Self::QuotaSpend(goal, effect) => serde_json::json!(["quota_spend", goal, effect]),
            Self::QuotaVoid(goal, effect) => serde_json::json!(["quota_void", goal, effect]),
        };
        array.to_string()
    }

    /// The goal of this effect.
    #[must_use]
    pub fn goal_id(&self) -> &'a str {
        match self {
            Self::Gate(goal, ..)
            | Self::GateWithdrawn(goal, ..)
            | Self::HandoffApproved(goal, _)
            | Self::HandoffAccepted(goal, _)
            | Self::Reward(goal, _)
            | Self::Writeback(goal, ..)
            | Self::Turn(goal, _)
            | Self::QuotaSpend(goal, _)
            | Self::QuotaVoid(goal, _) => goal,
        }
    }

    /// Reads an effect key; `None` when it is none.
    #[must_use]
    pub fn read(key: &'a str) -> Option<Self> {
        use EffectPart::{Number, Text};
        let parts: Vec<EffectPart<'a>> = serde_json::from_str(key).ok()?;
        Some(match parts[..] {
            [Text("gate"), Text(goal), Text(gate), Number(revision)] => Self::Gate(goal, gate, revision),
            [Text("gate_withdrawn"), Text(goal), Text(gate), Number(revision)] => {
                Self::GateWithdrawn(goal, gate, revision)
            }
            [Text("handoff_approved"), Text(goal), Text(handoff)] => Self::HandoffApproved(goal, handoff),
            [Text("handoff_accepted"), Text(goal), Text(handoff)] => Self::HandoffAccepted(goal, handoff),
            [Text("reward"), Text(goal), Text(reward)] => Self::Reward(goal, reward),
            [Text("writeback"), Text(goal), Text(runtime), Text(session), Text(key)] => {
                Self::Writeback(goal, runtime, session, key)
            }
            [Text("turn"), Text(goal), Text(turn)] => Self::Turn(goal, turn),
            [Text("quota_spend"), Text(goal), Text(effect)] => Self::QuotaSpend(goal, effect),
            [Text("quota_void"), Text(goal), Text(effect)] => Self::QuotaVoid(goal, effect),
            _ => return None,
        })
    }

    /// The class of its receipt.
    #[must_use]
    pub fn event_class(self) -> EventClass {
        match self {
            Self::Gate(..) | Self::GateWithdrawn(..) => EventClass::OperatorGate,
            Self::HandoffApproved(..) | Self::HandoffAccepted(..) => EventClass::HandoffPacket,
            Self::Reward(..) => EventClass::HumanReward,
            Self::Writeback(..) => EventClass::Writeback,
            Self::Turn(..) => EventClass::Turn,
            Self::QuotaSpend(..) => EventClass::QuotaSpend,
            Self::QuotaVoid(..) => EventClass::QuotaVoid,
        }
    }

    /// The document that brings this effect about; `None` when a host does.
    #[must_use]
    pub fn document(self) -> Option<(Kind, &'a str)> {
        match self {
            Self::Gate(_, gate, _) | Self::GateWithdrawn(_, gate, _) => Some((Kind::Gate, gate)),
            Self::HandoffApproved(_, handoff) | Self::HandoffAccepted(_, handoff) => Some((Kind::Handoff, handoff)),
            Self::Reward(_, reward) => Some((Kind::Reward, reward)),
            Self::Writeback(..) | Self::Turn(..) | Self::QuotaSpend(..) | Self::QuotaVoid(..) => None,
        }
    }

    /// The path of that document below the state directory.
    #[must_use]
    pub fn document_path(self) -> Option<String> {
        let (kind, id) = self.document()?;
        kind.path(|field| if field == "goal_id" { Some(self.goal_id()) } else { Some(id) })
    }

    /// The id of the one receipt of this effect.
    #[must_use]
    pub fn run_id(self) -> Id {
        run_id(&self.key())
    }
}

/// The id of the receipt of an effect key: `run-` and the first 16 hex digits of its SHA-256.
#[must_use]
pub fn run_id(effect_key: &str) -> Id {
    Id::new(format!("run-{}", &sha256(effect_key.as_bytes())[..16]))
}

/// The SHA-256 of bytes, in lower-case hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in lower-case hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a String cannot fail");
        hex
    })
}

impl Receipt {
    /// Its path below the state directory.
    #[must_use]
    pub fn path(&self) -> String {
        receipt_path(self.goal_id.as_str(), self.run_id.as_str())
    }

    /// The path of its effect, which is where it belongs.
    #[must_use]
    pub fn effect_path(&self) -> String {
        receipt_path(self.goal_id.as_str(), run_id(self.effect_key.as_str()).as_str())
    }

    /// Whether it may be used for what it says: named by its effect, which is of its goal and class. Pointers to
    /// artifacts and runs name what was made, not what was asked, so their keys are free.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let is_of_effect = match Effect::read(self.effect_key.as_str()) {
            Some(effect) => effect.goal_id() == self.goal_id.as_str() && effect.event_class() == self.event_class,
            None => self.event_class.is_pointer(),
        };
        is_of_effect && self.run_id == run_id(self.effect_key.as_str())
    }

    /// The artifact that it names, when that is what it records.
    #[must_use]
    pub fn artifact(&self) -> Option<&Id> {
        match self.event_class {
            EventClass::ArtifactPointer => Some(self.artifact_id.as_ref().unwrap_or(&self.source.id)),
            EventClass::Turn | EventClass::RunProjection => self.artifact_id.as_ref(),
            _ => None,
        }
    }

    /// Whether it is named by its effect, and a path below the state directory is that of this name.
    #[must_use]
    pub fn belongs_at(&self, path: &str) -> bool {
        let own = self.effect_path();
        self.path() == own && (path == own || path.strip_suffix(".json") == own.strip_suffix(".yaml"))
    }
}

/// The path of a receipt below the state directory.
#[must_use]
pub fn receipt_path(goal_id: &str, run_id: &str) -> String {
    let shard = run_id.strip_prefix("run-").and_then(|hex| hex.get(..2)).unwrap_or("00");
    format!("receipts/{goal_id}/{shard}/{run_id}.yaml")
}

#[cfg(test)]
mod tests {
    use super::Effect;

    #[test]
    fn an_effect_key_reads_back_as_its_effect() {
        let effects = [
            Effect::Gate("g", "gate", 2),
            Effect::GateWithdrawn("g", "gate", 1),
            Effect::HandoffApproved("g", "handoff"),
            Effect::HandoffAccepted("g", "handoff"),
            Effect::Reward("g", "reward"),
            Effect::Writeback("g", "codex_cli_tui", "session", "g:run:class"),
            Effect::Turn("g", "turn"),
            Effect::QuotaSpend("g", "effect"),
            Effect::QuotaVoid("g", "effect"),
        ];
        for effect in effects {
            assert_eq!(Effect::read(&effect.key()), Some(effect));
            assert_eq!(effect.goal_id(), "g");
        }
        assert_eq!(Effect::Gate("g", "x", 1).document_path().as_deref(), Some("goals/g/gates/x.yaml"));
        assert_eq!(Effect::HandoffAccepted("g", "x").document_path().as_deref(), Some("goals/g/handoffs/x.yaml"));
        assert_eq!(Effect::Turn("g", "x").document_path(), None);
        assert_eq!(Effect::Gate("g", "x", 1).key(), r#"["gate","g","x",1]"#);
        assert_eq!(Effect::read(r#"["gate","g"]"#), None);
        assert_eq!(Effect::read("gate"), None);
    }
}
