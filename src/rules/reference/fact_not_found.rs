//! Ids of facts are found where there are facts.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level, Reference, ReferenceTarget};

pub(super) const RULE: Rule = Rule {
    id: "reference/fact-not-found",
    level: Level::Warning,
    summary: "an id names a fact that no host reported",
    why: "Evidence that nobody can look up supports nothing. It is only a warning: facts may be kept out of git.",
    check: RuleCheck::Document(
        &[Kind::Todo, Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal, Kind::WritebackRequest, Kind::Facts],
        check,
    ),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(goal) = it.context.goals_of(it.record).first().copied() else { return };
    for reference in it.record.references() {
        let is_elsewhere = match reference.to {
            ReferenceTarget::Fact => false,
            ReferenceTarget::Any(kinds) => is_document(it, goal, kinds, &reference),
            ReferenceTarget::Goal | ReferenceTarget::Document(_) | ReferenceTarget::Agent => continue,
        };
        if is_elsewhere || it.context.items().contains(reference.id) || !has_facts(it, goal) {
            continue;
        }
        let message = format!("no fact of goal {goal}'s sessions is called `{}`", reference.id);
        findings.push(
            it.at(Anchor::Value(reference.place.route()), message)
                .now(Text::fixed("it supports nothing; the document reads the same otherwise")),
        );
    }
}

/// Whether an id names a document or a receipt, or could only name one: then the rule for dangling ids speaks.
fn is_document(it: &DocumentContext<'_>, goal: &str, kinds: &[Kind], reference: &Reference<'_>) -> bool {
    let found = |kind: &Kind| it.context.goal(goal).is_some_and(|goal| goal.find(*kind, reference.id).is_some());
    kinds.iter().chain(&[Kind::Receipt]).any(found) || super::dangling::names_document(it, goal, kinds, reference.id)
}

/// Whether facts of a session of the goal are here; where git ignores them, nothing can be looked up.
fn has_facts(it: &DocumentContext<'_>, goal: &str) -> bool {
    let Some(goal) = it.context.goal(goal) else { return false };
    goal.of(Kind::Binding).any(|(session, _)| it.context.workspace.index.sessions.contains_key(session))
}
