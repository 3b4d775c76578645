//! A quick look at the names of fields in the text of a document, so that most documents need not be parsed for them.

use super::field::{LONGEST_REMEMBERED, flagged_classes, is_forbidden};

/// Whether the text of a document may hold a field that is refused or a flag that must be checked: a quick look at what
/// stands before each colon. Where fields may be written in other ways, it may.
pub(super) fn may_name(text: &str) -> bool {
    let unusual = text.contains("? ") || text.contains('{') && !text.contains(':');
    unusual || text.match_indices(':').any(|(at, _)| may_name_before(text, at))
}

/// Whether what stands before a colon may be a name that is refused, or a flag at fault.
fn may_name_before(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let ends_name =
        bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) || at > 0 && matches!(bytes[at - 1], b'"' | b'\'' | b' ');
    if !ends_name {
        return false;
    }
    let name = name_before(&text[..at]);
    // A flag is at fault only where it says so.
    let says_so = || bytes[at + 1..].trim_ascii_start().starts_with(b"true");
    name.len() > LONGEST_REMEMBERED || is_forbidden(name) || says_so() && flagged_classes(name).next().is_some()
}

/// What stands before a colon and may be the name of a field.
fn name_before(text: &str) -> &str {
    let text = text.trim_ascii_end();
    let text = text.strip_suffix('"').or_else(|| text.strip_suffix('\'')).unwrap_or(text);
    let start = text.bytes().rposition(|byte| matches!(byte, b'\n' | b',' | b'{' | b'[' | b'"' | b'\''));
    text[start.map_or(0, |at| at + 1)..].trim_ascii_start()
}
