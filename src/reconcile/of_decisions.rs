//! Conditions of decisions: gates, handoffs and rewards that wait for an act, a receipt or a settlement.

use super::conditions::{ASK, Concern, DECIDE, Found, Owner, Reach};
use super::gates::{Closed, blocks_something, is_done};
use super::handoffs::Need;
use super::ledger::Look;
use super::moment::Moment;
use crate::vocabulary::{ActorClass, Blocks, Gate, Handoff, Id, Instant, Reason, Severity, Todo, TodoStatus};

impl<'a> Moment<'_, 'a> {
    /// The agents that open agent todos belong to.
    pub(super) fn concern_of(&self, todos: impl IntoIterator<Item = &'a Todo>) -> Concern<'a> {
        let mut concern = Concern::These(Default::default());
        for todo in todos.into_iter().filter(|it| it.status != TodoStatus::Done && !it.task_class.is_user()) {
            concern.add(self.case.agent_of(todo));
        }
        concern
    }

    /// The agents that a gate holds up while it is closed.
    pub(super) fn concern_of_gate(&self, gate: &'a Gate) -> Concern<'a> {
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
    fn reason_of_gate(&self, gate: &'a Gate) -> Option<(Reason, Reach)> {
        let closed = self.gate(gate.gate_id.as_str()).closed;
        let is_proposed = self.case.gates[gate.gate_id.as_str()].proposed(gate).is_some();
        let holds = blocks_something(gate, &self.todos);
        let reason = match closed {
            Some(Closed::Conflict) => Reason::ConflictingDecisions,
            Some(Closed::Older) if holds => Reason::MissingGateDecision,
            Some(Closed::NotRecorded) => Reason::DecisionNotRecorded,
            Some(Closed::Undecided) if holds => Reason::MissingGateDecision,
            Some(Closed::Deferred) if holds => Reason::GateDeferred,
            Some(Closed::Rejected) if holds => Reason::GateRejected,
            _ if is_proposed => Reason::DecisionNotRecorded,
            _ => return None,
        };
        let reach = match gate.blocks {
            _ if closed.is_none() || !holds => Reach::Listed,
            Blocks::Goal => Reach::Goal,
            Blocks::Todos(_) | Blocks::Nothing => Reach::Todo,
        };
        Some((reason, reach))
    }
}

/// What gates wait for.
pub(super) fn of_gates<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let found = |gate: &&'a Gate| {
        let (reason, reach) = moment.reason_of_gate(gate)?;
        Some(of_gate(moment, gate, reason).reach(reach))
    };
    moment.case.documents.gates.values().filter_map(found).collect()
}

fn of_gate<'a>(moment: &Moment<'_, 'a>, gate: &'a Gate, reason: Reason) -> Found<'a> {
    let case = moment.case;
    let id = gate.gate_id.as_str();
    let concern = moment.concern_of_gate(gate);
    let proposed = case.gates[id].proposed(gate).filter(|_| reason == Reason::DecisionNotRecorded);
    let owner = match proposed {
        Some((by, class, _)) => Owner { name: by.as_str(), class },
        None => case.actor(gate.required_actor.class(), &concern),
    };
    let decided_at = gate.decision.as_ref().map(|decision| decision.at);
    let since = match (reason, proposed) {
        (Reason::MissingGateDecision, _) => Some(gate.requested.at),
        (_, Some((_, _, at))) => Some(at),
        _ => decided_at,
    };
    let mut found = Found::new(reason, owner, id).concerns(concern).since(since).title(gate.question.as_str());
    found = found.recorded_on(&case.world.branch);
    if reason == Reason::MissingGateDecision && moment.blocks_everything(gate) {
        found.severity = Severity::High;
    }
    let is_over = gate.decision.is_some() || gate.expires_at.is_some_and(|end| end <= moment.as_of);
    if reason == Reason::MissingGateDecision && is_over {
        found.command = Some(ASK.to_owned());
    }
    if moment.gate(id).closed == Some(Closed::Older) {
        found.action = Some(format!("take the newer version of {{0}} from {}", case.world.branch.reference));
        found.command = Some(format!("git merge {}", case.world.branch.reference));
    }
    found.blocks(moment.held_by(gate).into_iter().map(|todo| todo.todo_id.as_str()))
}

/// What handoffs wait for. A handoff of a done todo waits for nothing.
pub(super) fn of_handoffs<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let todos = &*moment.todos;
    let standing = moment.case.documents.handoffs.values().filter(|it| !is_done(todos, it.todo_id.as_str()));
    standing
        .filter_map(|handoff| Some(of_handoff(moment, handoff, moment.handoff(handoff.handoff_id.as_str()).needs?)))
        .collect()
}

fn of_handoff<'a>(moment: &Moment<'_, 'a>, handoff: &'a Handoff, need: Need) -> Found<'a> {
    let case = moment.case;
    let gate = handoff.gate_id.as_ref().and_then(|gate| case.documents.gates.get(gate.as_str()).copied());
    let todo = moment.todos.get(handoff.todo_id.as_str()).copied();
    let mut concern = moment.concern_of(todo);
    concern.add(Some(handoff.to_agent.as_str()));
    let person = || gate.map_or(case.owner(), |gate| case.actor(gate.required_actor.class(), &Concern::All));
    let (reason, owner, since) = match need {
        Need::Settlement => (Reason::ConflictingDecisions, person(), None),
        Need::Approval => (Reason::HandoffNotApproved, person(), gate.map(|gate| gate.requested.at)),
        Need::Renewal => (Reason::HandoffExpired, person(), Some(handoff.expires_at)),
        Need::Acceptance => (Reason::HandoffNotAccepted, agent(&handoff.to_agent), approved_at(handoff, gate)),
        Need::RecordOfApproval => {
            let act =
                handoff.approved.as_ref().map(|act| (Owner { name: act.by.as_str(), class: act.actor_class }, act.at));
            (Reason::DecisionNotRecorded, act.map_or_else(person, |(owner, _)| owner), act.map(|(_, at)| at))
        }
        Need::RecordOfAcceptance => {
            let at = handoff.accepted.as_ref().map(|act| act.at);
            (Reason::DecisionNotRecorded, agent(&handoff.to_agent), at)
        }
    };
    let id = handoff.handoff_id.as_str();
    let is_closed = moment.handoff(id).is_closed();
    let mut found = Found::new(reason, owner, id).concerns(concern).since(since).title(handoff.next_action.as_str());
    found = found.recorded_on(&case.world.branch);
    if need == Need::RecordOfAcceptance && !is_closed {
        found.reach = Reach::Listed;
    }
    if need == Need::Acceptance || found.reach == Reach::Listed {
        found.agents = Concern::only(handoff.to_agent.as_str());
    }
    if let (Need::Approval, Some(gate)) = (need, gate) {
        let cause = moment.reason_of_gate(gate).map(|(reason, _)| reason);
        found.explained_by = cause.map(|reason| (reason, gate.gate_id.as_str().into()));
        found.command = Some(DECIDE.replace("{0}", gate.gate_id.as_str()));
    }
    found.blocks(todo.filter(|_| is_closed).map(|todo| todo.todo_id.as_str()))
}

/// Rewards that differ from their receipt, or have none. They close no screen.
pub(super) fn of_rewards<'a>(moment: &Moment<'_, 'a>) -> Vec<Found<'a>> {
    let rewards = moment.case.documents.rewards.iter();
    let found = rewards.filter_map(|(id, reward)| {
        let reason = match moment.case.rewards[id] {
            Look::Proposed => Reason::DecisionNotRecorded,
            Look::Conflict => Reason::ConflictingDecisions,
            Look::Nothing | Look::Recorded => return None,
        };
        let owner = Owner { name: reward.given.by.as_str(), class: reward.given.actor_class };
        let found = Found::new(reason, owner, *id).reach(Reach::Listed).since(reward.given.at);
        Some(found.recorded_on(&moment.case.world.branch))
    });
    found.collect()
}

fn agent(name: &Id) -> Owner<'_> {
    Owner { name: name.as_str(), class: ActorClass::Agent }
}

fn approved_at(handoff: &Handoff, gate: Option<&Gate>) -> Option<Instant> {
    let by_gate = gate.and_then(|gate| gate.decision.as_ref()).map(|decision| decision.at);
    by_gate.or(handoff.approved.as_ref().map(|act| act.at))
}
