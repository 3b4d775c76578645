//! Generated values behind a word that says they are keys, however the two are joined.

use std::ops::Range;

use crate::randomness::{counts, disorder, is_counted, is_generated, is_uuid};
use crate::value::follows_algorithm;

/// The words that call what follows a secret, as the end of a name.
const NAMES: &[&[u8]] = &[
    b"key",
    b"keys",
    b"token",
    b"tokens",
    b"secret",
    b"secrets",
    b"access",
    b"private",
    b"pat",
    b"password",
    b"passwd",
    b"pwd",
    b"auth",
    b"credential",
    b"credentials",
    b"license",
    b"authorization",
    b"ssws",
    b"login",
    b"crumb",
    b"passphrase",
    b"api",
    b"apikey",
];

/// The words before `key` that make it one which is no secret.
const OPEN: &[&[u8]] = &[
    b"public",
    b"primary",
    b"foreign",
    b"idempotency",
    b"cache",
    b"partition",
    b"sort",
    b"object",
    b"unique",
    b"index",
    b"hash",
    b"map",
    b"row",
    b"dedup",
    b"session",
    b"request",
    b"trace",
    b"host",
    b"pub",
    b"storage",
    b"natural",
    b"composite",
    b"routing",
    b"message",
    b"record",
    b"issue",
    b"page",
    b"next",
    b"continuation",
    b"sync",
    b"design",
    b"lookup",
    b"sha256",
    b"group",
];

/// The keys of a mapping whose meaning a neighbour tells.
const HOLDERS: &[&[u8]] = &[b"value", b"default", b"data", b"val"];

/// How far before a value its name is looked for, on its line and as a neighbour in its mapping.
const NEAR: usize = 64;
const NEIGHBOUR: usize = 160;

/// Finds generated values whose names say what they are.
pub(super) fn named_values(text: &str, runs: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    runs.iter().filter_map(|run| named_value(bytes, run)).collect()
}

/// The part of a run that is a secret by its name, within the run or before it.
fn named_value(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    let bytes = &text[run.clone()];
    if !bytes.iter().any(u8::is_ascii_digit) && disorder(bytes) < 30 {
        return None;
    }
    if let Some(start) = inner_value(bytes) {
        return Some(run.start + start..run.end);
    }
    let is_shown = || text[run.end..].first() == Some(&b'(') || text[..run.start].ends_with(b"/");
    let value = bytes.strip_prefix(b"0x").unwrap_or(bytes);
    let is_named = |joint| if joint == Joint::Assigned { is_generated(value) } else { is_apart(value) };
    (!is_shown() && !follows_algorithm(&text[..run.start]) && joint_before(text, run.start).is_some_and(is_named))
        .then(|| run.clone())
}

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// A sign that gives a name its value.
    Assigned,
    /// No more than a space.
    Apart,
}

/// Whether a value is generated beyond doubt: nothing but a space stands between it and its name.
fn is_apart(value: &[u8]) -> bool {
    let (letters, digits) = counts(value);
    let longest = value.split(|byte| !byte.is_ascii_alphanumeric()).map(<[u8]>::len).max().unwrap_or(0);
    is_uuid(value) || is_generated(value) && letters + digits >= 14 && longest >= 11
}

/// Where the value begins in a run that also holds its name: `sample-secret-4f...`.
fn inner_value(run: &[u8]) -> Option<usize> {
    let mut from = 0;
    let mut found = None;
    let mut before: &[u8] = b"";
    for part in run.split(|&byte| matches!(byte, b'-' | b'_')) {
        let behind = from + part.len() + 1;
        if is_name(part, before) && behind < run.len() {
            found = Some(behind);
        }
        before = part;
        from = behind;
    }
    let value = &run[found?..];
    let longest = value.split(|&byte| matches!(byte, b'-' | b'_')).max_by_key(|part| part.len())?;
    let is_long = longest.len() >= 11 && is_generated(longest) && !is_counted(longest);
    (is_uuid(value) || is_long).then_some(found?)
}

/// What joins the value at an offset to a name before it that calls it a secret.
fn joint_before(text: &[u8], at: usize) -> Option<Joint> {
    let near = &text[at.saturating_sub(NEAR)..at];
    let line = near.iter().rposition(|&byte| byte == b'\n').map_or(near, |end| &near[end + 1..]);
    let is_sign = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t' | b'"' | b'\'' | b'`' | b':' | b'=' | b'>' | b'\\' | b'(' | b',' | b'[' | b'.' | b'{'
        )
    };
    let end = line.iter().rposition(|byte| !is_sign(byte)).map_or(0, |last| last + 1);
    let (before, sign) = line.split_at(end);
    let start = before
        .iter()
        .rposition(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')))
        .map_or(0, |last| last + 1);
    let (rest, name) = before.split_at(start);
    if name.is_empty() || sign.is_empty() || sign.contains(&b'(') && !sign.contains(&b'"') && !sign.contains(&b'\'') {
        return None;
    }
    let joint = if sign.iter().any(|byte| matches!(byte, b':' | b'=' | b'>')) { Joint::Assigned } else { Joint::Apart };
    let last = name.rsplit(|byte| matches!(byte, b'-' | b'_')).next().unwrap_or_default();
    let qualifier = name[..name.len() - last.len()].trim_end_with_joints();
    let qualifier = if qualifier.is_empty() { last_word(rest) } else { last_word(qualifier) };
    if is_name(last, qualifier) {
        return Some(joint);
    }
    let is_holder = HOLDERS.iter().any(|holder| holder.eq_ignore_ascii_case(last));
    (is_holder && joint == Joint::Assigned && names_neighbour(text, at)).then_some(Joint::Assigned)
}

/// A name without the joints at its end.
trait Joints {
    fn trim_end_with_joints(&self) -> &[u8];
}

impl Joints for [u8] {
    fn trim_end_with_joints(&self) -> &[u8] {
        let end = self.iter().rposition(|byte| !matches!(byte, b'-' | b'_' | b' ')).map_or(0, |last| last + 1);
        &self[..end]
    }
}

fn last_word(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| byte.is_ascii_alphanumeric()).map_or(0, |last| last + 1);
    let start = text[..end].iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |last| last + 1);
    &text[start..end]
}

/// Whether a word ends in a name of a secret, and the word before it does not make it an open one.
fn is_name(word: &[u8], before: &[u8]) -> bool {
    let ends = |name: &&&[u8]| {
        word.len().checked_sub(name.len()).is_some_and(|at| {
            // Short names could end any word.
            let is_whole = at == 0 || word[at].is_ascii_uppercase() && word[at - 1].is_ascii_lowercase();
            word[at..].eq_ignore_ascii_case(name) && (name.len() > 3 || is_whole || name == &&&b"key"[..])
        })
    };
    let Some(name) = NAMES.iter().filter(ends).max_by_key(|name| name.len()) else { return false };
    let own = &word[..word.len() - name.len()];
    let is_open = |word: &[u8]| {
        OPEN.iter().any(|open| {
            word.eq_ignore_ascii_case(open)
                || word.len() > open.len()
                    && word[word.len() - open.len()..].eq_ignore_ascii_case(open)
                    && open.len() > 5
        })
    };
    !is_open(if own.is_empty() { before } else { own })
}

/// Whether an entry before a value in the same mapping names it: `name: DB_PASSWORD`.
fn names_neighbour(text: &[u8], at: usize) -> bool {
    let near = &text[at.saturating_sub(NEIGHBOUR)..at];
    // Another mapping begins behind a blank line.
    let near = near.windows(2).rposition(|pair| pair == b"\n\n").map_or(near, |end| &near[end + 2..]);
    near.split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))).any(|word| {
        let last = word.rsplit(|byte| matches!(byte, b'-' | b'_')).next().unwrap_or_default();
        let before = word[..word.len() - last.len()].trim_end_with_joints();
        word.len() > 4 && is_name(last, last_word(before))
    })
}
