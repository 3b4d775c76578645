//! A state directory in memory that changes while it is watched.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use loopx::app::{Checkout, Error, Records, WatchIo};
use loopx::render::OutputChange;
use loopx::store::WrittenFiles;
use loopx::vocabulary::{Instant, Receipt};
use loopx::workspace::{Files, Identify, ReadFault, Stamp, Workspace};

use crate::effective::trees::{Tree, Trees, identify};

/// The ground of a test.
#[derive(Clone, Default)]
pub(super) struct Soil {
    /// The documents, each with a number that every write changes.
    files: BTreeMap<String, (Vec<u8>, u64)>,
    writes: u64,
    /// Documents that the system does not let us read.
    locked: BTreeSet<String>,
    /// What the commits beside the documents hold, where there are any.
    pub(super) commits: Option<Trees>,
    pub(super) outputs: BTreeMap<String, Vec<u8>>,
    pub(super) recorded: Vec<Receipt>,
    /// Another number for other receipts.
    era: u64,
    told_era: Cell<Option<u64>>,
    pub(super) checkout: Checkout,
    /// Whether git changes files in the middle of the next look.
    pub(super) is_overtaking: bool,
    /// Looks at single files, and at everything.
    pub(super) near: Cell<usize>,
    pub(super) far: Cell<usize>,
}

/// Some files of it as they are at one moment.
struct Listed {
    files: BTreeMap<String, (Vec<u8>, u64)>,
    locked: BTreeSet<String>,
    has_commits: bool,
    names: Vec<String>,
}

impl Files for Listed {
    fn list(&self) -> &[String] {
        &self.names
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        if self.locked.contains(path) {
            return Err(ReadFault { reason: "permission denied".to_owned() });
        }
        let found = self.files.get(path).map(|(bytes, _)| bytes.clone());
        found.ok_or_else(|| ReadFault { reason: "no such file".to_owned() })
    }
    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.files.get(path).map(|(_, write)| Stamp::numbered(*write))
    }
    fn identify(&self) -> Option<Identify> {
        self.has_commits.then_some(identify)
    }
}

impl Soil {
    pub(super) fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.writes += 1;
        self.files.insert(path.to_owned(), (bytes, self.writes));
    }

    pub(super) fn take(&mut self, path: &str) -> Option<Vec<u8>> {
        self.files.remove(path).map(|(bytes, _)| bytes)
    }

    pub(super) fn get(&self, path: &str) -> Option<&Vec<u8>> {
        self.files.get(path).map(|(bytes, _)| bytes)
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    /// Everything as plain files.
    pub(super) fn all(&self) -> BTreeMap<String, Vec<u8>> {
        self.files.iter().map(|(path, (bytes, _))| (path.clone(), bytes.clone())).collect()
    }

    /// Everything as it can be read.
    pub(super) fn tree(&self) -> Tree {
        let read = |path: &String, bytes: &Vec<u8>| (!self.locked.contains(path)).then(|| bytes.clone());
        self.files.iter().map(|(path, (bytes, _))| (path.clone(), read(path, bytes))).collect()
    }

    /// Takes the right to read a file away, or gives it back; either way the system notes a change.
    pub(super) fn toggle_lock(&mut self, path: &str) {
        if !self.locked.remove(path) {
            self.locked.insert(path.to_owned());
        }
        if let Some(bytes) = self.take(path) {
            self.put(path, bytes);
        }
    }

    /// The documents and what the commits beside them hold.
    pub(super) fn trees(&self) -> Option<Trees> {
        let commits = self.commits.clone()?;
        Some(Trees { here: self.tree(), recorded: self.recorded.clone(), ..commits })
    }

    /// Moves the authority ref or `HEAD`.
    pub(super) fn commit(&mut self, change: impl FnOnce(&mut Trees)) {
        self.commits.as_mut().map(change);
        self.era += 1;
    }

    /// Records other receipts.
    pub(super) fn record(&mut self, recorded: Vec<Receipt>) {
        self.recorded = recorded;
        self.era += 1;
    }

    fn is_folder(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.files.range(below.clone()..).next().is_some_and(|(found, _)| found.starts_with(&below))
    }

    fn listed(&self, names: Vec<String>) -> Box<dyn Files> {
        let has_commits = self.commits.is_some();
        Box::new(Listed { files: self.files.clone(), locked: self.locked.clone(), has_commits, names })
    }
}

impl WatchIo for Soil {
    fn begin(&mut self) -> Result<Checkout, Error> {
        Ok(self.checkout.clone())
    }

    fn walk(&self) -> Result<Box<dyn Files>, Error> {
        self.far.set(self.far.get() + 1);
        Ok(self.listed(self.paths()))
    }

    fn at(&self, paths: &BTreeSet<String>) -> Result<Option<Box<dyn Files>>, Error> {
        if paths.iter().any(|path| self.is_folder(path)) {
            return Ok(None);
        }
        self.near.set(self.near.get() + 1);
        let there = paths.iter().filter(|path| self.files.contains_key(*path));
        Ok(Some(self.listed(there.cloned().collect())))
    }

    fn records(&self, _known: &Records) -> Result<Option<Records>, Error> {
        let is_known = self.told_era.replace(Some(self.era)) == Some(self.era);
        let judge = self.commits.as_ref().map(Trees::judge).unwrap_or_default();
        Ok((!is_known).then(|| Records::of(self.recorded.iter().cloned()).with_judge(judge)))
    }

    fn join(
        &self,
        records: &mut Records,
        here: &Workspace,
        goals: Option<&BTreeSet<String>>,
        as_of: Instant,
    ) -> Result<(), Error> {
        let Some(commits) = &self.commits else { return Ok(()) };
        records.join_versions(&commits.versions(), here, goals, &|paths| Ok(commits.read(paths, as_of)))
    }

    fn outputs(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let is_below = |path: &str| below.is_empty() || path == below || path.starts_with(&format!("{below}/"));
        let found = self.outputs.iter().filter(|(path, _)| is_below(path));
        found.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    }

    fn write(&mut self, changes: &[OutputChange]) -> Result<Option<WrittenFiles>, Error> {
        if std::mem::take(&mut self.is_overtaking) {
            return Ok(None);
        }
        let mut written = WrittenFiles::default();
        for OutputChange { path, new, .. } in changes {
            match new {
                Some(bytes) => {
                    self.outputs.insert(path.clone(), bytes.clone());
                    written.written.push(path.clone());
                }
                None => {
                    self.outputs.remove(path);
                    written.removed.push(path.clone());
                }
            }
        }
        Ok(Some(written))
    }
}
