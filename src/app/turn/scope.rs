//! The part of a state directory that one agent's turn is about: its goals, their policies, facts and receipts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::checkout::CheckedOut;
use crate::app::error::{Error, ErrorCode};
use crate::app::goal_receipts::{GoalReceipts, ReceiptsCache, receipt};
use crate::app::lookup::{Precision, meant};
use crate::app::shared_facts::SharedFacts;
use crate::app::world::{Records, world_around};
use crate::document::MAX_BYTES;
use crate::git::{CommitId, Repository};
use crate::privacy::{Text, Wall};
use crate::reconcile::{AgentView, Spends, TodoView, World, agent_views, sentences, todo_view};
use crate::rules::open_under;
use crate::turn::{Places, SeenTurn, TurnHistory, TurnRow};
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
    /// What was spent on each goal, also where that does not count for anybody else yet.
    spends: BTreeMap<Box<str>, Spends>,
    /// Receipts of turns that stand in the work tree alone, by id.
    turns_here: BTreeMap<Id, Receipt>,
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
        let (histories, spends, turns_here) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut scope =
            Self { root, repository, workspace, records, goals, prefix, histories, spends, turns_here, as_of };
        scope.read_histories()?;
        Ok(scope)
    }

    /// Joins the receipts of the work tree, of `HEAD` and of the authority ref by what they record.
    fn read_histories(&mut self) -> Result<(), Error> {
        let commits = self.records.commits();
        for goal in self.goals.clone() {
            let reference = self.records.sum(&goal).cloned().unwrap_or_default();
            let head = match (&self.repository, commits) {
                (Some(repository), Some((reference, Some(head)))) if reference != head => {
                    Some(GoalReceipts::at(repository, head, &goal, self.wall())?)
                }
                _ => None,
            };
            let is_same_commit = commits.is_some_and(|(reference, head)| head == Some(reference));
            let mut history = TurnHistory::default();
            for turn in &reference.turns {
                let is_at_head =
                    is_same_commit || head.as_ref().is_some_and(|it| it.ids.contains(turn.run_id.as_str()));
                history.add_turn(turn.clone(), Places { here: false, head: is_at_head, reference: true });
            }
            for turn in head.iter().flat_map(|head| &head.turns) {
                let is_known = reference.ids.contains(turn.run_id.as_str());
                history.add_turn(turn.clone(), Places { here: false, head: true, reference: is_known });
            }
            let newest = head.iter().filter_map(|head| head.newest_at).max();
            history.newest_at = reference.newest_at.max(newest);
            // Voids that are not at the authority ref count for nobody.
            let mut spends = reference.spends.clone();
            spends.spent.extend(head.iter().flat_map(|head| head.spends.spent.clone()));
            history.spent = spends.spent.keys().cloned().collect();
            self.histories.insert(goal.as_str().into(), history);
            self.spends.insert(goal.as_str().into(), spends);
            let is_known = |id: &str| reference.ids.contains(id) || head.as_ref().is_some_and(|it| it.ids.contains(id));
            for (id, name) in names_here(&self.root, &goal).into_iter().filter(|(id, _)| !is_known(id)) {
                self.take_here(&goal, &id, &name);
            }
        }
        Ok(())
    }

    /// Takes a receipt that stands in the work tree alone.
    fn take_here(&mut self, goal: &str, id: &str, name: &str) {
        let bytes = Folder::of(&self.root, Vec::new()).read(&format!("receipts/{goal}/{name}"));
        let read = bytes.ok().and_then(|bytes| receipt(&format!("{goal}/{name}"), &bytes, &self.workspace.wall));
        let Some((_, (_, Some(receipt)))) = read else { return };
        let places = Places { here: true, ..Places::default() };
        self.histories.entry(goal.into()).or_default().add(&receipt, places);
        match Effect::read(receipt.effect_key.as_str()) {
            Some(Effect::QuotaSpend(_, turn)) => {
                self.spends.entry(goal.into()).or_default().spent.insert(turn.into(), receipt.at);
            }
            Some(Effect::Turn(..)) => drop(self.turns_here.insert(Id::new(id), receipt)),
            _ => {}
        }
    }

    /// The world that turns are judged in: unmerged spends count against the agent, unmerged voids for nobody.
    fn world(&self) -> World<'_> {
        let mut world = world_around(&self.workspace, &self.records, &self.goals);
        world.spends = self.spends.iter().map(|(goal, spends)| (&**goal, spends)).collect();
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

    /// The receipt of a turn, wherever it stands: here, at `HEAD` or at the authority ref.
    pub(crate) fn turn_receipt(&self, goal: &str, turn: &Id) -> Result<Option<Receipt>, Error> {
        let run_id = Effect::Turn(goal, turn.as_str()).run_id();
        if let Some(known) = self.turns_here.get(&run_id).or_else(|| self.records.receipt(run_id.as_str())) {
            return Ok(Some(known.clone()));
        }
        let (Some(repository), Some((reference, head))) = (&self.repository, self.records.commits()) else {
            return Ok(None);
        };
        let path = receipt_path(goal, run_id.as_str());
        for commit in [Some(reference), head].into_iter().flatten() {
            let Some(blob) = repository.file(commit, &path)? else { continue };
            let bytes = repository.blob(blob, MAX_BYTES as u64)?.unwrap_or_default();
            let below = path.trim_start_matches("receipts/");
            return Ok(receipt(below, &bytes, self.wall()).and_then(|(_, (_, receipt))| receipt));
        }
        Ok(None)
    }

    /// A settled turn of a goal; one that is long past is looked up by its name.
    pub(crate) fn settled_turn(&self, goal: &str, turn: &Id) -> Result<Option<SeenTurn>, Error> {
        let known = self.histories.get(goal).and_then(|history| history.turn(turn.as_str())).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let Some(row) = self.turn_receipt(goal, turn)?.as_ref().and_then(TurnRow::of) else { return Ok(None) };
        let reference = self.records.sum(goal).is_some_and(|sum| sum.ids.contains(row.run_id.as_str()));
        Ok(Some(SeenTurn { row, places: Places { here: false, head: true, reference } }))
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

    /// Sums the receipts of these goals up for the next look; without it that only takes longer.
    pub(crate) fn keep_receipts(&self) {
        if let (Some(repository), Some((reference, _))) = (&self.repository, self.records.commits()) {
            let cache = ReceiptsCache::beside_git(repository);
            let _ = cache.keep(repository, reference, self.goals.iter().cloned(), self.wall());
        }
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
pub(in crate::app) fn goal_named(root: &Path, repository: Option<&Repository>, typed: &str) -> Result<String, Error> {
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
pub(in crate::app) fn goals_that_name(
    root: &Path,
    repository: Option<&Repository>,
    agent: &str,
) -> Result<BTreeSet<String>, Error> {
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

/// The receipts of a goal in the work tree: the id, and the path below the goal's folder.
fn names_here(root: &Path, goal: &str) -> Vec<(String, String)> {
    let top = root.join("receipts").join(goal);
    let mut names = Vec::new();
    for shard in std::fs::read_dir(&top).into_iter().flatten().flatten() {
        let Ok(shard_name) = shard.file_name().into_string() else { continue };
        for file in std::fs::read_dir(shard.path()).into_iter().flatten().flatten() {
            let Ok(name) = file.file_name().into_string() else { continue };
            if let Some((id, "yaml" | "json")) = name.rsplit_once('.') {
                names.push((id.to_owned(), format!("{shard_name}/{name}")));
            }
        }
    }
    names
}
