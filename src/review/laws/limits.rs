//! Limits: what is wider than before, or cannot be shown not to be.

use crate::finding::Finding;
use crate::review::step::Step;
use crate::rules::Rule;
use crate::vocabulary::{Glob, Goal, GoalStatus, Handoff, Kind, Quota, Record};

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
    let (was, is) = (old.allowed_slots_in_window(), new.allowed_slots_in_window());
    is > was || is * u64::from(old.window_hours) > was * u64::from(new.window_hours)
}

/// The fields of limits that are wider than before, or cannot be compared, each with what is said of it.
fn wider(step: &Step<'_>) -> Vec<(&'static str, String)> {
    match (step.old(), step.new_record()) {
        (Some(Record::Goal(old)), Some(Record::Goal(new))) => wider_goal(step, old, new),
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

fn wider_goal(step: &Step<'_>, old: &Goal, new: &Goal) -> Vec<(&'static str, String)> {
    let mut wider = Vec::new();
    let (before, after) = (&old.boundary, &new.boundary);
    let more = beyond(&before.write_scope, &after.write_scope);
    if !more.is_empty() {
        wider.push(("boundary.write_scope", format!("agents may also write {}", globs(&more))));
    }
    // No list states no limit.
    let more = beyond(&before.read_scope, &after.read_scope);
    if reads_more(&before.read_scope, &after.read_scope) {
        let what = if after.read_scope.is_empty() { "everything".to_owned() } else { globs(&more) };
        wider.push(("boundary.read_scope", format!("agents may also read {what}")));
    }
    let joined: Vec<String> =
        new.agents.keys().filter(|agent| !old.agents.contains_key(*agent)).map(|agent| format!("`{agent}`")).collect();
    if !joined.is_empty() {
        wider.push(("agents", format!("{} may work on it too", joined.join(", "))));
    }
    let reworded = new.agents.iter().filter(|(agent, scope)| old.agents.get(*agent).is_some_and(|old| old != *scope));
    let reworded: Vec<String> = reworded.map(|(agent, _)| format!("`{agent}`")).collect();
    if !reworded.is_empty() {
        wider.push(("agents", format!("{} may do something else than before", reworded.join(", "))));
    }
    if spends_more(old.quota.as_ref(), new.quota.as_ref()) {
        wider.push(("quota", "more turns may be spent".to_owned()));
    }
    if old.status != GoalStatus::Active && new.status == GoalStatus::Active {
        wider.push(("status", "agents may work on it from now on".to_owned()));
    }
    for (field, says) in [
        ("boundary.stop_condition", "agents stop at something else"),
        ("owner", "somebody else may decide every gate of it"),
        ("validation_command", "another command says whether it is reached"),
    ] {
        if step.differs(field) {
            wider.push((field, says.to_owned()));
        }
    }
    wider
}

fn wider_handoff(step: &Step<'_>, old: &Handoff, new: &Handoff) -> Vec<(&'static str, String)> {
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

pub(in crate::review) fn widened(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for (field, says) in wider(step) {
        if step.kind != Kind::Goal || step.untrusted(step.author_of(field)).is_none() {
            found.push(step.finding(rule, Some(field), says));
        }
    }
}

pub(in crate::review) fn agent_widens(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for (field, says) in wider(step) {
        if let Some((commit, level)) = step.untrusted(step.author_of(field)) {
            let message = format!("{says}; `{}` committed it", commit.called());
            found.push(step.finding_at_most(level, rule, Some(field), message));
        }
    }
}
