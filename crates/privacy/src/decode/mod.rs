//! The normaliser: each text is also read as a person, a parser or a decoder would read it.

mod base85;
mod base_n;
mod escape;
mod inflate;
mod confusables;
mod numbers;
mod readable;
mod joined;
mod spaced;

use std::ops::Range;

use super::value::is_digest;
use super::view::{Decoder, View};

pub(super) use base_n::{Reading, runs};
pub(super) use confusables::is_invisible;
pub(super) use readable::wide_text;
pub(super) use spaced::List;

/// What about a text calls for a closer look, found in one pass over its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Signs {
    /// It holds bytes that are no printable ASCII.
    pub(super) foreign: bool,
    /// It may hold escapes.
    pub(super) escapes: bool,
    /// It has more than one line.
    pub(super) breaks: bool,
}

impl Signs {
    const FOREIGN: u8 = 1;
    const ESCAPE: u8 = 2;
    const BREAK: u8 = 4;
    const EQUALS: u8 = 8;
    const RETURN: u8 = 16;
    const TILDE: u8 = 32;

    /// What each byte is a sign of.
    const OF: [u8; 256] = {
        let mut signs = [Self::FOREIGN; 256];
        let mut byte = b' ';
        while byte < 0x7f {
            signs[byte as usize] = 0;
            byte += 1;
        }
        signs[b'\t' as usize] = 0;
        signs[b'\r' as usize] = Self::RETURN;
        signs[b'~' as usize] = Self::TILDE;
        signs[b'\n' as usize] = Self::BREAK;
        signs[b'\\' as usize] = Self::ESCAPE;
        signs[b'%' as usize] = Self::ESCAPE;
        signs[b'&' as usize] = Self::ESCAPE;
        signs[b'=' as usize] = Self::EQUALS;
        signs
    };

    pub(super) fn of(text: &[u8]) -> Self {
        let signs = text.iter().fold(0, |signs, &byte| signs | Self::OF[usize::from(byte)]);
        Self {
            foreign: signs & Self::FOREIGN != 0,
            escapes: signs & Self::ESCAPE != 0
                || signs & Self::EQUALS != 0 && escape::is_quoted_printable(text)
                || signs & Self::RETURN != 0 && escape::has_lone_return(text)
                || signs & Self::TILDE != 0 && escape::is_pointer(text),
            breaks: signs & Self::BREAK != 0,
        }
    }
}

/// Reads a text through one of the lenses that keep it whole; nothing when that changes nothing.
pub(super) fn through(decoder: Decoder, text: &str) -> Option<View> {
    match decoder {
        Decoder::Lookalike => confusables::read(text),
        Decoder::Escape => escape::read(text),
        Decoder::Fold | Decoder::Neighbour => joined::read(text, decoder),
        Decoder::Spread => spaced::read(text),
        Decoder::Base64 | Decoder::Base32 | Decoder::Hex | Decoder::Inflate => None,
    }
}

/// Reads what an encoded run holds; more than a limit is not inflated.
pub(super) fn decode(text: &str, run: &Range<usize>, limit: usize) -> Vec<Reading> {
    base_n::read(text.as_bytes(), run, limit)
}

/// Reads what a list of bytes holds.
pub(super) fn decode_list(list: &List, limit: usize) -> Vec<Reading> {
    base_n::read_bytes(&list.bytes, &list.range, limit)
}

/// Whether a list of bytes holds anything else than text.
pub(super) fn is_binary(list: &List) -> bool {
    !readable::is_text_throughout(&list.bytes)
}

/// Whether a text may hold letters or bytes that were written apart, as numbers, or more densely than in base64.
pub(super) fn is_spread(text: &[u8]) -> bool {
    spaced::is_spread(text) || numbers::is_listed(text) || base85::is_dense(text)
}

/// Lists the bytes that a text holds in any form but one run of base64, base32 or hex.
pub(super) fn lists(text: &[u8]) -> Vec<List> {
    let mut found = spaced::lists(text);
    found.extend(numbers::lists(text));
    found.extend(base85::lists(text));
    found
}

/// Whether a text holds a run that may decode to text.
pub(super) fn is_promising(text: &[u8], run: &Range<usize>, limit: usize) -> bool {
    base_n::is_promising(&text[run.clone()], limit) && (!is_digest_run(text, run) || reads_as_text(text, run))
}

/// Whether a run is a digest behind the name of its algorithm, or with it.
fn is_digest_run(text: &[u8], run: &Range<usize>) -> bool {
    const LONGEST_NAME: usize = "sha512:".len();
    let from = (run.start.saturating_sub(LONGEST_NAME)..=run.start).rev();
    let whole = from.filter(|&at| at == 0 || !text[at - 1].is_ascii_alphanumeric()).map(|at| &text[at..run.end]);
    whole.into_iter().any(is_digest)
}

/// Whether nearly all that a run holds is text.
pub(super) fn reads_as_text(text: &[u8], run: &Range<usize>) -> bool {
    let run = &text[run.clone()];
    let is_hex = || run.iter().all(u8::is_ascii_hexdigit);
    readable::is_text_throughout(&base_n::unbase64(run))
        || is_hex() && readable::is_text_throughout(&base_n::unhex(run))
}

/// Whether base64 holds a user and a password.
pub(super) fn reads_as_login(encoded: &[u8]) -> bool {
    base_n::whole_text(encoded)
        .is_some_and(|text| text.split_once(':').is_some_and(|(_, password)| password.len() >= 3))
}

/// A value with its escapes decoded; as it stands when one is broken.
pub(super) fn unescaped(value: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(value);
    escape::read(&text).map_or_else(|| value.to_vec(), |view| view.text.into_bytes())
}

/// Whether a line ends within a word and the next line goes on with it.
pub(super) fn splits_word(text: &str) -> bool {
    joined::splits_word(text)
}
