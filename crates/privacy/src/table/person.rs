//! What identifies or reaches a person.

use super::numeric_ids::{
    BLANKS, NO_LETTER, ends_street, is_account, is_american_phone, is_grouped_card, is_national_phone,
};
use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::Piece::Lit;
use crate::row::Trigger::{Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, DIGIT, LETTER, digits};

/// A row of one pattern.
macro_rules! person {
    ($id:literal, $what:literal, $source:literal, $trigger:expr, $pattern:expr, $check:expr, $refused:expr, $clean:expr) => {
        Row {
            id: $id,
            class: Class::PersonalData,
            what: $what,
            source: $source,
            find: Find::Pattern { trigger: $trigger, pattern: $pattern, check: $check },
            refused: $refused,
            clean: $clean,
        }
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    person!("mail-address", "a mail address", "RFC 5322",
        Words(&["@"]), r"(?:mailto:)?[A-Za-z0-9._%+'\x80-\xff-]{1,64}@[A-Za-z0-9\x80-\xff-]{1,63}(?:\.[A-Za-z0-9\x80-\xff-]{1,63}){1,6}",
        is_personal_mail,
        &[&[Lit("alice.li@gm"), Lit("ail.com")], &[Lit("123456789@q"), Lit("q.com")]],
        &[&[Lit("alice@example.org")], &[Lit("12345+alice@users.noreply.github.com")], &[Lit("git@github.com:org/repo.git")], &[Lit("@alice reviewed")],
            &[Lit("security@rust-lang.org")], &[Lit("actions/checkout@v4.1.2")], &[Lit("image@2x.png")]]),
    person!("spelt-mail-address", "a mail address with its signs spelt out", "common habit",
        Words(&["[at]", "(at)", "{at}", "<at>", " at ]", " at )", " dot "]), r"(?i)[a-z0-9._%+-]{2,64} {0,2}[\[({<] ?at ?[\])}>] {0,2}[a-z0-9-]{2,63} {0,2}(?:[\[({<] ?dot ?[\])}>]|\.) {0,2}[a-z]{2,24}|(?-i:\b[a-z0-9._+-]{2,64} (?:AT|at) [a-z0-9-]{2,63} (?:DOT|dot) (?:com|org|net|de|io|dev|edu|uk|cn|fr|jp)\b)",
        |_| true,
        &[&[Lit("alice [at] gm"), Lit("ail [dot] com")]],
        &[&[Lit("meet (at) noon")]]),
    person!("international-phone", "a phone number with its country code", "E.164",
        Words(&["+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"]), r"\+[1-9][0-9]{0,2}(?:[ .()/-]{0,2}[0-9]){6,13}",
        |context| is_phone(context) && !context.before().is_ascii_alphanumeric(),
        &[&[Lit("+44 200 3"), Lit("00 4000")], &[Lit("call +1 (415) 5"), Lit("55-2671")], &[Lit("+8613812"), Lit("345678")]],
        &[&[Lit("at 10:00+02:00")], &[Lit("1e+10000000")], &[Lit("+20260101")], &[Lit("+1 for this")], &[Lit("+44 1234567")]]),
    person!("american-phone", "a phone number in American form", "NANP",
        Shape(shape::Shape { at: [DIGIT, b").-", b"0123456789 "], stands: is_american_phone }), r"\([2-9][0-9]{2}\) ?[2-9][0-9]{2}[-. ][0-9]{4}|\b[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}\b|\b[2-9][0-9]{2}\.[2-9][0-9]{2}\.[0-9]{4}\b",
        |context| !context.before().is_ascii_alphanumeric() && !matches!(context.before(), b'-' | b'.') && !context.behind().is_ascii_alphanumeric() && !matches!(context.behind(), b'-'),
        &[&[Lit("(415) 5"), Lit("55-2671")], &[Lit("415-5"), Lit("55-2671")]],
        &[&[Lit("3f2b-415-555-2671-9")], &[Lit("ids 100-200-3000")]]),
    person!("national-phone", "a phone number in the form of its country", "numbering plans",
        Shape(shape::Shape { at: [NO_LETTER, b"0", DIGIT], stands: is_national_phone }),
        r"\b0[1-9](?:[ .][0-9]{2}){4}\b|\b0[0-9]{1,4}-[0-9]{2,4}-[0-9]{4}\b|\b07[0-9]{3} [0-9]{6}\b|\b00[1-9][0-9]{0,2}(?:[ -][0-9]{2,12}){2,4}\b",
        |context| !matches!(context.before(), b'-' | b'.' | b':' | b'/') && !context.left().trim_ascii_end().last().is_some_and(u8::is_ascii_digit) && !matches!(context.behind(), b'-' | b':') && context.matched().iter().filter(|byte| byte.is_ascii_digit()).count() >= 10,
        &[&[Lit("06 12 34 "), Lit("56 78")], &[Lit("090-1234-"), Lit("5678")], &[Lit("07700 9"), Lit("00123")]],
        &[&[Lit("00-01-2026")], &[Lit("2026-01-02-1234")], &[Lit("06 12 34")]]),
    person!("birth-date", "a date with a word that says somebody was born on it", "forms",
        Words(&["birth", "dob", "born", "geboren", "geburt", "出生", "生日", "生年月日"]),
        r"(?i)(?:\b(?:date of birth|birth ?date|birthday|dob|born(?: on)?|geburtsdatum|geboren(?: am)?)\b|\xe5\x87\xba\xe7\x94\x9f|\xe7\x94\x9f\xe6\x97\xa5|\xe7\x94\x9f\xe5\xb9\xb4\xe6\x9c\x88\xe6\x97\xa5)[^0-9\n]{0,12}(?:(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:19|20)?[0-9]{2})\b",
        |_| true,
        &[&[Lit("date of bir"), Lit("th: 1980-01-02")], &[Lit("DOB 02/0"), Lit("3/1981")], &[Lit("geboren am 02.0"), Lit("3.1981")]],
        &[&[Lit("the project was born in 2026")]]),
    person!("travel-document", "the number of a passport or identity card with its name", "forms",
        Words(&["passport", "identity card", "id card", "driver's licen", "driving licen", "身份证", "护照"]),
        r"(?i)(?:\b(?:passport|identity card|id card|driver's licen[cs]e|driving licen[cs]e)(?: (?:no|nr|number|#))?\b|\xe8\xba\xab\xe4\xbb\xbd\xe8\xaf\x81|\xe6\x8a\xa4\xe7\x85\xa7)[^A-Za-z0-9\n]{0,8}([A-Z]{0,3}[0-9]{6,18}[A-Z0-9]{0,4})\b",
        |_| true,
        &[&[Lit("passport no. C0"), Lit("1234567")]],
        &[&[Lit("passport check deferred")]]),
    person!("named-phone", "a number with a word that says it is a phone", "address books",
        Words(&["tel:", "tel.", "tel ", "phone", "mobile", "cell:", "cell ", "fax", "whatsapp", "signal", "wechat", "电话", "手机", "联系", "電話", "携帯"]),
        r"(?i)(?:\b(?:tel|phone|telephone|mobile|cell|fax|whatsapp|signal|wechat)(?: (?:number|no))?|\xe7\x94\xb5\xe8\xaf\x9d|\xe6\x89\x8b\xe6\x9c\xba|\xe8\x81\x94\xe7\xb3\xbb|\xe9\x9b\xbb\xe8\xa9\xb1|\xe6\x90\xba\xe5\xb8\xaf)[^0-9\n]{0,12}([0-9(](?:[ ()./-]{0,2}[0-9]){6,14})|\b((?:1[3-9][0-9]|0[0-9]{2,3}-?)[ -]?[0-9]{4}[ -]?[0-9]{3,4})[^0-9\n]{0,6}(?:\xe7\x94\xb5\xe8\xaf\x9d|\xe6\x89\x8b\xe6\x9c\xba|\xe8\x81\x94\xe7\xb3\xbb|\xe9\x9b\xbb\xe8\xa9\xb1|(?i:tel|phone|mobile))",
        |_| true,
        &[&[Lit("1381234"), Lit("5678 电话")], &[Lit("tel: 030 123"), Lit("4567")], &[Lit("手机：1381234"), Lit("5678")]],
        &[&[Lit("phone check deferred")], &[Lit("observed: 1750000000")], &[Lit("cell 12 of the table")]]),
    person!("bank-account", "a bank account number", "ISO 13616, check digits verified",
        Shape(shape::Shape { at: [LETTER, LETTER, DIGIT], stands: is_account }), r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b",
        |context| is_iban(context.matched()),
        &[&[Lit("DE89 3704 0044 "), Lit("0532 0130 00")]],
        &[&[Lit("DE88 3704 0044 0532 0130 00")], &[Lit("AB12CD34EF56GH78")]]),
    person!("payment-card", "a payment card number in its groups", "ISO/IEC 7812, check digit verified",
        Shape(shape::Shape { at: [DIGIT, b" -", DIGIT], stands: is_grouped_card }), r"\b[3-6][0-9]{3}[ -][0-9]{4}[ -][0-9]{4}[ -][0-9]{4}\b|\b3[47][0-9]{2}[ -][0-9]{6}[ -][0-9]{5}\b",
        |context| passes_luhn(context.matched()),
        &[&[Lit("4111 1111 "), Lit("1111 1111")]],
        &[&[Lit("4111 1111 1111 1112")]]),
    person!("named-card", "a number with a word that says it is a payment card", "ISO/IEC 7812, check digit verified",
        Words(&["card", "visa", "amex"]), r"(?i)(?:card|visa|mastercard|amex)[^0-9\n]{0,20}[3-6][0-9]{12,18}\b",
        |context| passes_luhn(context.matched()),
        &[&[Lit("card 3056930"), Lit("9025904")]],
        &[&[Lit("card 4111111111111112")], &[Lit("serial 4111111111111111")]]),
    person!("bare-card", "the number of a payment card without its groups", "ISO/IEC 7812, ranges of the issuers, check digit verified",
        Shape(shape::Shape { at: [NO_LETTER, b"3456", DIGIT], stands: |text, at| digits(text, at.wrapping_add(1)) >= 15 }), r"\b(?:4[0-9]{15}|5[1-5][0-9]{14}|3[47][0-9]{13}|6(?:011|5[0-9]{2})[0-9]{12})\b",
        is_bare_card,
        &[&[Lit("paid with 4539148"), Lit("803436467")]],
        &[&[Lit("paid with 4539148803436468")], &[Lit("order 4539148803436467")], &[Lit("0.4539148803436467")], &[Lit("a-4539148803436467")]]),
    person!("postal-address", "the address of a house", "forms of the posts",
        Shape(shape::Shape { at: [b",", BLANKS, b" \n\t\r\x0b\x0cabcdefghijklmnopqrstuvwxyz0123456789"], stands: ends_street }),
        r"\b[0-9]{1,6}[A-Za-z]? (?:[NSEW]\.? )?(?:[A-Z][A-Za-z'.-]{1,30} ){1,3}(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Lane|Ln\.?|Drive|Dr\.?|Boulevard|Blvd\.?|Court|Ct\.?|Way|Place|Square|Terrace|Close|Crescent|Highway)(?:,? (?:Apt|Suite|Unit|Flat|#)\.? ?[A-Za-z0-9-]{1,8})?,\s{1,3}[A-Z][A-Za-z.\x80-\xff' -]{1,40}(?:,\s{1,3}[A-Z]{2})?,? \b(?:[0-9]{4,5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2})\b|\b[A-Z\x80-\xff][a-z\x80-\xff-]{2,40}(?:stra(?:ss|\xc3\x9f)e|str\.|weg|platz|allee|gasse|laan|straat|gatan|[ -][Ss]tra(?:ss|\xc3\x9f)e) [0-9]{1,4} ?[a-z]?,\s{1,3}(?:[A-Z]{1,2}-)?[0-9]{4,5}(?: [A-Z]{2})? [A-Z\x80-\xff][A-Za-z\x80-\xff-]{2,40}|\b[0-9]{1,4}(?: (?:bis|ter))?,? (?:rue|avenue|boulevard|place|all\xc3\xa9e|chemin|quai|impasse|cours) [^\n,]{3,60},\s{1,3}[0-9]{5} [A-Z\x80-\xff][A-Za-z\x80-\xff' -]{2,40}|\b(?:[Vv]ia|[Cc]alle|[Aa]venida|[Rr]ua|ul\.) [A-Z\x80-\xff][^\n,]{2,50},? [0-9]{1,4},\s{1,3}[0-9]{2}-?[0-9]{3} [A-Z\x80-\xff][A-Za-z\x80-\xff' -]{2,40}",
        |_| true,
        &[&[Lit("12 Sample Stre"), Lit("et, Springfield, IL 62704")], &[Lit("Lindenstra"), Lit("ße 7, 10969 Berlin")], &[Lit("7 rue de la Pa"), Lit("ix, 75002 Paris")], &[Lit("4 Baker Ro"), Lit("ad, London SW1A 2AA")]],
        &[&[Lit("12 main branches, 3 road maps")], &[Lit("7 Sesame Street episodes, 62704 views")]]),
    person!("place-of-person", "the place where somebody is, to a few metres", "ISO 6709",
        Words(&["home at", "lives at", "lives in", "located", "latitude", "gps", "coordinates", "lat,", "latlng", "lat/lon", "my location", "location:"]),
        r"(?i)(?:home|lives|located|gps|coordinates?|lat(?:itude)?|latlng|location)[^0-9\n]{0,24}-?[0-9]{1,2}\.[0-9]{4,10}[^0-9\n-]{1,16}-?[0-9]{1,3}\.[0-9]{4,10}\b",
        |_| true,
        &[&[Lit("home at 52.52"), Lit("0008, 13.404954")], &[Lit("latitude 52.52"), Lit("0008, longitude 13.404954")]],
        &[&[Lit("the location: 3.1, 4.2")]]),
    person!("record-number", "the number of a patient or a tax payer with its name", "forms",
        Words(&["mrn", "medical record", "patient id", "tax id", "national insurance", "steuer-id", "nhs n", "social insurance"]),
        r"(?i)\b(?:mrn|medical record(?: number| no)?|patient id|tax id|national insurance(?: number| no)?|steuer-id|nhs (?:number|no)|social insurance(?: number)?)[^A-Za-z0-9\n]{0,8}(?:[A-Z]{2} ?)?[0-9](?:[ -]?[0-9]){5,11}\b",
        |_| true,
        &[&[Lit("MRN 8123"), Lit("4567")]],
        &[&[Lit("the tax id is required")]]),
    person!("social-security-number", "a social security number with its name", "form of the agency",
        Words(&["ssn", "social security"]), r"(?i)(?:ssn|social security)[^0-9\n]{0,20}[0-9]{3}-[0-9]{2}-[0-9]{4}\b",
        |_| true,
        &[&[Lit("SSN: 078-05-"), Lit("1120")]],
        &[&[Lit("ids 078-05-1120")]]),
    person!("citizen-number", "a Chinese citizen number", "GB 11643, check digit verified",
        Shape(shape::Shape { at: [NO_LETTER, b"123456789", DIGIT], stands: |text, at| digits(text, at.wrapping_add(1)) >= 17 }), r"\b[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx]\b",
        |context| passes_mod_11(context.matched()),
        &[&[Lit("11010519491231"), Lit("002X")]],
        &[&[Lit("110105194912310021")]]),
];

/// Whether a mail address reaches a person: no reserved domain, no role, no login of a service.
fn is_personal_mail(context: &MatchContext<'_>) -> bool {
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
fn is_bare_card(context: &MatchContext<'_>) -> bool {
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
