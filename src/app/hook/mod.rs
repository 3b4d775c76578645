//! One event of a host: what it reports, and what it is answered.
//!
//! A hook reads its session's files, the goals of its agent and nothing else; it writes owner-local files below the git
//! common directory. Whatever goes wrong, the answer is one that the host understands.

mod access;
mod facts;
mod fault;
mod routes;
mod session;

use std::path::{Path, PathBuf};

use crate::app::turn::{NextRequest, next};
use crate::git::GitPlace;
use crate::hosts::{
    EventMeaning, EventRow, GoalAccess, GuardMode, GuardVerdict, HookAnswer, Host, HostEvent, LinkAt, Location,
    Mutation, PayloadReading, SessionKey, Tool, WorkTree, briefing, event_row, guard, locate, patched_paths,
    read_event, render, report, screen_lines, silence, unreadable,
};
use crate::store::LocalFiles;
use crate::vocabulary::{Instant, MayContinue, Reason, Rotation};
use access::Access;
use fault::Unreadable;

pub use routes::{BoundGoal, HostRoute, Routes};
pub use session::{GoalChoice, Holder, HostSession};
pub(super) use {facts::read_facts as told_facts, session::handle_of};

/// One event of a host, as it arrives.
#[derive(Debug, Clone)]
pub struct HookRequest {
    /// The host.
    pub host: Host,
    /// The event.
    pub event: String,
    /// The payload.
    pub payload: Vec<u8>,
    /// The folders that may stand in the repository, the surest first.
    pub folders: Vec<PathBuf>,
    /// What `LOOPX_AGENT` says.
    pub agent: Option<String>,
    /// The time.
    pub as_of: Instant,
}

/// Takes one event and gives the bytes to answer. Never fails: what cannot be read closes the tools that write.
#[must_use]
pub fn hook(request: &HookRequest) -> String {
    let Some(row) = event_row(request.host, &request.event) else { return silence(request.host).to_owned() };
    if request.agent.as_deref() == Some("none") {
        return render(row, &HookAnswer::Silence);
    }
    let answer = match read_event(request.host, &request.event, &request.payload) {
        PayloadReading::Nothing => HookAnswer::Silence,
        PayloadReading::Unreadable { session, tool } => {
            let is_guarded = tool.is_none_or(|tool| Tool::is_guarded(request.host, &tool));
            if is_guarded && Hook::find(request).is_ok_and(|hook| hook.is_some_and(|hook| hook.knows(&session))) {
                HookAnswer::Ask(unreadable())
            } else {
                HookAnswer::Silence
            }
        }
        PayloadReading::Event(event) => Hook::find(request)
            .and_then(|hook| hook.map_or(Ok(HookAnswer::Silence), |hook| hook.answer(row, &event)))
            .unwrap_or_else(|Unreadable| fallback(&event)),
    };
    render(row, &answer)
}

/// The answer where a hook panicked: as where nothing can be read.
#[must_use]
pub fn hook_fallback(host: Host, event: &str, payload: &[u8]) -> String {
    let Some(row) = event_row(host, event) else { return silence(host).to_owned() };
    let answer = match read_event(host, event, payload) {
        PayloadReading::Event(event) => fallback(&event),
        PayloadReading::Unreadable { .. } => HookAnswer::Ask(unreadable()),
        PayloadReading::Nothing => HookAnswer::Silence,
    };
    render(row, &answer)
}

/// What is said where the state cannot be read: tools that write wait for the person; other tools pass.
fn fallback(event: &HostEvent) -> HookAnswer {
    match (event.meaning, &event.tool) {
        (EventMeaning::BeforeTool, Tool::Write(_)) => HookAnswer::Ask(unreadable()),
        _ => HookAnswer::Silence,
    }
}

/// A hook in its repository.
struct Hook<'r> {
    request: &'r HookRequest,
    place: GitPlace,
    files: LocalFiles,
    routes: Vec<HostRoute>,
}

impl<'r> Hook<'r> {
    /// Finds the repository and the routes of this work tree; `None` where nothing is connected.
    fn find(request: &'r HookRequest) -> Result<Option<Self>, Unreadable> {
        for folder in &request.folders {
            let Some(place) = GitPlace::find(folder) else { continue };
            let files = LocalFiles::of(&place.common_dir);
            let name = place.name();
            let mut routes = Routes::read(&files).map_err(|_| Unreadable)?.routes;
            routes.retain(|route| route.host == request.host.word() && route.work_tree == name);
            if !routes.is_empty() {
                return Ok(Some(Self { request, place, files, routes }));
            }
        }
        Ok(None)
    }

    fn knows(&self, session: &str) -> bool {
        HostSession::find(&self.files, self.request.host, session).is_ok_and(|known| known.is_some())
    }

    fn answer(&self, row: &EventRow, event: &HostEvent) -> Result<HookAnswer, Unreadable> {
        session::note_seen(&self.files, event.host, row.name);
        let Some(mut session) = self.session(event)? else { return Ok(HookAnswer::Silence) };
        let Some(route) = self.route(&session) else { return Ok(HookAnswer::Silence) };
        if session.choice == Some(GoalChoice::None) {
            return Ok(HookAnswer::Silence);
        }
        let goals = session.goals(route);
        let read = || access::read(&self.place, &self.files, route, &goals, self.request.as_of);
        let access = if needs_access(event) { read() } else { Ok(Access::default()) };
        let rotation = access.as_ref().map_or(Rotation::Never, |access| access.rotation);
        let holders = session.hold(&self.files, &goals, event, (rotation, self.request.as_of))?;
        let access = access.map(|access| close_for_second(access.goals, &goals, &holders));
        self.tell(event, &session, &holders, access.as_deref().unwrap_or_default())?;
        let answer = match event.meaning {
            EventMeaning::SessionStarted | EventMeaning::TurnStarted | EventMeaning::ContextAsked => {
                self.brief(event, &mut session, &access?)?
            }
            EventMeaning::BeforeTool if route.guard != GuardMode::Off => match self.judge(route, event, &access?) {
                GuardVerdict::Silent => HookAnswer::Silence,
                GuardVerdict::Excluded(reason) if route.guard == GuardMode::Ask => HookAnswer::Ask(reason),
                GuardVerdict::Excluded(reason) => HookAnswer::Refuse(reason),
                GuardVerdict::Unknown(reason) => HookAnswer::Ask(reason),
            },
            EventMeaning::TurnEnded => self.go_on(row, event, &mut session, &access?)?,
            _ => HookAnswer::Silence,
        };
        Ok(answer)
    }

    /// The session of an event. Only a session that was announced for an agent is known; a fork of one is, too.
    fn session(&self, event: &HostEvent) -> Result<Option<HostSession>, Unreadable> {
        let known = HostSession::find(&self.files, event.host, &event.session)?;
        // OpenCode says of a session that goes on only that it is busy.
        let announces = event.meaning == EventMeaning::SessionStarted
            || (event.host == Host::Opencode && event.meaning == EventMeaning::TurnStarted);
        if event.is_fork {
            HostSession::note_fork(&self.files, event)?;
            return Ok(known);
        }
        if known.is_some() || (!announces && !HostSession::takes_fork(&self.files, event)?) {
            if known.is_none() {
                session::note_silent(&self.files, event);
            }
            return Ok(known);
        }
        if let Some(parent) = &event.parent {
            return HostSession::adopt(&self.files, event, parent);
        }
        let asked = self.request.agent.as_deref();
        let mut routes = self.routes.iter().filter(|route| asked.is_none_or(|agent| route.agent == agent));
        let (Some(route), None) = (routes.next(), routes.next()) else { return Ok(None) };
        Ok(Some(HostSession::announce(&self.files, event, route)?))
    }

    fn route(&self, session: &HostSession) -> Option<&HostRoute> {
        self.routes.iter().find(|route| route.dir == session.dir && route.agent == session.agent)
    }

    /// Writes what the event reports into the facts of each binding that this session holds.
    fn tell(
        &self,
        event: &HostEvent,
        session: &HostSession,
        holders: &[(BoundGoal, Holder)],
        access: &[GoalAccess],
    ) -> Result<(), Unreadable> {
        // A child of a session works for it, and its own start and end are not the session's.
        if session.is_child && !matches!(event.meaning, EventMeaning::BeforeTool | EventMeaning::AfterTool) {
            return Ok(());
        }
        for (bound, holder) in holders {
            let goal = access.iter().find(|goal| goal.goal_id == bound.goal_id);
            let validation: Vec<&[String]> = goal.map(|goal| goal.validation_command.as_slice()).into_iter().collect();
            let Some(told) = report(event, &validation) else { continue };
            let key = SessionKey {
                surface: event.host.row().surface,
                session_id: bound.session_id.clone(),
                epoch: holder.epoch,
                todo_id: goal.and_then(|goal| goal.todo_id.clone()),
            };
            facts::tell(
                &self.files,
                &self.place.work_tree.join(&session.dir),
                &session.dir,
                holder,
                &key,
                (told, self.request.as_of),
            )?;
        }
        Ok(())
    }

    /// The first screen, where it is asked for or has changed.
    fn brief(
        &self,
        event: &HostEvent,
        session: &mut HostSession,
        access: &[GoalAccess],
    ) -> Result<HookAnswer, Unreadable> {
        if access.is_empty() {
            return Ok(HookAnswer::Silence);
        }
        let text = briefing(&screen_lines(access));
        let is_new = session.is_new_briefing(&text);
        if event.meaning == EventMeaning::TurnStarted {
            session.start_turn(access::receipts_of(&self.place, &session.dir, access));
        }
        if is_new || event.meaning == EventMeaning::TurnStarted {
            session.write(&self.files)?;
        }
        Ok(if is_new || event.meaning != EventMeaning::TurnStarted {
            HookAnswer::Inject(text)
        } else {
            HookAnswer::Silence
        })
    }

    fn judge(&self, route: &HostRoute, event: &HostEvent, access: &[GoalAccess]) -> GuardVerdict {
        let paths: Vec<String> = match &event.tool {
            Tool::Write(Some(paths)) => paths.clone(),
            Tool::Shell(Some(command)) if event.host == Host::CodexCli => patched_paths(command).unwrap_or_default(),
            _ => Vec::new(),
        };
        let folds = folds_case(&self.place.work_tree, &route.dir);
        let folder = event.folder.as_ref().map_or_else(|| self.place.work_tree.clone(), PathBuf::from);
        let trees: Vec<WorkTree> = match paths.is_empty() {
            true => Vec::new(),
            false => self.place.work_trees().into_iter().map(|root| WorkTree { root }).collect(),
        };
        let locations = paths.iter().flat_map(|path| locate(path, &folder, &trees, folds, &link_at));
        let writes: Vec<Mutation> =
            locations.map(|location: Location| Mutation::of(&location, &route.dir, folds)).collect();
        guard(event.host, &event.tool, &writes, access, folds)
    }

    /// At most one continuation of a host turn: a claimed todo that the turn did not settle.
    fn go_on(
        &self,
        row: &EventRow,
        event: &HostEvent,
        session: &mut HostSession,
        access: &[GoalAccess],
    ) -> Result<HookAnswer, Unreadable> {
        let claimed = access.iter().find(|goal| goal.may_continue == MayContinue::Yes && goal.is_claimed);
        let (Some(goal), Some(_), false) = (claimed, row.refuse, event.is_continued || event.is_subagent) else {
            return Ok(HookAnswer::Silence);
        };
        let receipts = access::receipts_of(&self.place, &session.dir, access);
        if !session.continues_turn(&receipts) {
            return Ok(HookAnswer::Silence);
        }
        session.write(&self.files)?;
        let todo = goal.todo_id.as_deref().unwrap_or_default();
        let command = self.settle_command(session, goal)?;
        Ok(HookAnswer::Refuse(format!(
            "loopx: todo {todo} of goal {} is claimed and this turn is not settled. Settle it, or go on: {command}",
            goal.goal_id
        )))
    }

    /// The command that settles the pending turn of a goal, else the one that says what is pending.
    fn settle_command(&self, session: &HostSession, goal: &GoalAccess) -> Result<String, Unreadable> {
        let (agent, goal_id) = (goal.agent_id.clone(), goal.goal_id.clone());
        let otherwise = format!("loopx next --agent {agent} --goal {goal_id}");
        let request = NextRequest { agent, goal: Some(goal_id), ..NextRequest::default() };
        let packet = next(&self.place.work_tree.join(&session.dir), &request, self.request.as_of)?.packet;
        let words = packet.commands.settle.unwrap_or_default();
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        Ok(if words.is_empty() { otherwise } else { words.join(" ") })
    }
}

/// Whether an event is answered from what the goals permit, or reports something about a todo.
fn needs_access(event: &HostEvent) -> bool {
    match event.meaning {
        EventMeaning::BeforeTool => event.tool != Tool::Other,
        EventMeaning::AfterTool | EventMeaning::AfterFailedTool => matches!(event.tool, Tool::Shell(_)),
        EventMeaning::SessionStarted
        | EventMeaning::TurnStarted
        | EventMeaning::TurnEnded
        | EventMeaning::ContextAsked => true,
        _ => false,
    }
}

/// While the holder of a binding is alive, another host session may write nothing for its goal.
fn close_for_second(
    mut goals: Vec<GoalAccess>,
    bound: &[BoundGoal],
    holders: &[(BoundGoal, Holder)],
) -> Vec<GoalAccess> {
    let is_held = |goal: &GoalAccess| holders.iter().any(|(bound, _)| bound.goal_id == goal.goal_id);
    for goal in goals.iter_mut().filter(|goal| !is_held(goal)) {
        let binding = bound.iter().find(|bound| bound.goal_id == goal.goal_id);
        let session = binding.map_or("this binding", |bound| bound.session_id.as_str());
        goal.may_continue = MayContinue::No;
        goal.reasons.insert(0, Reason::SecondExecutor);
        goal.next_action = format!("another host session works for {} as {session}", goal.agent_id);
        goal.command = Some(format!("loopx session restore {session}, once that session has ended"));
    }
    goals
}

fn link_at(path: &Path) -> LinkAt {
    match std::fs::read_link(path) {
        Ok(target) => LinkAt::Target(target),
        Err(error) => match error.kind() {
            std::io::ErrorKind::InvalidInput
            | std::io::ErrorKind::NotFound
            | std::io::ErrorKind::NotADirectory
            | std::io::ErrorKind::InvalidFilename => LinkAt::NoLink,
            _ => LinkAt::Unknown,
        },
    }
}

/// Whether the file system takes two spellings of a name for one file.
fn folds_case(work_tree: &Path, dir: &str) -> bool {
    work_tree.join(dir).join("LOOPX.YAML").exists() && work_tree.join(dir).join("loopx.yaml").exists()
}
