//! The one type of text that may leave the program.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use super::wall::Wall;

/// Text that passed the wall; the only text that findings and outputs hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Text(Cow<'static, str>);

impl Text {
    /// The program's own words.
    #[must_use]
    pub const fn fixed(words: &'static str) -> Self {
        Self(Cow::Borrowed(words))
    }
}

impl Wall {
    /// Makes text fit to leave: every hit becomes its mask, and characters that steer a terminal or the direction of
    /// writing become `\u{…}`.
    #[must_use]
    pub fn text(&self, text: impl AsRef<str>) -> Text {
        Text(Cow::Owned(inert(&self.redact(text.as_ref()))))
    }

    /// Replaces every hit by its mask; nothing is found in the result.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        let mut redacted = String::with_capacity(text.len());
        let mut done = 0;
        for hit in self.scan_text(text) {
            if hit.span.start >= done {
                redacted.push_str(&text[done..hit.span.start]);
                redacted.push_str(hit.rule.class.mask());
            }
            done = done.max(hit.span.end);
        }
        redacted.push_str(&text[done..]);
        redacted
    }
}

/// Writes characters that have an effect instead of a shape as their code.
fn inert(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if steers(character) {
            write!(shown, "\\u{{{:x}}}", u32::from(character)).expect("writing to a string succeeds");
        } else {
            shown.push(character);
        }
    }
    shown
}

fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::Wall;

    #[test]
    fn a_hit_is_masked_and_steering_characters_lose_their_effect() {
        let path = ["/ho", "me/alice/x"].concat();
        let shown = Wall::shipped().text(format!("see {path} \u{1b}[31mred\u{202e}"));
        assert_eq!(shown.as_ref(), "see ‹hidden: local path› \\u{1b}[31mred\\u{202e}");
    }
}
