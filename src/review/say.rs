//! What a change of a document means, in words: one function for each kind that reviewers look for, and one for the rest.

use serde_json::Value as Json;

use super::fields::FieldChange;
use super::item::Topic;
use super::laws::{answer, beyond, gate_standing, handoff_standing};
use super::phrase::{Draft, Pen, Phrase};
use super::step::Step;
use super::{Contributor, team};
use crate::reconcile::Answer;
use crate::vocabulary::{Blocks, Closed, Facts, Gate, Glob, Handoff, HandoffStanding, Item, Kind, Receipt, Record};

/// What is said of one document: the line itself, and what stands below it.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) what: Vec<Phrase>,
    pub(super) details: Vec<Phrase>,
    pub(super) topics: Vec<Topic>,
}

/// Who that is, as the base knows it.
pub(super) fn author(pen: Pen<'_>, one: &Contributor) -> Phrase {
    if one.actors.is_empty() {
        return pen.name(&one.name).words(" (unknown)").done();
    }
    let mut draft = pen.words("");
    for (number, (id, classes)) in one.actors.iter().enumerate() {
        let words: Vec<&str> = classes.all().iter().map(|class| class.word()).collect();
        draft = if number == 0 { draft } else { draft.words(" or ") };
        draft = draft.name(id).words(" (").figure(words.join(", ")).words(")");
    }
    draft.done()
}

/// Says what became of a document.
pub(super) fn said(step: &Step<'_>) -> Said {
    let mut said = Said { topics: topics(step), ..Said::default() };
    match (step.old(), step.new_record()) {
        (_, None) if step.after.is_some() => said.what.push(step.pen.words("cannot be read any more").done()),
        (_, None) => said.what.push(step.pen.words("removed").done()),
        (old, Some(Record::Gate(new))) => gate(step, old, new, &mut said),
        (old, Some(Record::Handoff(new))) => handoff(step, old, new, &mut said),
        (old, Some(Record::Facts(new))) => facts(step, old, new, &mut said),
        (None, Some(new)) => added(step, new, &mut said),
        (Some(_), Some(_)) => {}
    }
    rest(step, &mut said);
    said.details.extend(applied(step));
    said
}

fn topics(step: &Step<'_>) -> Vec<Topic> {
    let by_kind = match step.kind {
        Kind::Binding => Some(Topic::Bindings),
        Kind::WritebackRequest => Some(Topic::Writebacks),
        Kind::Policy | Kind::Workspace => Some(Topic::Policies),
        Kind::Receipt => Some(Topic::Receipts),
        _ => None,
    };
    let scopes = ["write_scope", "boundary.write_scope", "boundary.read_scope"];
    let mut topics: Vec<Topic> = by_kind.into_iter().collect();
    if scopes.iter().any(|field| step.differs(field)) && (step.kind == Kind::Goal || !step.is_added()) {
        topics.push(Topic::Scopes);
    }
    if step.differs("attached_capabilities") {
        topics.push(Topic::Capabilities);
    }
    if step.differs("quota") {
        topics.push(Topic::Quota);
    }
    topics
}

fn gate(step: &Step<'_>, old: Option<&Record>, new: &Gate, said: &mut Said) {
    let pen = step.pen;
    let (was, is) = (gate_standing(step, false), gate_standing(step, true));
    let asked = || pen.words("asked by ").name(&new.requested.by);
    match (was, is) {
        (None, Some(is)) => {
            said.what.push(pen.words("new: ").figure(is).done());
            said.what.push(asked().words(" of the ").figure(new.required_actor).done());
            said.details.push(pen.words("asks ").quote(&new.question).done());
            said.details.push(pen.words("blocks ").and(blocks(pen, &new.blocks)).done());
        }
        (Some(was), Some(is)) if was != is => said.what.push(pen.words("").figure(was).words(" -> ").figure(is).done()),
        _ => {}
    }
    let revision = step.differs("revision") && old.is_some();
    if revision {
        said.what.push(pen.words("asked again, revision ").figure(new.revision).done());
    }
    for (act, deed) in [("decision", "decided by "), ("withdrawn", "withdrawn by ")] {
        if step.differs(act) && !step.is(act).is_null() {
            let asked = if was.is_some() && act == "decision" { asked().words(", ") } else { pen.words("") };
            let counts = step.differs(act) && was == is && old.is_some();
            let draft = asked.words(deed).and(who(step, act));
            said.what.push(if counts { draft.words(", which does not count").done() } else { draft.done() });
        } else if step.differs(act) && !revision {
            said.what
                .push(pen.words(if act == "decision" { "decision taken out" } else { "withdrawal taken out" }).done());
        }
    }
    if let Some(Record::Gate(old)) = old {
        narrowed(step, old, new, said);
    }
}

fn narrowed(step: &Step<'_>, old: &Gate, new: &Gate, said: &mut Said) {
    if old.blocks == new.blocks || !step.differs("blocks") {
        return;
    }
    let (before, after) = (old.blocks.todos(), new.blocks.todos());
    let gone: Vec<_> = before.iter().filter(|todo| !after.contains(todo)).collect();
    let come: Vec<_> = after.iter().filter(|todo| !before.contains(todo)).collect();
    let pen = step.pen;
    if old.blocks.is_goal() || new.blocks.is_goal() || before.is_empty() || after.is_empty() {
        let draft = pen.words("blocks ").and(blocks(pen, &old.blocks)).words(" -> ").and(blocks(pen, &new.blocks));
        said.what.push(draft.done());
        return;
    }
    if !gone.is_empty() {
        said.what.push(pen.words("no longer blocks ").names(gone).done());
    }
    if !come.is_empty() {
        said.what.push(pen.words("also blocks ").names(come).done());
    }
}

fn blocks(pen: Pen<'_>, blocks: &Blocks) -> Phrase {
    match blocks {
        Blocks::Goal => pen.words("the whole goal").done(),
        Blocks::Nothing => pen.words("nothing").done(),
        Blocks::Todos(todos) => pen.words("").names(todos).done(),
    }
}

/// Who did an act, of which class, and whether anybody vouches for it.
fn who(step: &Step<'_>, act: &str) -> Phrase {
    let field = |name: &str| step.is(&format!("{act}.{name}")).as_str().unwrap_or_default().to_owned();
    let draft = step.pen.name(field("by")).words(" (").figure(field("actor_class"));
    let vouched = team::is_verified(step, act);
    draft.words(if vouched { ", verified)" } else { ")" }).done()
}

fn handoff(step: &Step<'_>, old: Option<&Record>, new: &Handoff, said: &mut Said) {
    let pen = step.pen;
    let (was, is) = (handoff_standing(step, false), handoff_standing(step, true));
    match (was, is) {
        (None, Some(is)) => {
            said.what.push(pen.words("new: ").figure(is).done());
            said.what.push(pen.name(&new.from_agent).words(" -> ").name(&new.to_agent).done());
            said.details.push(pen.words("do ").quote(&new.next_action).done());
            if !new.write_scope.is_empty() {
                said.details.push(pen.words("writes ").names(&new.write_scope).done());
            }
        }
        (Some(was), Some(is)) if was != is => said.what.push(pen.words("").figure(was).words(" -> ").figure(is).done()),
        _ => {}
    }
    for (act, deed) in [("approved", "approved by "), ("accepted", "accepted by "), ("withdrawn", "withdrawn by ")] {
        if step.differs(act) && !step.is(act).is_null() {
            let by = step.is(&format!("{act}.by")).as_str().unwrap_or_default().to_owned();
            let who = if act == "approved" { who(step, act) } else { pen.name(by).done() };
            let is_early = act == "accepted" && is == Some(HandoffStanding::Drafted);
            let early = match (is_early, &new.gate_id) {
                (false, _) => pen.words(""),
                (true, Some(gate)) => pen.words(", before the approval of ").name(gate).words(" counts"),
                (true, None) => pen.words(", before its approval counts"),
            };
            said.what.push(pen.words(deed).and(who).and(early.done()).done());
        }
    }
    if let Some(Record::Handoff(old)) = old {
        if old.to_agent != new.to_agent {
            said.what.push(pen.words("retargeted ").name(&old.to_agent).words(" -> ").name(&new.to_agent).done());
        }
        let of_goal = step.goal_before().map(|goal| goal.boundary.write_scope.as_slice()).unwrap_or_default();
        let effective = |scope: &[Glob]| if scope.is_empty() { of_goal.to_vec() } else { scope.to_vec() };
        scope(step, "write_scope", "write scope", &effective(&old.write_scope), &effective(&new.write_scope), said);
    }
}

fn scope(step: &Step<'_>, field: &str, name: &'static str, old: &[Glob], new: &[Glob], said: &mut Said) {
    if !step.differs(field) {
        return;
    }
    let (wider, narrower) = (!beyond(old, new).is_empty(), !beyond(new, old).is_empty());
    let width = match (wider, narrower) {
        (true, true) => " MOVED",
        (true, false) => " WIDER",
        (false, true) => " narrower",
        (false, false) => " as wide as before",
    };
    said.what.push(step.pen.words(name).words(width).done());
    said.details.push(step.pen.words("").names(old).words(" -> ").names(new).done());
}

fn added(step: &Step<'_>, new: &Record, said: &mut Said) {
    let pen = step.pen;
    let what = match new {
        Record::Goal(goal) => pen.words("new: ").quote(&goal.objective),
        Record::Todo(todo) => pen.words("new: ").quote(&todo.title),
        Record::Reward(reward) => pen
            .words("new: ")
            .figure(reward.reward)
            .words(" by ")
            .and(who(step, "given"))
            .words(" for ")
            .name(&reward.judges),
        Record::Binding(binding) => {
            let mode = binding.session_mode.map_or_else(String::new, |mode| format!(" ({mode})"));
            pen.words("new: a session of ").name(&binding.agent_id).figure(mode)
        }
        Record::WritebackRequest(request) => pen
            .words("new: tells ")
            .name(&request.session_id)
            .words(" of ")
            .name(&request.source)
            .words(", ")
            .figure(request.mode),
        Record::Proposal(proposal) => pen.words("new: ").quote(&proposal.summary),
        Record::Receipt(receipt) => pen.words("new: ").and(deed(pen, receipt)),
        _ => pen.words("new"),
    };
    said.what.push(what.done());
}

/// What a host reports that it did not report before.
fn facts(step: &Step<'_>, old: Option<&Record>, new: &Facts, said: &mut Said) {
    let old = match old {
        Some(Record::Facts(old)) => Some(old),
        _ => None,
    };
    let known: Vec<Item<'_>> = old.into_iter().flat_map(Facts::items).collect();
    let is_news = |item: &Item<'_>| !known.iter().any(|old| old.id == item.id && old.status == item.status);
    let pen = step.pen;
    for item in new.items().filter(is_news) {
        let of = item.links.iter().find(|(field, _)| matches!(*field, "todo_id" | "gate_id")).map(|(_, id)| *id);
        let draft = pen.name(&new.session_id).words(" reports: ").name(&item.kind);
        let draft = match of {
            Some(of) => draft.words(" of ").name(of).words(" "),
            None => draft.words(" "),
        };
        let phrase = draft.figure(item.status).words(" (").name(item.id).words(")").done();
        if said.what.is_empty() {
            said.what.push(phrase);
        } else {
            said.details.push(phrase);
        }
        said.details.extend(item.summary.map(|summary| pen.words("says ").quote(summary).done()));
    }
    if old.is_none_or(|old| old.status != new.status) {
        let was = old.map_or_else(String::new, |old| format!("{} -> ", old.status));
        let phrase = pen.name(&new.session_id).words(" is ").figure(format!("{was}{}", new.status)).done();
        if said.what.is_empty() { said.what.push(phrase) } else { said.details.push(phrase) }
    }
}

/// What a host would be told, where a writeback is to be applied from now on.
fn applied(step: &Step<'_>) -> Option<Phrase> {
    let Some(Answer::Previewed(preview)) = answer(step) else { return None };
    let tells = &preview.document;
    let draft = step.pen.words("would tell ").name(&tells.runtime.session_id).words(": ");
    let draft = draft.figure(tells.writeback.write_class).words(", preview ");
    (step.is("mode").as_str() == Some("apply")).then(|| draft.name(&preview.digest).done())
}

fn deed(pen: Pen<'_>, receipt: &Receipt) -> Phrase {
    pen.words("records ").name(&receipt.source.id).words(" ").name(receipt.result.word()).done()
}

/// Fields that something above has said already, or that follow from it.
fn is_told(step: &Step<'_>, change: &FieldChange) -> bool {
    let told: &[&str] = match step.kind {
        Kind::Gate => &["decision", "withdrawn", "blocks", "revision"],
        Kind::Handoff => &["approved", "accepted", "withdrawn", "to_agent", "write_scope"],
        Kind::WritebackRequest => &["approved_preview_digest"],
        // What the items say is told; that the host spoke later says nothing more.
        Kind::Facts => {
            return !["runtime_id", "session_id", "host_kind"].contains(&change.field.as_str());
        }
        _ => &[],
    };
    // Of an act that was there before, what exactly is otherwise has to be seen.
    told.iter().any(|field| change.is_of(field) && (change.field == **field || step.was(field).is_null()))
        || step.differs("revision") && step.kind == Kind::Gate && change.is_of("requested")
}

/// Says what no kind's own words have said, field by field.
fn rest(step: &Step<'_>, said: &mut Said) {
    if step.old().is_none() || step.new_record().is_none() {
        return;
    }
    let new = step.fields.iter().filter(|change| !is_told(step, change) && !step.is_of_base(&change.field));
    let mut changes: Vec<&FieldChange> = new.collect();
    changes.sort_by_key(|change| change.field != "status");
    for change in changes {
        let mut phrases = field(step.pen, change).into_iter();
        if said.what.is_empty() {
            said.what.extend(phrases.next());
        }
        said.details.extend(phrases);
    }
}

/// One field: on one line, but for prose, which has a line for each side.
fn field(pen: Pen<'_>, change: &FieldChange) -> Vec<Phrase> {
    let draft = pen.words("").name(&change.field).words("  ");
    let none = Vec::new();
    match (&change.from, &change.to) {
        (Json::Array(_), Json::Array(_) | Json::Null) | (Json::Null, Json::Array(_)) => {
            let list = |side: &'_ Json| side.as_array().unwrap_or(&none).clone();
            let (old, new) = (&list(&change.from), &list(&change.to));
            let (gone, come) = (less(old, new), less(new, old));
            let draft = gone.iter().fold(draft, |draft, item| value(draft.words("- "), item).words(" "));
            vec![come.iter().fold(draft, |draft, item| value(draft.words("+ "), item).words(" ")).done()]
        }
        (Json::String(from), Json::String(to)) if from.contains(' ') || to.contains(' ') => {
            let same = alike(from, to);
            let side = |name: &'static str, text: &str| pen.words(name).quote(from_there(text, same)).done();
            vec![draft.words("reworded").done(), side("was ", from), side("is  ", to)]
        }
        (from, to) => vec![value(value(draft, from).words(" -> "), to).done()],
    }
}

/// How many characters of two texts are shown where they begin alike: the last words before they part.
const CONTEXT: usize = 12;

/// Where two long texts part, but for a little context: what lies behind the cut of a quote would not be seen.
fn alike(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    if same > 3 * CONTEXT { same - CONTEXT } else { 0 }
}

fn from_there(text: &str, start: usize) -> String {
    if start == 0 { text.to_owned() } else { format!("…{}", text.chars().skip(start).collect::<String>()) }
}

/// What one list has and the other lacks.
fn less<'a>(one: &'a [Json], other: &[Json]) -> Vec<&'a Json> {
    one.iter().filter(|item| !other.contains(item)).collect()
}

fn value<'w>(draft: Draft<'w>, value: &Json) -> Draft<'w> {
    match value {
        Json::Null => draft.words("none"),
        Json::String(text) if text.contains(char::is_whitespace) => draft.quote(text),
        Json::String(text) => draft.name(text),
        Json::Array(items) if items.is_empty() => draft.words("none"),
        other => draft.name(other.to_string()),
    }
}
