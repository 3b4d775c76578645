//! Tells lines that people speak in turn, as chat tools export them.

use std::ops::Range;

use crate::shape::{byte, count, digits};

/// What may stand before the first word of a line that was quoted, listed or commented out.
const MARKS: [char; 13] = [' ', '\t', '>', '|', '#', '*', '"', '\'', '`', '+', '/', '-', '_'];

/// The most places at which a line may begin.
const BEGINNINGS: usize = 12;

/// The offsets at which a line may begin: its start, and behind a quote, an equals sign or a colon, where a string that
/// was unescaped, or a sentence that leads to it, may have put the first line.
pub(super) fn beginnings(line: &str) -> impl Iterator<Item = usize> {
    let behind = line.match_indices(['"', '\'', '=', '(', '+', ':']).map(|(at, mark)| at + mark.len());
    std::iter::once(0).chain(behind.take(BEGINNINGS))
}

/// Whether a line may be a turn with its time, by what stands behind its marks.
pub(super) fn begins_timed(line: &[u8]) -> bool {
    let length = digits(line, 0);
    length > 0 && matches!(byte(line, length), b'/' | b'.' | b':' | b'-') && digits(line, length + 1) > 0
}

/// Whether a line may be a turn behind the name of its speaker, by what stands behind its marks.
pub(super) fn begins_named(line: &[u8]) -> bool {
    let called = usize::from(matches!(byte(line, 0), b'@' | b'<'));
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0x80;
    let is_proper = |byte: u8| byte.is_ascii_uppercase() || byte >= 0x80;
    let of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-') || byte >= 0x80;
    let first = byte(line, called);
    if !(is_proper(first) || called == 1 && is_letter(first)) {
        return false;
    }
    let mut end = called + count(line, called, of_name);
    if byte(line, end) == b' ' && is_proper(byte(line, end + 1)) {
        end += 1 + count(line, end + 1, of_name);
    }
    matches!(byte(line, end), b'>' | b':' | b'*')
}

/// Finds lines that begin with a time and go on as a turn; two of one form.
pub(super) fn timed_turns(text: &str) -> Vec<Range<usize>> {
    turns(text, |line, _| beginnings(line).any(|at| timed_turn(line[at..].trim_start_matches(MARKS))), 2)
}

/// Finds lines that hold nothing but a name and a time, with what was said below; two of them.
pub(super) fn headed_turns(text: &str) -> Vec<Range<usize>> {
    turns(text, |line, below| below && is_head(line.trim_start_matches(MARKS).trim_end()), 2)
}

/// The span of lines that are turns, when there are enough of them. The judge also learns whether another line follows.
fn turns(text: &str, is_turn: fn(&str, bool) -> bool, fewest: usize) -> Vec<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    let (mut count, mut start) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if is_turn(line, end < text.len()) {
            count += 1;
            let first = found.as_ref().map_or(start, |range| range.start);
            found = Some(first..start + line.trim_end().len());
        }
        start = end;
    }
    found.filter(|_| count >= fewest).into_iter().collect()
}

/// Whether a line begins with a time as chat tools and subtitles write it, and a name or a cue behind it.
fn timed_turn(line: &str) -> bool {
    let opened = line.strip_prefix('[');
    let line = opened.unwrap_or(line);
    let clock = line.find(|character: char| {
        !(character.is_ascii_digit() || matches!(character, '/' | '.' | ':' | '-' | ',' | ' '))
    });
    let clock = clock.unwrap_or(line.len());
    let (digits, rest) = (&line[..clock], line[clock..].trim_start_matches(['A', 'P', 'M', 'a', 'p', 'm', '\u{202f}']));
    if !digits.contains(':') || digits.bytes().filter(u8::is_ascii_digit).count() < 3 {
        return false;
    }
    let dated = digits.contains('/') || digits.contains(", ") || digits.matches('.').count() >= 2;
    let (closed, rest) =
        rest.trim_start().strip_prefix(']').map_or((false, rest.trim_start()), |rest| (true, rest.trim_start()));
    let rest = rest.trim_start_matches(['-', '–', ' ']);
    if digits.trim_end().ends_with("--") && rest.starts_with('>') || rest.starts_with("From ") && rest.contains(':') {
        return true;
    }
    let nick = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).is_some_and(|(name, _)| is_name(name));
    let named = rest.split_once(": ").is_some_and(|(name, _)| is_name(name));
    (opened.is_some() == closed) && (nick && closed || named && (dated || closed))
}

/// Whether a line is a name and a time and nothing else.
fn is_head(line: &str) -> bool {
    let Some(line) = line.strip_suffix("AM").or_else(|| line.strip_suffix("PM")) else { return false };
    let line = line.trim_end();
    let name = line.trim_end_matches(|character: char| character.is_ascii_digit() || character == ':');
    let clock = &line[name.len()..];
    let name = name.trim_end();
    let name = name.strip_suffix("Today at").or_else(|| name.strip_suffix("Yesterday at")).unwrap_or(name);
    clock.contains(':') && clock.len() >= 4 && is_name(name.trim_end_matches([' ', '—', '-', '[', '(']))
}

/// Whether a text may be what people are called in a chat.
fn is_name(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    (1..=40).contains(&text.chars().count())
        && letters > 0
        && text.split_whitespace().count() <= 4
        && !text.contains(['{', '(', '=', '"'])
}

/// Labels of documents that stand before a colon again and again.
const LABELS: &[&str] = &[
    "note",
    "notes",
    "warning",
    "tip",
    "important",
    "caution",
    "input",
    "output",
    "before",
    "after",
    "q",
    "a",
    "question",
    "answer",
    "request",
    "response",
    "expected",
    "actual",
    "got",
    "want",
    "given",
    "when",
    "then",
    "and",
    "pro",
    "con",
    "pros",
    "cons",
    "old",
    "safety",
    "nb",
    "new",
    "from",
    "to",
    "yes",
    "no",
    "left",
    "right",
    "added",
    "changed",
    "fixed",
    "removed",
    "deprecated",
    "security",
    "name",
    "type",
    "value",
    "key",
    "status",
    "title",
    "description",
    "summary",
    "example",
    "examples",
    "default",
    "returns",
    "usage",
    "args",
    "note to reviewers",
    "todo",
    "fixme",
    "error",
    "info",
    "debug",
    "warn",
    "step",
    "reason",
    "why",
    "what",
    "how",
    "who",
    "where",
    "problem",
    "solution",
    "cause",
    "effect",
    "risk",
    "impact",
    "date",
    "time",
    "host",
    "port",
    "path",
    "file",
    "line",
    "id",
    "version",
    "license",
    "author",
    "reviewer",
    "owner",
    "good",
    "bad",
    "do",
    "don't",
    "see",
    "consequence",
    "goal",
    "scope",
    "state",
    "result",
    "test",
    "command",
    "response",
    "rule",
    "option",
    "phase",
    "stage",
];

/// Finds lines that people speak in turn: two names, each again behind the other.
pub(super) fn named_turns(text: &str) -> Vec<Range<usize>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((name, said)) = turn(line) {
            turns.push(Turn { name, said, place: start..start + line.trim_end().len() });
        } else if line.trim().len() > LONGEST_REST && turns.len() < 3 {
            turns.clear();
        }
        start += line.len();
    }
    let alternates = |window: &[Turn<'_>]| window[0].name != window[1].name && window[0].name == window[2].name;
    let speaks = turns.iter().filter(|turn| is_speech(turn.said)).count() >= 2;
    let is_near = |window: &[Turn<'_>]| window[window.len() - 1].place.start - window[0].place.start <= LONGEST_TALK;
    let nicks = turns.windows(3).any(|window| alternates(window) && window[0].name.starts_with('<'));
    let spoken = turns.windows(4).any(|window| alternates(window) && alternates(&window[1..]) && is_near(window));
    match (turns.first(), turns.last()) {
        (Some(first), Some(last)) if nicks || spoken && speaks => {
            vec![Range { start: first.place.start, end: last.place.end }]
        }
        _ => Vec::new(),
    }
}

/// Whether words follow one another as in speech, and not as the type of a field or a bound does in code.
fn is_speech(said: &str) -> bool {
    let said = said.trim();
    said.contains(' ') && !said.split([' ', '+']).all(|word| word.starts_with(char::is_uppercase) || word.is_empty())
}

/// Whether what stands behind a name and a colon is the type or the bound of something in code.
fn is_code(said: &str) -> bool {
    said.contains("::")
        || said.ends_with(['{', ';', '(', '<', '>', ','])
        || said.contains(['<', '=', '|', '&', '{', '?']) && !said.ends_with('?')
}

/// A line that somebody speaks.
struct Turn<'t> {
    name: &'t str,
    said: &'t str,
    place: Range<usize>,
}

/// What may stand before a name; items of a list begin with labels too often.
const MARKS_OF_TURNS: [char; 10] = [' ', '\t', '>', '|', '*', '"', '\'', '`', '+', '/'];

/// The longest name of somebody who speaks.
const LONGEST_CALLED: usize = 24;
/// How far four turns may reach: labels that stand far apart in a long text are no talk.
const LONGEST_TALK: usize = 4000;
/// How long a line between the first turns may be.
const LONGEST_REST: usize = 400;

/// The name that a line begins with, and what follows: `Alice:`, `@alice:`, `**Alice**:`, `<alice>`.
fn turn(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(MARKS_OF_TURNS).trim_end();
    if let Some((nick, said)) = line.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        let plain = nick.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'));
        return (plain && is_name(nick) && !said.trim().is_empty() && !said.contains("</"))
            .then(|| (&line[..=nick.len()], said));
    }
    let (name, said) = line.split_once(':')?;
    let name = name.trim_end_matches(['*', '_', ' ']);
    let called = name.strip_prefix('@').unwrap_or(name);
    if line.starts_with(['-', '#']) || name.len() > LONGEST_CALLED {
        return None;
    }
    let proper = name.starts_with('@') || name.split(' ').all(|part| part.starts_with(char::is_uppercase));
    let plain =
        called.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ' '));
    let label = called.to_lowercase().split(' ').any(|word| LABELS.contains(&word));
    let speaks = said.starts_with([' ', '*', '\t']) && !is_code(said.trim());
    (proper && plain && is_name(called) && !label && speaks).then_some((name, said))
}
