//! Judges state directories, parts of them, or documents by themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::checkout::CheckedOut;
use super::error::{Error, ErrorCode};
use super::lint_revision::{self, Revision};
use crate::git::{GitError, Repository};
use crate::report::{self, Report, Totals};
use crate::rules::{JudgedDirectory, judge, judge_alone};
use crate::vocabulary::{Instant, Level, Record};
use crate::workspace::{DisplayPaths, Folder, MemoryFiles, NamedError, NamedTarget, named};

/// What is to be judged.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// What stands at these paths; without any, the state directory of the place.
    Paths(&'a [PathBuf]),
    /// The state directory as git holds it, or what was changed in it.
    Revision(Revision<'a>),
    /// One document by itself.
    Document {
        /// The name that findings carry; its ending says how the document is written.
        name: &'a str,
        /// Its bytes.
        bytes: &'a [u8],
    },
}

/// A path below the folder that it belongs to, and as it was typed.
type NamedPath<'p> = (String, &'p PathBuf);

/// The result of `lint`: every finding, with the state directories that were judged.
#[derive(Debug)]
pub struct Linted {
    pub(super) batches: Vec<LintTarget>,
}

/// One state directory, or documents by themselves.
#[derive(Debug)]
pub(super) struct LintTarget {
    pub(super) judged: JudgedDirectory,
    /// The folder that paths start from; none for a document that stands nowhere.
    pub(super) root: Option<PathBuf>,
    /// How its paths are shown.
    pub(super) paths: DisplayPaths,
    /// How many documents were asked for.
    documents: usize,
}

/// Judges what `input` names, seen from `place`, an absolute path.
///
/// # Errors
/// Nothing is there to be judged, or it cannot be read.
pub fn lint(place: &Path, input: Input<'_>, as_of: Instant) -> Result<Linted, Error> {
    let batches = match input {
        Input::Document { name, bytes } => {
            let judged = judge_alone(&MemoryFiles::from_iter([(name.to_owned(), bytes.to_vec())]));
            vec![LintTarget::new(judged, None, DisplayPaths::default(), |_| true)]
        }
        Input::Revision(revision) => vec![lint_revision::state(place, revision, as_of)?],
        Input::Paths([]) => vec![state(place, super::state_directory(place)?, &[], as_of)?],
        Input::Paths(paths) => by_root(place, paths)?
            .into_iter()
            .map(|((root, is_state), paths)| match is_state {
                true => state(place, root, &paths, as_of),
                false => Ok(alone(place, root, &paths)),
            })
            .collect::<Result<_, _>>()?,
    };
    // That a commit holds no document is an answer: a hook asks before each.
    let may_be_empty = matches!(input, Input::Revision(Revision::Staged));
    if !may_be_empty && batches.iter().all(|batch| batch.documents == 0 && batch.judged.findings.is_empty()) {
        return Err(Error::of(ErrorCode::NothingToCheck));
    }
    Ok(Linted { batches })
}

/// Groups paths by the state directory, or else by the folder, that they belong to.
fn by_root<'p>(place: &Path, paths: &'p [PathBuf]) -> Result<BTreeMap<(PathBuf, bool), Vec<NamedPath<'p>>>, Error> {
    let mut groups: BTreeMap<_, Vec<NamedPath<'p>>> = BTreeMap::new();
    for typed in paths {
        let NamedTarget { root, is_state, path } = named(place, typed).map_err(|error| match error {
            NamedError::Unreadable(fault) => {
                Error::about(ErrorCode::CannotRead, format!("{}: {}", typed.display(), fault.reason))
            }
            NamedError::Undiscovered(error) => super::undiscovered(error),
        })?;
        groups.entry((root, is_state)).or_default().push((path, typed));
    }
    Ok(groups)
}

/// Judges a state directory, and keeps what is found in the parts of it that were asked for.
fn state(place: &Path, root: PathBuf, named: &[NamedPath<'_>], as_of: Instant) -> Result<LintTarget, Error> {
    let paths: Vec<String> = named.iter().map(|(path, _)| path.clone()).collect();
    // A repository that git cannot open has no index that could name what is left out.
    // What git cannot tell is missing from the verdict, but a broken repository may hide documents.
    let repository = match Repository::discover(&root) {
        Err(error @ GitError::Broken) => return Err(error.into()),
        found => found.ok().flatten(),
    };
    let judged = judge(&CheckedOut::around(&root, &paths, repository.as_ref())?, as_of);
    let paths: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    let is_wanted = |path: &str| {
        let above = path.match_indices('/').map(|(end, _)| &path[..end]);
        paths.is_empty() || above.chain(["", path]).any(|part| paths.contains(part))
    };
    let shown = display(place, &root, named);
    Ok(LintTarget::new(judged, Some(root), shown, is_wanted))
}

/// Judges documents by themselves.
fn alone(place: &Path, root: PathBuf, named: &[NamedPath<'_>]) -> LintTarget {
    let judged = judge_alone(&Folder::of(&root, named.iter().map(|(path, _)| path.clone()).collect()));
    let shown = display(place, &root, named);
    LintTarget::new(judged, Some(root), shown, |_| true)
}

/// How the paths below a folder are shown of which somebody named some.
fn display(place: &Path, root: &Path, named: &[NamedPath<'_>]) -> DisplayPaths {
    let all = DisplayPaths::below(place, root);
    named.iter().fold(all, |paths, (path, typed)| paths.typed(root, path, typed))
}

impl Linted {
    /// Whether an error was found.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.batches.iter().flat_map(|batch| &batch.judged.findings).any(|finding| finding.level == Level::Error)
    }

    /// What was found, ready to be written.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        let mut totals = Totals::default();
        for batch in &self.batches {
            totals.add(batch.documents, &batch.judged.findings);
            let workspace = &batch.judged.workspace;
            totals.goals += workspace.index.goals.len();
            totals.agents += agents(workspace.entries.iter().filter_map(|entry| entry.record.as_ref()));
        }
        Report { batches: self.batches.iter().map(LintTarget::report).collect(), totals }
    }
}

impl LintTarget {
    /// Keeps the findings of the files that are wanted, and counts those files.
    pub(super) fn new(
        mut judged: JudgedDirectory,
        root: Option<PathBuf>,
        paths: DisplayPaths,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Self {
        judged.findings.retain(|finding| is_wanted(&finding.primary.path));
        let entries = judged.workspace.entries.iter();
        let documents = entries.filter(|entry| entry.is_document && is_wanted(&entry.path)).count();
        Self { judged, root, paths, documents }
    }

    fn report(&self) -> report::Batch<'_> {
        report::Batch { findings: &self.judged.findings, paths: &self.paths, wall: &self.judged.workspace.wall }
    }
}

/// Counts the agents that goals list, each once.
fn agents<'a>(records: impl Iterator<Item = &'a Record>) -> usize {
    let goals = records.filter_map(|record| match record {
        Record::Goal(goal) => Some(goal),
        _ => None,
    });
    goals.flat_map(|goal| goal.agents.keys()).collect::<BTreeSet<_>>().len()
}
