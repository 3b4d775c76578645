//! Makes the items of a review: each changed document, what is wrong elsewhere, new comments.

use std::sync::Arc;

use super::Submission;
use super::item::ItemSign;
use super::item::ReviewItem;
use super::item::ReviewTopic;
use super::phrase::PhraseBuilder;
use super::say;
use super::touched::TouchedDocument;
use crate::finding::{Anchor, Finding};
use crate::rules::transition::POLICY_CHANGED;
use crate::vocabulary::Kind;
use crate::workspace::known_comments;

/// The order in which reviewers look at kinds.
pub(super) fn rank(kind: Kind) -> usize {
    const ORDER: [Kind; 9] = [
        Kind::Receipt,
        Kind::Gate,
        Kind::Handoff,
        Kind::Goal,
        Kind::Binding,
        Kind::WritebackRequest,
        Kind::Reward,
        Kind::Todo,
        Kind::Proposal,
    ];
    ORDER.iter().position(|one| *one == kind).unwrap_or(ORDER.len())
}

/// The item of a step; none when it means the same as before and breaks nothing.
pub(super) fn item(step: &TouchedDocument<'_>, breaches: Vec<Finding>) -> Option<ReviewItem> {
    let is_quiet_receipt = step.kind == Kind::Receipt && step.is_added();
    let is_same = step.fields.is_empty() && !step.is_added() && !step.is_removed() && step.new_record().is_some();
    if breaches.is_empty() && (is_same || is_quiet_receipt) {
        return None;
    }
    let said = say::said(step);
    Some(ReviewItem {
        kind: Some(step.kind),
        goal_id: step.goal.as_deref().map(|goal| step.phrases.0.text(goal)),
        id: step.phrases.0.text(&step.id),
        path: Arc::clone(step.path()),
        what: said.what,
        details: said.details,
        breaches,
        topics: said.topics,
        is_touched: true,
        act: match (step.is_added(), step.is_removed()) {
            (true, _) => ItemSign::Added,
            (_, true) => ItemSign::Removed,
            _ => ItemSign::Changed,
        },
    })
}

/// A document that the change does not touch, or a file that is none, and that breaks rules since.
pub(super) fn elsewhere(
    phrases: PhraseBuilder<'_>,
    it: &Submission<'_>,
    path: &Arc<str>,
    breaches: Vec<Finding>,
) -> ReviewItem {
    let workspace = it.after.workspace;
    let entry = workspace.file_at(path);
    let kind = entry.and_then(|entry| entry.place.as_ref()).map(|place| place.kind);
    let id = kind.and_then(|kind| kind.row().id_field).and_then(|field| entry.and_then(|entry| entry.field(field)));
    let is_touched = it.files.iter().any(|file| file.path == *path);
    ReviewItem {
        kind,
        goal_id: entry.and_then(|entry| entry.goal_id()).map(|goal| phrases.0.text(goal)),
        id: phrases.0.text(id.unwrap_or(path)),
        path: Arc::clone(path),
        what: match is_touched {
            true => Vec::new(),
            false => vec![phrases.words("not touched, and wrong since").done()],
        },
        details: Vec::new(),
        breaches,
        topics: Vec::new(),
        is_touched,
        act: ItemSign::Changed,
    }
}

/// Comments that set findings aside and that the base does not have: they count only once they are merged.
pub(super) fn new_comments(phrases: PhraseBuilder<'_>, it: &Submission<'_>) -> Vec<ReviewItem> {
    let base = it.before.workspace;
    let mut items = Vec::new();
    for entry in &it.after.workspace.entries {
        let known = base.file_at(&entry.path).map(|file| file.suppressions.as_slice());
        let known = known_comments(known.unwrap_or_default(), &entry.suppressions);
        for (comment, _) in entry.suppressions.iter().zip(known).filter(|(_, is_known)| !is_known) {
            let rule = &POLICY_CHANGED;
            let message =
                phrases.0.text(format!("a comment sets `{}` aside; it counts once it is merged", comment.rule));
            let mut finding = rule.at(&entry.path, Anchor::Bytes(comment.span), message);
            finding.level = base.policies.level(rule.id, &entry.path, rule.level);
            items.push(ReviewItem {
                kind: None,
                goal_id: None,
                id: phrases.0.text(&entry.path),
                path: Arc::clone(&entry.path),
                what: vec![phrases.words("sets ").name(&comment.rule).words(" aside").done()],
                details: Vec::new(),
                breaches: vec![finding],
                topics: vec![ReviewTopic::Policies],
                is_touched: true,
                act: ItemSign::Changed,
            });
        }
    }
    items
}

/// What none of the items touches.
pub(super) fn untouched<'i>(items: impl Iterator<Item = &'i ReviewItem>, receipts: usize) -> Vec<ReviewTopic> {
    let mut touched: Vec<ReviewTopic> = items.flat_map(|item| item.topics.iter().copied()).collect();
    if receipts > 0 {
        touched.push(ReviewTopic::Receipts);
    }
    ReviewTopic::ALL.into_iter().filter(|topic| !touched.contains(topic)).collect()
}
