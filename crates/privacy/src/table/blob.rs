//! Encoded material that nobody can review.

use std::ops::Range;

use crate::decode;
use crate::randomness::{counts, disorder, is_counted};
use crate::value::{follows_algorithm, is_digest, is_mixed};

/// From this length on a run in free text is more than an id or a digest.
const LONGEST_ID: usize = 27;
/// The same for hex digits.
const LONGEST_HEX: usize = 44;
/// The same for a part between slashes.
const LONGEST_WORD: usize = 16;
/// The same for runs of upper-case letters and digits, which constants are made of too.
const LONGEST_UPPER: usize = 60;
/// The shortest run that can be refused.
const SHORTEST: usize = 24;
/// How disorderly a run is at least that no person wrote.
const LEAST_DISORDER: usize = 44;
/// The lengths of digests in hex.
const DIGESTS: [usize; 7] = [32, 40, 48, 56, 64, 96, 128];

/// Whether a run looks generated and is too long for an id: the cheap half of [`blobs`].
fn is_opaque(run: &[u8]) -> bool {
    // The mark of an added or removed line is no part of a run.
    let run = if matches!(run.first(), Some(b'+' | b'-')) { &run[1..] } else { run };
    if run.len() < SHORTEST || is_digest(run) {
        return false;
    }
    if run.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')) {
        return run.len() >= LONGEST_UPPER && run.iter().any(u8::is_ascii_digit) && !is_monotonous(run);
    }
    // Of hex digits only the length tells, whatever mark stands before them.
    if let Some(hex) = (0..=4).map(|mark| &run[mark..]).find(|rest| rest.iter().all(u8::is_ascii_hexdigit)) {
        let (letters, digits) = counts(hex);
        let is_long = hex.len() >= LONGEST_HEX && !DIGESTS.contains(&hex.len());
        return is_long && digits > 0 && letters * 8 >= hex.len() && !is_monotonous(hex) && !is_counted(hex);
    }
    // A mark of a service may stand before what was drawn.
    let mark = run.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let behind_mark = matches!(run.get(mark), Some(b'_' | b'-')).then(|| &run[mark + 1..]).filter(|_| mark > 0);
    if behind_mark.is_some_and(is_drawn_word) || is_drawn_word(run) {
        return true;
    }
    // Within an address every part counts for itself; base64 has few slashes.
    let is_drawn = |part: &[u8]| is_mixed(part) && disorder(part) >= LEAST_DISORDER && !is_counted(part);
    run.len() >= LONGEST_ID
        && is_drawn(run)
        && run.split(|&byte| byte == b'/').any(|part| part.len() >= LONGEST_WORD && is_drawn(part))
}

/// Whether a word without joints was drawn from letters and digits: of both cases, or of one and then longer.
fn is_drawn_word(word: &[u8]) -> bool {
    let (letters, digits) = counts(word);
    let is_word = letters + digits == word.len() && digits >= 3 && letters >= 6;
    let is_of_base64 =
        word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')) && is_mixed(word);
    let is_long = |least| word.len() >= least && !is_counted(word);
    is_of_base64 && is_long(24) && disorder(word) >= 48 || is_word && is_long(30) && disorder(word) >= 42
}

/// Whether a run holds only a few different characters.
fn is_monotonous(run: &[u8]) -> bool {
    let seen = run.iter().fold(0u128, |seen, &byte| seen | 1 << (byte & 127));
    seen.count_ones() < 6
}

/// Whether a block begins that anybody may read: a public key, a certificate, a signature.
fn is_public_block(header: &str) -> bool {
    let line = header.lines().next().unwrap_or_default();
    line.starts_with("-----BEGIN")
        && ["PUBLIC", "CERTIFICATE", "SIGNATURE", "SIGNED"].iter().any(|word| line.contains(word))
}

/// Whether a run is the public key of an SSH pair: the length and the name of its algorithm, in base64.
fn is_public_wire(run: &str) -> bool {
    // "ssh-", "ecdsa" and "sk-" behind four bytes of a length.
    run.starts_with("AAAA")
        && run.get(5..12).is_some_and(|name| ["3NzaC1", "2VjZHNh", "nNrLX"].iter().any(|mark| name.starts_with(mark)))
}

/// Whether the name of a public number of a JSON web key stands before a run.
fn is_public_half(before: &str) -> bool {
    let name = before.trim_end_matches([' ', ':', '"', '\'', '`']);
    [r#""x"#, r#""y"#, r#""n"#].iter().any(|one| name.ends_with(one)) && name.contains("\"kty\"")
}

/// Finds runs that hide what they hold: neither text in base64, nor a digest, nor a public key.
pub(super) fn blobs(text: &str, runs: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut public = false;
    let mut seen = 0;
    for run in runs {
        let gap = &text[seen..run.start];
        if let Some(begin) = gap.rfind("-----BEGIN").or_else(|| gap.rfind("-----END")) {
            public = is_public_block(&text[seen + begin..]);
        }
        let before = gap.trim_end_matches(['"', '\'', '`']);
        let key = ["ssh-ed25519 ", "ssh-rsa ", "ssh-dss ", "-nistp256 ", "-nistp384 ", "-nistp521 ", "@openssh.com "];
        let known = public
            || key.iter().any(|prefix| before.ends_with(prefix))
            || is_public_wire(&text[run.clone()])
            || is_public_half(before)
            || follows_algorithm(before.as_bytes());
        let of_vendor = || run.len() < LONGEST_HEX && super::is_of_vendor(&bytes[run.clone()]);
        if !known && is_opaque(&bytes[run.clone()]) && !of_vendor() && !decode::reads_as_text(bytes, run) {
            found.push(run.clone());
        }
        seen = run.end;
    }
    found
}

/// From so many bytes on a list of bytes is more than an address or a digest.
const LONGEST_LIST: usize = 33;

/// Whether a list is a table of some program: with commas over several lines, or the bytes of a literal.
fn is_table(list: &str) -> bool {
    list.contains(',') && list.contains('\n') || list.contains("\\x")
}

/// Finds lists of bytes that are no text.
pub(super) fn byte_lists(text: &str) -> Vec<Range<usize>> {
    let lists = decode::lists(text.as_bytes()).into_iter();
    lists
        .filter(|list| !is_table(&text[list.range.clone()]))
        .filter(|list| list.bytes.len() >= LONGEST_LIST && decode::is_binary(list) && !is_monotonous(&list.bytes))
        .map(|list| list.range)
        .collect()
}
