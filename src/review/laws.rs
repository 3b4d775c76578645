//! The checks behind the table of changes. Each looks at one document in two revisions.

use std::collections::BTreeSet;

use super::step::Step;
use super::table::TABLE;
use super::team;
use crate::finding::Finding;
use crate::rules::Rule;
use crate::vocabulary::{
    ActorClass, Blocks, Gate, GateStanding, Glob, Goal, Handoff, HandoffStanding, Id, Kind, Level, Quota, Record,
    RequiredActor, TodoStatus,
};

/// Lists what of the table a step breaks, by the levels of the base.
pub(super) fn breaches(step: &Step<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for law in TABLE.iter().filter(|law| law.kinds.is_empty() || law.kinds.contains(&step.kind)) {
        (law.check)(law.rule, step, &mut found);
    }
    team::rows(step, &mut found);
    found.retain(|finding| finding.level != Level::Off);
    found
}

pub(super) type Check = fn(&Rule, &Step<'_>, &mut Vec<Finding>);

/// The acts of a kind that only people do.
pub(super) fn acts(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Gate => &["decision", "withdrawn"],
        Kind::Handoff => &["approved"],
        Kind::Reward => &["given"],
        Kind::Proposal => &["decision"],
        _ => &[],
    }
}

/// The acts of people that the change brings or edits.
pub(super) fn new_acts<'s>(step: &'s Step<'_>) -> impl Iterator<Item = &'static str> + 's {
    acts(step.kind).iter().copied().filter(|act| !step.is(act).is_null() && step.differs(act))
}

fn text<'s>(step: &'s Step<'_>, field: &str) -> &'s str {
    step.is(field).as_str().unwrap_or_default()
}

pub(super) fn agent_decides(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let Some(author) = step.author_of(act).filter(|author| author.is_machine()) else { continue };
        let (by, called) = (format!("{act}.by"), author.called());
        let message = format!("`{act}` names `{}`, and `{called}`, no person, committed it", text(step, &by));
        found.push(step.finding(rule, Some(&by), message));
    }
}

pub(super) fn asker_decides(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let asker = text(step, "requested.by");
        let Some(author) = step.author_of(act).filter(|author| !author.is_machine()) else { continue };
        let by = format!("{act}.by");
        if author.actor.as_ref().is_some_and(|(id, _)| id.as_str() == asker) && text(step, &by) != asker {
            let message = format!("`{act}` names `{}`, and `{asker}`, who asked, committed it", text(step, &by));
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}

pub(super) fn other_author(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let by = format!("{act}.by");
        let name = text(step, &by).to_owned();
        let known = step.it.before.workspace.policies.actors.get(name.as_str());
        let Some(author) = step.author_of(act).filter(|author| !author.is_machine()) else { continue };
        let is_own = author.actor.as_ref().is_some_and(|(id, _)| id.as_str() == name);
        if !is_own && known.is_some_and(|actor| !actor.git.is_empty()) && !team::is_reviewed(step, &name) {
            let message = format!("`{act}` names `{name}`, and `{}` committed it", author.called());
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}

pub(super) fn decision_edited(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Gate(old)), Some(Record::Gate(new))) = (step.old(), step.new_record()) else { return };
    if new.revision < old.revision {
        let message = format!("revision {} follows revision {}", new.revision, old.revision);
        found.push(step.finding(rule, Some("revision"), message));
        return;
    }
    let Some(decision) = old.decision.as_ref().filter(|_| new.revision == old.revision) else { return };
    let free = ["evidence", "withdrawn"];
    let edited: Vec<&str> = step
        .fields
        .iter()
        .filter(|change| !free.iter().any(|field| change.is_of(field)))
        .map(|change| change.field.as_str())
        .collect();
    if let Some(first) = edited.first() {
        let message = format!("{} changed after `{}` decided", quoted(&edited), decision.by);
        found.push(step.finding(rule, Some(first), message));
    }
}

fn quoted(fields: &[&str]) -> String {
    fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ")
}

pub(super) fn removed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
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

/// The standing of this gate in one plan.
pub(super) fn gate_standing(step: &Step<'_>, is_after: bool) -> Option<GateStanding> {
    let plan = if is_after { step.it.after.plan } else { step.it.before.plan };
    plan.goals.get(step.goal.as_deref()?)?.gates.get(&*step.id).copied()
}

/// The standing of this handoff in one plan.
pub(super) fn handoff_standing(step: &Step<'_>, is_after: bool) -> Option<HandoffStanding> {
    let plan = if is_after { step.it.after.plan } else { step.it.before.plan };
    plan.goals.get(step.goal.as_deref()?)?.handoffs.get(&*step.id).copied()
}

fn is_closed(standing: GateStanding) -> bool {
    use GateStanding as S;
    matches!(standing, S::Requested | S::Rejected | S::Deferred | S::Expired)
}

/// Whether a todo is there after the change, and not done.
fn is_open(step: &Step<'_>, todo: &Id) -> bool {
    let workspace = step.it.after.workspace;
    let goal = step.goal.as_deref().and_then(|goal| workspace.index.goals.get(goal));
    let number = goal.and_then(|goal| goal.find(Kind::Todo, todo.as_str()));
    let record = number.and_then(|number| workspace.entries[number].record.as_ref());
    matches!(record, Some(Record::Todo(todo)) if todo.status != TodoStatus::Done)
}

/// The open todos that a gate of the base holds up.
pub(super) fn held_by<'a>(step: &Step<'a>, gate: &'a Gate) -> BTreeSet<&'a str> {
    if !gate_standing(step, false).is_some_and(is_closed) {
        return BTreeSet::new();
    }
    match &gate.blocks {
        Blocks::Nothing => BTreeSet::new(),
        Blocks::Todos(todos) => todos.iter().filter(|todo| is_open(step, todo)).map(Id::as_str).collect(),
        Blocks::Goal => {
            let workspace = step.it.before.workspace;
            let goal = step.goal.as_deref().and_then(|goal| workspace.index.goals.get(goal));
            let todos =
                goal.into_iter().flat_map(|goal| goal.of(Kind::Todo)).filter_map(|(_, number)| {
                    match &workspace.entries[number].record {
                        Some(Record::Todo(todo)) if !todo.task_class.is_user() => Some(&todo.todo_id),
                        _ => None,
                    }
                });
            todos.filter(|todo| is_open(step, todo)).map(Id::as_str).collect()
        }
    }
}

/// The todos that a gate still waits for after the change, whichever it names.
fn still_held(step: &Step<'_>, todo: &str) -> bool {
    let workspace = step.it.after.workspace;
    let Some(goal) = step.goal.as_deref() else { return false };
    let Some(summary) = step.it.after.plan.goals.get(goal) else { return false };
    let Some(index) = workspace.index.goals.get(goal) else { return false };
    index.of(Kind::Gate).any(|(id, number)| {
        let closed = summary.gates.get(id).copied().is_some_and(is_closed);
        let blocks = match &workspace.entries[number].record {
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

pub(super) fn gate_narrowed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Gate(old)), Some(Record::Gate(new))) = (step.old(), step.new_record()) else { return };
    if !step.differs("blocks") || !gate_standing(step, true).is_some_and(is_closed) {
        return;
    }
    let freed: Vec<&str> = held_by(step, old).into_iter().filter(|todo| !still_held(step, todo)).collect();
    if freed.is_empty() {
        return;
    }
    let message = format!("{} waits for nobody any more, and nobody decided", quoted(&freed));
    // Whoever may decide the gate may also ask for less; that is still to be seen.
    let may_decide = |class: ActorClass| class == new.required_actor.class() || class == ActorClass::Owner;
    let is_decider = step.author_of("blocks").and_then(|author| author.actor.as_ref());
    let is_decider = is_decider.is_some_and(|(id, class)| may_decide(*class) && *id != new.requested.by);
    let mut finding = step.finding(rule, Some("blocks"), message);
    if is_decider {
        finding.level = finding.level.max(Level::Warning);
    }
    found.push(finding);
}

pub(super) fn decider_changed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Gate(old)), Some(Record::Gate(new))) = (step.old(), step.new_record()) else { return };
    let is_same_question = old.revision == new.revision && old.decision.is_none();
    if is_same_question && old.required_actor != new.required_actor && new.required_actor != RequiredActor::Owner {
        let message = format!("it asked for {}, and now for {}", old.required_actor, new.required_actor);
        found.push(step.finding(rule, Some("required_actor"), message));
    }
}

pub(super) fn approved_edited(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Handoff(_)), Some(Record::Handoff(_))) = (step.old(), step.new_record()) else { return };
    if !matches!(handoff_standing(step, false), Some(HandoffStanding::Approved | HandoffStanding::Accepted)) {
        return;
    }
    let free = ["accepted", "withdrawn", "evidence"];
    let edited: Vec<&str> = step
        .fields
        .iter()
        .filter(|change| !free.iter().any(|field| change.is_of(field)))
        .map(|change| change.field.as_str())
        .collect();
    if let Some(first) = edited.first() {
        found.push(step.finding(rule, Some(first), format!("{} changed after the approval", quoted(&edited))));
    }
}

pub(super) fn retargeted(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let (Some(Record::Handoff(old)), Some(Record::Handoff(new))) = (step.old(), step.new_record()) else { return };
    if old.to_agent != new.to_agent {
        let registered = step.goal_after().and_then(|goal| goal.agents.get(&new.to_agent));
        let registered = registered.map_or("for nothing".to_owned(), |scope| format!("for \"{scope}\""));
        let message = format!("it went to `{}`; `{}` is registered {registered}", old.to_agent, new.to_agent);
        found.push(step.finding(rule, Some("to_agent"), message));
    }
}

/// Globs of the second list that cannot be shown to be inside the first.
pub(super) fn beyond<'a>(old: &[Glob], new: &'a [Glob]) -> Vec<&'a Glob> {
    new.iter().filter(|glob| !glob.is_within(old)).collect()
}

/// The fields of limits that are wider than before, or cannot be compared, each with what is said of it.
pub(super) fn wider(step: &Step<'_>) -> Vec<(&'static str, String)> {
    match (step.old(), step.new_record()) {
        (Some(Record::Goal(old)), Some(Record::Goal(new))) => wider_goal(step, old, new),
        (Some(Record::Handoff(old)), Some(Record::Handoff(new))) => wider_handoff(step, old, new),
        (Some(Record::Binding(old)), Some(Record::Binding(new))) => {
            let more = new.attached_capabilities.iter().filter(|one| !old.attached_capabilities.contains(one));
            let more: Vec<String> = more.map(|one| format!("`{one}`")).collect();
            match more.is_empty() {
                true => Vec::new(),
                false => vec![("attached_capabilities", format!("the session may also use {}", more.join(", ")))],
            }
        }
        _ => Vec::new(),
    }
}

fn wider_goal(step: &Step<'_>, old: &Goal, new: &Goal) -> Vec<(&'static str, String)> {
    let mut wider = Vec::new();
    let (before, after) = (&old.boundary, &new.boundary);
    let more = beyond(&before.write_scope, &after.write_scope);
    if !more.is_empty() {
        wider.push(("boundary.write_scope", format!("agents may also write {}", globs(&more))));
    }
    // No list states no limit.
    let more = beyond(&before.read_scope, &after.read_scope);
    if !before.read_scope.is_empty() && (after.read_scope.is_empty() || !more.is_empty()) {
        let what = if after.read_scope.is_empty() { "everything".to_owned() } else { globs(&more) };
        wider.push(("boundary.read_scope", format!("agents may also read {what}")));
    }
    let joined: Vec<String> =
        new.agents.keys().filter(|agent| !old.agents.contains_key(*agent)).map(|agent| format!("`{agent}`")).collect();
    if !joined.is_empty() {
        wider.push(("agents", format!("{} may work on it too", joined.join(", "))));
    }
    if allowed(old.quota.as_ref()) < allowed(new.quota.as_ref()) {
        wider.push(("quota", "more turns may be spent".to_owned()));
    }
    for (field, says) in [
        ("boundary.stop_condition", "agents stop at something else"),
        ("owner", "somebody else may decide every gate of it"),
        ("validation_command", "another command says whether it is reached"),
    ] {
        if step.differs(field) {
            wider.push((field, says.to_owned()));
        }
    }
    wider
}

fn wider_handoff(step: &Step<'_>, old: &Handoff, new: &Handoff) -> Vec<(&'static str, String)> {
    let of_goal = step.goal_before().map(|goal| goal.boundary.write_scope.as_slice()).unwrap_or_default();
    let effective = |handoff: &Handoff| match handoff.write_scope.is_empty() {
        true => of_goal.to_vec(),
        false => handoff.write_scope.clone(),
    };
    let (before, after) = (effective(old), effective(new));
    let more = beyond(&before, &after);
    match more.is_empty() {
        true => Vec::new(),
        false => vec![("write_scope", format!("its scope also holds {}", globs(&more)))],
    }
}

fn globs(globs: &[&Glob]) -> String {
    globs.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
}

/// Slots in a day as a comparable number; no quota is no limit.
fn allowed(quota: Option<&Quota>) -> u64 {
    let Some(quota) = quota else { return u64::MAX };
    let hours = u64::from(quota.window_hours.max(1));
    let slots = quota.allowed_slots.map_or_else(
        || {
            let minutes = hours * 60 / u64::from(quota.slot_minutes.max(1));
            // A share between 0 and 1 of a small number.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "shares of at most a year of minutes"
            )]
            let share = (minutes as f64 * quota.compute) as u64;
            share
        },
        u64::from,
    );
    slots * 8760 / hours
}

pub(super) fn widened(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let is_of_agent = |field: &str| step.author_of(field).is_some_and(super::Author::is_machine);
    for (field, says) in wider(step) {
        if !(step.kind == Kind::Goal && is_of_agent(field)) {
            found.push(step.finding(rule, Some(field), says));
        }
    }
}

pub(super) fn agent_widens(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for (field, says) in wider(step) {
        if let Some(author) = step.author_of(field).filter(|author| author.is_machine()) {
            found.push(step.finding(rule, Some(field), format!("{says}; `{}` committed it", author.called())));
        }
    }
}

pub(super) fn agent_changes_policy(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let machine = step.authors().find(|author| author.is_machine());
    if let Some(author) = machine.filter(|_| !step.fields.is_empty()) {
        found.push(step.finding(rule, None, format!("`{}`, no person, committed it", author.called())));
    }
}

pub(super) fn policy_changed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if !step.fields.is_empty() {
        found.push(step.finding(rule, None, "it counts once it is merged; this change is judged by the base"));
    }
}

pub(super) fn mode_changed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if !step.is_added() && !step.is_removed() && step.differs("session_mode") {
        let word = |value: &serde_json::Value| value.as_str().unwrap_or("none").to_owned();
        let message = format!("{} became {}", word(step.was("session_mode")), word(step.is("session_mode")));
        found.push(step.finding(rule, Some("session_mode"), message));
    }
}

pub(super) fn kind_changed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let Some(goal) = step.goal.as_deref().filter(|_| step.is_added()) else { return };
    let Some(index) = step.it.before.workspace.index.goals.get(goal) else { return };
    let other = index.documents.keys().find(|(kind, id)| *id == step.id && *kind != step.kind);
    if let Some((kind, _)) = other {
        found.push(step.finding(rule, None, format!("`{}` was a {}", step.id, kind.row().name)));
    }
}

/// What says which thing an id names, for kinds that have it.
fn identity(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Gate => &["requested.by", "requested.at"],
        Kind::Handoff => &["from_agent", "todo_id"],
        Kind::Reward => &["judges", "reward", "given"],
        Kind::Binding => &["agent_id", "executor_endpoint_id"],
        Kind::WritebackRequest => &["session_id", "source"],
        Kind::Proposal => &["proposal_type", "summary"],
        _ => &[],
    }
}

pub(super) fn identity_changed(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if step.old().is_none() || step.new_record().is_none() || step.differs("revision") {
        return;
    }
    let fields: Vec<&str> = identity(step.kind).iter().copied().filter(|field| step.differs(field)).collect();
    let is_other_todo = step.kind == Kind::Todo && step.differs("title") && step.differs("task_class");
    if let Some(first) = fields.first() {
        found.push(step.finding(rule, Some(first), format!("{} changed under the same id", quoted(&fields))));
    } else if is_other_todo {
        found.push(step.finding(rule, Some("title"), "title and class changed under the same id"));
    }
}

pub(super) fn both_sides(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if step.is_of_both() && !is_decided_twice(step) {
        found.push(step.finding(rule, None, "the base changed it too; look at what the merge makes of both"));
    }
}

pub(super) fn decided_twice(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if !step.is_of_both() || !is_decided_twice(step) {
        return;
    }
    let field = acts(step.kind).iter().find(|act| !step.was(act).is_null());
    let message = match (step.start(), field) {
        (Some(_), Some(act)) => {
            let label = |value: &serde_json::Value| value["label"].as_str().unwrap_or("done").to_owned();
            let (was, is) = (label(step.was(act)), label(step.is(act)));
            format!("the base has `{act}`: {was}; this change has: {is}")
        }
        _ => "the base has another document of this id since the branches parted".to_owned(),
    };
    found.push(step.finding(rule, field.copied().filter(|field| !step.is(field).is_null()), message));
}

/// Whether both sides answered one question, or gave one id away, and not in the same words.
fn is_decided_twice(step: &Step<'_>) -> bool {
    let both_new = step.start().is_none() && step.before.is_some() && step.after.is_some();
    let differs = |act: &&&str| !step.was(act).is_null() && step.differs(act);
    !step.fields.is_empty() && (both_new || acts(step.kind).iter().filter(differs).count() > 0)
        || step.kind == Kind::Receipt && !step.fields.is_empty()
}

pub(super) fn digest_mismatch(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let approves = step.is("mode").as_str() == Some("apply");
    if !approves || !(step.differs("mode") || step.differs("approved_preview_digest")) {
        return;
    }
    let digest = step.is("approved_preview_digest").as_str().unwrap_or_default();
    let message = match step.it.previews.get(step.path()) {
        Some(preview) if preview == digest => return,
        Some(preview) => format!("its preview has the digest {}…", &preview[..preview.len().min(12)]),
        None => "there is no preview of it to approve".to_owned(),
    };
    found.push(step.finding(rule, Some("approved_preview_digest"), message));
}

pub(super) fn receipt_edited(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if step.before.is_some() && step.after.is_some() {
        let fields: Vec<&str> = step.fields.iter().map(|change| change.field.as_str()).collect();
        let message = match fields.is_empty() {
            true => "its bytes changed; every machine writes the same ones".to_owned(),
            false => format!("{} changed", quoted(&fields)),
        };
        found.push(step.finding(rule, fields.first().copied(), message));
    }
}

pub(super) fn receipt_deleted(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    if step.is_removed() {
        found.push(step.finding(rule, None, "what it records would count for nothing"));
    }
}

pub(super) fn receipt_invented(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    let Some(Record::Receipt(receipt)) = step.new_record().filter(|_| step.is_added()) else { return };
    let Some(effect) = crate::vocabulary::Effect::read(receipt.effect_key.as_str()) else { return };
    let Some((kind, id)) = effect.document() else { return };
    let workspace = step.it.after.workspace;
    let document = workspace.index.goals.get(effect.goal_id()).and_then(|goal| goal.find(kind, id));
    let record = document.and_then(|number| workspace.entries[number].record.as_ref());
    if record.and_then(|record| crate::vocabulary::receipts::of_effect(effect, record)).is_none() {
        let message = format!("no {} `{id}` holds the decision that it records", kind.row().name);
        found.push(step.finding(rule, Some("effect_key"), message));
    }
}

pub(super) fn unverified(rule: &Rule, step: &Step<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let by = format!("{act}.by");
        if !team::is_verified(step, act) {
            let message = format!("nobody vouches that `{}` did it", text(step, &by));
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}
