//! Encoded material that nobody can review.

use std::ops::Range;

use crate::privacy::class::Class;
use crate::privacy::lens;
use crate::privacy::row::Piece::{Lit, Run};
use crate::privacy::row::{BASE64, Find, HEX, Row};
use crate::privacy::value::{is_digest, is_scrambled};

/// From this length on a run in free text is more than an id or a digest.
const LONGEST_ID: usize = 44;
/// The lengths of digests in hex.
const DIGESTS: [usize; 7] = [32, 40, 48, 56, 64, 96, 128];

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        id: "encoded-run",
        class: Class::OpaqueBlob,
        what: "a long run of base64 or hex that is no digest and no public key",
        source: "RFC 4648",
        find: Find::Encoded(blobs),
        refused: &[&[Lit("payload "), Run(BASE64, 120, 120)], &[Lit("payload "), Run(HEX, 100, 100)]],
        clean: &[
            &[Lit("9fceb02d0ae598e95dc970b74767f19372d61af8")],
            &[Lit("sha512-"), Run(BASE64, 86, 86), Lit("==")],
            &[Lit("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"), Run(BASE64, 43, 43)],
            &[Lit("-----BEGIN PUBLIC KEY-----\n"), Run(BASE64, 64, 64), Lit("\n-----END PUBLIC KEY-----")],
            &[Lit("note cm90YXRlIHRoZSBwYXNzd29yZCBiZWZvcmUgdGhlIG5leHQgcnVuLCB0aGVuIHJldmlldyB0aGUgZ2F0ZQ==")],
            &[Lit("raw_transcripts_copied_and_other_long_names_of_fields_that_go_on_and_on")],
        ],
    },
    PACKED,
];

/// Material packed deeper or larger than the wall unpacks.
pub(in crate::privacy) const PACKED: Row = Row {
    id: "packed-too-deep",
    class: Class::OpaqueBlob,
    what: "material packed deeper or larger than the wall unpacks",
    source: "the limits of the normaliser",
    find: Find::Elsewhere,
    refused: &[],
    clean: &[],
};

/// Whether a run looks generated and is too long for an id: the cheap half of [`blobs`].
pub(in crate::privacy) fn is_opaque(run: &[u8]) -> bool {
    if run.len() < LONGEST_ID || is_digest(run) {
        return false;
    }
    if run.iter().all(u8::is_ascii_hexdigit) {
        return !DIGESTS.contains(&run.len()) && run.iter().any(u8::is_ascii_digit) && !is_monotonous(run);
    }
    let mixed =
        [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit].iter().all(|kind| run.iter().any(kind));
    mixed && is_scrambled(run)
}

/// Whether a run holds only a few different characters.
fn is_monotonous(run: &[u8]) -> bool {
    let seen = run.iter().fold(0u128, |seen, &byte| seen | 1 << (byte & 127));
    seen.count_ones() < 6
}

/// Finds runs that hide what they hold: neither text in base64, nor a digest, nor a public key.
fn blobs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut public = false;
    let mut seen = 0;
    for run in lens::runs(bytes) {
        let gap = &text[seen..run.start];
        if let Some(begin) = gap.rfind("-----BEGIN").or_else(|| gap.rfind("-----END")) {
            public = gap[begin..].starts_with("-----BEGIN");
        }
        let before = gap.trim_end_matches(['"', '\'', '`']);
        let key = ["ssh-ed25519 ", "ssh-rsa ", "ssh-dss ", "-nistp256 ", "-nistp384 ", "-nistp521 ", "@openssh.com "];
        let known = public
            || key.iter().any(|prefix| before.ends_with(prefix))
            || text[run.clone()].starts_with("AAAA") && text[run.clone()].contains("C1") && before.ends_with(' ')
            || ["sha256-", "sha384-", "sha512-", "SHA256:", "sha256:"].iter().any(|prefix| before.ends_with(prefix));
        if !known && is_opaque(&bytes[run.clone()]) && !lens::reads_as_text(bytes, &run) {
            found.push(run.clone());
        }
        seen = run.end;
    }
    found
}
