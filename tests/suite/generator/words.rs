//! Names and sentences that every generated directory draws from.

use super::Dice;

/// Who decides, with the class that the policy gives each of them.
pub(super) const PEOPLE: [(&str, &str); 5] =
    [("maya", "owner"), ("lena", "user"), ("ines", "operator"), ("ravi", "controller"), ("tomas", "user")];
const WORDS: [&str; 16] = [
    "compare", "ledger", "shadow", "reads", "before", "the", "window", "opens", "and", "report", "only", "its",
    "result", "label", "with", "evidence",
];

/// The first person of a class.
pub(super) fn person(class: &str) -> &'static str {
    PEOPLE.iter().find(|(_, of)| *of == class).map_or("maya", |(name, _)| name)
}

/// A sentence of about so many characters.
pub(super) fn sentence(dice: &mut Dice, length: usize) -> String {
    let mut text = String::new();
    while text.len() < length {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(dice.pick(&WORDS));
    }
    text
}
