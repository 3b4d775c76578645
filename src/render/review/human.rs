//! A review for people: the first line answers, the last one counts and names the next command.

use unicode_width::UnicodeWidthStr;

use super::ReviewComment;
use crate::finding::Finding;
use crate::privacy::Text;
use crate::render::table::{WIDTH, cut, quote};
use crate::render::verification::moment;
use crate::review::{ItemSign, Opening, Phrase, PhrasePart, Review, ReviewItem, ScreenChange};
use crate::vocabulary::{ClosedWords, FirstScreen, Level, agrees, counted};

/// How many names a list shows.
const NAMED: usize = 5;
/// How many details of one document are shown where all documents are.
const DETAILS: usize = 2;

/// Draws a review for a terminal.
#[must_use]
pub fn review(comment: &ReviewComment<'_>) -> String {
    let review = comment.review;
    let mut lines = vec![first(comment)];
    if let Some(id) = comment.show {
        let wanted: Vec<&ReviewItem> = review.all().filter(|item| item.id.as_ref() == id).collect();
        if wanted.is_empty() {
            lines.push(format!("Nothing that changes in meaning is called {id}."));
        }
        wanted.iter().for_each(|item| lines.extend(whole(comment, item)));
        return drawn(comment, lines);
    }
    if !review.is_nothing() {
        lines.push(String::new());
    }
    for finding in &review.of_commits {
        lines.push(format!("  x commit   {}", finding.message));
        lines.push(format!("               {}", finding.rule));
    }
    review.widenings.iter().for_each(|item| lines.extend(shown(comment, item)));
    for opening in &review.opens {
        lines.extend(opened(review, opening));
    }
    for opening in &review.closes {
        let agent = opening.agent_id.as_ref().map_or("nobody", AsRef::as_ref);
        let may = if opening.agent_id.is_some() { "may no longer start" } else { "may start" };
        lines.push(format!("  CLOSES {agent} {may} {}  {}", opening.todo_id, quote(opening.title.as_ref())));
    }
    review.items.iter().for_each(|item| lines.extend(shown(comment, item)));
    if !review.same.is_empty() {
        lines.push(format!("  = same meaning: {}", listed(&review.same)));
    }
    lines.extend(review.turns.iter().map(|turns| format!("  {}", phrase(turns))));
    lines.extend(review.screens.iter().map(screen));
    lines.extend(merged(comment).map(|text| format!("  {text}")));
    if is_plain(review) && !review.is_nothing() && !review.untouched.is_empty() {
        let topics: Vec<_> = review.untouched.iter().map(|topic| topic.word()).collect();
        lines.push(format!("  Not touched: {}.", topics.join(", ")));
    }
    lines.extend(review.notes.iter().map(ToString::to_string));
    lines.extend(standing(comment));
    lines.push(last(comment));
    drawn(comment, lines)
}

/// One line for each document, for agents and grep: how it is judged, its kind and id, and the rules that it breaks.
#[must_use]
pub fn review_concise(comment: &ReviewComment<'_>) -> String {
    let mut text = String::new();
    for finding in &comment.review.of_commits {
        text.push_str(&format!("refused {} {}\n", finding.primary.path, finding.rule));
    }
    for opening in &comment.review.opens {
        let agent = opening.agent_id.as_ref().map_or("any-agent", AsRef::as_ref);
        text.push_str(&format!("opens {} {} {agent}\n", opening.goal_id, opening.todo_id));
    }
    for item in comment.review.all() {
        let rules: Vec<_> = item.breaches.iter().map(|finding| format!(" {}", finding.rule)).collect();
        let kind = kind(item).replace(' ', "-");
        text.push_str(&format!("{} {kind} {}{}\n", word(item.sign()), item.id, rules.concat()));
    }
    text
}

/// The word for how carefully an item is to be looked at.
pub(super) const fn word(sign: ItemSign) -> &'static str {
    match sign {
        ItemSign::Refused => "refused",
        ItemSign::Look => "look",
        ItemSign::Added => "new",
        ItemSign::Changed => "changed",
        ItemSign::Removed => "removed",
    }
}

const fn mark(sign: ItemSign) -> char {
    match sign {
        ItemSign::Refused => 'x',
        ItemSign::Look => '!',
        ItemSign::Added => '+',
        ItemSign::Changed => '~',
        ItemSign::Removed => '-',
    }
}

fn first(comment: &ReviewComment<'_>) -> String {
    let review = comment.review;
    if comment.commits.0 == comment.commits.1 {
        return format!("Nothing changes: {} and {} are the same commit.", comment.base, comment.head);
    }
    let authors: Vec<String> = review.authors.iter().map(phrase).collect();
    let more = match authors.len().saturating_sub(3) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let by = match authors.is_empty() {
        true => String::new(),
        false => format!(" by {}{more}", authors[..authors.len().min(3)].join(", ")),
    };
    let documents = review.all().filter(|item| item.is_touched).count();
    let verb = agrees(documents, "changes", "change");
    let verdict = if review.is_refused() { "REFUSED" } else { "allowed" };
    let commits = counted(review.commits, "commit");
    let rest = format!(", {} {verb} in meaning, {verdict} by policy", counted(documents, "document"));
    // Names may be of any length; the verdict is what the line is for.
    let room = WIDTH.saturating_sub(commits.width() + rest.width());
    format!("{commits}{}{rest}", cut(&by, room))
}

/// Whether there is nothing to look at twice; else that is what the screen is for.
fn is_plain(review: &Review) -> bool {
    review.of_commits.is_empty() && review.all().all(|item| !matches!(item.sign(), ItemSign::Refused | ItemSign::Look))
}

fn opened(review: &Review, opening: &Opening) -> Vec<String> {
    let agent = opening.agent_id.as_ref().map_or("every agent", AsRef::as_ref);
    let may = if opening.is_further { "may go further in" } else { "may start" };
    let title = quote(opening.title.as_ref());
    let mut lines = vec![format!("  OPENS  {agent} {may} {}  {title}", opening.todo_id)];
    // What is refused should not happen; what it would permit is said at the end.
    if review.is_refused() {
        return lines;
    }
    let scopes = if opening.write_scope.is_empty() { "nothing".to_owned() } else { listed(&opening.write_scope) };
    let accepts = opening.accepts.as_ref().map_or_else(String::new, |id| format!("   once {id} is accepted"));
    let ends = opening.ends.map_or_else(String::new, |ends| format!("ends {}   ", moment(ends.timestamp())));
    lines.push(format!("         writes {scopes}{accepts}"));
    lines.push(format!("         {ends}stops {}", quote(opening.stop_condition.as_ref())));
    if is_plain(review) {
        lines.extend(opening.because.iter().take(1).map(|reason| format!("         reason {}", phrase(reason))));
    }
    lines
}

fn listed(texts: &[Text]) -> String {
    let names: Vec<&str> = texts.iter().take(NAMED).map(AsRef::as_ref).collect();
    let more = match texts.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names.join(", "))
}

/// A phrase as people read it.
pub(super) fn phrase(phrase: &Phrase) -> String {
    let part = |part: &PhrasePart| match part {
        PhrasePart::Words(text) | PhrasePart::Name(text) => text.to_string(),
        PhrasePart::Quote(text) => quote(text.as_ref()),
    };
    phrase.0.iter().map(part).collect::<String>().trim_end().to_owned()
}

pub(super) fn kind(item: &ReviewItem) -> &'static str {
    match item.kind.map(|kind| kind.row().name) {
        Some("writeback request") => "writeback",
        Some(name) => name,
        None => "file",
    }
}

/// What became of a document: on one line while it fits, each phrase whole.
fn head(item: &ReviewItem) -> Vec<String> {
    let mut lines = vec![format!("  {} {:<8} {}", mark(item.sign()), kind(item), item.id)];
    for (number, what) in item.what.iter().map(phrase).enumerate() {
        let last = lines.last_mut().expect("it has a line");
        let gap = if number == 0 { "  " } else { "   " };
        if number == 0 || last.width() + gap.len() + what.width() <= WIDTH {
            last.push_str(gap);
            last.push_str(&what);
        } else {
            lines.push(format!("             {what}"));
        }
    }
    lines
}

fn shown(comment: &ReviewComment<'_>, item: &ReviewItem) -> Vec<String> {
    let mut lines = head(item);
    lines.extend(item.details.iter().take(DETAILS).map(|detail| format!("             {}", phrase(detail))));
    if item.details.len() > DETAILS {
        lines.push(format!("             and {} more: --show {}", item.details.len() - DETAILS, item.id));
    }
    lines.extend(broken(comment, item));
    lines
}

/// What is broken, by which rule, and where it begins.
fn broken(comment: &ReviewComment<'_>, item: &ReviewItem) -> Vec<String> {
    let Some(first) = item.breaches.first() else { return Vec::new() };
    let place = comment.place(first);
    let is_of_change =
        |finding: &&Finding| crate::rules::find(finding.rule).is_some_and(crate::rules::Rule::is_of_change);
    let refused = item.breaches.iter().filter(|finding| finding.level == Level::Error);
    let help = refused.filter(is_of_change).find_map(|finding| finding.help.as_ref());
    let help = help.map(|help| format!("               help: {help}"));
    if let [only] = item.breaches.as_slice() {
        let lines = [format!("             {}", only.message), format!("               {} --> {place}", only.rule)];
        return lines.into_iter().chain(help).collect();
    }
    let mut lines: Vec<String> = item.breaches.iter().flat_map(breach).collect();
    lines.push(format!("               --> {place}"));
    lines.extend(help);
    lines
}

/// One of several: on one line where sentence and rule fit.
fn breach(finding: &Finding) -> Vec<String> {
    let (message, rule) = (&finding.message, finding.rule);
    let one = format!("             {message}  {rule}");
    if one.width() <= WIDTH {
        vec![one]
    } else {
        vec![format!("             {message}"), format!("               {rule}")]
    }
}

/// One document with everything that is known of its change.
fn whole(comment: &ReviewComment<'_>, item: &ReviewItem) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(head(item));
    lines.push(format!("             {}{}", comment.prefix, item.path));
    lines.extend(item.details.iter().map(|detail| format!("             {}", phrase(detail))));
    for finding in &item.breaches {
        lines.extend(breach(finding));
        lines.push(format!("               --> {}", comment.place(finding)));
        let why = crate::rules::find(finding.rule).map(|rule| rule.why).unwrap_or_default();
        lines.push(format!("               why: {why}"));
        lines.extend(finding.help.iter().map(|help| format!("               help: {help}")));
    }
    lines
}

fn screen(change: &ScreenChange) -> String {
    let named = format!("  {} {}", change.goal_id, change.agent_id);
    match (&change.before, &change.after) {
        (Some(old), Some(new)) => format!("{named}  {}", difference(old, new)),
        (None, Some(new)) => {
            format!("{named}  new screen: waiting on {}, may continue {}", new.waiting_on, new.may_continue)
        }
        _ => format!("{named}  has no screen any more"),
    }
}

/// What differs between two first screens, the words of contract 2 first.
fn difference(old: &FirstScreen, new: &FirstScreen) -> String {
    // A gate's and a quota's words follow from these two more often than not.
    let words = [
        ("waiting on", old.waiting_on.word(), new.waiting_on.word()),
        ("may continue", old.may_continue.word(), new.may_continue.word()),
        ("gate", old.gate_state.word(), new.gate_state.word()),
        ("quota", old.quota_state.word(), new.quota_state.word()),
    ];
    let mut differing: Vec<String> = words
        .iter()
        .filter(|(_, old, new)| old != new)
        .take(2)
        .map(|(name, old, new)| format!("{name} {old} -> {new}"))
        .collect();
    if old.next_action != new.next_action {
        differing.push(format!("next {}", quote(new.next_action.as_ref())));
    } else if differing.is_empty() {
        differing.push("another write scope or stop condition".to_owned());
    }
    differing.join(", ")
}

/// What would be possible although it is refused.
pub(super) fn merged(comment: &ReviewComment<'_>) -> Option<String> {
    let review = comment.review;
    if !review.is_refused() {
        return None;
    }
    let (first, rest) = review.opens.split_first()?;
    let agent = first.agent_id.as_ref().map_or("every agent", AsRef::as_ref);
    let scopes = if first.write_scope.is_empty() { "nothing".to_owned() } else { listed(&first.write_scope) };
    let more = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
    Some(format!("If merged: {agent} could start {} and write {scopes}{more}.", first.todo_id))
}

/// How what is decided comes to count, and who vouches for it.
fn standing(comment: &ReviewComment<'_>) -> Option<String> {
    let review = comment.review;
    let receipts = match (review.receipts, review.unrecorded) {
        (0, 0) => None,
        (introduced, 0) => Some(format!("The merge brings {}.", counted(introduced, "receipt"))),
        (_, lacking) => Some(format!("Counts once recorded: {}.", counted(lacking, "receipt"))),
    };
    let vouched = review.is_verified.map(|verified| match verified {
        true => "Every act is vouched for.".to_owned(),
        false => "Names are claims.".to_owned(),
    });
    let said: Vec<String> = receipts.into_iter().chain(vouched).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn last(comment: &ReviewComment<'_>) -> String {
    let review = comment.review;
    let (refused, look) = (review.count(Level::Error), review.count(Level::Warning));
    let opens = review.opens.len();
    let mut text = format!("{refused} refused, {look} to look at, {opens} {}.", agrees(opens, "opens", "open"));
    let worst = review.all().find(|item| matches!(item.sign(), ItemSign::Refused | ItemSign::Look));
    if let Some(item) = worst {
        text.push_str(&format!(" One of them: --show {}", item.id));
    }
    text
}

/// Sets lines in the width of every screen; a command or a place is never cut.
fn drawn(comment: &ReviewComment<'_>, lines: Vec<String>) -> String {
    let fit = |line: String| match line.contains("--show ") || line.starts_with("               ") {
        true => line,
        false => cut(&line, WIDTH),
    };
    let mut text = String::new();
    for line in lines {
        text.push_str(comment.wall.text(fit(line)).as_ref());
        text.push('\n');
    }
    text
}
