//! From bytes to a tree or to every problem that can be had.

use std::borrow::Cow;

pub(super) use super::fault::is_invisible;
use super::fault::{Fault, MAX_BYTES, MAX_PROBLEMS, Problem};
use super::{Comment, Document, Format, Node, Span, fast, json, quotes, yaml};

/// What came of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The tree; absent exactly when there is a problem that is no note.
    pub document: Option<Document>,
    /// Every problem, by place; no more than [`MAX_PROBLEMS`].
    pub problems: Vec<Problem>,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Parses the text of one file into a located tree.
///
/// Text is judged before structure: where the bytes are no sound text, the structure says nothing.
#[must_use]
pub fn parse(bytes: &[u8], format: Format) -> Parsed {
    parse_by(bytes, format, fast::read)
}

/// Reads one file as [`parse`] does, by the full parser alone: what the fast path is held against.
#[doc(hidden)]
#[must_use]
pub fn parse_in_full(bytes: &[u8], format: Format) -> Parsed {
    parse_by(bytes, format, |_, _| None)
}

/// Whether the fast path reads a text by itself: so that a law can show that it is no law about nothing.
#[doc(hidden)]
#[must_use]
pub fn is_read_fast(text: &str) -> bool {
    fast::read(text, 0).is_some()
}

/// A tree with its comments.
type Read = (Node, Vec<Comment>);

fn parse_by(bytes: &[u8], format: Format, fast: fn(&str, usize) -> Option<Read>) -> Parsed {
    if bytes.len() > MAX_BYTES {
        return Parsed { document: None, problems: vec![Problem::too_large()] };
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Parsed { document: None, problems: vec![not_utf8(bytes, &error)] },
    };
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut problems = control_characters(text, start);
    let read = if format == Format::Yaml && problems.is_empty() { fast(text, start) } else { None };
    let read = read.or_else(|| read_in_full(text, start, format, &mut problems));
    if start > 0 {
        problems.push(Problem::new(Fault::ByteOrderMark, Span::new(0, start)));
    }
    problems.sort();
    problems.dedup();
    drop_echoes(text, &mut problems);
    problems.truncate(MAX_PROBLEMS);
    let document = read.map(|(root, comments)| Document { format, root, comments });
    let document = document.filter(|_| problems.iter().all(|problem| problem.fault.is_note()));
    Parsed { document, problems }
}

/// Reads what the fast path left. Between conflict markers two versions stand at once: neither is read.
fn read_in_full(text: &str, start: usize, format: Format, problems: &mut Vec<Problem>) -> Option<Read> {
    let markers = conflict_markers(text, start);
    if !markers.is_empty() {
        problems.extend(markers);
        return None;
    }
    match format {
        Format::Json => json::read(text, start, problems).map(|root| (root, Vec::new())),
        Format::Yaml => {
            let read = yaml::read(text, problems);
            quotes::explain(text, problems);
            read
        }
    }
}

/// Drops a syntax error on the line of the first control character or behind it: most likely its echo, and the character
/// has the better name.
fn drop_echoes(text: &str, problems: &mut Vec<Problem>) {
    let control = problems.iter().find(|problem| problem.fault == Fault::ControlCharacter);
    if let Some(first) = control.map(|problem| problem.span.range().start) {
        let line = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
        problems.retain(|problem| problem.fault != Fault::Syntax || problem.span.range().start < line);
    }
}

/// Names the first bad bytes only: what follows is rarely a second mistake, mostly another encoding.
fn not_utf8(bytes: &[u8], error: &std::str::Utf8Error) -> Problem {
    let start = error.valid_up_to();
    let end = error.error_len().map_or(bytes.len(), |length| start + length);
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let detail = utf16.then_some(Cow::Borrowed("the file is UTF-16, not UTF-8"));
    Problem { detail, ..Problem::new(Fault::NotUtf8, Span::new(start, end)) }
}

/// Lists each run of characters that show nothing but change what a reader sees: controls other than tab and the line
/// breaks LF and CRLF, the breaks of YAML 1.1 (U+0085, U+2028, U+2029), a byte-order mark past the start, and U+FFFE and
/// U+FFFF, which are no characters.
fn control_characters(text: &str, start: usize) -> Vec<Problem> {
    // Without an early exit the compiler looks at many bytes at once, and most files hold no suspect.
    if !text.as_bytes()[start..].iter().fold(false, |found, byte| found | is_suspect(*byte)) {
        return Vec::new();
    }
    let mut runs: Vec<Span> = Vec::new();
    let mut offset = start;
    while let Some(found) = next_suspect(text.as_bytes(), offset) {
        let character = text[found..].chars().next().expect("a suspect byte begins a character");
        offset = found + character.len_utf8();
        if !is_refused(character, text.as_bytes().get(offset)) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.range().end == found => *run = Span::new(run.range().start, offset),
            _ => runs.push(Span::new(found, offset)),
        }
    }
    runs.into_iter().map(|run| Problem::new(Fault::ControlCharacter, run)).collect()
}

/// The next byte that may begin a refused character.
fn next_suspect(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..].iter().position(|byte| is_suspect(*byte)).map(|distance| from + distance)
}

fn is_suspect(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b..=0x1f | 0x7f | 0xc2 | 0xe2 | 0xef)
}

fn is_refused(character: char, next: Option<&u8>) -> bool {
    match character {
        '\t' | '\n' => false,
        '\r' => next != Some(&b'\n'),
        _ => is_invisible(character),
    }
}

/// Lists the lines that git writes between the sides of a conflict.
fn conflict_markers(text: &str, start: usize) -> Vec<Problem> {
    let mut markers = Vec::new();
    let mut offset = start;
    for line in text[start..].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if is_conflict_marker(content.as_bytes()) {
            markers.push(Problem::new(Fault::ConflictMarker, Span::new(offset, offset + content.len())));
        }
        offset += line.len();
    }
    markers
}

fn is_conflict_marker(line: &[u8]) -> bool {
    let Some((marker, rest)) = line.split_at_checked(7) else { return false };
    let named = rest.first() == Some(&b' ');
    match marker {
        b"<<<<<<<" | b">>>>>>>" => named,
        b"|||||||" => named || rest.is_empty(),
        b"=======" => rest.is_empty(),
        _ => false,
    }
}
