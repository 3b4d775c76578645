//! The forms in which vendors' keys really stand: a token is a placeholder, and every run draws its own values.

use serde::Deserialize;

use super::chance::Chance;

/// One form of one vendor's key.
#[derive(Debug, Deserialize)]
pub(super) struct Form {
    /// The rule that knows it.
    pub(super) rule: String,
    /// What it holds.
    pub(super) kind: Kind,
    /// The text, with a placeholder such as `<a-f0-9:32>` or `<uuid>` for each long token.
    pub(super) form: String,
}

/// What a form holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// A secret: it must be found.
    Secret,
    /// Nothing that is refused: it must pass.
    Clean,
    /// The public half of a pair of keys: either is right.
    Identifier,
}

/// The forms of the fixture.
pub(super) fn forms() -> Vec<Form> {
    serde_json::from_str(include_str!("../fixtures/vendor_forms.json")).expect("a list of forms")
}

impl Form {
    /// The text with values drawn for its placeholders.
    pub(super) fn drawn(&self, seed: &str) -> String {
        let mut chance = Chance::of(&[seed, &self.rule, &self.form]);
        let mut text = String::new();
        let mut rest = &*self.form;
        while let Some((before, behind)) = rest.split_once('<') {
            text.push_str(before);
            let inner = behind.split('>').next().unwrap_or_default();
            match value(inner, &mut chance) {
                Some(value) => {
                    text.push_str(&value);
                    rest = &behind[inner.len() + 1..];
                }
                None => {
                    text.push('<');
                    rest = behind;
                }
            }
        }
        text + rest
    }
}

/// A value of a placeholder; nothing when it is none.
fn value(placeholder: &str, chance: &mut Chance) -> Option<String> {
    const HEX: &str = "0123456789abcdef";
    if placeholder == "uuid" {
        let lengths = [8, 4, 4, 4, 12];
        return Some(lengths.map(|length| chance.run(HEX, length)).join("-"));
    }
    let (ranges, length) = placeholder.rsplit_once(':')?;
    let length: usize = length.parse().ok()?;
    Some(chance.run(&alphabet(ranges), length))
}

/// The members of ranges as a bracket expression writes them.
fn alphabet(ranges: &str) -> String {
    let characters: Vec<char> = ranges.chars().collect();
    let mut members = String::new();
    let mut at = 0;
    while at < characters.len() {
        match characters[at..] {
            [first, '-', last, ..] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() => {
                members.extend(first..=last);
                at += 3;
            }
            [character, ..] => {
                members.push(character);
                at += 1;
            }
            [] => break,
        }
    }
    members
}
