//! Conversations between people, and of agents, as the tools that hold them export them.

use std::ops::Range;

use crate::privacy::class::Class;
use crate::privacy::row::Gate::{Shape, Words};
use crate::privacy::row::Piece::Lit;
use crate::privacy::row::{Find, Gate, Piece, Row};

/// A row of one pattern.
const fn exported(
    id: &'static str,
    what: &'static str,
    gate: Gate,
    pattern: &'static str,
    refused: &'static [&'static [Piece]],
    clean: &'static [&'static [Piece]],
) -> Row {
    let find = Find::Pattern { gate, pattern, check: |_| true };
    Row { id, class: Class::Transcript, what, source: "exports of chat tools and agents", find, refused, clean }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        id: "timed-turns",
        class: Class::Transcript,
        what: "lines of a chat or of subtitles, each with its time",
        source: "exports of chat tools and agents",
        find: Find::Look { gate: Shape(r#"(?m)^[ \t>|#*"'`+/-]*\[?[0-9]{1,4}[/.:-][0-9]{1,2}(?:[/.:-][0-9]{1,4})?(?:[, .\]AP]|:)"#), look: timed_turns },
        refused: &[
            &[Lit("[12/03/2026, 10:41:07] Alice: why is CI red\n[12/03/2026, 10:41:3"), Lit("0] Bob: Done.")],
            &[Lit("3/12/26, 10:41 AM - Alice: why is CI red\n3/12/26, 10:4"), Lit("2 AM - Bob: Done.")],
            &[Lit("[10:41] <alice> why is CI red\n[10:4"), Lit("2] <bob> Done.")],
            &[Lit("10:41:07 From Alice to Everyone:\n\twhy is CI red\n10:42:00 Fr"), Lit("om Bob to Everyone:\n\tDone.")],
            &[Lit("00:00:01.000 --> 00:00:04.000\nwhy is CI red\n\n00:00:05.00"), Lit("0 --> 00:00:07.000\nDone.")],
        ],
        clean: &[&[Lit("10:00 start the review\n11:00 close the gate")], &[Lit("2026-01-02: decided\n2026-01-03: recorded")]],
    },
    Row {
        id: "headed-turns",
        class: Class::Transcript,
        what: "turns below a line of name and time",
        source: "exports of chat tools and agents",
        find: Find::Look { gate: Words(&[" am\n", " pm\n", "today at ", "yesterday at ", " am\r", " pm\r"]), look: headed_turns },
        refused: &[
            &[Lit("alice  10:41 AM\nwhy is CI red\nbob  10:4"), Lit("2 AM\nDone.")],
            &[Lit("alice — Today at 10:41 AM\nwhy is CI red\nbob — Tod"), Lit("ay at 10:42 AM\nDone.")],
        ],
        clean: &[&[Lit("the review is today at 10:41 AM\nand ends at noon")]],
    },
    Row {
        id: "named-turns",
        class: Class::Transcript,
        what: "lines that two or more people speak in turn",
        source: "pasted conversations",
        find: Find::Look { gate: Shape(r#"(?m)^[ \t>|#*"'`+/-]*[@<]?[A-Za-z\x80-\xff][A-Za-z0-9_.\x80-\xff-]{0,40}(?: [A-Z\x80-\xff][a-z\x80-\xff]{0,30})?(?:>|\*{0,2}:)"#), look: named_turns },
        refused: &[
            &[Lit("Alice: why is CI red\nBob: Running it.\nAlice: ok\nBo"), Lit("b: thanks")],
            &[Lit("<alice> why is CI red\n<bob> Running it.\n<al"), Lit("ice> ok")],
            &[Lit("@alice: why is CI red\n@bob: Running it.\n@alice: ok\n@bo"), Lit("b: thanks")],
        ],
        clean: &[
            &[Lit("Note: one\nWarning: two\nNote: three\nWarning: four")],
            &[Lit("Input: a\nOutput: b\nInput: c\nOutput: d")],
            &[Lit("Owner: alice\nStatus: active\nPriority: high\nReason: none")],
            &[Lit("Q: why?\nA: because\nQ: really?\nA: yes")],
        ],
    },
    exported("agent-screen", "the screen or history of an agent in a terminal",
        Words(&["# aider chat", "⎿", "⏺", "\ncodex\n", "\nexec\n", "\nthinking\n", "✻ "]), r"# aider chat started at|(?m)^[ \t>|#*/+-]{0,12}(?:\xe2\x8e\xbf|\xe2\x8f\xba|\xe2\x9c\xbb) |^user\r?\n[^\n]{1,2000}\n(?:[^\n]{0,400}\n){0,6}?(?:codex|exec|thinking|assistant)\r?\n",
        &[&[Lit("# aider chat sta"), Lit("rted at 2026-03-12 10:41:07")], &[Lit("⏺ Bash(cargo test)\n  "), Lit("⎿  running 12 tests")], &[Lit("user\nwhy is CI red\n\nco"), Lit("dex\nRunning it.")]],
        &[&[Lit("user\nname")]]),
    exported("instruction-headings", "an instruction and its response under their headings",
        Words(&["### instruction", "### input", "### human", "you said:", "### prompt", "### question"]), r"(?i)### (?:instruction|human|prompt|question)s?:?\s[\s\S]{1,2000}?### (?:response|assistant|answer|output)s?\b:?|\byou said:\s[\s\S]{1,4000}?\b[\w .-]{2,30} said:",
        &[&[Lit("### Instruction:\nfix it\n\n### Resp"), Lit("onse:\nDone.")], &[Lit("You said:\nfix it\n\nChatGPT sa"), Lit("id:\nDone.")]], &[&[Lit("### Instructions for reviewers")]]),
    exported("message-records", "records of chat tools, and prompts with their completions",
        Words(&["\"user\"", "user\\\"", "\"from\"", "from\\\"", "\"prompt\"", "prompt\\\"", "tools/call", "sampling/create", "'prompt'", "'from'"]),
        r#"(?i)["']user\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']U[A-Z0-9]{7,12}\\{0,3}["']|["']from\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'][^"'\n]{1,80}["']\s{0,4},\s{0,40}\\{0,3}["'](?:body|text|value|message|content)\\{0,3}["']\s{0,4}:|["']prompt\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'][\s\S]{1,4000}?["'](?:completion|response|chosen|rejected|generation)\\{0,3}["']\s{0,4}:|["']method\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'](?:tools/call|sampling/createmessage)"#,
        &[&[Lit("{\"user\": \"U02AB"), Lit("CD34\", \"text\": \"why is CI red\"}")], &[Lit("{\"from\": \"alice\", \"bo"), Lit("dy\": \"why is CI red\"}")], &[Lit("{\"prompt\": \"why is CI red\", \"compl"), Lit("etion\": \"Done.\"}")], &[Lit("{\"jsonrpc\": \"2.0\", \"method\": \"tools/ca"), Lit("ll\"}")]],
        &[&[Lit("{\"from\": \"draft\", \"to\": \"active\", \"message\": \"ask first\"}")], &[Lit("{\"user\": \"reviewer\", \"text\": \"fine\"}")]]),
    exported("system-prompt", "the words that tell a model who it is",
        Words(&["you are "]), r"(?i)\byou are (?:a helpful(?:,? [a-z]{3,12}){0,3} assistant|chatgpt|claude(?: code)?|openai codex|codex|github copilot|gemini|an ai (?:(?:programming|coding|research|language) )?(?:assistant|agent|model))\b[,.; ]",
        &[&[Lit("You are a help"), Lit("ful assistant. Answer in one line.")]], &[&[Lit("you are a reviewer, be kind")]]),
    exported("mail-message", "a mail with its head", 
        Words(&["subject: "]), r"(?m)(?:^|\\n|[\x22'=])[ \t>|#*/+-]{0,12}From: [^\n]{1,200}\n(?:[ \t>|#*/+-]{0,12}[A-Z][A-Za-z-]{1,30}: [^\n]{0,300}\n){0,12}[ \t>|#*/+-]{0,12}Subject: ",
        &[&[Lit("From: Alice <alice@example.org>\nTo: Bob <bob@example.org>\nSub"), Lit("ject: ci\n\nwhy is it red")]], &[&[Lit("From: the owner, about the subject: none")]]),
];

/// What may stand before the first word of a line that was quoted, listed or commented out.
const MARKS: [char; 13] = [' ', '\t', '>', '|', '#', '*', '"', '\'', '`', '+', '/', '-', '_'];

/// Finds lines that begin with a time and go on as a turn; two of one form.
fn timed_turns(text: &str) -> Vec<Range<usize>> {
    turns(text, |line, _| timed_turn(line.trim_start_matches(MARKS)), 2)
}

/// Finds lines that hold nothing but a name and a time, with what was said below; two of them.
fn headed_turns(text: &str) -> Vec<Range<usize>> {
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
fn named_turns(text: &str) -> Vec<Range<usize>> {
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
    let speaks = turns.iter().filter(|turn| turn.said.trim().contains(' ')).count() >= 2;
    let nicks = turns.windows(3).any(|window| alternates(window) && window[0].name.starts_with('<'));
    let spoken = turns.windows(4).any(|window| alternates(window) && alternates(&window[1..]));
    match (turns.first(), turns.last()) {
        (Some(first), Some(last)) if nicks || spoken && speaks => vec![first.place.start..last.place.end],
        _ => Vec::new(),
    }
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
    (proper && plain && is_name(called) && !label && said.starts_with([' ', '*', '\t'])).then_some((name, said))
}
