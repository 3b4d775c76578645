//! What judges and what counts: policies, receipts, writebacks.

use super::quoted;
use crate::finding::Finding;
use crate::reconcile::Answer;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::receipts::of_effect;
use crate::vocabulary::{Effect, Id, Record};

pub(in crate::review) fn agent_changes_policy(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let untrusted = step.commits().filter_map(|commit| step.untrusted(Some(commit))).min_by_key(|(_, level)| *level);
    if let Some((commit, level)) = untrusted.filter(|_| !step.fields.is_empty()) {
        let message = format!("`{}`, {}, committed it", commit.called(), commit.is_no_person());
        found.push(step.finding_at_most(level, rule, None, message));
    }
}

pub(in crate::review) fn policy_changed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if !step.fields.is_empty() {
        found.push(step.finding(rule, None, "it counts once it is merged; this change is judged by the base"));
    }
}

/// What becomes of a writeback request after the change.
pub(in crate::review) fn answer<'a>(step: &TouchedDocument<'a>) -> Option<&'a Answer> {
    let goal = Id::new(step.goal.as_deref()?);
    step.it.after.plan.writebacks.get(&(goal, Id::new(&*step.id)))
}

pub(in crate::review) fn digest_mismatch(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let approves = step.is("mode").as_str() == Some("apply");
    if !approves || !(step.differs("mode") || step.differs("approved_preview_digest")) {
        return;
    }
    let digest = step.is("approved_preview_digest").as_str().unwrap_or_default();
    let message = match answer(step) {
        Some(Answer::Previewed(preview)) if preview.digest.as_str() == digest => return,
        Some(Answer::Previewed(preview)) => format!("its preview has the digest {}", preview.digest),
        Some(Answer::Blocked(blocker)) => format!("there is no preview of it to approve: {}", blocker.reason),
        None => "there is no preview of it to approve".to_owned(),
    };
    found.push(step.finding(rule, Some("approved_preview_digest"), message));
}

pub(in crate::review) fn receipt_edited(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if step.before.is_some() && step.after.is_some() {
        let fields: Vec<&str> = step.fields.iter().map(|change| change.field.as_str()).collect();
        let message = match fields.is_empty() {
            true => "its bytes changed; every machine writes the same ones".to_owned(),
            false => format!("{} changed", quoted(&fields)),
        };
        found.push(step.finding(rule, fields.first().copied(), message));
    }
}

pub(in crate::review) fn receipt_deleted(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if step.is_removed() {
        found.push(step.finding(rule, None, "what it records would count for nothing"));
    }
}

/// Only a person takes a spend back.
pub(in crate::review) fn receipt_invented(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let Some(Record::Receipt(receipt)) = step.new_record().filter(|_| step.is_added()) else { return };
    let Some(effect) = Effect::read(receipt.effect_key.as_str()) else { return };
    let Some((kind, id)) = effect.document() else { return };
    let record = step.it.after.workspace.record(effect.goal_id(), kind, id);
    if record.and_then(|record| of_effect(effect, record)).is_none() {
        let message = format!("no {} `{id}` holds the decision that it records", kind.row().name);
        found.push(step.finding(rule, Some("effect_key"), message));
    }
}
