//! Finds runs of base64, base64url, base32 and hex, and reads what they hold.

use std::ops::Range;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};

use super::inflate::{MOST_INFLATED, inflate};
use super::readable::{SHORTEST_STRETCH, is_text, stretches};
use crate::value::is_mixed;
use crate::view::{Decoder, View};

/// The shortest run worth a look: an encoded address of nine bytes.
const SHORTEST_RUN: usize = 12;
/// The shortest run of base32 worth a look.
const SHORTEST_BASE32: usize = 16;
/// The shortest run of base64 worth a try to inflate it when no head says that it can be.
const SHORTEST_DEFLATED: usize = 16;

/// What a run holds.
pub(crate) enum Reading {
    /// Text, with how it was hidden.
    Text(View, Decoder),
    /// More than the wall is willing to unpack.
    TooLarge,
}

/// Lists the runs of a text that may be encoded.
pub(crate) fn runs(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_other = |&byte: &u8| VALUES[usize::from(byte)] >= 64;
        while let Some(window) = text.get(at..at + SHORTEST_RUN) {
            // Another byte anywhere in the window rules out every run that begins before it.
            if let Some(other) = window.iter().rposition(is_other) {
                at += other + 1;
                continue;
            }
            let start = at;
            at = text[start..].iter().position(is_other).map_or(text.len(), |length| start + length);
            return Some(start..at);
        }
        None
    })
}

/// Reads a run in every way that gives text.
pub(super) fn read(text: &[u8], run: &Range<usize>, limit: usize) -> Vec<Reading> {
    let encoded = &text[run.clone()];
    let hex = hex_part(encoded);
    // A run may begin with letters that are no part of what is encoded: every alignment is tried, the first that
    // gives text wins.
    let hex_readings =
        (0..2).filter_map(|skipped| hex.get(skipped..)).map(|digits| open(&unhex(digits), run, Decoder::Hex, limit));
    let base32 = std::iter::once(encoded)
        .filter(|run| is_base32(run))
        .map(|run32| open(&unbase32(run32), run, Decoder::Base32, limit));
    let readings = (0..4).map(|skipped| open(&unbase64(&encoded[skipped..]), run, Decoder::Base64, limit));
    hex_readings.chain(base32).chain(readings).find(|readings| !readings.is_empty()).unwrap_or_default()
}

/// The text of a run that decodes as a whole.
pub(super) fn whole_text(encoded: &[u8]) -> Option<String> {
    let body = encoded.trim_ascii_end();
    let end = body.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    String::from_utf8(unbase64(&body[..end])).ok().filter(|text| !text.chars().any(char::is_control))
}

/// Whether a run may hold text: a cheap test that lets through everything that [`read`] reads.
pub(super) fn is_promising(encoded: &[u8], limit: usize) -> bool {
    let hex = hex_part(encoded);
    // Small words with dashes between them are a name: text in base64 has capitals.
    if hex.len() < 2 * SHORTEST_STRETCH && is_name(encoded) {
        return false;
    }
    if hex.len() == encoded.len() {
        return promising_hex(hex);
    }
    promising_base64(encoded, limit) || promising_hex(hex) || promising_base32(encoded)
}

/// Whether a run is small letters and digits with dashes or underscores between them.
fn is_name(run: &[u8]) -> bool {
    run.iter().any(|byte| matches!(byte, b'-' | b'_'))
        && run.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_'))
}

/// Whether a run has only the letters of base32, and enough of them to hold a word; small ones without a digit are one.
fn is_base32(encoded: &[u8]) -> bool {
    encoded.len() >= SHORTEST_BASE32
        && (encoded.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
            || encoded.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
                && encoded.iter().any(u8::is_ascii_digit))
}

fn promising_base32(encoded: &[u8]) -> bool {
    is_base32(encoded)
        && unbase32(encoded).split(|&byte| !is_text(byte)).any(|stretch| stretch.len() >= SHORTEST_STRETCH)
}

/// Decodes base32; what does not fill a byte at the end is left out.
fn unbase32(encoded: &[u8]) -> Vec<u8> {
    let mut bits = 0u32;
    let mut count = 0;
    let mut decoded = Vec::with_capacity(encoded.len() * 5 / 8);
    for &letter in encoded {
        bits =
            bits << 5 | u32::from(if letter.is_ascii_digit() { letter - b'2' + 26 } else { (letter & !0x20) - b'A' });
        count += 5;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count & 0xff) as u8);
        }
    }
    decoded
}

/// Two groups of four in a row whose bits allow ASCII letters, a packed stream, or the many zeros of UTF-16.
fn promising_base64(encoded: &[u8], limit: usize) -> bool {
    let mut groups = 0u32;
    let letters = encoded.windows(3).any(|group| {
        let fits =
            GROUP[usize::from(group[0])] & GROUP[usize::from(group[1])] >> 1 & GROUP[usize::from(group[2])] >> 2 & 1;
        groups = groups << 1 | u32::from(fits);
        groups & 0b10001 == 0b10001
    });
    let packed = (0..4).any(|skipped| {
        let part = &encoded[skipped..];
        part.starts_with(b"H4sI") || (part.len() >= 24 && matches!(part, [b'e', b'J' | b'N' | b'A' | b'F', ..]))
    });
    letters
        || packed
        || is_deflated(encoded, limit)
        || is_foreign_text(encoded)
        || encoded.iter().filter(|&&byte| byte == b'A').count() * 6 >= encoded.len()
}

/// Whether a run of scrambled letters is text that was deflated without the head of gzip or zlib.
fn is_deflated(encoded: &[u8], limit: usize) -> bool {
    encoded.len() >= SHORTEST_DEFLATED && is_mixed(encoded) && inflate(&unbase64(encoded), limit).is_some()
}

/// Whether a longer run of mixed case decodes to text of another script.
fn is_foreign_text(encoded: &[u8]) -> bool {
    let mixed = encoded.iter().any(u8::is_ascii_uppercase) && encoded.iter().any(u8::is_ascii_lowercase);
    encoded.len() >= LONGEST_SHORT_RUN
        && mixed
        && (0..4).any(|skipped| {
            let bytes = unbase64(&encoded[skipped..]);
            bytes
                .utf8_chunks()
                .any(|chunk| chunk.valid().len() >= 3 * SHORTEST_STRETCH && !chunk.valid().contains('\u{0}'))
        })
}

/// From this length on a run is decoded to see whether it is text of another script.
const LONGEST_SHORT_RUN: usize = 32;

/// Which place in a group of four a character may take when the group encodes ASCII text: first, second, third.
const GROUP: [u8; 256] = {
    let mut fits = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = VALUES[byte];
        if value < 64 {
            let first = value >= 8 && value < 32 || value == 2 || value == 3;
            fits[byte] = first as u8 | ((value & 8 == 0) as u8) << 1 | ((value & 2 == 0) as u8) << 2;
        }
        byte += 1;
    }
    fits
};

fn promising_hex(digits: &[u8]) -> bool {
    digits.len() >= 2 * SHORTEST_STRETCH
        && (0..2).any(|skipped| {
            let bytes = unhex(&digits[skipped..]);
            let zeros = bytes.iter().filter(|&&byte| byte == 0).count();
            let text = bytes.split(|&byte| !is_text(byte)).any(|stretch| stretch.len() >= SHORTEST_STRETCH);
            text || zeros * 3 >= bytes.len()
                || matches!(bytes[..], [0x1f, 0x8b, ..] | [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..])
        })
}

/// The longest part of a run that is hex digits only.
fn hex_part(encoded: &[u8]) -> &[u8] {
    let (mut longest, mut start) = (0..0, 0);
    for (at, byte) in encoded.iter().enumerate() {
        if !byte.is_ascii_hexdigit() {
            start = at + 1;
        } else if at + 1 - start > longest.len() {
            longest = start..at + 1;
        }
    }
    &encoded[longest]
}

/// Reads a list of bytes.
pub(super) fn read_bytes(bytes: &[u8], place: &Range<usize>, limit: usize) -> Vec<Reading> {
    open(bytes, place, Decoder::Hex, limit)
}

/// Turns decoded bytes into views of their text.
fn open(bytes: &[u8], run: &Range<usize>, decoder: Decoder, limit: usize) -> Vec<Reading> {
    if let Some(inflated) = inflate(bytes, limit) {
        return if inflated.len() > limit.min(MOST_INFLATED) {
            vec![Reading::TooLarge]
        } else {
            stretches(&inflated).map(|text| Reading::Text(View::of(text, run.clone()), Decoder::Inflate)).collect()
        };
    }
    stretches(bytes).map(|text| Reading::Text(View::of(text, run.clone()), decoder)).collect()
}

pub(super) fn unhex(digits: &[u8]) -> Vec<u8> {
    digits.chunks_exact(2).map(|pair| hex_value(pair[0]) << 4 | hex_value(pair[1])).collect()
}

fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// Decodes base64 and base64url alike; what does not fill a byte at the end is left out.
pub(super) fn unbase64(encoded: &[u8]) -> Vec<u8> {
    const READER: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let whole = encoded.len() - usize::from(encoded.len() % 4 == 1);
    let standard = |&byte: &u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        _ => byte,
    };
    READER.decode(encoded[..whole].iter().map(standard).collect::<Vec<u8>>()).unwrap_or_default()
}

/// The value of each byte in base64 and base64url; 64 and more for the others.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        values[alphabet[value as usize] as usize] = value;
        value += 1;
    }
    values[b'-' as usize] = 62;
    values[b'_' as usize] = 63;
    values
};

#[cfg(test)]
mod tests {
    use super::{Reading, is_promising, read, runs};
    use crate::view::Decoder;

    fn texts(text: &str) -> Vec<(String, Decoder)> {
        let bytes = text.as_bytes();
        let readings = runs(bytes)
            .filter(|run| is_promising(&bytes[run.clone()], usize::MAX))
            .flat_map(|run| read(bytes, &run, usize::MAX));
        readings
            .filter_map(|reading| match reading {
                Reading::Text(view, decoder) => Some((view.text, decoder)),
                Reading::TooLarge => None,
            })
            .collect()
    }

    #[test]
    fn encoded_text_is_read_at_every_alignment() {
        for (encoded, decoder) in [
            ("aGVsbG8gd29ybGQgaGVsbG8=", Decoder::Base64),
            ("xaGVsbG8gd29ybGQgaGVsbG8", Decoder::Base64),
            ("xxxaGVsbG8gd29ybGQgaGVsbG8", Decoder::Base64),
            ("68656c6c6f20776f726c642068656c6c6f", Decoder::Hex),
            ("0x68656c6c6f20776f726c642068656c6c6f", Decoder::Hex),
            ("aABlAGwAbABvACAAdwBvAHIAbABkACAAaABlAGwAbABvAA==", Decoder::Base64),
        ] {
            let found = texts(encoded);
            assert!(
                found.iter().any(|(text, by)| text.contains("world hello") && *by == decoder),
                "{encoded} {found:?}"
            );
        }
    }

    #[test]
    fn digests_and_names_hold_no_text() {
        for name in
            ["9fceb02d0ae598e95dc970b74767f19372d61af8", "goals/loopx/todos/fix-flaky-test", "raw_transcripts_copied"]
        {
            assert!(texts(name).is_empty(), "{name}");
        }
    }
}
