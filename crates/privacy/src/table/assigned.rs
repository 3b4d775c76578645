//! Secrets known by the key that stands before them.

use crate::match_context::MatchContext;
use crate::value::{Key, is_secret};

/// Whether a match is a password behind the end of a key.
pub(super) fn is_password_assigned(context: &MatchContext<'_>) -> bool {
    names_key(context, &["pass", "pwd", "creds"]) && is_secret(context.value(), Key::Password)
}

/// Whether a match is a token behind the end of a key, and no call or badge.
pub(super) fn is_token_assigned(context: &MatchContext<'_>) -> bool {
    names_key(context, &["ak", "sk", "auth", "token"])
        && context.behind() != b'('
        && !is_badge(context)
        && is_secret(context.value(), Key::Token)
}

/// Whether a value only shows a badge: such a token is made to stand in a public page.
pub(super) fn is_badge(context: &MatchContext<'_>) -> bool {
    context.joined_left().windows(5).any(|part| matches!(part, b"badge" | b".svg?" | b"shiel"))
}

/// Whether a text may hold a name of the pattern of tokens; `key` alone is the name of much that is harmless.
pub(super) fn may_name_token(text: &[u8]) -> bool {
    let names = |(at, byte): (usize, &u8)| match byte.to_ascii_lowercase() {
        b'n' => ends_with(&text[..=at], "token"),
        b'h' => ends_with(&text[..=at], "auth"),
        b'k' => {
            let starts = |at: usize| !text[at].is_ascii_alphanumeric() && text[at] != b'_';
            matches!(at.checked_sub(1).map(|at| text[at]), Some(b'a' | b's' | b'A' | b'S'))
                && (at == 1 || starts(at - 2))
        }
        _ => false,
    };
    text.iter().enumerate().any(names) || names_key_of(text, super::KEYED)
}

/// More letters than a word before `key` has.
const LONGEST_WORD: usize = 16;

/// Whether a text may hold `key` behind one of some words, also one within which a line ends.
pub(super) fn names_key_of(text: &[u8], words: &[&str]) -> bool {
    let is_key = |at: &usize| text[at + 2] | 0x20 == b'y' && text[*at..at + 3].eq_ignore_ascii_case(b"key");
    let names = |at: usize| {
        let before = match &text[..at] {
            [rest @ .., b'_' | b' ' | b'.' | b'-'] => rest,
            all => all,
        };
        // What is longer ends no word.
        let last = &before[before.len().saturating_sub(LONGEST_WORD)..];
        let from = last.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        let own = last[from..].to_ascii_lowercase();
        words.iter().any(|word| ends_with(before, word) || word.as_bytes().ends_with(&own))
    };
    (0..text.len().saturating_sub(2)).filter(is_key).any(names)
}

fn ends_with(before: &[u8], word: &str) -> bool {
    before.len().checked_sub(word.len()).is_some_and(|at| before[at..].eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the match begins the last word of a key; only short words could begin inside another word.
fn names_key(context: &MatchContext<'_>, short: &[&str]) -> bool {
    let matched = context.matched();
    let is_short = short.iter().any(|word| {
        matched.len() > word.len()
            && matched[..word.len()].eq_ignore_ascii_case(word.as_bytes())
            && !matched[word.len()].is_ascii_alphabetic()
    });
    let before = context.before();
    let camel = matched[0].is_ascii_uppercase() && before.is_ascii_lowercase();
    (!is_short || camel || !before.is_ascii_alphanumeric()) && !is_expanded(context)
}

/// Whether the key is the name of a variable that a shell expands, and what follows its fallback: `${PASSWORD:?missing}`.
fn is_expanded(context: &MatchContext<'_>) -> bool {
    let left = context.joined_left();
    let open = left.windows(2).rposition(|pair| pair == b"${");
    open.is_some_and(|open| left[open + 2..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
        && matches!(context.right(), [b'}', ..])
}
