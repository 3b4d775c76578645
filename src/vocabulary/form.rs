//! The patterns of text fields as code: a quick yes for the texts that everybody writes.

use crate::document::fits;

use super::identity::{GIT_IDENTITY_PATTERN, is_noreply};
use super::text::{
    DIGEST_PATTERN, DURATION_PATTERN, GLOB_PATTERN, ID_PATTERN, INSTANT_PATTERN, ONE_LINE, PARAGRAPH_PATTERN,
    RESUME_PATTERN,
};

/// Whether a text is certainly like a pattern.
type IsLike = fn(&str) -> bool;

/// Each pattern with what is certainly like it. A text that is, and is not said to be, costs only time; a test holds
/// the other way round against the schemas' own judge.
const FORMS: &[(&str, IsLike)] = &[
    (ID_PATTERN, is_id),
    (ONE_LINE, is_line),
    (PARAGRAPH_PATTERN, has_letters),
    (INSTANT_PATTERN, is_instant),
    (DURATION_PATTERN, is_duration),
    (GLOB_PATTERN, is_glob),
    (DIGEST_PATTERN, is_digest),
    (RESUME_PATTERN, is_resume),
    (GIT_IDENTITY_PATTERN, is_noreply),
];

/// Whether a text certainly matches a pattern; false only means that the pattern itself has to be asked.
#[must_use]
pub fn certainly_matches(pattern: &str, text: &str) -> bool {
    match words(pattern) {
        Some(mut words) => words.any(|word| word == text),
        None => FORMS.iter().any(|(known, is_like)| *known == pattern && is_like(text)),
    }
}

/// The words of a pattern that is nothing but words, `^none$` or `^(?:error|off)$`.
fn words(pattern: &str) -> Option<impl Iterator<Item = &str>> {
    let list = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let list = list.strip_prefix("(?:").and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    list.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'|').then(|| list.split('|'))
}

fn is_id(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    text.bytes().all(is_inner) && text.starts_with(|first: char| first.is_ascii_alphanumeric()) && !text.ends_with('.')
}

fn is_line(text: &str) -> bool {
    has_letters(text) && !text.bytes().any(|byte| matches!(byte, b'\r' | b'\n'))
}

/// Not blank, whatever counts as a space.
fn has_letters(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_graphic())
}

/// `2026-01-31T09:00:00Z`, or with an offset; fractions of a second are rare.
fn is_instant(text: &str) -> bool {
    text.split_at_checked("0000-00-00T00:00:00".len()).is_some_and(|(moment, offset)| {
        let is_offset = offset == "Z" || fits(offset, "+00:00") || fits(offset, "-00:00");
        is_offset && fits(moment, "0000-00-00T00:00:00")
    })
}

fn is_duration(text: &str) -> bool {
    let digits = text.trim_end_matches(['s', 'm', 'h', 'd']);
    let is_number = matches!(digits.len(), 1..=9) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number && text.len() == digits.len() + 1 && digits.bytes().any(|byte| byte != b'0')
}

fn is_glob(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A todo or a capacity that is waited for; pull requests are rarer.
fn is_resume(text: &str) -> bool {
    ["todo_done:", "capacity_available:"].iter().any(|form| text.strip_prefix(form).is_some_and(is_id))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::FORMS;

    proptest! {
        /// A quick yes that a pattern denies would let lint accept what the schema refuses.
        #[test]
        fn what_is_certainly_like_a_pattern_matches_it(
            text in r"[0-9]{0,3}[smhd]?|[0-9TZz:+.-]{0,26}|[a-zA-Z0-9._/*#:\\ \n-]{0,14}|(todo_done|capacity_available|pr_merged):[a-z0-9.#/-]{0,6}|[0-9]{0,9}\+?[a-z-]{0,9}@users\.noreply\.[a-z.]{0,12}"
        ) {
            for (pattern, is_like) in FORMS {
                let matches = Regex::new(pattern).expect("a pattern").is_match(&text);
                prop_assert!(matches || !is_like(&text), "{pattern}: {text:?}");
            }
        }
    }
}
