//! Two revisions of a state directory in, what merging the one into the other changes in meaning out.
//!
//! Comes in: what both revisions hold, what follows from each, and who committed what, as plain data. Goes out: the
//! [`Review`]: what opens and for whom, each document that means something else, and every rule of changes that is
//! broken. Pure: no git, disk or clock. Must not know: how anything is read, drawn or written.
//!
//! What judges is the base: its policies, its actors, its exceptions, its comments.

mod items;
mod commit;
mod submission;
mod authorship;
mod fields;
mod grants;
mod item;
mod checks;
mod openings;
mod phrase;
mod say;
mod screens;
mod touched;
mod transitions;
mod team;
mod turns;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::finding::{Finding, introduced};
use crate::privacy::{Text, Wall};
use crate::rules::transition;
use crate::vocabulary::{Kind, Level};
pub use commit::{ChangeCommit, Contributor};
pub use item::{ItemSign, ReviewItem, ReviewTopic};
pub use openings::Opening;
use phrase::PhraseBuilder;
pub use phrase::{Phrase, PhrasePart};
pub use screens::ScreenChange;
pub use submission::{FileChange, Side, Submission};
use touched::{TouchedDocument, steps};
pub use transitions::{TABLE, TransitionRow};
pub use versions::{Version, parent_with};

/// The meaning of a change: what merging it would allow.
#[derive(Debug, Clone)]
pub struct Review {
    /// Who committed, each once, with the class that the base knows.
    pub authors: Vec<Phrase>,
    /// How many commits there are.
    pub commits: usize,
    /// Rules that are broken by commits and by no document.
    pub of_commits: Vec<Finding>,
    /// Changes of what judges changes, which come first.
    pub widenings: Vec<ReviewItem>,
    /// What may be started that could not, and what goes further than it did.
    pub opens: Vec<Opening>,
    /// What may no longer be started.
    pub closes: Vec<Opening>,
    /// Every other document that means something else: refused, to look at, the rest.
    pub items: Vec<ReviewItem>,
    /// Documents whose file changed and whose meaning did not.
    pub same: Vec<Text>,
    /// First screens that become otherwise.
    pub screens: Vec<ScreenChange>,
    /// What nothing of the change touches, of what reviewers look for.
    pub untouched: Vec<ReviewTopic>,
    /// Receipts that the change brings along.
    pub receipts: usize,
    /// How many turns each agent settled, and what they spent.
    pub turns: Vec<Phrase>,
    /// Receipts that merging lacks until they are recorded.
    pub unrecorded: usize,
    /// What the verdict could not take into account.
    pub notes: Vec<Text>,
    /// Whether the acts of people in it are vouched for; `None`: there are none.
    pub is_verified: Option<bool>,
}

/// Says what merging a change means.
///
/// Pure: the same submission gives the same review.
#[must_use]
pub fn review(submission: &Submission<'_>) -> Review {
    let wall = &submission.before.workspace.wall;
    let steps = steps(submission, PhraseBuilder(wall));
    let introduced = new_findings(submission);
    let mut review = Review {
        authors: authors(submission, PhraseBuilder(wall)),
        commits: submission.commits.len(),
        of_commits: of_commits(submission, wall),
        widenings: Vec::new(),
        opens: openings::opens(submission, PhraseBuilder(wall)),
        closes: openings::closes(submission, PhraseBuilder(wall)),
        items: Vec::new(),
        same: Vec::new(),
        screens: screens::changes(submission.before.plan, submission.after.plan),
        untouched: Vec::new(),
        receipts: steps.iter().filter(|step| step.kind == Kind::Receipt && step.is_added()).count(),
        turns: turns::settled(submission, &steps, PhraseBuilder(wall)),
        unrecorded: submission.unrecorded,
        notes: submission.after.plan.notes.clone(),
        is_verified: team::verified(&steps),
    };
    review.take(submission, &steps, introduced);
    review.untouched = items::untouched(review.widenings.iter().chain(&review.items), review.receipts);
    review
}

impl Review {
    /// Whether a rule of level error is broken.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        !self.of_commits.is_empty() || self.all().any(|item| item.sign() == ItemSign::Refused)
    }

    /// How many rules of a level are broken.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.findings().filter(|finding| finding.level == level).count()
    }

    /// Every rule that is broken, most careful first.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.of_commits.iter().chain(self.all().flat_map(|item| &item.breaches))
    }

    /// The same, to be given their lines.
    pub fn findings_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        self.widenings.iter_mut().chain(&mut self.items).flat_map(|item| &mut item.breaches)
    }

    /// Every document that means something else.
    pub fn all(&self) -> impl Iterator<Item = &ReviewItem> {
        self.widenings.iter().chain(&self.items)
    }

    /// Whether nothing means something else.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.of_commits.is_empty() && self.opens.is_empty() && self.closes.is_empty() && self.all().next().is_none()
    }

    /// Sorts the steps into what they mean.
    fn take(&mut self, submission: &Submission<'_>, steps: &[TouchedDocument<'_>], mut introduced: Introduced) {
        let mut broken: Vec<Vec<Finding>> = steps.iter().map(checks::breaches).collect();
        for (path, finding) in grants::check(submission, steps, &broken) {
            match steps.iter().position(|step| step.paths().any(|own| *own == path)) {
                Some(number) => broken[number].push(finding),
                None => introduced.entry(path).or_default().push(finding),
            }
        }
        for (step, mut breaches) in steps.iter().zip(broken) {
            for path in step.paths() {
                breaches.extend(introduced.remove(path).unwrap_or_default());
            }
            // That a receipt says otherwise follows from the edit that is told already.
            let edits = [transition::DECISION_EDITED.id, transition::APPROVED_EDITED.id];
            if breaches.iter().any(|finding| edits.contains(&finding.rule)) {
                breaches.retain(|finding| finding.rule != "receipt/conflict");
            }
            let item = items::item(step, breaches);
            match item {
                Some(item) if matches!(step.kind, Kind::Policy | Kind::Workspace) => self.widenings.push(item),
                Some(item) => self.items.push(item),
                None if step.kind == Kind::Receipt && step.is_added() => {}
                None => self.same.push(step.phrases.0.text(&step.id)),
            }
        }
        // What the change broke in documents that it does not touch, and in files that are no documents.
        let phrases = PhraseBuilder(&submission.before.workspace.wall);
        self.items.extend(
            introduced.into_iter().map(|(path, breaches)| items::elsewhere(phrases, submission, &path, breaches)),
        );
        self.widenings.extend(items::new_comments(phrases, submission));
        self.widenings.sort_by(|one, other| one.order().cmp(&other.order()));
        self.items.sort_by(|one, other| one.order().cmp(&other.order()));
    }
}

/// What lint finds now and did not before, by path.
type Introduced = BTreeMap<Arc<str>, Vec<Finding>>;

fn new_findings(submission: &Submission<'_>) -> Introduced {
    let mut by_path = Introduced::new();
    for finding in introduced(submission.before.findings, submission.after.findings.to_vec()) {
        if !matches!(finding.level, Level::Note | Level::Off) {
            by_path.entry(Arc::clone(&finding.primary.path)).or_default().push(finding);
        }
    }
    by_path
}

/// Whom the commits name, each once: the authors, and whoever else decides whose commit it is.
fn authors(submission: &Submission<'_>, phrases: PhraseBuilder<'_>) -> Vec<Phrase> {
    let mut named = BTreeSet::new();
    let all = submission.commits.iter().flat_map(|commit| {
        let others = commit.contributors().skip(1).filter(|one| one.is_agent());
        std::iter::once(&commit.author).chain(&commit.committer).chain(others)
    });
    all.filter(|one| named.insert(one.called())).map(|one| say::author(phrases, one)).collect()
}

/// What the wall refuses in the messages of commits: they cannot be mended by another commit.
fn of_commits(submission: &Submission<'_>, wall: &Wall) -> Vec<Finding> {
    let of = |commit: &ChangeCommit| {
        let short = commit.short.clone();
        let rules = commit.refused.clone().into_iter().filter_map(crate::rules::find);
        rules.map(move |rule| {
            let path: Arc<str> = Arc::from(format!("commit {short}"));
            let message = wall.text(format!("the message of commit {short}: {}", rule.summary));
            rule.at(&path, crate::finding::Anchor::File, message)
        })
    };
    submission.commits.iter().flat_map(of).collect()
}
