//! Everything that reconcile looks at, as plain data. Maps have one order, so no order of reading can show.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::effective::EffectiveGoal;
use crate::vocabulary::memory::Memory;
use crate::vocabulary::{
    Binding, Classes, Facts, Gate, Goal, Handoff, Id, Instant, Kind, Proposal, Receipt, Reward, RuntimeId, Todo,
    WorkspaceSettings, WritebackRequest,
};

/// Desired, observed and recorded state at one moment.
#[derive(Debug, Clone)]
pub struct World<'a> {
    /// The settings of the state directory; the defaults where they cannot be read.
    pub settings: &'a WorkspaceSettings,
    /// Who is who by policy.
    pub actors: BTreeMap<&'a str, &'a Classes>,
    /// The documents of each goal.
    pub goals: BTreeMap<&'a str, GoalDocuments<'a>>,
    /// What hosts report, by runtime and session.
    pub facts: BTreeMap<(RuntimeId, &'a str), &'a Facts>,
    /// Facts that cannot be read or hold refused material; each names its session.
    pub fact_troubles: Vec<UnusableDocument>,
    /// What the authority ref holds, by run id.
    pub receipts: BTreeMap<&'a str, Recorded<'a>>,
    /// The slots that were spent on each goal, beside those of `receipts`: what a cache keeps of many receipts.
    pub spends: BTreeMap<&'a str, &'a Spends>,
    /// What blocks every goal: an unreadable workspace or policy file.
    pub unusable: Vec<UnusableDocument>,
    /// When more does: a workspace or policy file is refused from then on.
    pub usable_until: Option<Instant>,
    /// When facts of a session are refused that are not yet.
    pub facts_usable_until: BTreeMap<&'a str, Instant>,
    /// Git ignores facts and none are there: what needs them is left out, never counted as missing.
    pub facts_absent: bool,
    /// Whether anything can be recorded.
    pub authority: AuthorityState,
    /// How what stands here comes to count.
    pub branch: RecordingBranch,
}

/// How what stands here comes to count at the authority ref.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordingBranch {
    /// The name of the authority ref.
    pub reference: String,
    /// The command that brings changes of documents there.
    pub records: String,
    /// The command that writes the receipt of a decision where it can count.
    pub records_decision: String,
    /// What has to be known of the name or the commit of the authority ref, in one line each.
    pub notes: Vec<String>,
}

impl RecordingBranch {
    /// The command that brings changes of documents to the authority ref, from a commit or from the work tree.
    #[must_use]
    pub fn records(&self, is_committed: bool) -> String {
        match (self.records.as_str(), is_committed) {
            (records @ ("" | "git commit"), _) | (records, true) => records.to_owned(),
            (records, false) => format!("git commit && {records}"),
        }
    }
}

/// The documents of one goal that could be read, by id, and the trouble with the others.
#[derive(Debug, Clone, Default)]
pub struct GoalDocuments<'a> {
    /// `goal.yaml`.
    pub goal: Option<&'a Goal>,
    /// Todos.
    pub todos: BTreeMap<&'a str, &'a Todo>,
    /// Gates.
    pub gates: BTreeMap<&'a str, &'a Gate>,
    /// Handoffs.
    pub handoffs: BTreeMap<&'a str, &'a Handoff>,
    /// Rewards.
    pub rewards: BTreeMap<&'a str, &'a Reward>,
    /// Proposals; advisory, so no condition comes from them.
    pub proposals: BTreeMap<&'a str, &'a Proposal>,
    /// Bindings.
    pub bindings: BTreeMap<&'a str, &'a Binding>,
    /// Writeback requests.
    pub writebacks: BTreeMap<&'a str, &'a WritebackRequest>,
    /// What issue memory says, by issue reference.
    pub memory: BTreeMap<&'a str, &'a Memory>,
    /// Documents that cannot be read or hold refused material.
    pub unusable: Vec<UnusableDocument>,
    /// When it is another goal though no file changes: an exception ends, or an act dated ahead comes into force.
    pub usable_until: Option<Instant>,
    /// What counts of it, where it differs from the authority ref.
    pub effective: Option<&'a EffectiveGoal>,
}

/// A document that may not be used as it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnusableDocument {
    /// Its path below the state directory.
    pub path: Arc<str>,
    /// The first rule that it breaks.
    pub rule: &'static str,
    /// What the rule means for reconcile.
    pub fault: DocumentFault,
    /// Its kind, when the path says it.
    pub kind: Option<Kind>,
    /// Its id, when the path says it; of facts, the session.
    pub id: Option<Box<str>>,
    /// Agents that it is known to name.
    pub agents: Vec<Id>,
}

/// Why a document may not be used as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentFault {
    /// It cannot be read.
    Unreadable,
    /// It holds refused material.
    Refused,
}

/// The slots that were spent on a goal, and which of them were taken back, each by its turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Spends {
    /// When each was spent.
    pub spent: BTreeMap<Box<str>, Instant>,
    /// Those that were taken back.
    pub voided: std::collections::BTreeSet<Box<str>>,
}

/// A receipt at the authority ref.
#[derive(Debug, Clone)]
pub enum Recorded<'a> {
    /// One that can be read.
    Receipt(&'a Receipt),
    /// One that cannot.
    Unreadable {
        /// Its goal, from its path.
        goal_id: &'a str,
    },
}

/// Whether anything can be recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AuthorityState {
    /// The receipts of the authority ref were read.
    #[default]
    Read,
    /// There is no git, or no commit yet.
    NoGit,
    /// The ref is not in this clone.
    RefMissing {
        /// The ref.
        reference: String,
        /// The command that brings it.
        fetch: String,
    },
}

impl<'a> World<'a> {
    /// Creates a world without any documents.
    #[must_use]
    pub fn new(settings: &'a WorkspaceSettings) -> Self {
        Self {
            settings,
            actors: BTreeMap::new(),
            goals: BTreeMap::new(),
            facts: BTreeMap::new(),
            fact_troubles: Vec::new(),
            receipts: BTreeMap::new(),
            spends: BTreeMap::new(),
            unusable: Vec::new(),
            usable_until: None,
            facts_usable_until: BTreeMap::new(),
            facts_absent: false,
            authority: AuthorityState::default(),
            branch: RecordingBranch::default(),
        }
    }

    /// Takes receipts as recorded: how `reconcile --commit` computes the outputs that follow from it.
    pub fn record(&mut self, receipts: impl IntoIterator<Item = &'a Receipt>) {
        self.receipts.extend(receipts.into_iter().map(|receipt| (receipt.run_id.as_str(), Recorded::Receipt(receipt))));
    }
}
