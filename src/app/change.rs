//! Writes what people and agents do into the documents: shown first, judged by every rule, then written with its receipt.

use std::collections::BTreeMap;
use std::path::Path;

use super::checkout::CheckedOut;
use super::error::{Error, ErrorCode};
use super::lookup::{Lookup, Precision, actor_here};
use super::plan::{PATIENCE, ReconciledDirectory};
use super::recording::{Recording, difference};
use super::status::agents_here;
use super::world::{Records, world};
use crate::change::{
    Action, Actor, NewActor, NewDocument, POLICY_FILE, Refusal, SourceDocument, add_actor, carry_out, start,
};
use crate::finding::{Finding, introduced};
use crate::git::Repository;
use crate::reconcile::{AuthorityState, Plan, World, reconcile, standing};
use crate::render::{ChangeView, RecordingRoute, change, change_json};
use crate::report::{Batch, Report, Totals};
use crate::rules::{judge, judge_beside};
use crate::store::{Durability, Store, Wanted};
use crate::vocabulary::{ActorClass, Effect, HandoffStanding, Id, Instant, Kind, Level, Receipt, Record, TodoStatus};
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
    /// Lets the policies know an actor.
    AddActor {
        /// Whom.
        actor: NewActor,
        /// What makes a salt differ.
        entropy: u64,
    },
}

impl Operation {
    /// Whether only a person may do it: it answers, approves, judges or says who somebody is.
    #[must_use]
    pub fn decides(&self) -> bool {
        match self {
            Self::AddActor { .. } | Self::Start { new_document: NewDocument::Reward { .. }, .. } => true,
            Self::Start { .. } => false,
            Self::Act { act, .. } => matches!(
                act,
                Action::Decide { .. }
                    | Action::Approve { .. }
                    | Action::ApprovePreview { .. }
                    | Action::Withdraw { kind: Kind::Gate, .. }
            ),
        }
    }

    /// Whether the document says who did it.
    fn names_who(&self) -> bool {
        !matches!(
            self,
            Self::AddActor { .. }
                | Self::Start { new_document: NewDocument::Todo { .. }, .. }
                | Self::Act { act: Action::Finish { .. } | Action::Register { .. }, .. }
        )
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

    fn changing(&self) -> ChangeView<'_> {
        ChangeView {
            files: self.files.iter().map(|(path, (old, _))| (path.as_str(), old.is_none())).collect(),
            receipts: &self.recording.receipts,
            way: &self.recording.way,
            then: &self.recording.then,
            is_refused: self.is_refused(),
            is_written: self.is_written,
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
    // The lock comes first: what is read is what is written over.
    let store = if execute { Some(Store::open(&root, repository.clone(), PATIENCE)?) } else { None };
    let paths = DisplayPaths::below(place, &root);
    let folder = CheckedOut::open(&root, repository.as_ref())?;
    let mut before = judge(&folder, as_of);
    let mut records = Records::read(repository.as_ref(), &root)?;
    records.judge().apply(&mut before.workspace);
    records.join(repository.as_ref(), &before.workspace, None, as_of)?;
    let here = world(&before.workspace, &records);
    let plan = reconcile(&here, &before.workspace.wall, as_of);
    let lookup = Lookup {
        workspace: &before.workspace,
        plan: &plan,
        repository: repository.as_ref(),
        precision: Precision::of(execute),
    };
    let written = write(request, &here, &lookup, folder.folder(), as_of)?;
    let overlay = Overlay::new(&folder, &written);
    let mut after = judge_beside(&overlay, (&folder, &before), as_of);
    let findings = introduced(&before.findings, after.findings);
    records.judge().apply(&mut after.workspace);
    records.join(repository.as_ref(), &after.workspace, None, as_of)?;
    let state = ReconciledDirectory::with(root, after.workspace, records, as_of);
    let receipts: Vec<Receipt> = state.plan.unrecorded.iter().filter(|it| is_of(it, &written)).cloned().collect();
    let (way, then) = match repository.as_ref().filter(|_| state.records.authority == AuthorityState::Read) {
        Some(repository) => (Recording::way_of(repository, &state.records)?, &state.once_recorded(&receipts)),
        None => (RecordingRoute::Nowhere, &state.plan),
    };
    let recording = Recording { way, receipts, then: difference(&plan, then), ..Recording::default() };
    let old = |path: &str| folder.folder().read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let files = written.into_iter().map(|(path, new)| (path.clone(), (old(&path), new))).collect();
    let mut changed = Changed { paths, state, files, findings, recording, is_written: false };
    if let Some(store) = store.filter(|_| !changed.is_refused()) {
        changed.write(&store)?;
    }
    Ok(changed)
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
    if let Operation::AddActor { actor, entropy } = &request.operation {
        return name_actor(actor, *entropy, workspace, folder);
    }
    let goal = request.goal.as_ref().map(|goal| lookup.goal(goal)).transpose()?;
    let entry = match (&request.operation, &goal) {
        (Operation::Act { act, id }, goal) => lookup.document(act.kind(), id, goal.as_deref())?,
        (Operation::Start { .. } | Operation::AddActor { .. }, Some(goal)) => {
            lookup.document(Kind::Goal, goal, Some(goal))?
        }
        (Operation::Start { .. } | Operation::AddActor { .. }, None) => lookup.only_goal()?,
    };
    let unreadable = || Error::about(ErrorCode::DocumentUnusable, &entry.path);
    let record = entry.record.as_ref().ok_or_else(unreadable)?;
    let actor = actor(request, workspace, record, folder.root(), as_of)?;
    match &request.operation {
        Operation::Act { act, .. } => {
            let bytes = folder.read(&entry.path).map_err(|_| unreadable())?;
            let text = String::from_utf8(bytes).map_err(|_| unreadable())?;
            is_of_today(act, record, plan)?;
            is_accepted_in_time(act, record, plan)?;
            may_finish(act, record, here, workspace, folder.root(), as_of)?;
            let source = SourceDocument { path: &entry.path, text: &text, record };
            carry_out(act, source, &actor, &workspace.settings).map_err(refused)
        }
        Operation::Start { new_document, id, entropy } => {
            let id = id.clone().unwrap_or_else(|| new_document.new_id(*entropy));
            let goal_id = Id::new(record.goal_id().unwrap_or_default());
            let mut new_document = new_document.clone();
            lookup.complete(&mut new_document, goal_id.as_str())?;
            let (path, text) = start(&new_document, &goal_id, &id, &actor, &workspace.settings).map_err(refused)?;
            if workspace.index.at(&path).is_some() {
                return Err(Error::about(ErrorCode::Refused, format!("{path} is there already")));
            }
            Ok(BTreeMap::from([(path, text)]))
        }
        Operation::AddActor { .. } => Ok(BTreeMap::new()),
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

/// A handoff is accepted once its approval counts.
fn is_accepted_in_time(act: &Action, record: &Record, plan: &Plan) -> Result<(), Error> {
    let (Action::Accept, Record::Handoff(handoff)) = (act, record) else { return Ok(()) };
    let standing = plan.goals.get(&handoff.goal_id).and_then(|goal| goal.handoffs.get(&handoff.handoff_id));
    // What was accepted or withdrawn already is told by the act itself.
    match standing {
        Some(HandoffStanding::Drafted) => {
            let why = format!("no approval of {} counts yet; who has to give it: loopx status", handoff.handoff_id);
            Err(Error::about(ErrorCode::Refused, why))
        }
        Some(HandoffStanding::Expired) => {
            let why = format!("{id} has expired; draft it anew: loopx handoff renew {id}", id = handoff.handoff_id);
            Err(Error::about(ErrorCode::Refused, why))
        }
        _ => Ok(()),
    }
}

/// An agent, as the policies know this clone's git identity, finishes only what it was permitted to.
fn may_finish(
    act: &Action,
    record: &Record,
    here: &World<'_>,
    workspace: &Workspace,
    root: &Path,
    as_of: Instant,
) -> Result<(), Error> {
    let (Action::Finish { .. }, Record::Todo(todo)) = (act, record) else { return Ok(()) };
    let agents = agents_here(root, &workspace.policies)?;
    if agents.is_empty() || todo.status == TodoStatus::Done {
        return Ok(());
    }
    let key = (todo.goal_id.clone(), todo.todo_id.clone());
    let finishable = standing(here, &workspace.wall, as_of).finishable;
    let why = match finishable.get(&key) {
        _ if todo.task_class.is_user() => "a person has to do it".to_owned(),
        Some(known) if known.iter().any(|one| agents.iter().any(|agent| one.is_same(agent))) => return Ok(()),
        Some(known) => {
            let known: Vec<&str> = known.iter().map(Id::as_str).collect();
            format!("it is for {}", known.join(", "))
        }
        None => "something else comes first; see what: loopx status".to_owned(),
    };
    let (todo, agents) = (&todo.todo_id, agents.join(" or "));
    Err(Error::about(ErrorCode::Refused, format!("{todo} is not {agents}'s to finish: {why}")))
}

fn refused(refusal: Refusal) -> Error {
    Error::about(ErrorCode::Refused, refusal.to_string())
}

/// What is approved has to be what would be written back today.
fn is_of_today(act: &Action, record: &Record, plan: &Plan) -> Result<(), Error> {
    let (Action::ApprovePreview { digest }, Record::WritebackRequest(request)) = (act, record) else { return Ok(()) };
    match plan.digest_of(&request.goal_id, &request.request_id) {
        Some(today) if today == digest => Ok(()),
        today => {
            let today = today.map_or("it has none today".to_owned(), |today| format!("today's is {today}"));
            Err(Error::about(ErrorCode::Refused, format!("that is not the digest of the preview: {today}")))
        }
    }
}

/// Who does it, in which class.
fn actor(
    request: &ChangeRequest,
    workspace: &Workspace,
    record: &Record,
    root: &Path,
    as_of: Instant,
) -> Result<Actor, Error> {
    if request.at.is_some_and(|at| at > as_of) {
        return Err(Error::about(ErrorCode::Refused, "what is done was done by now, and that instant lies ahead"));
    }
    let at = request.at.unwrap_or(as_of);
    if !request.operation.names_who() {
        return Ok(Actor { by: Id::new("nobody"), actor_class: ActorClass::User, at });
    }
    let by = match &request.by {
        Some(name) => name.clone(),
        None => actor_here(root, &workspace.policies)?,
    };
    let of_goal = match record.goal_id().and_then(|goal| workspace.goal(goal)) {
        Some(goal) if goal.owner == *by => Some(ActorClass::Owner),
        Some(goal) if goal.agents.contains_key(by.as_str()) => Some(ActorClass::Agent),
        _ => None,
    };
    let of_policy = || workspace.policies.actor(&by).map(|(_, actor)| actor.class.first());
    let class = request.class.or_else(of_policy).or(of_goal);
    let actor_class = class.ok_or_else(|| Error::about(ErrorCode::UnknownClass, &by))?;
    Ok(Actor { by: Id::new(by), actor_class, at })
}

/// Whether a receipt is of one of these documents.
fn is_of(receipt: &Receipt, written: &BTreeMap<String, String>) -> bool {
    let path = Effect::read(receipt.effect_key.as_str()).and_then(|effect| effect.document_path());
    path.is_some_and(|path| written.contains_key(&path) || written.contains_key(&path.replace(".yaml", ".json")))
}
