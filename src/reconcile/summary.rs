//! What the screens for people need of a goal beside its projections.

use std::collections::BTreeMap;

use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::quota::QuotaReading;
use super::redactor::{Condition, Redactor, key};
use super::verdict::Verdict;
use crate::privacy::Text;
use crate::vocabulary::memory::{MemoryCapability, MemoryState, RetrievalState};
use crate::vocabulary::{
    AttentionOwner, GateStanding, GoalStatus, HandoffStanding, Id, Instant, MayContinue, OutcomeKind, OutcomeStatus,
    Priority, Reason, WaitingOn,
};

/// One goal, in words that may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalSummary {
    /// Its title, else its objective; `None` when it cannot be read.
    pub title: Option<Text>,
    /// Where its owner says it stands; `None` when it cannot be read.
    pub status: Option<GoalStatus>,
    /// Its priority.
    pub priority: Priority,
    /// Who or what it waits for.
    pub waiting_on: WaitingOn,
    /// Who that is, when somebody can be named.
    pub waiting_for: Option<AttentionOwner>,
    /// Since when.
    pub waiting_since: Option<Instant>,
    /// The condition that decides, by reason and thing.
    pub because: Option<(Reason, Text)>,
    /// What is needed first.
    pub needed_first: Text,
    /// Whether any of its agents may go on.
    pub may_continue: MayContinue,
    /// The newest outcome of its sessions.
    pub last_run: Option<LastRun>,
    /// What is left of its quota.
    pub quota: Option<QuotaReading>,
    /// Where its gates stand.
    pub gates: BTreeMap<Id, GateStanding>,
    /// Where its handoffs stand.
    pub handoffs: BTreeMap<Id, HandoffStanding>,
    /// What issue memory says.
    pub memory: BTreeMap<Id, MemorySummary>,
    /// The newest word of a live session's host.
    pub newest_fact: Option<Instant>,
    /// Live sessions whose facts are stale.
    pub stale_sessions: Vec<Text>,
    /// Every condition, the loudest first.
    pub conditions: Vec<Condition>,
    /// What stands here and opens nothing before it is at the authority ref.
    pub proposed: Vec<ProposedChange>,
    /// The first instant at which its conditions, or what becomes of its writebacks, change by themselves.
    pub valid_until: Option<Instant>,
}

/// A change that stands here and does not count yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedChange {
    /// Which document, and what about it.
    pub what: Text,
    /// The command that makes it count.
    pub command: Text,
}

/// What the most recent run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    /// The outcome.
    pub outcome_id: Text,
    /// What it is of.
    pub kind: OutcomeKind,
    /// How it ended.
    pub status: OutcomeStatus,
    /// When.
    pub at: Instant,
    /// What it says.
    pub summary: Option<Text>,
    /// The agent that ran.
    pub agent_id: Text,
}

/// What issue memory may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemorySummary {
    /// How far memory is used.
    pub memory_state: MemoryState,
    /// The state of each capability's gate.
    pub retrieval_gates: BTreeMap<MemoryCapability, RetrievalState>,
}

/// Sums one goal up.
pub(super) fn summary(
    state: &GoalState<'_, '_>,
    verdict: &Verdict<'_>,
    conditions: Vec<Condition>,
    valid_until: Option<Instant>,
    redactor: Redactor<'_>,
) -> GoalSummary {
    let context = state.context;
    let goal = context.goal();
    // The first agent whose word is the goal's speaks for it; without agents the first condition does.
    let waiting = verdict.screens.values().map(|screen| &screen.waiting).find(|it| it.on == verdict.waiting_on);
    let title = goal.map(|goal| goal.title.as_ref().map_or(goal.objective.as_str(), |title| title.as_str()));
    GoalSummary {
        title: redactor.maybe(title),
        status: goal.map(|goal| goal.status),
        priority: context.priority(),
        waiting_on: verdict.waiting_on,
        waiting_for: waiting.and_then(|waiting| waiting.owner).map(|owner| redactor.owner(owner)),
        waiting_since: waiting.and_then(|waiting| waiting.since),
        because: waiting.and_then(|it| it.because.as_ref()).map(|(reason, thing)| (*reason, redactor.text(thing))),
        needed_first: waiting
            .map_or(Text::fixed("nothing to do: the goal has no agents"), |it| redactor.text(&it.next_action)),
        may_continue: may_continue(verdict),
        last_run: last_run(context, redactor),
        quota: state.quota,
        gates: state.gates.iter().map(|(id, reading)| (key(id), reading.standing)).collect(),
        handoffs: state.handoffs.iter().map(|(id, reading)| (key(id), reading.standing)).collect(),
        memory: memory(context),
        newest_fact: live_facts(context).max(),
        stale_sessions: redactor.texts(stale_sessions(verdict)),
        conditions,
        proposed: proposed(context, redactor),
        valid_until,
    }
}

fn proposed(context: &GoalContext<'_>, redactor: Redactor<'_>) -> Vec<ProposedChange> {
    let branch = &context.world.branch;
    let is_committed = context.documents.effective.is_none_or(|effective| effective.is_committed);
    let all = context.documents.effective.into_iter().flat_map(|effective| &effective.proposed);
    let proposed = all.map(|proposed| ProposedChange {
        what: redactor.text(proposed.words()),
        command: match proposed.is_behind {
            true => redactor.text(format!("git merge {}", branch.reference)),
            false => redactor.text(branch.records(is_committed)),
        },
    });
    proposed.collect()
}

fn may_continue(verdict: &Verdict<'_>) -> MayContinue {
    let words = || verdict.screens.values().map(|screen| screen.may_continue);
    let order = [MayContinue::Yes, MayContinue::Unknown];
    order.into_iter().find(|word| words().any(|it| it == *word)).unwrap_or(MayContinue::No)
}

fn last_run(context: &GoalContext<'_>, redactor: Redactor<'_>) -> Option<LastRun> {
    let reported = context.sessions.iter().filter_map(|session| Some((session.newest_outcome()?, session.agent())));
    let (outcome, agent) = reported.max_by_key(|(outcome, agent)| (outcome.at, outcome.outcome_id.as_str(), *agent))?;
    Some(LastRun {
        outcome_id: redactor.text(&outcome.outcome_id),
        kind: outcome.kind,
        status: outcome.status,
        at: outcome.at,
        summary: redactor.maybe(outcome.summary.as_ref()),
        agent_id: redactor.text(agent),
    })
}

fn memory(context: &GoalContext<'_>) -> BTreeMap<Id, MemorySummary> {
    let memories = context.documents.memory.iter().map(|(id, memory)| {
        let summary = MemorySummary {
            memory_state: memory.status_projection.memory_state,
            retrieval_gates: memory.retrieval_gates.iter().map(|gate| (gate.capability, gate.state)).collect(),
        };
        (key(id), summary)
    });
    memories.collect()
}

fn live_facts(context: &GoalContext<'_>) -> impl Iterator<Item = Instant> {
    context
        .sessions
        .iter()
        .filter(|session| session.is_live())
        .filter_map(|it| it.facts())
        .map(|facts| facts.updated_at)
}

fn stale_sessions<'v>(verdict: &'v Verdict<'_>) -> impl Iterator<Item = &'v str> {
    verdict.found.iter().filter(|found| found.reason == Reason::StaleFact).map(|found| &**found.thing())
}
