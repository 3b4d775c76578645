//! The receipts of one goal in one commit, summed up, and the cache of such sums: a turn costs the same whatever the
//! history of its goal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Error, ErrorCode};
use crate::document::MAX_BYTES;
use crate::git::{BlobId, CommitId, Repository, TreeId};
use crate::privacy::Wall;
use crate::reconcile::Spends;
use crate::store::LocalFiles;
use crate::turn::TurnRow;
use crate::vocabulary::{Effect, Instant, Kind, Receipt, Record, TurnResult, sha256};
use crate::workspace::read;

/// The form of the cache; another one is not read.
const FORM: u32 = 1;

/// From so many receipts on a sum is worth a file.
const WORTH_A_FILE: usize = 8;

/// The receipts of one goal in one commit: those of decisions in full, of turns and spends what verdicts need.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GoalReceipts {
    form: u32,
    /// The tree that they were read from.
    tree: String,
    /// The ids of all of them.
    pub(super) ids: BTreeSet<Box<str>>,
    /// Receipts in full: all but those of turns, spends and voids.
    receipts: BTreeMap<Box<str>, Receipt>,
    /// Of turns, spends and voids the newest of each agent: what screens point at.
    newest: BTreeMap<Box<str>, Receipt>,
    /// The ids of those that nobody can read.
    unreadable: BTreeSet<Box<str>>,
    /// The turns of each todo since the last one that passed, that one too, and the newest of each agent.
    pub(super) turns: Vec<TurnRow>,
    /// What was spent.
    pub(super) spends: Spends,
    /// The newest date of a turn, a spend or a void.
    pub(super) newest_at: Option<Instant>,
}

/// Where sums are kept.
pub(super) struct ReceiptsCache {
    files: LocalFiles,
    prefix: String,
}

impl ReceiptsCache {
    /// The cache beside git's own files.
    pub(super) fn beside_git(repository: &Repository) -> Self {
        Self { files: LocalFiles::of(repository.common_dir()), prefix: repository.prefix().to_owned() }
    }

    fn name(&self, goal: &str) -> String {
        format!("receipts/{}.json", &sha256(format!("{}\n{goal}", self.prefix).as_bytes())[..32])
    }

    fn read(&self, goal: &str) -> Option<GoalReceipts> {
        let sum: GoalReceipts = serde_json::from_slice(&self.files.read(&self.name(goal)).ok()??).ok()?;
        (sum.form == FORM).then_some(sum)
    }

    /// Keeps the sums of some goals at a commit, where they are worth it and not kept already.
    ///
    /// # Errors
    /// Git cannot be read, or the files cannot be written.
    pub(super) fn keep(
        &self,
        repository: &Repository,
        commit: CommitId,
        goals: impl IntoIterator<Item = String>,
        wall: &Wall,
    ) -> Result<(), Error> {
        for goal in goals {
            let Some(tree) = repository.tree_id(commit, &format!("receipts/{goal}"))? else { continue };
            let known = self.read(&goal);
            if known.as_ref().is_some_and(|known| known.tree == tree.to_string()) {
                continue;
            }
            let sum = GoalReceipts::after(known, repository, commit, &goal, tree, wall)?;
            if sum.ids.len() >= WORTH_A_FILE {
                let bytes = serde_json::to_vec(&sum).expect("a sum is a tree with text keys");
                let unwritten = |error: std::io::Error| Error::about(ErrorCode::CannotWrite, error.kind().to_string());
                self.files.write(&self.name(&goal), &bytes).map_err(unwritten)?;
            }
        }
        Ok(())
    }
}

impl GoalReceipts {
    /// The receipts of a goal in a commit: from the cache what it has, from git the rest.
    ///
    /// # Errors
    /// Git cannot be read.
    pub(super) fn at(repository: &Repository, commit: CommitId, goal: &str, wall: &Wall) -> Result<Self, Error> {
        let Some(tree) = repository.tree_id(commit, &format!("receipts/{goal}"))? else { return Ok(Self::default()) };
        let known = ReceiptsCache::beside_git(repository).read(goal);
        Self::after(known, repository, commit, goal, tree, wall)
    }

    fn after(
        known: Option<Self>,
        repository: &Repository,
        commit: CommitId,
        goal: &str,
        tree: TreeId,
        wall: &Wall,
    ) -> Result<Self, Error> {
        let added = match known.as_ref().and_then(|known| TreeId::parse(&known.tree)) {
            Some(old) => repository.added(old, tree)?,
            None => None,
        };
        let (mut sum, files) = match (known, added) {
            (Some(known), Some(added)) => (known, added),
            _ => (Self::default(), repository.list(commit, &format!("receipts/{goal}"))?.blobs),
        };
        sum.add_files(repository, goal, files, wall)?;
        (sum.form, sum.tree) = (FORM, tree.to_string());
        sum.trim();
        Ok(sum)
    }

    fn add_files(
        &mut self,
        repository: &Repository,
        goal: &str,
        files: BTreeMap<String, BlobId>,
        wall: &Wall,
    ) -> Result<(), Error> {
        for (path, blob) in files {
            let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default();
            let Some((id, (_, receipt))) = receipt(&format!("{goal}/{path}"), &bytes, wall) else { continue };
            // Of two files for one effect nobody can say which counts.
            match receipt.filter(|_| !self.ids.contains(&id)) {
                Some(receipt) => self.add(&id, receipt),
                None => self.refuse(&id),
            }
            self.ids.insert(id);
        }
        Ok(())
    }

    /// What of them is looked at one by one: the id, and the receipt where it can be read.
    pub(super) fn each(&self) -> impl Iterator<Item = (Box<str>, Option<Receipt>)> {
        let read = self.receipts.values().chain(self.newest.values());
        let read = read.map(|receipt| (Box::from(receipt.run_id.as_str()), Some(receipt.clone())));
        read.chain(self.unreadable.iter().map(|id| (id.clone(), None)))
    }

    fn refuse(&mut self, id: &str) {
        self.receipts.remove(id);
        self.turns.retain(|turn| turn.run_id.as_str() != id);
        self.unreadable.insert(id.into());
    }

    fn add(&mut self, id: &str, receipt: Receipt) {
        let key = receipt.effect_key.clone();
        match Effect::read(key.as_str()) {
            Some(Effect::QuotaSpend(_, turn)) => drop(self.spends.spent.insert(turn.into(), receipt.at)),
            Some(Effect::QuotaVoid(_, turn)) => drop(self.spends.voided.insert(turn.into())),
            Some(Effect::Turn(..)) => self.turns.extend(TurnRow::of(&receipt)),
            _ => return drop(self.receipts.insert(id.into(), receipt)),
        }
        self.newest_at = self.newest_at.max(Some(receipt.at));
        let agent = receipt.agent_id.as_ref().map_or("", |agent| agent.as_str());
        let is_newer = |known: &Receipt| (receipt.at, &receipt.run_id) > (known.at, &known.run_id);
        if self.newest.get(agent).is_none_or(is_newer) {
            self.newest.insert(agent.into(), receipt);
        }
    }

    /// Leaves of the turns what verdicts need.
    fn trim(&mut self) {
        self.turns.sort_by(|one, other| (other.at, &other.run_id).cmp(&(one.at, &one.run_id)));
        let (mut passed, mut agents) = (BTreeSet::new(), BTreeSet::new());
        self.turns.retain(|turn| {
            let of_todo = turn.todo_id.clone();
            let is_newest = agents.insert((turn.agent_id.clone(), of_todo.clone()));
            let is_since = !passed.contains(&of_todo);
            if matches!(turn.result, TurnResult::Passed | TurnResult::Done) {
                passed.insert(of_todo);
            }
            is_newest || is_since
        });
    }
}

/// A receipt by its run id, with the goal that its path names; none where it is no sound one.
pub(super) type NamedReceipt = (Box<str>, (Box<str>, Option<Receipt>));

/// One receipt by its path below `receipts/`; whatever stands there and is no sound receipt is an unreadable one.
pub(in crate::app) fn receipt(path: &str, bytes: &[u8], wall: &Wall) -> Option<NamedReceipt> {
    let path: Arc<str> = Arc::from(format!("receipts/{path}"));
    let (kind, fields) = Kind::at(&path)?;
    let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| Box::from(*value));
    let (goal, run) = (field("goal_id")?, field("run_id")?);
    let record = match read(&path, bytes, wall).record {
        Some(Record::Receipt(receipt)) if receipt.belongs_at(&path) => Some(receipt),
        _ => None,
    };
    (kind == Kind::Receipt).then_some((run, (goal, record)))
}
