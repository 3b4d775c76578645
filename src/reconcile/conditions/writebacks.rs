//! Writeback requests: the entry criteria of contract 3 in their order, and the conditions that follow.

use super::{Concern, ConditionOwner, ConditionScope, FoundCondition};
use crate::reconcile::drafts::WritebackDraft;
use crate::reconcile::goal_state::GoalState;
use crate::reconcile::sessions::Session;
use crate::reconcile::sources::ResolvedSource;
use crate::reconcile::work::WorkByAgent;
use crate::reconcile::world::DocumentFault;
use crate::vocabulary::writeback::{Criterion, WritebackStatus};
use crate::vocabulary::{
    Capability, ClosedWords, Effect, GateState, Kind, Reason, Receipt, RuntimeId, SessionMode, WritebackMode,
    WritebackRequest,
};

/// A request and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reconcile) struct Assessed<'a> {
    pub(in crate::reconcile) request: &'a WritebackRequest,
    /// The writeback, and where its apply stands; or what is in its way, in the words of a blocker.
    pub(in crate::reconcile) answer: Result<(WritebackDraft<'a>, ApplyState), (Criterion, Reason, String)>,
}

/// Where the apply of a previewed writeback stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplyState {
    /// Only a preview is asked for.
    NotAsked,
    /// Today's preview is the one that was approved.
    Approved,
    /// Another preview was approved.
    Outdated,
    /// The host took it, or had it already.
    Done,
    /// The host did not take it; the decision stands all the same.
    Failed,
}

/// What is in the way of a preview.
struct Obstacle<'a> {
    criterion: Criterion,
    reason: Reason,
    /// What is to be done, when no other condition says it.
    action: String,
    /// The thing whose condition explains it, when there is one.
    cause: &'a str,
}

/// What may explain that a request has no preview.
const EXPLANATIONS: [Reason; 10] = [
    Reason::DocumentInvalid,
    Reason::UnsafeMaterial,
    Reason::ConflictingDecisions,
    Reason::MissingGateDecision,
    Reason::DecisionNotRecorded,
    Reason::HandoffNotApproved,
    Reason::HandoffNotAccepted,
    Reason::HandoffExpired,
    Reason::AgentNotRegistered,
    Reason::SecondExecutor,
];

/// Assesses every request of a goal; `found` is what else is the matter with it. Adds what follows to `found`.
pub(in crate::reconcile) fn assess<'a>(
    state: &GoalState<'_, 'a>,
    work: &WorkByAgent<'a>,
    found: &mut Vec<FoundCondition<'a>>,
) -> Vec<Assessed<'a>> {
    let mut all = Vec::new();
    let mut conditions = Vec::new();
    for request in state.context.documents.writebacks.values().copied() {
        let answer = match draft(state, work, request) {
            Ok(draft) => {
                let (state, condition) = applying(state, request, &draft);
                conditions.extend(condition);
                Ok((draft, state))
            }
            Err(obstacle) => {
                let condition = obstructed(state, request, &obstacle, found);
                let next = condition.next_action();
                conditions.push(condition);
                Err((obstacle.criterion, obstacle.reason, next))
            }
        };
        all.push(Assessed { request, answer });
    }
    found.extend(conditions);
    all
}

/// Asks the criteria in their order.
fn draft<'a>(
    state: &GoalState<'_, 'a>,
    work: &WorkByAgent<'a>,
    request: &'a WritebackRequest,
) -> Result<WritebackDraft<'a>, Obstacle<'a>> {
    let context = state.context;
    let (session, runtime) = projected(state, request)?;
    let source = ResolvedSource::of(state, request.source.as_str());
    if let Some(agent) = source.agent().filter(|agent| *agent != session.agent()) {
        let action = format!("name a session of {agent}: {} is for that agent alone", request.source);
        return Err(unavailable(Criterion::Projection, action, ""));
    }
    let of = |agent: Option<&'a str>| work.get(&agent).copied().unwrap_or_default();
    let agent = session.agent();
    if context.ledger.newest_of(agent).is_none() && of(Some(agent)).and(of(None)).selected().is_none() {
        let action = format!("record {}: there is neither a run nor a todo to show", request.source);
        let (criterion, reason) = (Criterion::Projection, Reason::SourceEventNotRecorded);
        return Err(Obstacle { criterion, reason, action, cause: request.source.as_str() });
    }
    let unrecorded = |action, cause| {
        Err(Obstacle { criterion: Criterion::SourceRecorded, reason: Reason::SourceEventNotRecorded, action, cause })
    };
    let unsafe_material =
        |action, cause| Err(Obstacle { criterion: Criterion::Compact, reason: Reason::UnsafeMaterial, action, cause });
    // Recorded or not: what holds refused material is told to nobody, and that is what has to be mended first.
    let event = match source {
        ResolvedSource::Event(event) => Ok(event),
        ResolvedSource::Trouble(DocumentFault::Refused, path) => Err(path),
        ResolvedSource::Trouble(DocumentFault::Unreadable, path) => return unrecorded(format!("mend {path}"), path),
        ResolvedSource::Unrecorded { action, .. } => return unrecorded(action, request.source.as_str()),
    };
    if !has(session, Capability::SessionQueue) {
        let action = format!("give {} a session_queue, where a message can be looked at first", session.id());
        return Err(unavailable(Criterion::Preview, action, ""));
    }
    let event = match event {
        Ok(event) => event,
        Err(path) => return unsafe_material(format!("take refused material out of {path}"), path),
    };
    let draft = WritebackDraft { goal: context.goal_id, agent: session.agent(), runtime, session: session.id(), event };
    if draft.texts().iter().any(|text| context.wall.text(text).as_ref() != text) {
        let action = format!("take what the privacy rules refuse out of {}", request.source);
        return unsafe_material(action, request.source.as_str());
    }
    if !has(session, Capability::ReplyReadback) {
        let action = format!("give {} a reply_readback, so that it says what came of it", session.id());
        return Err(unavailable(Criterion::Result, action, ""));
    }
    Ok(draft)
}

fn unavailable<'a>(criterion: Criterion, action: String, cause: &'a str) -> Obstacle<'a> {
    Obstacle { criterion, reason: Reason::WritebackTargetUnavailable, action, cause }
}

/// The session, when the projection of its agent identifies it and its runtime.
fn projected<'m, 'a>(
    state: &GoalState<'m, 'a>,
    request: &'a WritebackRequest,
) -> Result<(&'m Session<'a>, RuntimeId), Obstacle<'a>> {
    let context = state.context;
    let id = request.session_id.as_str();
    let unavailable = |action, cause| unavailable(Criterion::Projection, action, cause);
    let Some(session) = context.sessions.iter().find(|session| session.id() == id) else {
        let path =
            context.documents.unusable.iter().find(|it| it.kind == Some(Kind::Binding) && it.id.as_deref() == Some(id));
        return Err(unavailable(format!("bind {id}, or name another session"), path.map_or("", |it| &it.path)));
    };
    if context.index.is_shared(id) {
        return Err(unavailable(format!("leave {id} to one goal"), ""));
    }
    if !session.is_live() {
        return Err(unavailable(format!("name a live session: {id} is closed"), ""));
    }
    let agent = session.agent();
    if !context.agents.contains(agent) {
        return Err(unavailable(format!("register {agent}, or name another session"), agent));
    }
    if context.live_sessions(agent).next().map(Session::id) != Some(id) {
        return Err(unavailable(format!("leave one live session to {agent}"), id));
    }
    let Some(runtime) = session.runtime() else {
        return Err(unavailable(format!("name the host_surface of {id}"), ""));
    };
    Ok((session, runtime))
}

/// Whether a session can do something; the queue and the process of a managed one are loopx's own.
fn has(session: &Session<'_>, capability: Capability) -> bool {
    session.binding.session_mode != Some(SessionMode::AttachedHost)
        || session.binding.attached_capabilities.contains(&capability)
}

/// The condition of a request without a preview: as its cause, where another condition explains it.
fn obstructed<'a>(
    state: &GoalState<'_, 'a>,
    request: &'a WritebackRequest,
    obstacle: &Obstacle<'a>,
    found: &[FoundCondition<'a>],
) -> FoundCondition<'a> {
    let explains = |it: &&FoundCondition<'a>| {
        EXPLANATIONS.contains(&it.reason)
            && (it.thing() == obstacle.cause
                || it.reason == Reason::SecondExecutor && it.about.iter().any(|about| about == obstacle.cause))
    };
    let condition = condition(state, request, obstacle.reason);
    let Some(cause) = found.iter().filter(explains).min_by(|one, other| one.rank().cmp(&other.rank())) else {
        return FoundCondition { action: Some(obstacle.action.clone()), ..condition };
    };
    let root = cause.explained_by.clone().unwrap_or_else(|| (cause.reason, cause.thing().clone()));
    FoundCondition {
        owner: cause.owner,
        waiting_on: cause.waiting_on,
        explained_by: Some(root),
        action: Some(cause.next_action()),
        command: Some(cause.command()),
        ..condition.since(cause.since)
    }
}

/// Where the apply of a preview stands, and what has to be said about it.
fn applying<'a>(
    state: &GoalState<'_, 'a>,
    request: &'a WritebackRequest,
    draft: &WritebackDraft<'a>,
) -> (ApplyState, Option<FoundCondition<'a>>) {
    if request.mode == WritebackMode::DryRun {
        return (ApplyState::NotAsked, None);
    }
    let key = draft.key();
    let effect = Effect::Writeback(draft.goal, draft.runtime.word(), draft.session, &key);
    // A result that nobody can read may be any: nothing is applied over it, and somebody has to look.
    let results = state.context.ledger.of_host(effect);
    let is_settled = |results: &Vec<&Receipt>| !results.is_empty() && results.iter().all(|receipt| is_done(receipt));
    if results.as_ref().is_some_and(is_settled) {
        return (ApplyState::Done, None);
    }
    if results.as_ref().is_none_or(|results| !results.is_empty()) {
        let at = results.into_iter().flatten().map(|receipt| receipt.at).max();
        let failed = condition(state, request, Reason::WritebackFailed);
        return (ApplyState::Failed, Some(failed.and(effect.run_id().as_str().to_owned()).since(at)));
    }
    if request.approved_preview_digest.as_ref() == Some(&draft.digest()) {
        return (ApplyState::Approved, None);
    }
    let command = format!("loopx writeback approve {{0}} --digest {}", draft.digest());
    let outdated = condition(state, request, Reason::PreviewOutdated);
    (ApplyState::Outdated, Some(FoundCondition { command: Some(command), ..outdated }))
}

/// Whether a result says that the host has it; anything but these two words does not.
fn is_done(receipt: &Receipt) -> bool {
    let status = WritebackStatus::of(receipt.result.word());
    receipt.is_sound() && matches!(status, Some(WritebackStatus::Applied | WritebackStatus::Skipped))
}

/// A condition of a request: it closes nobody's screen.
fn condition<'a>(state: &GoalState<'_, 'a>, request: &'a WritebackRequest, reason: Reason) -> FoundCondition<'a> {
    let context = state.context;
    let session = context.sessions.iter().find(|session| session.id() == request.session_id.as_str());
    let owner: ConditionOwner<'a> = match (reason, session) {
        (Reason::WritebackTargetUnavailable | Reason::WritebackFailed, Some(session)) => {
            context.owner_of_session(session)
        }
        _ => context.owner(),
    };
    let agent = session.map(Session::agent).filter(|agent| context.agents.contains(agent));
    let found = FoundCondition::new(reason, owner, request.request_id.as_str())
        .reach(ConditionScope::Listed)
        .concerns(agent.map_or(Concern::These(Default::default()), Concern::only));
    let found = FoundCondition { gate_state: GateState::Clear, quota_state: None, ..found };
    let second = match reason {
        Reason::WritebackFailed => return found,
        Reason::WritebackTargetUnavailable => &request.session_id,
        _ => &request.source,
    };
    found.and(second.as_str())
}
