//! The one type of text that may leave the program.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use super::class::Class;
use super::decode::is_invisible;
use super::hit::Hit;
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
    /// writing become their code, as in `‹U+202E›`.
    #[must_use]
    pub fn text(&self, text: impl AsRef<str>) -> Text {
        let text = text.as_ref();
        let is_plain = || text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let is_inert = || is_plain() || !text.contains(|character| steers(character) || breaks(character));
        if self.is_clean(text) && is_inert() {
            return Text(Cow::Owned(text.to_owned()));
        }
        Text(Cow::Owned(one_line(&masked(text, &self.scan_text(text)))))
    }

    /// Makes a path fit to leave. `typed` is what the user typed and is shown as typed, less what no reviewed exception
    /// could excuse; `rest` is the part of the path behind it and is masked like any text.
    #[must_use]
    pub fn path(&self, typed: &str, rest: &str) -> Text {
        let mut hits = self.scan_text(typed);
        hits.retain(|hit| !hit.rule.class.can_be_excepted());
        Text(Cow::Owned(one_line(&masked(typed, &hits)) + self.text(rest).as_ref()))
    }

    /// Replaces every hit by its mask; nothing is found in the result.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        let mut redacted = text.to_owned();
        for _ in 0..ROUNDS {
            let hits = self.scan_text(&redacted);
            if hits.is_empty() {
                return redacted;
            }
            redacted = masked(&redacted, &hits);
        }
        // What masks uncover round after round is not worth keeping.
        Class::OpaqueBlob.mask().to_owned()
    }
}

/// How often a text is masked before it is given up: a mask may join what stood apart.
const ROUNDS: usize = 4;

/// Writes a mask over each hit; hits are in the order of the text. An invisible character is shown instead.
fn masked(text: &str, hits: &[Hit]) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for Hit { rule, span, .. } in hits {
        if span.start >= done {
            shown.push_str(&text[done..span.start]);
            match rule.class {
                Class::InvisibleCharacter => shown.push_str(&coded(&text[span.clone()], |_| true)),
                class => shown.push_str(class.mask()),
            }
        }
        done = done.max(span.end);
    }
    shown.push_str(&text[done..]);
    inert(&shown)
}

/// Writes characters that have an effect instead of a shape as their code.
fn inert(text: &str) -> String {
    coded(text, steers)
}

/// Writes what breaks a line as its code too.
fn one_line(text: &str) -> String {
    coded(text, breaks)
}

fn coded(text: &str, which: fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if which(character) {
            write!(shown, "‹U+{:04X}›", u32::from(character)).expect("writing to a string succeeds");
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Whether a character moves a cursor, turns or hides text. Joiners and variation selectors that scripts and emoji
/// need have no such effect.
fn steers(character: char) -> bool {
    let needed = matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    character.is_control() && !breaks(character) || is_invisible(character) && !needed
}

/// Whether a character breaks a line or jumps within it.
fn breaks(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}')
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
        let shown = Wall::shipped().text(format!("see {path} \u{7} left\u{202e}"));
        assert_eq!(shown.as_ref(), "see ‹hidden: local path› ‹U+0007› left‹U+202E›");
    }
}
