//! Secrets as arguments of commands and lines of login files.

use crate::match_context::MatchContext;
use crate::randomness::disorder;
use crate::shape::{self, byte, count, digits};
use crate::value::{Key, is_secret};

/// Whether a line of passwords holds a value that somebody generated.
pub(super) fn is_password_line(context: &MatchContext<'_>) -> bool {
    context.starts_word() && is_secret(context.value(), Key::Token) && disorder(context.value()) >= 20
}

/// Whether words are those of a wallet: the list of BIP 39 has none of these, and prose of so many words has one.
pub(super) fn are_recovery_words(context: &MatchContext<'_>) -> bool {
    let prose: [&[u8]; 10] =
        [b" the ", b" and ", b" for ", b" from ", b" into ", b" with ", b" are ", b" has ", b" not ", b" its "];
    !prose.iter().any(|word| context.matched().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word)))
}

/// The colon before a port.
pub(super) const PORT: shape::Shape = shape::Shape { at: [b":", b"0123456789*", b"0123456789:"], stands: begins_port };

/// Whether a colon begins the port of a line of passwords, with two more parts behind it.
fn begins_port(text: &[u8], at: usize) -> bool {
    let port = if byte(text, at + 1) == b'*' { 1 } else { digits(text, at + 1) };
    let part = |at: usize| at + 1 + count(text, at + 1, |byte| byte != b':' && !byte.is_ascii_whitespace());
    let ends = [at + 1 + port, part(at + 1 + port), part(part(at + 1 + port))];
    port > 0 && ends.into_iter().all(|end| byte(text, end) == b':')
}
