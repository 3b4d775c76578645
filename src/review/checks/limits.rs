//! Limits: what is wider than before, or cannot be shown not to be.

use super::quoted;
use crate::effective::{FieldRow, GOAL};
use crate::finding::Finding;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::{Glob, Goal, GoalStatus, Handoff, Id, Kind, Line, Quota, Record};

/// Globs of the second list that cannot be shown to be inside the first.
pub(in crate::review) fn beyond<'a>(old: &[Glob], new: &'a [Glob]) -> Vec<&'a Glob> {
    new.iter().filter(|glob| !glob.is_within(old)).collect()
}

/// Whether a list of readable globs lets more be read than another; no list states no limit.
pub(in crate::review) fn reads_more(old: &[Glob], new: &[Glob]) -> bool {
    !old.is_empty() && (new.is_empty() || !beyond(old, new).is_empty())
}

/// Whether a quota lets more turns be spent than another, at once or over time; no quota is no limit.
pub(in crate::review) fn spends_more(old: Option<&Quota>, new: Option<&Quota>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return old.is_some() };
    new.allows_more_than(old)
}

/// The fields of limits that are wider than before, or cannot be compared, each with what is said of it.
fn wider(step: &TouchedDocument<'_>) -> Vec<(&'static str, String)> {
    match (step.old(), step.new_record()) {
        (Some(Record::Goal(old)), Some(Record::Goal(new))) => wider_goal(old, new),
        (None, Some(Record::Goal(new))) if step.is_added() && new.status == GoalStatus::Active => {
            let agents: Vec<String> = new.agents.keys().map(|agent| format!("`{agent}`")).collect();
            let scopes: Vec<&Glob> = new.boundary.write_scope.iter().collect();
            match agents.is_empty() {
                true => Vec::new(),
                false => vec![("agents", format!("{} may write {}", agents.join(", "), globs(&scopes)))],
            }
        }
        (Some(Record::Handoff(old)), Some(Record::Handoff(new))) => wider_handoff(step, old, new),
        (Some(Record::Binding(old)), Some(Record::Binding(new))) => {
            let more = new.attached_capabilities.iter().filter(|one| !old.attached_capabilities.contains(one));
            let more: Vec<String> = more.map(|one| format!("`{one}`")).collect();
            match more.is_empty() {
                true => Vec::new(),
                false => vec![("attached_capabilities", format!("the session may also use {}", more.join(", ")))],
            }
        }
        _ => Vec::new(),
    }
}

fn wider_goal(old: &Goal, new: &Goal) -> Vec<(&'static str, String)> {
    let wider = GOAL.iter().filter(|row| (row.close)(&mut new.clone(), old));
    wider.map(|row| (row.field, said(row, old, new))).collect()
}

/// What is said of a field that is wider than before: what it adds, where that can be listed.
fn said(row: &FieldRow<Goal>, old: &Goal, new: &Goal) -> String {
    let (before, after) = (&old.boundary, &new.boundary);
    match row.field {
        "boundary.write_scope" => {
            format!("agents may also write {}", globs(&beyond(&before.write_scope, &after.write_scope)))
        }
        // No list states no limit.
        "boundary.read_scope" if after.read_scope.is_empty() => "agents may also read everything".to_owned(),
        "boundary.read_scope" => {
            format!("agents may also read {}", globs(&beyond(&before.read_scope, &after.read_scope)))
        }
        "agents" => {
            let names = |is_new: bool| -> Vec<String> {
                let differs = |agent: &Id, scope: &Line| match old.agents.get(agent) {
                    Some(known) => !is_new && known != scope,
                    None => is_new,
                };
                let agents = new.agents.iter().filter(|(agent, scope)| differs(agent, scope));
                agents.map(|(agent, _)| format!("`{agent}`")).collect()
            };
            let parts = [(names(true), "may work on it too"), (names(false), "may do something else than before")];
            let parts = parts.iter().filter(|(names, _)| !names.is_empty());
            parts.map(|(names, may)| format!("{} {may}", names.join(", "))).collect::<Vec<_>>().join("; ")
        }
        _ => row.opens.to_owned(),
    }
}

fn wider_handoff(step: &TouchedDocument<'_>, old: &Handoff, new: &Handoff) -> Vec<(&'static str, String)> {
    let of_goal = step.goal_before().map(|goal| goal.boundary.write_scope.as_slice()).unwrap_or_default();
    let effective = |handoff: &Handoff| match handoff.write_scope.is_empty() {
        true => of_goal.to_vec(),
        false => handoff.write_scope.clone(),
    };
    let (before, after) = (effective(old), effective(new));
    let more = beyond(&before, &after);
    match more.is_empty() {
        true => Vec::new(),
        false => vec![("write_scope", format!("its scope also holds {}", globs(&more)))],
    }
}

fn globs(globs: &[&Glob]) -> String {
    globs.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
}

pub(in crate::review) fn widened(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for (field, says) in wider(step) {
        if step.kind != Kind::Goal || step.untrusted(step.author_of(field)).is_none() {
            found.push(step.finding(rule, Some(field), says));
        }
    }
}

pub(in crate::review) fn agent_widens(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for (field, says) in wider(step) {
        if let Some((commit, level)) = step.untrusted(step.author_of(field)) {
            let message = format!("{says}; `{}` committed it", commit.called());
            found.push(step.finding_at_most(level, rule, Some(field), message));
        }
    }
}

/// What a goal is about: no limit that a program could compare, and all the more to be read.
const ABOUT: [&str; 4] = ["title", "objective", "non_goals", "authority_sources"];

pub(in crate::review) fn goal_reworded(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if step.old().is_none() || step.new_record().is_none() {
        return;
    }
    let untrusted = |field: &&str| step.differs(field) && step.untrusted(step.author_of(field)).is_some();
    let changed: Vec<&str> = ABOUT.into_iter().filter(untrusted).collect();
    let Some(first) = changed.first() else { return };
    let Some((commit, _)) = step.untrusted(step.author_of(first)) else { return };
    let message =
        format!("{} changed; `{}`, {}, committed it", quoted(&changed), commit.called(), commit.is_no_person());
    found.push(step.finding(rule, Some(first), message));
}
