//! What may be started that could not before, and the reverse.

use std::collections::BTreeMap;

use super::Submission;
use super::checks::{beyond, reads_more, spends_more};
use super::phrase::{Phrase, PhraseBuilder};
use crate::privacy::Text;
use crate::reconcile::Permit;
use crate::vocabulary::{Gate, Id, Instant, Line, Todo, TodoStatus};

/// A todo that a change lets start, or no longer lets start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The goal.
    pub goal_id: Text,
    /// The todo.
    pub todo_id: Text,
    /// What is to be done.
    pub title: Text,
    /// The agent that may; `None`: every agent of the goal.
    pub agent_id: Option<Text>,
    /// What it may write.
    pub write_scope: Vec<Text>,
    /// When it has to stop.
    pub stop_condition: Text,
    /// When it ends by itself.
    pub ends: Option<Instant>,
    /// The handoff that it has to accept first.
    pub accepts: Option<Text>,
    /// Whether it could be started before, and goes further now.
    pub is_further: bool,
    /// Why: the reasons that people gave.
    pub because: Vec<Phrase>,
}

type OpeningKey<'p> = (&'p str, &'p str, Option<&'p str>);

fn by_key(permits: &[Permit]) -> BTreeMap<OpeningKey<'_>, &Permit> {
    permits.iter().map(|permit| (key(permit), permit)).collect()
}

fn key(permit: &Permit) -> OpeningKey<'_> {
    let agent = permit.agent_id.as_ref().map(|agent| agent.as_str());
    (permit.goal_id.as_str(), permit.todo_id.as_str(), agent)
}

/// What opens, or goes further than before.
pub(super) fn opens(it: &Submission<'_>, phrases: PhraseBuilder<'_>) -> Vec<Opening> {
    let before = by_key(it.before.permits);
    let opened = by_key(it.after.permits).into_iter().filter_map(|(key, permit)| {
        let known = before.get(&key).or_else(|| before.get(&(key.0, key.1, None)));
        let is_further = match known {
            None => false,
            Some(known) if !beyond(&known.write_scope, &permit.write_scope).is_empty() => true,
            Some(_) => return None,
        };
        Some(Opening { is_further, because: because(it, phrases, permit), ..opening(phrases, permit) })
    });
    opened.collect()
}

/// Whether one permit lets nobody do more than another: no other agent, scope or turn, no later end, and no other word
/// on when to stop or what is right.
pub(super) fn is_within(inner: &Permit, outer: &Permit) -> bool {
    let is_known = |(agent, scope): (&Id, &Line)| outer.agents.get(agent) == Some(scope);
    inner.agents.iter().all(is_known)
        && beyond(&outer.write_scope, &inner.write_scope).is_empty()
        && !reads_more(&outer.read_scope, &inner.read_scope)
        && !spends_more(outer.quota.as_ref(), inner.quota.as_ref())
        && inner.stop_condition == outer.stop_condition
        && inner.validation_command == outer.validation_command
        && outer.ends.is_none_or(|end| inner.ends.is_some_and(|own| own <= end))
}

/// What closes.
pub(super) fn closes(it: &Submission<'_>, phrases: PhraseBuilder<'_>) -> Vec<Opening> {
    let (before, after) = (by_key(it.before.permits), by_key(it.after.permits));
    let is_kept = |key: &OpeningKey<'_>| after.contains_key(key) || after.contains_key(&(key.0, key.1, None));
    // What is done is no longer to be started, which is no loss.
    let closed = before.iter().filter(|(key, permit)| !is_kept(key) && is_still_open(it, permit));
    closed.map(|(_, permit)| opening(phrases, permit)).collect()
}

fn is_still_open(it: &Submission<'_>, permit: &Permit) -> bool {
    let todo = it.after.workspace.get::<Todo>(permit.goal_id.as_str(), permit.todo_id.as_str());
    todo.is_none_or(|todo| todo.status != TodoStatus::Done)
}

fn opening(phrases: PhraseBuilder<'_>, permit: &Permit) -> Opening {
    let text = |text: &str| phrases.0.text(text);
    Opening {
        goal_id: text(permit.goal_id.as_str()),
        todo_id: text(permit.todo_id.as_str()),
        title: text(&permit.title),
        agent_id: permit.agent_id.as_ref().map(|agent| text(agent.as_str())),
        write_scope: permit.write_scope.iter().map(|glob| text(glob.as_str())).collect(),
        stop_condition: text(&permit.stop_condition),
        ends: permit.ends,
        accepts: permit.handoff.as_ref().filter(|(_, waits)| *waits).map(|(id, _)| text(id.as_str())),
        is_further: false,
        because: Vec::new(),
    }
}

/// The reasons of the decisions that let a todo start.
fn because(it: &Submission<'_>, phrases: PhraseBuilder<'_>, permit: &Permit) -> Vec<Phrase> {
    let workspace = it.after.workspace;
    let gates = permit.gates.iter().filter_map(|gate| workspace.get::<Gate>(permit.goal_id.as_str(), gate.as_str()));
    let reasons = gates.filter_map(|gate| gate.decision.as_ref());
    reasons.map(|act| phrases.words("").quote(&act.reason).words(" ").name(&act.by).done()).collect()
}
