//! Law 10: an agent opens nothing by itself. The rows of the table know the ways that somebody thought of; this compares
//! what agents may do, and what waits for people, and so catches the rest.
//!
//! What people allow is what follows from the base, its own decisions recorded, with every field as people whom the base
//! knows wrote it last, and with the progress that agents make by themselves: new todos inside the boundary, todos that
//! they were permitted to finish, approved handoffs that they accept, and the end of what they themselves held up. What
//! the change permits has to lie within that, and what waits for a person has to wait still, unless it waits there no
//! longer either.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::authorship::ActClaim;
use super::checks::{actor_add, was_approved};
use super::openings::is_within;
use super::touched::TouchedDocument;
use super::versions::{FieldPath, ValueOrigin, value_at};
use super::{ChangeCommit, Submission};
use crate::effective::{FieldRow, HANDOFF, TODO};
use crate::finding::Finding;
use crate::reconcile::{GoalDocumentKey, GoalDocuments, Permit, PermitSummary, World, standing, unrecorded};
use crate::rules::transition::{FINISHED_EARLY, NEW_WORK, OPENS_BY_ITSELF, WAIT_ENDED};
use crate::vocabulary::acts::{ACTS, acts_of_people};
use crate::vocabulary::{
    ActorClass, ClosedWords, Handoff, Id, Kind, Level, Receipt, Record, ResumeWhen, TaskClass, Todo, TodoStatus,
};

/// Finds what a change opens, and which waits it ends, that no person allowed. `broken` holds what the rows of the table
/// say of each step: where they refuse something of a goal already, that is the reason.
pub(super) fn check(
    it: &Submission<'_>,
    steps: &[TouchedDocument<'_>],
    broken: &[Vec<Finding>],
) -> Vec<(Arc<str>, Finding)> {
    let mut allowed = Allowed::of_people(it, steps);
    let progress = allowed.make_progress();
    let mut found = allowed.finished_early(&progress);
    let refuses = |findings: &[Finding]| findings.iter().any(|finding| finding.level == Level::Error);
    let by_rows = steps.iter().zip(broken).filter(|(_, broken)| refuses(broken));
    let fields = allowed.opened_fields();
    let goals = |found: &[(Arc<str>, Finding)]| -> Vec<String> {
        found.iter().filter_map(|(path, _)| path.split('/').nth(1)).map(str::to_owned).collect()
    };
    let by_rows = by_rows.filter_map(|(step, _)| step.goal.as_deref()).map(str::to_owned);
    let explained: BTreeSet<String> = by_rows.chain(goals(&found)).collect();
    let opened = explained.iter().cloned().chain(goals(&fields)).collect();
    found.extend(fields);
    let after = standing(it.after.world, &it.before.workspace.wall, it.as_of);
    let law = GrantProperty { it, steps, allowed: &progress, after: &after, explained, opened };
    found.extend(law.openings());
    found.extend(law.ended_waits());
    found.extend(law.new_work());
    found
}

/// What people allow, as the documents that the change touches would say it.
struct Allowed<'s, 'a> {
    it: &'s Submission<'a>,
    steps: &'s [TouchedDocument<'a>],
    /// The record of each step that has a part in what agents may do; `None` where there is none.
    records: BTreeMap<usize, Option<Record>>,
}

impl<'s, 'a> Allowed<'s, 'a> {
    /// The base with the fields that people wrote last.
    fn of_people(it: &'s Submission<'a>, steps: &'s [TouchedDocument<'a>]) -> Self {
        let matters =
            |step: &TouchedDocument<'_>| matches!(step.kind, Kind::Goal | Kind::Todo | Kind::Gate | Kind::Handoff);
        let steps_that_matter = steps.iter().enumerate().filter(|(_, step)| matters(step));
        let records = steps_that_matter.map(|(number, step)| (number, ByPeople { it, step }.record()));
        Self { it, steps, records: records.collect() }
    }

    /// Adds what agents may do by themselves, step by step, until nothing more follows; gives what follows then.
    fn make_progress(&mut self) -> PermitSummary {
        self.add_new_todos();
        loop {
            let standing = self.standing();
            if !self.advance(&standing) {
                return standing;
            }
        }
    }

    /// What follows from the records.
    fn standing(&self) -> PermitSummary {
        let (wall, before) = (&self.it.before.workspace.wall, &self.it.before);
        let mut world = before.world.clone();
        for (number, record) in &self.records {
            place(&mut world, &self.steps[*number], record.as_ref());
        }
        world.record(&before.plan.unrecorded);
        let receipts: Vec<Receipt> = unrecorded(&world, wall);
        let mut recorded = world.clone();
        recorded.record(&receipts);
        standing(&recorded, wall, self.it.as_of)
    }

    /// A new todo is nobody's opening by itself; it starts open, whatever the change says of it.
    fn add_new_todos(&mut self) {
        for (number, step) in self.steps.iter().enumerate() {
            let Some(Record::Todo(todo)) = step.new_record().filter(|_| step.is_added()) else { continue };
            let status = if todo.status == TodoStatus::Done { TodoStatus::Open } else { todo.status };
            let entry = self.records.entry(number).or_insert(None);
            if entry.is_none() {
                *entry = Some(Record::Todo(Todo { status, done_at: None, ..todo.clone() }));
            }
        }
    }

    /// Takes over what agents may do now; tells whether anything was.
    fn advance(&mut self, standing: &PermitSummary) -> bool {
        let mut has_advanced = false;
        for (number, record) in &mut self.records {
            let step = &self.steps[*number];
            has_advanced |= match (record, step.new_record()) {
                (Some(Record::Todo(own)), Some(Record::Todo(new))) => advance_todo(step, own, new, standing),
                (Some(Record::Handoff(own)), Some(Record::Handoff(new))) => advance_handoff(step, own, new, standing),
                _ => false,
            };
        }
        has_advanced
    }

    /// The todos that the change says are done, and that nobody was permitted to finish.
    fn finished_early(&self, standing: &PermitSummary) -> Vec<(Arc<str>, Finding)> {
        let mut found = Vec::new();
        for (number, record) in &self.records {
            let step = &self.steps[*number];
            let (Some(Record::Todo(own)), Some(Record::Todo(new))) = (record, step.new_record()) else { continue };
            if own.status == TodoStatus::Done || new.status != TodoStatus::Done || own.task_class.is_user() {
                continue;
            }
            let Some((commit, level)) = step.untrusted(step.author_of("status")) else { continue };
            // Of whom the base does not know nobody can say that it is not theirs; what would follow is another matter.
            let key = (new.goal_id.clone(), new.todo_id.clone());
            if !commit.is_agents() && standing.finishable.contains_key(&key) {
                continue;
            }
            let message = format!(
                "`{}` may not finish it: it waits for a gate, a handoff or another todo, or is another's",
                commit.called()
            );
            let finding = step.finding_at_most(level, &FINISHED_EARLY, Some("status"), message);
            found.push((Arc::clone(step.path()), finding));
        }
        found.retain(|(_, finding)| finding.level != Level::Off);
        found
    }
}

/// The fields that the table of what opens knows, compared one by one: what opens nothing today, because something else
/// holds the work up, would open it some other day.
impl Allowed<'_, '_> {
    fn opened_fields(&self) -> Vec<(Arc<str>, Finding)> {
        let mut found = Vec::new();
        for (number, record) in &self.records {
            let step = &self.steps[*number];
            let opened = match (record, step.new_record()) {
                (Some(Record::Todo(own)), Some(Record::Todo(new))) => self.opened_in_todo(own, new),
                // Of a draft everything else is read before it counts.
                (Some(Record::Handoff(own)), Some(Record::Handoff(new))) if own.withdrawn.is_some() => {
                    opened(HANDOFF.iter().filter(|row| row.field == "withdrawn"), own, new)
                }
                _ => Vec::new(),
            };
            for (field, opens) in opened {
                let Some((commit, level)) = step.untrusted(step.author_of(field)) else { continue };
                let message = format!("{opens}; `{}`, {}, committed it", commit.called(), commit.is_no_person());
                let finding = step.finding_at_most(level, &OPENS_BY_ITSELF, Some(field), message);
                found.push((Arc::clone(step.path()), finding));
            }
        }
        found.retain(|(_, finding)| finding.level != Level::Off);
        found
    }

    /// The fields in which a todo says more than people and progress allow, each with what that opens.
    fn opened_in_todo(&self, own: &Todo, new: &Todo) -> Vec<(&'static str, &'static str)> {
        let is_done = |todo: &str| self.is_done(&own.goal_id, todo);
        let is_monitor = own.task_class == TaskClass::ContinuousMonitor;
        let matters = |row: &&FieldRow<Todo>| match (row.field, own.status) {
            // That it is done is another rule's.
            ("status", _) => !own.task_class.is_user() && new.status != TodoStatus::Done,
            // Of what is done nothing more is to be started.
            (_, TodoStatus::Done) => false,
            ("task_class", _) => true,
            _ if own.task_class.is_user() => false,
            ("after", _) => own.after.iter().any(|todo| !new.after.contains(todo) && !is_done(todo.as_str())),
            ("resume_when", _) => !own.resume_when.as_ref().and_then(ResumeWhen::todo).is_some_and(is_done),
            ("next_due_at", _) => is_monitor && own.next_due_at.is_some_and(|due| self.it.as_of < due),
            _ => true,
        };
        let mut opened = opened(TODO.iter().filter(matters), own, new);
        // What it waited for is part of the hold.
        if opened.iter().any(|(field, _)| *field == "status") {
            opened.retain(|(field, _)| *field != "resume_when");
        }
        opened.extend(self.given_to_others(own, new).map(|field| (field, "other agents may do it")));
        opened
    }

    /// The field by which an unfinished todo may be done by other agents than before, handoffs left out.
    fn given_to_others(&self, own: &Todo, new: &Todo) -> Option<&'static str> {
        if own.status == TodoStatus::Done || own.task_class.is_user() {
            return None;
        }
        let goal = self.it.after.world.goals.get(own.goal_id.as_str()).and_then(|goal| goal.goal);
        let are_others = |agent: &Id| goal.is_some_and(|goal| goal.agents.keys().any(|known| known != agent));
        // The assignee decides, where there is one.
        let (field, was, is) = match &own.assignee {
            Some(assignee) => ("assignee", assignee, &new.assignee),
            None => ("claimed_by", own.claimed_by.as_ref()?, &new.claimed_by),
        };
        let is_given = match is {
            Some(is) => is != was,
            None => are_others(was),
        };
        is_given.then_some(field)
    }

    /// Whether people or permitted progress finished a todo.
    fn is_done(&self, goal: &Id, todo: &str) -> bool {
        let of_step = self.records.iter().find(|(number, _)| {
            let step = &self.steps[**number];
            step.kind == Kind::Todo && step.goal.as_deref() == Some(goal.as_str()) && *step.id == *todo
        });
        let known = match of_step {
            Some((_, Some(Record::Todo(todo)))) => Some(todo),
            Some(_) => None,
            None => self.it.before.world.goals.get(goal.as_str()).and_then(|goal| goal.todos.get(todo)).copied(),
        };
        known.is_some_and(|todo| todo.status == TodoStatus::Done)
    }
}

/// The rows in which the second document would open more than the first.
fn opened<'r, R: Clone + 'static>(
    rows: impl Iterator<Item = &'r FieldRow<R>>,
    own: &R,
    new: &R,
) -> Vec<(&'static str, &'static str)> {
    rows.filter(|row| (row.close)(&mut new.clone(), own)).map(|row| (row.field, row.opens)).collect()
}

/// Puts a record where the world has the document of a step, or takes that out.
fn place<'w>(world: &mut World<'w>, step: &'w TouchedDocument<'_>, record: Option<&'w Record>) {
    let Some(goal) = step.goal.as_deref() else { return };
    let documents: &mut GoalDocuments<'w> = world.goals.entry(goal).or_default();
    let id: &'w str = &step.id;
    if record.is_some() || step.old().is_some() {
        documents.unusable.retain(|trouble| !step.paths().any(|path| *path == trouble.path));
    }
    match (step.kind, record) {
        (Kind::Goal, Some(Record::Goal(goal))) => documents.goal = Some(goal),
        (Kind::Goal, _) => documents.goal = None,
        (Kind::Todo, Some(Record::Todo(todo))) => drop(documents.todos.insert(id, todo)),
        (Kind::Todo, _) => drop(documents.todos.remove(id)),
        (Kind::Gate, Some(Record::Gate(gate))) => drop(documents.gates.insert(id, gate)),
        (Kind::Gate, _) => drop(documents.gates.remove(id)),
        (Kind::Handoff, Some(Record::Handoff(handoff))) => drop(documents.handoffs.insert(id, handoff)),
        (Kind::Handoff, _) => drop(documents.handoffs.remove(id)),
        _ => {}
    }
}

/// The progress that agents make on a todo by themselves.
fn advance_todo(step: &TouchedDocument<'_>, own: &mut Todo, new: &Todo, standing: &PermitSummary) -> bool {
    let before = own.clone();
    // An agent releases what it has claimed; whoever claims it then is no more than anybody.
    let claimer = own.claimed_by.clone().filter(|_| own.claimed_by != new.claimed_by);
    if let (Some(claimer), Some(commit)) = (claimer, step.author_of("claimed_by"))
        && commit.is_of_agent(claimer.as_str())
    {
        own.claimed_by = None;
    }
    if own.status == new.status && own.resume_when == new.resume_when {
        return *own != before;
    }
    let Some(commit) = step.author_of("status").or_else(|| step.author_of("resume_when")) else {
        return *own != before;
    };
    let is_held = matches!(own.status, TodoStatus::Blocked | TodoStatus::Deferred) || own.resume_when.is_some();
    let holders = step.files.iter().flat_map(|file| &file.held_by);
    let is_own_hold =
        is_held && (step.is_added() || holders.into_iter().any(|agent| commit.is_of_agent(agent.as_str())));
    let is_resumed = is_own_hold && matches!(new.status, TodoStatus::Open | TodoStatus::Done);
    if is_resumed {
        own.status = TodoStatus::Open;
        own.resume_when.clone_from(&new.resume_when);
    } else if is_own_hold {
        // It may wait for something else; that holds it up all the same.
        own.status = new.status;
        own.resume_when.clone_from(&new.resume_when);
    }
    let key = (new.goal_id.clone(), new.todo_id.clone());
    let may_finish = |agents: &BTreeSet<Id>| agents.iter().any(|agent| commit.is_of_agent(agent.as_str()));
    if new.status == TodoStatus::Done && standing.finishable.get(&key).is_some_and(may_finish) {
        own.status = TodoStatus::Done;
        own.done_at = new.done_at;
    }
    *own != before
}

/// The progress that agents make on a handoff by themselves.
fn advance_handoff(step: &TouchedDocument<'_>, own: &mut Handoff, new: &Handoff, standing: &PermitSummary) -> bool {
    let before = own.clone();
    let is_of = |field: &str, agent: &Id| step.author_of(field).is_some_and(|it| it.is_of_agent(agent.as_str()));
    let key = (new.goal_id.clone(), new.handoff_id.clone());
    if own.accepted.is_none() && standing.acceptable.contains(&key) && is_of("accepted", &own.to_agent) {
        own.accepted.clone_from(&new.accepted);
    }
    // Whoever drafted it takes it back until a person approves it: an approval names what may be written.
    let is_approved = own.approved.is_some() || standing.acceptable.contains(&key) || was_approved(step);
    let is_draft = own.withdrawn.is_none() && own.accepted.is_none() && !is_approved;
    if is_draft && new.withdrawn.is_some() && is_of("withdrawn", &own.from_agent) {
        own.withdrawn.clone_from(&new.withdrawn);
    }
    *own != before
}

/// One document as people wrote it last.
struct ByPeople<'s, 'a> {
    it: &'s Submission<'a>,
    step: &'s TouchedDocument<'a>,
}

impl ByPeople<'_, '_> {
    /// Every field as people wrote it last; `None` where they left no document, or none that can be read.
    fn record(&self) -> Option<Record> {
        let step = self.step;
        let Some(last) = step.versions.last() else { return step.old().cloned() };
        let is_there = |json: &Json| Json::Bool(!json.is_null());
        if self.value(last, None, &is_there) != Json::Bool(true) {
            return None;
        }
        let mut document = Map::new();
        for (key, sub) in self.places() {
            let value =
                self.value(last, Some((&key, sub.as_deref())), &|json| value_at(json, (&key, sub.as_deref())).clone());
            match sub {
                _ if value.is_null() => {}
                None => drop(document.insert(key, value)),
                Some(sub) => {
                    let mapping = document.entry(key).or_insert_with(|| Json::Object(Map::new()));
                    if let Json::Object(mapping) = mapping {
                        mapping.insert(sub, value);
                    }
                }
            }
        }
        Record::of_kind(step.kind, Json::Object(document))
    }

    /// Every field of any version, and every key of its mappings that are no acts.
    fn places(&self) -> BTreeSet<(String, Option<String>)> {
        let is_act = |key: &str| ACTS.iter().any(|row| row.kind == self.step.kind && row.field == key);
        let mut places = BTreeSet::new();
        for json in self.step.versions.jsons().chain([self.step.old_json()]) {
            for (key, value) in json.as_object().into_iter().flatten() {
                match value {
                    Json::Object(mapping) if !is_act(key) && !mapping.is_empty() => {
                        places.extend(mapping.keys().map(|sub| (key.clone(), Some(sub.clone()))));
                    }
                    _ => drop(places.insert((key.clone(), None))),
                }
            }
        }
        places
    }

    /// The value at a place as people wrote it last; without a place, whether the document is there.
    fn value(&self, last: usize, place: Option<FieldPath<'_>>, value: &dyn Fn(&Json) -> Json) -> Json {
        let step = self.step;
        let field = place.map_or("", |(key, _)| key);
        let mut version = last;
        loop {
            match step.versions.origin(version, field, value, &|version| self.vouches(version)) {
                // The base has it, or something newer.
                ValueOrigin::Outside(_) => return value(step.old_json()),
                ValueOrigin::Written(written) => {
                    if self.vouches(written) || self.is_of_people(written, place) {
                        return value(step.versions.json(written));
                    }
                    match step.versions.parent(written) {
                        Some(parent) => version = parent,
                        None => return value(step.old_json()),
                    }
                }
            }
        }
    }

    /// Whether people wrote a place in a version: the person whom it names, where it is an act of people.
    fn is_of_people(&self, version: usize, place: Option<FieldPath<'_>>) -> bool {
        let Some(commit) = self.step.commit_of(version) else { return true };
        let act = place.and_then(|(key, _)| acts_of_people(self.step.kind).find(|act| *act == key));
        match act.filter(|act| !self.step.versions.json(version)[*act].is_null()) {
            Some(act) => self.counts(version, act, commit),
            None => self.it.is_trusted(commit),
        }
    }

    /// Whether an act of a version counts as that of the person it names.
    fn counts(&self, version: usize, act: &str, commit: &ChangeCommit) -> bool {
        let act = &self.step.versions.json(version)[act];
        let class = act["actor_class"].as_str().and_then(ActorClass::of);
        let claim = ActClaim { by: act["by"].as_str().unwrap_or_default(), class, goal: self.step.goal.as_deref() };
        self.it.fault_of_act(claim, Some(commit)).is_none()
    }

    /// Whether a person decided in a version: then all of it is what that person read and decided.
    fn vouches(&self, version: usize) -> bool {
        let (Some(commit), Some(parent)) = (self.step.commit_of(version), self.step.versions.parent(version)) else {
            return false;
        };
        acts_of_people(self.step.kind).any(|act| {
            let (was, is) = (&self.step.versions.json(parent)[act], &self.step.versions.json(version)[act]);
            !is.is_null() && was != is && self.counts(version, act, commit)
        })
    }
}

/// What the law compares.
struct GrantProperty<'s, 'a> {
    it: &'s Submission<'a>,
    steps: &'s [TouchedDocument<'a>],
    /// What people allow.
    allowed: &'s PermitSummary,
    /// What the change leads to.
    after: &'s PermitSummary,
    /// The goals of which something is refused with a reason of its own.
    explained: BTreeSet<String>,
    /// The goals of which it is told already what opens.
    opened: BTreeSet<String>,
}

impl GrantProperty<'_, '_> {
    /// What agents could do that nobody allowed.
    fn openings(&self) -> Vec<(Arc<str>, Finding)> {
        let is_allowed = |permit: &&Permit| {
            self.allowed.permits.iter().any(|known| {
                known.goal_id == permit.goal_id && known.todo_id == permit.todo_id && is_within(permit, known)
            })
        };
        let refused = self.after.permits.iter().filter(|permit| !is_allowed(permit));
        // What is held up has no end of its own yet.
        let is_foreseen = |permit: &&Permit| {
            let mut known = self.allowed.permits.iter().chain(&self.allowed.prospects);
            known.any(|known| {
                known.goal_id == permit.goal_id
                    && known.todo_id == permit.todo_id
                    && is_within(&Permit { ends: known.ends, ..(*permit).clone() }, known)
            })
        };
        let refused = refused.map(|permit| (permit, "than before"));
        let later = self.after.prospects.iter().filter(|permit| !is_foreseen(permit));
        let all = refused.chain(later.map(|permit| (permit, "once nothing holds it up")));
        let said = all.filter(|(permit, _)| !self.opened.contains(permit.goal_id.as_str()));
        let said = said.filter_map(|(permit, when)| {
            let agents: Vec<String> = permit.agents.keys().map(|agent| format!("`{agent}`")).collect();
            let message = format!(
                "{} could do more of `{}` {when}, and no person whom the base knows allowed it",
                agents.join(", "),
                permit.todo_id
            );
            let key = (permit.goal_id.clone(), Kind::Todo, permit.todo_id.clone());
            self.finding(&OPENS_BY_ITSELF, &key, message)
        });
        said.collect()
    }

    /// Waits for people that are over although no person ended them.
    fn ended_waits(&self) -> Vec<(Arc<str>, Finding)> {
        let before = standing(self.it.before.world, &self.it.before.workspace.wall, self.it.as_of);
        let is_over = |wait: &&GoalDocumentKey| {
            !self.after.waits.contains(*wait)
                && !self.after.unusable.contains(*wait)
                && self.allowed.waits.contains(*wait)
        };
        let over = before.waits.iter().filter(is_over).filter(|(goal, ..)| !self.explained.contains(goal.as_str()));
        let said = over.filter_map(|key| {
            let what = if key.1 == Kind::Gate { "nobody decides it any more" } else { "nobody does it any more" };
            let message = format!("`{}` waited for a person; {what}, and no person ended that", key.2);
            self.finding(&WAIT_ENDED, key, message)
        });
        said.collect()
    }

    /// Todos that agents added and may start: allowed, and to be seen.
    fn new_work(&self) -> Vec<(Arc<str>, Finding)> {
        let mut found = Vec::new();
        for step in self.steps.iter().filter(|step| step.kind == Kind::Todo && step.is_added()) {
            let may_start = self.after.permits.iter().any(|permit| {
                Some(permit.goal_id.as_str()) == step.goal.as_deref() && permit.todo_id.as_str() == &*step.id
            });
            if let Some((commit, _)) = step.untrusted(step.author_of_existence()).filter(|_| may_start) {
                let message = format!("`{}` added work that may start at once", commit.called());
                found.push((Arc::clone(step.path()), step.finding(&NEW_WORK, None, message)));
            }
        }
        found.retain(|(_, finding)| finding.level != Level::Off);
        found
    }

    /// A finding at the document that it is about, else at a document of its goal that the change touches and that no
    /// person answers for.
    fn finding(
        &self,
        rule: &crate::rules::Rule,
        (goal, kind, id): &GoalDocumentKey,
        message: String,
    ) -> Option<(Arc<str>, Finding)> {
        let of_goal = || self.steps.iter().filter(|step| step.goal.as_deref() == Some(goal.as_str()));
        let own = of_goal().find(|step| step.kind == *kind && *step.id == *id.as_str());
        let is_untrusted =
            |step: &&TouchedDocument<'_>| step.commits().any(|commit| step.untrusted(Some(commit)).is_some());
        let own = own.filter(is_untrusted).or_else(|| of_goal().find(is_untrusted));
        let step = own.or_else(|| of_goal().next()).or_else(|| self.steps.first())?;
        let untrusted =
            step.commits().filter_map(|commit| step.untrusted(Some(commit))).min_by_key(|(_, level)| *level);
        let level = untrusted.map_or(rule.level, |(_, level)| level);
        let mut finding = step.finding_at_most(level, rule, None, message);
        if let Some((commit, _)) = untrusted.filter(|(commit, _)| !commit.is_agents()) {
            finding = finding.help(step.phrases.0.text(actor_add(&commit.called())));
        }
        (finding.level != Level::Off).then(|| (Arc::clone(step.path()), finding))
    }
}
