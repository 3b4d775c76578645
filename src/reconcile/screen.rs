//! How conditions combine into one agent's first screen (semantics.md 1).

use std::borrow::Cow;

use super::conditions::{ConditionOwner, ConditionScope, FoundCondition, compact};
use super::goal_state::GoalState;
use super::handoffs::Need;
use super::sessions::Session;
use super::work::Work;
use crate::vocabulary::{
    ActorClass, Blocks, Gate, GateStanding, GateState, Glob, GoalStatus, Handoff, Instant, MayContinue, QuotaState,
    Reason, RuntimeId, Todo, WaitingOn,
};

/// What a screen shows of the boundary of a goal that cannot be read.
const NO_BOUNDARY: &str = "stop: the goal cannot be read, so nothing may be written";

/// The first screen of one agent, as documents name things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Screen<'a> {
    pub(super) runtime: Option<RuntimeId>,
    pub(super) session: Option<&'a str>,
    pub(super) run: Option<&'a str>,
    pub(super) todo: Option<&'a str>,
    pub(super) event: Option<&'a str>,
    pub(super) outcome: Option<&'a str>,
    pub(super) waiting: WaitsFor<'a>,
    pub(super) user_todo: Option<&'a Todo>,
    pub(super) executable: Option<&'a Todo>,
    pub(super) latest_validation: String,
    pub(super) gate_state: GateState,
    pub(super) gate: Option<&'a Gate>,
    pub(super) quota_state: QuotaState,
    pub(super) may_continue: MayContinue,
    pub(super) reasons: Vec<Reason>,
    pub(super) boundary: AgentBoundary<'a>,
}

/// Who or what an agent waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WaitsFor<'a> {
    pub(super) on: WaitingOn,
    /// The finer word.
    pub(super) class: Option<ActorClass>,
    /// Who it is, when somebody can be named.
    pub(super) owner: Option<ConditionOwner<'a>>,
    pub(super) since: Option<Instant>,
    /// The condition that decides, by reason and thing.
    pub(super) because: Option<(Reason, Cow<'a, str>)>,
    /// One safe action for whoever is waited for.
    pub(super) next_action: String,
}

/// What the agent may read and write, and when it has to stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AgentBoundary<'a> {
    pub(super) read_scope: Vec<&'a str>,
    pub(super) write_scope: Vec<&'a str>,
    pub(super) stop_condition: &'a str,
}

/// What decides one agent's screen.
pub(super) struct ScreenInput<'m, 'c, 'a> {
    pub(super) state: &'m GoalState<'c, 'a>,
    pub(super) agent: &'a str,
    pub(super) work: Work<'a>,
    /// The first open todo of a person.
    pub(super) user_todo: Option<&'a Todo>,
    /// Conditions that concern the agent, the loudest first.
    pub(super) concerning: Vec<&'m FoundCondition<'a>>,
}

impl<'m, 'c, 'a> ScreenInput<'m, 'c, 'a> {
    /// The screen.
    pub(super) fn screen(&self) -> Screen<'a> {
        let context = self.state.context;
        let session = context.live_sessions(self.agent).next();
        let (gate_state, quota_state) = (self.gate_state(|_| true), self.quota_state(|_| true));
        let runtime = session.and_then(|it| it.runtime().or(it.facts().map(|facts| facts.runtime_id)));
        Screen {
            runtime,
            // A session of no known runtime is no session that anybody could address.
            session: session.filter(|_| runtime.is_some()).map(Session::id),
            run: context.ledger.newest_of(self.agent).map(|receipt| receipt.run_id.as_str()),
            todo: self.work.selected().map(|todo| todo.todo_id.as_str()),
            event: session.and_then(Session::newest_event_of_all).map(|event| event.event_id.as_str()),
            outcome: session.and_then(Session::newest_outcome).map(|outcome| outcome.outcome_id.as_str()),
            waiting: self.waiting(session),
            user_todo: self.user_todo,
            executable: self.work.runnable.filter(|_| quota_state == QuotaState::Eligible),
            latest_validation: latest_validation(session),
            gate_state,
            gate: self.first_gate(),
            quota_state,
            may_continue: self.may_continue(gate_state, quota_state),
            reasons: self.reasons(),
            boundary: self.boundary(),
        }
    }

    /// The conditions that decide: those of a todo only when the agent has nothing else to run.
    pub(super) fn deciding(&self) -> impl Iterator<Item = &'m FoundCondition<'a>> {
        self.concerning.iter().copied().filter(|found| match found.reach {
            ConditionScope::Workspace | ConditionScope::Goal | ConditionScope::Agent => true,
            ConditionScope::Todo => self.work.runnable.is_none(),
            ConditionScope::Listed => false,
        })
    }

    /// The first that holds of user, controller, runtime, external evidence, agent, none.
    fn waiting(&self, session: Option<&Session<'a>>) -> WaitsFor<'a> {
        let condition = self.deciding().min_by_key(|found| found.waiting_on).map(WaitsFor::of);
        let is_active = self.state.context.active().is_some();
        let approval = session.filter(|_| is_active).and_then(|session| self.pending_approval(session));
        let awaited = self.work.only_awaits().filter(|_| is_active).map(awaited);
        let all = condition.into_iter().chain(approval).chain(awaited);
        all.min_by_key(|waiting| waiting.on).unwrap_or_else(|| self.at_work())
    }

    /// A host that waits for its own approval is waited for; that is no gate of the goal.
    fn pending_approval(&self, session: &Session<'a>) -> Option<WaitsFor<'a>> {
        let approval = session.pending_approval()?;
        Some(WaitsFor {
            class: Some(ActorClass::Host),
            owner: Some(self.state.context.owner_of_session(session)),
            since: Some(approval.at),
            ..WaitsFor::new(
                WaitingOn::Runtime,
                [
                    format!("answer {} in the host of {}", approval.approval_id, session.id()),
                    format!("answer what {} asks", session.id()),
                ],
            )
        })
    }

    /// What is said when no condition decides.
    fn at_work(&self) -> WaitsFor<'a> {
        let Some(todo) = self.work.runnable else {
            let action = match self.state.context.goal().map(|goal| goal.status) {
                Some(status) if status != GoalStatus::Active => format!("nothing to do: the goal is {status}"),
                _ if self.work.is_quiet() => "nothing to do: no monitor is due".to_owned(),
                _ => "nothing to do".to_owned(),
            };
            return WaitsFor::new(WaitingOn::None, [action]);
        };
        let advance = [format!("advance {}: {}", todo.todo_id, todo.title), format!("advance {}", todo.todo_id)];
        let accept = self
            .handoff()
            .filter(|handoff| self.state.handoff(handoff.handoff_id.as_str()).needs == Some(Need::Acceptance));
        let accept = accept.map(|handoff| format!("accept {}", handoff.handoff_id));
        let both =
            accept.iter().flat_map(|accept| advance.iter().map(move |advance| format!("{accept}, then {advance}")));
        let action: Vec<String> = both.chain(accept.clone()).chain(advance.clone()).collect();
        WaitsFor {
            class: Some(ActorClass::Agent),
            owner: Some(ConditionOwner { name: self.agent, class: ActorClass::Agent }),
            ..WaitsFor::new(WaitingOn::Agent, action)
        }
    }

    /// The handoff of the first executable todo to this agent, unless it is not to be used.
    fn handoff(&self) -> Option<&'a Handoff> {
        let newest = self.state.context.handoffs_of(self.work.runnable?.todo_id.as_str()).last()?;
        let is_usable = !self.state.handoff(newest.handoff_id.as_str()).is_closed();
        (is_usable && newest.to_agent.as_str() == self.agent).then_some(newest)
    }

    /// What stands in the way, looking only at some conditions.
    fn gate_state(&self, looks_at: impl Fn(&FoundCondition<'a>) -> bool) -> GateState {
        let is_named = |gate: &Gate| {
            matches!(gate.blocks, Blocks::Todos(_))
                && self.state.gate(gate.gate_id.as_str()).standing == GateStanding::Approved
        };
        let todo = self.work.runnable.map(|todo| todo.todo_id.as_str());
        if todo.is_some_and(|todo| self.state.context.gates_of(todo).any(is_named)) {
            return GateState::Approved;
        }
        let states = self.deciding().filter(|found| looks_at(found)).map(|found| found.gate_state);
        states.min().unwrap_or(GateState::Clear)
    }

    /// Whether the next turn may be spent, looking only at some conditions.
    fn quota_state(&self, looks_at: impl Fn(&FoundCondition<'a>) -> bool) -> QuotaState {
        let states = self.deciding().filter(|found| looks_at(found)).filter_map(|found| found.quota_state);
        let by_itself = match self.state.context.goal().map(|goal| goal.status) {
            Some(GoalStatus::Active) if self.work.runnable.is_some() => QuotaState::Eligible,
            Some(GoalStatus::Active) if self.work.is_quiet() || self.work.only_awaits().is_some() => {
                QuotaState::MonitorQuietSkip
            }
            Some(GoalStatus::Active) => QuotaState::Eligible,
            Some(GoalStatus::Completed) => QuotaState::MonitorQuietSkip,
            Some(GoalStatus::Draft | GoalStatus::Paused) | None => QuotaState::Blocked,
        };
        states.chain([by_itself]).min().unwrap_or(by_itself)
    }

    fn may_continue(&self, gate_state: GateState, quota_state: QuotaState) -> MayContinue {
        let is_open = |gate_state, quota_state| {
            self.work.runnable.is_some()
                && matches!(gate_state, GateState::Clear | GateState::Approved)
                && quota_state == QuotaState::Eligible
        };
        let has_facts =
            |found: &FoundCondition<'a>| !matches!(found.reason, Reason::MissingRuntimeFact | Reason::StaleFact);
        if is_open(gate_state, quota_state) {
            MayContinue::Yes
        } else if is_open(self.gate_state(has_facts), self.quota_state(has_facts)) {
            MayContinue::Unknown
        } else {
            MayContinue::No
        }
    }

    fn first_gate(&self) -> Option<&'a Gate> {
        let closing = self.concerning.iter().filter(|found| found.reach != ConditionScope::Listed);
        let gates = closing.filter(|found| {
            matches!(
                found.reason,
                Reason::MissingGateDecision
                    | Reason::DecisionNotRecorded
                    | Reason::GateDeferred
                    | Reason::GateRejected
                    | Reason::ConflictingDecisions
            )
        });
        gates.filter_map(|found| self.state.context.documents.gates.get(&**found.thing()).copied()).next()
    }

    fn reasons(&self) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        for found in &self.concerning {
            if !reasons.contains(&found.reason) {
                reasons.push(found.reason);
            }
        }
        if reasons.is_empty() {
            reasons.push(Reason::InStep);
        }
        reasons
    }

    /// The goal's boundary, narrowed by the handoff of the first executable todo; what is not surely inside the goal's
    /// scope is left out.
    fn boundary(&self) -> AgentBoundary<'a> {
        let Some(goal) = self.state.context.goal() else {
            return AgentBoundary { read_scope: Vec::new(), write_scope: Vec::new(), stop_condition: NO_BOUNDARY };
        };
        let of_goal = &goal.boundary;
        let handoff = self.handoff();
        let narrowed = handoff.map(|handoff| &handoff.write_scope).filter(|scope| !scope.is_empty());
        let write_scope: Vec<&Glob> = match narrowed {
            Some(scope) => scope.iter().filter(|glob| glob.is_within(&of_goal.write_scope)).collect(),
            None => of_goal.write_scope.iter().collect(),
        };
        AgentBoundary {
            read_scope: of_goal.read_scope.iter().map(Glob::as_str).collect(),
            write_scope: write_scope.into_iter().map(Glob::as_str).collect(),
            stop_condition: handoff.map_or(&of_goal.stop_condition, |handoff| &handoff.stop_condition).as_str(),
        }
    }
}

impl<'a> WaitsFor<'a> {
    /// Nobody in particular is waited for; `action` in several ways, the fullest first.
    fn new(on: WaitingOn, action: impl IntoIterator<Item = String>) -> Self {
        Self { on, class: None, owner: None, since: None, because: None, next_action: compact(action) }
    }

    /// A condition is waited for.
    pub(super) fn of(found: &FoundCondition<'a>) -> Self {
        Self {
            class: found.waiting_class(),
            owner: Some(found.owner),
            since: found.since,
            because: Some((found.reason, found.thing().clone())),
            ..Self::new(found.waiting_on, [found.next_action()])
        }
    }
}

/// Nothing is left but todos that wait for a pull request.
fn awaited<'a>(todo: &'a Todo) -> WaitsFor<'a> {
    let resume = todo.resume_when.as_ref().map_or("", |resume| resume.as_str());
    WaitsFor::new(
        WaitingOn::ExternalEvidence,
        [
            format!("wait for {resume}, then go on with {}", todo.todo_id),
            format!("wait for a pull request, then go on with {}", todo.todo_id),
        ],
    )
}

fn latest_validation(session: Option<&Session<'_>>) -> String {
    let Some(session) = session else {
        return "no session is bound, so no runtime facts".to_owned();
    };
    if session.facts().is_none() {
        return format!("no facts of {}", session.id());
    }
    match session.newest_validation() {
        Some(outcome) => {
            let said = outcome.summary.as_ref().map_or(outcome.outcome_id.as_str(), |summary| summary.as_str());
            format!("{}: {said}", outcome.status)
        }
        None => "no validation yet".to_owned(),
    }
}
