//! An id names one thing: in a goal over all kinds, a session over the whole state directory.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{FieldPlace, Goal, Kind, Level, Record, folded};
use crate::workspace::{GoalIndex, LoadedFile};

pub(super) const RULE: Rule = Rule {
    id: "reference/duplicate-id",
    level: Level::Error,
    summary: "one id names two things",
    why: "Whoever types or reads the id cannot know which is meant, and a receipt could count for the wrong one.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for goal in context.workspace.index.goals.values() {
        within_goal(rule, context, goal, findings);
    }
    sessions(rule, context, findings);
    for entry in &context.workspace.entries {
        match &entry.record {
            Some(Record::Facts(_)) => items(rule, context, entry, findings),
            Some(Record::Goal(goal)) => agents(rule, context, entry, goal, findings),
            _ => {}
        }
    }
}

/// Two documents of different kinds; two of one kind differ by case only, which is a matter of their paths.
fn within_goal(rule: &Rule, context: &RuleContext<'_>, goal: &GoalIndex, findings: &mut Vec<Finding>) {
    let mut seen: HashMap<Cow<'_, str>, (Kind, usize)> = HashMap::with_capacity(goal.documents.len());
    for ((kind, id), number) in goal.documents.iter().filter(|((kind, _), _)| *kind != Kind::Receipt) {
        let (first_kind, first) = *seen.entry(folded(id)).or_insert((*kind, *number));
        if first_kind != *kind {
            let message = format!("`{id}` names a {} and a {} of this goal", first_kind.row().name, kind.row().name);
            let files = [first, *number].map(|number| &context.workspace.entries[number]);
            findings.push(twice(rule, context, files, message));
        }
    }
}

/// One session bound in two goals.
fn sessions(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    let workspace = context.workspace;
    let mut seen: HashMap<Cow<'_, str>, &LoadedFile> = HashMap::new();
    for session in workspace.index.bindings.keys() {
        for file in workspace.files_of_bindings(session) {
            let first = *seen.entry(folded(session)).or_insert(file);
            if first.goal_id() != file.goal_id() {
                let message = format!("session `{session}` is bound in two goals");
                findings.push(twice(rule, context, [first, file], message));
            }
        }
    }
}

/// Two items of one session's facts.
fn items(rule: &Rule, context: &RuleContext<'_>, entry: &LoadedFile, findings: &mut Vec<Finding>) {
    let Some(Record::Facts(facts)) = &entry.record else { return };
    let mut seen = HashSet::new();
    for item in facts.items() {
        if !seen.insert(item.id) {
            let place = FieldPlace::FieldOfItem(item.list, item.index, item.id_field);
            let message = context.text(format!("`{}` names two items of this session", item.id));
            findings.push(
                rule.at(&entry.path, Anchor::Value(place.route()), message)
                    .help(Text::fixed("give the second one an id of its own"))
                    .now(Text::fixed("which of the two is meant is left open, so neither supports anything")),
            );
        }
    }
}

/// Two agents whose projections would be one file.
fn agents(rule: &Rule, context: &RuleContext<'_>, entry: &LoadedFile, goal: &Goal, findings: &mut Vec<Finding>) {
    let mut seen: HashMap<Cow<'_, str>, &str> = HashMap::new();
    for agent in goal.agents.keys() {
        let first = *seen.entry(folded(agent.as_str())).or_insert(agent.as_str());
        if first != agent.as_str() {
            let anchor = Anchor::Key(Route::of("agents").key(agent.as_str()));
            let message = context.text(format!("`{agent}` and `{first}` are one id after folding case"));
            findings.push(rule.at(&entry.path, anchor, message).help(Text::fixed("choose another id")));
        }
    }
}

/// A finding at the later of two documents, pointing at the earlier one.
fn twice(rule: &Rule, context: &RuleContext<'_>, mut files: [&LoadedFile; 2], message: String) -> Finding {
    files.sort_unstable_by_key(|file| &file.path);
    let [first, second] = files;
    let field = second.kind().and_then(|kind| kind.row().id_field).unwrap_or("schema_version");
    rule.at(&second.path, Anchor::Value(Route::of(field)), context.text(message))
        .also(context.label(first, Text::fixed("it stands here first")))
        .help(Text::fixed("rename one of the two, and what names it"))
        .now(Text::fixed("a reference means the kind that its field names"))
}
