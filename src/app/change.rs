//! Writes what people and agents do into the documents: shown first, judged by every rule, then written with its receipt.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::checkout::CheckedOut;
use super::error::{Error, ErrorCode};
use super::lookup::{Lookup, Precision, actor_here, no_person_here};
use super::observe::{Observation, Reported, SessionChoice, observe};
use super::permission::{Permission, acting_agents};
use super::plan::{PATIENCE, ReconciledDirectory};
use super::reconciled::has_facts;
use super::recording::{Recording, difference};
use super::world::{Records, facts_absent, world, world_around};
use crate::change::{
    Action, Actor, NewActor, NewDocument, POLICY_FILE, Refusal, SourceDocument, add_actor, carry_out, says_the_same,
    start,
};
use crate::finding::{Finding, introduced};
use crate::git::Repository;
use crate::reconcile::{AuthorityState, Plan, World, reconcile};
use crate::render::{ChangeView, RecordingRoute, change, change_json};
use crate::report::{Batch, Report, Totals};
use crate::rules::{judge, judge_beside};
use crate::store::{Durability, Store, Wanted};
use crate::vocabulary::{
    ActorClass, Effect, Id, Instant, Kind, Label, Level, Receipt, Record, ResumeWhen, Storage, Todo, TodoStatus,
};
use crate::workspace::{DisplayPaths, Files, Folder, LoadedFile, Overlay, Workspace};

/// What somebody wants to do, as it is typed.
#[derive(Debug, Clone)]
pub struct ChangeRequest {
    /// What is done.
    pub operation: Operation,
    /// The goal, where nothing else tells; a unique prefix will do.
    pub goal: Option<String>,
    /// Who does it; `None`: the policy's actor with this clone's git identity.
    pub by: Option<String>,
    /// In which class; `None`: the one that policy and goal give the actor.
    pub class: Option<ActorClass>,
    /// When it was done; `None`: now.
    pub at: Option<Instant>,
}

/// What somebody does to the documents.
#[derive(Debug, Clone)]
pub enum Operation {
    /// Does something to a document.
    Act {
        /// What.
        act: Action,
        /// To which; a unique prefix of its id will do.
        id: String,
    },
    /// Starts a document.
    Start {
        /// What it says.
        new_document: NewDocument,
        /// Its id; `None`: one that says what it is about.
        id: Option<Id>,
        /// What makes such an id differ.
        entropy: u64,
    },
    /// Reports facts of a session.
    Observe {
        /// Which session.
        session: SessionChoice,
        /// What is reported.
        report: Reported,
    },
    /// Lets the policies know an actor.
    AddActor {
        /// Whom.
        actor: NewActor,
        /// What makes a salt differ.
        entropy: u64,
    },
}

impl ChangeRequest {
    /// The goals of the gates that somebody may mean; `None`: nothing says so little that the directory need not be read.
    fn goals_of_gate(&self, root: &Path, repository: Option<&Repository>) -> Option<BTreeSet<String>> {
        let Operation::Act { act, id } = &self.operation else { return None };
        // What a sparse checkout leaves out has no name here.
        if act.kind() != Kind::Gate || repository.is_some_and(Repository::is_sparse) {
            return None;
        }
        let names = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
        let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().unwrap_or_default();
        let goals = names(&root.join("goals")).filter(|goal| {
            let is_named = self.goal.as_ref().is_none_or(|named| name(goal).starts_with(named.as_str()));
            is_named && names(&goal.path().join("gates")).any(|gate| name(&gate).starts_with(id.as_str()))
        });
        let goals: BTreeSet<String> = goals.map(|goal| name(&goal)).collect();
        Some(goals).filter(|goals| !goals.is_empty())
    }
}

impl Operation {
    /// Whether only a person may do it: it answers, approves, judges or says who somebody is.
    #[must_use]
    pub fn decides(&self) -> bool {
        match self {
            Self::Act { act, .. } => matches!(
                act,
                Action::Decide { .. }
                    | Action::Approve { .. }
                    | Action::ApprovePreview { .. }
                    | Action::Withdraw { kind: Kind::Gate, .. }
            ),
            Self::Start { new_document, .. } => matches!(new_document, NewDocument::Reward { .. }),
            Self::AddActor { .. } => true,
            Self::Observe { .. } => false,
        }
    }

    /// Whether it has to be known who does it: the document says so, or only some may.
    fn names_who(&self) -> bool {
        match self {
            Self::AddActor { .. } | Self::Observe { .. } => false,
            Self::Start { new_document, .. } => {
                !matches!(new_document, NewDocument::Todo { .. } | NewDocument::Proposal { .. })
            }
            Self::Act { act, .. } => !matches!(
                act,
                Action::Finish { .. }
                    | Action::Block
                    | Action::Defer { .. }
                    | Action::Resume
                    | Action::Supersede { .. }
                    | Action::Register { .. }
            ),
        }
    }

    /// The class of somebody whom neither policy nor goal knows, where the document does not say it.
    fn usual_class(&self) -> Option<ActorClass> {
        match self {
            Self::Start { new_document: NewDocument::Goal { .. }, .. } => Some(ActorClass::Owner),
            Self::Act { act: Action::Claim | Action::Release, .. } => Some(ActorClass::Agent),
            _ if !self.names_who() => Some(ActorClass::User),
            _ => None,
        }
    }
}

/// A change of documents, written or only shown.
#[derive(Debug)]
pub struct Changed {
    /// The state directory with the change in it.
    pub state: ReconciledDirectory,
    /// What its files hold before and after, by path; a new one held nothing.
    pub files: BTreeMap<String, (Option<String>, String)>,
    /// What would be wrong with it.
    pub findings: Vec<Finding>,
    /// The receipts of what it decides, how they come to count, and what follows then.
    pub recording: Recording,
    /// Whether it was written.
    pub is_written: bool,
    /// How paths below the state directory are shown.
    paths: DisplayPaths,
}

impl Changed {
    /// Whether a rule forbids it, so that nothing was written.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Error)
    }

    /// What would be wrong with it, ready to be written.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        let (findings, wall) = (&self.findings[..], &self.state.workspace.wall);
        let mut totals = Totals::default();
        totals.add(self.files.len(), findings);
        Report { batches: vec![Batch { findings, paths: &self.paths, wall }], totals }
    }

    /// What follows from it, in words for people.
    #[must_use]
    pub fn said(&self) -> String {
        change(&self.changing())
    }

    /// Returns the change as the JSON that programs read.
    #[must_use]
    pub fn to_json(&self) -> String {
        change_json(&self.changing())
    }

    /// Whether git holds what was written: facts may be ignored by it.
    fn is_for_git(&self) -> bool {
        let is_fact = |path: &String| path.starts_with("facts/");
        self.state.workspace.settings.facts == Storage::Committed || !self.files.keys().all(is_fact)
    }

    fn changing(&self) -> ChangeView<'_> {
        ChangeView {
            files: self.files.iter().map(|(path, (old, _))| (path.as_str(), old.is_none())).collect(),
            receipts: &self.recording.receipts,
            way: &self.recording.way,
            then: &self.recording.then,
            is_refused: self.is_refused(),
            is_written: self.is_written,
            is_committed: self.is_for_git(),
            wall: &self.state.workspace.wall,
        }
    }
}

/// Does something to a document of the state directory of a place; without `execute` it is only shown.
///
/// The change is judged as lint judges it. What is an error is not written; nothing else of the directory is touched.
///
/// # Errors
/// The document or the actor is unknown, the act does not fit what stands there, or the files cannot be written.
pub fn change_document(place: &Path, request: &ChangeRequest, as_of: Instant, execute: bool) -> Result<Changed, Error> {
    let root = super::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let change = |goals| change_within(place, (root.clone(), repository.clone()), request, goals, (as_of, execute));
    let goals = request.goals_of_gate(&root, repository.as_ref());
    let is_part = goals.is_some();
    match change(goals)? {
        Some(changed) => Ok(changed),
        None if is_part => change(None)?.ok_or(Error::of(ErrorCode::ReceiptConflict)),
        None => Err(Error::of(ErrorCode::ReceiptConflict)),
    }
}

/// The same, reading some goals alone; `None`: that does not do, since a receipt of what is decided stands here already
/// and has to be compared, or since the other goals say whether facts are reported.
fn change_within(
    place: &Path,
    (root, repository): (PathBuf, Option<Repository>),
    request: &ChangeRequest,
    goals: Option<BTreeSet<String>>,
    (as_of, execute): (Instant, bool),
) -> Result<Option<Changed>, Error> {
    // The lock comes first: what is read is what is written over.
    let store = if execute { Some(Store::open(&root, repository.clone(), PATIENCE)?) } else { None };
    let paths = DisplayPaths::below(place, &root);
    let (folder, mut records) = match &goals {
        Some(goals) => (
            CheckedOut::of_goals(&root, goals, repository.as_ref())?,
            Records::read_goals(repository.as_ref(), &root, goals)?,
        ),
        None => (CheckedOut::open(&root, repository.as_ref())?, Records::read(repository.as_ref(), &root)?),
    };
    let mut before = judge(&folder, as_of);
    records.judge().apply(&mut before.workspace);
    records.join(repository.as_ref(), &before.workspace, goals.as_ref(), as_of)?;
    // Only the whole directory says whether anybody reports facts here at all.
    if goals.is_some() && facts_absent(&before.workspace, &records) && has_facts(&root) {
        return Ok(None);
    }
    let here = match &goals {
        Some(goals) => world_around(&before.workspace, &records, goals),
        None => world(&before.workspace, &records),
    };
    let plan = reconcile(&here, &before.workspace.wall, as_of);
    let lookup = Lookup {
        workspace: &before.workspace,
        plan: &plan,
        repository: repository.as_ref(),
        precision: Precision::of(execute),
    };
    let old = |path: &str| folder.folder().read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let facts = observed(request, &lookup, folder.folder(), (as_of, execute))?;
    let mut written = match &facts {
        Some(facts) => BTreeMap::from([(facts.path.clone(), facts.new.clone())]),
        None => write(request, &here, &lookup, folder.folder(), as_of)?,
    };
    let told = facts.as_ref().map(|facts| facts.old.clone());
    let old = |path: &str| told.clone().unwrap_or_else(|| old(path));
    written.retain(|path, new| old(path).as_ref() != Some(new));
    let overlay = Overlay::new(&folder, &written);
    let mut after = judge_beside(&overlay, (&folder, &before), as_of);
    let findings = introduced(&before.findings, after.findings);
    if matches!(request.operation, Operation::Observe { .. }) {
        refuse_unlawful_facts(&findings)?;
    }
    records.judge().apply(&mut after.workspace);
    records.join(repository.as_ref(), &after.workspace, goals.as_ref(), as_of)?;
    let is_part = goals.is_some();
    let state = ReconciledDirectory::with(root, after.workspace, records, goals, as_of);
    let receipts: Vec<Receipt> = state.plan.unrecorded.iter().filter(|it| is_of(it, &written)).cloned().collect();
    if is_part && receipts.iter().any(|receipt| state.root.join(receipt.path()).exists()) {
        return Ok(None);
    }
    let recording = recording(&state, repository.as_ref(), receipts, &plan)?;
    let files = written.into_iter().map(|(path, new)| (path.clone(), (old(&path), new))).collect();
    let mut changed = Changed { paths, state, files, findings, recording, is_written: false };
    if let Some(store) = store.filter(|_| !changed.is_refused() && !changed.files.is_empty()) {
        match facts.and_then(|facts| Some((facts.locked?, facts.new))) {
            Some((locked, text)) => changed.is_written = locked.write(&text).map(|()| true)?,
            None => changed.write(&store)?,
        }
    }
    Ok(Some(changed))
}

/// The receipts of what a change decides, how they come to count, and what follows then.
fn recording(
    state: &ReconciledDirectory,
    repository: Option<&Repository>,
    receipts: Vec<Receipt>,
    before: &Plan,
) -> Result<Recording, Error> {
    let repository = repository.filter(|_| state.records.authority == AuthorityState::Read);
    let (way, then) = match repository {
        Some(repository) => (Recording::way_of(repository, &state.records)?, &state.once_recorded(&receipts)),
        None => (RecordingRoute::Nowhere, &state.plan),
    };
    Ok(Recording { way, receipts, then: difference(before, then), ..Recording::default() })
}

/// The facts of a session with what is reported of it; `None`: it is a document that changes.
fn observed(
    request: &ChangeRequest,
    lookup: &Lookup<'_>,
    folder: &Folder,
    now: (Instant, bool),
) -> Result<Option<Observation>, Error> {
    let Operation::Observe { session, report } = &request.operation else { return Ok(None) };
    let goal = request.goal.as_ref().map(|goal| lookup.goal(goal)).transpose()?;
    observe((session, report), lookup, goal.as_deref(), folder, now).map(Some)
}

/// Refuses facts that a rule forbids by the rules' names alone: what a host reported is repeated nowhere.
fn refuse_unlawful_facts(findings: &[Finding]) -> Result<(), Error> {
    let errors = findings.iter().filter(|finding| finding.level == Level::Error);
    let rules: BTreeSet<&str> = errors.map(|finding| finding.rule).collect();
    match rules.is_empty() {
        true => Ok(()),
        false => {
            let rules = rules.into_iter().collect::<Vec<_>>().join(", ");
            Err(Error::about(ErrorCode::Refused, format!("the facts would break these rules: {rules}")))
        }
    }
}

impl Changed {
    /// Writes the documents and the receipts, unless somebody has changed one of them since it was read.
    fn write(&mut self, store: &Store) -> Result<(), Error> {
        let mut wanted = super::record::files(&self.state, &self.recording.receipts)?;
        let documents = self.files.iter().map(|(path, (_, new))| (path.clone(), Wanted::Content(new.clone().into())));
        wanted.extend(documents);
        let is_as_read = |path: &str, now: &[u8]| {
            let old = self.files.get(path).and_then(|(old, _)| old.as_ref());
            old.is_some_and(|old| old.as_bytes() == now)
        };
        store.write(&wanted, &is_as_read, Durability::Kept)?;
        self.is_written = true;
        Ok(())
    }
}

/// The texts that hold what is wished for.
fn write(
    request: &ChangeRequest,
    here: &World<'_>,
    lookup: &Lookup<'_>,
    folder: &Folder,
    as_of: Instant,
) -> Result<BTreeMap<String, String>, Error> {
    let Lookup { workspace, plan, .. } = *lookup;
    let goal = request.goal.as_ref().map(|goal| lookup.goal(goal)).transpose()?;
    let entry = match (&request.operation, &goal) {
        (Operation::AddActor { actor, entropy }, _) => return name_actor(actor, *entropy, workspace, folder),
        (Operation::Observe { .. }, _) => return Ok(BTreeMap::new()),
        (Operation::Start { new_document: NewDocument::Goal { .. }, .. }, _) => None,
        (Operation::Act { act, id }, goal) => Some(lookup.document(act.kind(), id, goal.as_deref())?),
        (Operation::Start { .. }, Some(goal)) => Some(lookup.document(Kind::Goal, goal, Some(goal))?),
        (Operation::Start { .. }, None) => Some(lookup.only_goal()?),
    };
    let record = entry.map(usable).transpose()?;
    if request.operation.decides()
        && let Some(why) = no_person_here(folder.root(), &workspace.policies)?
    {
        let why =
            format!("{why}; a person decides, whatever --by says, in a clone whose git identity is that person's");
        return Err(Error::about(ErrorCode::Refused, why));
    }
    let actor = actor(request, workspace, record, folder.root(), as_of)?;
    let goal = record.and_then(|record| workspace.goal(record.goal_id()?));
    let agents = acting_agents(request.by.as_deref(), goal, workspace, folder.root())?;
    let permission = Permission { here, plan, wall: &workspace.wall, as_of, actor: &actor, agents };
    match (&request.operation, entry) {
        (Operation::Act { act, .. }, Some(entry)) => Acting { permission, lookup, folder }.act(act, entry),
        (Operation::Start { new_document, id, entropy }, _) => {
            permission.may_start(new_document)?;
            let goal = record.and_then(Record::goal_id).map(Id::new);
            start_document(new_document, (goal, id.as_ref(), *entropy), &actor, lookup)
        }
        _ => Ok(BTreeMap::new()),
    }
}

/// What a document says; one that cannot be used as it stands is an error.
fn usable(entry: &LoadedFile) -> Result<&Record, Error> {
    entry.record.as_ref().ok_or_else(|| Error::about(ErrorCode::DocumentUnusable, &entry.path))
}

/// The text of a new document; nothing where one says the same already.
fn start_document(
    new_document: &NewDocument,
    (goal_id, id, entropy): (Option<Id>, Option<&Id>, u64),
    actor: &Actor,
    lookup: &Lookup<'_>,
) -> Result<BTreeMap<String, String>, Error> {
    let workspace = lookup.workspace;
    let settings = &workspace.settings;
    let mut new_document = new_document.clone();
    if let Some(goal_id) = &goal_id {
        lookup.complete(&mut new_document, goal_id.as_str())?;
    }
    let same = |entry: &&LoadedFile| {
        let is_of_goal = goal_id.is_none() || entry.goal_id() == goal_id.as_ref().map(Id::as_str);
        let is_of_id = id
            .is_none_or(|id| entry.field(new_document.kind().row().id_field.unwrap_or_default()) == Some(id.as_str()));
        let record = entry.record.as_ref().filter(|_| is_of_goal && is_of_id);
        record.is_some_and(|record| says_the_same(&new_document, record, actor, settings))
    };
    if workspace.entries.iter().any(|entry| same(&entry)) {
        return Ok(BTreeMap::new());
    }
    let id = id.cloned().unwrap_or_else(|| new_document.new_id(entropy));
    let goal_id = goal_id.unwrap_or_else(|| id.clone());
    let (path, text) = start(&new_document, &goal_id, &id, actor, settings).map_err(refused)?;
    if workspace.index.at(&path).is_some() {
        return Err(Error::about(ErrorCode::Refused, format!("{path} is there already")));
    }
    Ok(BTreeMap::from([(path, text)]))
}

/// An act, and what it is judged and written by.
struct Acting<'a, 'l> {
    permission: Permission<'a>,
    lookup: &'l Lookup<'a>,
    folder: &'l Folder,
}

impl Acting<'_, '_> {
    /// The texts of the documents that an act changes.
    fn act(&self, act: &Action, entry: &LoadedFile) -> Result<BTreeMap<String, String>, Error> {
        let record = usable(entry)?;
        self.permission.check(act, record)?;
        match (act, record) {
            (Action::Claim, Record::Todo(todo)) => self.claim(todo, entry),
            (Action::Defer { until }, Record::Todo(todo)) => {
                let until = self.completed(until, todo)?;
                self.carry_out(&Action::Defer { until }, entry)
            }
            (Action::Supersede { title, new }, Record::Todo(todo)) => self.supersede(act, (title, new), todo, entry),
            _ => self.carry_out(act, entry),
        }
    }

    fn carry_out(&self, act: &Action, entry: &LoadedFile) -> Result<BTreeMap<String, String>, Error> {
        let unreadable = || Error::about(ErrorCode::DocumentUnusable, &entry.path);
        let bytes = self.folder.read(&entry.path).map_err(|_| unreadable())?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable())?;
        let source = SourceDocument { path: &entry.path, text: &text, record: usable(entry)? };
        carry_out(act, source, self.permission.actor, &self.lookup.workspace.settings).map_err(refused)
    }

    /// Claims a todo: by accepting the handoff that gives it to the agent, else in the todo itself.
    fn claim(&self, todo: &Todo, entry: &LoadedFile) -> Result<BTreeMap<String, String>, Error> {
        match self.permission.claim(todo)? {
            Some(handoff) => {
                let entry = self.lookup.document(Kind::Handoff, handoff.as_str(), Some(todo.goal_id.as_str()))?;
                self.carry_out(&Action::Accept, entry)
            }
            None if self.permission.holds(todo) => Ok(BTreeMap::new()),
            None => self.carry_out(&Action::Claim, entry),
        }
    }

    /// What a todo waits for, with the whole id of the todo that it names.
    fn completed(&self, until: &ResumeWhen, todo: &Todo) -> Result<ResumeWhen, Error> {
        let Some(typed) = until.todo() else { return Ok(until.clone()) };
        let entry = self.lookup.document(Kind::Todo, typed, Some(todo.goal_id.as_str()))?;
        Ok(ResumeWhen::new(format!("todo_done:{}", entry.field("todo_id").unwrap_or(typed))))
    }

    /// Puts a todo off until a new one is done, and lets what waited for it wait for the new one.
    fn supersede(
        &self,
        act: &Action,
        (title, new): (&Label, &Id),
        todo: &Todo,
        entry: &LoadedFile,
    ) -> Result<BTreeMap<String, String>, Error> {
        let goal = Some(todo.goal_id.as_str());
        let todos = self.lookup.workspace.entries.iter().filter(|entry| entry.goal_id() == goal);
        let todos = todos.filter_map(|entry| match &entry.record {
            Some(Record::Todo(todo)) => Some((entry, todo)),
            _ => None,
        });
        let successor = todo.resume_when.as_ref().and_then(ResumeWhen::todo);
        let is_successor = |other: &Todo| Some(other.todo_id.as_str()) == successor && other.title == *title;
        if todo.status == TodoStatus::Deferred && todos.clone().any(|(_, other)| is_successor(other)) {
            return Ok(BTreeMap::new());
        }
        let mut written = self.carry_out(act, entry)?;
        if let Some(path) =
            written.keys().find(|path| **path != *entry.path && self.lookup.workspace.index.at(path).is_some())
        {
            return Err(Error::about(ErrorCode::Refused, format!("{path} is there already")));
        }
        let waits = |other: &Todo| {
            other.status != TodoStatus::Done && other.after.iter().any(|first| first.is_same(&todo.todo_id))
        };
        let reorder = Action::Reorder { old: todo.todo_id.clone(), new: new.clone() };
        for (entry, _) in todos.filter(|(_, other)| waits(other)) {
            written.extend(self.carry_out(&reorder, entry)?);
        }
        Ok(written)
    }
}

/// The policy with one actor more: in the file that lists actors, else in the first one, else in a new one.
fn name_actor(
    actor: &NewActor,
    entropy: u64,
    workspace: &Workspace,
    folder: &Folder,
) -> Result<BTreeMap<String, String>, Error> {
    let policies = || workspace.entries.iter().filter(|entry| entry.kind() == Some(Kind::Policy));
    let lists = |entry: &&LoadedFile| matches!(&entry.record, Some(Record::Policy(policy)) if policy.actors.is_some());
    let entry = policies().find(lists).or_else(|| policies().next());
    let salt = workspace.policies.identity_salt.as_deref();
    let Some(entry) = entry else {
        let text = add_actor(actor, None, salt, entropy).map_err(refused)?;
        return Ok(BTreeMap::from([(POLICY_FILE.to_owned(), text)]));
    };
    let unreadable = || Error::about(ErrorCode::DocumentUnusable, &entry.path);
    let record = entry.record.as_ref().ok_or_else(unreadable)?;
    let text = folder.read(&entry.path).ok().and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(unreadable)?;
    let source = SourceDocument { path: &entry.path, text: &text, record };
    let text = add_actor(actor, Some(source), salt, entropy).map_err(refused)?;
    Ok(BTreeMap::from([(entry.path.to_string(), text)]))
}

fn refused(refusal: Refusal) -> Error {
    Error::about(ErrorCode::Refused, refusal.to_string())
}

/// Who does it, in which class.
fn actor(
    request: &ChangeRequest,
    workspace: &Workspace,
    record: Option<&Record>,
    root: &Path,
    as_of: Instant,
) -> Result<Actor, Error> {
    if request.at.is_some_and(|at| at > as_of) {
        return Err(Error::about(ErrorCode::Refused, "what is done was done by now, and that instant lies ahead"));
    }
    let at = request.at.unwrap_or(as_of);
    let by = match &request.by {
        Some(name) => name.clone(),
        None if !request.operation.names_who() => {
            return Ok(Actor { by: Id::new("nobody"), actor_class: ActorClass::User, at });
        }
        None => actor_here(root, &workspace.policies)?,
    };
    let of_goal = match record.and_then(|record| workspace.goal(record.goal_id()?)) {
        Some(goal) if goal.owner == *by => Some(ActorClass::Owner),
        Some(goal) if goal.agents.contains_key(by.as_str()) => Some(ActorClass::Agent),
        _ => None,
    };
    let of_policy = || workspace.policies.actor(&by).map(|(_, actor)| actor.class.first());
    let class = request.class.or_else(of_policy).or(of_goal).or(request.operation.usual_class());
    let actor_class = class.ok_or_else(|| Error::about(ErrorCode::UnknownClass, &by))?;
    Ok(Actor { by: Id::new(by), actor_class, at })
}

/// Whether a receipt is of one of these documents.
fn is_of(receipt: &Receipt, written: &BTreeMap<String, String>) -> bool {
    let path = Effect::read(receipt.effect_key.as_str()).and_then(|effect| effect.document_path());
    path.is_some_and(|path| written.contains_key(&path) || written.contains_key(&path.replace(".yaml", ".json")))
}
