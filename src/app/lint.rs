//! Judges state directories, parts of them, or documents by themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::error::{Error, ErrorCode};
use crate::report::{self, Report, Totals};
use crate::rules::{Judged, judge, judge_alone};
use crate::vocabulary::{Instant, Level, Record};
use crate::workspace::{DiscoverError, Files, Folder, Memory, Named, NamedError, discover, named, way};

/// What is to be judged.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// What stands at these paths; without any, the state directory of the place.
    Paths(&'a [PathBuf]),
    /// One document by itself.
    Document {
        /// The name that findings carry; its ending says how the document is written.
        name: &'a str,
        /// Its bytes.
        bytes: &'a [u8],
    },
}

/// Everything that was judged.
#[derive(Debug)]
pub struct Linted {
    batches: Vec<Batch>,
}

/// One state directory, or documents by themselves.
#[derive(Debug)]
struct Batch {
    judged: Judged,
    /// The way from the working directory, as `report` wants it.
    prefix: String,
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
            let files = Memory::from_iter([(name.to_owned(), bytes.to_vec())]);
            vec![Batch { judged: judge_alone(&files), prefix: String::new(), documents: 1 }]
        }
        Input::Paths([]) => {
            let root = discover(place).map_err(undiscovered)?;
            vec![state(place, &root, &[String::new()], as_of)?]
        }
        Input::Paths(paths) => by_root(place, paths)?
            .iter()
            .map(|((root, is_state), paths)| match is_state {
                true => state(place, root, paths, as_of),
                false => Ok(alone(place, root, paths)),
            })
            .collect::<Result<_, _>>()?,
    };
    Ok(Linted { batches })
}

/// Groups paths by the state directory, or else by the folder, that they belong to.
fn by_root(place: &Path, paths: &[PathBuf]) -> Result<BTreeMap<(PathBuf, bool), Vec<String>>, Error> {
    let mut groups: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for path in paths {
        let Named { root, is_state, path } = named(place, path).map_err(|error| match error {
            NamedError::Unreadable(fault) => {
                Error::about(ErrorCode::CannotRead, format!("{}: {}", path.display(), fault.reason))
            }
            NamedError::Undiscovered(error) => undiscovered(error),
        })?;
        groups.entry((root, is_state)).or_default().push(path);
    }
    Ok(groups)
}

/// Judges a state directory, and keeps what is found in the parts of it that were asked for.
fn state(place: &Path, root: &Path, paths: &[String], as_of: Instant) -> Result<Batch, Error> {
    let mut judged = judge(&Folder::open(root), as_of);
    let wanted = |path: &str| {
        paths.iter().any(|wanted| {
            let rest = path.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('/'))
        })
    };
    judged.findings.retain(|finding| wanted(&finding.primary.path));
    let entries = judged.workspace.entries.iter();
    let documents = entries.filter(|entry| entry.is_document && wanted(&entry.path)).count();
    if documents == 0 && judged.findings.is_empty() {
        return Err(Error::of(ErrorCode::NothingToCheck));
    }
    Ok(Batch { judged, prefix: way(place, root), documents })
}

/// Judges documents by themselves.
fn alone(place: &Path, root: &Path, paths: &[String]) -> Batch {
    let files = Folder::of(root, paths.to_vec());
    Batch { judged: judge_alone(&files), prefix: way(place, root), documents: files.list().len() }
}

fn undiscovered(error: DiscoverError) -> Error {
    match error {
        DiscoverError::Nothing => Error::of(ErrorCode::NoStateDirectory),
        DiscoverError::Several(names) => Error::about(ErrorCode::SeveralStateDirectories, names.join(", ")),
    }
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
        Report { batches: self.batches.iter().map(Batch::report).collect(), totals }
    }
}

impl Batch {
    fn report(&self) -> report::Batch<'_> {
        report::Batch { findings: &self.judged.findings, prefix: &self.prefix, wall: &self.judged.workspace.wall }
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
