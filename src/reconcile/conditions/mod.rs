//! Conditions: each difference between what is wanted, reported and recorded, with who clears it and how.
//!
//! [`ReasonRow`] is the one table: what a reason reaches, whom it waits for, what it makes of the first screen, what is to be
//! done. A predicate fills in what the documents say and raises what its own case raises.

pub(super) mod changes;
pub(super) mod decisions;
pub(super) mod documents;
pub(super) mod sessions;
pub(super) mod work;
pub(super) mod writebacks;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::world::RecordingBranch;
use crate::vocabulary::{
    ActorClass, ClosedWords, GateState, Instant, LINE_LIMIT, QuotaState, Reason, Severity, WaitingOn,
};

/// Whose first screen a condition closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionScope {
    /// Every agent of every goal.
    Workspace,
    /// Every agent of the goal.
    Goal,
    /// The agents it concerns.
    Agent,
    /// The agents it concerns that have no other runnable todo.
    Todo,
    /// Nobody's: it only stands in lists.
    Listed,
}

/// The agents that a condition concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Concern<'a> {
    All,
    These(BTreeSet<&'a str>),
}

/// Who can clear a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ConditionOwner<'a> {
    pub(super) name: &'a str,
    pub(super) class: ActorClass,
}

/// A condition, as documents name things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundCondition<'a> {
    pub(super) reason: Reason,
    pub(super) severity: Severity,
    pub(super) reach: ConditionScope,
    pub(super) agents: Concern<'a>,
    pub(super) owner: ConditionOwner<'a>,
    pub(super) waiting_on: WaitingOn,
    /// What it makes of the first screen; clear when nothing.
    pub(super) gate_state: GateState,
    /// What it makes of the quota, if anything.
    pub(super) quota_state: Option<QuotaState>,
    pub(super) since: Option<Instant>,
    /// The thing itself first.
    pub(super) about: Vec<Cow<'a, str>>,
    /// What the thing says: a question, a title, a summary.
    pub(super) title: Option<&'a str>,
    pub(super) blocks: BTreeSet<&'a str>,
    /// The condition that explains this one, by reason and thing.
    pub(super) explained_by: Option<(Reason, Cow<'a, str>)>,
    /// What is to be done; the table's words unless the case has its own.
    pub(super) action: Option<String>,
    /// The command that clears it; the table's unless the case has its own.
    pub(super) command: Option<String>,
}

/// What is declared about a reason; `{0}` and `{1}` stand for the first two things it is about.
struct ReasonRow {
    reach: ConditionScope,
    /// Whom it waits for; `None`: its owner.
    waiting_on: Option<WaitingOn>,
    gate_state: GateState,
    quota_state: Option<QuotaState>,
    action: &'static str,
    command: &'static str,
}

/// The row of a reason.
#[expect(clippy::too_many_lines, reason = "a table: one row for each reason")]
fn row(reason: Reason) -> ReasonRow {
    use ConditionScope as R;
    use GateState as G;
    use QuotaState as Q;
    use WaitingOn as W;
    let row = |reach, waiting_on, (gate_state, quota_state), action, command| ReasonRow {
        reach,
        waiting_on,
        gate_state,
        quota_state,
        action,
        command,
    };
    let shut = (G::Blocked, Some(Q::Blocked));
    let asks = (G::OperatorGate, Some(Q::OperatorGate));
    let nothing = (G::Clear, None);
    match reason {
        Reason::DocumentInvalid => row(R::Goal, Some(W::Controller), shut, "mend {0}: {1}", "loopx lint {0}"),
        Reason::UnsafeMaterial => {
            row(R::Goal, Some(W::Controller), shut, "take refused material out of {0}: {1}", "loopx lint {0}")
        }
        Reason::ConflictingDecisions => {
            row(R::Todo, Some(W::Controller), shut, "settle which decision of {0} stands", "loopx receipts verify")
        }
        Reason::MissingGateDecision => row(R::Todo, None, asks, "decide {0}", DECIDE),
        Reason::DecisionNotRecorded => {
            row(R::Todo, Some(W::Controller), asks, "record the decision of {0}", "loopx reconcile --commit")
        }
        Reason::ChangeNotRecorded => row(R::Todo, Some(W::Controller), asks, "record the change of {0}", "git commit"),
        Reason::GateRejected => row(R::Todo, Some(W::Agent), shut, "change the plan, since {0} was rejected", ASK),
        Reason::GateDeferred => {
            row(R::Todo, Some(W::User), (G::Deferred, Some(Q::OperatorGate)), "decide {0} when it is due", ASK)
        }
        Reason::OpenUserTodo => row(R::Todo, Some(W::User), (G::UserTodo, None), "do {0}", "loopx todo done {0}"),
        Reason::FailedOutcome => row(R::Todo, Some(W::Agent), nothing, "look into {0}, which failed", VALIDATE),
        Reason::MissingValidation => row(R::Todo, Some(W::Agent), nothing, "validate {0}", VALIDATE),
        Reason::StaleArtifact => row(
            R::Todo,
            Some(W::Agent),
            nothing,
            "replace the outdated evidence {0} of {1}",
            "loopx gate ask {1} --evidence ID",
        ),
        Reason::HandoffNotApproved => {
            row(R::Todo, None, (G::OperatorGate, None), "approve {0}", "loopx handoff approve {0} --reason \"...\"")
        }
        Reason::HandoffNotAccepted => row(R::Todo, Some(W::Agent), nothing, "accept {0}", "loopx handoff accept {0}"),
        Reason::HandoffExpired => row(
            R::Todo,
            None,
            (G::OperatorGate, None),
            "renew or withdraw {0}, which expired",
            "loopx handoff renew {0}",
        ),
        Reason::MissingRuntimeFact | Reason::StaleFact => {
            row(R::Agent, Some(W::Runtime), shut, "hear from {0}", "loopx refresh-state --session {0}")
        }
        Reason::UnboundSession => row(
            R::Listed,
            Some(W::Controller),
            nothing,
            "bind {0}",
            "loopx session bind GOAL AGENT --surface SURFACE --id {0}",
        ),
        Reason::ModeMismatch => row(
            R::Agent,
            Some(W::Controller),
            shut,
            "make the binding {0} and its host agree",
            "loopx session replace {0} --managed --reason \"...\"",
        ),
        Reason::CapabilityUnavailable => {
            row(R::Agent, Some(W::Runtime), shut, "let the host of {0} take messages", RECORD_EVENT)
        }
        Reason::SecondExecutor => {
            row(R::Agent, Some(W::Controller), shut, "leave one executor to {0}", "loopx session close {1}")
        }
        Reason::TurnUnresolved => row(R::Agent, Some(W::Controller), shut, "say how {1} of {0} ended", RECORD_EVENT),
        Reason::ClaimedNotStarted => {
            row(R::Agent, Some(W::Runtime), shut, "start or give back {1} of {0}", RECORD_EVENT)
        }
        Reason::AgentNotRegistered => {
            row(R::Todo, Some(W::Controller), shut, "register {0}, or name another agent", REGISTER)
        }
        Reason::QuotaExhausted => row(
            R::Agent,
            Some(W::None),
            (G::Clear, Some(Q::Throttled)),
            "wait until a slot is free",
            "loopx status --goal {0}",
        ),
        // Contract 3 closes no gate by itself.
        Reason::SourceEventNotRecorded => {
            row(R::Listed, None, nothing, "record {1}, which {0} tells of", "loopx reconcile --commit")
        }
        Reason::PreviewOutdated => {
            row(R::Listed, None, nothing, "look at today's preview of {0} and approve it again", "loopx plan")
        }
        Reason::WritebackFailed => {
            row(R::Listed, None, nothing, "find out why the host did not take {0}", "loopx receipts show {1}")
        }
        Reason::WritebackTargetUnavailable => row(
            R::Listed,
            None,
            nothing,
            "give {0} a session that can take it",
            "edit goals/*/writebacks/{0}.yaml: a session that can take it",
        ),
        // A consequence is as its cause, and nothing is the matter when all is in step.
        Reason::HostCompletedGoalBlocked | Reason::InStep => {
            row(R::Listed, Some(W::None), nothing, "{0}", "loopx status")
        }
    }
}

/// How work is shown to hold: the goal's own command runs. The session is the second thing that the condition is about.
pub(super) const VALIDATE: &str = "loopx run validate --session {1}";

/// How an event of a session is reported.
const RECORD_EVENT: &str = "loopx run record - --session {0}";

/// How a handoff gets other evidence.
pub(super) const RENEW_WITH: &str = "loopx handoff renew {1} --evidence ID";

/// How an agent is listed in a goal, whose id stands for `GOAL`.
pub(super) const REGISTER: &str = "loopx goal register GOAL {0} --scope \"...\"";

/// How a gate is asked again: one that was answered, or whose time is over.
pub(super) const ASK: &str = "loopx gate ask {0}";

/// How a person decides a gate that waits for its answer.
pub(super) const DECIDE: &str = "loopx gate decide {0} approve|reject|defer --reason \"...\"";

impl<'a> FoundCondition<'a> {
    /// A condition as the table has it, which concerns nobody yet.
    pub(super) fn new(reason: Reason, owner: ConditionOwner<'a>, about: impl Into<Cow<'a, str>>) -> Self {
        let row = row(reason);
        Self {
            reason,
            severity: reason.severity(),
            reach: row.reach,
            agents: Concern::These(BTreeSet::new()),
            owner,
            waiting_on: row.waiting_on.unwrap_or_else(|| waiting_for(owner.class)),
            gate_state: row.gate_state,
            quota_state: row.quota_state,
            since: None,
            about: vec![about.into()],
            title: None,
            blocks: BTreeSet::new(),
            explained_by: None,
            action: None,
            command: None,
        }
    }

    /// Records a decision by the command that works on what is checked out.
    pub(super) fn recorded_on(self, branch: &RecordingBranch) -> Self {
        let is_named = self.reason == Reason::DecisionNotRecorded && !branch.records_decision.is_empty();
        let command = if is_named { Some(branch.records_decision.clone()) } else { self.command.clone() };
        Self { command, ..self }
    }

    pub(super) fn reach(self, reach: ConditionScope) -> Self {
        Self { reach, ..self }
    }

    pub(super) fn concerns(self, agents: Concern<'a>) -> Self {
        Self { agents, ..self }
    }

    pub(super) fn since(self, since: impl Into<Option<Instant>>) -> Self {
        Self { since: since.into(), ..self }
    }

    pub(super) fn title(self, title: impl Into<Option<&'a str>>) -> Self {
        Self { title: title.into(), ..self }
    }

    pub(super) fn blocks(self, todos: impl IntoIterator<Item = &'a str>) -> Self {
        Self { blocks: todos.into_iter().collect(), ..self }
    }

    /// The command that clears it, where its case has its own.
    pub(super) fn by_command(self, command: Option<String>) -> Self {
        Self { command: command.or(self.command), ..self }
    }

    /// Adds another thing that it is about.
    pub(super) fn and(mut self, about: impl Into<Cow<'a, str>>) -> Self {
        self.about.push(about.into());
        self
    }

    /// The thing itself.
    pub(super) fn thing(&self) -> &Cow<'a, str> {
        &self.about[0]
    }

    /// One safe action for whoever is waited for.
    pub(super) fn next_action(&self) -> String {
        let action = self.action.clone().unwrap_or_else(|| self.fill(row(self.reason).action));
        let titled = self.title.map(|title| format!("{action}: {title}"));
        compact(titled.into_iter().chain([action, format!("see {} in the attention queue", self.reason)]))
    }

    /// The command that clears it.
    pub(super) fn command(&self) -> String {
        self.fill(self.command.as_deref().unwrap_or(row(self.reason).command))
    }

    /// Puts the first two things that it is about in place of `{0}` and `{1}`.
    pub(super) fn fill(&self, template: &str) -> String {
        let second = self.about.get(1).unwrap_or(&self.about[0]);
        // The second goes first: an id holds no braces, a file's name may.
        template.replace("{1}", second).replace("{0}", &self.about[0])
    }

    /// The finer word for whom it waits for.
    pub(super) fn waiting_class(&self) -> Option<ActorClass> {
        match self.waiting_on {
            WaitingOn::User if waiting_for(self.owner.class) == WaitingOn::User => Some(self.owner.class),
            WaitingOn::User => Some(ActorClass::User),
            WaitingOn::Controller => Some(ActorClass::Controller),
            WaitingOn::Runtime => Some(ActorClass::Host),
            WaitingOn::Agent => Some(ActorClass::Agent),
            WaitingOn::ExternalEvidence | WaitingOn::None => None,
        }
    }

    /// The order in which conditions are told: the loudest first, then the longest waited for.
    pub(super) fn rank(&self) -> impl Ord + '_ {
        (self.severity, self.reason, self.since.is_none(), self.since, &self.about)
    }
}

impl<'a> Concern<'a> {
    /// Nobody but this agent.
    pub(super) fn only(agent: &'a str) -> Self {
        Self::These(BTreeSet::from([agent]))
    }

    /// Means an agent too; `None`: every agent.
    pub(super) fn add(&mut self, agent: Option<&'a str>) {
        match (&mut *self, agent) {
            (Self::These(agents), Some(agent)) => {
                agents.insert(agent);
            }
            (Self::These(_), None) => *self = Self::All,
            (Self::All, _) => {}
        }
    }
}

/// The first of several ways to say something that fits on one line; none is ever cut.
pub(super) fn compact(ways: impl IntoIterator<Item = String>) -> String {
    let mut last = String::new();
    for way in ways {
        if way.chars().count() <= LINE_LIMIT {
            return way;
        }
        last = way;
    }
    last
}

/// Whom a class of actor is to contract 2.
pub(super) fn waiting_for(class: ActorClass) -> WaitingOn {
    match class {
        ActorClass::User | ActorClass::Operator | ActorClass::Owner => WaitingOn::User,
        ActorClass::Controller => WaitingOn::Controller,
        ActorClass::Agent => WaitingOn::Agent,
        ActorClass::Host => WaitingOn::Runtime,
    }
}

impl<'a> ConditionOwner<'a> {
    /// A class that has no name.
    pub(super) fn bare(class: ActorClass) -> Self {
        Self { name: class.word(), class }
    }
}
