//! What a change of a document means, in words: one function for each kind that reviewers look for, and one for the rest.

use serde_json::Value as Json;

use super::checks::{answer, beyond, gate_standing, handoff_standing};
use super::fields::FieldChange;
use super::item::ReviewTopic;
use super::phrase::{Phrase, PhraseBuilder, PhraseDraft};
use super::touched::TouchedDocument;
use super::{Contributor, team};
use crate::reconcile::Answer;
use crate::vocabulary::{
    Blocks, ClosedWords, Facts, Gate, Glob, Handoff, HandoffStanding, Item, Kind, Receipt, Record,
};

/// What is said of one document: the line itself, and what stands below it.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) what: Vec<Phrase>,
    pub(super) details: Vec<Phrase>,
    pub(super) topics: Vec<ReviewTopic>,
}

/// Who that is, as the base knows it.
pub(super) fn author(phrases: PhraseBuilder<'_>, one: &Contributor) -> Phrase {
    if one.actors.is_empty() {
        return phrases.name(&one.name).words(" (unknown)").done();
    }
    let mut draft = phrases.words("");
    for (number, (id, classes)) in one.actors.iter().enumerate() {
        let words: Vec<&str> = classes.all().iter().map(|class| class.word()).collect();
        draft = if number == 0 { draft } else { draft.words(" or ") };
        draft = draft.name(id).words(" (").figure(words.join(", ")).words(")");
    }
    draft.done()
}

/// Says what became of a document.
pub(super) fn said(step: &TouchedDocument<'_>) -> Said {
    let mut said = Said { topics: topics(step), ..Said::default() };
    match (step.old(), step.new_record()) {
        (_, None) if step.after.is_some() => said.what.push(step.phrases.words("cannot be read any more").done()),
        (_, None) => said.what.push(step.phrases.words("removed").done()),
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

fn topics(step: &TouchedDocument<'_>) -> Vec<ReviewTopic> {
    let by_kind = match step.kind {
        Kind::Binding => Some(ReviewTopic::Bindings),
        Kind::WritebackRequest => Some(ReviewTopic::Writebacks),
        Kind::Policy | Kind::Workspace => Some(ReviewTopic::Policies),
        Kind::Receipt => Some(ReviewTopic::Receipts),
        _ => None,
    };
    let scopes = ["write_scope", "boundary.write_scope", "boundary.read_scope"];
    let mut topics: Vec<ReviewTopic> = by_kind.into_iter().collect();
    if scopes.iter().any(|field| step.differs(field)) && (step.kind == Kind::Goal || !step.is_added()) {
        topics.push(ReviewTopic::Scopes);
    }
    if step.differs("attached_capabilities") {
        topics.push(ReviewTopic::Capabilities);
    }
    if step.differs("quota") {
        topics.push(ReviewTopic::Quota);
    }
    topics
}

fn gate(step: &TouchedDocument<'_>, old: Option<&Record>, new: &Gate, said: &mut Said) {
    let phrases = step.phrases;
    let (was, is) = (gate_standing(step, false), gate_standing(step, true));
    let asked = || phrases.words("asked by ").name(&new.requested.by);
    match (was, is) {
        (None, Some(is)) => {
            said.what.push(phrases.words("new: ").figure(is).done());
            said.what.push(asked().words(" of the ").figure(new.required_actor).done());
            said.details.push(phrases.words("asks ").quote(&new.question).done());
            said.details.push(phrases.words("blocks ").and(blocks(phrases, &new.blocks)).done());
        }
        (Some(was), Some(is)) if was != is => {
            said.what.push(phrases.words("").figure(was).words(" -> ").figure(is).done());
        }
        _ => {}
    }
    let revision = step.differs("revision") && old.is_some();
    if revision {
        said.what.push(phrases.words("asked again, revision ").figure(new.revision).done());
    }
    for (act, deed) in [("decision", "decided by "), ("withdrawn", "withdrawn by ")] {
        if step.differs(act) && !step.is(act).is_null() {
            let asked = if was.is_some() && act == "decision" { asked().words(", ") } else { phrases.words("") };
            let counts = step.differs(act) && was == is && old.is_some();
            let draft = asked.words(deed).and(who(step, act));
            said.what.push(if counts { draft.words(", which does not count").done() } else { draft.done() });
        } else if step.differs(act) && !revision {
            said.what.push(
                phrases.words(if act == "decision" { "decision taken out" } else { "withdrawal taken out" }).done(),
            );
        }
    }
    if let Some(Record::Gate(old)) = old {
        narrowed(step, old, new, said);
    }
}

fn narrowed(step: &TouchedDocument<'_>, old: &Gate, new: &Gate, said: &mut Said) {
    if old.blocks == new.blocks || !step.differs("blocks") {
        return;
    }
    let (before, after) = (old.blocks.todos(), new.blocks.todos());
    let gone: Vec<_> = before.iter().filter(|todo| !after.contains(todo)).collect();
    let come: Vec<_> = after.iter().filter(|todo| !before.contains(todo)).collect();
    let phrases = step.phrases;
    if old.blocks.is_goal() || new.blocks.is_goal() || before.is_empty() || after.is_empty() {
        let draft =
            phrases.words("blocks ").and(blocks(phrases, &old.blocks)).words(" -> ").and(blocks(phrases, &new.blocks));
        said.what.push(draft.done());
        return;
    }
    if !gone.is_empty() {
        said.what.push(phrases.words("no longer blocks ").names(gone).done());
    }
    if !come.is_empty() {
        said.what.push(phrases.words("also blocks ").names(come).done());
    }
}

fn blocks(phrases: PhraseBuilder<'_>, blocks: &Blocks) -> Phrase {
    match blocks {
        Blocks::Goal => phrases.words("the whole goal").done(),
        Blocks::Nothing => phrases.words("nothing").done(),
        Blocks::Todos(todos) => phrases.words("").names(todos).done(),
    }
}

/// Who did an act, of which class, and whether anybody vouches for it.
fn who(step: &TouchedDocument<'_>, act: &str) -> Phrase {
    let field = |name: &str| step.is(&format!("{act}.{name}")).as_str().unwrap_or_default().to_owned();
    let draft = step.phrases.name(field("by")).words(" (").figure(field("actor_class"));
    let vouched = team::is_verified(step, act);
    draft.words(if vouched { ", verified)" } else { ")" }).done()
}

fn handoff(step: &TouchedDocument<'_>, old: Option<&Record>, new: &Handoff, said: &mut Said) {
    let phrases = step.phrases;
    let (was, is) = (handoff_standing(step, false), handoff_standing(step, true));
    match (was, is) {
        (None, Some(is)) => {
            said.what.push(phrases.words("new: ").figure(is).done());
            said.what.push(phrases.name(&new.from_agent).words(" -> ").name(&new.to_agent).done());
            said.details.push(phrases.words("do ").quote(&new.next_action).done());
            if !new.write_scope.is_empty() {
                said.details.push(phrases.words("writes ").names(&new.write_scope).done());
            }
        }
        (Some(was), Some(is)) if was != is => {
            said.what.push(phrases.words("").figure(was).words(" -> ").figure(is).done());
        }
        _ => {}
    }
    for (act, deed) in [("approved", "approved by "), ("accepted", "accepted by "), ("withdrawn", "withdrawn by ")] {
        if step.differs(act) && !step.is(act).is_null() {
            let by = step.is(&format!("{act}.by")).as_str().unwrap_or_default().to_owned();
            let who = if act == "approved" { who(step, act) } else { phrases.name(by).done() };
            let is_early = act == "accepted" && is == Some(HandoffStanding::Drafted);
            let early = match (is_early, &new.gate_id) {
                (false, _) => phrases.words(""),
                (true, Some(gate)) => phrases.words(", before the approval of ").name(gate).words(" counts"),
                (true, None) => phrases.words(", before its approval counts"),
            };
            said.what.push(phrases.words(deed).and(who).and(early.done()).done());
        }
    }
    if let Some(Record::Handoff(old)) = old {
        if old.to_agent != new.to_agent {
            said.what.push(phrases.words("retargeted ").name(&old.to_agent).words(" -> ").name(&new.to_agent).done());
        }
        let of_goal = step.goal_before().map(|goal| goal.boundary.write_scope.as_slice()).unwrap_or_default();
        let effective = |scope: &[Glob]| if scope.is_empty() { of_goal.to_vec() } else { scope.to_vec() };
        scope(step, "write_scope", "write scope", &effective(&old.write_scope), &effective(&new.write_scope), said);
    }
}

fn scope(step: &TouchedDocument<'_>, field: &str, name: &'static str, old: &[Glob], new: &[Glob], said: &mut Said) {
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
    said.what.push(step.phrases.words(name).words(width).done());
    said.details.push(step.phrases.words("").names(old).words(" -> ").names(new).done());
}

fn added(step: &TouchedDocument<'_>, new: &Record, said: &mut Said) {
    let phrases = step.phrases;
    let what = match new {
        Record::Goal(goal) => phrases.words("new: ").quote(&goal.objective),
        Record::Todo(todo) => phrases.words("new: ").quote(&todo.title),
        Record::Reward(reward) => phrases
            .words("new: ")
            .figure(reward.reward)
            .words(" by ")
            .and(who(step, "given"))
            .words(" for ")
            .name(&reward.judges),
        Record::Binding(binding) => {
            let mode = binding.session_mode.map_or_else(String::new, |mode| format!(" ({mode})"));
            phrases.words("new: a session of ").name(&binding.agent_id).figure(mode)
        }
        Record::WritebackRequest(request) => phrases
            .words("new: tells ")
            .name(&request.session_id)
            .words(" of ")
            .name(&request.source)
            .words(", ")
            .figure(request.mode),
        Record::Proposal(proposal) => phrases.words("new: ").quote(&proposal.summary),
        Record::Receipt(receipt) => phrases.words("new: ").and(deed(phrases, receipt)),
        _ => phrases.words("new"),
    };
    said.what.push(what.done());
}

/// What a host reports that it did not report before.
fn facts(step: &TouchedDocument<'_>, old: Option<&Record>, new: &Facts, said: &mut Said) {
    let old = match old {
        Some(Record::Facts(old)) => Some(old),
        _ => None,
    };
    let known: Vec<Item<'_>> = old.into_iter().flat_map(Facts::items).collect();
    let is_news = |item: &Item<'_>| !known.iter().any(|old| old.id == item.id && old.status == item.status);
    let phrases = step.phrases;
    for item in new.items().filter(is_news) {
        let of = item.links.iter().find(|(field, _)| matches!(*field, "todo_id" | "gate_id")).map(|(_, id)| *id);
        let draft = phrases.name(&new.session_id).words(" reports: ").name(&item.kind);
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
        said.details.extend(item.summary.map(|summary| phrases.words("says ").quote(summary).done()));
    }
    if old.is_none_or(|old| old.status != new.status) {
        let was = old.map_or_else(String::new, |old| format!("{} -> ", old.status));
        let phrase = phrases.name(&new.session_id).words(" is ").figure(format!("{was}{}", new.status)).done();
        if said.what.is_empty() { said.what.push(phrase) } else { said.details.push(phrase) }
    }
}

/// What a host would be told, where a writeback is to be applied from now on.
fn applied(step: &TouchedDocument<'_>) -> Option<Phrase> {
    let Some(Answer::Previewed(preview)) = answer(step) else { return None };
    let tells = &preview.document;
    let draft = step.phrases.words("would tell ").name(&tells.runtime.session_id).words(": ");
    let draft = draft.figure(tells.writeback.write_class).words(", preview ");
    (step.is("mode").as_str() == Some("apply")).then(|| draft.name(&preview.digest).done())
}

fn deed(phrases: PhraseBuilder<'_>, receipt: &Receipt) -> Phrase {
    phrases.words("records ").name(&receipt.source.id).words(" ").name(receipt.result.word()).done()
}

/// Fields that something above has said already, or that follow from it.
fn is_told(step: &TouchedDocument<'_>, change: &FieldChange) -> bool {
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
fn rest(step: &TouchedDocument<'_>, said: &mut Said) {
    if step.old().is_none() || step.new_record().is_none() {
        return;
    }
    let new = step.fields.iter().filter(|change| !is_told(step, change) && !step.is_of_base(&change.field));
    let mut changes: Vec<&FieldChange> = new.collect();
    changes.sort_by_key(|change| change.field != "status");
    for change in changes {
        let mut phrases = field(step.phrases, change).into_iter();
        if said.what.is_empty() {
            said.what.extend(phrases.next());
        }
        said.details.extend(phrases);
    }
}

/// One field: on one line, but for prose, which has a line for each side.
fn field(phrases: PhraseBuilder<'_>, change: &FieldChange) -> Vec<Phrase> {
    let draft = phrases.words("").name(&change.field).words("  ");
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
            let side = |name: &'static str, text: &str| phrases.words(name).quote(from_there(text, same)).done();
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

fn value<'w>(draft: PhraseDraft<'w>, value: &Json) -> PhraseDraft<'w> {
    match value {
        Json::Null => draft.words("none"),
        Json::String(text) if text.contains(char::is_whitespace) => draft.quote(text),
        Json::String(text) => draft.name(text),
        Json::Array(items) if items.is_empty() => draft.words("none"),
        other => draft.name(other.to_string()),
    }
}
