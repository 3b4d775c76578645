//! Ways of writing that the other corpora do not have.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::super::chance::Chance;
use super::super::wrappers::{ENCODED, WORDS, Wrapper, every, json};

const fn wrapper(
    name: &'static str,
    classes: &'static [&'static str],
    wrap: fn(&str, &mut Chance) -> String,
) -> Wrapper {
    Wrapper { name, held: true, classes, wrap }
}

/// Writes each character by itself.
fn each(text: &str, mut write: impl FnMut(&mut String, char)) -> String {
    let mut written = String::new();
    text.chars().for_each(|letter| write(&mut written, letter));
    written
}

/// Begins each line with the same mark.
fn lines(text: &str, mark: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}

fn zlib(text: &str) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// Breaks a text into lines of equal length.
fn broken(text: &str, length: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(length).map(|line| line.iter().collect::<String>() + "\n").collect()
}

/// Letters of the mathematical alphabets, which read as plain ones.
fn bold(letter: char) -> char {
    let plain = |first: char, bold: u32| char::from_u32(u32::from(letter) - u32::from(first) + bold).unwrap_or(letter);
    match letter {
        'A'..='Z' => plain('A', 0x1d400),
        'a'..='z' => plain('a', 0x1d41a),
        _ => letter,
    }
}

#[rustfmt::skip]
pub(in super::super) const WRAPPERS: &[Wrapper] = &[
    wrapper("bare", &[], |text, _| text.to_owned()),
    wrapper("sentence", WORDS, |text, chance| format!("After {} the owner wrote down {text}, then closed the lane.", chance.word())),
    wrapper("question", WORDS, |text, _| format!("Is it {text}?")),
    wrapper("brackets", WORDS, |text, _| format!("noted [{text}] and went on")),
    wrapper("smart quotes", WORDS, |text, _| format!("they call it “{text}” here")),
    wrapper("chinese prose", WORDS, |text, _| format!("请检查 {text} 后再继续")),
    wrapper("arrow", WORDS, |text, _| format!("before → {text}")),
    wrapper("docker file", WORDS, |text, _| format!("FROM scratch\nENV NOTE={text}\n")),
    wrapper("toml", &[], |text, _| format!("[note]\nvalue = {}\nlast = 3\n", json(text))),
    wrapper("table row", WORDS, |text, chance| format!("{}\t{text}\t{}", chance.word(), chance.below(99))),
    wrapper("record of values", WORDS, |text, chance| format!("{},{},\"{text}\",open", chance.below(99), chance.word())),
    wrapper("html text", WORDS, |text, _| format!("<li><code>{text}</code></li>")),
    wrapper("svg text", WORDS, |text, _| format!("<text x=\"3\" y=\"9\">{text}</text>")),
    wrapper("code comment", &[], |text, _| lines(text, "// ")),
    wrapper("quoted mail", &[], |text, _| lines(text, "> ")),
    wrapper("added lines", &[], |text, _| lines(text, "+")),
    wrapper("fenced", &[], |text, _| format!("Notes\n\n```\n{text}\n```\n")),
    wrapper("front matter", WORDS, |text, _| format!("---\ntitle: plan\nnote: {}\n---\n\nBody.\n", json(text))),
    wrapper("folded scalar", WORDS, |text, _| format!("reason: >-\n  seen in\n  {text}\n  twice\n")),
    wrapper("second line of jsonl", &[], |text, _| format!("{{\"n\":1}}\n{{\"n\":2,\"note\":{}}}", json(text))),
    wrapper("three layers of json", ENCODED, |text, _| json(&json(&json(text)))),
    wrapper("python bytes", ENCODED, |text, _| format!("x = b'{}'", every(text, |written, byte| write!(written, "\\x{byte:02x}").expect("text")))),
    wrapper("upper hex", ENCODED, |text, _| every(text, |written, byte| write!(written, "{byte:02X}").expect("text"))),
    wrapper("hex with colons", ENCODED, |text, _| every(text, |written, byte| write!(written, "{byte:02x}:").expect("text")).trim_end_matches(':').to_owned()),
    wrapper("octal escapes", ENCODED, |text, _| every(text, |written, byte| write!(written, "\\{byte:03o}").expect("text"))),
    wrapper("percent twice", ENCODED, |text, _| every(text, |written, byte| write!(written, "%25{byte:02X}").expect("text"))),
    wrapper("hex entities", ENCODED, |text, _| each(text, |written, letter| write!(written, "&#x{:x};", u32::from(letter)).expect("text"))),
    wrapper("json escapes", ENCODED, |text, _| format!("{{\"note\":\"{}\"}}", text.encode_utf16().fold(String::new(), |mut written, unit| { write!(written, "\\u{unit:04X}").expect("text"); written }))),
    wrapper("quoted printable", ENCODED, |text, _| every(text, |written, byte| write!(written, "={byte:02X}").expect("text"))),
    wrapper("mail base64", ENCODED, |text, _| broken(&STANDARD.encode(format!("a note on the side: {text}")), 76)),
    wrapper("base64 in xml", ENCODED, |text, _| format!("<value enc=\"base64\">{}</value>", STANDARD.encode(text))),
    wrapper("base64 of json", ENCODED, |text, _| URL_SAFE.encode(format!("{{\"note\":{}}}", json(text)))),
    wrapper("zlib in base64", ENCODED, |text, _| STANDARD.encode(zlib(text))),
    wrapper("big-endian in base64", ENCODED, |text, _| STANDARD.encode(text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>())),
    wrapper("bold letters", WORDS, |text, _| text.chars().map(bold).collect()),
    wrapper("full width throughout", WORDS, |text, _| text.chars().map(|letter| if letter.is_ascii_graphic() { char::from_u32(u32::from(letter) + 0xfee0).expect("a full-width form") } else { letter }).collect()),
    wrapper("soft hyphens", WORDS, |text, _| each(text, |written, letter| { written.push(letter); written.push('\u{ad}'); })),
    wrapper("log field", WORDS, |text, _| format!("level=info lane=a note=\"{text}\" n=3")),
    wrapper("shell line", WORDS, |text, _| format!("export NOTE='{text}'")),
    wrapper("statement", WORDS, |text, _| format!("UPDATE notes SET body = '{text}' WHERE id = 3;")),
    wrapper("template string", WORDS, |text, _| format!("const note = `{text}`;")),
    wrapper("trailer", WORDS, |text, _| format!("docs: say why\n\nSeen-in: {text}\nReviewed-by: the owner")),
    wrapper("mark and windows lines", &[], |text, _| format!("\u{feff}a: 1\r\n{}\r\nb: 2\r\n", text.replace('\n', "\r\n"))),
    wrapper("continued line", &["secret"], |text, chance| if text.contains([' ', '\n']) { text.to_owned() } else { let at = 8 + chance.below(text.len().saturating_sub(12)); format!("run {}\\\n{}", &text[..at], &text[at..]) }),
    wrapper("concatenated", &["secret"], |text, chance| if text.contains([' ', '\n']) { text.to_owned() } else { let at = 8 + chance.below(text.len().saturating_sub(12)); format!("x = \"{}\" + \"{}\"", &text[..at], &text[at..]) }),
];
