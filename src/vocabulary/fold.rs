//! When two names are one name on some system.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Folds case and Unicode forms away: two names with one folded form are the same file on some system.
#[must_use]
pub fn folded(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(name.to_ascii_lowercase()),
            false => Cow::Borrowed(name),
        };
    }
    // Upper case first: it writes out what lower case leaves alone, such as `ß` and `ﬁ`.
    let compatible: String = name.nfkc().collect();
    Cow::Owned(compatible.to_uppercase().to_lowercase().nfkc().collect())
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn one_name_in_many_spellings() {
        for (left, right) in [
            ("Alpha", "alpha"),
            ("STRASSE", "straße"),
            ("Ａlpha", "alpha"),
            ("pru\u{308}fung", "prüfung"),
            ("ﬁx", "FIX"),
            ("Σας", "σασ"),
        ] {
            assert_eq!(folded(left), folded(right), "{left} {right}");
        }
        assert_ne!(folded("alpha"), folded("alpha-"));
    }
}
