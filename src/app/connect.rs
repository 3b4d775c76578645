//! Connects a host: its hooks and skill in the work tree, a binding document, and the owner-local route.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::change::{ChangeRequest, Changed, Operation, change_document};
use super::error::{Error, ErrorCode};
use super::hook::{BoundGoal, HostRoute, Routes};
use super::plan::{PATIENCE, ReconciledDirectory};
use crate::change::{NewDocument, new_id};
use crate::git::{GitPlace, Repository};
use crate::hosts::{
    EVENTS, GuardMode, Host, SetupFile, hooked_events, is_own_text, plugin_files, setup_files, with_hooks,
    without_hooks,
};
use crate::store::{Durability, LocalFiles, Store, Wanted};
use crate::vocabulary::{Capability, Id, Instant, Record, Rotation, Storage, nearest};
use crate::workspace::{Files as _, Folder, LoadedFile, Workspace, display_prefix};

/// What somebody wants to connect.
#[derive(Debug, Clone)]
pub struct ConnectRequest {
    /// The host.
    pub host: Host,
    /// The agent that its sessions act as.
    pub agent: String,
    /// The goal; `None`: the only one that lists the agent.
    pub goal: Option<String>,
    /// What the guard does.
    pub guard: GuardMode,
    /// Who operates the host; `None`: the policy's actor with this clone's git identity.
    pub by: Option<String>,
    /// What makes new ids differ.
    pub entropy: u64,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupChange {
    /// Its path, as shown.
    pub path: String,
    /// What it holds; `None`: it is not there.
    pub old: Option<String>,
    /// What it shall hold; `None`: it goes.
    pub new: Option<String>,
}

/// A connection, written or only shown.
#[derive(Debug)]
pub struct Connected {
    /// The files of the host that change.
    pub files: Vec<SetupChange>,
    /// The binding that is new.
    pub binding: Option<Changed>,
    /// The route, or the one that goes.
    pub route: Option<HostRoute>,
    /// What a person has to know or do, one line each.
    pub notes: Vec<String>,
    /// Whether it was written.
    pub is_written: bool,
}

impl Connected {
    /// Whether a rule forbids the binding, so that nothing was written.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.binding.as_ref().is_some_and(Changed::is_refused)
    }
}

/// Where a host is connected.
struct Setup {
    git: GitPlace,
    /// The state directory below the root of the work tree.
    dir: String,
    repository: Repository,
    files: LocalFiles,
}

impl Setup {
    fn find(place: &Path) -> Result<Self, Error> {
        let root = super::state_directory(place)?;
        let repository = super::trusted(&root)?;
        let git = GitPlace::find(&root).ok_or_else(|| Error::of(ErrorCode::NoGit))?;
        let files = LocalFiles::of(&git.common_dir);
        Ok(Self { dir: repository.prefix().to_owned(), git, repository, files })
    }

    fn routes(&self) -> Result<Routes, Error> {
        let fault =
            |error: std::io::Error| Error::about(ErrorCode::CannotRead, format!("the routes: {}", error.kind()));
        Routes::read(&self.files).map_err(fault)
    }

    fn write_routes(&self, routes: &Routes) -> Result<(), Error> {
        let fault =
            |error: std::io::Error| Error::about(ErrorCode::CannotWrite, format!("the routes: {}", error.kind()));
        routes.write(&self.files).map_err(fault)
    }

    /// What a file of the work tree holds; `None` when it is not there.
    fn text(&self, path: &str) -> Result<Option<String>, Error> {
        let whole = self.git.work_tree.join(path);
        if !whole.exists() {
            return Ok(None);
        }
        let fault = |_| Error::about(ErrorCode::CannotRead, path);
        let bytes = Folder::of(&self.git.work_tree, Vec::new()).read(path).map_err(fault)?;
        String::from_utf8(bytes).map(Some).map_err(|_| Error::about(ErrorCode::CannotRead, path))
    }

    /// Writes files of the work tree; one that changed since it was read is left alone.
    fn write(&self, changes: &[SetupChange], shown: &str) -> Result<(), Error> {
        let store = Store::create(&self.git.work_tree, Some(self.repository.at_top()), PATIENCE)?;
        let path = |change: &SetupChange| change.path.strip_prefix(shown).unwrap_or(&change.path).to_owned();
        let known: BTreeMap<String, &SetupChange> = changes.iter().map(|change| (path(change), change)).collect();
        let wanted = known.iter().map(|(path, change)| {
            let wanted = change.new.clone().map_or(Wanted::Absent, |text| Wanted::Content(text.into_bytes()));
            (path.clone(), wanted)
        });
        let is_as_read = |path: &str, now: &[u8]| {
            known.get(path).and_then(|change| change.old.as_ref()).is_some_and(|old| old.as_bytes() == now)
        };
        store.write(&wanted.collect(), &is_as_read, Durability::Kept)?;
        Ok(())
    }
}

/// Shows how a host is connected, and writes it with `execute`.
///
/// # Errors
/// There is no repository, no goal lists the agent, settings of the host cannot be edited, or nothing can be written.
pub fn connect(place: &Path, request: &ConnectRequest, as_of: Instant, execute: bool) -> Result<Connected, Error> {
    let setup = Setup::find(place)?;
    let state = ReconciledDirectory::read(place, as_of)?;
    let goal = goal_of(&state.workspace, &request.agent, request.goal.as_deref())?;
    let bound = binding_of(&state.workspace, &goal, request)?;
    let (session_id, binding) = match bound {
        Some(session_id) => (session_id, None),
        None => new_binding(place, request, &goal, as_of, execute)?,
    };
    let shown = display_prefix(place, &setup.git.work_tree);
    let mut notes = Vec::new();
    let files = wanted_files(&setup, request.host, &shown, &mut notes)?;
    let mut routes = setup.routes()?;
    let route = routed(&mut routes, &setup, request, BoundGoal { goal_id: goal, session_id });
    notes.extend(advice(&state.workspace, request, files.is_empty()));
    let mut connected = Connected { files, binding, route: Some(route), notes, is_written: false };
    if execute && !connected.is_refused() {
        setup.write(&connected.files, &shown)?;
        setup.write_routes(&routes)?;
        connected.is_written = true;
    }
    Ok(connected)
}

/// Takes out what [`connect`] put in: hooks, files of ours that nobody edited, and the route. The binding stays: closing it is
/// an act of its own.
///
/// # Errors
/// As [`connect`].
pub fn disconnect(place: &Path, host: Host, execute: bool) -> Result<Connected, Error> {
    let setup = Setup::find(place)?;
    let shown = display_prefix(place, &setup.git.work_tree);
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for file in setup_files(host) {
        let Some(old) = setup.text(file.path())? else { continue };
        let new = match file {
            SetupFile::Settings(path) => {
                let new = without_hooks(&old, host).map_err(|fault| uneditable(path, fault))?;
                // What is left of settings that held nothing else.
                if new.trim() == "{}" && new != old { None } else { Some(new) }
            }
            SetupFile::Own(path, _) if !is_own_text(&old) => {
                notes.push(format!("{shown}{path} was edited by somebody, so it stays"));
                Some(old.clone())
            }
            SetupFile::Own(..) => None,
        };
        if new.as_ref() != Some(&old) {
            files.push(SetupChange { path: format!("{shown}{}", file.path()), old: Some(old), new });
        }
    }
    let mut routes = setup.routes()?;
    let name = setup.git.name();
    let is_it = |route: &HostRoute| route.host == host.word() && route.work_tree == name && route.dir == setup.dir;
    let route = routes.routes.iter().find(|route| is_it(route)).cloned();
    for goal in route.iter().flat_map(|route| &route.goals) {
        notes.push(format!("the binding stays; to end it: loopx session close {}", goal.session_id));
    }
    routes.routes.retain(|route| !is_it(route));
    let mut connected = Connected { files, binding: None, route, notes, is_written: false };
    if execute {
        setup.write(&connected.files, &shown)?;
        setup.write_routes(&routes)?;
        connected.is_written = true;
    }
    Ok(connected)
}

/// Writes the same as a plugin or an extension into a folder.
///
/// # Errors
/// A file stands there that is not ours, or it cannot be written.
pub fn plugin(place: &Path, host: Host, folder: &Path, execute: bool) -> Result<Connected, Error> {
    let top = place.join(folder);
    let mut files = Vec::new();
    for (path, text) in plugin_files(host) {
        let old = std::fs::read_to_string(top.join(path)).ok();
        if old.as_ref() != Some(&text) {
            files.push(SetupChange { path: format!("{}/{path}", folder.display()), old, new: Some(text) });
        }
    }
    let connected = Connected { files, binding: None, route: None, notes: Vec::new(), is_written: execute };
    if execute {
        let store = Store::create(&top, None, PATIENCE)?;
        let wanted = plugin_files(host).into_iter().map(|(path, text)| (path.to_owned(), Wanted::Content(text.into())));
        store.write(&wanted.collect(), &|_, _| false, Durability::Kept)?;
    }
    Ok(connected)
}

/// The goal that a connection is for.
fn goal_of(workspace: &Workspace, agent: &str, asked: Option<&str>) -> Result<String, Error> {
    let goals = workspace.entries.iter().filter_map(|entry| match &entry.record {
        Some(Record::Goal(goal)) => Some(goal),
        _ => None,
    });
    let goals: Vec<_> = goals.collect();
    let listing: Vec<&str> =
        goals.iter().filter(|goal| goal.agents.contains_key(agent)).map(|goal| goal.goal_id.as_str()).collect();
    if listing.is_empty() {
        let known = goals.iter().flat_map(|goal| goal.agents.keys()).map(Id::as_str);
        let near = nearest(agent, known).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Error::about(ErrorCode::UnknownAgent, format!("agent {agent}{near}")));
    }
    match (asked, &listing[..]) {
        (Some(asked), _) if listing.contains(&asked) => Ok(asked.to_owned()),
        (Some(asked), _) => Err(Error::about(ErrorCode::UnknownGoal, format!("goal {asked} does not list {agent}"))),
        (None, [only]) => Ok((*only).to_owned()),
        (None, several) => {
            let several = several.join(", ");
            Err(Error::about(
                ErrorCode::AmbiguousDocument,
                format!("{agent} works for {several}: name one with --goal"),
            ))
        }
    }
}

/// The live binding of the agent to the goal, through this host; one through another host has to be closed first.
fn binding_of(workspace: &Workspace, goal: &str, request: &ConnectRequest) -> Result<Option<String>, Error> {
    let bindings = workspace.entries.iter().filter_map(|entry: &LoadedFile| match &entry.record {
        Some(Record::Binding(binding)) => Some(binding),
        _ => None,
    });
    let is_live = |binding: &&crate::vocabulary::Binding| binding.closed.is_none() && binding.replaced.is_none();
    let mut own = bindings
        .filter(|binding| binding.goal_id == *goal && binding.agent_id == *request.agent.as_str())
        .filter(is_live);
    let Some(binding) = own.next() else { return Ok(None) };
    if binding.host_surface == Some(request.host.row().surface) {
        return Ok(Some(binding.session_id.to_string()));
    }
    let session = &binding.session_id;
    let why = format!("{} is bound as {session} through another host: loopx session close {session}", request.agent);
    Err(Error::about(ErrorCode::Refused, why))
}

fn new_binding(
    place: &Path,
    request: &ConnectRequest,
    goal: &str,
    as_of: Instant,
    execute: bool,
) -> Result<(String, Option<Changed>), Error> {
    let sheet = NewDocument::Binding {
        agent_id: Id::new(request.agent.as_str()),
        executor_endpoint_id: Id::new(new_id("ep", request.entropy >> 13)),
        host_surface: Some(request.host.row().surface),
        capabilities: vec![Capability::SessionQueue, Capability::ReplyReadback],
        command: Vec::new(),
    };
    let id = sheet.new_id(request.entropy);
    let wish = ChangeRequest {
        operation: Operation::Start { new_document: sheet, id: Some(id.clone()), entropy: request.entropy },
        goal: Some(goal.to_owned()),
        by: request.by.clone(),
        class: None,
        at: None,
    };
    let changed = change_document(place, &wish, as_of, execute)?;
    Ok((id.to_string(), Some(changed)))
}

/// The files of a host that are not as this version writes them.
fn wanted_files(setup: &Setup, host: Host, shown: &str, notes: &mut Vec<String>) -> Result<Vec<SetupChange>, Error> {
    let mut files = Vec::new();
    for file in setup_files(host) {
        let old = setup.text(file.path())?;
        let new = match file {
            SetupFile::Settings(path) => {
                with_hooks(old.as_deref().unwrap_or_default(), host).map_err(|fault| uneditable(path, fault))?
            }
            SetupFile::Own(path, text) => match &old {
                Some(old) if !is_own_text(old) => {
                    notes.push(format!("{shown}{path} was edited by somebody, so it stays"));
                    continue;
                }
                _ => text(host),
            },
        };
        if old.as_ref() != Some(&new) {
            files.push(SetupChange { path: format!("{shown}{}", file.path()), old, new: Some(new) });
        }
    }
    Ok(files)
}

fn uneditable(path: &str, fault: crate::hosts::SettingsFault) -> Error {
    Error::about(ErrorCode::DocumentUnusable, format!("{path}: {fault}"))
}

/// Adds the goal to the route of this work tree, host and agent.
fn routed(routes: &mut Routes, setup: &Setup, request: &ConnectRequest, goal: BoundGoal) -> HostRoute {
    let (host, work_tree) = (request.host.word(), setup.git.name());
    let known = routes.find(host, &work_tree, &setup.dir, &request.agent).cloned();
    let mut route = known.unwrap_or_else(|| HostRoute {
        host: host.to_owned(),
        work_tree: work_tree.clone(),
        dir: setup.dir.clone(),
        agent: request.agent.clone(),
        guard: request.guard,
        goals: Vec::new(),
    });
    route.guard = request.guard;
    route.goals.retain(|known| known.goal_id != goal.goal_id);
    route.goals.push(goal);
    route.goals.sort_by(|one, other| one.goal_id.cmp(&other.goal_id));
    let is_it = |known: &HostRoute| {
        (&*known.host, &known.work_tree, &known.dir, &known.agent) == (host, &work_tree, &setup.dir, &request.agent)
    };
    routes.routes.retain(|known| !is_it(known));
    routes.routes.push(route.clone());
    route
}

/// What a person has to do or may want to.
fn advice(workspace: &Workspace, request: &ConnectRequest, is_current: bool) -> Vec<String> {
    let row = request.host.row();
    let mut notes = vec![format!("trust: {}", row.trust)];
    if workspace.settings.facts == Storage::Committed {
        notes.push(
            "facts: committed in loopx.yaml, so what hooks report stays in this clone and does not count".to_owned(),
        );
    }
    if workspace.settings.rotation == Rotation::Never {
        notes.push(
            "a new session takes over once the last one ended only with `rotation: after_end` in loopx.yaml; \
             propose it in a pull request"
                .to_owned(),
        );
    }
    let knows_agent = workspace.policies.actor(&request.agent).is_some_and(|(_, actor)| !actor.git.is_empty());
    if let (Some(trailer), false) = (row.trailer, knows_agent) {
        notes.push(format!(
            "let reviews know its commits: loopx actor add {} --class agent --email {trailer}",
            request.agent
        ));
    }
    if !is_current {
        notes.push("commit these files, so that the team's sessions are connected too".to_owned());
    }
    notes.push(format!("see whether it works: loopx connect {} --check", row.word));
    notes
}

/// How a file of a host stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupState {
    /// As this version writes it.
    Current,
    /// Written by another version, or hooks are missing.
    Stale,
    /// Edited by somebody.
    Edited,
    /// Not there.
    Missing,
    /// It cannot be read.
    Unreadable,
}

/// One hook, and when its event last arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookLine {
    /// The event.
    pub event: &'static str,
    /// When it last arrived, in seconds before now; `None`: never.
    pub seen: Option<u64>,
    /// Whether the hook answers as the host expects.
    pub answers: bool,
}

/// Whether a host is connected, and whether it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectCheck {
    /// The host.
    pub host: Host,
    /// The routes of this work tree.
    pub routes: Vec<HostRoute>,
    /// Each file.
    pub files: Vec<(String, SetupState)>,
    /// Each hook.
    pub hooks: Vec<HookLine>,
    /// How many sessions spoke that nobody announced.
    pub silent: usize,
    /// Whether `loopx` is on the path of this environment.
    pub is_on_path: bool,
}

impl ConnectCheck {
    /// Whether nothing has to be done.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let is_current = self.files.iter().all(|(_, state)| matches!(state, SetupState::Current | SetupState::Edited));
        let is_seen = self.hooks.iter().any(|hook| hook.seen.is_some());
        !self.routes.is_empty()
            && is_current
            && self.is_on_path
            && is_seen
            && self.hooks.iter().all(|hook| hook.answers)
    }
}

/// Looks whether a host is connected; `run` gives what the hook of an event answers to a payload.
///
/// # Errors
/// There is no repository, or it cannot be read.
pub fn check_connection(
    place: &Path,
    host: Host,
    run: &dyn Fn(&str, &[u8]) -> Option<String>,
) -> Result<ConnectCheck, Error> {
    let setup = Setup::find(place)?;
    let name = setup.git.name();
    let mut routes = setup.routes()?.routes;
    routes.retain(|route| route.host == host.word() && route.work_tree == name && route.dir == setup.dir);
    let shown = display_prefix(place, &setup.git.work_tree);
    let files = setup_files(host).iter().map(|file| (format!("{shown}{}", file.path()), state_of(&setup, host, file)));
    let hooks = EVENTS.iter().filter(|row| row.host == host && row.is_registered).map(|row| HookLine {
        event: row.name,
        seen: seen(&setup.files, host, row.name),
        answers: run(row.name, &probe(host, row.name)).is_some_and(|answer| answer == host.row().silence),
    });
    Ok(ConnectCheck {
        host,
        files: files.collect(),
        hooks: hooks.collect(),
        silent: setup.files.list("hosts/silent").len(),
        is_on_path: is_on_path("loopx"),
        routes,
    })
}

fn state_of(setup: &Setup, host: Host, file: &SetupFile) -> SetupState {
    let text = match setup.text(file.path()) {
        Ok(Some(text)) => text,
        Ok(None) => return SetupState::Missing,
        Err(_) => return SetupState::Unreadable,
    };
    match file {
        SetupFile::Own(_, wanted) if text == wanted(host) => SetupState::Current,
        SetupFile::Own(..) if is_own_text(&text) => SetupState::Stale,
        SetupFile::Own(..) => SetupState::Edited,
        SetupFile::Settings(_) => match hooked_events(&text, host) {
            Err(_) => SetupState::Unreadable,
            Ok(events) if events.is_empty() => SetupState::Missing,
            Ok(_) if with_hooks(&text, host).is_ok_and(|new| new == text) => SetupState::Current,
            Ok(_) => SetupState::Stale,
        },
    }
}

fn seen(files: &LocalFiles, host: Host, event: &str) -> Option<u64> {
    let data = std::fs::metadata(files.path(&format!("hosts/seen/{}.{event}", host.word()))).ok()?;
    Some(SystemTime::now().duration_since(data.modified().ok()?).map_or(0, |age| age.as_secs()))
}

/// A payload of a session that nobody announced: a sound hook has nothing to say to it.
fn probe(host: Host, event: &str) -> Vec<u8> {
    let session = "loopx-connect-check";
    let value = match host {
        Host::Opencode => {
            serde_json::json!({ "hook": event, "input": { "sessionID": session, "tool": "none" } })
        }
        _ => serde_json::json!({ "hook_event_name": event, "session_id": session, "tool_name": "none" }),
    };
    value.to_string().into_bytes()
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder: PathBuf| folder.join(program).is_file())
}
