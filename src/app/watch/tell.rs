//! What has another meaning than before: one line for each document, and for each condition that no document explains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;

use crate::privacy::Text;
use crate::reconcile::{Condition, GoalSummary, Plan};
use crate::render::{EventSign, MeaningChange, done, parts};
use crate::rules::find;
use crate::vocabulary::{Kind, Record};
use crate::workspace::{LoadedFile, Workspace};

/// Two states of one state directory.
pub(super) struct StatePair<'a> {
    /// Files that are not what they were, as they were.
    pub(super) before: &'a BTreeMap<Arc<str>, Option<LoadedFile>>,
    /// The files as they are.
    pub(super) workspace: &'a Workspace,
    /// What followed before.
    pub(super) old: &'a Plan,
    /// What follows now.
    pub(super) new: &'a Plan,
    /// What is wrong with the document at a path by a rule, in words.
    pub(super) why: &'a dyn Fn(&str, &str) -> Option<String>,
}

/// Says what has another meaning, by path, then what came by itself.
pub(super) fn tell(sides: &StatePair<'_>) -> Vec<MeaningChange> {
    let mut told: Vec<MeaningChange> = sides.before.keys().filter_map(|path| sides.document(path)).collect();
    let explained: BTreeSet<Option<Text>> = told.iter().map(|told| told.goal.clone()).collect();
    told.extend(sides.by_itself(&explained));
    told
}

impl StatePair<'_> {
    /// What a file means now, if that is not what it meant.
    fn document(&self, path: &Arc<str>) -> Option<MeaningChange> {
        let old = self.before.get(path)?.as_ref();
        let new = self.workspace.file_at(path);
        let kind = new.or(old)?.kind();
        // What counts of a receipt is what the authority ref holds, not what the work tree does.
        if kind == Some(Kind::Receipt) {
            return None;
        }
        let goal = new.or(old)?.goal_id();
        let (was, is) = (old.map(usable), new.map(usable));
        let mut sign = if kind.is_some_and(guards) { EventSign::Notable } else { EventSign::Plain };
        let text = match (was, is) {
            (_, Some(Err(rule))) if was != Some(Err(rule)) => {
                sign = EventSign::Fault;
                let why = (self.why)(path, rule);
                let summary = || find(rule).map_or(rule, |rule| rule.summary).to_owned();
                format!("{}; {}", why.unwrap_or_else(summary), closed(kind, goal))
            }
            (Some(Err(_)), Some(Ok(_))) => {
                sign = EventSign::Plain;
                ["mended".to_owned()].into_iter().chain(self.standing(new?)).collect::<Vec<_>>().join(": ")
            }
            (Some(Err(_)), None) => "removed, and with it what was wrong".to_owned(),
            (None | Some(Ok(None)), Some(Ok(Some(record)))) => {
                let name = record.kind().row().name;
                ["new ".to_owned() + name].into_iter().chain(self.standing(new?)).collect::<Vec<_>>().join(", ")
            }
            (Some(Ok(Some(_))), None | Some(Ok(None))) => "removed".to_owned(),
            (Some(Ok(Some(old))), Some(Ok(Some(record)))) if old != record => {
                let (text, is_step) = self.change(old, record, new?);
                sign = if is_step { EventSign::Plain } else { sign };
                text
            }
            _ => return None,
        };
        let about = new.or(old).map(id)?;
        let consequence = goal.filter(|_| sign != EventSign::Fault).and_then(|goal| self.consequence(goal));
        let text = [Some(text), consequence].into_iter().flatten().collect::<Vec<_>>().join("; ");
        Some(self.told(sign, about, goal, &text))
    }

    fn told(&self, sign: EventSign, about: &str, goal: Option<&str>, text: &str) -> MeaningChange {
        let wall = &self.workspace.wall;
        MeaningChange { sign, about: wall.text(about), goal: goal.map(|goal| wall.text(goal)), text: wall.text(text) }
    }

    /// What differs between two versions of a document, and whether that is only a step of its life.
    fn change(&self, old: &Record, new: &Record, entry: &LoadedFile) -> (String, bool) {
        let json = |record: &Record| serde_json::to_value(record).unwrap_or(Json::Null);
        let (old, new) = (json(old), json(new));
        let standing = self.standing(entry);
        let is_step = |name: &&String| STEPS.contains(&name.as_str());
        let names: BTreeSet<&String> =
            [&old, &new].into_iter().filter_map(Json::as_object).flat_map(|it| it.keys()).collect();
        let other: Vec<&String> = names.into_iter().filter(|name| old.get(name) != new.get(name)).collect();
        let fields = other.iter().filter(|name| standing.is_none() || !is_step(name));
        let fields: Vec<String> = fields.flat_map(|name| parts(name, old.get(name), new.get(name))).collect();
        let is_only_step = other.iter().all(is_step);
        (standing.into_iter().chain(fields).collect::<Vec<_>>().join(", "), is_only_step)
    }

    /// How a gate or a handoff went on, or what it waits for.
    fn standing(&self, entry: &LoadedFile) -> Option<String> {
        let (goal, id) = (entry.goal_id()?, id(entry));
        let word = |plan: &Plan| {
            let goal = plan.goals.get(goal)?;
            let gate = goal.gates.get(id).map(|standing| standing.to_string());
            gate.or_else(|| goal.handoffs.get(id).map(|standing| standing.to_string()))
        };
        let waits = self
            .new
            .unrecorded
            .iter()
            .find(|receipt| receipt.goal_id.as_str() == goal && receipt.source.id.as_str() == id);
        let now = match waits {
            Some(receipt) => format!("{}, not recorded yet", done(receipt)),
            None => word(self.new)?,
        };
        match word(self.old) {
            Some(old) if old != now => Some(format!("{old} -> {now}")),
            Some(_) => None,
            None => Some(now),
        }
    }

    /// Whom a goal waits for now, when that is somebody else than before.
    fn consequence(&self, goal: &str) -> Option<String> {
        let (old, new) = (self.old.goals.get(goal), self.new.goals.get(goal)?);
        let state = |goal: &GoalSummary| (goal.waiting_on, goal.may_continue);
        if old.is_none_or(|old| state(old) == state(new)) {
            return None;
        }
        Some(format!("{goal} waits on {}, agents may continue: {}", new.waiting_on, new.may_continue))
    }

    /// Conditions that came or went in goals of which no document changed: time did that, or what is recorded.
    fn by_itself(&self, explained: &BTreeSet<Option<Text>>) -> Vec<MeaningChange> {
        let mut told = Vec::new();
        let goals: BTreeSet<&str> = self.old.goals.keys().chain(self.new.goals.keys()).map(|id| id.as_str()).collect();
        for goal in goals {
            if explained.contains(&Some(self.workspace.wall.text(goal))) {
                continue;
            }
            let of = |plan: &Plan| plan.goals.get(goal).map_or(Vec::new(), |it| named(&it.conditions));
            let mut lines = self.difference(Some(goal), &of(self.old), &of(self.new));
            if let Some(consequence) = self.consequence(goal) {
                match lines.last_mut() {
                    Some(last) => last.text = self.workspace.wall.text(format!("{}; {consequence}", last.text)),
                    None => lines.push(self.told(EventSign::Plain, goal, Some(goal), &consequence)),
                }
            }
            told.extend(lines);
        }
        told.extend(self.difference(None, &named(&self.old.workspace), &named(&self.new.workspace)));
        told
    }

    fn difference(&self, goal: Option<&str>, old: &[String], new: &[String]) -> Vec<MeaningChange> {
        let about = goal.unwrap_or("workspace");
        let line = |sign, text: String| self.told(sign, about, goal, &text);
        let gone =
            old.iter().filter(|one| !new.contains(one)).map(|one| line(EventSign::Plain, format!("no longer {one}")));
        gone.chain(new.iter().filter(|one| !old.contains(one)).map(|one| line(EventSign::Notable, one.clone())))
            .collect()
    }
}

/// Fields that say how far a document has come in its life.
const STEPS: [&str; 6] = ["decision", "withdrawn", "approved", "accepted", "status", "done_at"];

/// What a file is good for: its record, or the rule that closes it.
fn usable(entry: &LoadedFile) -> Result<Option<&Record>, &'static str> {
    match entry.refused.or(entry.unreadable) {
        Some(rule) => Err(rule),
        None => Ok(entry.record.as_ref()),
    }
}

/// Whether documents of a kind say what is permitted, so that every change of one is worth a look.
fn guards(kind: Kind) -> bool {
    use Kind::{Binding, Gate, Goal, Handoff, Policy, Workspace};
    matches!(kind, Goal | Gate | Handoff | Binding | Policy | Workspace)
}

/// The id of a document, else its path.
fn id(entry: &LoadedFile) -> &str {
    let field = match entry.place.as_ref().map(|place| place.kind) {
        Some(Kind::Facts) => Some("session_id"),
        kind => kind.and_then(|kind| kind.row().id_field),
    };
    field.and_then(|field| entry.field(field)).unwrap_or(&entry.path)
}

/// What it means that a document cannot be used.
fn closed(kind: Option<Kind>, goal: Option<&str>) -> String {
    match (kind, goal) {
        (Some(Kind::Workspace | Kind::Policy), _) => "every goal projects blocked until fixed".to_owned(),
        (_, Some(goal)) => format!("{goal} projects blocked until fixed"),
        (Some(Kind::Facts), None) => "its session is closed until fixed".to_owned(),
        (_, None) => "nothing follows from it until fixed".to_owned(),
    }
}

/// Conditions by what makes two of them one.
fn named(conditions: &[Condition]) -> Vec<String> {
    conditions.iter().map(|it| format!("{} {}", it.reason, it.about.first().map_or("", AsRef::as_ref))).collect()
}
