//! Questions: what becomes of a gate that is decided, or that holds work up.

use std::collections::BTreeSet;

use super::authorship::fault;
use super::{changed_since, gate_standing, is_open, quoted};
use crate::finding::Finding;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::{
    ActorClass, Blocks, Classes, Gate, GateStanding, Id, Kind, Level, Record, RequiredActor, Todo,
};

pub(in crate::review) fn decision_edited(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Gate(old)), Some(Record::Gate(new))) = (step.old(), step.new_record()) else { return };
    if new.revision < old.revision {
        let message = format!("revision {} follows revision {}", new.revision, old.revision);
        found.push(step.finding(rule, Some("revision"), message));
        return;
    }
    if let Some(decision) = new.decision.as_ref().filter(|_| step.differs("decision")) {
        let edited = changed_since(step, "decision", &["withdrawn"]);
        if let Some(first) = edited.first() {
            let message = format!("{} changed after `{}` decided", quoted(&edited), decision.by);
            found.push(step.finding(rule, Some(first), message));
            return;
        }
    }
    let Some(decision) = old.decision.as_ref().filter(|_| new.revision == old.revision) else { return };
    // Whoever may decide may say what else shows it; of what an agent changes, nobody knows who looked at it.
    let is_of_people = step.untrusted(step.author_of("evidence")).is_none();
    let free: &[&str] = if is_of_people { &["evidence", "withdrawn"] } else { &["withdrawn"] };
    let edited = step.edited_but(free);
    if let Some(first) = edited.first() {
        let message = format!("{} changed after `{}` decided", quoted(&edited), decision.by);
        found.push(step.finding(rule, Some(first), message));
    }
}

pub(in crate::review) fn removed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    // Of a goal that is gone as a whole nothing is left to hold up.
    if !step.is_removed() || step.goal_after().is_none() {
        return;
    }
    let message = match step.old() {
        Some(Record::Gate(gate)) => match (&gate.decision, held_by(step, gate).is_empty()) {
            (Some(decision), _) => format!("the decision of `{}` is gone with it", decision.by),
            (None, false) => "work that waited for it waits for nobody".to_owned(),
            (None, true) => return,
        },
        Some(Record::Handoff(handoff)) if handoff.approved.is_some() => "its approval is gone with it".to_owned(),
        Some(Record::Handoff(handoff)) if handoff.withdrawn.is_none() && is_open(step, &handoff.todo_id) => {
            format!("`{}` waited for it and waits for nobody", handoff.todo_id)
        }
        _ => return,
    };
    found.push(step.finding(rule, None, message));
}

fn is_closed(standing: GateStanding) -> bool {
    use GateStanding as S;
    matches!(standing, S::Requested | S::Rejected | S::Deferred | S::Expired)
}

/// The open todos that a gate of the base holds up.
fn held_by<'a>(step: &TouchedDocument<'a>, gate: &'a Gate) -> BTreeSet<&'a str> {
    if !gate_standing(step, false).is_some_and(is_closed) {
        return BTreeSet::new();
    }
    match &gate.blocks {
        Blocks::Nothing => BTreeSet::new(),
        Blocks::Todos(todos) => todos.iter().filter(|todo| is_open(step, todo)).map(Id::as_str).collect(),
        Blocks::Goal => {
            let goal = step.goal.as_deref();
            let todos = goal.into_iter().flat_map(|goal| step.it.before.workspace.documents::<Todo>(goal));
            let todos = todos.filter(|(_, todo)| !todo.task_class.is_user()).map(|(_, todo)| &todo.todo_id);
            todos.filter(|todo| is_open(step, todo)).map(Id::as_str).collect()
        }
    }
}

/// The todos that a gate still waits for after the change, whichever it names.
fn still_held(step: &TouchedDocument<'_>, todo: &str) -> bool {
    let workspace = step.it.after.workspace;
    let Some(goal) = step.goal.as_deref() else { return false };
    let Some(summary) = step.it.after.plan.goals.get(goal) else { return false };
    workspace.files_of(goal, Kind::Gate).any(|file| {
        let id = file.field("gate_id").unwrap_or_default();
        let closed = summary.gates.get(id).copied().is_some_and(is_closed);
        let blocks = match &file.record {
            Some(Record::Gate(gate)) => match &gate.blocks {
                Blocks::Goal => true,
                Blocks::Todos(todos) => todos.iter().any(|one| one.as_str() == todo),
                Blocks::Nothing => false,
            },
            // A gate that nobody can read blocks its goal.
            _ => true,
        };
        closed && blocks
    })
}

pub(in crate::review) fn gate_narrowed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Gate(old)), Some(Record::Gate(new))) = (step.old(), step.new_record()) else { return };
    if !step.differs("blocks") {
        return;
    }
    if let Some((commit, _)) = step.untrusted(step.author_of("blocks")) {
        if let Some(less) = less_held_up(step, old, new).filter(|_| !is_decided_anew(step, new)) {
            let message = format!("{less}; `{}` committed it, and nobody decided", commit.called());
            found.push(step.finding(rule, Some("blocks"), message));
        }
        return;
    }
    if !gate_standing(step, true).is_some_and(is_closed) {
        return;
    }
    let freed: Vec<&str> = held_by(step, old).into_iter().filter(|todo| !still_held(step, todo)).collect();
    if freed.is_empty() {
        return;
    }
    let message = format!("{} waits for nobody any more, and nobody decided", quoted(&freed));
    // Whoever may decide the gate may also ask for less; that is still to be seen.
    let may_decide = |class: ActorClass| class == new.required_actor.class() || class == ActorClass::Owner;
    let is_decider = step.author_of("blocks").is_some_and(|commit| {
        let may = |(id, classes): &(Id, Classes)| {
            classes.all().iter().any(|class| may_decide(*class)) && !id.is_same(&new.requested.by)
        };
        commit.author.actors.iter().any(may)
    });
    let mut finding = step.finding(rule, Some("blocks"), message);
    if is_decider {
        finding.level = finding.level.max(Level::Warning);
    }
    found.push(finding);
}

/// What a gate no longer holds up, in words, whatever it waits for beside and whether it is decided: once it is asked
/// again, it asks about less. What is done needs no gate, and a request that was taken back holds nothing up.
fn less_held_up(step: &TouchedDocument<'_>, old: &Gate, new: &Gate) -> Option<String> {
    if gate_standing(step, false) == Some(GateStanding::Withdrawn) {
        return None;
    }
    let Blocks::Todos(todos) = &old.blocks else {
        let is_less = old.blocks.is_goal() && !new.blocks.is_goal();
        return is_less.then(|| "it held up the whole goal, and with it what is added later".to_owned());
    };
    let freed: Vec<&str> =
        todos.iter().filter(|todo| is_open(step, todo) && !covers(&new.blocks, todo)).map(Id::as_str).collect();
    (!freed.is_empty()).then(|| format!("{} waits for nobody any more", quoted(&freed)))
}

/// Whether a gate with these blocks holds a todo up while it is closed.
pub(super) fn covers(blocks: &Blocks, todo: &Id) -> bool {
    match blocks {
        Blocks::Goal => true,
        Blocks::Todos(todos) => todos.contains(todo),
        Blocks::Nothing => false,
    }
}

/// Whether a person decided what the gate asks now: that person has read it as it stands.
fn is_decided_anew(step: &TouchedDocument<'_>, new: &Gate) -> bool {
    new.decision.is_some() && step.differs("decision") && fault(step, "decision").is_none()
}

pub(in crate::review) fn decider_changed(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Gate(old)), Some(Record::Gate(new))) = (step.old(), step.new_record()) else { return };
    if old.required_actor == new.required_actor || new.required_actor == RequiredActor::Owner {
        return;
    }
    let is_same_question = old.revision == new.revision && old.decision.is_none();
    let untrusted = step.untrusted(step.author_of("required_actor"));
    // Who was asked before may agree to another one by an answer.
    let may_answer = |class: ActorClass| class == old.required_actor.class() || class == ActorClass::Owner;
    let is_agreed =
        is_decided_anew(step, new) && new.decision.as_ref().is_some_and(|decision| may_answer(decision.actor_class));
    if is_same_question || untrusted.is_some() && !is_agreed {
        let message = match untrusted.filter(|_| !is_same_question) {
            None => format!("it asked for {}, and now for {}", old.required_actor, new.required_actor),
            Some((commit, _)) => format!(
                "it asked for {}, and `{}`, {}, lets it ask for {}",
                old.required_actor,
                commit.called(),
                commit.is_no_person(),
                new.required_actor
            ),
        };
        found.push(step.finding(rule, Some("required_actor"), message));
    }
}
