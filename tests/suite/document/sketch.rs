//! Random trees and random ways to write them, for the laws.

use proptest::prelude::*;
use serde_json::{Map, Value};

/// Texts that some reader or writer of YAML once got wrong.
pub(super) const NASTY: &[&str] = &[
    "",
    " ",
    " a",
    "a ",
    "a  b",
    "yes",
    "no",
    "on",
    "off",
    "NO",
    "y",
    "1:30",
    "12:30:45",
    "1_000",
    "=",
    "<<",
    "2026-01-01",
    "2026-01-01T09:30:00Z",
    "~",
    "null",
    "true",
    "False",
    "012",
    "0o17",
    "0x1f",
    "0b1",
    "1e9",
    "1.",
    ".5",
    ".inf",
    "-.INF",
    ".nan",
    "4225332178759948004347560002921719079454",
    "a: b",
    "a:",
    ":a",
    "a #b",
    "#a",
    "a#b",
    "- a",
    "-",
    "-a",
    "--",
    "?",
    "? a",
    ":",
    ": ",
    "[a]",
    "[",
    "]",
    "{a}",
    "}",
    ",",
    "a,b",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "|-",
    "%a",
    "@a",
    "`a",
    "'",
    "\"",
    "'a'",
    "\"a\"",
    "\\",
    "a\\nb",
    "it's",
    "a\nb",
    "\n",
    "a\n",
    "\na",
    "a\n\n",
    " a\n b\n",
    "\t",
    "\ta",
    "a\tb",
    "\r",
    "a\r\nb",
    "\u{85}",
    "a\u{2028}b",
    "\u{feff}a",
    "\0",
    "\u{1b}[31m",
    "\u{7f}",
    "é",
    "漢字",
    "🦀",
    "---",
    "...",
    "--- a",
    "\u{fffe}",
    "\u{a0}",
    "a word of more than eighty characters, so that a writer that folds lines would fold this one",
];

pub(super) fn texts() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        6 => proptest::char::range('a', 'e'),
        3 => proptest::sample::select(&[' ', ':', '#', '-', ',', '\'', '"', '0', '1', '.', '_', '[', '}', '?', '\n', '\t'][..]),
        1 => any::<char>(),
    ];
    prop_oneof![
        proptest::sample::select(NASTY).prop_map(String::from),
        proptest::collection::vec(character, 0..12).prop_map(|characters| characters.into_iter().collect()),
    ]
}

/// A record's tree: a mapping of texts, numbers and collections.
pub(super) fn records() -> impl Strategy<Value = Value> {
    trees(texts().boxed())
}

/// A record's tree of texts that need no escape.
pub(super) fn everyday_records() -> impl Strategy<Value = Value> {
    trees("[a-zé0-9][a-zé0-9 '#:,?_-]{0,20}".boxed())
}

fn trees(texts: BoxedStrategy<String>) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => texts.clone().prop_map(Value::String),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => (-1e9..1e9_f64).prop_map(Value::from),
    ];
    let keys = texts.clone();
    let tree = leaf.prop_recursive(4, 40, 6, move |inner| {
        let items = proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from);
        prop_oneof![items, mappings(keys.clone(), inner, 0..5)]
    });
    mappings(texts, tree, 1..7)
}

fn mappings(
    keys: BoxedStrategy<String>,
    values: impl Strategy<Value = Value>,
    size: std::ops::Range<usize>,
) -> impl Strategy<Value = Value> {
    let entries = proptest::collection::btree_map(keys, values, size);
    entries.prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>()))
}

/// A small change of a text, most often to something else that means something.
#[derive(Debug, Clone)]
pub(super) struct Damage {
    at: proptest::sample::Index,
    removed: usize,
    inserted: &'static str,
}

const INSERTED: &[&str] = &[
    "", "", " ", "  ", "\n", "\n\n", "\n ", "\r", "\t", ":", ": ", " :", "-", "- ", "\n- ", ",", ", ", "[", "]", "{",
    "}", "[]", "{}", "#", " #", " # c", "\n# c\n", "'", "\"", "''", "\\", "|", " |\n", ">", "&a ", "*a", "!t ", "?",
    "? ", "%", "@", "`", "~", "<<", "<<: ", "=", "...", "\n...\n", "---", "\n---\n", "--- ", "a", "a: b", "\na: b\n",
    "\u{feff}", "\u{85}", "\0", "é", "\u{a0}",
];

pub(super) fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let one = (any::<proptest::sample::Index>(), 0..3_usize, proptest::sample::select(INSERTED));
    proptest::collection::vec(one.prop_map(|(at, removed, inserted)| Damage { at, removed, inserted }), 0..4)
}

impl Damage {
    pub(super) fn of(&self, text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let at = self.at.index(characters.len() + 1);
        let rest = characters.iter().skip(at + self.removed);
        characters[..at].iter().copied().chain(self.inserted.chars()).chain(rest.copied()).collect()
    }
}

/// The choices of a writer; each pick is a function of the seed alone, so a failing case can shrink.
struct Pen {
    seed: u64,
    text: String,
    newline: &'static str,
    /// Whether every value stays on one line.
    everyday: bool,
}

/// Writes a tree in one of the many ways that YAML has.
pub(super) fn draw(value: &Value, seed: u64) -> String {
    draw_with(Pen { seed, text: String::new(), newline: "\n", everyday: false }, value)
}

/// Writes a tree as people write most documents.
pub(super) fn draw_everyday(value: &Value, seed: u64) -> String {
    draw_with(Pen { seed, text: String::new(), newline: "\n", everyday: true }, value)
}

fn draw_with(mut pen: Pen, value: &Value) -> String {
    if pen.pick(4) == 0 {
        pen.newline = "\r\n";
    }
    if pen.pick(8) == 0 {
        pen.text.push_str("---");
        pen.end_line();
    }
    pen.comment_lines(0);
    match value {
        Value::Object(entries) if !entries.is_empty() => pen.mapping(entries, 0, true),
        _ => pen.flow(value, 1, false),
    }
    if pen.pick(6) == 0 {
        let content = pen.text.trim_end().len();
        // Only blank lines may go: they can belong to a block scalar.
        if !pen.text.contains(['|', '>']) {
            pen.text.truncate(content);
        }
    }
    pen.text
}

impl Pen {
    fn pick(&mut self, choices: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).expect("31 bits") % choices
    }

    fn end_line(&mut self) {
        match self.pick(8) {
            0 => self.text.push_str(" # why: 'not' [a] problem"),
            1 => self.text.push(' '),
            _ => {}
        }
        self.text.push_str(self.newline);
    }

    fn comment_lines(&mut self, indent: usize) {
        while self.pick(8) == 0 {
            if self.pick(2) == 0 {
                self.text.push_str(&" ".repeat(indent));
                self.text.push_str("# about: \"this\"");
            }
            self.text.push_str(self.newline);
        }
    }

    fn mapping(&mut self, entries: &Map<String, Value>, indent: usize, mut at_start: bool) {
        for (key, value) in entries {
            if !at_start {
                self.comment_lines(indent);
                self.text.push_str(&" ".repeat(indent));
            }
            at_start = false;
            let key = self.scalar_text(key, true);
            self.text.push_str(&key);
            if self.pick(12) == 0 {
                self.text.push(' ');
            }
            self.text.push(':');
            self.value(value, indent, true);
        }
    }

    fn sequence(&mut self, items: &[Value], indent: usize, mut at_start: bool) {
        for item in items {
            if !at_start {
                self.comment_lines(indent);
                self.text.push_str(&" ".repeat(indent));
            }
            at_start = false;
            self.text.push('-');
            self.value(item, indent, false);
        }
    }

    /// Writes what stands behind a colon or a dash, up to the end of its line.
    fn value(&mut self, value: &Value, indent: usize, is_entry: bool) {
        let step = self.pick(4) + 1;
        match value {
            Value::Null if self.pick(2) == 0 => self.end_line(),
            Value::Object(entries) if !entries.is_empty() && self.pick(3) > 0 => {
                if is_entry || self.pick(3) == 0 {
                    self.end_line();
                    self.mapping(entries, indent + step, false);
                } else {
                    self.text.push_str(&" ".repeat(step));
                    self.mapping(entries, indent + 1 + step, true);
                }
            }
            Value::Array(items) if !items.is_empty() && self.pick(3) > 0 => {
                if is_entry || self.pick(3) == 0 {
                    self.end_line();
                    let indentless = is_entry && self.pick(3) == 0;
                    self.sequence(items, if indentless { indent } else { indent + step }, false);
                } else {
                    self.text.push_str(&" ".repeat(step));
                    self.sequence(items, indent + 1 + step, true);
                }
            }
            Value::String(text) if can_be_literal(text) && !self.everyday && self.pick(2) == 0 => {
                self.literal(text, indent + step);
            }
            _ => {
                let gap = self.pick(2) + 1;
                self.text.push_str(&" ".repeat(gap));
                self.flow(value, indent + 1, false);
                self.end_line();
            }
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.text.push_str(if text.ends_with('\n') { " |" } else { " |-" });
        self.text.push_str(self.newline);
        for line in text.lines() {
            if !line.is_empty() {
                self.text.push_str(&" ".repeat(indent));
                self.text.push_str(line);
            }
            self.text.push_str(self.newline);
        }
    }

    /// Writes a value in brackets, or a scalar.
    fn flow(&mut self, value: &Value, indent: usize, inside: bool) {
        match value {
            Value::Null => {
                let word = ["null", "~", "NULL"][self.pick(3)];
                self.text.push_str(word);
            }
            Value::Array(items) => {
                self.text.push('[');
                for (position, item) in items.iter().enumerate() {
                    self.separate(position, indent);
                    self.flow(item, indent, true);
                }
                self.close(items.len(), ']');
            }
            Value::Object(entries) => {
                self.text.push('{');
                for (position, (key, value)) in entries.iter().enumerate() {
                    self.separate(position, indent);
                    let key = self.scalar_text(key, true);
                    self.text.push_str(&key);
                    self.text.push_str(": ");
                    self.flow(value, indent, true);
                }
                self.close(entries.len(), '}');
            }
            Value::String(text) => {
                let text = self.scalar_text(text, inside);
                self.text.push_str(&text);
            }
            Value::Bool(_) | Value::Number(_) => self.text.push_str(&value.to_string()),
        }
    }

    fn separate(&mut self, position: usize, indent: usize) {
        if position > 0 {
            self.text.push(',');
        }
        match self.pick(10) {
            0 if !self.everyday => {
                self.text.push_str(self.newline);
                self.text.push_str(&" ".repeat(indent));
            }
            1 if position == 0 => {}
            _ => self.text.push(' '),
        }
    }

    fn close(&mut self, length: usize, bracket: char) {
        if length > 0 && self.pick(2) == 0 {
            self.text.push(' ');
        }
        self.text.push(bracket);
    }

    fn scalar_text(&mut self, text: &str, inside: bool) -> String {
        let plain = is_plain(text, inside);
        match self.pick(if plain { 6 } else { 2 }) {
            0 => serde_json::to_string(text).expect("text").replace('\u{7f}', "\\u007f").chars().map(escaped).collect(),
            1 => loopx::document::quoted(text),
            _ => text.into(),
        }
    }
}

/// JSON leaves some characters open that no YAML file may hold.
fn escaped(character: char) -> String {
    let open = !character.is_control() && !"\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}".contains(character);
    if open { character.into() } else { format!("\\u{:04x}", u32::from(character)) }
}

/// Whether a text can surely stand unquoted; texts that could too, but only just, are left to the other styles.
fn is_plain(text: &str, inside: bool) -> bool {
    let indicator = |character: char| "-?:,[]{}#&*!|>'\"%@`=~<".contains(character);
    let resolved = text.parse::<f64>().is_ok()
        || text.starts_with(|first: char| first.is_ascii_digit() || "+.".contains(first))
        || ["null", "true", "false"].contains(&&*text.to_lowercase());
    !text.is_empty()
        && !resolved
        && text.trim() == text
        && !text.starts_with(indicator)
        && !text.chars().any(|character| escaped(character).len() > 1 && character.is_ascii() || character.is_control())
        && !text.contains([':', '#', '\u{2028}', '\u{2029}', '\u{feff}', '\u{fffe}', '\u{ffff}'])
        && !(inside && text.contains([',', '[', ']', '{', '}']))
        && !text.chars().any(|character| character.is_whitespace() && character != ' ')
}

/// Whether a text can be written as `|` block: lines that end as the header says, and no first line that would set the
/// indentation.
fn can_be_literal(text: &str) -> bool {
    let content = text.strip_suffix('\n').unwrap_or(text);
    !content.is_empty()
        && !content.ends_with('\n')
        && !content.starts_with([' ', '\n', '\t'])
        && !content.chars().any(|character| character != '\n' && escaped(character).chars().count() > 1)
        && content.lines().all(|line| line.trim_end() == line)
}
