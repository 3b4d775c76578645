//! Joins what was read into the world that reconcile looks at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::document::MAX_BYTES;
use crate::facts;
use crate::privacy::Wall;
use crate::reconcile::{Authority, Fault, GoalDocuments, Recorded, Trouble, World};
use crate::vocabulary::{Instant, Kind, Receipt, Record, Storage};
use crate::workspace::{Entry, Workspace, read};

use super::Error;

/// What the authority ref holds.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// Every receipt by its run id, with the goal that its path names.
    receipts: BTreeMap<Box<str>, (Box<str>, Option<Receipt>)>,
    /// Whether anything can be recorded.
    pub authority: Authority,
    /// The commit that they were read from.
    commit: Option<facts::CommitId>,
}

impl Records {
    /// Takes receipts as if the authority ref held them.
    pub fn of(receipts: impl IntoIterator<Item = Receipt>) -> Self {
        let entry =
            |receipt: Receipt| (receipt.run_id.as_str().into(), (receipt.goal_id.as_str().into(), Some(receipt)));
        Self { receipts: receipts.into_iter().map(entry).collect(), authority: Authority::Read, commit: None }
    }

    /// Takes the receipts that a state directory holds as recorded, as they are once it is on the authority ref.
    #[must_use]
    pub fn in_tree(workspace: &Workspace) -> Self {
        let mut records = Self { authority: Authority::Read, ..Self::default() };
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

    /// Reads the receipts at the authority ref; without git, or without the ref, nothing is recorded.
    ///
    /// # Errors
    /// Git is there and cannot be read.
    pub fn read(repository: Option<&facts::Repository>, workspace: &Workspace) -> Result<Self, Error> {
        Ok(Self::default().renewed(repository, workspace)?.unwrap_or_default())
    }

    /// The same, of which nothing is read again while the ref stays where it is; `None`: nothing is new.
    ///
    /// # Errors
    /// As [`Records::read`].
    pub(super) fn renewed(
        &self,
        repository: Option<&facts::Repository>,
        workspace: &Workspace,
    ) -> Result<Option<Self>, Error> {
        let without = |authority: Authority| {
            let is_new = self.commit.is_some() || self.authority != authority;
            is_new.then(|| Self { authority, ..Self::default() })
        };
        let Some(repository) = repository else { return Ok(without(Authority::NoGit)) };
        let name = workspace.settings.authority.reference.as_str();
        let commit = match repository.authority(name)? {
            facts::Authority::Commit(commit) if self.commit == Some(commit) => return Ok(None),
            facts::Authority::Commit(commit) => commit,
            facts::Authority::Unborn => return Ok(without(Authority::NoGit)),
            facts::Authority::Missing { fetch } => {
                let fetch = fetch.map_or_else(|| format!("git branch {name}"), |fetch| fetch.to_string());
                return Ok(without(Authority::RefMissing { reference: name.to_owned(), fetch }));
            }
        };
        let files = repository.tree_files(commit, "receipts", MAX_BYTES as u64)?.bytes;
        let read: Vec<Named> =
            files.par_iter().filter_map(|(path, bytes)| receipt(path, bytes, &workspace.wall)).collect();
        let mut receipts: BTreeMap<_, (_, Option<Receipt>)> = BTreeMap::new();
        for (run, held) in read {
            // Of two files for one effect nobody can say which counts.
            receipts.entry(run).and_modify(|(_, receipt)| *receipt = None).or_insert(held);
        }
        Ok(Some(Self { receipts, authority: Authority::Read, commit: Some(commit) }))
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

type Named = (Box<str>, (Box<str>, Option<Receipt>));

/// One receipt by its path below `receipts/`; whatever stands there and is no sound receipt is an unreadable one.
fn receipt(path: &str, bytes: &[u8], wall: &Wall) -> Option<Named> {
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

/// Builds the world of a state directory.
#[must_use]
pub fn world<'a>(workspace: &'a Workspace, records: &'a Records) -> World<'a> {
    let mut world = World::new(&workspace.settings);
    world.actors = workspace.policies.actors.iter().map(|(name, actor)| (name.as_str(), &actor.class)).collect();
    world.authority = records.authority.clone();
    world.receipts = records
        .receipts
        .iter()
        .map(|(run_id, (goal_id, receipt))| (&**run_id, recorded(goal_id, receipt.as_ref())))
        .collect();
    let mut facts = false;
    for entry in &workspace.entries {
        facts |= entry.kind() == Some(Kind::Facts);
        place(&mut world, entry);
    }
    world.facts_absent = workspace.settings.facts == Storage::Ignored && !facts;
    world
}

/// The part of the world that the verdicts on some goals need: they, the goals that share a session with them, the
/// facts and receipts of these, and what blocks every goal.
#[must_use]
pub(super) fn world_around<'a>(workspace: &'a Workspace, records: &'a Records, goals: &BTreeSet<String>) -> World<'a> {
    let mut world = World::new(&workspace.settings);
    world.actors = workspace.policies.actors.iter().map(|(name, actor)| (name.as_str(), &actor.class)).collect();
    world.authority = records.authority.clone();
    world.facts_absent = facts_absent(workspace);
    let (mut around, mut sessions) = (goals.clone(), BTreeSet::new());
    for goal in goals {
        let of_goal = workspace.index.goals.get(goal.as_str());
        for (session, _) in of_goal.into_iter().flat_map(|goal| goal.of(Kind::Binding)) {
            sessions.insert(session);
            around.extend(goals_that_bind(workspace, session).map(str::to_owned));
        }
    }
    let receipts = records.receipts.iter().filter(|(_, (goal, _))| around.contains(&**goal));
    world.receipts = receipts.map(|(run, (goal, receipt))| (&**run, recorded(goal, receipt.as_ref()))).collect();
    let below = around.iter().map(|goal| format!("goals/{goal}/")).chain(["policies/".to_owned()]);
    for entry in below.flat_map(|folder| entries_below(workspace, folder)) {
        place(&mut world, entry);
    }
    let facts = sessions.into_iter().filter_map(|session| workspace.index.sessions.get(session)).flatten().copied();
    for number in facts.chain(workspace.index.at("loopx.yaml")) {
        place(&mut world, &workspace.entries[number]);
    }
    world
}

/// The goals that bind a session.
pub(super) fn goals_that_bind<'a>(workspace: &'a Workspace, session: &str) -> impl Iterator<Item = &'a str> {
    let bindings = workspace.index.bindings.get(session).into_iter().flatten();
    bindings.filter_map(|number| workspace.entries[*number].field("goal_id"))
}

/// Whether git ignores facts and none are there.
pub(super) fn facts_absent(workspace: &Workspace) -> bool {
    workspace.settings.facts == Storage::Ignored && workspace.index.sessions.is_empty()
}

fn entries_below(workspace: &Workspace, folder: String) -> impl Iterator<Item = &Entry> {
    let start = workspace.entries.partition_point(|entry| *entry.path < *folder);
    workspace.entries[start..].iter().take_while(move |entry| entry.path.starts_with(&folder))
}

fn recorded<'a>(goal_id: &'a str, receipt: Option<&'a Receipt>) -> Recorded<'a> {
    receipt.map_or(Recorded::Unreadable { goal_id }, Recorded::Receipt)
}

/// Puts one file where reconcile looks for it: its record, or the trouble with it.
fn place<'a>(world: &mut World<'a>, entry: &'a Entry) {
    let Some(place) = &entry.place else { return stray(world, entry) };
    let kind = place.kind;
    let trouble = trouble(entry, kind);
    let goal = entry.field("goal_id");
    if let Some(until) = entry.excused_until {
        limit(world, entry, kind, until);
    }
    if let Some(trouble) = trouble {
        match (kind, goal) {
            (Kind::Workspace | Kind::Policy, _) => world.troubles.push(trouble),
            (Kind::Facts, _) => world.fact_troubles.push(trouble),
            // What counts is what the authority ref holds; an edited receipt in the work tree is lint's to report.
            (Kind::Receipt, _) => {}
            (_, Some(goal)) => world.goals.entry(goal).or_default().troubles.push(trouble),
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
fn limit<'a>(world: &mut World<'a>, entry: &'a Entry, kind: Kind, until: Instant) {
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
fn stray<'a>(world: &mut World<'a>, entry: &'a Entry) {
    let Some(rule) = entry.unreadable else { return };
    let path = Arc::clone(&entry.path);
    let trouble = Trouble { path, rule, fault: Fault::Unreadable, kind: None, id: None, agents: Vec::new() };
    match entry.goal_id() {
        Some(goal) => world.goals.entry(goal).or_default().troubles.push(trouble),
        None if entry.path.starts_with("policies/") => world.troubles.push(trouble),
        None => {}
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

fn trouble(entry: &Entry, kind: Kind) -> Option<Trouble> {
    let (rule, fault) = match (entry.refused, entry.unreadable) {
        (Some(rule), _) => (rule, Fault::Refused),
        (None, Some(rule)) => (rule, Fault::Unreadable),
        (None, None) => return None,
    };
    let id_field = if kind == Kind::Facts { Some("session_id") } else { kind.row().id_field };
    Some(Trouble {
        path: Arc::clone(&entry.path),
        rule,
        fault,
        kind: Some(kind),
        id: id_field.and_then(|field| entry.field(field)).map(Box::from),
        agents: Vec::new(),
    })
}
