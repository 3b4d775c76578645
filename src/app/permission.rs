//! Who may do what to which document: what the commands that change documents refuse before they write anything.
//!
//! The rules judge the changed directory afterwards; here stands what no file shows, namely who acts.

use std::path::Path;

use super::error::{Error, ErrorCode};
use super::lookup::agents_here;
use crate::change::{Action, Actor, NewDocument};
use crate::privacy::Wall;
use crate::reconcile::{PermitSummary, Plan, World, standing};
use crate::vocabulary::{
    Blocks, Gate, GateStanding, Goal, GoalStatus, HandoffStanding, Id, Instant, Record, Todo, TodoStatus,
};
use crate::workspace::Workspace;

/// Who acts, and what is known of the goals.
pub(super) struct Permission<'a> {
    pub(super) here: &'a World<'a>,
    pub(super) plan: &'a Plan,
    pub(super) wall: &'a Wall,
    pub(super) as_of: Instant,
    /// Who acts, as the document would name them.
    pub(super) actor: &'a Actor,
    /// The agents that act; empty for a person, or for somebody whom no policy and no goal knows.
    pub(super) agents: Vec<Id>,
}

/// The agents that act: the one that is named, else those whose git identity commits of this clone carry.
///
/// # Errors
/// This clone commits as another agent than the one that is named.
pub(super) fn acting_agents(
    named: Option<&str>,
    goal: Option<&Goal>,
    workspace: &Workspace,
    root: &Path,
) -> Result<Vec<Id>, Error> {
    let here: Vec<Id> = agents_here(root, &workspace.policies)?.into_iter().map(Id::new).collect();
    let Some(named) = named.filter(|name| is_agent(name, goal, workspace)) else { return Ok(here) };
    if here.is_empty() || here.iter().any(|agent| agent.is_same(named)) {
        return Ok(vec![Id::new(named)]);
    }
    let why = format!("commits of this clone are {}'s, and an agent acts for itself alone", listed(&here));
    Err(refused(format!("{named} does not act here: {why}")))
}

/// Whether a name is that of an agent or a host: by policy, or by the goal's own list.
fn is_agent(name: &str, goal: Option<&Goal>, workspace: &Workspace) -> bool {
    match (workspace.policies.actor(name), goal) {
        (Some((_, actor)), _) => !actor.class.is_person(),
        (None, Some(goal)) => goal.agents.keys().any(|agent| agent.is_same(name)),
        (None, None) => false,
    }
}

fn refused(why: String) -> Error {
    Error::about(ErrorCode::Refused, why)
}

fn listed(agents: &[Id]) -> String {
    agents.iter().map(Id::as_str).collect::<Vec<_>>().join(" or ")
}

impl Permission<'_> {
    /// Refuses what this actor may not do to a document.
    pub(super) fn check(&self, act: &Action, record: &Record) -> Result<(), Error> {
        match (act, record) {
            (Action::ApprovePreview { .. }, _) => self.is_of_today(act, record),
            (Action::Accept, Record::Handoff(handoff)) => self.may_accept(&handoff.goal_id, &handoff.handoff_id),
            (Action::Finish { .. }, Record::Todo(todo)) => self.may_finish(todo),
            (Action::Block | Action::Defer { .. } | Action::Resume, Record::Todo(todo)) => self.may_put_off(todo),
            (Action::Supersede { .. }, Record::Todo(todo)) => self.may_supersede(todo),
            (Action::SetGoalStatus { status }, Record::Goal(goal)) => self.may_set_status(&goal.goal_id, *status),
            (Action::Promote { .. } | Action::RejectProposal { .. }, Record::Proposal(proposal)) => {
                self.is_a_person(&format!("decides {}", proposal.proposal_id))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a new document that this actor may not start.
    pub(super) fn may_start(&self, sheet: &NewDocument) -> Result<(), Error> {
        match sheet {
            NewDocument::Goal { .. } => self.is_a_person("starts a goal"),
            NewDocument::Todo { task_class, .. } if !self.agents.is_empty() && task_class.is_user() => {
                let how = "ask a person by a gate: loopx gate request \"...\"";
                Err(refused(format!("{} adds no todo of a person; {how}", listed(&self.agents))))
            }
            NewDocument::Todo { assignee: Some(assignee), .. }
                if !self.agents.is_empty() && !self.agents.iter().any(|agent| agent.is_same(assignee)) =>
            {
                let how = "leave --assignee out, or draft a handoff: loopx handoff draft";
                Err(refused(format!("{} assigns no todo to {assignee}; {how}", listed(&self.agents))))
            }
            _ => Ok(()),
        }
    }

    /// The handoff that an agent accepts by claiming a todo; `None` where the claim stands in the todo itself.
    pub(super) fn claim(&self, todo: &Todo) -> Result<Option<Id>, Error> {
        let (id, agent) = (&todo.todo_id, &self.actor.by);
        if !self.agents.iter().any(|acts| acts.is_same(agent)) {
            let how = format!("list it: loopx goal register {} {agent} --scope \"...\"", todo.goal_id);
            return Err(refused(format!("{agent} is no agent of {}; {how}", todo.goal_id)));
        }
        if todo.task_class.is_user() {
            return Err(refused(format!("{id} is a todo of a person; no agent claims it")));
        }
        let documents = self.here.goals.get(todo.goal_id.as_str());
        let counts = documents.and_then(|documents| documents.todos.get(id.as_str()));
        if let Some(counts) =
            counts.filter(|counts| counts.status != TodoStatus::Open && todo.status == TodoStatus::Open)
        {
            let why =
                format!("it is {} at the authority ref; see both: loopx status --goal {}", counts.status, todo.goal_id);
            return Err(refused(format!("{agent} cannot claim {id}: {why}")));
        }
        let standing = self.standing();
        let key = (todo.goal_id.clone(), id.clone());
        let holder = standing.holders.get(&key).cloned().unwrap_or_default();
        if holder.is_contested {
            let why = "the authority ref names another agent than the copy here";
            return Err(refused(format!("{id} is contested: {why}; see both: loopx status --goal {}", todo.goal_id)));
        }
        if let Some(other) = holder.agent.as_ref().filter(|other| !other.is_same(agent)) {
            return Err(refused(format!("{agent} cannot claim {id}: it is {other}'s")));
        }
        let is_accepted = |handoff: &Id| {
            let handoff = documents.and_then(|documents| documents.handoffs.get(handoff.as_str()));
            handoff.is_some_and(|handoff| handoff.accepted.is_some())
        };
        let open = holder.handoff.filter(|handoff| todo.status == TodoStatus::Open && !is_accepted(handoff));
        let Some(handoff) = open else { return Ok(None) };
        match self.plan.goals.get(&todo.goal_id).and_then(|goal| goal.handoffs.get(&handoff)) {
            Some(HandoffStanding::Approved | HandoffStanding::Drafted | HandoffStanding::Expired) => {
                self.may_accept(&todo.goal_id, &handoff)?;
                Ok(Some(handoff))
            }
            _ => Ok(None),
        }
    }

    /// Whether a todo is this agent's without a claim: assigned to it, or handed over and accepted.
    pub(super) fn holds(&self, todo: &Todo) -> bool {
        let key = (todo.goal_id.clone(), todo.todo_id.clone());
        let holder = self.standing().holders.remove(&key).and_then(|holder| holder.agent);
        todo.status == TodoStatus::Open && holder.is_some_and(|agent| agent.is_same(&self.actor.by))
    }

    fn standing(&self) -> PermitSummary {
        standing(self.here, self.wall, self.as_of)
    }

    /// What is approved has to be what would be written back today.
    fn is_of_today(&self, act: &Action, record: &Record) -> Result<(), Error> {
        let (Action::ApprovePreview { digest }, Record::WritebackRequest(request)) = (act, record) else {
            return Ok(());
        };
        match self.plan.digest_of(&request.goal_id, &request.request_id) {
            Some(today) if today == digest => Ok(()),
            today => {
                let today = today.map_or("it has none today".to_owned(), |today| format!("today's is {today}"));
                Err(refused(format!("that is not the digest of the preview: {today}")))
            }
        }
    }

    /// A handoff is accepted once its approval counts. What was accepted or withdrawn already is told by the act itself.
    fn may_accept(&self, goal: &Id, handoff: &Id) -> Result<(), Error> {
        match self.plan.goals.get(goal).and_then(|goal| goal.handoffs.get(handoff)) {
            Some(HandoffStanding::Drafted) => {
                Err(refused(format!("no approval of {handoff} counts yet; who has to give it: loopx status")))
            }
            Some(HandoffStanding::Expired) => {
                Err(refused(format!("{handoff} has expired; draft it anew: loopx handoff renew {handoff}")))
            }
            _ => Ok(()),
        }
    }

    /// An agent finishes only what it was permitted to.
    fn may_finish(&self, todo: &Todo) -> Result<(), Error> {
        if self.agents.is_empty() || todo.status == TodoStatus::Done {
            return Ok(());
        }
        let key = (todo.goal_id.clone(), todo.todo_id.clone());
        let finishable = self.standing().finishable;
        let why = match finishable.get(&key) {
            _ if todo.task_class.is_user() => "a person has to do it".to_owned(),
            Some(known) if known.iter().any(|one| self.agents.iter().any(|agent| one.is_same(agent))) => return Ok(()),
            Some(known) => {
                let known: Vec<&str> = known.iter().map(Id::as_str).collect();
                format!("it is for {}", known.join(", "))
            }
            None => "something else comes first; see what: loopx status".to_owned(),
        };
        Err(refused(format!("{} is not {}'s to finish: {why}", todo.todo_id, listed(&self.agents))))
    }

    /// What waits for a person ends by a person.
    fn may_put_off(&self, todo: &Todo) -> Result<(), Error> {
        match self.agents.is_empty() || !todo.task_class.is_user() {
            true => Ok(()),
            false => Err(refused(format!(
                "{} is a todo of a person; {} changes nothing of it",
                todo.todo_id,
                listed(&self.agents)
            ))),
        }
    }

    /// What people decided about by name is not replaced.
    fn may_supersede(&self, todo: &Todo) -> Result<(), Error> {
        self.may_put_off(todo)?;
        let Some(documents) = self.here.goals.get(todo.goal_id.as_str()) else { return Ok(()) };
        let id = &todo.todo_id;
        let names = |gate: &Gate, wanted: &dyn Fn(&Id) -> bool| matches!(&gate.blocks, Blocks::Todos(todos) if todos.iter().any(wanted));
        let standing = |gate: &Gate| self.plan.goals.get(&todo.goal_id)?.gates.get(&gate.gate_id).copied();
        let is_named =
            |gate: &&&Gate| standing(gate) != Some(GateStanding::Withdrawn) && names(gate, &|it| it.is_same(id));
        if let Some(gate) = documents.gates.values().find(is_named) {
            return Err(refused(format!("gate {} names {id}; what a gate names is not superseded", gate.gate_id)));
        }
        let is_handed = |todo_id: &Id, is_withdrawn: bool| !is_withdrawn && todo_id.is_same(id);
        let mut handoffs = documents.handoffs.values();
        if let Some(handoff) = handoffs.find(|it| is_handed(&it.todo_id, it.withdrawn.is_some())) {
            let how = format!("take it back first: loopx handoff withdraw {}", handoff.handoff_id);
            return Err(refused(format!("handoff {} names {id}; {how}", handoff.handoff_id)));
        }
        let waits = |waiting: &Id| {
            let waiting = documents.todos.get(waiting.as_str());
            waiting.is_some_and(|it| it.status != TodoStatus::Done && it.after.iter().any(|first| first.is_same(id)))
        };
        let is_approved = |gate: &&&Gate| standing(gate) == Some(GateStanding::Approved) && names(gate, &waits);
        match documents.gates.values().find(is_approved) {
            Some(gate) => {
                let how = format!("ask it again first: loopx gate ask {}", gate.gate_id);
                Err(refused(format!("approved gate {} names a todo that waits for {id}; {how}", gate.gate_id)))
            }
            None => Ok(()),
        }
    }

    /// People say where a goal stands, and a goal is complete once all its gates are decided.
    fn may_set_status(&self, goal: &Id, status: GoalStatus) -> Result<(), Error> {
        self.is_a_person(&format!("changes the status of {goal}"))?;
        let gates = self.plan.goals.get(goal).map(|goal| &goal.gates);
        let is_open = |standing: &GateStanding| {
            matches!(standing, GateStanding::Requested | GateStanding::Deferred | GateStanding::Expired)
        };
        let mut open = gates.into_iter().flatten().filter(|(_, standing)| is_open(standing)).map(|(id, _)| id);
        match open.next().filter(|_| status == GoalStatus::Completed) {
            Some(gate) => {
                let how =
                    format!("decide or withdraw it first: loopx gate decide {gate} approve|reject --reason \"...\"");
                Err(refused(format!("gate {gate} of {goal} is undecided; {how}")))
            }
            None => Ok(()),
        }
    }

    fn is_a_person(&self, does: &str) -> Result<(), Error> {
        if self.agents.is_empty() && self.actor.actor_class.is_person() {
            return Ok(());
        }
        let who = if self.agents.is_empty() { self.actor.by.to_string() } else { listed(&self.agents) };
        Err(refused(format!("{who} is no person, and only a person {does}")))
    }
}
