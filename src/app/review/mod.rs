//! What merging one revision into another means (`loopx review`), read from git's objects without a checkout.

mod authorship;
mod exposed;
pub(super) mod merges;
mod revisions;
mod tree;

use std::collections::BTreeSet;
use std::path::Path;

pub use self::authorship::Changes;
pub use self::revisions::Range;
use self::revisions::Revisions;
use self::tree::{Trees, trees};
use super::error::{Error, ErrorCode};
use super::lookup::{Precision, Unclear, meant};
use super::names::{base_commit, named_commit};
use super::world::{Records, world};
use super::{Located, state_directory_in};
use crate::git::Repository;
use crate::privacy::Wall;
use crate::reconcile::{permits, reconcile};
use crate::render::ReviewComment;
use crate::review::{self, Review, Side, Submission};
use crate::rules::{JudgedDirectory, judge, judge_as};
use crate::vocabulary::{Instant, Receipt};
use crate::workspace::{MARK, locate};

/// What is asked of a review.
#[derive(Debug, Clone, Copy)]
pub struct ReviewOptions<'a> {
    /// `BASE..HEAD` or `BASE...HEAD`, which mean the same here: what merging HEAD into BASE changes. Without HEAD what is
    /// checked out; without anything, since it left the authority ref.
    pub range: Option<Range<'a>>,
    /// A file with the names of people who reviewed this very change, one on each line.
    pub reviewers: Option<&'a Path>,
}

/// The result of a review, ready to be drawn.
#[derive(Debug)]
pub struct Reviewed {
    /// What it means.
    pub review: Review,
    /// The base, as it was called or as git shortens it.
    pub base: String,
    /// The head, as it was called or as git shortens it.
    pub head: String,
    /// The short ids of both.
    pub commits: (String, String),
    /// The name of the state directory, for the mark of a comment.
    pub name: String,
    /// What stands before a path so that it leads there from the working directory.
    pub prefix: String,
    /// What may be shown: the wall of the base.
    pub wall: Wall,
}

impl Reviewed {
    /// The id of a document of this change; a unique prefix of it will do.
    ///
    /// # Errors
    /// Several documents could be meant. One that is not there is shown as such.
    pub fn id_of(&self, typed: &str) -> Result<String, Error> {
        match meant(typed, self.review.all().map(|item| item.id.as_ref()), Precision::Prefix) {
            Ok(id) => Ok(id.to_owned()),
            Err(Unclear::Unknown) => Ok(typed.to_owned()),
            Err(Unclear::Several(ids) | Unclear::TooShort(ids)) => {
                Err(Error::about(ErrorCode::AmbiguousDocument, format!("{typed} could be {}", ids.join(", "))))
            }
        }
    }

    /// What screens and comments draw; with `show`, only the documents of this id.
    #[must_use]
    pub fn comment<'a>(&'a self, show: Option<&'a str>) -> ReviewComment<'a> {
        ReviewComment {
            review: &self.review,
            base: &self.base,
            head: &self.head,
            commits: (&self.commits.0, &self.commits.1),
            name: &self.name,
            prefix: &self.prefix,
            show,
            wall: &self.wall,
        }
    }
}

/// Reviews a change of the state directory of a place.
///
/// # Errors
/// There is none, git cannot be read or does not trust the repository, a revision or the history between the two is not
/// in this clone, or the file of reviewers cannot be read.
pub fn review(place: &Path, reviewing: ReviewOptions<'_>, as_of: Instant) -> Result<Reviewed, Error> {
    let located = located(place, reviewing.range.as_ref())?;
    let prefix = located.shown(place);
    let Located { repository, root } = located;
    let repository = repository.remembering();
    let reviewers = reviewing.reviewers.map(|file| reviewers(place, file)).transpose()?;
    let revisions = Revisions::find(&repository, root.as_deref(), reviewing.range.as_ref())?;
    stays(&repository, &revisions)?;
    let history = repository.history(revisions.head, "", Some(revisions.base))?;
    let twice = merges::given_twice(&repository, &revisions, &history)?;
    let trees = trees(&repository, &revisions, &twice)?;
    let mut before = judge(&trees.before, as_of);
    let mut after = judge_as(&trees.after, (&trees.before, &before), as_of);
    let (old_others, new_others) = trees.others();
    after.add(new_others.findings(Some(&repository), &before.workspace)?);
    before.add(old_others.findings(Some(&repository), &before.workspace)?);
    let changes = Changes::read(&repository, &revisions, (&trees, &twice), &before.workspace)?;
    let mut review = compare(&before, &after, &changes, reviewers.as_ref(), as_of);
    review.of_commits.extend(exposed::findings(&repository, &revisions, &history, &before.workspace)?);
    let wall = Wall::new(&before.workspace.policies.wall());
    find_lines(&trees, &wall, &mut review);
    let name = before.workspace.settings.workspace_id.as_ref().map_or("state", |id| id.as_str()).to_owned();
    Ok(Reviewed {
        review,
        commits: (repository.commit(revisions.base)?.short, repository.commit(revisions.head)?.short),
        base: revisions.base_name,
        head: revisions.head_name,
        name,
        prefix,
        wall,
    })
}

/// Finds the state directory: what is checked out, else the base's, else the one that the change adds.
fn located(place: &Path, range: Option<&Range<'_>>) -> Result<Located, Error> {
    let elsewhere = |repository: &Repository| {
        let (base, head) = range.map_or((None, "HEAD"), |range| (Some(range.base), range.head));
        let of_base = match base {
            Some(base) => state_directory_in(repository, base_commit(repository, base)?)?,
            None => None,
        };
        match of_base {
            Some(found) => Ok(Some(found)),
            None => state_directory_in(repository, named_commit(repository, head)?),
        }
    };
    Located::find(place, elsewhere)?.ok_or(Error::of(ErrorCode::NoStateDirectory))
}

/// Makes sure that the base keeps its state directory where the change does: its policies are to judge, and a directory
/// that moved would be a new one, which has none.
fn stays(repository: &Repository, revisions: &Revisions) -> Result<(), Error> {
    if repository.file(revisions.base, MARK)?.is_some() {
        return Ok(());
    }
    let elsewhere = repository.at_top().list_named(revisions.base, "", &|name| name == MARK.as_bytes())?.blobs;
    match elsewhere.keys().next() {
        Some(path) => Err(Error::about(ErrorCode::StateDirectoryMoved, path)),
        None => Ok(()),
    }
}

/// Reconciles both sides, and compares them. The change counts as recorded: what it permits in the end is what matters.
#[must_use]
pub fn compare(
    before: &JudgedDirectory,
    after: &JudgedDirectory,
    changes: &Changes,
    reviewers: Option<&BTreeSet<String>>,
    as_of: Instant,
) -> Review {
    let wall = &before.workspace.wall;
    let (recorded, merged) = (Records::in_tree(&before.workspace), Records::in_tree(&after.workspace));
    let old = world(&before.workspace, &recorded);
    let mut new = world(&after.workspace, &merged);
    let (old_plan, mut new_plan) = (reconcile(&old, wall, as_of), reconcile(&new, wall, as_of));
    let unrecorded: Vec<Receipt> = std::mem::take(&mut new_plan.unrecorded);
    if !unrecorded.is_empty() {
        new.record(&unrecorded);
        new_plan = reconcile(&new, wall, as_of);
    }
    let (old_permits, new_permits) = (permits(&old, wall, as_of), permits(&new, wall, as_of));
    let lacked = |receipt: &&Receipt| old_plan.unrecorded.iter().any(|known| known.run_id == receipt.run_id);
    review::review(&Submission {
        before: Side {
            workspace: &before.workspace,
            findings: &before.findings,
            plan: &old_plan,
            permits: &old_permits,
            world: &old,
        },
        after: Side {
            workspace: &after.workspace,
            findings: &after.findings,
            plan: &new_plan,
            permits: &new_permits,
            world: &new,
        },
        files: &changes.files,
        commits: &changes.commits,
        as_of,
        reviewers,
        unrecorded: unrecorded.iter().filter(|receipt| !lacked(receipt)).count(),
    })
}

/// Reads the names of people who reviewed a change: one on each line, `#` begins a comment.
fn reviewers(place: &Path, file: &Path) -> Result<BTreeSet<String>, Error> {
    let unreadable =
        |error: std::io::Error| Error::about(ErrorCode::CannotRead, format!("--reviewers: {}", error.kind()));
    let text = std::fs::read_to_string(place.join(file)).map_err(unreadable)?;
    let names = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Gives every finding its line in the file after the change; a file that is gone has none.
fn find_lines(trees: &Trees, wall: &Wall, review: &mut Review) {
    let mut findings: Vec<_> = review.findings_mut().collect();
    let mut located: Vec<_> = findings.iter().map(|finding| (**finding).clone()).collect();
    locate(&trees.after, wall, &mut located);
    for (finding, found) in findings.iter_mut().zip(located) {
        **finding = found;
    }
}
