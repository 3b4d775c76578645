//! What a watch knows of a state directory, and one look at what became of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::io::{Checkout, WatchIo};
use super::tell::{StatePair, tell};
use crate::app::Error;
use crate::app::plan::{changes, removable};
use crate::app::world::{Records, facts_absent, goals_that_bind, world, world_around};
use crate::reconcile::{Plan, reconcile};
use crate::render::{ATTENTION_JSON, ATTENTION_PAGE, MeaningChange, outputs, outputs_of_attention, outputs_of_goals};
use crate::rules::{judge_alone, keep};
use crate::vocabulary::{Instant, Kind};
use crate::watch::Extent;
use crate::workspace::{Emitted, IncrementalWorkspace, LoadedFile, PathClass, Workspace};

/// A state directory, kept in step: what one cold `reconcile` of the same files would give stands in its outputs after
/// every look that was told of all that had changed (law 4).
pub struct IncrementalPlan {
    kept: IncrementalWorkspace,
    records: Records,
    checkout: Checkout,
    /// What the outputs say by now.
    plan: Plan,
    /// What stands in the places of outputs.
    standing: BTreeMap<String, Vec<u8>>,
    /// Files that changed since the outputs were written, as they were then.
    before: BTreeMap<Arc<str>, Option<LoadedFile>>,
    /// Whether the outputs may not be what they should be.
    is_behind: bool,
    /// Whether more is new since then than documents of some goals.
    is_wide: bool,
    /// Whether facts were absent when the plan was made.
    facts_absent: bool,
}

/// What has to be published.
struct Next {
    /// What followed before, of everything or of the goals that are judged again.
    old: Plan,
    /// What follows now, of the same.
    new: Plan,
    /// What outputs shall be, among those that stand under these names.
    wanted: BTreeMap<String, Vec<u8>>,
    names: Vec<String>,
    /// The goals that were judged again; `None`: every one.
    goals: Option<BTreeSet<String>>,
}

/// What came of a look.
#[derive(Debug)]
pub enum Looked {
    /// Nothing that matters has changed.
    Same,
    /// Something has, and the outputs are up to date again.
    Ran(ReconcileRun),
    /// Git changed files meanwhile; look again.
    Overtaken,
}

/// What one reconcile of a watch changed.
#[derive(Debug, Default)]
pub struct ReconcileRun {
    /// What has another meaning than before.
    pub changes: Vec<MeaningChange>,
    /// What was checked out before, and is now, when that differs.
    pub moved: Option<(Checkout, Checkout)>,
    /// How many outputs were written.
    pub written: usize,
    /// How many outputs were removed.
    pub removed: usize,
    /// Whether something was decided whose receipt is still to be recorded.
    pub is_to_record: bool,
}

impl IncrementalPlan {
    /// Reads everything and brings the outputs up to date.
    ///
    /// # Errors
    /// Git cannot be read, or the outputs cannot be written. `None`: git changed files meanwhile.
    pub fn open(io: &mut dyn WatchIo, as_of: Instant) -> Result<Option<(Self, ReconcileRun)>, Error> {
        let checkout = io.begin()?;
        let mut records = io.records(&Records::default())?.unwrap_or_default();
        let kept = keep(&*io.walk()?, records.judge().clone(), as_of);
        io.join(&mut records, kept.workspace(), None, as_of)?;
        let plan = reconcile(&world(kept.workspace(), &records), &kept.workspace().wall, as_of);
        let standing = io.outputs("");
        let (facts_absent, before) = (facts_absent(kept.workspace(), &records), BTreeMap::new());
        let mut plan =
            Self { kept, records, checkout, plan, standing, before, facts_absent, is_behind: true, is_wide: true };
        let next = plan.far(io, as_of)?;
        let checkout = plan.checkout.clone();
        match plan.publish(io, next, checkout)? {
            Looked::Ran(ran) => Ok(Some((plan, ran))),
            Looked::Same => Ok(Some((plan, ReconcileRun::default()))),
            Looked::Overtaken => Ok(None),
        }
    }

    /// Looks at what may have changed, and brings the outputs up to date.
    ///
    /// # Errors
    /// As [`IncrementalPlan::open`]; then the next look should be one at everything.
    pub fn look(&mut self, io: &mut dyn WatchIo, extent: &Extent, as_of: Instant) -> Result<Looked, Error> {
        let checkout = io.begin()?;
        let has_moved = checkout != self.checkout;
        let mut is_other = self.is_behind || has_moved;
        let is_output = |path: &&String| PathClass::of(path) == PathClass::Output;
        let (outputs, documents): (BTreeSet<_>, BTreeSet<_>) =
            extent.paths.iter().cloned().partition(|path| is_output(&path));
        let records = io.records(&self.records)?;
        let has_other_records = records.is_some();
        if let Some(records) = records {
            let judge = records.judge().clone();
            self.kept.judge_by(judge.policies, judge.settings);
            self.records = records;
        }
        let files = match extent.everything || has_moved || has_other_records {
            true => None,
            false => io.at(&documents)?,
        };
        let near = files.and_then(|files| self.kept.look(&*files, &documents, as_of));
        let is_far = near.is_none();
        let before = match near {
            Some(before) => before,
            None => self.kept.walk(&*io.walk()?, as_of),
        };
        is_other |= !before.is_empty();
        for (path, entry) in before {
            self.before.entry(path).or_insert(entry);
        }
        let mut is_wide = has_moved || has_other_records;
        match is_far {
            true => is_wide |= self.see_outputs(io, ""),
            false => outputs.iter().for_each(|path| is_wide |= self.see_outputs(io, path)),
        }
        is_wide |= self.plan.valid_until.is_some_and(|until| until <= as_of);
        if !is_other && !is_wide {
            return Ok(Looked::Same);
        }
        self.is_behind = true;
        self.is_wide |= is_wide;
        let near = match self.concerned() {
            Some(goals) => self.near(io, &goals, as_of)?,
            None => None,
        };
        let next = match near {
            Some(next) => next,
            None => self.far(io, as_of)?,
        };
        // Until it is published, nobody knows what the outputs say.
        self.is_wide = true;
        self.publish(io, next, checkout)
    }

    /// The goals that the documents concern that changed; `None` when more may be concerned.
    fn concerned(&self) -> Option<BTreeSet<String>> {
        let workspace = self.kept.workspace();
        if self.is_wide || facts_absent(workspace, &self.records) != self.facts_absent {
            return None;
        }
        let mut goals = BTreeSet::new();
        for path in self.before.keys() {
            match (Kind::at(path), &*path.split('/').collect::<Vec<_>>()) {
                // Only what the authority ref holds counts.
                (_, ["receipts", ..]) => {}
                // Who binds a session decides whose facts they are, and whether anybody's.
                (Some((Kind::Binding, _)), _) => return None,
                (_, ["goals", goal, _, ..]) => drop(goals.insert((*goal).to_owned())),
                (Some((Kind::Facts, fields)), _) => {
                    let session = fields.iter().find(|(name, _)| *name == "session_id").map(|(_, session)| *session)?;
                    let bound: Vec<&str> = goals_that_bind(workspace, &self.records, session).collect();
                    if bound.is_empty() {
                        return None;
                    }
                    goals.extend(bound.into_iter().map(str::to_owned));
                }
                _ => return None,
            }
        }
        Some(goals)
    }

    /// Judges some goals again; `None` when they cannot be told from others.
    fn near(&mut self, io: &dyn WatchIo, goals: &BTreeSet<String>, as_of: Instant) -> Result<Option<Next>, Error> {
        io.join(&mut self.records, self.kept.workspace(), Some(goals), as_of)?;
        let old = self.plan.part(goals);
        let workspace = self.kept.workspace();
        let world = world_around(workspace, &self.records, goals);
        if !self.plan.renew(&world, &workspace.wall, as_of, goals) {
            return Ok(None);
        }
        let new = self.plan.part(goals);
        let mut wanted = outputs_of_goals(&new);
        wanted.extend(outputs_of_attention(&self.plan));
        let mut names = vec![ATTENTION_JSON.to_owned(), ATTENTION_PAGE.to_owned()];
        names.retain(|name| self.standing.contains_key(name));
        for folder in goals.iter().flat_map(|goal| Emitted::FOLDERS.map(|folder| format!("{folder}/{goal}/"))) {
            let below = self.standing.range(folder.clone()..).map(|(path, _)| path);
            names.extend(below.take_while(|path| path.starts_with(&folder)).cloned());
        }
        Ok(Some(Next { old, new, wanted, names, goals: Some(goals.clone()) }))
    }

    /// Judges every goal.
    fn far(&mut self, io: &dyn WatchIo, as_of: Instant) -> Result<Next, Error> {
        io.join(&mut self.records, self.kept.workspace(), None, as_of)?;
        let workspace = self.kept.workspace();
        let new = reconcile(&world(workspace, &self.records), &workspace.wall, as_of);
        self.facts_absent = facts_absent(workspace, &self.records);
        let old = std::mem::replace(&mut self.plan, new.clone());
        Ok(Next { old, wanted: outputs(&new), new, names: self.standing.keys().cloned().collect(), goals: None })
    }

    /// Reads the outputs at and below a path again, and tells whether they are other ones than they were left as.
    fn see_outputs(&mut self, io: &dyn WatchIo, below: &str) -> bool {
        let found = io.outputs(below);
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

    /// Writes the outputs that differ, and says what has another meaning than before.
    fn publish(&mut self, io: &mut dyn WatchIo, next: Next, checkout: Checkout) -> Result<Looked, Error> {
        let Next { old, new, wanted, names, goals } = next;
        let names = removable(self.kept.workspace(), &names);
        let (changes, _) = changes(&wanted, &names, &|path| self.standing.get(path).cloned());
        let mut ran = ReconcileRun::default();
        if !changes.is_empty() {
            let written = match io.write(&changes) {
                Ok(Some(written)) => written,
                unwritten => {
                    // What was seen was never said; the next look says what changed since the outputs were written.
                    self.plan.put_back(old, goals.as_ref());
                    return unwritten.map(|_| Looked::Overtaken);
                }
            };
            (ran.written, ran.removed) = (written.written.len(), written.removed.len());
        }
        for change in changes {
            match change.new {
                Some(bytes) => drop(self.standing.insert(change.path, bytes)),
                None => drop(self.standing.remove(&change.path)),
            }
        }
        let before = std::mem::take(&mut self.before);
        let workspace = self.kept.workspace();
        let why = |path: &str, rule: &str| fault(io, path, rule);
        ran.is_to_record = new.unrecorded.iter().any(|receipt| !old.unrecorded.contains(receipt));
        ran.changes = tell(&StatePair { before: &before, workspace, old: &old, new: &new, why: &why });
        if self.checkout != checkout {
            ran.moved = Some((std::mem::replace(&mut self.checkout, checkout.clone()), checkout));
        }
        (self.is_behind, self.is_wide) = (false, false);
        let is_same = ran.changes.is_empty() && ran.moved.is_none() && ran.written + ran.removed == 0;
        Ok(if is_same { Looked::Same } else { Looked::Ran(ran) })
    }

    /// The state directory as it was last seen.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        self.kept.workspace()
    }

    /// What is recorded.
    #[must_use]
    pub(super) fn records(&self) -> &Records {
        &self.records
    }

    /// What was checked out then.
    #[must_use]
    pub fn checkout(&self) -> &Checkout {
        &self.checkout
    }

    /// Returns the plan of the last look.
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
fn fault(io: &dyn WatchIo, path: &str, rule: &str) -> Option<String> {
    let judged = judge_alone(&*io.at(&BTreeSet::from([path.to_owned()])).ok()??);
    let finding = judged.findings.into_iter().find(|finding| finding.rule == rule)?;
    Some(match finding.line() {
        0 => finding.message.to_string(),
        line => format!("{} (line {line})", finding.message),
    })
}
