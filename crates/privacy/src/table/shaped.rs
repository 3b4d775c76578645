//! Secrets known by a shape that takes more than a prefix and a length.

use super::assigned::names_key_of;
use crate::match_context::MatchContext;
use crate::shape::{self, HEX_DIGIT, LETTER, LETTER_OR_DIGIT, count, goes_on};
use crate::value::{follows_algorithm, is_digest, is_mixed};

/// What base64url is made of.
const URL64_LETTER: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789_-";

/// Whether a match is whole.
pub(super) fn is_telegram_token(context: &MatchContext<'_>) -> bool {
    !(context.before().is_ascii_digit() || context.behind().is_ascii_alphanumeric() && context.joined.is_none())
}

/// Whether a word behind a mark is generated, and neither a digest nor the token of a known vendor.
pub(super) fn is_prefixed_token(context: &MatchContext<'_>) -> bool {
    context.starts_word()
        && !matches!(context.before(), b'-' | b'_' | b'/')
        && !matches!(context.behind(), b'-' | b'_' | b'/' | b'+' | b'=')
        && is_mixed(context.value())
        && !is_digest(context.matched())
        && !super::is_of_vendor(context.matched())
        && !follows_algorithm(&context.text[..context.range.start])
        && !follows_algorithm(&context.text[..context.value.start])
}

/// Whether a text may hold the name of a private key.
pub(super) fn may_name_wallet_key(text: &[u8]) -> bool {
    names_key_of(text, &["private", "secret", "wallet", "signing"])
}

/// Whether six digits stand among the codes.
pub(super) fn has_six_digits(context: &MatchContext<'_>) -> bool {
    context.matched().iter().filter(|byte| byte.is_ascii_digit()).count() >= 6
}

/// The point before the time in a token of Discord.
pub(super) const DISCORD_TOKEN: shape::Shape =
    shape::Shape { at: [b".", URL64_LETTER, URL64_LETTER], stands: |text, at| goes_on(text, at, b".wwwwww.wwwwwwww") };

/// The mark of a key of Twilio.
pub(super) const TWILIO_KEY: shape::Shape =
    shape::Shape { at: [b"s", b"k", HEX_DIGIT], stands: |text, at| goes_on(text, at, b"SKxxxx") };

/// The mark of a token of Airtable.
pub(super) const AIRTABLE_TOKEN: shape::Shape =
    shape::Shape { at: [b"p", b"a", b"t"], stands: |text, at| goes_on(text, at, b"patwwwwwwwwwwwwww.") };

/// The sign behind the mark of a service.
pub(super) const PREFIXED_TOKEN: shape::Shape = shape::Shape {
    at: [LETTER, b"_-", LETTER_OR_DIGIT],
    stands: |text, at| count(text, at + 2, |byte| byte.is_ascii_alphanumeric()) >= 32,
};
