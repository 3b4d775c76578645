//! The documents of one goal that count, where it differs from the authority ref.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::merge::{Merged, gate, handoff, todo};
use super::proposed::{Proposed, ProposedKind};
use super::table::GOAL;
use super::{DocumentKey, IsRecorded};
use crate::vocabulary::{
    Blocks, Effect, Gate, GateDecision, Goal, Handoff, Id, Instant, Kind, Quota, Record, Todo, TodoStatus,
};
use crate::workspace::{LoadedFile, Workspace};

/// One document that differs, in the versions that have a say.
pub(super) struct DifferingDocument<'a> {
    pub(super) key: &'a DocumentKey,
    pub(super) here: Option<&'a LoadedFile>,
    pub(super) reference: Option<&'a LoadedFile>,
    /// What `HEAD` holds where it is gone here.
    pub(super) head: Option<&'a LoadedFile>,
    pub(super) is_unchanged: bool,
    pub(super) is_committed: bool,
    /// Whether the authority ref has changed it since both parted.
    pub(super) is_changed_there: bool,
}

/// The documents of one goal that count, where they are others than those here.
#[derive(Debug, Clone, Default)]
pub struct EffectiveGoal {
    /// Whether `goal.yaml` is at the authority ref.
    pub is_recorded: bool,
    /// Whether all of it that differs stands here as `HEAD` has it.
    pub is_committed: bool,
    /// Whether any document was changed here; otherwise the authority ref only went on.
    pub is_changed_here: bool,
    /// What counts of each document that differs; nothing where it does not count at all.
    pub documents: BTreeMap<(Kind, Box<str>), Option<Record>>,
    /// Files of commits that may not be used as they stand.
    pub unusable: Vec<LoadedFile>,
    /// Gates as they stand here, where what counts of them is otherwise: their receipts are of these.
    pub gates_here: BTreeMap<Box<str>, Record>,
    /// Gates whose copy here is older than the one at the authority ref.
    pub older_gates: BTreeSet<Box<str>>,
    /// Todos as they stand here, where that would open more than counts.
    pub todos_here: BTreeMap<Box<str>, Record>,
    /// Todos that are done here and not at the authority ref, as they are while that does not count.
    pub reopened: BTreeMap<Box<str>, Record>,
    /// Todos that may not be started because the versions name different agents for them.
    pub held: BTreeSet<Box<str>>,
    /// The quota at the authority ref, where another one stands here: the one counts that has less left.
    pub quota: Option<Quota>,
    /// What stands here and does not count yet.
    pub proposed: Vec<Proposed>,
    /// When more of it is refused than now: the end of an exception that excuses one of the versions.
    pub usable_until: Option<Instant>,
}

impl EffectiveGoal {
    pub(super) fn new(
        here: &Workspace,
        sides: &[DifferingDocument<'_>],
        is_recorded: bool,
        receipts: IsRecorded<'_>,
    ) -> Self {
        let is_committed = sides.iter().all(|side| side.is_committed);
        let is_changed_here = sides.iter().any(|side| !side.is_unchanged);
        let mut effective = Self { is_recorded, is_committed, is_changed_here, ..Self::default() };
        // Without a goal at the authority ref nothing of it is open, and its documents stand as they are here.
        if !is_recorded && sides.iter().all(|side| side.reference.is_none() && side.here.is_some()) {
            let id = sides.first().map(|side| side.key.goal.clone()).unwrap_or_default();
            effective.propose(Kind::Goal, &id, ProposedKind::Added, false);
            return effective;
        }
        let joined = Joined::new(here, sides);
        for side in sides {
            effective.join(side, &joined, receipts);
        }
        effective.hold_contested(&joined);
        effective.proposed.sort_unstable();
        effective
    }

    fn propose(&mut self, kind: Kind, id: &str, what: ProposedKind, is_behind: bool) {
        self.proposed.push(Proposed { kind, id: id.into(), what, is_behind });
    }

    fn put(&mut self, side: &DifferingDocument<'_>, record: Option<Record>) {
        self.documents.insert((side.key.kind, side.key.id.clone()), record);
    }

    /// Takes a version of a commit as it stands; one that may not be used closes the goal and says nothing else.
    fn take(&mut self, side: &DifferingDocument<'_>, entry: Option<&LoadedFile>) {
        let is_unusable = |entry: &&LoadedFile| entry.unreadable.is_some() || entry.refused.is_some();
        self.unusable.extend(entry.filter(is_unusable).cloned());
        self.put(side, entry.filter(|entry| !is_unusable(entry)).and_then(|entry| entry.record.clone()));
    }

    fn join(&mut self, side: &DifferingDocument<'_>, joined: &Joined<'_>, receipts: IsRecorded<'_>) {
        let versions = [side.here, side.reference, side.head].into_iter().flatten();
        self.usable_until = versions.filter_map(|entry| entry.excused_until).chain(self.usable_until).min();
        if side.is_unchanged {
            return self.take(side, side.reference);
        }
        let Some(here) = side.here else { return self.join_gone(side) };
        // What is new here counts as it stands, or is in nobody's way.
        let Some(reference) = side.reference else { return self.hold_new_handoff(here, joined, receipts) };
        let Some(own) = &here.record else {
            // Nobody can read it, which closes the goal; whose screens that concerns the authority ref says.
            if side.key.kind == Kind::Goal {
                self.unusable.push(here.clone());
                self.take(side, Some(reference));
            }
            return;
        };
        let Some(theirs) = &reference.record else {
            // What the authority ref holds cannot be read, and may close anything.
            return self.unusable.push(reference.clone());
        };
        let refused = [here, reference].into_iter().filter(|entry| entry.refused.is_some());
        self.unusable.extend(refused.cloned());
        match (own, theirs) {
            (Record::Goal(own), Record::Goal(theirs)) => self.join_goal(side, own, theirs),
            (Record::Todo(own), Record::Todo(theirs)) => self.join_todo(side, own, theirs, joined),
            (Record::Gate(own), Record::Gate(theirs)) => self.join_gate(side, own, theirs, receipts),
            (Record::Handoff(own), Record::Handoff(theirs)) => {
                let merged = handoff(own, theirs);
                self.note(side, &merged.opens);
                self.put(side, Some(Record::Handoff(merged.record)));
            }
            // Bindings, rewards and the rest count from here; none of them opens anything by itself.
            _ => {}
        }
    }

    /// A document that is gone here still closes what it closes at the authority ref, or at `HEAD`.
    fn join_gone(&mut self, side: &DifferingDocument<'_>) {
        let standing = side.reference.or(side.head);
        let is_kept = match standing.and_then(|entry| entry.record.as_ref()) {
            Some(Record::Todo(todo)) => todo.task_class.is_user() && todo.status != TodoStatus::Done,
            Some(Record::Gate(_) | Record::Handoff(_) | Record::Goal(_) | Record::Binding(_)) => true,
            Some(_) => false,
            None => standing.is_some(),
        };
        if !is_kept {
            // What may not be used as it stands closes the goal until somebody's commit ends it.
            self.unusable.extend(standing.filter(|entry| entry.refused.is_some()).cloned());
            return self.put(side, None);
        }
        self.take(side, standing);
        self.propose(side.key.kind, &side.key.id, ProposedKind::Removed, false);
        if side.key.kind == Kind::Goal {
            self.is_recorded = false;
        }
    }

    fn join_goal(&mut self, side: &DifferingDocument<'_>, own: &Goal, theirs: &Goal) {
        let mut goal = own.clone();
        let opens: Vec<_> = GOAL.iter().filter(|row| (row.close)(&mut goal, theirs)).map(|row| row.field).collect();
        if own.quota != theirs.quota && theirs.quota.is_some() {
            self.quota.clone_from(&theirs.quota);
        }
        self.note(side, &opens);
        self.put(side, Some(Record::Goal(goal)));
    }

    fn join_todo(&mut self, side: &DifferingDocument<'_>, own: &Todo, theirs: &Todo, joined: &Joined<'_>) {
        let id = &side.key.id;
        let Merged { mut record, mut opens } = todo(own, theirs, joined.is_approved(id));
        let (mine, others) = (joined.agent(own, false), joined.agent(theirs, true));
        if others.is_some() && mine != others {
            opens.push("assignee");
            match mine {
                None => {
                    record.assignee.clone_from(&theirs.assignee);
                    record.claimed_by.clone_from(&theirs.claimed_by);
                }
                Some(_) => drop(self.held.insert(id.clone())),
            }
        }
        let is_finished_here = record.status == TodoStatus::Done && theirs.status != TodoStatus::Done;
        if is_finished_here && side.is_changed_there {
            // Both sides changed it, and what it was before may have been done: then the authority ref took that back.
            (record.status, record.done_at) = (theirs.status, None);
            opens.push("status");
        } else if is_finished_here {
            let open = Todo { status: TodoStatus::Open, done_at: None, ..record.clone() };
            self.reopened.insert(id.clone(), Record::Todo(open));
        }
        if !opens.is_empty() {
            self.todos_here.insert(id.clone(), Record::Todo(own.clone()));
        }
        self.note(side, &opens);
        self.put(side, Some(Record::Todo(record)));
    }

    fn join_gate(&mut self, side: &DifferingDocument<'_>, own: &Gate, theirs: &Gate, receipts: IsRecorded<'_>) {
        let Merged { record, opens } = gate(own, theirs, receipts);
        if own.revision < theirs.revision {
            self.older_gates.insert(side.key.id.clone());
            self.propose(side.key.kind, &side.key.id, ProposedKind::Field("revision"), true);
        }
        self.note(side, &opens);
        if record != *own {
            self.gates_here.insert(side.key.id.clone(), Record::Gate(own.clone()));
        }
        self.put(side, Some(Record::Gate(record)));
    }

    /// A handoff that is new here gives its todo to nobody yet, though a recorded decision would approve it.
    fn hold_new_handoff(&mut self, here: &LoadedFile, joined: &Joined<'_>, receipts: IsRecorded<'_>) {
        let Some(Record::Handoff(handoff)) = &here.record else { return };
        let is_approved = |gate: &&&Gate| {
            let effect = Effect::Gate(gate.goal_id.as_str(), gate.gate_id.as_str(), gate.revision);
            receipts(effect.run_id().as_str())
        };
        let gate = handoff.gate_id.as_ref().and_then(|gate| joined.approving.get(gate.as_str()));
        if handoff.withdrawn.is_none() && gate.filter(is_approved).is_some() {
            self.held.insert(handoff.todo_id.as_str().into());
            self.propose(Kind::Handoff, handoff.handoff_id.as_str(), ProposedKind::Added, false);
        }
    }

    fn note(&mut self, side: &DifferingDocument<'_>, opens: &[&'static str]) {
        for field in opens {
            self.propose(side.key.kind, &side.key.id, ProposedKind::Field(field), false);
        }
    }

    /// A handoff that is taken back here still gives its todo away at the authority ref, and one that ends sooner here
    /// makes way for an older one only here: nobody may start their todos.
    fn hold_contested(&mut self, joined: &Joined<'_>) {
        let contested = joined.withdrawn_here.iter().map(|todo| Box::from(*todo));
        self.held.extend(contested);
        for handoff in joined.overtaken_here() {
            self.held.insert(handoff.todo_id.as_str().into());
            let what = ProposedKind::Field("expires_at");
            self.propose(Kind::Handoff, handoff.handoff_id.as_str(), what, false);
        }
        for todo in joined.new_done.values() {
            let open = Todo { status: TodoStatus::Open, done_at: None, ..(*todo).clone() };
            self.reopened.insert(todo.todo_id.as_str().into(), Record::Todo(open));
        }
    }
}

/// What one document has to know of the others of its goal.
struct Joined<'a> {
    /// Todos that a gate names which a person approved, here or at the authority ref.
    approved: BTreeSet<&'a str>,
    /// Gates that a person approved, here or at the authority ref.
    approving: BTreeMap<&'a str, &'a Gate>,
    /// The newest handoff of a todo: as it counts here, and as it stands at the authority ref.
    handed: [BTreeMap<&'a str, Cow<'a, Handoff>>; 2],
    /// Todos of handoffs that are taken back here only.
    withdrawn_here: BTreeSet<&'a str>,
    /// Handoffs of the authority ref that end sooner here.
    sooner_here: Vec<&'a Handoff>,
    /// Todos that are new here and done already.
    new_done: BTreeMap<&'a str, &'a Todo>,
}

impl<'a> Joined<'a> {
    fn new(here: &'a Workspace, sides: &'a [DifferingDocument<'a>]) -> Self {
        let mut joined = Self {
            approved: BTreeSet::new(),
            approving: BTreeMap::new(),
            handed: [BTreeMap::new(), BTreeMap::new()],
            withdrawn_here: BTreeSet::new(),
            sooner_here: Vec::new(),
            new_done: BTreeMap::new(),
        };
        let differs = |kind, id: &str| sides.iter().any(|side| side.key.kind == kind && *side.key.id == *id);
        let goal = sides.first().map(|side| &*side.key.goal);
        let shared = [Kind::Gate, Kind::Handoff].into_iter().flat_map(|kind| {
            let files = goal.into_iter().flat_map(move |goal| here.files_of(goal, kind));
            files.filter(move |file| !file.own_id().is_some_and(|id| differs(kind, id)))
        });
        for entry in shared {
            joined.add(entry, &[0, 1]);
        }
        for side in sides {
            // What is unchanged here is what the authority ref made of it meanwhile.
            let own = if side.is_unchanged { side.reference } else { side.here };
            match [own, side.reference].map(|entry| entry.and_then(|entry| entry.record.as_ref())) {
                [Some(Record::Handoff(own)), Some(Record::Handoff(theirs))] => {
                    joined.hand(Cow::Owned(handoff(own, theirs).record), theirs.todo_id.as_str(), 0);
                }
                _ => own.into_iter().for_each(|entry| joined.add(entry, &[0])),
            }
            side.reference.into_iter().for_each(|entry| joined.add(entry, &[1]));
            joined.compare(side);
        }
        joined
    }

    /// Adds a document of one side or of both.
    fn add(&mut self, entry: &'a LoadedFile, of: &[usize]) {
        match &entry.record {
            Some(Record::Gate(gate)) => {
                let is_approved = gate.decision.as_ref().is_some_and(|act| act.label == GateDecision::Approve);
                if is_approved {
                    self.approving.insert(gate.gate_id.as_str(), gate);
                }
                if let (true, Blocks::Todos(todos)) = (is_approved, &gate.blocks) {
                    self.approved.extend(todos.iter().map(Id::as_str));
                }
            }
            Some(Record::Handoff(handoff)) => {
                of.iter().for_each(|number| self.hand(Cow::Borrowed(handoff), handoff.todo_id.as_str(), *number));
            }
            _ => {}
        }
    }

    /// Keeps the newest handoff of a todo on one side.
    fn hand(&mut self, handoff: Cow<'a, Handoff>, todo: &'a str, side: usize) {
        let order = |handoff: &Handoff| (handoff.expires_at, handoff.handoff_id.clone());
        let newest = self.handed[side].get(todo).map(|newest| order(newest));
        if handoff.withdrawn.is_none() && newest < Some(order(&handoff)) {
            self.handed[side].insert(todo, handoff);
        }
    }

    fn compare(&mut self, side: &DifferingDocument<'a>) {
        let record = |entry: Option<&'a LoadedFile>| entry.and_then(|entry| entry.record.as_ref());
        match (record(side.here), record(side.reference)) {
            (Some(Record::Handoff(own)), Some(Record::Handoff(theirs)))
                if !side.is_unchanged && own.withdrawn.is_some() && theirs.withdrawn.is_none() =>
            {
                self.withdrawn_here.insert(theirs.todo_id.as_str());
            }
            (Some(Record::Handoff(own)), Some(Record::Handoff(theirs)))
                if !side.is_unchanged && own.expires_at < theirs.expires_at =>
            {
                self.sooner_here.push(theirs);
            }
            (Some(Record::Todo(own)), None)
                if !side.is_unchanged && own.status == TodoStatus::Done && !own.task_class.is_user() =>
            {
                self.new_done.insert(own.todo_id.as_str(), own);
            }
            _ => {}
        }
    }

    /// Handoffs that end sooner here, so that another one is the newest of its todo here and not at the authority ref.
    fn overtaken_here(&self) -> impl Iterator<Item = &'a Handoff> {
        let is_newest = |number: usize, handoff: &Handoff| {
            let newest = self.handed[number].get(handoff.todo_id.as_str());
            newest.is_some_and(|newest| newest.handoff_id == handoff.handoff_id)
        };
        self.sooner_here.iter().copied().filter(move |handoff| is_newest(1, handoff) && !is_newest(0, handoff))
    }

    fn is_approved(&self, todo: &str) -> bool {
        self.approved.contains(todo)
    }

    /// The agent that a todo belongs to, here or at the authority ref; `None`: to every agent.
    fn agent<'t>(&'t self, todo: &'t Todo, at_reference: bool) -> Option<&'t str> {
        let handed = self.handed[usize::from(at_reference)].get(todo.todo_id.as_str());
        let handed = handed.map(|handoff| &handoff.to_agent);
        todo.assignee.as_ref().or(handed).or(todo.claimed_by.as_ref()).map(Id::as_str)
    }
}
