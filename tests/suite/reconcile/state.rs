//! A state directory of the fixtures as a world: its `receipts/` count as recorded, and so do the decisions of the ids
//! that `recorded.txt` names, one a line.

use std::path::{Path, PathBuf};

use loopx::app::{Records, world};
use loopx::reconcile::{Plan, World, reconcile};
use loopx::rules::open;
use loopx::vocabulary::{Instant, Receipt, Record};
use loopx::workspace::{Files, Workspace};

use crate::effective::trees::{Joined, Tree, Trees};
use crate::fixture::Folder;

/// The instant that documents are read at: no exception ends before the instants of the plans.
const READ_AT: &str = "2026-03-07T12:00:00Z";

/// A state directory with what is recorded of it.
pub(crate) struct State {
    workspace: Workspace,
    records: Records,
}

/// A folder of the project.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// An instant that a test names.
pub(crate) fn instant(text: &str) -> Instant {
    Instant::parse(text.trim()).expect("an instant")
}

impl State {
    /// Reads a folder of the project.
    ///
    /// A folder `reference/` in it holds the files of the authority ref, as they were when the branch began, too.
    pub(crate) fn open(name: &str) -> Self {
        if folder(name).join("reference").is_dir() {
            return Self::joined(&Folder::read(&folder(name)));
        }
        let recorded = std::fs::read_to_string(folder(name).join("recorded.txt")).unwrap_or_default();
        Self::read(&Folder::read(&folder(name)), &recorded.lines().collect::<Vec<_>>())
    }

    /// Reads files; the decisions of `recorded` ids count as recorded.
    pub(crate) fn read(files: &dyn Files, recorded: &[&str]) -> Self {
        let workspace = open(files, instant(READ_AT));
        let receipt = |record: &Record| match record {
            Record::Receipt(receipt) => Some(receipt.clone()),
            _ => None,
        };
        let mut receipts: Vec<Receipt> =
            workspace.entries.iter().filter_map(|it| receipt(it.record.as_ref()?)).collect();
        let mut state = Self { workspace, records: Records::default() };
        let decided = state.plan(instant(READ_AT)).unrecorded;
        receipts.extend(decided.into_iter().filter(|receipt| recorded.contains(&receipt.source.id.as_str())));
        state.records = Records::of(receipts);
        state
    }

    /// Joins the files with those of the authority ref, of which nothing is recorded.
    fn joined(files: &Folder) -> Self {
        let of = |is_reference: bool| -> Tree {
            let names = files.list().iter().filter(|name| name.starts_with("reference/") == is_reference);
            let own = |name: &String| name.trim_start_matches("reference/").to_owned();
            names.map(|name| (own(name), files.read(name).ok())).collect()
        };
        let (here, reference) = (of(false), of(true));
        let trees = Trees { head: here.clone(), here, base: Some(reference.clone()), reference, recorded: Vec::new() };
        let Joined { workspace, records } = trees.join(instant(READ_AT));
        Self { workspace, records }
    }

    /// What reconcile looks at.
    pub(crate) fn world(&self) -> World<'_> {
        world(&self.workspace, &self.records)
    }

    /// What follows at an instant.
    pub(crate) fn plan(&self, as_of: Instant) -> Plan {
        self.plan_of(&self.world(), as_of)
    }

    /// What follows from a world made of this state.
    pub(crate) fn plan_of(&self, world: &World<'_>, as_of: Instant) -> Plan {
        reconcile(world, &self.workspace.wall, as_of)
    }
}
