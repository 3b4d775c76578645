//! A quick look at the names of fields in the text of a document, so that most documents need not be parsed for them.

use std::cell::RefCell;
use std::collections::HashMap;

use super::field::{flagged_classes, is_forbidden};

/// Whether the text of a document may hold a field that is refused or a flag that must be checked: a quick look at what
/// stands before each colon. Where fields may be written in other ways, it may.
pub(super) fn may_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let unusual = bytes.windows(2).any(|pair| pair == b"? ") || bytes.contains(&b'{') && !bytes.contains(&b':');
    unusual
        || bytes.iter().enumerate().filter(|(_, byte)| **byte == b':').any(|(at, _)| {
            let ends_name = bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace)
                || at > 0 && matches!(bytes[at - 1], b'"' | b'\'' | b' ');
            if !ends_name {
                return false;
            }
            let name = name_before(&bytes[..at]);
            let says_so = || bytes[at + 1..].trim_ascii_start().starts_with(b"true");
            name.len() > LONGEST_KNOWN
                || match verdict(name) {
                    Verdict::Harmless => false,
                    Verdict::Flag => says_so(),
                    Verdict::Refused => true,
                }
        })
}

/// The longest name whose verdict is kept.
const LONGEST_KNOWN: usize = 64;

/// What stands before a colon and may be the name of a field.
fn name_before(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let text = text.strip_suffix(b"\"").or_else(|| text.strip_suffix(b"'")).unwrap_or(text);
    let start = text.iter().rposition(|byte| matches!(byte, b'\n' | b',' | b'{' | b'[' | b'"' | b'\''));
    text[start.map_or(0, |at| at + 1)..].trim_ascii_start()
}

/// What a name alone says of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Harmless,
    /// It says whether material was copied.
    Flag,
    Refused,
}

/// Judges a name. Documents repeat few names again and again, so verdicts are kept.
fn verdict(name: &[u8]) -> Verdict {
    thread_local! {
        static KNOWN: RefCell<HashMap<Box<[u8]>, Verdict>> = RefCell::default();
    }
    const KEPT: usize = 1 << 12;
    KNOWN.with_borrow_mut(|known| {
        if let Some(&verdict) = known.get(name) {
            return verdict;
        }
        let text = String::from_utf8_lossy(name);
        let verdict = match () {
            () if is_forbidden(&text) => Verdict::Refused,
            () if flagged_classes(&text).next().is_some() => Verdict::Flag,
            () => Verdict::Harmless,
        };
        if known.len() < KEPT {
            known.insert(name.into(), verdict);
        }
        verdict
    })
}
