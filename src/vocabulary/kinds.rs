//! The kinds of documents: one row each for version word, plane, place and record (product.md 2).

use serde::Serialize;

use super::closed::{ClosedWords, vocabulary};
use super::contract::ContractFault;
use super::desired::{
    Admission, Binding, Gate, Goal, Handoff, Proposal, Reward, Todo, WorkspaceSettings, WritebackRequest,
};
use super::memory::Memory;
use super::observed::Facts;
use super::plugin::Plugin;
use super::policy::Policy;
use super::projection::ReceivedProjection;
use super::readonly::ReadonlyProjection;
use super::recorded::Receipt;
use super::text::Paragraph;
use super::writeback::Writeback;
use crate::document::{DecodeFault, Node, decode};

vocabulary! {
    /// Who writes a kind of document, and whether git holds it.
    Plane, "plane", "a plane" {
        Desired = "desired": "people and agents write it through commits",
        Observed = "observed": "hosts and ingesters write it",
        Recorded = "recorded": "loopx writes it once, committed",
        Emitted = "emitted": "loopx writes it again at will",
    }
}

/// A type of document: the record of one kind.
pub trait TypedRecord {
    /// The kind whose documents have this type.
    const KIND: Kind;

    /// The record as this type; `None` for a document of another kind.
    fn of(record: &Record) -> Option<&Self>;
}

/// Declares the kinds: the enum, the record enum and the row of each.
macro_rules! kinds {
    ($( $kind:ident: $type:ty, $version:literal, $name:literal, $plane:ident, $place:literal, $id:expr; )+) => {
        /// The kind of a document.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $( #[doc = concat!("`", $version, "`")] $kind, )+
        }

        /// A decoded document of any kind.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Record {
            $( #[doc = concat!("A `", $version, "`.")] $kind($type), )+
        }

        $(
            impl TypedRecord for $type {
                const KIND: Kind = Kind::$kind;

                fn of(record: &Record) -> Option<&Self> {
                    match record {
                        Record::$kind(it) => Some(it),
                        _ => None,
                    }
                }
            }
        )+

        impl Record {
            /// Returns the kind of the document.
            #[must_use]
            pub fn kind(&self) -> Kind {
                match self { $( Self::$kind(_) => Kind::$kind, )+ }
            }

            /// Reads a record of a kind from plain data; `None` where it is none.
            #[must_use]
            pub fn of_kind(kind: Kind, json: serde_json::Value) -> Option<Self> {
                match kind {
                    $( Kind::$kind => serde_json::from_value::<$type>(json).ok().map(Self::$kind), )+
                }
            }
        }

        impl Kind {
            /// Every kind, in the order of product.md 2.
            pub const ALL: &'static [Self] = &[ $( Self::$kind, )+ ];

            /// Everything that is declared about this kind.
            #[must_use]
            pub fn row(self) -> &'static KindRow {
                match self {
                    $( Self::$kind => {
                        const ROW: KindRow = KindRow {
                            version: $version,
                            name: $name,
                            plane: Plane::$plane,
                            place: $place,
                            id_field: $id,
                        };
                        &ROW
                    } )+
                }
            }

            /// The record's schema as schemars derives it.
            pub(super) fn derived_schema(self) -> schemars::Schema {
                match self {
                    $( Self::$kind => schemars::SchemaGenerator::default().into_root_schema_for::<$type>(), )+
                }
            }

            /// What judges of the schema, as text: generated from the record and kept fresh by a test, since to derive
            /// one costs more than to judge ten documents by it.
            #[must_use]
            pub fn bare_schema(self) -> &'static str {
                match self {
                    $( Self::$kind => include_str!(concat!("bare_schemas/", $version, ".json")), )+
                }
            }

            /// Decodes a document that passed this kind's schema.
            ///
            /// # Errors
            /// What no schema says: a moment or a duration that does not exist.
            pub fn decode(self, node: &Node) -> Result<Record, DecodeFault> {
                match self {
                    $( Self::$kind => decode::<$type>(node).map(Record::$kind), )+
                }
            }
        }
    };
}

/// What is declared about a kind.
#[derive(Debug, Clone, Copy)]
pub struct KindRow {
    /// Its `schema_version`.
    pub version: &'static str,
    /// What messages call it, without an article.
    pub name: &'static str,
    /// Who writes it.
    pub plane: Plane,
    /// Its place below the state directory; `{route}` stands for the value of a field, `*` for any name. Empty for
    /// a kind that only stands alone.
    pub place: &'static str,
    /// The field of its own id.
    pub id_field: Option<&'static str>,
}

kinds! {
    Workspace: WorkspaceSettings, "loopx_workspace_v0", "workspace", Desired, "loopx.yaml", None;
    Goal: Goal, "loopx_goal_v0", "goal", Desired, "goals/{goal_id}/goal.yaml", Some("goal_id");
    Todo: Todo, "loopx_todo_v0", "todo", Desired, "goals/{goal_id}/todos/{todo_id}.yaml", Some("todo_id");
    Gate: Gate, "operator_gate_v0", "gate", Desired, "goals/{goal_id}/gates/{gate_id}.yaml", Some("gate_id");
    Handoff: Handoff, "handoff_packet_v0", "handoff", Desired, "goals/{goal_id}/handoffs/{handoff_id}.yaml", Some("handoff_id");
    Reward: Reward, "human_reward_v0", "reward", Desired, "goals/{goal_id}/rewards/{reward_id}.yaml", Some("reward_id");
    Proposal: Proposal, "dreaming_proposal_v0", "proposal", Desired, "goals/{goal_id}/proposals/{proposal_id}.yaml",
        Some("proposal_id");
    Binding: Binding, "loopx_agent_session_binding_v0", "binding", Desired, "goals/{goal_id}/bindings/{session_id}.yaml",
        Some("session_id");
    WritebackRequest: WritebackRequest, "loopx_writeback_request_v0", "writeback request", Desired,
        "goals/{goal_id}/writebacks/{request_id}.yaml", Some("request_id");
    Memory: Memory, "openviking_session_memory_adapter_v0", "memory", Desired,
        "goals/{goal_id}/memory/{issue_projection.issue_ref_id}.yaml", Some("issue_projection.issue_ref_id");
    Plugin: Plugin, "host_integration_plugin_plan_v0", "plugin plan", Desired, "hosts/{host_kind}/plugin.yaml", None;
    Admission: Admission, "host_admission_v0", "admission", Desired, "hosts/{host_kind}/admission.yaml", None;
    Facts: Facts, "session_runtime_facts_v0", "facts", Observed, "facts/{runtime_id}/{session_id}.yaml", None;
    Policy: Policy, "loopx_policy_v0", "policy", Desired, "policies/*.yaml", None;
    Receipt: Receipt, "loopx_run_receipt_v0", "receipt", Recorded, "receipts/{goal_id}/*/{run_id}.yaml", Some("run_id");
    Projection: ReceivedProjection, "session_runtime_loopx_projection_v0", "projection", Emitted,
        "projections/{goal_id}/{agent_id}.json", None;
    Writeback: Writeback, "session_runtime_controlled_writeback_v0", "writeback", Emitted, "previews/{goal_id}/*.json", None;
    AttentionQueue: super::emitted::AttentionQueue<Paragraph>, "loopx_attention_queue_v0", "attention queue", Emitted, "attention.json", None;
    Blocker: super::emitted::Blocker<Paragraph>, "loopx_blocker_v0", "blocker", Emitted, "blockers/{goal_id}/{request_id}.json", None;
    ReadonlyProjection: ReadonlyProjection, "session_runtime_readonly_projection_v0", "read-only projection", Emitted, "", None;
}

impl Kind {
    /// The kind of a version word.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.row().version == version)
    }

    /// The kind whose place a path below the state directory is, with the field values that the path fixes.
    #[must_use]
    pub fn at(path: &str) -> Option<(Self, Vec<(&'static str, &str)>)> {
        Self::ALL.iter().find_map(|kind| fields_of(kind.row().place, path).map(|fields| (*kind, fields)))
    }

    /// The path of a document of this kind, from the values of the fields in its place.
    ///
    /// `None` when a value is missing, or the place has a free name or is none.
    pub fn path<'a>(self, value: impl Fn(&str) -> Option<&'a str>) -> Option<String> {
        let parts = self.row().place.split('/').map(|part| {
            let (stem, ending) = ending_of(part);
            match stem.strip_prefix('{').and_then(|field| field.strip_suffix('}')) {
                Some(field) => value(field).map(|value| format!("{value}{ending}")),
                None if stem == "*" || stem.is_empty() => None,
                None => Some(part.to_owned()),
            }
        });
        parts.collect::<Option<Vec<_>>>().map(|parts| parts.join("/"))
    }
}

/// The field values of a path that fits a place; `.json` fits where `.yaml` does.
fn fields_of<'a>(place: &'static str, path: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut fields = Vec::new();
    let mut parts = path.split('/');
    for want in place.split('/') {
        let part = parts.next()?;
        let (want, ending) = ending_of(want);
        let json = || part.strip_suffix(".json").filter(|_| ending == ".yaml");
        let part = part.strip_suffix(ending).or_else(json)?;
        match want.strip_prefix('{').and_then(|field| field.strip_suffix('}')) {
            Some(field) => fields.push((field, part)),
            None if want == "*" => {}
            None if want == part => {}
            None => return None,
        }
    }
    parts.next().is_none().then_some(fields)
}

/// A part of a place without its ending, and the ending with its dot; folders have none.
fn ending_of(part: &str) -> (&str, &str) {
    [".yaml", ".json"]
        .into_iter()
        .find_map(|ending| part.strip_suffix(ending).map(|stem| (stem, ending)))
        .unwrap_or((part, ""))
}

impl Record {
    /// The goal this document belongs to, if its kind belongs to one.
    #[must_use]
    pub fn goal_id(&self) -> Option<&str> {
        match self {
            Self::Goal(record) => Some(record.goal_id.as_str()),
            Self::Todo(record) => Some(record.goal_id.as_str()),
            Self::Gate(record) => Some(record.goal_id.as_str()),
            Self::Handoff(record) => Some(record.goal_id.as_str()),
            Self::Reward(record) => Some(record.goal_id.as_str()),
            Self::Proposal(record) => Some(record.goal_id.as_str()),
            Self::Binding(record) => Some(record.goal_id.as_str()),
            Self::WritebackRequest(record) => Some(record.goal_id.as_str()),
            Self::Receipt(record) => Some(record.goal_id.as_str()),
            Self::Memory(record) => Some(record.goal_id.as_str()),
            Self::Projection(record) => Some(record.goal_id.as_str()),
            Self::Writeback(record) => Some(record.goal_id.as_str()),
            Self::Blocker(record) => Some(record.goal_id.as_str()),
            Self::Workspace(_)
            | Self::Admission(_)
            | Self::Facts(_)
            | Self::Policy(_)
            | Self::Plugin(_)
            | Self::AttentionQueue(_)
            | Self::ReadonlyProjection(_) => None,
        }
    }
}

impl Record {
    /// Lists what a contract says about its own document and no schema can say.
    #[must_use]
    pub fn contract_faults(&self) -> Vec<ContractFault> {
        match self {
            Self::Memory(record) => record.faults(),
            Self::Projection(record) => record.faults(),
            Self::Writeback(record) => record.faults(),
            _ => Vec::new(),
        }
    }
}

/// The planes, for `explain`.
pub(super) const PLANES: super::closed::Vocabulary = Plane::VOCABULARY;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_and_kind_determine_each_other() {
        let (kind, fields) = Kind::at("goals/ledger/todos/cutover-9d4m.yaml").expect("a todo's place");
        assert_eq!((kind, &fields[..]), (Kind::Todo, &[("goal_id", "ledger"), ("todo_id", "cutover-9d4m")][..]));
        let path = kind.path(|field| fields.iter().find(|(name, _)| *name == field).map(|(_, value)| *value));
        assert_eq!(path.as_deref(), Some("goals/ledger/todos/cutover-9d4m.yaml"));
        assert_eq!(Kind::at("goals/ledger/goal.json").map(|(kind, _)| kind), Some(Kind::Goal));
        assert!(Kind::at("goals/ledger/todos/deep/x.yaml").is_none());
        assert!(Kind::at("goals/ledger/todos/x.yml").is_none());
        assert_eq!(Kind::at("previews/ledger/wb-1.json").map(|(kind, _)| kind), Some(Kind::Writeback));
        assert!(Kind::at("previews/ledger/wb-1.yaml").is_none());
        assert_eq!(Kind::ReadonlyProjection.path(|_| Some("x")), None);
    }
}
