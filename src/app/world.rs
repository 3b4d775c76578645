//! Joins what was read into the world that reconcile looks at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::Error;
use super::authority::AuthorityRef;
use super::checkout::content;
use super::goal_receipts::{GoalReceipts, NamedReceipt, ReceiptsCache, receipt};
use crate::document::MAX_BYTES;
use crate::effective::{Committed, ContentVersions, Effective, EffectiveGoal, effective, wanted};
use crate::git::{CommitId, Repository};
use crate::privacy::Wall;
use crate::reconcile::{AuthorityState, DocumentFault, GoalDocuments, Recorded, UnusableDocument, World};
use crate::rules::{Judge, open_under};
use crate::vocabulary::{Instant, Kind, Receipt, Record, Storage};
use crate::workspace::{Folder, LAYOUT, LoadedFile, MemoryFiles, Overlay, Policies, Workspace};

/// From so many receipts of a goal on they are summed up.
const MANY_RECEIPTS: usize = 64;

/// Reads the documents of two commits at the paths that are asked for: of the authority ref, and of `HEAD`.
pub type ReadCommitted<'a> = &'a dyn Fn([BTreeSet<Arc<str>>; 2]) -> Result<[Workspace; 2], Error>;

/// What the authority ref holds, and what counts of the documents that differ from it.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// Every receipt by its run id, with the goal that its path names.
    receipts: BTreeMap<Box<str>, (Box<str>, Option<Receipt>)>,
    /// The receipts of each goal, summed up, where only some goals are looked at.
    sums: BTreeMap<Box<str>, GoalReceipts>,
    /// Whether anything can be recorded.
    pub authority: AuthorityState,
    /// The authority ref.
    reference: AuthorityRef,
    /// What counts of the documents that differ from it.
    effective: Effective,
}

impl Records {
    /// Takes receipts as if the authority ref held them.
    pub fn of(receipts: impl IntoIterator<Item = Receipt>) -> Self {
        let entry =
            |receipt: Receipt| (receipt.run_id.as_str().into(), (receipt.goal_id.as_str().into(), Some(receipt)));
        Self { receipts: receipts.into_iter().map(entry).collect(), authority: AuthorityState::Read, ..Self::default() }
    }

    /// Takes the receipts that a state directory holds as recorded, as they are once it is on the authority ref.
    #[must_use]
    pub fn in_tree(workspace: &Workspace) -> Self {
        let mut records = Self { authority: AuthorityState::Read, ..Self::default() };
        for entry in workspace.entries.iter().filter(|entry| entry.kind() == Some(Kind::Receipt)) {
            let (Some(goal), Some(run)) = (entry.field("goal_id"), entry.field("run_id")) else { continue };
            let receipt = match &entry.record {
                Some(Record::Receipt(receipt)) if receipt.belongs_at(&entry.path) => Some(receipt.clone()),
                _ => None,
            };
            let held = (goal.into(), receipt);
            records.receipts.entry(run.into()).and_modify(|(_, receipt)| *receipt = None).or_insert(held);
        }
        records
    }

    /// Takes these policies and settings as those of the authority ref.
    #[must_use]
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.reference.judge = judge;
        self
    }

    /// Reads the receipts at the authority ref; without git, or without the ref, nothing is recorded.
    ///
    /// # Errors
    /// Git is there and cannot be read.
    pub(super) fn read(repository: Option<&Repository>, root: &Path) -> Result<Self, Error> {
        Ok(Self::default().renewed(repository, root)?.unwrap_or_else(Self::without_git))
    }

    /// The same of some goals alone.
    ///
    /// # Errors
    /// As [`Records::read`].
    pub(super) fn read_goals(
        repository: Option<&Repository>,
        root: &Path,
        goals: &BTreeSet<String>,
    ) -> Result<Self, Error> {
        Ok(Self::default().renewed_of(repository, root, Some(goals))?.unwrap_or_else(Self::without_git))
    }

    fn without_git() -> Self {
        Self { authority: AuthorityState::NoGit, ..Self::default() }
    }

    /// The receipts of a goal at the authority ref, summed up.
    pub(super) fn sum(&self, goal: &str) -> Option<&GoalReceipts> {
        self.sums.get(goal)
    }

    /// The commit of the authority ref, and the one that is checked out.
    pub(super) fn commits(&self) -> Option<(CommitId, Option<CommitId>)> {
        self.reference.commits.map(|commits| (commits.reference, commits.head))
    }

    /// The same, of which nothing is read again while the commits stay where they are; `None`: nothing is new.
    ///
    /// # Errors
    /// As [`Records::read`].
    pub(super) fn renewed(&self, repository: Option<&Repository>, root: &Path) -> Result<Option<Self>, Error> {
        self.renewed_of(repository, root, None)
    }

    fn renewed_of(
        &self,
        repository: Option<&Repository>,
        root: &Path,
        goals: Option<&BTreeSet<String>>,
    ) -> Result<Option<Self>, Error> {
        let Some(reference) = self.reference.renewed(repository, root, goals)? else { return Ok(None) };
        let authority = reference.authority.clone();
        let mut new = Self { authority, reference, ..Self::default() };
        let commit = |records: &Self| records.reference.commits.map(|commits| commits.reference);
        match (repository, commit(&new)) {
            (Some(_), Some(reference)) if commit(self) == Some(reference) => new.receipts.clone_from(&self.receipts),
            (Some(repository), Some(reference)) => new.read_receipts(repository, reference, root, goals)?,
            _ => {}
        }
        Ok(Some(new))
    }

    fn read_receipts(
        &mut self,
        repository: &Repository,
        reference: CommitId,
        root: &Path,
        goals: Option<&BTreeSet<String>>,
    ) -> Result<(), Error> {
        let wall = self.wall(root);
        if let Some(goals) = goals {
            for goal in goals {
                let sum = GoalReceipts::at(repository, reference, goal, &wall)?;
                let goal: Box<str> = goal.as_str().into();
                self.receipts.extend(sum.each().map(|(run, receipt)| (run, (goal.clone(), receipt))));
                self.sums.insert(goal, sum);
            }
            return Ok(());
        }
        let files = repository.tree_files(reference, "receipts", MAX_BYTES as u64)?.bytes;
        let read: Vec<NamedReceipt> =
            files.par_iter().filter_map(|(path, bytes)| receipt(path, bytes, &wall)).collect();
        for (run, held) in read {
            // Of two files for one effect nobody can say which counts.
            self.receipts.entry(run).and_modify(|(_, receipt)| *receipt = None).or_insert(held);
        }
        Ok(())
    }

    /// The wall of the policies that count.
    fn wall(&self, root: &Path) -> Wall {
        let own = || Policies::read(&Folder::around(root, &["policies/".to_owned()]));
        Wall::new(&self.reference.judge.policies.clone().unwrap_or_else(own).wall())
    }

    /// Sums the receipts of each goal up beside git's own files, so that a turn needs not read them one by one; without
    /// it that only takes longer.
    pub(super) fn keep_sums(&self, repository: Option<&Repository>, root: &Path) {
        let (Some(repository), Some((reference, _))) = (repository, self.commits()) else { return };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.iter().for_each(|(_, goal, _)| *counts.entry(goal).or_default() += 1);
        let many = counts.into_iter().filter(|(_, count)| *count >= MANY_RECEIPTS);
        let goals = many.map(|(goal, _)| goal.to_owned());
        let _ = ReceiptsCache::beside_git(repository).keep(repository, reference, goals, &self.wall(root));
    }

    /// The name of the authority ref; `HEAD` where nothing else is known.
    pub(super) fn reference_name(&self) -> &str {
        let name = self.reference.branch.reference.as_str();
        if name.is_empty() { "HEAD" } else { name }
    }

    /// The policies and settings that count.
    pub(super) fn judge(&self) -> &Judge {
        &self.reference.judge
    }

    /// Joins the documents here with those of the authority ref: of some goals, or of all.
    ///
    /// # Errors
    /// Git cannot be read.
    pub(super) fn join(
        &mut self,
        repository: Option<&Repository>,
        here: &Workspace,
        goals: Option<&BTreeSet<String>>,
        as_of: Instant,
    ) -> Result<(), Error> {
        let (Some(repository), Some(versions)) = (repository, self.reference.versions.clone()) else {
            return Ok(());
        };
        let commits = self.reference.commits;
        let judge = self.reference.judge.clone();
        let read = |commit: Option<CommitId>, paths: &BTreeSet<Arc<str>>| -> Result<Workspace, Error> {
            let mut files = BTreeMap::new();
            for path in paths {
                let blob = commit.map(|commit| repository.file(commit, path)).transpose()?.flatten();
                files.extend(blob.map(|blob| (path.to_string(), content(repository, blob))));
            }
            Ok(open_under(&Overlay::with(&MemoryFiles::default(), files), &judge, as_of))
        };
        self.join_versions(&versions, here, goals, &|[reference, head]| {
            let at_reference = read(commits.map(|commits| commits.reference), &reference)?;
            Ok([at_reference, read(commits.and_then(|commits| commits.head), &head)?])
        })
    }

    /// The same with versions and a reader of the commits that are given.
    ///
    /// # Errors
    /// The reader's.
    pub fn join_versions(
        &mut self,
        versions: &ContentVersions,
        here: &Workspace,
        goals: Option<&BTreeSet<String>>,
        read: ReadCommitted<'_>,
    ) -> Result<(), Error> {
        let differences = versions.differences(here, goals);
        let [reference, head] = read(wanted(&differences))?;
        let is_recorded = |run_id: &str| self.receipts.contains_key(run_id);
        let committed = Committed { reference: &reference, head: &head };
        let new = effective(here, &committed, versions, &differences, &is_recorded);
        match goals {
            Some(goals) => self.effective.renew(goals, new),
            None => self.effective = new,
        }
        Ok(())
    }

    /// The commit of the authority ref, and the one that is checked out, without anything that they hold.
    ///
    /// # Errors
    /// As [`Records::read`].
    pub(super) fn commits_of(
        repository: &Repository,
        root: &Path,
    ) -> Result<Option<(CommitId, Option<CommitId>)>, Error> {
        AuthorityRef::commits_of(repository, root)
    }

    /// The receipt of a run id, where it can be read.
    pub(super) fn receipt(&self, run_id: &str) -> Option<&Receipt> {
        self.receipts.get(run_id)?.1.as_ref()
    }

    /// Whether a run id is taken.
    pub(super) fn has(&self, run_id: &str) -> bool {
        self.receipts.contains_key(run_id)
    }

    /// Every run id with the goal of its path, and its receipt when that can be read.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str, Option<&Receipt>)> {
        self.receipts.iter().map(|(run_id, (goal_id, receipt))| (&**run_id, &**goal_id, receipt.as_ref()))
    }
}

/// Builds the world of a state directory.
#[must_use]
pub fn world<'a>(workspace: &'a Workspace, records: &'a Records) -> World<'a> {
    let mut world = empty(workspace, records);
    world.receipts = records
        .receipts
        .iter()
        .map(|(run_id, (goal_id, receipt))| (&**run_id, recorded(goal_id, receipt.as_ref())))
        .collect();
    for entry in &workspace.entries {
        place(&mut world, records, entry);
    }
    links(&mut world, workspace, |_| true);
    for (goal, effective) in &records.effective.goals {
        join(&mut world, goal, effective);
    }
    for entry in &records.effective.facts {
        place(&mut world, records, entry);
    }
    world
}

/// A world of which only what concerns every goal is known.
fn empty<'a>(workspace: &'a Workspace, records: &'a Records) -> World<'a> {
    let mut world = World::new(&workspace.settings);
    world.actors = workspace.policies.actors.iter().map(|(name, actor)| (name.as_str(), &actor.class)).collect();
    world.authority = records.authority.clone();
    world.branch = records.reference.branch.clone();
    world.facts_absent = facts_absent(workspace, records);
    world.spends = records.sums.iter().map(|(goal, sum)| (&**goal, &sum.spends)).collect();
    world
}

/// The part of the world that the verdicts on some goals need: they, the goals that share a session with them, the
/// facts and receipts of these, and what blocks every goal.
#[must_use]
pub(super) fn world_around<'a>(workspace: &'a Workspace, records: &'a Records, goals: &BTreeSet<String>) -> World<'a> {
    let mut world = empty(workspace, records);
    let (mut around, mut sessions) = (goals.clone(), BTreeSet::new());
    for goal in goals {
        let of_goal = workspace.index.goals.get(goal.as_str());
        let here = of_goal.into_iter().flat_map(|goal| goal.of(Kind::Binding)).map(|(session, _)| session);
        for session in here.chain(records.effective.sessions(goal)) {
            sessions.insert(session);
            around.extend(goals_that_bind(workspace, records, session).map(str::to_owned));
        }
    }
    let receipts = records.receipts.iter().filter(|(_, (goal, _))| around.contains(&**goal));
    world.receipts = receipts.map(|(run, (goal, receipt))| (&**run, recorded(goal, receipt.as_ref()))).collect();
    let below = around.iter().map(|goal| format!("goals/{goal}/")).chain(["policies/".to_owned()]);
    for entry in below.flat_map(|folder| entries_below(workspace, folder)) {
        place(&mut world, records, entry);
    }
    let facts = sessions.iter().flat_map(|session| workspace.files_of_facts(session));
    for file in facts.chain(workspace.file_at("loopx.yaml")) {
        place(&mut world, records, file);
    }
    for entry in workspace.entries.iter().filter(|entry| is_unlisted_folder(entry)) {
        place(&mut world, records, entry);
    }
    links(&mut world, workspace, |goal| goal.is_none_or(|goal| around.contains(goal)));
    for (goal, effective) in records.effective.goals.iter().filter(|(goal, _)| around.contains(&***goal)) {
        join(&mut world, goal, effective);
    }
    let gone = records.effective.facts.iter();
    for entry in gone.filter(|entry| entry.field("session_id").is_some_and(|session| sessions.contains(session))) {
        place(&mut world, records, entry);
    }
    world
}

/// The goals that bind a session, by a document here or by one of a commit that counts.
pub(super) fn goals_that_bind<'a>(
    workspace: &'a Workspace,
    records: &'a Records,
    session: &str,
) -> impl Iterator<Item = &'a str> {
    let here = workspace.files_of_bindings(session).filter_map(|file| file.field("goal_id"));
    here.chain(records.effective.goals_that_bind(session))
}

/// Whether git ignores facts and none are there.
pub(super) fn facts_absent(workspace: &Workspace, records: &Records) -> bool {
    workspace.settings.facts == Storage::Ignored
        && workspace.index.sessions.is_empty()
        && records.effective.facts.is_empty()
}

fn entries_below(workspace: &Workspace, folder: String) -> impl Iterator<Item = &LoadedFile> {
    let start = workspace.entries.partition_point(|entry| *entry.path < *folder);
    workspace.entries[start..].iter().take_while(move |entry| entry.path.starts_with(&folder))
}

fn recorded<'a>(goal_id: &'a str, receipt: Option<&'a Receipt>) -> Recorded<'a> {
    receipt.map_or(Recorded::Unreadable { goal_id }, Recorded::Receipt)
}

/// Puts one file where reconcile looks for it: its record, or the trouble with it. What differs from the authority ref
/// is put there by [`join`].
fn place<'a>(world: &mut World<'a>, records: &'a Records, entry: &'a LoadedFile) {
    let Some(place) = &entry.place else { return stray(world, entry) };
    let kind = place.kind;
    let trouble = trouble(entry, kind);
    let goal = entry.field("goal_id");
    let joined = goal.and_then(|goal| records.effective.goals.get(goal));
    let is_joined = |effective: &EffectiveGoal| {
        let id = kind.row().id_field.and_then(|field| entry.field(field));
        id.is_some_and(|id| effective.documents.contains_key(&(kind, id.into())))
    };
    if joined.is_some_and(is_joined) {
        return;
    }
    if let Some(until) = entry.excused_until {
        limit(world, entry, kind, until);
    }
    if let Some(trouble) = trouble {
        match (kind, goal) {
            (Kind::Workspace | Kind::Policy, _) => world.unusable.push(trouble),
            (Kind::Facts, _) => world.fact_troubles.push(trouble),
            // What counts is what the authority ref holds; an edited receipt in the work tree is lint's to report.
            (Kind::Receipt, _) => {}
            (_, Some(goal)) => world.goals.entry(goal).or_default().unusable.push(trouble),
            (_, None) => {}
        }
        return;
    }
    match (&entry.record, goal) {
        (Some(Record::Facts(facts)), _) => {
            world.facts.insert((facts.runtime_id, facts.session_id.as_str()), facts);
        }
        (Some(Record::Receipt(_)) | None, _) | (_, None) => {}
        (Some(record), Some(goal)) => document(world.goals.entry(goal).or_default(), record),
    }
}

/// Remembers when a file is refused by itself, where what it is for will see it.
fn limit<'a>(world: &mut World<'a>, entry: &'a LoadedFile, kind: Kind, until: Instant) {
    let sooner = |known: Option<Instant>| Some(known.map_or(until, |known| known.min(until)));
    match (kind, entry.field("session_id"), entry.field("goal_id")) {
        (Kind::Workspace | Kind::Policy, _, _) => world.usable_until = sooner(world.usable_until),
        (Kind::Facts, Some(session), _) => {
            world.facts_usable_until.entry(session).and_modify(|known| *known = until.min(*known)).or_insert(until);
        }
        (Kind::Facts | Kind::Receipt, _, _) | (_, _, None) => {}
        (_, _, Some(goal)) => {
            let goal = world.goals.entry(goal).or_default();
            goal.usable_until = sooner(goal.usable_until);
        }
    }
}

/// A document at no place of the layout: nobody can read it, so what its folder belongs to stays closed.
fn stray<'a>(world: &mut World<'a>, entry: &'a LoadedFile) {
    let Some(rule) = entry.unreadable else { return };
    let path = Arc::clone(&entry.path);
    let trouble =
        UnusableDocument { path, rule, fault: DocumentFault::Unreadable, kind: None, id: None, agents: Vec::new() };
    let folder_of_goal =
        || entry.path.strip_prefix("goals/").filter(|goal| is_unlisted_folder(entry) && !goal.contains('/'));
    match entry.goal_id().or_else(folder_of_goal) {
        Some(goal) => world.goals.entry(goal).or_default().unusable.push(trouble),
        None if entry.path.starts_with("policies/") || is_unlisted_folder(entry) => world.unusable.push(trouble),
        None => {}
    }
}

/// Whether this is a folder of the layout that the system does not let us list: anything may stand there.
fn is_unlisted_folder(entry: &LoadedFile) -> bool {
    let first = entry.path.split('/').next().unwrap_or_default();
    entry.place.is_none() && entry.unreadable == Some("path/unreadable") && LAYOUT.contains(&first)
}

/// Counts symbolic links at the places of documents as documents that nobody can read.
fn links<'a>(world: &mut World<'a>, workspace: &'a Workspace, is_wanted: impl Fn(Option<&str>) -> bool) {
    for path in &workspace.links {
        let Some((kind, fields)) = Kind::at(path) else { continue };
        let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
        let goal = path.strip_prefix("goals/").and_then(|path| path.split('/').next());
        let id = kind.row().id_field.and_then(field).map(Box::from);
        let trouble = UnusableDocument {
            path: Arc::clone(path),
            rule: "path/link",
            fault: DocumentFault::Unreadable,
            kind: Some(kind),
            id,
            agents: Vec::new(),
        };
        match (kind, goal) {
            _ if !is_wanted(goal) => {}
            (Kind::Receipt, _) => {}
            (Kind::Facts, _) => {
                let id = field("session_id").map(Box::from);
                world.fact_troubles.push(UnusableDocument { id, ..trouble });
            }
            (_, Some(goal)) => world.goals.entry(goal).or_default().unusable.push(trouble),
            (_, None) => world.unusable.push(trouble),
        }
    }
}

/// Puts what counts of a goal that differs from the authority ref in place of what stands here.
fn join<'a>(world: &mut World<'a>, goal: &'a str, effective: &'a EffectiveGoal) {
    let is_there = effective.documents.values().any(Option::is_some) || !effective.unusable.is_empty();
    if !is_there && !world.goals.contains_key(goal) {
        return;
    }
    let documents = world.goals.entry(goal).or_default();
    documents.effective = Some(effective);
    effective.documents.values().flatten().for_each(|record| document(documents, record));
    documents.usable_until = documents.usable_until.into_iter().chain(effective.usable_until).min();
    for entry in &effective.unusable {
        let trouble = entry.place.as_ref().and_then(|place| trouble(entry, place.kind));
        documents.unusable.extend(trouble);
    }
}

fn document<'a>(goal: &mut GoalDocuments<'a>, record: &'a Record) {
    match record {
        Record::Goal(record) => goal.goal = Some(record),
        Record::Todo(record) => drop(goal.todos.insert(record.todo_id.as_str(), record)),
        Record::Gate(record) => drop(goal.gates.insert(record.gate_id.as_str(), record)),
        Record::Handoff(record) => drop(goal.handoffs.insert(record.handoff_id.as_str(), record)),
        Record::Reward(record) => drop(goal.rewards.insert(record.reward_id.as_str(), record)),
        Record::Proposal(record) => drop(goal.proposals.insert(record.proposal_id.as_str(), record)),
        Record::Binding(record) => drop(goal.bindings.insert(record.session_id.as_str(), record)),
        Record::Memory(record) => drop(goal.memory.insert(record.issue_projection.issue_ref_id.as_str(), record)),
        Record::WritebackRequest(record) => drop(goal.writebacks.insert(record.request_id.as_str(), record)),
        _ => {}
    }
}

fn trouble(entry: &LoadedFile, kind: Kind) -> Option<UnusableDocument> {
    let (rule, fault) = match (entry.refused, entry.unreadable) {
        (Some(rule), _) => (rule, DocumentFault::Refused),
        (None, Some(rule)) => (rule, DocumentFault::Unreadable),
        (None, None) => return None,
    };
    let id_field = if kind == Kind::Facts { Some("session_id") } else { kind.row().id_field };
    Some(UnusableDocument {
        path: Arc::clone(&entry.path),
        rule,
        fault,
        kind: Some(kind),
        id: id_field.and_then(|field| entry.field(field)).map(Box::from),
        agents: Vec::new(),
    })
}
