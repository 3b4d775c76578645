//! Limits: what is wider than before, or cannot be shown not to be.

use crate::finding::Finding;
use crate::review::Author;
use crate::review::step::Step;
use crate::rules::Rule;
use crate::vocabulary::{Glob, Goal, GoalStatus, Handoff, Kind, Quota, Record};

/// Globs of the second list that cannot be shown to be inside the first.
pub(in crate::review) fn beyond<'a>(old: &[Glob], new: &'a [Glob]) -> Vec<&'a Glob> {
    new.iter().filter(|glob| !glob.is_within(old)).collect()
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
    if !before.read_scope.is_empty() && (after.read_scope.is_empty() || !more.is_empty()) {
        let what = if after.read_scope.is_empty() { "everything".to_owned() } else { globs(&more) };
        wider.push(("boundary.read_scope", format!("agents may also read {what}")));
    }
    let joined: Vec<String> =
        new.agents.keys().filter(|agent| !old.agents.contains_key(*agent)).map(|agent| format!("`{agent}`")).collect();
    if !joined.is_empty() {
        wider.push(("agents", format!("{} may work on it too", joined.join(", "))));
    }
    if allowed(old.quota.as_ref()) < allowed(new.quota.as_ref()) {
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

/// Slots in a day as a comparable number; no quota is no limit.
fn allowed(quota: Option<&Quota>) -> u64 {
    let Some(quota) = quota else { return u64::MAX };
    let hours = u64::from(quota.window_hours.max(1));
    let slots = quota.allowed_slots.map_or_else(
        || {
            let minutes = hours * 60 / u64::from(quota.slot_minutes.max(1));
            // A share between 0 and 1 of a small number.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "shares of at most a year of minutes"
            )]
            let share = (minutes as f64 * quota.compute) as u64;
            share
        },
        u64::from,
    );
    slots * 8760 / hours
}

pub(in crate::review) fn widened(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let is_of_agent = |field: &str| step.author_of(field).is_some_and(Author::is_machine);
    for (field, says) in wider(step) {
        if !(step.kind == Kind::Goal && is_of_agent(field)) {
            found.push(step.finding(rule, Some(field), says));
        }
    }
}

pub(in crate::review) fn agent_widens(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for (field, says) in wider(step) {
        if let Some(author) = step.author_of(field).filter(|author| author.is_machine()) {
            found.push(step.finding(rule, Some(field), format!("{says}; `{}` committed it", author.called())));
        }
    }
}
