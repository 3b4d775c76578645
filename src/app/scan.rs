//! The privacy wall over any files and payloads.

use std::path::{Path, PathBuf};

use super::checkout::CheckedOut;
use super::error::{Error, ErrorCode};
use crate::git::Repository;
use crate::privacy::Wall;
use crate::report::{self, Report, Totals};
use crate::rules::{self, ScanPolicy, ScanResult, ScannedContent};
use crate::vocabulary::{Instant, Level, Record};
use crate::workspace::{Files, Plain, Policies, discover, read};

/// What is to be scanned.
#[derive(Debug)]
pub enum Scannable<'a> {
    /// Files and folders.
    Paths(&'a [PathBuf]),
    /// Bytes without a file, and what findings call them.
    Bytes(&'a str, Vec<u8>),
}

/// The result of a privacy scan: findings by file.
#[derive(Debug)]
pub struct Scanned {
    wall: Wall,
    result: ScanResult,
    files: Plain,
}

/// How a scan is made.
#[derive(Debug, Clone, Copy)]
pub struct ScanOptions<'a> {
    /// What each file holds.
    pub payload: ScannedContent,
    /// Whether the strings of binary content are scanned.
    pub strings: bool,
    /// A policy file; without it the policies of the state directory, where there is one.
    pub policy: Option<&'a Path>,
    /// The time that exceptions are judged at.
    pub as_of: Instant,
}

/// Scans files or bytes, seen from `place`, an absolute path.
///
/// # Errors
/// Nothing is there to be scanned, or the policy cannot be read.
pub fn scan(place: &Path, what: Scannable<'_>, how: ScanOptions<'_>) -> Result<Scanned, Error> {
    let (root, policies) = policies(place, how.policy)?;
    let policies = policies.in_force(how.as_of);
    let wall = Wall::new(&policies.wall());
    let mut files = match what {
        Scannable::Bytes(name, bytes) => Plain::given(name, bytes),
        Scannable::Paths(paths) => Plain::at(place, paths).map_err(|(path, fault)| {
            let about = format!("{}: {}", path.display(), fault.reason);
            Error::about(ErrorCode::CannotRead, about)
        })?,
    };
    add_tracked(&mut files)?;
    if files.list().is_empty() {
        return Err(Error::of(ErrorCode::NothingToScan));
    }
    let ScanOptions { payload, strings, .. } = how;
    let policy = ScanPolicy { wall: &wall, policies: &policies, root: root.as_deref(), payload, strings };
    let result = rules::scan(&files, policy);
    Ok(Scanned { wall, result, files })
}

/// Adds what git tracks below the folders that were named although `.gitignore` matches it: it is public all the same.
fn add_tracked(files: &mut Plain) -> Result<(), Error> {
    let mut found = Vec::new();
    for (typed, full) in files.folders() {
        // What git cannot read holds no index that could name more.
        let Some(repository) = Repository::discover(full).ok().flatten() else { continue };
        let tracked = repository.tracked(&|_| true)?;
        let paths = tracked.blobs.into_keys().chain(tracked.links.into_keys());
        found.extend(paths.map(|path| (typed.clone(), path)));
    }
    files.add(found);
    Ok(())
}

/// Gives the text of bytes with a mask over everything that the wall refuses.
///
/// # Errors
/// The policy cannot be read.
pub fn redact(place: &Path, bytes: &[u8], policy: Option<&Path>) -> Result<String, Error> {
    let wall = Wall::new(&policies(place, policy)?.1.wall());
    Ok(wall.redact(&String::from_utf8_lossy(bytes)))
}

/// The state directory that a place belongs to, and the policies of a file, else of that directory, else none.
fn policies(place: &Path, file: Option<&Path>) -> Result<(Option<PathBuf>, Policies), Error> {
    let root = discover(place).ok();
    let Some(file) = file else {
        let policies = match &root {
            Some(root) => {
                let repository = Repository::discover(root).ok().flatten();
                Policies::read(&CheckedOut::open(root, repository.as_ref())?)
            }
            None => Policies::default(),
        };
        return Ok((root, policies));
    };
    let unreadable = |reason: String| Error::about(ErrorCode::CannotRead, format!("the policy: {reason}"));
    let bytes = std::fs::read(place.join(file)).map_err(|error| unreadable(error.kind().to_string()))?;
    let name = if file.extension().is_some_and(|ending| ending == "json") { "policy.json" } else { "policy.yaml" };
    match read(&name.into(), &bytes, Wall::shipped()).record {
        Some(Record::Policy(policy)) => Ok((root, Policies::join([&policy]))),
        _ => Err(unreadable("no loopx_policy_v0 document; loopx lint says why".to_owned())),
    }
}

impl Scanned {
    /// Whether an error was found.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.result.findings.iter().any(|finding| finding.level == Level::Error)
    }

    /// What was found, ready to be written.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        let mut totals = Totals { is_of_files: true, ..Totals::default() };
        let findings = &self.result.findings;
        let is_found = |path: &&String| findings.iter().any(|finding| *finding.primary.path == ***path);
        totals.unscanned = self.result.binary.iter().filter(|path| !is_found(path)).count();
        totals.add(self.files.list().len() - totals.unscanned, findings);
        let batch = report::Batch { findings, paths: self.files.paths(), wall: &self.wall };
        Report { batches: vec![batch], totals }
    }

    /// One line for each file that was not scanned.
    pub fn notices(&self) -> impl Iterator<Item = String> {
        let path = |path: &str| self.files.paths().text(&self.wall, path);
        let binary = self.result.binary.iter().map(move |name| format!("{}: binary, not scanned", path(name)));
        let unread = self.result.unread.iter();
        let unread = unread.map(move |(name, reason)| format!("{}: not read: {}", path(name), self.wall.text(reason)));
        binary.chain(unread)
    }

    /// Whether a file could not be read.
    #[must_use]
    pub fn has_unread(&self) -> bool {
        !self.result.unread.is_empty()
    }
}
