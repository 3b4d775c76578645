//! Tells lines that a person and a model speak in turn.

use std::ops::Range;

use super::turn::beginnings;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Person,
    Model,
}

const PEOPLE: &[&str] = &[
    "user",
    "human",
    "me",
    "you",
    "person",
    "customer",
    "developer",
    "用户",
    "ユーザー",
    "пользователь",
    "usuario",
    "utilisateur",
    "nutzer",
    "benutzer",
    "usuário",
    "사용자",
];
const MODELS: &[&str] = &[
    "assistant",
    "ai",
    "bot",
    "chatgpt",
    "claude",
    "codex",
    "gemini",
    "copilot",
    "model",
    "llm",
    "gpt",
    "gpt-4",
    "gpt-4o",
    "gpt-5",
    "cursor",
    "助手",
    "アシスタント",
    "ассистент",
    "asistente",
    "assistent",
    "assistente",
    "어시스턴트",
];

/// Finds lines that a person and a model speak in turn.
pub(super) fn speakers(text: &str) -> Vec<Range<usize>> {
    if !names_person(text.as_bytes()) {
        return Vec::new();
    }
    let mut turns: Vec<(Speaker, usize)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((at, speaker)) = beginnings(line).find_map(|at| Some((at, speaker(&line[at..])?))) {
            turns.push((speaker, start + at));
        }
        start += line.len();
    }
    if !alternates(&turns) {
        turns = inline_turns(text, turns);
    }
    if !alternates(&turns) {
        return Vec::new();
    }
    let (first, last) = (turns[0].1, turns[turns.len() - 1].1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    vec![Range { start: first, end }]
}

/// Whether a person is named somewhere as those are who speak: a quick look that spares most texts the careful one.
fn names_person(text: &[u8]) -> bool {
    let mut is_inside = false;
    for (at, &byte) in text.iter().enumerate() {
        let begins = !std::mem::replace(&mut is_inside, IS_LETTER[usize::from(byte)]);
        if byte >= 0x80 {
            return true;
        }
        if begins && LENGTHS_OF_PEOPLE[usize::from(byte)] != 0 && is_person(&text[at..]) {
            return true;
        }
    }
    false
}

/// Whether a text begins with the name of a person, and goes on as behind the name of somebody who speaks.
fn is_person(text: &[u8]) -> bool {
    let length = text.iter().position(|&byte| !IS_LETTER[usize::from(byte)]).unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    let is_named = || PEOPLE.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(word));
    let closes = || {
        let rest = rest.iter().take(8).find(|byte| !matches!(byte, b' ' | b'"' | b'\'' | b'`'));
        rest.is_none_or(|byte| !byte.is_ascii_alphanumeric() || *byte == b's')
    };
    LENGTHS_OF_PEOPLE[usize::from(word[0])] >> length.min(31) & 1 == 1 && is_named() && closes()
}

/// Whether a byte is a letter or a digit, of whatever script.
const IS_LETTER: [bool; 256] = {
    let mut letters = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        letters[byte] = byte >= 0x80 || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    letters
};

/// For each letter the lengths of the names of people that begin with it, one a bit.
const LENGTHS_OF_PEOPLE: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < PEOPLE.len() {
        let name = PEOPLE[at].as_bytes();
        lengths[name[0] as usize] |= 1 << name.len();
        lengths[name[0].to_ascii_uppercase() as usize] |= 1 << name.len();
        at += 1;
    }
    lengths
};

fn alternates(turns: &[(Speaker, usize)]) -> bool {
    turns.windows(2).any(|pair| pair[0].0 != pair[1].0)
}

/// The speaker that a line begins with, whatever marks surround the name.
fn speaker(line: &str) -> Option<Speaker> {
    const MARKS: [char; 20] =
        [' ', '\t', '#', '*', '>', '[', '<', '(', '_', '`', '|', '-', '"', '\'', '/', '+', '{', '!', '$', ':'];
    let is_mark = |character: char| MARKS.contains(&character) || !character.is_ascii() && !character.is_alphanumeric();
    let opened = line.trim_start_matches(is_mark);
    let marks = &line[..line.len() - opened.len()];
    let length =
        opened.find(|character: char| !(character.is_alphanumeric() || character == '-')).unwrap_or(opened.len());
    let speaker = named(&opened[..length])?;
    let closed = opened[length..].trim_start_matches([' ', '*', '_', '`', '"', '\'']);
    let closed = closed.strip_prefix("said").unwrap_or(closed);
    let closed = closed
        .strip_prefix('(')
        .and_then(|rest| Some(rest.split_once(')')?.1))
        .unwrap_or(closed)
        .trim_start_matches(['*', ' ']);
    let heading =
        marks.contains(['#', '*', '_', '[', '<']) && closed.trim_matches(['*', '_', ' ', '#', '\r', '\n']).is_empty();
    let bracketed = marks.contains(['[', '<', '(']) && closed.starts_with([']', '>', ')']);
    (closed.starts_with([':', '：']) && !closed.starts_with("::") || heading || bracketed).then_some(speaker)
}

fn named(word: &str) -> Option<Speaker> {
    let word = word.to_lowercase();
    if PEOPLE.contains(&word.as_str()) {
        Some(Speaker::Person)
    } else if MODELS.contains(&word.as_str()) {
        Some(Speaker::Model)
    } else {
        None
    }
}

/// Turns that stand within lines: three of them, the two names of the oldest form, or one that a line of another
/// speaker answers.
fn inline_turns(text: &str, answers: Vec<(Speaker, usize)>) -> Vec<(Speaker, usize)> {
    let mut turns: Vec<(Speaker, usize)> = Vec::new();
    for (colon, _) in text.match_indices([':', '：']) {
        let name = text[..colon].trim_end_matches(['*', '_', ' ', '\u{a0}']);
        let start = name
            .rfind(|character: char| !character.is_alphanumeric())
            .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
        let word = &name[start..];
        if name[..start].ends_with(['_', '.', '-', '/']) {
            continue;
        }
        let proper = word.starts_with(|character: char| character.is_uppercase() || !character.is_ascii());
        if let Some(speaker) = named(word).filter(|_| proper) {
            turns.push((speaker, start));
        }
    }
    let human = text.contains("Human: ") && text.contains("Assistant: ");
    let answered = answers.iter().any(|(speaker, _)| turns.iter().any(|(other, _)| other != speaker));
    if turns.len() >= 3 || human && turns.len() >= 2 || answered { turns } else { Vec::new() }
}
