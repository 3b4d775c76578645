//! Encoded material that nobody can review.

use std::ops::Range;

use crate::class::Class;
use crate::decode;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{BASE64, HEX};
use crate::randomness::{counts, disorder, is_counted};
use crate::row::Trigger::Words;
use crate::row::{Find, Row};
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

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        id: "encoded-run",
        class: Class::OpaqueBlob,
        what: "a long run of base64 or hex that is no digest and no public key",
        source: "RFC 4648",
        find: Find::Runs(blobs),
        refused: &[&[Lit("payload "), Run(BASE64, 120, 120)], &[Lit("payload "), Run(HEX, 100, 100)]],
        clean: &[
            &[Lit("9fceb02d0ae598e95dc970b74767f19372d61af8")],
            &[Lit("sha512-"), Run(BASE64, 86, 86), Lit("==")],
            &[Lit("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"), Run(BASE64, 43, 43)],
            &[Lit("-----BEGIN PUBLIC KEY-----\n"), Run(BASE64, 64, 64), Lit("\n-----END PUBLIC KEY-----")],
            &[Lit("note cm90YXRlIHRoZSBwYXNzd29yZCBiZWZvcmUgdGhlIG5leHQgcnVuLCB0aGVuIHJldmlldyB0aGUgZ2F0ZQ==")],
            &[Lit("https://github.com/Sample/tools_2/commit/128fb9cb6cad5c3a54fb0b6c68549d80b79a1fe0")],
            &[Lit("raw_transcripts_copied_and_other_long_names_of_fields_that_go_on_and_on")],
        ],
    },
    Row {
        id: "byte-list",
        class: Class::OpaqueBlob,
        what: "a long list of bytes in hex that is no text",
        source: "dumps of binaries",
        find: Find::Lists(byte_lists),
        refused: &[&[Lit("19 45 ee 56 dd aa 81 1b d6 db 4e d7 72 44 dd 61 "), Lit("1d 5e c5 d5 7a ca 84 e1 ed aa f3 1b 95 f9 22 41 bc fb 99 9c")]],
        clean: &[&[Lit("2026-01-01 10:00:00 12 13 14 15 16 17 18")]],
    },
    Row {
        id: "number-list",
        class: Class::OpaqueBlob,
        what: "a long list of fractions, as embeddings are",
        source: "vectors in JSON",
        find: Find::Pattern {
            trigger: Words(&[
                "[0.", "[1.", "[2.", "[3.", "[4.", "[5.", "[6.", "[7.", "[8.", "[9.", "[-0.", "[-1.", "[-2.", "[-3.", "[-4.", "[-5.",
                "[-6.", "[-7.", "[-8.", "[-9.", "[ 0.", "[ -0.", "[ 1.", "[ -1.", "[\n ", "[\r\n",
            ]),
            pattern: r"\[\s{0,4}(?:-?[0-9]{1,2}\.[0-9]{3,20}(?:e-?[0-9]{1,3})?\s{0,4},\s{0,40}){16}[-0-9., e\s]{0,4000}",
            check: |_| true,
        },
        refused: &[&[Lit("[0.529347, 0.913388, -0.501127, -0.637532, 0.037873, -0.343933, 0.616919, 0.686630, "), Lit("-0.012474, 0.624305, -0.173345, 0.529347, 0.913388, -0.501127, -0.637532, 0.037873, 0.1]")], &[Lit("[\n  0.529347,\n  0.913388,\n  -0.501127,\n  -0.637532,\n  0.037873,\n  -0.343933,\n  0.616919,\n  0.686630,\n  "), Lit("-0.012474,\n  0.624305,\n  -0.173345,\n  0.529347,\n  0.913388,\n  -0.501127,\n  -0.637532,\n  0.037873,\n  0.1\n]")]],
        clean: &[&[Lit("[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]")]],
    },
    Row {
        id: "dense-run",
        class: Class::OpaqueBlob,
        what: "a long run of all kinds of characters, as base85 writes bytes",
        source: "RFC 1924, ZeroMQ RFC 32, btoa",
        find: Find::Lists(|text| decode::opaque(text.as_bytes())),
        refused: &[&[Lit("k7!Qz2#mXw$9RbT%4vNc&8LpJ(e)5*Y+1;s<H=g>6?Z@d^3_"), Lit("U`f{0|W}o~7!Kq2#xMw$9BrT%4nVc&8PlJ(E)5*y+1;S<h=G")]],
        clean: &[&[Lit("https://example.org/search?q=one+two&sort=asc&page=3&filter=open&view=all&limit=20#top")]],
    },
    Row {
        id: "encoded-file",
        class: Class::OpaqueBlob,
        what: "a file in the forms that mail and news once used",
        source: "uuencode of POSIX, btoa, yEnc, BinHex",
        find: Find::Pattern {
            trigger: Words(&["begin 6", "begin 4", "begin 7", "begin-base64", "<~", "=ybegin ", "(this file must be converted"]),
            pattern: r"begin [467][0-7]{2} [^\n\r]{1,100}\r?\n[ -`]{2,64}|begin-base64 [0-7]{3} |<~[!-uz\s]{20,}~>|=ybegin [^\n]{0,40}size=|\(This file must be converted with BinHex",
            check: |_| true,
        },
        refused: &[&[Lit("begin 644 x.b"), Lit("in\n#0V%T\n`\nend")], &[Lit("<~9jqo^BlbD-BleB1DJ+*+"), Lit("F(f,q/0JhKF<GL>Cj~>")]],
        clean: &[&[Lit("begin 6 tasks at noon")]],
    },
    Row {
        id: "sign-run",
        class: Class::OpaqueBlob,
        what: "bytes as signs that no language writes in a row: dots of Braille, private letters",
        source: "encodings of binaries in Unicode",
        find: Find::Foreign(sign_runs),
        refused: &[&[Lit("⡢⠇⢹⣓⠼⡐⢣⠭⣸⠎⡥⢆⣪⠹⡳⢌⠗⣭⡚⢰⠫"), Lit("⣄⡧⢊⠳⣘⡭⢖⠥⣡⡎⢻⠔⣩⡼⢅⠞⣲⡛⢧")]],
        clean: &[&[Lit("⠓⠑⠇⠇⠕")], &[Lit("████████████████████████████████████████████████")]],
    },
    PACKED,
];

/// The shortest run of signs that holds a file rather than a word.
const LONGEST_SIGN_WORD: usize = 32;

/// Finds long runs of Braille or private letters of many kinds.
fn sign_runs(text: &str) -> Vec<Range<usize>> {
    let is_sign = |character: char| matches!(character, '\u{2800}'..='\u{28ff}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(is_sign) {
        let start = at + offset;
        let length = text[start..].find(|character| !is_sign(character)).unwrap_or(text.len() - start);
        at = start + length;
        let kinds: std::collections::BTreeSet<char> = text[start..at].chars().collect();
        if text[start..at].chars().count() >= LONGEST_SIGN_WORD && kinds.len() >= 16 {
            found.push(start..at);
        }
    }
    found
}

/// Material packed deeper or larger than the wall unpacks.
pub(crate) const PACKED: Row = Row {
    id: "packed-too-deep",
    class: Class::OpaqueBlob,
    what: "material packed deeper or larger than the wall unpacks",
    source: "the limits of the normaliser",
    find: Find::Elsewhere,
    refused: &[],
    clean: &[],
};

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
fn blobs(text: &str, runs: &[Range<usize>]) -> Vec<Range<usize>> {
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
        let of_vendor = || run.len() < LONGEST_HEX && super::vendor::makes(&bytes[run.clone()]);
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
fn byte_lists(text: &str) -> Vec<Range<usize>> {
    let lists = decode::lists(text.as_bytes()).into_iter();
    lists
        .filter(|list| !is_table(&text[list.range.clone()]))
        .filter(|list| list.bytes.len() >= LONGEST_LIST && decode::is_binary(list) && !is_monotonous(&list.bytes))
        .map(|list| list.range)
        .collect()
}
