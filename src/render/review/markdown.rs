//! A review as a comment that cannot bite: bounded, whole at any bound, and inert whatever a document says.

use super::ReviewComment;
use super::human::{kind, word};
use crate::finding::Finding;
use crate::privacy::Text;
use crate::render::page;
use crate::render::table::cut;
use crate::review::{ItemSign, Opening, Phrase, PhrasePart, ReviewItem, ScreenChange};
use crate::vocabulary::{ClosedWords, Level, agrees, counted};

/// The longest comment, in characters; hosting services take a few thousand more.
pub const COMMENT_LIMIT: usize = 60_000;

/// The longest field text in a comment.
const FIELD: usize = 72;
/// The longest cell, in characters; what is left is counted.
const CELL: usize = 900;

/// Writes a review as a comment of at most `limit` characters, the most careful first. What does not fit is counted;
/// below what a heading needs only the heading is left.
#[must_use]
pub fn comment(comment: &ReviewComment<'_>, limit: usize) -> String {
    let review = comment.review;
    let mut page = LimitedPage { text: String::new(), limit };
    page.must(&format!(
        "<!-- loopx:review:v1:{} -->\n### loopx: {}\n",
        comment.wall.text(comment.name),
        title(comment)
    ));
    let foot = foot(comment);
    page.limit = limit.saturating_sub(foot.chars().count());
    if review.is_refused() {
        page.add(&if_merged(&review.opens));
    }
    let opens: Vec<String> = review.opens.iter().map(opened).collect();
    page.list("\n", &opens, "opened piece of work");
    let closes: Vec<String> = review.closes.iter().map(closed).collect();
    page.list("\n", &closes, "closed piece of work");
    let commits = review.of_commits.iter().map(|finding| of_commit(comment, finding));
    let rows: Vec<String> = commits.chain(review.all().map(|item| row(comment, item))).collect();
    page.list("\n| | what | change | why it matters |\n|---|---|---|---|\n", &rows, "document");
    let turns: Vec<String> = review.turns.iter().map(|turns| format!("- {}\n", phrase(turns))).collect();
    page.list("\n", &turns, "agent");
    page.details(comment);
    page.limit = limit;
    page.add(&foot);
    page.text
}

/// A comment being written, to a limit in characters.
struct LimitedPage {
    text: String,
    limit: usize,
}

impl LimitedPage {
    fn must(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn has_room(&self, text: &str, reserve: usize) -> bool {
        self.text.chars().count() + text.chars().count() + reserve <= self.limit
    }

    fn add(&mut self, text: &str) {
        if self.has_room(text, 0) {
            self.text.push_str(text);
        }
    }

    /// Adds whole lines while they fit, and counts the others honestly.
    fn list(&mut self, heading: &str, lines: &[String], noun: &str) {
        if lines.is_empty() {
            return;
        }
        let rest = |left: usize| format!("\nand {} more\n", counted(left, noun));
        let is_all = self.has_room(&format!("{heading}{}", lines.concat()), 0);
        let reserve = if is_all { 0 } else { rest(lines.len()).chars().count() };
        let mut used = 0;
        for line in lines {
            let opening = if used == 0 { heading } else { "" };
            if !self.has_room(&format!("{opening}{line}"), reserve) {
                break;
            }
            self.text.push_str(opening);
            self.text.push_str(line);
            used += 1;
        }
        if used < lines.len() {
            let more = if used == 0 {
                format!("\n{}: too many to show\n", counted(lines.len(), noun))
            } else {
                rest(lines.len() - used)
            };
            self.add(&more);
        }
    }

    /// The first screens and what means the same, folded away; all of it or nothing of it.
    fn details(&mut self, comment: &ReviewComment<'_>) {
        let review = comment.review;
        if review.screens.is_empty() && review.same.is_empty() {
            return;
        }
        let same = counted(review.same.len(), "document");
        let open =
            format!("\n<details><summary>First screens before and after; {same} of the same meaning</summary>\n\n");
        let close = "\n</details>\n";
        let mut inner = Self { text: String::new(), limit: self.limit };
        inner.limit = self.limit.saturating_sub(self.text.chars().count() + open.chars().count() + close.len());
        let rows: Vec<String> = review.screens.iter().flat_map(screen).collect();
        inner.list("| screen | before | after |\n|---|---|---|\n", &rows, "row");
        let same: Vec<String> = review.same.iter().map(|id| format!("- same meaning: {}\n", name(id))).collect();
        inner.list("\n", &same, "document");
        if !inner.text.is_empty() {
            self.add(&format!("{open}{}{close}", inner.text));
        }
    }
}

fn title(comment: &ReviewComment<'_>) -> String {
    let review = comment.review;
    let (refused, look) = (review.count(Level::Error), review.count(Level::Warning));
    match (refused, review.opens.len(), review.is_nothing()) {
        (_, _, true) => "nothing changes in meaning".to_owned(),
        (0, 0, _) => format!("nothing opens, nothing refused{}", to_look_at(look)),
        (0, opens, _) => format!("opens {}, nothing refused{}", counted(opens, "piece of work"), to_look_at(look)),
        (refused, ..) => {
            format!("refused, {} of the policy {} broken", counted(refused, "rule"), agrees(refused, "is", "are"))
        }
    }
}

fn to_look_at(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", {count} to look at") }
}

fn if_merged(opens: &[Opening]) -> String {
    let Some((first, rest)) = opens.split_first() else { return String::new() };
    let more = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
    let (agent, todo, scopes) = (agent(first), name(&first.todo_id), scopes(first));
    format!("\nIf this were merged, **{agent} could start {todo} and write {scopes}{more}.**\n")
}

fn agent(opening: &Opening) -> String {
    opening.agent_id.as_ref().map_or_else(|| "every agent".to_owned(), name)
}

fn scopes(opening: &Opening) -> String {
    let mut shown: Vec<String> = opening.write_scope.iter().take(5).map(name).collect();
    match opening.write_scope.len().saturating_sub(5) {
        0 if shown.is_empty() => shown.push("nothing".to_owned()),
        0 => {}
        more => shown.push(format!("{more} more")),
    }
    shown.join(", ")
}

fn opened(opening: &Opening) -> String {
    let may = if opening.is_further { "may go further in" } else { "may start" };
    let ends = opening.ends.map_or_else(String::new, |ends| format!(", until {ends}"));
    format!(
        "- **{} {may} {}**, {}, writing only {}, stopping at {}{ends}\n",
        agent(opening),
        name(&opening.todo_id),
        name(&opening.title),
        scopes(opening),
        name(&opening.stop_condition)
    )
}

fn closed(opening: &Opening) -> String {
    format!("- {} may no longer start {}\n", agent(opening), name(&opening.todo_id))
}

fn of_commit(comment: &ReviewComment<'_>, finding: &Finding) -> String {
    format!("| **refused** | {} | message | {} |\n", name(&comment.wall.text(&finding.primary.path)), finding.rule)
}

fn row(comment: &ReviewComment<'_>, item: &ReviewItem) -> String {
    let sign = match item.sign() {
        ItemSign::Refused => "**refused**",
        ItemSign::Look => "look",
        sign => word(sign),
    };
    let mut said = item.what.clone();
    said.extend(item.details.iter().cloned());
    let why: Vec<Phrase> = item.breaches.iter().map(|finding| reason(comment, finding)).collect();
    format!("| {sign} | {} {} | {} | {} |\n", kind(item), name(&item.id), cell(&said), cell(&why))
}

fn reason(comment: &ReviewComment<'_>, finding: &Finding) -> Phrase {
    let place = comment.wall.text(comment.place(finding));
    let words = |text: &'static str| PhrasePart::Words(Text::fixed(text));
    let mut parts = message(&finding.message);
    parts.extend([words(" ("), words(finding.rule), words(", "), PhrasePart::Name(place), words(")")]);
    Phrase(parts)
}

/// The sentence of a finding: what stands in it between backticks is a document's, and so is all that is no plain
/// prose.
fn message(text: &Text) -> Vec<PhrasePart> {
    let wall = crate::privacy::Wall::shipped();
    let part = |(number, piece): (usize, &str)| match number % 2 == 0 && is_prose(piece) {
        true => PhrasePart::Words(wall.text(piece)),
        false => PhrasePart::Name(wall.text(piece)),
    };
    text.as_ref().split('`').enumerate().filter(|(_, piece)| !piece.is_empty()).map(part).collect()
}

/// Whether nothing in a text can mean anything to a renderer: words, and marks between words.
fn is_prose(text: &str) -> bool {
    let harmless =
        |one: char| one.is_ascii_alphanumeric() || matches!(one, ' ' | ',' | ';' | ':' | '\'' | '"' | '(' | ')' | '…');
    let stops = text.match_indices('.').all(|(place, _)| !text[place + 1..].starts_with(|next: char| next != ' '));
    stops && text.chars().all(|one| harmless(one) || one == '.' || one == '-')
}

/// Phrases in one cell; whole ones while they fit.
fn cell(phrases: &[Phrase]) -> String {
    let mut shown = String::new();
    for (number, one) in phrases.iter().enumerate() {
        let text = phrase(one);
        let comma = if number == 0 { "" } else { "; " };
        if shown.chars().count() + text.chars().count() > CELL {
            shown.push_str(&format!("{comma}and {} more", phrases.len() - number));
            break;
        }
        shown.push_str(comma);
        shown.push_str(&text);
    }
    shown
}

fn phrase(phrase: &Phrase) -> String {
    let mut shown = String::new();
    for (number, part) in phrase.0.iter().enumerate() {
        if shown.chars().count() > CELL / 2 {
            shown.push_str(&format!(" and {} more parts", phrase.0.len() - number));
            break;
        }
        match part {
            PhrasePart::Words(text) => shown.push_str(&text.as_ref().replace("->", "→")),
            PhrasePart::Name(text) | PhrasePart::Quote(text) => shown.push_str(&name(text)),
        }
    }
    shown
}

/// Text of a document, where nothing in it means anything: no mention, link, image, tag or mark.
fn name(text: &Text) -> String {
    if text.as_ref().trim().is_empty() {
        return "-".to_owned();
    }
    let short = crate::privacy::Wall::shipped().text(cut(text.as_ref(), FIELD));
    page::code(&short).replace("<!--", "<! --")
}

fn screen(change: &ScreenChange) -> Vec<String> {
    let called = format!("{} {}", name(&change.goal_id), name(&change.agent_id));
    let (Some(old), Some(new)) = (&change.before, &change.after) else {
        let word = |is: bool| if is { "a screen" } else { "none" };
        return vec![format!("| {called} | {} | {} |\n", word(change.before.is_some()), word(change.after.is_some()))];
    };
    let mut rows = Vec::new();
    for (what, old, new) in [
        ("waiting on", old.waiting_on.word(), new.waiting_on.word()),
        ("gate", old.gate_state.word(), new.gate_state.word()),
        ("may continue", old.may_continue.word(), new.may_continue.word()),
        ("quota", old.quota_state.word(), new.quota_state.word()),
    ] {
        if old != new {
            rows.push(format!("| {called} {what} | {old} | {new} |\n"));
        }
    }
    if old.next_action != new.next_action {
        rows.push(format!("| {called} next | {} | {} |\n", name(&old.next_action), name(&new.next_action)));
    }
    rows
}

fn foot(comment: &ReviewComment<'_>) -> String {
    let review = comment.review;
    let mut text = String::from("\n");
    if !review.is_refused() && !review.untouched.is_empty() && !review.is_nothing() {
        let topics: Vec<_> = review.untouched.iter().map(|topic| topic.word()).collect();
        text.push_str(&format!("Not touched: {}. ", topics.join(", ")));
    }
    if review.unrecorded > 0 {
        text.push_str(&format!("Counts once recorded: {}. ", counted(review.unrecorded, "receipt")));
    }
    match review.is_verified {
        Some(true) => text.push_str("Every act is vouched for.\n"),
        Some(false) => text.push_str("Names are claims; nobody vouches for them.\n"),
        None => text.push('\n'),
    }
    let (base, head) = comment.commits;
    let wall = comment.wall;
    let run = wall.text(format!("loopx review {base}..{head}"));
    text.push_str(&format!(
        "<sub>{}…{} · run it yourself: {}</sub>\n",
        name(&wall.text(base)),
        name(&wall.text(head)),
        name(&run)
    ));
    text
}
