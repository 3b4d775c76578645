//! The part of a state directory that one agent's turn is about: its goals, their policies, facts and receipts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::checkout::CheckedOut;
use crate::app::error::{Error, ErrorCode};
use crate::app::lookup::{Precision, meant};
use crate::app::shared_facts::SharedFacts;
use crate::app::world::{Records, receipt, world_around};
use crate::document::MAX_BYTES;
use crate::git::{CommitId, Repository};
use crate::privacy::{Text, Wall};
use crate::reconcile::{AgentView, TodoView, World, agent_views, sentences, todo_view};
use crate::rules::open_under;
use crate::turn::{Places, TurnHistory};
use crate::vocabulary::{Effect, Facts, Id, Instant, Kind, Receipt, Record, Todo, nearest, receipt_path};
use crate::workspace::{Files as _, Folder, Workspace, display_prefix, read};

/// The part of a state directory that one agent's turn is about.
pub(crate) struct TurnScope {
    /// The state directory on disk.
    pub(crate) root: PathBuf,
    /// The repository that holds it.
    pub(crate) repository: Option<Repository>,
    /// Its documents of these goals.
    pub(crate) workspace: Workspace,
    /// What is recorded of these goals.
    pub(crate) records: Records,
    /// The goals.
    pub(crate) goals: BTreeSet<String>,
    /// What stands before a path of the state directory so that it leads there.
    pub(crate) prefix: String,
    /// The settled turns of each goal.
    pub(crate) histories: BTreeMap<Box<str>, TurnHistory>,
    /// Spends that do not count for anybody else yet.
    unmerged_spends: Vec<Receipt>,
    /// Turn receipts that are not at the authority ref, by id.
    unmerged_turns: BTreeMap<Id, Receipt>,
    /// The instant of the verdict.
    pub(crate) as_of: Instant,
}

impl TurnScope {
    /// Reads the goals that may list an agent: one that is named, else all of them.
    pub(crate) fn of_agent(place: &Path, agent: &str, goal: Option<&str>, as_of: Instant) -> Result<Self, Error> {
        let root = crate::app::state_directory(place)?;
        let repository = Repository::discover(&root)?;
        let goals = match goal {
            Some(goal) => BTreeSet::from([goal_named(&root, repository.as_ref(), goal)?]),
            None => goals_that_name(&root, repository.as_ref(), agent)?,
        };
        Self::of_goals(place, root, repository, goals, as_of)
    }

    /// Reads one goal that is named, else all of them.
    pub(crate) fn of_all(place: &Path, goal: Option<&str>, as_of: Instant) -> Result<Self, Error> {
        let root = crate::app::state_directory(place)?;
        let repository = Repository::discover(&root)?;
        let goals = match goal {
            Some(goal) => BTreeSet::from([goal_named(&root, repository.as_ref(), goal)?]),
            None => goal_names(&root),
        };
        Self::of_goals(place, root, repository, goals, as_of)
    }

    /// Reads some goals.
    pub(crate) fn of_goals(
        place: &Path,
        root: PathBuf,
        repository: Option<Repository>,
        goals: BTreeSet<String>,
        as_of: Instant,
    ) -> Result<Self, Error> {
        let mut records = Records::read_goals(repository.as_ref(), &root, &goals)?;
        let files = CheckedOut::of_goals(&root, &goals, repository.as_ref())?;
        let workspace = open_under(&files, records.judge(), as_of);
        records.join(repository.as_ref(), &workspace, Some(&goals), as_of)?;
        let prefix = display_prefix(place, &root);
        let (histories, unmerged_spends, unmerged_turns) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        let mut scope = Self {
            root,
            repository,
            workspace,
            records,
            goals,
            prefix,
            histories,
            unmerged_spends,
            unmerged_turns,
            as_of,
        };
        scope.read_histories()?;
        Ok(scope)
    }

    /// Joins the receipts of the work tree, of `HEAD` and of the authority ref by what they record.
    fn read_histories(&mut self) -> Result<(), Error> {
        for (_, goal, receipt) in self.records.iter() {
            let history = self.histories.entry(goal.into()).or_default();
            let places = Places { reference: true, ..Places::default() };
            receipt.into_iter().for_each(|receipt| history.add(receipt, places));
        }
        let commits = self.records.commits();
        let goals = self.goals.clone();
        for goal in &goals {
            let head = self.committed_names(goal, commits.and_then(|(_, head)| head))?;
            let here = names_here(&self.root, goal);
            for name in head.keys().chain(&here).collect::<BTreeSet<_>>() {
                let places = Places { here: here.contains(name), head: head.contains_key(name), reference: false };
                self.take(goal, name, places, head.get(name).copied())?;
            }
        }
        Ok(())
    }

    /// The receipts of a goal that a commit holds, by their path below the goal's folder.
    fn committed_names(
        &self,
        goal: &str,
        commit: Option<CommitId>,
    ) -> Result<BTreeMap<String, crate::git::BlobId>, Error> {
        match (&self.repository, commit) {
            (Some(repository), Some(commit)) => Ok(repository.list(commit, &format!("receipts/{goal}"))?.blobs),
            _ => Ok(BTreeMap::new()),
        }
    }

    /// Takes a receipt that stands here or at `HEAD`. What the authority ref holds is known.
    fn take(&mut self, goal: &str, name: &str, places: Places, blob: Option<crate::git::BlobId>) -> Result<(), Error> {
        let run_id = name.rsplit('/').next().unwrap_or(name);
        let run_id = run_id.rsplit_once('.').map_or(run_id, |(stem, _)| stem);
        if let Some(receipt) = self.records.receipt(run_id) {
            self.histories.entry(goal.into()).or_default().add(receipt, places);
            return Ok(());
        }
        let bytes = match (&self.repository, blob) {
            (Some(repository), Some(blob)) => repository.blob(blob, MAX_BYTES as u64)?,
            _ => Folder::of(&self.root, Vec::new()).read(&format!("receipts/{goal}/{name}")).ok(),
        };
        let path = format!("{goal}/{name}");
        let read = bytes.and_then(|bytes| receipt(&path, &bytes, &self.workspace.wall));
        if let Some((_, (_, Some(receipt)))) = read {
            self.histories.entry(goal.into()).or_default().add(&receipt, places);
            match Effect::read(receipt.effect_key.as_str()) {
                Some(Effect::QuotaSpend(..)) => self.unmerged_spends.push(receipt),
                Some(Effect::Turn(..)) => drop(self.unmerged_turns.insert(receipt.run_id.clone(), receipt)),
                _ => {}
            }
        }
        Ok(())
    }

    /// The world that turns are judged in: unmerged spends count against the agent, unmerged voids for nobody.
    fn world(&self) -> World<'_> {
        let mut world = world_around(&self.workspace, &self.records, &self.goals);
        world.record(&self.unmerged_spends);
        world
    }

    /// Looks at an agent of each goal that lists it, and at what the verdict could not take into account.
    pub(crate) fn views(&self, agent: &str) -> (Vec<AgentView>, Vec<Text>) {
        let world = self.world();
        let mut views = agent_views(&world, self.wall(), self.as_of, agent);
        views.retain(|view| self.goals.contains(view.goal_id.as_str()));
        (views, sentences(&world, self.wall()))
    }

    /// A todo of a goal as it counts.
    pub(crate) fn todo_view(&self, goal: &str, todo: &str) -> Option<TodoView> {
        todo_view(&self.world(), self.wall(), self.as_of, goal, todo)
    }

    /// The receipt of a turn, wherever it stands.
    pub(crate) fn turn_receipt(&self, run_id: &Id) -> Option<&Receipt> {
        self.records.receipt(run_id.as_str()).or_else(|| self.unmerged_turns.get(run_id))
    }

    /// The agents of a goal as its document here lists them.
    pub(crate) fn agents_of(&self, goal: &str) -> Vec<Id> {
        let number = self.workspace.index.goals.get(goal).and_then(|goal| goal.goal);
        match number.map(|number| &self.workspace.entries[number].record) {
            Some(Some(Record::Goal(goal))) => goal.agents.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// The owner of a goal as its document here says.
    pub(crate) fn owner_of(&self, goal: &str) -> Option<&Id> {
        let number = self.workspace.index.goals.get(goal)?.goal?;
        match &self.workspace.entries[number].record {
            Some(Record::Goal(goal)) => Some(&goal.owner),
            _ => None,
        }
    }

    /// The path of the state directory below the root of the repository.
    pub(crate) fn prefix_in_repository(&self) -> &str {
        self.repository.as_ref().map_or("", Repository::prefix)
    }

    /// The facts of a session as a document here.
    pub(crate) fn facts_document(&self, session: &str) -> Option<(&Arc<str>, &Record)> {
        let numbers = self.workspace.index.sessions.get(session)?;
        let entries = numbers.iter().map(|number| &self.workspace.entries[*number]);
        entries.filter_map(|entry| Some((&entry.path, entry.record.as_ref()?))).next()
    }

    /// Where facts are written that all work trees share; `None`: they are written into the work tree.
    pub(crate) fn shared_facts(&self) -> Option<SharedFacts> {
        SharedFacts::of(self.repository.as_ref(), self.workspace.settings.facts)
    }

    /// Says what may leave.
    pub(crate) fn wall(&self) -> &Wall {
        &self.workspace.wall
    }

    /// The settled turns of a goal.
    pub(crate) fn history(&self, goal: &str) -> TurnHistory {
        self.histories.get(goal).cloned().unwrap_or_default()
    }

    /// A document of a goal as it stands in the work tree.
    pub(crate) fn document(&self, goal: &str, kind: Kind, id: &str) -> Option<(&Arc<str>, &Record)> {
        let number = self.workspace.index.goals.get(goal)?.find(kind, id)?;
        let entry = &self.workspace.entries[number];
        Some((&entry.path, entry.record.as_ref()?))
    }

    /// A todo as it stands in the work tree.
    pub(crate) fn todo(&self, goal: &str, id: &str) -> Option<&Todo> {
        match self.document(goal, Kind::Todo, id)? {
            (_, Record::Todo(todo)) => Some(todo),
            _ => None,
        }
    }

    /// The facts of a session as they stand here.
    pub(crate) fn facts(&self, session: &str) -> Option<&Facts> {
        let numbers = self.workspace.index.sessions.get(session)?;
        numbers.iter().find_map(|number| match &self.workspace.entries[*number].record {
            Some(Record::Facts(facts)) => Some(facts),
            _ => None,
        })
    }

    /// The error for an agent that no goal lists.
    pub(crate) fn unknown_agent(&self, agent: &str) -> Error {
        let folder = Folder::of(&self.root, Vec::new());
        let mut known = BTreeSet::new();
        for goal in goal_names(&self.root) {
            for path in ["yaml", "json"].map(|ending| Arc::from(format!("goals/{goal}/goal.{ending}"))) {
                let record = folder.read(&path).ok().and_then(|bytes| read(&path, &bytes, self.wall()).record);
                if let Some(Record::Goal(goal)) = record {
                    known.extend(goal.agents.keys().map(ToString::to_string));
                }
            }
        }
        let near = nearest(agent, known.iter().map(String::as_str))
            .map_or_else(String::new, |near| format!("; did you mean {near}?"));
        Error::about(ErrorCode::UnknownAgent, format!("agent {agent}{near}"))
    }
}

/// The names of all goals, here and at the authority ref as this clone's `HEAD` or branch shows it.
fn goal_names(root: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(root.join("goals")).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// The names of the goals that commits hold.
fn committed_goals(repository: Option<&Repository>, root: &Path) -> Result<BTreeSet<String>, Error> {
    let Some(repository) = repository else { return Ok(BTreeSet::new()) };
    let Some((reference, head)) = Records::commits_of(repository, root)? else { return Ok(BTreeSet::new()) };
    let mut names = BTreeSet::new();
    for commit in [Some(reference), head].into_iter().flatten() {
        names.extend(repository.folders(commit, "goals")?);
    }
    Ok(names)
}

/// The goal that somebody names.
fn goal_named(root: &Path, repository: Option<&Repository>, typed: &str) -> Result<String, Error> {
    let here = goal_names(root);
    if here.contains(typed) {
        return Ok(typed.to_owned());
    }
    let all: BTreeSet<String> = here.into_iter().chain(committed_goals(repository, root)?).collect();
    let ids = || all.iter().map(String::as_str);
    let found = meant(typed, ids(), Precision::Prefix);
    found.map(str::to_owned).map_err(|why| why.error("goal", typed, ids(), ErrorCode::UnknownGoal))
}

/// The goals whose document names an agent, or cannot be read; of one that is gone here, its last version.
fn goals_that_name(root: &Path, repository: Option<&Repository>, agent: &str) -> Result<BTreeSet<String>, Error> {
    let folder = Folder::of(root, Vec::new());
    let mut goals = goal_names(root);
    let committed = committed_goals(repository, root)?;
    let gone: Vec<String> = committed.into_iter().filter(|goal| !goals.contains(goal)).collect();
    goals.retain(|goal| {
        let read = |ending: &str| folder.read(&format!("goals/{goal}/goal.{ending}"));
        match read("yaml").or_else(|_| read("json")) {
            Ok(bytes) => contains(&bytes, agent.as_bytes()),
            // Whoever works on it has to know that it is there and cannot be read.
            Err(_) => true,
        }
    });
    goals.extend(gone);
    Ok(goals)
}

/// The goals that have a todo of this id, or a receipt of this turn.
pub(crate) fn goals_of_turn(
    root: &Path,
    repository: Option<&Repository>,
    todo: &str,
    turn: &Id,
) -> Result<BTreeSet<String>, Error> {
    let mut goals: BTreeSet<String> = goal_names(root);
    goals.extend(committed_goals(repository, root)?);
    let commits = repository.map(|repository| Records::commits_of(repository, root)).transpose()?.flatten();
    let commits: Vec<CommitId> =
        commits.into_iter().flat_map(|(reference, head)| [Some(reference), head]).flatten().collect();
    let mut found = BTreeSet::new();
    for goal in goals {
        let stem = format!("goals/{goal}/todos/{todo}");
        let has_todo = ["yaml", "json"].iter().any(|ending| root.join(format!("{stem}.{ending}")).is_file());
        let effect = Effect::Turn(&goal, turn.as_str());
        let path = receipt_path(&goal, effect.run_id().as_str());
        let mut has_turn = root.join(&path).is_file();
        for (repository, commit) in repository.iter().flat_map(|it| commits.iter().map(move |commit| (it, *commit))) {
            has_turn = has_turn || repository.file(commit, &path)?.is_some();
        }
        if has_todo || has_turn {
            found.insert(goal);
        }
    }
    if found.is_empty() {
        return Err(Error::about(ErrorCode::UnknownDocument, format!("todo {todo}")));
    }
    Ok(found)
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    !word.is_empty() && text.windows(word.len()).any(|window| window == word)
}

/// The receipts of a goal in the work tree, by their path below the goal's folder.
fn names_here(root: &Path, goal: &str) -> BTreeSet<String> {
    let top = root.join("receipts").join(goal);
    let mut names = BTreeSet::new();
    for shard in std::fs::read_dir(&top).into_iter().flatten().flatten() {
        let Ok(shard_name) = shard.file_name().into_string() else { continue };
        for file in std::fs::read_dir(shard.path()).into_iter().flatten().flatten() {
            if let (Ok(name), Ok(true)) = (file.file_name().into_string(), file.file_type().map(|kind| kind.is_file()))
            {
                names.insert(format!("{shard_name}/{name}"));
            }
        }
    }
    names
}
