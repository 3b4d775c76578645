//! Inflates what was packed before it was encoded.

use std::cell::RefCell;
use std::io::Read as _;

use flate2::{Decompress, FlushDecompress, Status};

use super::encoded::{SHORTEST_STRETCH, is_text_throughout};

/// The most that one run may inflate to.
pub(super) const MOST_INFLATED: usize = 1 << 20;

/// Inflates gzip and zlib, up to one byte more than is allowed.
pub(super) fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let limit = u64::try_from(MOST_INFLATED).unwrap_or(u64::MAX) + 1;
    let mut inflated = Vec::new();
    let read = match bytes {
        [0x1f, 0x8b, 8, ..] => flate2::read::GzDecoder::new(bytes).take(limit).read_to_end(&mut inflated),
        [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => {
            flate2::read::ZlibDecoder::new(bytes).take(limit).read_to_end(&mut inflated)
        }
        // A last block, in the codes that everybody knows or in its own: nothing else says that it was deflated.
        [first, ..] if matches!(first & 7, 3 | 5) => {
            return inflate_bare(bytes)
                .filter(|inflated| inflated.len() >= SHORTEST_STRETCH && is_text_throughout(inflated));
        }
        _ => return None,
    };
    // A cut stream still shows what it held so far.
    (read.is_ok() || !inflated.is_empty()).then_some(inflated)
}

/// Inflates a stream without a head, up to more than is allowed; nothing when it is none. Every fourth digest may be one
/// by its first bits, and a decoder of its own for each would cost more than all else that is done with it.
fn inflate_bare(bytes: &[u8]) -> Option<Vec<u8>> {
    thread_local! {
        static DECODER: RefCell<Decompress> = RefCell::new(Decompress::new(false));
    }
    DECODER.with_borrow_mut(|decoder| {
        decoder.reset(false);
        let mut inflated = Vec::with_capacity(bytes.len() * 8);
        while inflated.len() <= MOST_INFLATED {
            let (read, written) = (decoder.total_in(), inflated.len());
            let rest = bytes.get(usize::try_from(read).ok()?..)?;
            let status = decoder.decompress_vec(rest, &mut inflated, FlushDecompress::None).ok()?;
            let is_stuck = decoder.total_in() == read && inflated.len() == written;
            if status == Status::StreamEnd || is_stuck {
                break;
            }
            inflated.reserve(inflated.len().max(64));
        }
        Some(inflated)
    })
}
