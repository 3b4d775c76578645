//! Conditions of decisions: gates, handoffs and rewards that wait for an act, a receipt or a settlement.

use super::{ASK, Concern, ConditionOwner, ConditionScope, DECIDE, FoundCondition};
use crate::reconcile::gates::{ClosedReason, blocks_something, is_done};
use crate::reconcile::goal_state::GoalState;
use crate::reconcile::handoffs::Need;
use crate::reconcile::ledger::RecordStatus;
use crate::vocabulary::{ActorClass, Blocks, Gate, Handoff, Id, Instant, Reason, Severity, Todo, TodoStatus};

impl<'a> GoalState<'_, 'a> {
    /// The agents that open agent todos belong to.
    pub(in crate::reconcile) fn concern_of(&self, todos: impl IntoIterator<Item = &'a Todo>) -> Concern<'a> {
        let mut concern = Concern::These(Default::default());
        for todo in todos.into_iter().filter(|it| it.status != TodoStatus::Done && !it.task_class.is_user()) {
            concern.add(self.context.agent_of(todo));
        }
        concern
    }

    /// The agents that a gate holds up while it is closed.
    pub(in crate::reconcile) fn concern_of_gate(&self, gate: &'a Gate) -> Concern<'a> {
        match &gate.blocks {
            Blocks::Goal => Concern::All,
            Blocks::Todos(_) | Blocks::Nothing => self.concern_of(self.held_by(gate)),
        }
    }

    /// The todos that a gate holds up while it is closed: not done, and of agents when it blocks the whole goal.
    fn held_by(&self, gate: &'a Gate) -> Vec<&'a Todo> {
        let todos = &*self.todos;
        let all: Vec<&'a Todo> = match &gate.blocks {
            Blocks::Goal => todos.values().copied().filter(|todo| !todo.task_class.is_user()).collect(),
            Blocks::Todos(listed) => listed.iter().filter_map(|id| todos.get(id.as_str()).copied()).collect(),
            Blocks::Nothing => Vec::new(),
        };
        all.into_iter().filter(|todo| todo.status != TodoStatus::Done).collect()
    }

    /// Whether a gate holds up every todo that is ready.
    fn blocks_everything(&self, gate: &Gate) -> bool {
        let held = match &gate.blocks {
            Blocks::Goal => self.ready.len(),
            Blocks::Todos(listed) => listed.iter().filter(|id| self.ready.contains(id.as_str())).count(),
            Blocks::Nothing => 0,
        };
        held > 0 && held == self.ready.len()
    }

    /// The condition that a gate yields, and whose screen it closes.
    fn reason_of_gate(&self, gate: &'a Gate) -> Option<(Reason, ConditionScope)> {
        let closed = self.gate(gate.gate_id.as_str()).closed;
        let is_proposed = self.context.gates[gate.gate_id.as_str()].proposed(gate).is_some();
        let holds = blocks_something(gate, &self.todos);
        let reason = match closed {
            Some(ClosedReason::Conflict) => Reason::ConflictingDecisions,
            Some(ClosedReason::Older) if holds => Reason::MissingGateDecision,
            Some(ClosedReason::NotRecorded) => Reason::DecisionNotRecorded,
            Some(ClosedReason::Undecided) if holds => Reason::MissingGateDecision,
            Some(ClosedReason::Deferred) if holds => Reason::GateDeferred,
            Some(ClosedReason::Rejected) if holds => Reason::GateRejected,
            _ if is_proposed => Reason::DecisionNotRecorded,
            _ => return None,
        };
        let reach = match gate.blocks {
            _ if closed.is_none() || !holds => ConditionScope::Listed,
            Blocks::Goal => ConditionScope::Goal,
            Blocks::Todos(_) | Blocks::Nothing => ConditionScope::Todo,
        };
        Some((reason, reach))
    }
}

/// What gates wait for.
pub(in crate::reconcile) fn of_gates<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let found = |gate: &&'a Gate| {
        let (reason, reach) = state.reason_of_gate(gate)?;
        Some(of_gate(state, gate, reason).reach(reach))
    };
    state.context.documents.gates.values().filter_map(found).collect()
}

fn of_gate<'a>(state: &GoalState<'_, 'a>, gate: &'a Gate, reason: Reason) -> FoundCondition<'a> {
    let context = state.context;
    let id = gate.gate_id.as_str();
    let concern = state.concern_of_gate(gate);
    let proposed = context.gates[id].proposed(gate).filter(|_| reason == Reason::DecisionNotRecorded);
    let owner = match proposed {
        Some((by, class, _)) => ConditionOwner { name: by.as_str(), class },
        None => context.actor(gate.required_actor.class(), &concern),
    };
    let decided_at = gate.decision.as_ref().map(|decision| decision.at);
    let since = match (reason, proposed) {
        (Reason::MissingGateDecision, _) => Some(gate.requested.at),
        (_, Some((_, _, at))) => Some(at),
        _ => decided_at,
    };
    let mut found = FoundCondition::new(reason, owner, id).concerns(concern).since(since).title(gate.question.as_str());
    found = found.recorded_on(&context.world.branch);
    if reason == Reason::MissingGateDecision && state.blocks_everything(gate) {
        found.severity = Severity::High;
    }
    let is_over = gate.decision.is_some() || gate.expires_at.is_some_and(|end| end <= state.as_of);
    if reason == Reason::MissingGateDecision && is_over {
        found.command = Some(ASK.to_owned());
    }
    if state.gate(id).closed == Some(ClosedReason::Older) {
        found.action = Some(format!("take the newer version of {{0}} from {}", context.world.branch.reference));
        found.command = Some(format!("git merge {}", context.world.branch.reference));
    }
    found.blocks(state.held_by(gate).into_iter().map(|todo| todo.todo_id.as_str()))
}

/// What handoffs wait for. A handoff of a done todo waits for nothing.
pub(in crate::reconcile) fn of_handoffs<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let todos = &*state.todos;
    let standing = state.context.documents.handoffs.values().filter(|it| !is_done(todos, it.todo_id.as_str()));
    standing
        .filter_map(|handoff| Some(of_handoff(state, handoff, state.handoff(handoff.handoff_id.as_str()).needs?)))
        .collect()
}

fn of_handoff<'a>(state: &GoalState<'_, 'a>, handoff: &'a Handoff, need: Need) -> FoundCondition<'a> {
    let context = state.context;
    let gate = handoff.gate_id.as_ref().and_then(|gate| context.documents.gates.get(gate.as_str()).copied());
    let todo = state.todos.get(handoff.todo_id.as_str()).copied();
    let mut concern = state.concern_of(todo);
    concern.add(Some(handoff.to_agent.as_str()));
    let person = || gate.map_or(context.owner(), |gate| context.actor(gate.required_actor.class(), &Concern::All));
    let (reason, owner, since) = match need {
        Need::Settlement => (Reason::ConflictingDecisions, person(), None),
        Need::Approval => (Reason::HandoffNotApproved, person(), gate.map(|gate| gate.requested.at)),
        Need::Renewal => (Reason::HandoffExpired, person(), Some(handoff.expires_at)),
        Need::Acceptance => (Reason::HandoffNotAccepted, agent(&handoff.to_agent), approved_at(handoff, gate)),
        Need::RecordOfApproval => {
            let act = handoff
                .approved
                .as_ref()
                .map(|act| (ConditionOwner { name: act.by.as_str(), class: act.actor_class }, act.at));
            (Reason::DecisionNotRecorded, act.map_or_else(person, |(owner, _)| owner), act.map(|(_, at)| at))
        }
        Need::RecordOfAcceptance => {
            let at = handoff.accepted.as_ref().map(|act| act.at);
            (Reason::DecisionNotRecorded, agent(&handoff.to_agent), at)
        }
    };
    let id = handoff.handoff_id.as_str();
    let is_closed = state.handoff(id).is_closed();
    let mut found =
        FoundCondition::new(reason, owner, id).concerns(concern).since(since).title(handoff.next_action.as_str());
    found = found.recorded_on(&context.world.branch);
    if need == Need::RecordOfAcceptance && !is_closed {
        found.reach = ConditionScope::Listed;
    }
    if need == Need::Acceptance || found.reach == ConditionScope::Listed {
        found.agents = Concern::only(handoff.to_agent.as_str());
    }
    if let (Need::Approval, Some(gate)) = (need, gate) {
        let cause = state.reason_of_gate(gate).map(|(reason, _)| reason);
        // Whoever the gate waits for is whom its handoff waits for.
        found.waiting_on = cause.map_or(found.waiting_on, |reason| of_gate(state, gate, reason).waiting_on);
        found.explained_by = cause.map(|reason| (reason, gate.gate_id.as_str().into()));
        found.command = Some(DECIDE.replace("{0}", gate.gate_id.as_str()));
    }
    found.blocks(todo.filter(|_| is_closed).map(|todo| todo.todo_id.as_str()))
}

/// Rewards that differ from their receipt, or have none. They close no screen.
pub(in crate::reconcile) fn of_rewards<'a>(state: &GoalState<'_, 'a>) -> Vec<FoundCondition<'a>> {
    let rewards = state.context.documents.rewards.iter();
    let found = rewards.filter_map(|(id, reward)| {
        let reason = match state.context.rewards[id] {
            RecordStatus::Proposed => Reason::DecisionNotRecorded,
            RecordStatus::Conflict => Reason::ConflictingDecisions,
            RecordStatus::Nothing | RecordStatus::Recorded => return None,
        };
        let owner = ConditionOwner { name: reward.given.by.as_str(), class: reward.given.actor_class };
        let found = FoundCondition::new(reason, owner, *id).reach(ConditionScope::Listed).since(reward.given.at);
        Some(found.recorded_on(&state.context.world.branch))
    });
    found.collect()
}

fn agent(name: &Id) -> ConditionOwner<'_> {
    ConditionOwner { name: name.as_str(), class: ActorClass::Agent }
}

fn approved_at(handoff: &Handoff, gate: Option<&Gate>) -> Option<Instant> {
    let by_gate = gate.and_then(|gate| gate.decision.as_ref()).map(|decision| decision.at);
    by_gate.or(handoff.approved.as_ref().map(|act| act.at))
}
