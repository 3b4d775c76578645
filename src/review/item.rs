//! One document that means something else than before.

use std::sync::Arc;

use super::Submission;
use super::phrase::{Phrase, PhraseBuilder};
use super::say;
use super::touched::TouchedDocument;
use crate::finding::{Anchor, Finding};
use crate::privacy::Text;
use crate::rules::transition::POLICY_CHANGED;
use crate::vocabulary::{Kind, Level};
use crate::workspace::known_comments;

/// How carefully an item is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemSign {
    /// A rule of level error is broken.
    Refused,
    /// A rule of level warning is broken.
    Look,
    /// It is new.
    Added,
    /// It is otherwise.
    Changed,
    /// It is gone.
    Removed,
}

/// What reviewers look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewTopic {
    /// What may be read and written.
    Scopes,
    /// What sessions can do.
    Capabilities,
    /// How many turns may be spent.
    Quota,
    /// Sessions.
    Bindings,
    /// What hosts are told.
    Writebacks,
    /// What judges changes.
    Policies,
    /// What counts.
    Receipts,
}

impl ReviewTopic {
    const ALL: [Self; 7] = [
        Self::Scopes,
        Self::Capabilities,
        Self::Quota,
        Self::Bindings,
        Self::Writebacks,
        Self::Policies,
        Self::Receipts,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Scopes => "scopes",
            Self::Capabilities => "capabilities",
            Self::Quota => "quota",
            Self::Bindings => "bindings",
            Self::Writebacks => "writebacks",
            Self::Policies => "policies",
            Self::Receipts => "receipts",
        }
    }
}

/// One document that means something else than before.
#[derive(Debug, Clone)]
pub struct ReviewItem {
    /// Its kind; none for a file of no kind.
    pub kind: Option<Kind>,
    /// Its goal.
    pub goal_id: Option<Text>,
    /// What it is called: its id, else its path.
    pub id: Text,
    /// Its path below the state directory.
    pub path: Arc<str>,
    /// What became of it.
    pub what: Vec<Phrase>,
    /// What a closer look shows.
    pub details: Vec<Phrase>,
    /// The rules that it breaks.
    pub breaches: Vec<Finding>,
    /// What reviewers look for that it touches.
    pub topics: Vec<ReviewTopic>,
    /// Whether the change touches it; else it only breaks rules since.
    pub is_touched: bool,
    act: ItemSign,
}

impl ReviewItem {
    /// How carefully it is to be looked at.
    #[must_use]
    pub fn sign(&self) -> ItemSign {
        let worst = self.breaches.iter().map(|finding| finding.level).min();
        match worst {
            Some(Level::Error) => ItemSign::Refused,
            Some(Level::Warning) => ItemSign::Look,
            _ => self.act,
        }
    }

    pub(super) fn order(&self) -> impl Ord + '_ {
        let loud = self.sign().min(ItemSign::Added);
        (loud, &self.goal_id, self.kind.map(rank), &self.id, &self.path)
    }
}

/// The order in which reviewers look at kinds.
fn rank(kind: Kind) -> usize {
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
    let entry = workspace.index.at(path).map(|number| &workspace.entries[number]);
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
        let known = base.index.at(&entry.path).map(|number| base.entries[number].suppressions.as_slice());
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
