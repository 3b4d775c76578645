//! Private keys written as blocks.

use crate::match_context::MatchContext;
use std::ops::Range;

/// The shortest first line of a body; prose behind a header has shorter words.
const SHORTEST_BODY: usize = 16;

/// Whether the text holds a JSON web key.
pub(super) fn is_in_key_set(context: &MatchContext<'_>) -> bool {
    context.text.windows(5).any(|part| part == b"\"kty\"")
}

/// Finds the headers of private keys that have a body, or that stand alone on their line.
pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    text.match_indices("PRIVATE KEY").filter_map(|(at, words)| block(bytes, at, at + words.len())).collect()
}

/// Reads the block around the words of its header.
fn block(text: &[u8], words: usize, behind: usize) -> Option<Range<usize>> {
    let label = text[..words].iter().rev().take(48).take_while(|&&byte| is_label(byte)).count();
    let begin = text[words - label..words].windows(5).rposition(|part| part == b"BEGIN")?;
    let dashes = text[..words - label + begin].iter().rev().skip_while(|&&byte| byte == b' ').take(8);
    let dashes = dashes.take_while(|&&byte| byte == b'-').count();
    let start = words - label + begin - dashes - usize::from(text[..words - label + begin].ends_with(b" "));
    let rest = text[behind..].strip_prefix(b" BLOCK").unwrap_or(&text[behind..]);
    let rest = rest.trim_ascii_start();
    let closing = rest.iter().take(5).take_while(|&&byte| byte == b'-').count();
    if dashes < 4 || closing < 4 {
        return None;
    }
    let header_end = text.len() - rest.len() + closing;
    let body = skip_headers(&text[header_end..]);
    let first = body.iter().position(|&byte| !is_base64(byte)).unwrap_or(body.len());
    if first >= SHORTEST_BODY {
        return Some(start..text.len() - body.len() + body_length(body));
    }
    stands_alone(&text[..start], &text[header_end..]).then_some(start..header_end)
}

fn is_label(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// How far the end of a header is looked for.
const LONGEST_HEADER: usize = 200;

/// Skips blank space, quote marks and `Name: value` lines between a header and its body.
fn skip_headers(text: &[u8]) -> &[u8] {
    let mut rest = text;
    for _ in 0..8 {
        rest = rest.trim_ascii_start();
        let near = &rest[..rest.len().min(LONGEST_HEADER)];
        let line = near.iter().position(|&byte| byte == b'\n').unwrap_or(near.len());
        let name = near.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'-')).unwrap_or(near.len());
        if !(name > 0 && rest[name..].starts_with(b": ") && name < line) {
            break;
        }
        rest = &rest[line..];
    }
    let quotes = rest.iter().take_while(|&&byte| matches!(byte, b'>' | b'#' | b' ' | b'|')).count();
    &rest[quotes..]
}

/// The length of a body with its footer.
fn body_length(body: &[u8]) -> usize {
    let lines = body.iter().position(|&byte| !(is_base64(byte) || byte.is_ascii_whitespace())).unwrap_or(body.len());
    let footer = &body[lines..];
    if !footer.starts_with(b"----") {
        return lines;
    }
    let end = footer.iter().take(120).position(|&byte| byte == b'\n').unwrap_or(footer.len().min(120));
    lines + end
}

/// Whether nothing but quotes and marks surrounds a header on its line, as far as a look goes.
fn stands_alone(before: &[u8], behind: &[u8]) -> bool {
    const LOOK: usize = 200;
    let words = |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let line = before[before.len().saturating_sub(LOOK)..].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let rest = behind[..behind.len().min(LOOK)].split(|&byte| byte == b'\n').next().unwrap_or_default();
    words(line) <= 3 && words(rest) == 0
}
