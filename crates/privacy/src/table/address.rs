//! Secrets within addresses.

use super::assigned::is_badge;
use crate::match_context::MatchContext;
use crate::shape::{self, byte, count};
use crate::value::{Key, is_placeholder, is_scrambled, is_secret};

/// Whether the user of a URL is a token.
pub(super) fn is_user_token(context: &MatchContext<'_>) -> bool {
    is_scrambled(context.value()) && context.value().iter().any(u8::is_ascii_digit)
}

/// Whether a parameter holds a secret.
pub(super) fn is_secret_parameter(context: &MatchContext<'_>) -> bool {
    is_secret(context.value(), Key::Token) && !is_badge(context)
}

/// The mark before a parameter.
pub(super) const PARAMETER: shape::Shape =
    shape::Shape { at: [b"?&;", NAMED, NAMED], stands: |text, at| begins_parameter(text, at, b"?&;") };

/// What the name of a parameter is made of, with the sign behind it.
pub(super) const NAMED: &[u8] = b"abcdefghijklmnopqrstuvwxyz_.-=";

/// Whether one of some marks begins a parameter with its value.
pub(super) fn begins_parameter(text: &[u8], at: usize, marks: &[u8]) -> bool {
    let length = count(text, at + 1, |byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'-'));
    marks.contains(&byte(text, at)) && length > 0 && byte(text, at + 1 + length) == b'='
}

/// Whether the user part of a URL holds a password.
pub(super) fn is_login(context: &MatchContext<'_>) -> bool {
    let login = context.value();
    let Some(joint) = login.iter().position(|&byte| byte == b':') else { return false };
    let decoded = crate::decode::unescaped(&login[joint + 1..]);
    !is_placeholder(&decoded)
}
