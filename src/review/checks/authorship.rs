//! Whose commit wrote an act of a person.

use super::{new_acts, new_acts_in_names_of_people, text};
use crate::finding::Finding;
use crate::privacy::Text;
use crate::review::ChangeCommit;
use crate::review::authorship::{ActClaim, AuthorshipFault};
use crate::review::team;
use crate::review::touched::TouchedDocument;
use crate::rules::Rule;
use crate::vocabulary::{ActorClass, ClosedWords, Effect, EventClass, Record, TodoStatus};

/// Why an act does not count as that of the person it names; `None`: it does.
pub(in crate::review) fn fault(step: &TouchedDocument<'_>, act: &str) -> Option<AuthorshipFault> {
    let class = ActorClass::of(text(step, &format!("{act}.actor_class")));
    let by = format!("{act}.by");
    let claim = ActClaim { by: text(step, &by), class, goal: step.goal.as_deref() };
    step.it.fault_of_act(claim, step.author_of(act))
}

pub(in crate::review) fn agent_decides(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for act in new_acts_in_names_of_people(step) {
        let Some(commit) = step.author_of(act).filter(|commit| commit.is_agents()) else { continue };
        let (by, called) = (format!("{act}.by"), commit.called());
        let message = format!("`{act}.by` is `{}`, but agent `{called}` made the commit", text(step, &by));
        found.push(step.finding(rule, Some(&by), message));
    }
}

/// What only a person does and no act says: a todo of a person is done.
pub(in crate::review) fn agent_does(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let Some(Record::Todo(todo)) = step.new_record() else { return };
    let was_open = step.old().is_some() && step.was("status").as_str() != Some("done");
    let is_of_person =
        |record: Option<&Record>| matches!(record, Some(Record::Todo(todo)) if todo.task_class.is_user());
    if !was_open || todo.status != TodoStatus::Done || !is_of_person(step.old()) {
        return;
    }
    if let Some((commit, level)) = step.untrusted(step.author_of("status")) {
        let (called, what) = (commit.called(), commit.is_no_person());
        let message = format!("it is a person's, and `{called}`, {what}, committed that it is done");
        found.push(step.finding_at_most(level, rule, Some("status"), message));
    }
}

/// What only a person does and no act says: a preview is approved.
pub(in crate::review) fn agent_approves(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    if step.is("mode").as_str() != Some("apply") {
        return;
    }
    let differing = ["approved_preview_digest", "mode"].into_iter().filter(|field| step.differs(field));
    for field in differing {
        let Some((commit, _)) = step.untrusted(step.author_of(field)) else { continue };
        let (called, what) = (commit.called(), commit.is_no_person());
        let message = format!("applying it is a person's decision, and `{called}`, {what}, committed that");
        return found.push(step.finding(rule, Some(field), message));
    }
}

/// What only a person does and no document says: a spend is taken back.
pub(in crate::review) fn agent_voids(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let Some(Record::Receipt(receipt)) = step.new_record().filter(|_| step.is_added()) else { return };
    let effect = Effect::read(receipt.effect_key.as_str());
    if receipt.event_class != EventClass::QuotaVoid && !matches!(effect, Some(Effect::QuotaVoid(..))) {
        return;
    }
    if let Some((commit, _)) = step.untrusted(step.author_of_existence()) {
        let (called, what) = (commit.called(), commit.is_no_person());
        let message = format!("only a person takes back what was spent, and `{called}`, {what}, committed that");
        found.push(step.finding(rule, Some("effect_key"), message));
    }
}

pub(in crate::review) fn asker_decides(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let asker = text(step, "requested.by");
        let Some(commit) = step.author_of(act).filter(|commit| !commit.is_agents()) else { continue };
        let by = format!("{act}.by");
        let is_askers = commit.author.is(asker) || commit.committer.as_ref().is_some_and(|one| one.is(asker));
        if is_askers && text(step, &by) != asker && !commit.is_by(text(step, &by)) {
            let message = format!("`{act}.by` is `{}`, but `{asker}`, who asked, made the commit", text(step, &by));
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}

pub(in crate::review) fn other_author(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let by = format!("{act}.by");
        let name = text(step, &by);
        let commit = step.author_of(act);
        let called = commit.map_or_else(|| "nobody".to_owned(), ChangeCommit::called);
        let message = match fault(step, act) {
            Some(AuthorshipFault::UnknownName) => {
                format!("`{act}` names `{name}`, whom the base's policies do not know as a person")
            }
            Some(AuthorshipFault::OtherCommit) => format!("`{act}.by` is `{name}`, but `{called}` made the commit"),
            Some(AuthorshipFault::NoCommit) => {
                format!("`{act}` names `{name}`, and no commit of this change brought it")
            }
            Some(AuthorshipFault::Agent | AuthorshipFault::Class) | None => continue,
        };
        let mut finding = step.finding(rule, Some(&by), message);
        finding.help = help(step, name, commit);
        found.push(finding);
    }
}

/// What makes an act count: the person's own commit or review, or a policy that knows the person. An agent's never does.
fn help(step: &TouchedDocument<'_>, name: &str, commit: Option<&ChangeCommit>) -> Option<Text> {
    let known = step.it.policies().actor(name);
    let is_committer_known = commit.is_some_and(|commit| !commit.author.actors.is_empty());
    match known {
        Some((_, actor)) if !actor.class.is_person() => None,
        Some(_) if is_committer_known => {
            Some(step.phrases.0.text(format!("{name} commits it, or reviews it and CI says so: --reviewers FILE")))
        }
        _ => Some(step.phrases.0.text(actor_add(name))),
    }
}

/// The command that lets the policies know somebody.
pub(in crate::review) fn actor_add(name: &str) -> String {
    // A name of git may be any words; the name of an actor is an id.
    let is_id = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    format!("loopx actor add {} --class CLASS --email ADDRESS", if is_id { name } else { "NAME" })
}

pub(in crate::review) fn class_not_given(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step).filter(|act| fault(step, act) == Some(AuthorshipFault::Class)) {
        let (by, class) = (format!("{act}.by"), format!("{act}.actor_class"));
        let (name, acts_as) = (text(step, &by), text(step, &class));
        let given = step.it.policies().actor(name).map(|(_, actor)| {
            let words: Vec<&str> = actor.class.all().iter().map(|class| class.word()).collect();
            words.join(", ")
        });
        let message = format!("`{name}` acts as {acts_as}; the base knows {}", given.unwrap_or_default());
        found.push(step.finding(rule, Some(&class), message));
    }
}

pub(in crate::review) fn unverified(rule: &Rule, step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    for act in new_acts(step) {
        let by = format!("{act}.by");
        if !team::is_verified(step, act) {
            let message = format!("nobody vouches that `{}` did it", text(step, &by));
            found.push(step.finding(rule, Some(&by), message));
        }
    }
}
