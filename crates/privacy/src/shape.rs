//! Material that has a shape but no word: where it may stand, told by a few bytes and a look at what is around them.
//!
//! A regular expression for such a shape would be compiled by every process, and by every thread once more.

/// The bytes of some sets; the case of letters does not count.
pub(super) const DIGIT: &[u8] = b"0123456789";
pub(super) const HEX_DIGIT: &[u8] = b"0123456789abcdef";
pub(super) const LETTER: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
pub(super) const LETTER_OR_DIGIT: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// A shape: three bytes in a row, one of each set, at which it may stand, and whether it does.
///
/// It may say yes where its row finds nothing, never no where the row would find something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// What the three bytes may be.
    pub(super) at: [&'static [u8]; 3],
    /// Whether the shape stands around the first of them; that one is before the text where the first set has a break.
    pub(super) stands: fn(&[u8], usize) -> bool,
}

/// Whether a text goes on from an offset like a model, in which `9` is a digit, `x` a hex digit, `a` a letter, `w` a
/// letter, digit, dash or underscore, and everything else itself.
pub(super) fn goes_on(text: &[u8], at: usize, model: &[u8]) -> bool {
    let part = text.get(at..).and_then(|rest| rest.get(..model.len()));
    part.is_some_and(|part| part.iter().zip(model).all(|(&byte, &model)| is_like(byte, model)))
}

fn is_like(byte: u8, model: u8) -> bool {
    match model {
        b'9' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        b'a' => byte.is_ascii_alphabetic(),
        b'w' => is_word(byte),
        _ => byte == model,
    }
}

/// A letter, digit, dash or underscore.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// How many bytes of a kind stand from an offset on.
pub(super) fn count(text: &[u8], at: usize, kind: impl Fn(u8) -> bool) -> usize {
    text.get(at..).unwrap_or_default().iter().take_while(|&&byte| kind(byte)).count()
}

/// How many digits stand from an offset on.
pub(super) fn digits(text: &[u8], at: usize) -> usize {
    count(text, at, |byte| byte.is_ascii_digit())
}

/// The byte at an offset; a break behind the end of the text.
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

/// What a line holds behind the marks of quotes, lists and comments.
pub(super) fn behind_marks(line: &[u8]) -> &[u8] {
    let is_mark = |byte: u8| {
        matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'#' | b'*' | b'"' | b'\'' | b'`' | b'+' | b'/' | b'-' | b'[')
    };
    &line[count(line, 0, is_mark)..]
}
