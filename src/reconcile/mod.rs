//! Desired, observed and recorded state in, a plan out.
//!
//! Comes in: the [`World`] as plain data, the privacy wall, one instant. Goes out: the [`Plan`]: projections, the
//! attention queue, previews and blockers of writebacks, every condition, and the receipts that decisions still lack. Pure: no clock, disk, environment or
//! git. Must not know: how anything is stored, drawn or written.

mod agent_view;
mod answers;
mod attention;
mod goal_context;
mod conditions;
mod drafts;
mod gates;
mod handoffs;
mod in_force;
mod index;
mod ledger;
mod goal_state;
mod owners;
mod permits;
mod quota;
mod renew;
mod screen;
mod sessions;
mod sources;
mod redactor;
mod summary;
mod todo_view;
mod outcomes;
mod until;
mod verdict;
mod work;
mod world;

use std::collections::BTreeMap;

use rayon::prelude::*;

pub use agent_view::{AgentView, OpenWork, SessionTurns, agent_views};
pub use answers::{Answer, Preview};
pub use conditions::ConditionScope;
pub use conditions::writebacks::ApplyState;
pub use in_force::{AheadAct, acts_ahead};
pub use permits::{GoalDocumentKey, Permit, PermitSummary, TodoHolder, permits, standing, unrecorded};
pub use quota::QuotaReading;
pub use redactor::Condition;
pub use summary::{GoalSummary, LastRun, MemorySummary, ProposedChange};
pub use todo_view::{TodoView, todo_view};
pub use world::{
    AuthorityState, DocumentFault, GoalDocuments, Recorded, RecordingBranch, Spends, UnusableDocument, World,
};

use crate::privacy::{Text, Wall};
pub use crate::vocabulary::receipts;
use crate::vocabulary::{AttentionGoal, AttentionQueue, AttentionRow, Digest, Id, Instant, Projection, Receipt};
use conditions::FoundCondition;
use goal_context::GoalContext;
use goal_state::GoalState;
use in_force::InForce;
use index::WorldIndex;
use redactor::{Redactor, key};
use until::Until;
use verdict::Verdict;

/// What follows from a world at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The first screen of each goal and agent.
    pub projections: BTreeMap<(Id, Id), Projection>,
    /// Everything that waits for somebody, ranked.
    pub attention: AttentionQueue,
    /// What becomes of each writeback request of an active goal, by goal and request.
    pub writebacks: BTreeMap<(Id, Id), Answer>,
    /// Each goal with its conditions.
    pub goals: BTreeMap<Id, GoalSummary>,
    /// Conditions that belong to no goal: what blocks all of them, and sessions that nobody bound.
    pub workspace: Vec<Condition>,
    /// The receipts that valid decisions lack, by path order: goal, then run id.
    pub unrecorded: Vec<Receipt>,
    /// What the verdict could not take into account, one line each.
    pub notes: Vec<Text>,
    /// The first instant at which a condition that belongs to no goal comes by itself.
    pub workspace_until: Option<Instant>,
    /// The first instant at which any of this changes; `None`: never by itself.
    pub valid_until: Option<Instant>,
}

/// From so many goals on it pays to start the threads.
const WORTH_THREADS: usize = 8;

/// Says where every goal stands.
///
/// Pure: the same world, wall and instant give the same plan.
#[must_use]
pub fn reconcile(world: &World<'_>, wall: &Wall, as_of: Instant) -> Plan {
    match InForce::of(world, as_of) {
        Some(in_force) => reconcile_in_force(&in_force.world(world), wall, as_of),
        None => reconcile_in_force(world, wall, as_of),
    }
}

/// The same of a world in which nothing is dated ahead.
fn reconcile_in_force(world: &World<'_>, wall: &Wall, as_of: Instant) -> Plan {
    let redactor = Redactor(wall);
    let index = WorldIndex::new(world);
    let blocking = conditions::documents::of_workspace(world, &index);
    let one = |(goal_id, documents): (&&str, _)| {
        judge(&GoalContext::new(world, &index, wall, goal_id, documents), &blocking, as_of, redactor)
    };
    let judged: Vec<GoalPlan> = match world.goals.len() < WORTH_THREADS {
        true => world.goals.iter().map(one).collect(),
        false => world.goals.iter().collect::<Vec<_>>().into_par_iter().map(one).collect(),
    };
    let unbound = conditions::documents::of_unbound_sessions(&index);
    let workspace: Vec<_> = blocking.iter().chain(&unbound).map(|found| redactor.condition(found, &[])).collect();
    let mut plan = Plan {
        projections: BTreeMap::new(),
        attention: AttentionQueue {
            schema_version: Default::default(),
            rows: workspace.iter().map(attention::row_of_no_goal).collect(),
            goals: Vec::with_capacity(judged.len()),
            valid_until: None,
        },
        writebacks: BTreeMap::new(),
        goals: BTreeMap::new(),
        workspace,
        unrecorded: Vec::new(),
        notes: notes(world, redactor),
        workspace_until: index.unbound_until(world).chain(world.usable_until).min(),
        valid_until: None,
    };
    for goal in judged {
        plan.take(goal);
    }
    plan.settle();
    plan
}

/// What follows from one goal.
struct GoalPlan {
    goal_id: Id,
    projections: BTreeMap<(Id, Id), Projection>,
    writebacks: BTreeMap<(Id, Id), Answer>,
    rows: Vec<AttentionRow>,
    in_queue: AttentionGoal,
    summary: GoalSummary,
    unrecorded: Vec<Receipt>,
}

fn judge<'a>(
    context: &GoalContext<'a>,
    blocking: &[FoundCondition<'a>],
    as_of: Instant,
    redactor: Redactor<'_>,
) -> GoalPlan {
    let state = GoalState::new(context, as_of);
    let verdict = Verdict::new(&state, blocking);
    let until = Until::new(&state, blocking, &verdict);
    let goal_id = redactor.text(context.goal_id);
    let agents = redactor.texts(&context.agents);
    let conditions: Vec<_> = verdict.found.iter().map(|found| redactor.condition(found, &agents)).collect();
    let projections = verdict.screens.iter().map(|(agent, screen)| {
        let projection = redactor.projection(context.goal_id, agent, screen, until.screens.get(agent).copied());
        ((key(context.goal_id), key(agent)), projection)
    });
    let writebacks = verdict.writebacks.iter().map(|assessed| {
        let request = key(assessed.request.request_id.as_str());
        ((key(context.goal_id), request), redactor.answer(context.goal_id, assessed))
    });
    GoalPlan {
        goal_id: key(context.goal_id),
        projections: projections.collect(),
        writebacks: writebacks.collect(),
        rows: attention::rows(&goal_id, context.priority(), &conditions),
        in_queue: AttentionGoal { goal_id, priority: context.priority(), waiting_on: verdict.waiting_on },
        summary: summary::summary(&state, &verdict, conditions, until.conditions, redactor),
        unrecorded: context.lacking.clone(),
    }
}

impl Plan {
    /// What a person approves of a writeback request; `None` where it has no preview.
    #[must_use]
    pub fn digest_of(&self, goal: &Id, request: &Id) -> Option<&Digest> {
        match self.writebacks.get(&(goal.clone(), request.clone()))? {
            Answer::Previewed(preview) => Some(&preview.digest),
            Answer::Blocked(_) => None,
        }
    }

    fn take(&mut self, goal: GoalPlan) {
        self.projections.extend(goal.projections);
        self.writebacks.extend(goal.writebacks);
        self.attention.rows.extend(goal.rows);
        self.attention.goals.push(goal.in_queue);
        self.unrecorded.extend(goal.unrecorded);
        self.goals.insert(goal.goal_id, goal.summary);
    }
}

/// What the verdict could not take into account, in one sentence each.
#[must_use]
pub fn sentences(world: &World<'_>, wall: &Wall) -> Vec<Text> {
    notes(world, Redactor(wall))
}

fn notes(world: &World<'_>, redactor: Redactor<'_>) -> Vec<Text> {
    let mut notes = Vec::new();
    let is_bound =
        |goal: &GoalDocuments<'_>| goal.bindings.values().any(|it| it.closed.is_none() && it.replaced.is_none());
    if world.facts_absent && world.goals.values().any(is_bound) {
        notes.push(Text::fixed("git ignores facts and none are here: conditions that need them are left out"));
    }
    notes.extend(world.branch.notes.iter().map(|note| redactor.text(note)));
    match &world.authority {
        AuthorityState::Read => {}
        AuthorityState::NoGit => notes.push(Text::fixed("there is no git history here, so nothing is recorded")),
        AuthorityState::RefMissing { reference, fetch } => {
            notes.push(redactor.text(format!("{reference} is not in this clone, so nothing is recorded: {fetch}")));
        }
    }
    notes
}
