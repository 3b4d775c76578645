//! Secrets in the headers of requests and answers.

use crate::match_context::MatchContext;
use crate::value::{Key, is_placeholder, is_secret};

/// Whether a word behind `bearer` is a token.
pub(super) fn is_bearer(context: &MatchContext<'_>) -> bool {
    context.starts_word() && is_secret(context.value(), Key::Token)
}

/// Whether a header holds credentials rather than a sentence.
pub(super) fn is_credential(context: &MatchContext<'_>) -> bool {
    context.value().iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && !is_placeholder(context.value())
}

/// Whether a basic header holds a login.
pub(super) fn is_basic_login(context: &MatchContext<'_>) -> bool {
    crate::decode::reads_as_login(context.value())
}
