//! Private keys written as blocks.

use std::ops::Range;

use crate::class::Class;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, BASE64, URL64};
use crate::row::Trigger::Words;
use crate::row::{Find, Row};

/// The shortest first line of a body; prose behind a header has shorter words.
const SHORTEST_BODY: usize = 16;

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "private-key-block",
        class: Class::Secret,
        what: "a private key between its header and footer, or its header alone",
        source: "RFC 7468, RFC 4880, OpenSSH and SSH2 formats",
        find: Find::Look { trigger: Words(&["private key"]), look: blocks },
        refused: &[
            &[Lit("-----BEG"), Lit("IN PRIVATE KEY-----\n"), Run(BASE64, 64, 64), Lit("\n-----END PRIVATE KEY-----")],
            &[Lit("-----BEG"), Lit("IN OPENSSH PRIVATE KEY-----")],
            &[
                Lit("key:\n  -----BEG"),
                Lit("IN RSA PRIVATE KEY-----\n  Proc-Type: 4,ENCRYPTED\n\n  "),
                Run(BASE64, 64, 64),
            ],
            &[Lit("-----BEG"), Lit("IN PGP PRIVATE KEY BLOCK-----\n\n"), Run(BASE64, 64, 64)],
            &[Lit("---- BEG"), Lit("IN SSH2 ENCRYPTED PRIVATE KEY ----\n"), Run(BASE64, 64, 64)],
        ],
        clean: &[
            &[Lit("-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZI\n-----END PUBLIC KEY-----")],
            &[Lit("text about -----BEG"), Lit("IN PRIVATE KEY----- headers, no body")],
            &[Lit("paste nothing starting with -----BEG"), Lit("IN RSA PRIVATE KEY-----")],
            &[Lit("private key material must not be stored")],
        ],
    },
    Row {
        id: "putty-key",
        class: Class::Secret,
        what: "a PuTTY private key",
        source: "PuTTY documentation",
        find: Find::Pattern {
            trigger: Words(&["putty-user-key-file"]),
            pattern: r"PuTTY-User-Key-File-[0-9]:[^\n]{1,80}",
            check: |_| true,
        },
        refused: &[&[Lit("PuTTY-User-"), Lit("Key-File-3: ssh-ed25519\nEncryption: none")]],
        clean: &[&[Lit("convert PuTTY keys first")]],
    },
    Row {
        id: "json-web-key",
        class: Class::Secret,
        what: "the private part of a JSON web key",
        source: "RFC 7517",
        find: Find::Pattern {
            trigger: Words(&[r#""d""#]),
            pattern: r#""d"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{32,800})""#,
            check: |context| context.text.windows(5).any(|part| part == b"\"kty\""),
        },
        refused: &[&[Lit("{\"kty\": \"EC\", "), Lit("\"d\": \""), Run(URL64, 43, 43), Lit("\"}")]],
        clean: &[&[Lit("{\"kty\": \"EC\", \"x\": \""), Run(ALNUM, 43, 43), Lit("\"}")]],
    },
];

/// Finds the headers of private keys that have a body, or that stand alone on their line.
fn blocks(text: &str) -> Vec<Range<usize>> {
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
