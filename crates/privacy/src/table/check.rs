//! Checks that rows share.

use crate::match_context::MatchContext;
use crate::value::{Key, is_placeholder, is_scrambled, is_secret};

/// Every match stands.
pub(super) fn always(_: &MatchContext<'_>) -> bool {
    true
}

/// Whether the value of a match is a password and no word, name or placeholder.
pub(super) fn is_password(context: &MatchContext<'_>) -> bool {
    is_secret(context.value(), Key::Password)
}

/// Whether the value of a match is a token and no word, name or placeholder.
pub(super) fn is_token(context: &MatchContext<'_>) -> bool {
    is_secret(context.value(), Key::Token)
}

/// Whether the value of a match stands for no other one.
pub(super) fn is_no_placeholder(context: &MatchContext<'_>) -> bool {
    !is_placeholder(context.value())
}

/// Whether a digit stands in a match.
pub(super) fn has_digit(context: &MatchContext<'_>) -> bool {
    context.matched().iter().any(u8::is_ascii_digit)
}

/// Whether a match is no word and no name.
pub(super) fn is_scrambled_match(context: &MatchContext<'_>) -> bool {
    is_scrambled(context.matched())
}

/// Whether a match is no part of a longer word.
pub(super) fn stands_alone(context: &MatchContext<'_>) -> bool {
    context.starts_word() && !context.behind().is_ascii_alphanumeric()
}
