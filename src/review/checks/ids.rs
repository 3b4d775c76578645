//! Ids: one thing each, for ever, on every branch.

use super::quoted;
use crate::finding::Finding;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::Kind;
use crate::vocabulary::acts::acts_of_people;

pub(in crate::review) fn mode_changed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if !step.is_added() && !step.is_removed() && step.differs("session_mode") {
        let word = |value: &serde_json::Value| value.as_str().unwrap_or("none").to_owned();
        let message = format!("{} became {}", word(step.was("session_mode")), word(step.is("session_mode")));
        found.push(step.finding(rule, Some("session_mode"), message));
    }
}

pub(in crate::review) fn kind_changed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let Some(goal) = step.goal.as_deref().filter(|_| step.is_added()) else { return };
    let Some(index) = step.it.before.workspace.index.goals.get(goal) else { return };
    let other = index.documents.keys().find(|(kind, id)| *id == step.id && *kind != step.kind);
    if let Some((kind, _)) = other {
        found.push(step.finding(rule, None, format!("`{}` was a {}", step.id, kind.row().name)));
    }
}

/// What says which thing an id names, for kinds that have it.
fn identity(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Gate => &["requested.by", "requested.at"],
        Kind::Handoff => &["from_agent", "todo_id"],
        Kind::Reward => &["judges", "reward", "given"],
        Kind::Binding => &["agent_id", "executor_endpoint_id"],
        Kind::WritebackRequest => &["session_id", "source"],
        Kind::Proposal => &["proposal_type", "summary"],
        _ => &[],
    }
}

pub(in crate::review) fn identity_changed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if step.files.iter().any(|file| file.is_given_twice) {
        let message = "two branches gave this id to different documents, and a merge kept one; give the other a new id";
        return found.push(step.finding(rule, None, message));
    }
    if step.old().is_none() || step.new_record().is_none() || step.differs("revision") {
        return;
    }
    let fields: Vec<&str> = identity(step.kind).iter().copied().filter(|field| step.differs(field)).collect();
    let is_other_todo = step.kind == Kind::Todo && step.differs("title") && step.differs("task_class");
    if let Some(first) = fields.first() {
        found.push(step.finding(rule, Some(first), format!("{} changed under the same id", quoted(&fields))));
    } else if is_other_todo {
        found.push(step.finding(rule, Some("title"), "title and class changed under the same id"));
    }
}

pub(in crate::review) fn both_sides(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if step.is_of_both() && !is_decided_twice(step) {
        found.push(step.finding(rule, None, "the base changed it too; look at what the merge makes of both"));
    }
}

pub(in crate::review) fn decided_twice(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if !step.is_of_both() || !is_decided_twice(step) {
        return;
    }
    let field = acts_of_people(step.kind).find(|act| !step.was(act).is_null());
    let message = match (step.start(), field) {
        (Some(_), Some(act)) => {
            let label = |value: &serde_json::Value| value["label"].as_str().unwrap_or("done").to_owned();
            let (was, is) = (label(step.was(act)), label(step.is(act)));
            format!("the base has `{act}`: {was}; this change has: {is}")
        }
        _ => "the base has another document of this id since the branches parted".to_owned(),
    };
    found.push(step.finding(rule, field.filter(|field| !step.is(field).is_null()), message));
}

/// Whether both sides answered one question, or gave one id away, and not in the same words.
fn is_decided_twice(step: &TouchedDocument<'_>) -> bool {
    let both_new = step.start().is_none() && step.before.is_some() && step.after.is_some();
    let differs = |act: &&str| !step.was(act).is_null() && step.differs(act);
    !step.fields.is_empty() && (both_new || acts_of_people(step.kind).filter(differs).count() > 0)
        || step.kind == Kind::Receipt && !step.fields.is_empty()
}
