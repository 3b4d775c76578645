//! Looks at what identifies a person by its figures: phones, accounts, cards, houses.

use crate::shape::{byte, count, digits, goes_on};

/// What a pattern calls a space.
pub(super) const BLANKS: &[u8] = b" \n\t\r\x0b\x0c";

/// What may stand before a number: anything but a letter or a digit.
pub(super) const NO_LETTER: &[u8] = b" \n_-.:/@~=\"'<>$[]#+*\\|%,(?&;";

/// Whether three digits end here, and a sign, three digits, a sign and four digits follow.
pub(super) fn is_american_phone(text: &[u8], at: usize) -> bool {
    let next = at + 2 + usize::from(byte(text, at + 2) == b' ');
    at >= 2
        && goes_on(text, at - 2, b"999")
        && goes_on(text, next, b"999")
        && matches!(byte(text, next + 3), b'.' | b'-')
        && goes_on(text, next + 4, b"9999")
}

/// Whether a zero begins ten digits in groups.
pub(super) fn is_national_phone(text: &[u8], at: usize) -> bool {
    let from = at.wrapping_add(1);
    let length = count(text, from, |byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'.' | b'-'));
    text[from..from + length].iter().filter(|byte| byte.is_ascii_digit()).count() >= 10
}

/// Whether two capitals, two digits and two groups of four stand here.
pub(super) fn is_account(text: &[u8], at: usize) -> bool {
    let is_of_group = |at: usize| byte(text, at).is_ascii_uppercase() || byte(text, at).is_ascii_digit();
    let is_group = |at: usize| (at..at + 4).all(is_of_group);
    let behind_space = |at: usize| at + usize::from(byte(text, at) == b' ');
    let first = behind_space(at + 4);
    text[at].is_ascii_uppercase()
        && byte(text, at + 1).is_ascii_uppercase()
        && digits(text, at + 2) >= 2
        && is_group(first)
        && is_group(behind_space(first + 4))
}

/// Whether four digits end here, and two more groups follow.
pub(super) fn is_grouped_card(text: &[u8], at: usize) -> bool {
    let length = digits(text, at + 2);
    at >= 3
        && goes_on(text, at - 3, b"9999")
        && (4..=6).contains(&length)
        && matches!(byte(text, at + 2 + length), b' ' | b'-')
        && digits(text, at + 3 + length) >= 4
}

/// Whether a comma may stand between a street and its town: the code of a town follows, or a capital, and then the
/// number of a house and a capital stand before.
pub(super) fn ends_street(text: &[u8], at: usize) -> bool {
    const LONGEST_STREET: usize = 160;
    let town = &text[at + 1 + count(text, at + 1, |byte| BLANKS.contains(&byte))..];
    let is_code = |town: &[u8]| {
        let length = count(town, 0, |byte| byte.is_ascii_digit() || byte == b'-');
        length >= 4 && byte(town, length) == b' '
    };
    let country = count(town, 0, |byte| byte.is_ascii_uppercase() || byte == b'-');
    let is_house = |part: &[u8]| {
        part[0].is_ascii_digit()
            && (part[1] == b' ' && part[2].is_ascii_uppercase() || part[1].is_ascii_alphabetic() && part[2] == b' ')
    };
    is_code(town)
        || is_code(&town[country..])
        || country > 0 && text[at.saturating_sub(LONGEST_STREET)..at].windows(3).any(is_house)
}
