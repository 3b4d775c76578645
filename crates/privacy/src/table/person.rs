//! What identifies or reaches a person.

use super::numeric_ids::{
    BLANKS, NO_LETTER, ends_street, is_account, is_american_phone, is_grouped_card, is_national_phone,
};
use crate::match_context::MatchContext;
use crate::shape::{self, DIGIT, LETTER, digits};

/// Whether digits behind a plus are a number to call.
pub(super) fn is_international_phone(context: &MatchContext<'_>) -> bool {
    is_phone(context) && !context.before().is_ascii_alphanumeric()
}

/// Whether digits are a whole number to call.
pub(super) fn is_american_number(context: &MatchContext<'_>) -> bool {
    !context.before().is_ascii_alphanumeric()
        && !matches!(context.before(), b'-' | b'.')
        && !context.behind().is_ascii_alphanumeric()
        && !matches!(context.behind(), b'-')
}

/// Whether digits are a number to call, and no date.
pub(super) fn is_national_number(context: &MatchContext<'_>) -> bool {
    !matches!(context.before(), b'-' | b'.' | b':' | b'/')
        && !context.left().trim_ascii_end().last().is_some_and(u8::is_ascii_digit)
        && !matches!(context.behind(), b'-' | b':')
        && context.matched().iter().filter(|byte| byte.is_ascii_digit()).count() >= 10
}

/// Whether the check digits of an account are right.
pub(super) fn is_bank_account(context: &MatchContext<'_>) -> bool {
    is_iban(context.matched())
}

/// Whether the check digit of a card is right.
pub(super) fn is_card_number(context: &MatchContext<'_>) -> bool {
    passes_luhn(context.matched())
}

/// Whether the check character of a citizen is right.
pub(super) fn is_citizen_number(context: &MatchContext<'_>) -> bool {
    passes_mod_11(context.matched())
}

/// The sign behind an area code.
pub(super) const AMERICAN_PHONE: shape::Shape =
    shape::Shape { at: [DIGIT, b").-", b"0123456789 "], stands: is_american_phone };

/// The zero before an area code.
pub(super) const NATIONAL_PHONE: shape::Shape =
    shape::Shape { at: [NO_LETTER, b"0", DIGIT], stands: is_national_phone };

/// The country of an account.
pub(super) const ACCOUNT: shape::Shape = shape::Shape { at: [LETTER, LETTER, DIGIT], stands: is_account };

/// The sign behind the first group of a card.
pub(super) const GROUPED_CARD: shape::Shape = shape::Shape { at: [DIGIT, b" -", DIGIT], stands: is_grouped_card };

/// The first digit of a card.
pub(super) const BARE_CARD: shape::Shape =
    shape::Shape { at: [NO_LETTER, b"3456", DIGIT], stands: |text, at| digits(text, at.wrapping_add(1)) >= 15 };

/// The comma behind a street.
pub(super) const STREET: shape::Shape =
    shape::Shape { at: [b",", BLANKS, b" \n\t\r\x0b\x0cabcdefghijklmnopqrstuvwxyz0123456789"], stands: ends_street };

/// The first digit of a citizen number.
pub(super) const CITIZEN: shape::Shape =
    shape::Shape { at: [NO_LETTER, b"123456789", DIGIT], stands: |text, at| digits(text, at.wrapping_add(1)) >= 17 };

/// Whether a mail address reaches a person: no reserved domain, no role, no login of a service.
pub(super) fn is_personal_mail(context: &MatchContext<'_>) -> bool {
    const ROLES: &[&str] = &[
        "git",
        "noreply",
        "no-reply",
        "donotreply",
        "security",
        "support",
        "info",
        "contact",
        "help",
        "hello",
        "sales",
        "press",
        "abuse",
        "postmaster",
        "webmaster",
        "hostmaster",
        "conduct",
        "legal",
        "privacy",
        "team",
        "opensource",
        "oss",
        "bot",
        "notifications",
        "coc",
        "report",
        "reports",
        "maintainers",
        "moderation",
    ];
    const LISTS: &[&str] = &["-announce", "-dev", "-devel", "-users", "-list", "-discuss"];
    const RESERVED: &[&str] = &["example", "invalid", "test", "localhost", "local", "internal"];
    const FILES: &[&str] = &[
        "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "json", "md", "rs", "py", "yml", "yaml", "toml",
        "sock", "service", "git",
    ];
    let address = String::from_utf8_lossy(context.matched()).to_ascii_lowercase();
    let address = address.trim_start_matches("mailto:").trim_end_matches(['.', '-']);
    let Some((name, domain)) = address.split_once('@') else { return false };
    let labels: Vec<&str> = domain.split('.').collect();
    let Some((&top, rest)) = labels.split_last() else { return false };
    let word = top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic() || byte >= 0x80);
    let example = rest.last() == Some(&"example") && matches!(top, "com" | "org" | "net" | "edu");
    let role = ROLES.contains(&name.trim_matches('\'')) || domain.contains("noreply") || name.ends_with("[bot]");
    let role = role || LISTS.iter().any(|list| name.ends_with(list));
    let login = matches!(context.before(), b'/' | b'@' | b':')
        && !context.left().ends_with(b"mailto:")
        && context.left().ends_with(b"://");
    word && !example && !RESERVED.contains(&top) && !FILES.contains(&top) && !role && !login && !rest.is_empty()
}

/// Whether digits behind a plus are a phone number: separated as people separate them, or all of them.
fn is_phone(context: &MatchContext<'_>) -> bool {
    let number = context.matched();
    let digits = number.iter().filter(|byte| byte.is_ascii_digit()).count();
    let separated = digits + 1 < number.len();
    let counted = number.windows(7).any(|part| part.windows(2).all(|pair| pair[1] == pair[0] + 1)) && digits < 11;
    (8..=15).contains(&digits) && !counted && (separated || digits >= 10) && !context.behind().is_ascii_alphanumeric()
}

/// Checks the two check digits of an account number.
fn is_iban(number: &[u8]) -> bool {
    let number: Vec<u8> = number.iter().copied().filter(|&byte| byte != b' ').collect();
    let turned = number[4..].iter().chain(&number[..4]);
    let remainder = turned.fold(0u32, |remainder, &byte| match byte {
        b'0'..=b'9' => (remainder * 10 + u32::from(byte - b'0')) % 97,
        _ => (remainder * 100 + u32::from(byte - b'A') + 10) % 97,
    });
    (15..=34).contains(&number.len()) && remainder == 1
}

/// Checks the last digit of a card number.
fn passes_luhn(number: &[u8]) -> bool {
    let digits = number.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
    let sum: u32 = digits
        .rev()
        .enumerate()
        .map(|(place, digit)| if place % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    sum > 0 && sum.is_multiple_of(10)
}

/// Whether digits without a word that says so are a payment card: no part of a number or name, and not called otherwise.
pub(super) fn is_bare_card(context: &MatchContext<'_>) -> bool {
    const OTHERS: &[&str] = &[
        "id",
        "ids",
        "serial",
        "build",
        "order",
        "run",
        "seed",
        "nonce",
        "row",
        "rows",
        "offset",
        "version",
        "ts",
        "time",
        "timestamp",
        "epoch",
        "job",
        "request",
        "trace",
        "span",
        "hash",
        "size",
        "bytes",
        "count",
        "sample",
        "number",
        "key",
        "node",
        "pid",
        "message",
    ];
    let glued = |byte: u8| matches!(byte, b'-' | b'_' | b'.' | b'/' | b'#' | b'$');
    !glued(context.before())
        && !matches!(context.right(), [b'-' | b'_' | b'/', ..])
        && !matches!(context.right(), [b'.', next, ..] if next.is_ascii_digit())
        && passes_luhn(context.matched())
        && !context.follows_word(OTHERS, 1)
        && !context.precedes_word(OTHERS, 1)
}

/// Checks the last character of a Chinese citizen number.
fn passes_mod_11(number: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let Some((last, digits)) = number.split_last() else { return false };
    let sum: u32 =
        digits.iter().zip(WEIGHTS).map(|(digit, weight)| u32::from(digit.saturating_sub(b'0')) * weight).sum();
    let expected = b"10X98765432"[usize::try_from(sum % 11).unwrap_or(0)];
    digits.len() == 17 && last.to_ascii_uppercase() == expected
}
