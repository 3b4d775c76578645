//! Loads files: policies first, then every file in parallel, each judged while its tree is at hand.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::content::Identify;
use super::files::{Files, ReadFault};
use super::index::Index;
pub use super::loaded_file::LoadedFile;
pub use super::misplaced::PathFields;
use super::misplaced::{Misplaced, misplaced};
use super::policies::Policies;
use super::reading::{Reading, read};
use super::suppression::suppressions;
use crate::finding::Finding;
use crate::privacy::Wall;
use crate::vocabulary::{Instant, Record, WorkspaceSettings as Settings};

/// A loaded state directory: every file, settings, policies and look-ups.
#[derive(Debug)]
pub struct Workspace {
    /// The settings; the defaults where `loopx.yaml` is absent or unreadable.
    pub settings: Settings,
    /// The team's policies.
    pub policies: Policies,
    /// The privacy wall of this team.
    pub wall: Wall,
    /// Every file, sorted by path.
    pub entries: Vec<LoadedFile>,
    /// Symbolic links among the documents, sorted.
    pub links: Vec<Arc<str>>,
    /// Look-ups by kind and id.
    pub index: Index,
    /// The settings that count instead of those of the files: the ones of the authority ref.
    pinned: Option<Settings>,
}

/// Whether files form a state directory or stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// A state directory, whose layout gives each document its place.
    Directory,
    /// Documents by themselves.
    Alone,
}

/// What rules say of one file by itself.
#[derive(Debug, Default)]
pub struct Inspected {
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// When more is: the end of the exception that stops excusing something first.
    pub excused_until: Option<Instant>,
}

/// What rules see in one file while its tree is at hand.
pub type Inspect<'a> = &'a (dyn Fn(&Reading<'_>) -> Inspected + Sync);

/// Another state directory that was loaded with the same `inspect`, such as the one before a change.
#[derive(Clone, Copy)]
pub struct Earlier<'e> {
    /// Its files.
    pub files: &'e dyn Files,
    /// What was made of them.
    pub workspace: &'e Workspace,
    /// Those of them with which something was wrong: they are judged again, for what that was.
    pub faulty: &'e HashSet<Arc<str>>,
}

impl Earlier<'_> {
    /// What is known of a file that holds the same there, and nothing wrong.
    fn known(&self, path: &str, bytes: &Result<Vec<u8>, ReadFault>) -> Option<LoadedFile> {
        let entry = &self.workspace.entries[self.workspace.index.at(path)?];
        let is_clean = !self.faulty.contains(path) && entry.misplaced != Some(Misplaced::TwoFormats);
        (is_clean && bytes.is_ok() && self.files.read(path) == *bytes).then(|| entry.clone())
    }
}

/// From so many files on it pays to start the threads: they cost more than reading some, and start with nothing known.
pub const WORTH_THREADS: usize = 48;

/// Loads every file. Findings come in the order of the files. A file that an earlier state directory holds letter for
/// letter, and in which nothing is wrong, is not judged again.
pub fn load(
    files: &dyn Files,
    scope: Scope,
    policies: Policies,
    inspect: Inspect<'_>,
    earlier: Option<Earlier<'_>>,
) -> (Workspace, Vec<Finding>) {
    // What is private decides what a file is at fault for.
    let earlier = earlier.filter(|earlier| earlier.workspace.policies.refuses_as(&policies));
    let wall = Wall::new(&policies.wall());
    let judge = |path: &String| {
        let bytes = files.read(path);
        match earlier.and_then(|earlier| earlier.known(path, &bytes)) {
            Some(entry) => (entry, Vec::new()),
            None => entry(&Arc::from(path.as_str()), &bytes, scope, (&wall, &policies), (inspect, files.identify())),
        }
    };
    // Apart from the start: entries are many and large, so that moving them would need their room twice.
    let (mut entries, mut findings) = (Vec::new(), Vec::new());
    match files.list() {
        few if few.len() < WORTH_THREADS => (entries, findings) = few.iter().map(judge).unzip(),
        paths => paths.par_iter().map(judge).unzip_into_vecs(&mut entries, &mut findings),
    }
    let findings = findings.into_iter().flatten().collect();
    let links = files.links().iter().map(|path| Arc::from(path.as_str())).collect();
    let (settings, index) = (Settings::default(), Index::default());
    let mut workspace = Workspace { settings, policies, wall, entries, links, index, pinned: None };
    workspace.settle(true);
    (workspace, findings)
}

impl Workspace {
    /// Brings what follows from the entries up to date; the index only where other files are there than before.
    pub(super) fn settle(&mut self, is_other: bool) {
        if is_other {
            // No path stands there twice, and a stable sort would need half their room again.
            self.entries.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        }
        refuse_two_formats(&mut self.entries);
        if is_other {
            self.index = Index::new(&self.entries);
        }
        let settings = self.index.at("loopx.yaml").and_then(|number| self.entries[number].record.as_ref());
        self.settings = match (&self.pinned, settings) {
            (Some(pinned), _) => pinned.clone(),
            (None, Some(Record::Workspace(settings))) => settings.clone(),
            (None, _) => Settings::default(),
        };
    }

    /// Whether `goal.yaml` of a goal stands here and cannot be used, whatever the authority ref holds.
    #[must_use]
    pub fn has_unusable_goal(&self, goal: &str) -> bool {
        let number = self.index.goals.get(goal).and_then(|goal| goal.goal);
        number.is_some_and(|number| self.entries[number].record.is_none())
    }

    /// Whether documents of a goal may stand here that the system does not let us read: what they imply is not known, so
    /// what was derived from them before has to stay.
    #[must_use]
    pub fn hides_documents_of(&self, goal: &str) -> bool {
        let below = |path: &str| {
            let of_goal = path.strip_prefix("goals/").and_then(|path| path.split('/').next());
            path == "goals" || of_goal == Some(goal)
        };
        self.entries.iter().any(|entry| entry.unreadable == Some("path/unreadable") && below(&entry.path))
    }

    /// Makes these settings count instead of those of the files, from now on; `None` gives the files' back.
    pub fn pin(&mut self, settings: Option<Settings>) {
        self.pinned = settings;
        self.settle(false);
    }
}

/// Judges one file.
pub(super) fn entry(
    path: &Arc<str>,
    bytes: &Result<Vec<u8>, ReadFault>,
    scope: Scope,
    (wall, policies): (&Wall, &Policies),
    (inspect, identify): (Inspect<'_>, Option<Identify>),
) -> (LoadedFile, Vec<Finding>) {
    let path = Arc::clone(path);
    let place = match scope {
        Scope::Directory => PathFields::of(&path),
        Scope::Alone => None,
    };
    let mut reading = match bytes {
        Ok(bytes) => read(&path, bytes, wall),
        Err(fault) => Reading::unread(&path, fault.clone(), wall),
    };
    reading.must_be_document = reading.is_document() && (place.is_some() || scope == Scope::Alone);
    let misplaced = match scope {
        Scope::Directory => misplaced(&reading, place.as_ref()),
        Scope::Alone => None,
    };
    let Inspected { findings, excused_until } = inspect(&reading);
    let content = bytes.as_ref().ok().zip(identify).map(|(bytes, identify)| identify(bytes));
    let first = |areas: &[&str]| {
        let of = |finding: &&Finding| areas.iter().any(|area| finding.rule.starts_with(area));
        findings.iter().find(of).map(|finding| finding.rule)
    };
    let refused = findings.iter().map(|finding| finding.rule);
    let refused = refused.into_iter().find(|rule| rule.starts_with("privacy/") && policies.is_error(rule, &path));
    let unreadable = match (&misplaced, &reading.record) {
        (Some(misplaced), _) => Some(misplaced.rule()),
        (None, None) if reading.fault.is_some() => Some("path/unreadable"),
        (None, Some(_)) => None,
        (None, None) if reading.must_be_document => {
            first(&["path/", "yaml/", "shape/", "vocabulary/"]).or(refused).or(Some("shape/unknown-kind"))
        }
        (None, None) => None,
    };
    let suppressions = suppressions(&reading);
    let is_document = reading.is_document();
    let record = reading.record.filter(|_| unreadable.is_none());
    let entry = LoadedFile {
        path,
        place,
        record,
        unreadable,
        refused,
        excused_until,
        misplaced,
        suppressions,
        is_document,
        content,
    };
    (entry, findings)
}

/// Where `x.json` stands beside `x.yaml`, neither says what holds, so neither is read.
fn refuse_two_formats(entries: &mut [LoadedFile]) {
    for number in 0..entries.len() {
        let Some(stem) = entries[number].path.strip_suffix(".json").filter(|_| entries[number].place.is_some()) else {
            continue;
        };
        let sibling = format!("{stem}.yaml");
        if let Ok(other) = entries.binary_search_by(|entry| (*entry.path).cmp(&sibling)) {
            for each in [number, other] {
                entries[each].misplaced = Some(Misplaced::TwoFormats);
                entries[each].unreadable = Some(Misplaced::TwoFormats.rule());
                entries[each].record = None;
            }
        }
    }
}
