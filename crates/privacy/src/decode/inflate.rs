//! Inflates what was packed before it was encoded.

use std::cell::RefCell;
use std::io::Read as _;

use flate2::{Decompress, FlushDecompress, Status};

use super::readable::{SHORTEST_STRETCH, is_text_throughout};

/// The most that one run may inflate to.
pub(super) const MOST_INFLATED: usize = 1 << 20;

/// Inflates gzip and zlib, up to one byte more than is allowed.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Option<Vec<u8>> {
    let most = limit.min(MOST_INFLATED);
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut inflated = Vec::new();
    let read = match bytes {
        [0x1f, 0x8b, 8, ..] => flate2::read::GzDecoder::new(bytes).take(limit).read_to_end(&mut inflated),
        [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => {
            flate2::read::ZlibDecoder::new(bytes).take(limit).read_to_end(&mut inflated)
        }
        _ if begins_block(bytes) => {
            return inflate_bare(bytes, most)
                .filter(|inflated| inflated.len() >= SHORTEST_STRETCH && is_text_throughout(inflated));
        }
        _ => return None,
    };
    // A cut stream still shows what it held so far.
    (read.is_ok() || !inflated.is_empty()).then_some(inflated)
}

/// Whether bytes begin with a last block of DEFLATE (RFC 1951): in the codes that everybody knows, or in its own, which
/// leave no code unused. Nothing else says that they were deflated, and every eighth digest says as much as the first
/// three bits do.
fn begins_block(bytes: &[u8]) -> bool {
    let bit = |at: usize| usize::from(bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1));
    let number = |at: usize, bits: usize| (0..bits).map(|place| bit(at + place) << place).sum::<usize>();
    match number(0, 3) {
        3 => true,
        5 => {
            let lengths = (0..number(13, 4) + 4).map(|code| number(17 + 3 * code, 3)).filter(|length| *length > 0);
            number(3, 5) < 30 && number(8, 5) < 30 && lengths.map(|length| 128 >> length).sum::<usize>() == 128
        }
        _ => false,
    }
}

/// Inflates a stream without a head, up to more than is allowed; nothing when it is none. Many a digest may be one by its
/// first bits, and a decoder of its own for each would cost more than all else that is done with it.
fn inflate_bare(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    thread_local! {
        static DECODER: RefCell<Decompress> = RefCell::new(Decompress::new(false));
    }
    DECODER.with_borrow_mut(|decoder| {
        decoder.reset(false);
        let mut inflated = Vec::with_capacity(bytes.len() * 8);
        while inflated.len() <= most {
            let (read, written) = (decoder.total_in(), inflated.len());
            let rest = bytes.get(usize::try_from(read).ok()?..)?;
            if decoder.decompress_vec(rest, &mut inflated, FlushDecompress::None).ok()? == Status::StreamEnd {
                return Some(inflated);
            }
            if decoder.total_in() == read && inflated.len() == written {
                // What breaks off is no stream: it had no head that said so.
                return None;
            }
            inflated.reserve(inflated.len().max(64));
        }
        Some(inflated)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::read::DeflateDecoder;
    use flate2::write::DeflateEncoder;
    use proptest::prelude::*;

    use super::{MOST_INFLATED, begins_block, inflate_bare};

    /// The same by a decoder of its own.
    fn expected(bytes: &[u8]) -> Option<Vec<u8>> {
        use std::io::Read as _;
        let mut inflated = Vec::new();
        let limit = u64::try_from(MOST_INFLATED).unwrap_or(u64::MAX) + 1;
        let read = DeflateDecoder::new(bytes).take(limit).read_to_end(&mut inflated);
        read.is_ok().then_some(inflated)
    }

    fn deflated(text: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(text).expect("writing to memory succeeds");
        encoder.finish().expect("writing to memory succeeds")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]
        #[test]
        fn one_decoder_reads_what_many_would(
            text in "([a-z ]{0,200}|[ae tn]{200,900}|([a-z]{3,9} is [a-f]{1,5}, ){5,60})",
            level in 0..10_u32,
            cut in 0..64_usize,
            tail in proptest::collection::vec(any::<u8>(), 0..48),
        ) {
            let whole = deflated(text.as_bytes(), level);
            let broken = whole[..whole.len().saturating_sub(cut)].to_vec();
            for bytes in [&tail, &whole, &broken, &[whole.clone(), tail.clone()].concat(), &[broken.clone(), tail.clone()].concat()] {
                prop_assert_eq!(inflate_bare(bytes, MOST_INFLATED), expected(bytes));
                // Of several blocks the last one says so, not the first.
                if matches!(bytes.first().map(|first| first & 7), Some(3 | 5)) && expected(bytes).is_some() {
                    prop_assert!(begins_block(bytes));
                }
            }
        }
    }

    #[test]
    fn both_kinds_of_codes_begin_a_block() {
        let (short, long) =
            (deflated(b"ledger reads", 9), deflated("the gate waits for an owner, ".repeat(40).as_bytes(), 9));
        assert_eq!((short[0] & 7, long[0] & 7), (3, 5));
        assert!(begins_block(&short) && begins_block(&long));
        // One length more, and the codes are too many.
        let mut broken = long;
        broken[2] ^= 2;
        assert!(!begins_block(&broken) && inflate_bare(&broken, MOST_INFLATED).is_none());
    }

    #[test]
    fn a_stream_that_grows_too_large_is_read_so_far() {
        let large = deflated(&vec![b'a'; MOST_INFLATED * 3], 9);
        assert!(inflate_bare(&large, MOST_INFLATED).is_some_and(|inflated| inflated.len() > MOST_INFLATED));
    }
}
