//! Bindings, handoffs and todos name agents that the goal lists.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck, listed, nearest_of};
use crate::document::Route;
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::{Goal, Kind, Level, Record, Reference, ReferenceTarget};
use crate::workspace::LoadedFile;

pub(super) const RULE: Rule = Rule {
    id: "reference/unknown-agent",
    level: Level::Error,
    summary: "a binding, handoff or todo names an agent that the goal does not list",
    why: "Only agents that the goal lists have a scope; any other would work without one.",
    check: RuleCheck::Document(&[Kind::Todo, Kind::Handoff, Kind::Binding], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some((file, goal)) = it.goal() else { return };
    for reference in it.record.references().iter().filter(|reference| reference.to == ReferenceTarget::Agent) {
        if !goal.agents.contains_key(reference.id) && !is_person(it, goal, reference.id) {
            findings.push(finding(it, file, goal, reference));
        }
    }
}

/// Whether a todo is taken by somebody who is known to be no agent: the goal's owner, or a person of the policies.
fn is_person(it: &DocumentContext<'_>, goal: &Goal, id: &str) -> bool {
    let is_person = it.context.workspace.policies.actor(id).is_some_and(|(_, actor)| actor.class.is_person());
    matches!(it.record, Record::Todo(_)) && (goal.owner.is_same(id) || is_person)
}

fn finding(it: &DocumentContext<'_>, file: &LoadedFile, goal: &Goal, reference: &Reference<'_>) -> Finding {
    let agents: Vec<&str> = goal.agents.keys().map(|agent| agent.as_str()).collect();
    let message = format!("goal {} lists no agent `{}`", goal.goal_id, reference.id);
    let found = it.at(Anchor::Value(reference.place.route()), message);
    let list = Label::new(&file.path, Anchor::Key(Route::of("agents"))).note(Text::fixed("the goal's agents"));
    let found = match nearest_of(reference.id, &agents) {
        Some(near) => found.note(it.context.text(format!("did you mean `{near}`?"))),
        None if agents.is_empty() => found.help(Text::fixed("add it to the goal's `agents` with its scope")),
        None => found.help(it.context.text(format!("the goal lists {}; add it there with its scope", listed(&agents)))),
    };
    found.also(list).now(Text::fixed("this agent projects blocked: agent_not_registered"))
}
