//! Checks a turn and records it once (`loopx settle`).
//!
//! The receipt of the turn is the commit point: before it nothing is settled, after it everything else follows from it,
//! and the next call writes what a crash left out.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::next::NextRequest;
use super::scope::TurnScope;
use crate::app::error::{Error, ErrorCode};
use crate::app::plan::PATIENCE;
use crate::app::shared_facts::{FactsText, SharedFacts};
use crate::change::{SourceDocument, record_outcomes, record_progress};
use crate::document::to_yaml;
use crate::git::Repository;
use crate::process::{CommandEnd, run_command};
use crate::reconcile::AgentView;
use crate::store::{Durability, Probe, Store, Wanted};
use crate::turn::{
    Places, SeenTurn, SettledTurn, Settlement, TurnInput, TurnRow, Unfinished, outcomes, progress, spend_receipt,
    turn_receipt, validation_of,
};
use crate::vocabulary::{
    CLOCK_TOLERANCE, ClosedWords as _, Facts, FactsV0, Id, Instant, Kind, LINE_LIMIT, Line, Receipt, Record, RuntimeId,
    SessionMode, SessionStatus, SettleRefusal, TaskClass, Todo, TurnResult, TurnValidation,
};
use crate::workspace::{Files as _, Folder};

/// How a turn is settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettleRequest {
    /// The turn.
    pub turn: Id,
    /// Its todo.
    pub todo: Id,
    /// The agent; `None`: the one whose turn it is.
    pub agent: Option<Id>,
    /// What the agent says of its work.
    pub outcome: TurnResult,
    /// One line about it.
    pub summary: Option<Line>,
    /// How long the goal's command may take.
    pub timeout: Duration,
    /// Whether nothing is run or written.
    pub dry_run: bool,
}

/// Whether a turn is settled, or whose it is.
enum Standing {
    Settled { goal: String, turn: SeenTurn },
    Current { goal: String, agent: Id },
}

/// One turn while it is settled.
struct Settling<'s> {
    scope: &'s TurnScope,
    goal: String,
    view: AgentView,
    todo: Todo,
    is_nobodys: bool,
    request: &'s SettleRequest,
}

/// What was written, or would be.
type FileTexts = BTreeMap<String, Vec<u8>>;

/// Checks a turn and records it once. `given` is the time, if it is not the clock's.
///
/// # Errors
/// The turn is not the current one, the goal's command cannot be started, the clock is behind, or files cannot be
/// written.
pub fn settle(place: &Path, request: &SettleRequest, given: Option<Instant>) -> Result<Settlement, Error> {
    settle_probed(place, request, given, None)
}

/// The same, with a probe that is asked before every change to the disk.
#[doc(hidden)]
pub fn settle_probed(
    place: &Path,
    request: &SettleRequest,
    given: Option<Instant>,
    probe: Option<Probe>,
) -> Result<Settlement, Error> {
    let now = || given.unwrap_or_else(crate::app::now);
    let root = crate::app::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let goals = super::scope::goals_of_turn(&root, repository.as_ref(), request.todo.as_str(), &request.turn)?;
    let read = |as_of| TurnScope::of_goals(place, root.clone(), repository.clone(), goals.clone(), as_of);
    let mut scope = read(now())?;
    let mut validation = TurnValidation::NotRun;
    if let Standing::Current { goal, agent } = scope.standing(request)? {
        let settling = Settling::new(&scope, goal, &agent, request)?;
        if settling.refusal().is_some() || request.dry_run {
            return settling.foretell(place);
        }
        validation = settling.validate()?;
    }
    if request.dry_run {
        return scope.settled_before(place, request, None);
    }
    // The lock comes after the command, which may take long; what was read before it is read again.
    let store = Store::open_probed(&root, repository.clone(), PATIENCE, probe)?;
    scope = read(now())?;
    match scope.standing(request)? {
        Standing::Settled { .. } => scope.settled_before(place, request, Some(&store)),
        Standing::Current { goal, agent } => {
            Settling::new(&scope, goal, &agent, request)?.record(place, &store, validation)
        }
    }
}

impl TurnScope {
    /// Whether the turn is settled, or whose it is.
    fn standing(&self, request: &SettleRequest) -> Result<Standing, Error> {
        for goal in &self.goals {
            let settled = self.settled_turn(goal, &request.turn)?;
            let settled = settled.filter(|turn| turn.row.todo_id == request.todo);
            let is_asked = |turn: &SeenTurn| request.agent.as_ref().is_none_or(|agent| turn.row.agent_id == *agent);
            if let Some(turn) = settled.filter(is_asked) {
                return Ok(Standing::Settled { goal: goal.clone(), turn });
            }
        }
        for goal in &self.goals {
            let agents = match &request.agent {
                Some(agent) => vec![agent.clone()],
                None => self.agents_of(goal),
            };
            let history = self.history(goal);
            let is_current =
                |agent: &Id| history.next_turn_id(goal, agent.as_str(), request.todo.as_str()) == request.turn;
            if let Some(agent) = agents.into_iter().find(is_current) {
                if history.newest_at.is_some_and(|newest| newest > self.as_of.after(CLOCK_TOLERANCE)) {
                    return Err(Error::about(ErrorCode::ClockBehind, format!("it is {} here", self.as_of)));
                }
                return Ok(Standing::Current { goal: goal.clone(), agent });
            }
        }
        let about = format!("{} of {}", request.turn, request.todo);
        Err(Error::about(ErrorCode::TurnNotCurrent, about))
    }

    /// A turn that was settled before: what a crash left out is written, nothing is run again.
    fn settled_before(
        &self,
        place: &Path,
        request: &SettleRequest,
        store: Option<&Store>,
    ) -> Result<Settlement, Error> {
        let Standing::Settled { goal, turn } = self.standing(request)? else {
            return Err(Error::of(ErrorCode::TurnNotCurrent));
        };
        let agent = turn.row.agent_id.clone();
        let settling = Settling::new(self, goal, &agent, request)?;
        let receipt = self.turn_receipt(&settling.goal, &turn.row.turn_id)?;
        let receipt = &receipt.ok_or(Error::of(ErrorCode::TurnNotCurrent))?;
        let validation = validation_of(receipt, &settling.settled(turn.row.result, TurnValidation::None, turn.row.at));
        let contradicts = match (request.outcome, turn.row.result) {
            (TurnResult::Failed | TurnResult::Blocked, TurnResult::Passed | TurnResult::Done) => true,
            (TurnResult::Done, result) => result != TurnResult::Done,
            _ => false,
        };
        let (mut written, mut refused) = (Vec::new(), None);
        if contradicts {
            refused = Some(SettleRefusal::TurnSettledOtherwise);
        } else if !turn.places.reference {
            written = settling.follow(&turn, receipt, validation, store)?;
        }
        let spent = self.history(&settling.goal).spent.contains(turn.row.turn_id.as_str())
            || written.iter().any(|path| path == &spend_receipt(receipt, &turn.row.turn_id).path());
        let told = Told {
            result: Some(turn.row.result),
            validation: validation.unwrap_or(TurnValidation::NotRun),
            replayed: true,
            spent,
            written,
            refused,
        };
        self.settlement(place, request, &agent, told)
    }

    fn settlement(&self, place: &Path, request: &SettleRequest, agent: &Id, told: Told) -> Result<Settlement, Error> {
        let scope = Self::of_agent(place, agent.as_str(), None, self.as_of)?;
        let asked = NextRequest { agent: agent.to_string(), ..NextRequest::default() };
        let next = scope.next(&asked)?;
        let wall = self.wall();
        Ok(Settlement {
            schema_version: Default::default(),
            turn_id: wall.text(&request.turn),
            todo_id: wall.text(&request.todo),
            result: told.result,
            validation: told.validation,
            replayed: told.replayed,
            spent: told.spent,
            written: told.written.iter().map(|path| wall.text(format!("{}{path}", self.prefix))).collect(),
            refused: told.refused,
            pending_steps: next.pending_steps.clone(),
            next,
        })
    }
}

/// What a settlement tells.
struct Told {
    result: Option<TurnResult>,
    validation: TurnValidation,
    replayed: bool,
    spent: bool,
    written: Vec<String>,
    refused: Option<SettleRefusal>,
}

impl<'s> Settling<'s> {
    fn new(scope: &'s TurnScope, goal: String, agent: &Id, request: &'s SettleRequest) -> Result<Self, Error> {
        let (views, _) = scope.views(agent.as_str());
        let view = views.into_iter().find(|view| view.goal_id == *goal.as_str());
        let view = view.ok_or_else(|| scope.unknown_agent(agent.as_str()))?;
        let counted = scope.todo_view(&goal, request.todo.as_str());
        let (todo, is_nobodys) = match counted {
            Some(counted) => (counted.todo, counted.agent_id.is_none()),
            // A todo that is gone was settled all the same.
            None => match scope.todo(&goal, request.todo.as_str()) {
                Some(todo) => (todo.clone(), false),
                None => return Err(Error::about(ErrorCode::UnknownDocument, format!("todo {}", request.todo))),
            },
        };
        Ok(Self { scope, goal, view, todo, is_nobodys, request })
    }

    /// Whose todo it is, where it is not the agent's to settle.
    fn refusal(&self) -> Option<SettleRefusal> {
        if self.todo.task_class.is_user() {
            return Some(SettleRefusal::TodoOfPerson);
        }
        let counted = self.scope.todo_view(&self.goal, self.request.todo.as_str())?;
        let here = self.scope.todo(&self.goal, self.request.todo.as_str());
        let named_here = here.and_then(|todo| todo.assignee.as_ref().or(todo.claimed_by.as_ref()));
        let is_peers = |agent: &Id| *agent != self.view.agent_id;
        let is_of_peer =
            counted.is_contested || counted.agent_id.as_ref().is_some_and(is_peers) || named_here.is_some_and(is_peers);
        is_of_peer.then_some(SettleRefusal::TodoOfPeer)
    }

    fn is_monitor(&self) -> bool {
        self.todo.task_class == TaskClass::ContinuousMonitor
    }

    fn command(&self) -> &[Line] {
        self.view.goal.as_ref().map_or(&[], |goal| &goal.validation_command)
    }

    /// Runs the goal's command, where the agent says that its work passed.
    fn validate(&self) -> Result<TurnValidation, Error> {
        let passes = matches!(self.request.outcome, TurnResult::Passed | TurnResult::Done);
        let words: Vec<&str> = self.command().iter().map(Line::as_str).collect();
        if !passes || self.is_monitor() {
            return Ok(TurnValidation::NotRun);
        }
        if words.is_empty() {
            return Ok(TurnValidation::None);
        }
        let work_tree = self.scope.repository.as_ref().and_then(Repository::work_tree);
        let folder = work_tree.unwrap_or(&self.scope.root);
        match run_command(&words, folder, self.request.timeout) {
            Ok(CommandEnd::Passed) => Ok(TurnValidation::Passed),
            Ok(CommandEnd::Failed) => Ok(TurnValidation::Failed),
            Ok(CommandEnd::TimedOut) => Ok(TurnValidation::TimedOut),
            Err(error) => Err(Error::about(ErrorCode::ValidationUnavailable, error.to_string())),
        }
    }

    fn result(&self, validation: TurnValidation) -> TurnResult {
        let counted = self.scope.todo_view(&self.goal, self.request.todo.as_str());
        match (self.request.outcome, validation) {
            _ if !counted.is_some_and(|counted| counted.is_runnable) => TurnResult::Blocked,
            (TurnResult::Passed | TurnResult::Done, TurnValidation::Failed | TurnValidation::TimedOut) => {
                TurnResult::Failed
            }
            (outcome, _) => outcome,
        }
    }

    fn settled(&self, result: TurnResult, validation: TurnValidation, at: Instant) -> SettledTurn<'_> {
        SettledTurn {
            goal_id: &self.view.goal_id,
            turn_id: &self.request.turn,
            agent_id: &self.view.agent_id,
            todo: &self.todo,
            session_id: match &self.view.sessions[..] {
                [only] => Some(&only.session_id),
                _ => None,
            },
            validation_command: self.command(),
            result,
            validation,
            at,
        }
    }

    /// Now, but after the turn before.
    fn at(&self) -> Instant {
        let history = self.scope.history(&self.goal);
        let before = history.newest(self.view.agent_id.as_str(), self.request.todo.as_str());
        let next = before.map(|turn| turn.row.at.after(crate::vocabulary::Duration::seconds(1)));
        next.map_or(self.scope.as_of, |next| next.max(self.scope.as_of))
    }

    /// What would be settled; nothing is run or written.
    fn foretell(&self, place: &Path) -> Result<Settlement, Error> {
        let refused = self.refusal();
        let mut told = Told {
            result: None,
            validation: TurnValidation::NotRun,
            replayed: false,
            spent: false,
            written: Vec::new(),
            refused,
        };
        if refused.is_none() {
            let result = self.result(TurnValidation::NotRun);
            let receipt = turn_receipt(&self.settled(result, TurnValidation::NotRun, self.at()));
            let turn = seen(&receipt)?;
            let follows = self.files(&turn, &receipt, None)?;
            told.result = Some(result);
            told.spent = follows.contains_key(&spend_receipt(&receipt, &turn.row.turn_id).path());
            told.written = std::iter::once(receipt.path()).chain(follows.into_keys()).collect();
        }
        self.scope.settlement(place, self.request, &self.view.agent_id, told)
    }

    /// Records the turn, and writes what follows from it.
    fn record(&self, place: &Path, store: &Store, validation: TurnValidation) -> Result<Settlement, Error> {
        if self.refusal().is_some() {
            return self.foretell(place);
        }
        let result = self.result(validation);
        let receipt = turn_receipt(&self.settled(result, validation, self.at()));
        let wanted = BTreeMap::from([(receipt.path(), Wanted::Content(to_yaml(&receipt).into_bytes()))]);
        store.write(&wanted, &|_, _| false, Durability::Kept)?;
        let turn = seen(&receipt)?;
        let mut written = vec![receipt.path()];
        written.extend(self.follow(&turn, &receipt, Some(validation), Some(store))?);
        self.scope.keep_receipts();
        let spent = written.contains(&spend_receipt(&receipt, &turn.row.turn_id).path());
        let told = Told { result: Some(result), validation, replayed: false, spent, written, refused: None };
        self.scope.settlement(place, self.request, &self.view.agent_id, told)
    }

    /// Writes what follows from the receipt of a turn and is not there yet, one file after the other.
    fn follow(
        &self,
        turn: &SeenTurn,
        receipt: &Receipt,
        validation: Option<TurnValidation>,
        store: Option<&Store>,
    ) -> Result<Vec<String>, Error> {
        let files = self.files(turn, receipt, validation)?;
        let folder = Folder::of(&self.scope.root, Vec::new());
        let in_order = |path: &String| (!path.starts_with("receipts/"), !path.starts_with("goals/"), path.clone());
        let mut paths: Vec<String> = files.keys().cloned().collect();
        paths.sort_by_key(in_order);
        for path in &paths {
            let Some(store) = store else { break };
            if let (Some(shared), true) = (self.scope.shared_facts(), path.starts_with("facts/")) {
                self.write_shared(&shared, turn, validation, store)?;
                continue;
            }
            let old = folder.read(path).unwrap_or_default();
            let wanted = BTreeMap::from([(path.clone(), Wanted::Content(files[path].clone()))]);
            store.write(&wanted, &|_, now| now == old, Durability::Kept)?;
        }
        Ok(paths)
    }

    /// What follows from the receipt of a turn and is not there yet: the spend, the todo, the facts.
    fn files(
        &self,
        turn: &SeenTurn,
        receipt: &Receipt,
        validation: Option<TurnValidation>,
    ) -> Result<FileTexts, Error> {
        let mut files = FileTexts::new();
        let history = self.scope.history(&self.goal);
        let lacking = self.with_input(|input| Unfinished::of(turn, input));
        if lacking.spend {
            let spend = spend_receipt(receipt, &turn.row.turn_id);
            files.insert(spend.path(), to_yaml(&spend).into_bytes());
        }
        // A later turn may have gone on from there.
        let newest = history.newest(turn.row.agent_id.as_str(), turn.row.todo_id.as_str());
        if newest.is_none_or(|newest| newest.row.run_id == turn.row.run_id || newest.row.at < turn.row.at) {
            files.extend(self.todo_file(&turn.row)?);
            files.extend(self.facts_file(turn, validation, lacking.facts)?);
        }
        Ok(files)
    }

    fn todo_file(&self, turn: &TurnRow) -> Result<Option<(String, Vec<u8>)>, Error> {
        let Some((path, record)) = self.scope.document(&self.goal, Kind::Todo, turn.todo_id.as_str()) else {
            return Ok(None);
        };
        let Record::Todo(todo) = record else { return Ok(None) };
        let progress = progress(todo, turn, self.is_nobodys);
        if progress.is_empty() {
            return Ok(None);
        }
        let text = self.text(path)?;
        let new = record_progress(SourceDocument { path, text: &text, record }, todo, &progress).map_err(unwritable)?;
        Ok(Some((path.to_string(), new.into_bytes())))
    }

    /// The facts of the turn's session with what the turn adds, and their path.
    fn facts_file(
        &self,
        turn: &SeenTurn,
        validation: Option<TurnValidation>,
        is_lacking: bool,
    ) -> Result<Option<(String, Vec<u8>)>, Error> {
        let Some(session) = turn.row.session_id.as_ref().filter(|_| is_lacking) else { return Ok(None) };
        let Some(runtime) = self.runtime_of(session) else { return Ok(None) };
        let yaml = format!("facts/{runtime}/{session}.yaml");
        let (path, known) = match self.scope.shared_facts() {
            Some(shared) => (yaml, shared.read(&self.scope.root, runtime.word(), session.as_str())?),
            None => match self.scope.facts_document(session.as_str()) {
                Some((path, record)) => {
                    (path.to_string(), Some(FactsText { text: self.text(path)?, record: Some(record.clone()) }))
                }
                None => (yaml, None),
            },
        };
        let source = known.as_ref().and_then(|known| known.source(&path));
        let text = self.facts_text(turn, validation, runtime, source)?;
        Ok(Some((path, text.into_bytes())))
    }

    /// The text of facts with what a turn adds.
    fn facts_text(
        &self,
        turn: &SeenTurn,
        validation: Option<TurnValidation>,
        runtime_id: RuntimeId,
        source: Option<SourceDocument<'_>>,
    ) -> Result<String, Error> {
        let new = outcomes(&turn.row, validation, self.summary().as_ref());
        if let Some(source) = source
            && let Record::Facts(facts) = source.record
        {
            return record_outcomes(source, facts, &new, turn.row.at).map_err(unwritable);
        }
        let session = turn.row.session_id.clone().ok_or(Error::of(ErrorCode::TurnNotCurrent))?;
        Ok(to_yaml(&Facts {
            schema_version: FactsV0::default(),
            runtime_id,
            session_id: session,
            host_kind: None,
            status: SessionStatus::Running,
            updated_at: turn.row.at,
            outcomes: new,
            events: Vec::new(),
            approvals: Vec::new(),
            artifacts: Vec::new(),
            decision_results: Vec::new(),
        }))
    }

    /// Adds to the facts that all work trees share what a turn adds, as they stand under their lock.
    fn write_shared(
        &self,
        shared: &SharedFacts,
        turn: &SeenTurn,
        validation: Option<TurnValidation>,
        store: &Store,
    ) -> Result<(), Error> {
        let Some(session) = &turn.row.session_id else { return Ok(()) };
        let Some(runtime) = self.runtime_of(session) else { return Ok(()) };
        let locked = shared.lock(runtime.word(), session.as_str())?;
        let known = locked.read(&self.scope.root)?;
        let path = format!("facts/{runtime}/{session}.yaml");
        let source = known.as_ref().and_then(|known| known.source(&path));
        let text = self.facts_text(turn, validation, runtime, source)?;
        store.before_publish()?;
        locked.write(&text)
    }

    fn runtime_of(&self, session: &Id) -> Option<RuntimeId> {
        let (_, record) = self.scope.document(&self.goal, Kind::Binding, session.as_str())?;
        let Record::Binding(binding) = record else { return None };
        match binding.session_mode {
            Some(SessionMode::AttachedHost) => binding.host_surface.map(|surface| surface.row().0),
            Some(SessionMode::ManagedRuntime) | None => Some(RuntimeId::CustomWorker),
        }
    }

    /// The summary as it may leave, still one line.
    fn summary(&self) -> Option<Line> {
        let summary = self.scope.wall().text(self.request.summary.as_ref()?);
        let short: String = summary.as_ref().chars().take(LINE_LIMIT).collect();
        Some(Line::new(short))
    }

    fn text(&self, path: &str) -> Result<String, Error> {
        let unreadable = || Error::about(ErrorCode::DocumentUnusable, path);
        let bytes = Folder::of(&self.scope.root, Vec::new()).read(path).map_err(|_| unreadable())?;
        String::from_utf8(bytes).map_err(|_| unreadable())
    }

    fn with_input<T>(&self, function: impl FnOnce(&TurnInput<'_>) -> T) -> T {
        let history = self.scope.history(&self.goal);
        let request = NextRequest { agent: self.view.agent_id.to_string(), ..NextRequest::default() };
        self.scope.with_input(&self.view, &history, &request, &[], &[], function)
    }
}

/// A turn that was just recorded here.
fn seen(receipt: &Receipt) -> Result<SeenTurn, Error> {
    let row = TurnRow::of(receipt).ok_or(Error::of(ErrorCode::TurnNotCurrent))?;
    Ok(SeenTurn { row, places: Places { here: true, ..Places::default() } })
}

fn unwritable(refusal: crate::change::Refusal) -> Error {
    Error::about(ErrorCode::Refused, refusal.to_string())
}
