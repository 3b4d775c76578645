//! Facts: what a host reports happened, as compact summaries with ids (semantics.md 3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::{ClosedWords, version};
use super::text::{Id, Line};
use super::time::Instant;
use super::words::{
    ApprovalStatus, ArtifactStatus, EventKind, EventStatus, GateDecision, HostKind, OutcomeKind, OutcomeStatus,
    RuntimeId, SessionStatus,
};

version!(FactsV0 = "session_runtime_facts_v0");

/// Everything one host says about one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The kind of this document.
    pub schema_version: FactsV0,
    /// The runtime family; the name of the folder.
    pub runtime_id: RuntimeId,
    /// The binding's id, or a random handle; the name of the file.
    pub session_id: Id,
    /// The kind of host, where the runtime leaves it open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_kind: Option<HostKind>,
    /// Where the session stands.
    pub status: SessionStatus,
    /// When the host last spoke.
    pub updated_at: Instant,
    /// What ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<OutcomeFact>,
    /// What happened on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventFact>,
    /// The host's own approvals; never a person's decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalFact>,
    /// What was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactFact>,
    /// What the host was told about decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decision_results: Vec<DecisionFact>,
}

/// Declares one kind of fact item: its id, kind and status, and the links that all items share.
macro_rules! item {
    ($(#[doc = $doc:literal])+ $name:ident, $list:literal, $id:ident, $kind:ty, $status:ty, [$($link:ident),*]) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The id of this item, unique within its facts.
            pub $id: Id,
            /// What it is of.
            pub kind: $kind,
            /// What it says.
            pub status: $status,
            /// When it happened.
            pub at: Instant,
            /// One compact line about it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub summary: Option<Line>,
            /// The todo it is about.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub todo_id: Option<Id>,
            $(
                /// A linked item or document.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $link: Option<Id>,
            )*
            /// The item that this one replaces.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub supersedes: Option<Id>,
        }

        impl $name {
            /// Every key that an item of this list may have.
            pub const KEYS: &'static [&'static str] =
                &[stringify!($id), "kind", "status", "at", "summary", "todo_id", $(stringify!($link),)* "supersedes"];

            fn item(&self, index: usize) -> Item<'_> {
                let links = [
                    ("todo_id", &self.todo_id),
                    $( (stringify!($link), &self.$link), )*
                    ("supersedes", &self.supersedes),
                ];
                Item {
                    list: $list,
                    index,
                    id_field: stringify!($id),
                    id: &self.$id,
                    kind: self.kind.to_string(),
                    status: self.status.word(),
                    summary: self.summary.as_ref(),
                    at: self.at,
                    links: links.into_iter().filter_map(|(field, id)| Some((field, id.as_ref()?))).collect(),
                }
            }
        }
    };
}

/// What all items of facts share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item<'a> {
    /// The list it stands in.
    pub list: &'static str,
    /// Its place in the list.
    pub index: usize,
    /// The field of its id.
    pub id_field: &'static str,
    /// Its id.
    pub id: &'a Id,
    /// What it is of.
    pub kind: String,
    /// What it says.
    pub status: &'static str,
    /// One compact line about it.
    pub summary: Option<&'a Line>,
    /// When it happened.
    pub at: Instant,
    /// The ids it names, by field.
    pub links: Vec<(&'static str, &'a Id)>,
}

impl Facts {
    /// Lists the items of all kinds, in the order of the document's table.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let outcomes = self.outcomes.iter().enumerate().map(|(index, item)| item.item(index));
        let events = self.events.iter().enumerate().map(|(index, item)| item.item(index));
        let approvals = self.approvals.iter().enumerate().map(|(index, item)| item.item(index));
        let artifacts = self.artifacts.iter().enumerate().map(|(index, item)| item.item(index));
        let decisions = self.decision_results.iter().enumerate().map(|(index, item)| item.item(index));
        outcomes.chain(events).chain(approvals).chain(artifacts).chain(decisions)
    }
}

item!(
    /// Something ended.
    OutcomeFact, "outcomes", outcome_id, OutcomeKind, OutcomeStatus, [artifact_id, gate_id, turn_id]
);
item!(
    /// Something happened on the way.
    EventFact, "events", event_id, EventKind, EventStatus, [outcome_id, artifact_id, gate_id, turn_id]
);
item!(
    /// The host asked somebody.
    ApprovalFact, "approvals", approval_id, Id, ApprovalStatus, [outcome_id, artifact_id, gate_id, turn_id]
);
item!(
    /// Something was made.
    ArtifactFact, "artifacts", artifact_id, Id, ArtifactStatus, [outcome_id, gate_id, turn_id]
);
item!(
    /// The host was told about a decision.
    DecisionFact, "decision_results", decision_id, Id, GateDecision, [outcome_id, artifact_id, gate_id, turn_id]
);
