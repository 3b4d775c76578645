//! A work tree and the commits beside it, in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use loopx::app::{Records, world};
use loopx::effective::ContentVersions;
use loopx::reconcile::{Permit, Plan, permits, reconcile};
use loopx::rules::{Judge, open_under};
use loopx::vocabulary::{Instant, Receipt};
use loopx::workspace::{ContentId, Files, Identify, MemoryFiles, Policies, ReadFault, Workspace};
use sha2::{Digest as _, Sha256};

/// Files by their path below the state directory; `None` is one that the system does not let us read.
pub(crate) type Tree = BTreeMap<String, Option<Vec<u8>>>;

/// A work tree and the commits beside it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trees {
    pub(crate) here: Tree,
    pub(crate) head: Tree,
    pub(crate) reference: Tree,
    /// Where `HEAD` and the authority ref parted; `None` where nobody knows.
    pub(crate) base: Option<Tree>,
    /// What the authority ref has recorded.
    pub(crate) recorded: Vec<Receipt>,
}

/// What verdicts rest on.
pub(crate) struct Joined {
    pub(crate) workspace: Workspace,
    pub(crate) records: Records,
}

/// Takes files that all can be read.
pub(crate) fn readable(files: &BTreeMap<String, Vec<u8>>) -> Tree {
    files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.clone()))).collect()
}

pub(crate) fn identify(bytes: &[u8]) -> ContentId {
    ContentId::new(&Sha256::digest(bytes))
}

/// Files whose contents have names.
pub(crate) struct Named<'t> {
    tree: &'t Tree,
    names: Vec<String>,
}

impl<'t> Named<'t> {
    pub(crate) fn of(tree: &'t Tree) -> Self {
        Self { tree, names: tree.keys().cloned().collect() }
    }
}

impl Files for Named<'_> {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        let bytes = self.tree.get(path).and_then(Option::as_ref);
        bytes.cloned().ok_or_else(|| ReadFault { reason: "permission denied".to_owned() })
    }

    fn identify(&self) -> Option<Identify> {
        Some(identify)
    }
}

impl Trees {
    /// All of it as the authority ref has it.
    pub(crate) fn committed(files: &BTreeMap<String, Vec<u8>>, recorded: Vec<Receipt>) -> Self {
        let tree = readable(files);
        Self { here: tree.clone(), head: tree.clone(), reference: tree.clone(), base: Some(tree), recorded }
    }

    /// What the commits hold under each path.
    pub(crate) fn versions(&self) -> ContentVersions {
        let names = |tree: &Tree| -> BTreeMap<Arc<str>, ContentId> {
            let known = tree.iter().filter_map(|(path, bytes)| Some((Arc::from(path.as_str()), bytes.as_deref()?)));
            known.map(|(path, bytes)| (path, identify(bytes))).collect()
        };
        ContentVersions::new(names(&self.reference), &names(&self.head), self.base.as_ref().map(names).as_ref())
    }

    /// The policies of the authority ref.
    pub(crate) fn judge(&self) -> Judge {
        Judge { policies: Some(Policies::read(&Named::of(&self.reference))), settings: None }
    }

    /// Reads some documents of the authority ref and of `HEAD`.
    pub(crate) fn read(&self, [reference, head]: [BTreeSet<Arc<str>>; 2], as_of: Instant) -> [Workspace; 2] {
        let part = |tree: &Tree, paths: BTreeSet<Arc<str>>| -> Workspace {
            let named = paths.into_iter().filter_map(|path| Some((path.to_string(), tree.get(&*path)?.clone())));
            open_under(&Named::of(&named.collect()), &self.judge(), as_of)
        };
        [part(&self.reference, reference), part(&self.head, head)]
    }

    /// Joins the work tree with the commits.
    pub(crate) fn join(&self, as_of: Instant) -> Joined {
        let judge = self.judge();
        let workspace = open_under(&Named::of(&self.here), &judge, as_of);
        let mut records = Records::of(self.recorded.iter().cloned()).with_judge(judge);
        let read = |paths| Ok(self.read(paths, as_of));
        records.join_versions(&self.versions(), &workspace, None, &read).expect("memory can be read");
        Joined { workspace, records }
    }
}

impl Joined {
    pub(crate) fn plan(&self, as_of: Instant) -> Plan {
        reconcile(&world(&self.workspace, &self.records), &self.workspace.wall, as_of)
    }

    pub(crate) fn permits(&self, as_of: Instant) -> Vec<Permit> {
        permits(&world(&self.workspace, &self.records), &self.workspace.wall, as_of)
    }
}

/// What the work tree alone permits: what a verdict would be that forgets the authority ref.
pub(crate) fn alone(trees: &Trees, as_of: Instant) -> Vec<Permit> {
    let files: BTreeMap<String, Vec<u8>> =
        trees.here.iter().filter_map(|(path, bytes)| Some((path.clone(), bytes.clone()?))).collect();
    let workspace = loopx::rules::open(&MemoryFiles::new(files), as_of);
    let records = Records::of(trees.recorded.iter().cloned());
    permits(&world(&workspace, &records), &workspace.wall, as_of)
}
