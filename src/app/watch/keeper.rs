//! What a watch knows of a state directory, and one look at what became of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ground::{Checkout, Ground};
use super::tell::{Sides, tell};
use crate::app::Error;
use crate::app::plan::changes;
use crate::app::world::{Records, world};
use crate::reconcile::{Plan, reconcile};
use crate::render::{Told, outputs};
use crate::rules::{judge_alone, keep};
use crate::vocabulary::Instant;
use crate::watch::Extent;
use crate::workspace::{Entry, Kept, Territory, Workspace};

/// A state directory, kept in step: what one cold `reconcile` of the same files would give stands in its outputs after
/// every look that was told of all that had changed (law 4).
pub struct Keeper {
    kept: Kept,
    records: Records,
    checkout: Checkout,
    /// What the outputs say by now.
    plan: Plan,
    /// What stands in the places of outputs.
    standing: BTreeMap<String, Vec<u8>>,
    /// Files that changed since the outputs were written, as they were then.
    before: BTreeMap<Arc<str>, Option<Entry>>,
    /// Whether the outputs may not be what they should be.
    is_behind: bool,
}

/// What came of a look.
#[derive(Debug)]
pub enum Looked {
    /// Nothing that matters has changed.
    Same,
    /// Something has, and the outputs are up to date again.
    Ran(Ran),
    /// Git changed files meanwhile; look again.
    Overtaken,
}

/// A run that followed a change.
#[derive(Debug, Default)]
pub struct Ran {
    /// What has another meaning than before.
    pub changes: Vec<Told>,
    /// What was checked out before, and is now, when that differs.
    pub moved: Option<(Checkout, Checkout)>,
    /// How many outputs were written.
    pub written: usize,
    /// How many outputs were removed.
    pub removed: usize,
}

impl Keeper {
    /// Reads everything and brings the outputs up to date.
    ///
    /// # Errors
    /// Git cannot be read, or the outputs cannot be written. `None`: git changed files meanwhile.
    pub fn open(ground: &mut dyn Ground, as_of: Instant) -> Result<Option<(Self, Ran)>, Error> {
        let checkout = ground.begin()?;
        let kept = keep(&*ground.walk());
        let records = ground.records(kept.workspace(), &Records::default())?.unwrap_or_default();
        let plan = reconcile(&world(kept.workspace(), &records), &kept.workspace().wall, as_of);
        let standing = ground.outputs("");
        let before = BTreeMap::new();
        let mut keeper = Self { kept, records, checkout, plan, standing, before, is_behind: true };
        let plan = keeper.plan.clone();
        let checkout = keeper.checkout.clone();
        match keeper.publish(ground, plan, checkout)? {
            Looked::Ran(ran) => Ok(Some((keeper, ran))),
            Looked::Same => Ok(Some((keeper, Ran::default()))),
            Looked::Overtaken => Ok(None),
        }
    }

    /// Looks at what may have changed, and brings the outputs up to date.
    ///
    /// # Errors
    /// As [`Keeper::open`]; then the next look should be one at everything.
    pub fn look(&mut self, ground: &mut dyn Ground, extent: &Extent, as_of: Instant) -> Result<Looked, Error> {
        let checkout = ground.begin()?;
        let has_moved = checkout != self.checkout;
        let mut is_other = self.is_behind || has_moved;
        let is_output = |path: &&String| Territory::of(path) == Territory::Output;
        let (outputs, documents): (BTreeSet<_>, BTreeSet<_>) =
            extent.paths.iter().cloned().partition(|path| is_output(&path));
        let near = match extent.everything || has_moved {
            true => None,
            false => ground.at(&documents).and_then(|files| self.kept.look(&*files, &documents)),
        };
        let is_far = near.is_none();
        let before = near.unwrap_or_else(|| self.kept.walk(&*ground.walk()));
        is_other |= !before.is_empty();
        for (path, entry) in before {
            self.before.entry(path).or_insert(entry);
        }
        match is_far {
            true => is_other |= self.see_outputs(ground, ""),
            false => outputs.iter().for_each(|path| is_other |= self.see_outputs(ground, path)),
        }
        if let Some(records) = ground.records(self.kept.workspace(), &self.records)? {
            self.records = records;
            is_other = true;
        }
        is_other |= self.plan.valid_until.is_some_and(|until| until <= as_of);
        if !is_other {
            return Ok(Looked::Same);
        }
        self.is_behind = true;
        let workspace = self.kept.workspace();
        let plan = reconcile(&world(workspace, &self.records), &workspace.wall, as_of);
        self.publish(ground, plan, checkout)
    }

    /// Reads the outputs at and below a path again, and tells whether they are other ones than they were left as.
    fn see_outputs(&mut self, ground: &dyn Ground, below: &str) -> bool {
        let found = ground.outputs(below);
        let folder = format!("{below}/");
        let is_below = |path: &String| below.is_empty() || path == below || path.starts_with(&folder);
        let known: Vec<String> = self.standing.keys().filter(|path| is_below(path)).cloned().collect();
        if known.len() == found.len() && found.iter().all(|(path, bytes)| self.standing.get(path) == Some(bytes)) {
            return false;
        }
        for path in known {
            self.standing.remove(&path);
        }
        self.standing.extend(found);
        true
    }

    /// Writes the outputs of a plan that differ, and says what has another meaning than before.
    fn publish(&mut self, ground: &mut dyn Ground, plan: Plan, checkout: Checkout) -> Result<Looked, Error> {
        let names: Vec<String> = self.standing.keys().cloned().collect();
        let (changes, _) = changes(&outputs(&plan), &names, &|path| self.standing.get(path).cloned());
        let mut ran = Ran::default();
        if !changes.is_empty() {
            let Some(written) = ground.write(&changes)? else { return Ok(Looked::Overtaken) };
            (ran.written, ran.removed) = (written.written.len(), written.removed.len());
        }
        for change in changes {
            match change.new {
                Some(bytes) => drop(self.standing.insert(change.path, bytes)),
                None => drop(self.standing.remove(&change.path)),
            }
        }
        let before = std::mem::take(&mut self.before);
        let old = std::mem::replace(&mut self.plan, plan);
        let workspace = self.kept.workspace();
        let why = |path: &str, rule: &str| fault(ground, path, rule);
        ran.changes = tell(&Sides { before: &before, workspace, old: &old, new: &self.plan, why: &why });
        if self.checkout != checkout {
            ran.moved = Some((std::mem::replace(&mut self.checkout, checkout.clone()), checkout));
        }
        self.is_behind = false;
        let is_same = ran.changes.is_empty() && ran.moved.is_none() && ran.written + ran.removed == 0;
        Ok(if is_same { Looked::Same } else { Looked::Ran(ran) })
    }

    /// The state directory as it was last seen.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        self.kept.workspace()
    }

    /// What was checked out then.
    #[must_use]
    pub fn checkout(&self) -> &Checkout {
        &self.checkout
    }

    /// What follows from it.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What stands in the places of outputs.
    #[must_use]
    pub fn standing(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.standing
    }
}

/// What is wrong with a document by a rule, in words and with its line.
fn fault(ground: &dyn Ground, path: &str, rule: &str) -> Option<String> {
    let judged = judge_alone(&*ground.at(&BTreeSet::from([path.to_owned()]))?);
    let finding = judged.findings.into_iter().find(|finding| finding.rule == rule)?;
    Some(match finding.line() {
        0 => finding.message.to_string(),
        line => format!("{} (line {line})", finding.message),
    })
}
