//! Ways in which material is written down, hidden or passed on. The second half is held out.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::chance::Chance;

/// One way of writing.
#[derive(Debug)]
pub(super) struct Wrapper {
    pub(super) name: &'static str,
    /// Whether it is kept out of development.
    pub(super) held: bool,
    /// The classes it is for; empty for all.
    pub(super) classes: &'static [&'static str],
    pub(super) wrap: fn(&str, &mut Chance) -> String,
}

const fn seen(name: &'static str, classes: &'static [&'static str], wrap: fn(&str, &mut Chance) -> String) -> Wrapper {
    Wrapper { name, held: false, classes, wrap }
}

const fn held(name: &'static str, classes: &'static [&'static str], wrap: fn(&str, &mut Chance) -> String) -> Wrapper {
    Wrapper { name, held: true, classes, wrap }
}

const PROSE: &[&str] = &[
    "continue the validated next action",
    "the owner reviewed the boundary",
    "waiting for evidence from the runner",
    "last run validated the smoke test",
];

/// The classes whose material is one word; only these survive being split or bent.
pub(super) const WORDS: &[&str] =
    &["secret", "local-path", "session-url", "private-network", "personal-data", "document-link", "ticket"];
const FOLDED: &[&str] = &["secret", "local-path"];
pub(super) const ENCODED: &[&str] = &[
    "secret",
    "local-path",
    "session-url",
    "transcript",
    "tool-output",
    "private-network",
    "personal-data",
    "document-link",
    "ticket",
];

pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

pub(super) fn json(text: &str) -> String {
    serde_json::to_string(text).expect("text is JSON")
}

pub(super) fn every(text: &str, mut write: impl FnMut(&mut String, u8)) -> String {
    let mut written = String::new();
    text.bytes().for_each(|byte| write(&mut written, byte));
    written
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// Splits a text at a character behind its first few.
fn split<'t>(text: &'t str, chance: &mut Chance) -> (&'t str, &'t str) {
    let places: Vec<usize> =
        text.char_indices().map(|(at, _)| at).filter(|at| *at >= 6 && *at + 4 <= text.len()).collect();
    text.split_at(places.get(chance.below(places.len())).copied().unwrap_or(0))
}

fn lookalike(text: &str) -> String {
    const PAIRS: &[(char, char)] = &[
        ('a', 'а'),
        ('e', 'е'),
        ('o', 'о'),
        ('p', 'р'),
        ('c', 'с'),
        ('x', 'х'),
        ('s', 'ѕ'),
        ('h', 'һ'),
        ('A', 'А'),
        ('K', 'К'),
        ('S', 'Ѕ'),
    ];
    match text
        .char_indices()
        .take(8)
        .find_map(|(at, letter)| Some((at, PAIRS.iter().find(|(plain, _)| *plain == letter)?.1)))
    {
        Some((at, bent)) => format!("{}{bent}{}", &text[..at], &text[at + 1..]),
        None => text.to_owned(),
    }
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[rustfmt::skip]
pub(super) const WRAPPERS: &[Wrapper] = &[
    seen("plain", &[], |text, _| text.to_owned()),
    seen("prose", WORDS, |text, chance| format!("{} {text} before retry", chance.pick(PROSE))),
    seen("markdown", WORDS, |text, _| format!("see `{text}` now")),
    seen("json", &[], |text, chance| format!("{{\"note\": {}, \"n\": {}}}", json(text), chance.below(9))),
    seen("json in json", &[], |text, _| json(&format!("{{\"a\": [{}]}}", json(text)))),
    seen("base64", ENCODED, |text, chance| base64(format!("{}{text}", "x".repeat(chance.below(3))).as_bytes())),
    seen("percent", ENCODED, |text, _| every(text, |written, byte| write!(written, "%{byte:02X}").expect("text"))),
    seen("zero width", WORDS, |text, chance| {
        let at = text.char_indices().nth(3 + chance.below(text.chars().count().saturating_sub(4))).map_or(0, |(at, _)| at);
        format!("{}\u{200b}{}", &text[..at], &text[at..])
    }),
    seen("lookalike", WORDS, |text, _| lookalike(text)),
    seen("comment", WORDS, |text, _| format!("ok: true # {}", text.replace('\n', "\\n"))),
    seen("url parameter", ENCODED, |text, _| {
        let escaped = every(text, |written, byte| if byte.is_ascii_alphanumeric() { written.push(byte as char) } else { write!(written, "%{byte:02x}").expect("text") });
        format!("https://example.org/r?d={escaped}")
    }),
    held("base64url in prose", ENCODED, |text, _| format!("ref {} follows", URL_SAFE_NO_PAD.encode(text))),
    held("hex", ENCODED, |text, _| every(text, |written, byte| write!(written, "{byte:02x}").expect("text"))),
    held("full width", WORDS, |text, _| text.chars().enumerate().map(|(at, letter)| if at < 4 && letter.is_ascii_graphic() { char::from_u32(u32::from(letter) + 0xfee0).expect("a full-width form") } else { letter }).collect()),
    held("fold", FOLDED, |text, chance| { let (first, rest) = split(text, chance); format!("{first}\n{rest}") }),
    held("indented fold", FOLDED, |text, chance| { let (first, rest) = split(text, chance); format!("summary: {first}\n  {rest}") }),
    held("yaml key", ENCODED, |text, _| format!("? {}\n: true", json(text))),
    held("literal block", &[], |text, _| format!("notes: |\n  {}\nnext: 1", text.replace('\n', "\n  "))),
    held("single quoted", WORDS, |text, _| format!("notes: '{}'", text.replace('\'', "''"))),
    held("flow mapping", WORDS, |text, _| format!("notes: {{a: 1, b: {}}}", json(text))),
    held("anchor", &["secret"], |text, _| if text.contains([' ', '\n']) { text.to_owned() } else { format!("a: &{text} x") }),
    held("file name", &["secret"], |text, _| if text.contains([' ', '\n', '/']) { text.to_owned() } else { format!("goals/x/{text}.yaml") }),
    held("commit message", &[], |text, _| format!("fix: close the gate\n\n{text}\n\nReviewed-by: the owner")),
    held("two items", &["secret"], |text, chance| { let (first, rest) = split(text, chance); format!("- {first}\n- {rest}") }),
    held("two keys", &["secret"], |text, chance| { let (first, rest) = split(text, chance); format!("part_1: {first}\npart_2: {rest}") }),
    held("two strings", &["secret"], |text, chance| { let (first, rest) = split(text, chance); format!("[{}, {}]", json(first), json(rest)) }),
    held("windows lines", &[], |text, _| format!("a\r\n{}\r\nb", text.replace('\n', "\r\n"))),
    held("gzip in base64", ENCODED, |text, _| base64(&gzip(text))),
    held("base64 twice", ENCODED, |text, _| base64(base64(text.as_bytes()).as_bytes())),
    held("wide in base64", ENCODED, |text, _| base64(&wide(text))),
    held("html", ENCODED, |text, _| text.chars().fold(String::new(), |mut written, letter| { if letter.is_ascii_alphanumeric() { written.push(letter) } else { write!(written, "&#{};", u32::from(letter)).expect("text") } written })),
    held("hex escapes", ENCODED, |text, _| text.chars().fold(String::new(), |mut written, letter| { if letter.is_ascii() && !letter.is_ascii_alphanumeric() { write!(written, "\\x{:02x}", u32::from(letter)).expect("text") } else { written.push(letter) } written })),
    held("unicode escapes", ENCODED, |text, _| text.encode_utf16().fold(String::new(), |mut written, unit| { write!(written, "\\u{unit:04x}").expect("text"); written })),
    held("html attribute", WORDS, |text, _| format!("<a title=\"{text}\">x</a>")),
    held("assignment", WORDS, |text, _| format!("X_NOTE={text}")),
    held("table cell", WORDS, |text, _| format!("| a | {text} | b |")),
    held("base85", ENCODED, |text, _| base85(text)),
    held("decimal list", ENCODED, |text, _| format!("[{}]", numbers(text, ", ", |byte| byte.to_string()))),
    held("character calls", ENCODED, |text, _| numbers(text, ".", |byte| format!("chr({byte})"))),
    held("binary digits", ENCODED, |text, _| numbers(text, " ", |byte| format!("{byte:08b}"))),
    held("octal digits", ENCODED, |text, _| numbers(text, " ", |byte| format!("{byte:03o}"))),
    held("hex words", ENCODED, |text, _| {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        digits.as_bytes().chunks(8).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
    }),
    held("escapes of style sheets", ENCODED, |text, _| text.chars().map(|letter| format!("\\{:06x}", u32::from(letter))).collect()),
    held("small base32", ENCODED, |text, _| base32(text)),
    held("deflated in base64", ENCODED, |text, _| {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).expect("memory");
        base64(&encoder.finish().expect("memory"))
    }),
    held("form", &["secret", "local-path", "document-link"], |text, _| {
        let sent: String = text.bytes().map(|byte| if byte == b' ' { "+".to_owned() } else if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect();
        format!("page=2&note={sent}")
    }),
    held("lone returns", ENCODED, |text, _| text.replace('\n', "\r")),
];

/// Writes each byte as a number.
fn numbers(text: &str, joint: &str, write: impl Fn(u8) -> String) -> String {
    text.bytes().map(write).collect::<Vec<_>>().join(joint)
}

/// RFC 1924: five letters for four bytes, the last group cut.
fn base85(text: &str) -> String {
    const LETTERS: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let group = |bytes: &[u8]| {
        let mut whole = [0; 4];
        whole[..bytes.len()].copy_from_slice(bytes);
        let number = u32::from_be_bytes(whole);
        let letter = |power: u32| char::from(LETTERS[(number / 85u32.pow(power) % 85) as usize]);
        [4, 3, 2, 1, 0].map(letter).iter().take(bytes.len() + 1).collect::<String>()
    };
    text.as_bytes().chunks(4).map(group).collect()
}

/// RFC 4648 in small letters, without padding.
fn base32(text: &str) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let group = |bytes: &[u8]| {
        let mut whole = [0; 8];
        whole[3..3 + bytes.len()].copy_from_slice(bytes);
        let number = u64::from_be_bytes(whole);
        let letters = (bytes.len() * 8).div_ceil(5);
        (0..letters).map(|at| char::from(LETTERS[(number >> (35 - 5 * at) & 31) as usize])).collect::<String>()
    };
    text.as_bytes().chunks(5).map(group).collect()
}
