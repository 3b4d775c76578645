//! Numbers beside nouns and verbs: the one place that knows one from several.

/// A number with its noun: `1 receipt`, `2 receipts`, `3 pieces of work`.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    let (head, rest) = noun.find(" of ").map_or((noun, ""), |at| noun.split_at(at));
    format!("{number} {head}{}{rest}", agrees(number, "", "s"))
}

/// The form of a verb or a pronoun that goes with a number: that for one, or that for several and for none.
#[must_use]
pub const fn agrees<'a>(number: usize, one: &'a str, several: &'a str) -> &'a str {
    if number == 1 { one } else { several }
}

#[cfg(test)]
mod tests {
    use super::{agrees, counted};

    #[test]
    fn one_is_not_several() {
        let shown = |number| format!("{} {}", counted(number, "output"), agrees(number, "stays", "stay"));
        assert_eq!([0, 1, 2].map(shown), ["0 outputs stay", "1 output stays", "2 outputs stay"]);
        assert_eq!(counted(1, "closed piece of work"), "1 closed piece of work");
        assert_eq!(counted(2, "closed piece of work"), "2 closed pieces of work");
    }
}
