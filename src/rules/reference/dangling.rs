//! Every id that names a desired document names one of the right goal.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck, listed, nearest_of};
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level, Record, Reference, ReferenceTarget};

pub(super) const RULE: Rule = Rule {
    id: "reference/dangling",
    level: Level::Error,
    summary: "an id names a document that its goal does not have",
    why: "A misspelled id binds a decision to nothing: a gate that blocks no todo, a handoff that no gate approves.",
    check: RuleCheck::Document(
        &[
            Kind::Todo,
            Kind::Gate,
            Kind::Handoff,
            Kind::Reward,
            Kind::Proposal,
            Kind::Binding,
            Kind::WritebackRequest,
            Kind::Memory,
            Kind::Facts,
            Kind::Receipt,
        ],
        check,
    ),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let goals = it.context.goals_of(it.record);
    for reference in it.record.references() {
        match reference.to {
            ReferenceTarget::Goal => findings.extend(goal(it, &reference)),
            ReferenceTarget::Document(kind) => {
                let found = goals.iter().any(|goal| has(it, goal, kind, reference.id));
                if let (false, Some(goal)) = (found, goals.first()) {
                    findings.push(document(it, &reference, goal, &[kind]));
                }
            }
            ReferenceTarget::Any(kinds) => {
                let Some(goal) = goals.first() else { continue };
                if names_document(it, goal, kinds, reference.id) {
                    findings.push(document(it, &reference, goal, kinds));
                }
            }
            ReferenceTarget::Agent | ReferenceTarget::Fact => {}
        }
    }
}

fn has(it: &DocumentContext<'_>, goal: &str, kind: Kind, id: &str) -> bool {
    it.context.goal(goal).is_some_and(|goal| goal.find(kind, id).is_some())
}

/// Whether an id that may also name a fact surely names a document, and none is there: it has the form of a receipt's
/// name, or it is one slip away from a document.
pub(super) fn names_document(it: &DocumentContext<'_>, goal: &str, kinds: &[Kind], id: &str) -> bool {
    let found = kinds.iter().chain(&[Kind::Receipt]).any(|kind| has(it, goal, *kind, id));
    if found || it.context.items().contains(id) {
        return false;
    }
    let is_receipt =
        id.strip_prefix("run-").is_some_and(|hex| hex.len() == 16 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
    let ids = ids(it, goal, kinds);
    is_receipt || nearest_of(id, &ids).is_some_and(|near| strsim::osa_distance(near, id) == 1)
}

/// The ids of some kinds in a goal, sorted.
fn ids<'a>(it: &DocumentContext<'a>, goal: &str, kinds: &[Kind]) -> Vec<&'a str> {
    let goal = it.context.goal(goal);
    let mut ids: Vec<&str> =
        kinds.iter().flat_map(|kind| goal.into_iter().flat_map(|goal| goal.of(*kind))).map(|(id, _)| id).collect();
    ids.sort_unstable();
    ids
}

fn document(it: &DocumentContext<'_>, reference: &Reference<'_>, goal: &str, kinds: &[Kind]) -> Finding {
    let id = reference.id;
    let names: Vec<&str> = kinds.iter().map(|kind| kind.row().name).collect();
    let what = names.join(" or ");
    let found = it.at(Anchor::Value(reference.place.route()), format!("no {what} `{id}` in goal {goal}"));
    let found = found.now(Text::fixed(consequence(it.record, reference)));
    let ids = ids(it, goal, kinds);
    if let Some(near) = nearest_of(id, &ids) {
        let found = found.note(it.context.text(format!("did you mean `{near}`?")));
        let file = kinds.iter().find_map(|kind| it.context.workspace.file_of(goal, *kind, near));
        return match file {
            Some(file) => found.also(it.context.label(file, Text::fixed("this one stands in the goal"))),
            None => found,
        };
    }
    let other = it.context.elsewhere(id).find(|(kind, _)| kinds.contains(kind));
    match other {
        Some((_, file)) => found
            .also(it.context.label(file, Text::fixed("this one belongs to another goal")))
            .help(Text::fixed("a reference stays inside its goal")),
        None if ids.is_empty() => found.help(it.context.text(format!("goal {goal} has no {what}"))),
        None => found.help(it.context.text(format!("in goal {goal} you have {}", listed(&ids)))),
    }
}

/// A document that stands in the folder of a goal without `goal.yaml`.
fn goal(it: &DocumentContext<'_>, reference: &Reference<'_>) -> Option<Finding> {
    let index = &it.context.workspace.index;
    if it.context.goal(reference.id).is_some_and(|goal| goal.goal.is_some()) {
        return None;
    }
    let message = format!("no goal is called `{}`", reference.id);
    let found = it.at(Anchor::Value(reference.place.route()), message);
    let goals: Vec<&str> = index.goals.iter().filter(|(_, goal)| goal.goal.is_some()).map(|(id, _)| &**id).collect();
    let found = match nearest_of(reference.id, &goals) {
        Some(near) => found.note(it.context.text(format!("did you mean `{near}`?"))),
        None => found.help(it.context.text(format!("add goals/{}/goal.yaml", reference.id))),
    };
    Some(found.now(Text::fixed("the document belongs to nothing and moves nothing")))
}

/// How a document reads while one of its references names nothing.
fn consequence(record: &Record, reference: &Reference<'_>) -> &'static str {
    match (record, reference.to) {
        (Record::Handoff(_), ReferenceTarget::Document(Kind::Gate)) => "the handoff reads as not approved",
        (Record::Handoff(_), _) => "the handoff moves nothing",
        (Record::Gate(_), _) => "the gate blocks the todos that are there, and never reads as consumed",
        (Record::Todo(_), _) => "the todo is not runnable",
        (Record::WritebackRequest(_), _) => "nothing is written back",
        (Record::Proposal(_), _) => "the proposal reads as not promoted",
        (Record::Reward(_), _) => "the reward judges nothing",
        (Record::Facts(_), _) => "the item is linked to nothing",
        _ => "the link leads nowhere",
    }
}
