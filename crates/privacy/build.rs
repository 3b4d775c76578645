//! Writes the rows of `rows/*.toml` as constants, so that a program that starts parses nothing.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use toml_edit::{DocumentMut, Item, Table};

/// The files, in the order of `Class`.
const CLASSES: [&str; 13] = [
    "secret",
    "local-path",
    "session-url",
    "transcript",
    "tool-output",
    "private-network",
    "personal-data",
    "document-link",
    "ticket",
    "opaque-blob",
    "invisible-character",
    "forbidden-field",
    "flag-contradicted",
];

/// What a row may say.
const KEYS: [&str; 20] = [
    "id", "what", "source", "constant", "find", "foreign", "written", "runs", "lists", "heads", "tail", "words",
    "likely", "shape", "line", "pattern", "check", "look", "refused", "clean",
];

/// One file, with the place for messages.
struct Source {
    class: &'static str,
    document: DocumentMut,
}

fn main() {
    println!("cargo::rerun-if-changed=rows");
    let sources = CLASSES.map(|class| {
        let path = format!("rows/{class}.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let document = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        Source { class, document }
    });
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |name: &str, text: String| fs::write(Path::new(&folder).join(name), text).expect("OUT_DIR is writable");
    write("classes.rs", classes(&sources));
    write("rows.rs", rows(&sources));
}

/// The attributes of each class.
fn classes(sources: &[Source]) -> String {
    let mut out = "const ABOUT: &[About] = &[\n".to_owned();
    for Source { class, document } in sources {
        let table = document.as_table();
        assert_eq!(text(table, "class").as_deref(), Some(*class), "the class of rows/{class}.toml");
        let need = |key: &str| text(table, key).unwrap_or_else(|| panic!("rows/{class}.toml: `{key}` is missing"));
        let except = table.get("can_be_excepted").and_then(Item::as_bool).expect("can_be_excepted is true or false");
        let title = need("title");
        writeln!(
            out,
            "About {{ class: Class::{}, rule: \"privacy/{class}\", title: {title:?}, mask: \"‹hidden: {title}›\", \
             joins: Joins::{}, exceptable: {except}, why: {:?} }},",
            pascal(class),
            pascal(&need("joins")),
            need("why"),
        )
        .expect("a string takes it");
    }
    out + "];\n"
}

/// Every row, and the constants of those that code names.
fn rows(sources: &[Source]) -> String {
    let (mut out, mut named, mut number) = ("pub(super) static ROWS: &[Row] = &[\n".to_owned(), String::new(), 0);
    for source in sources {
        for (name, words) in source.document.get("lists").and_then(Item::as_table).into_iter().flatten() {
            let words = words.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str);
            let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
            writeln!(named, "pub(super) const {}: &[&str] = &[{}];", name.to_uppercase(), words.join(", "))
                .expect("a string takes it");
        }
        for row in source.document.get("row").and_then(Item::as_array_of_tables).expect("rows").iter() {
            let place = format!("rows/{}.toml, row {}", source.class, text(row, "id").unwrap_or_default());
            for (key, _) in row {
                assert!(KEYS.contains(&key), "{place}: unknown key `{key}`");
            }
            if let Some(constant) = text(row, "constant") {
                writeln!(named, "pub(crate) static {constant}: &Row = &ROWS[{number}];").expect("a string takes it");
            }
            out.push_str(&one(source, row, &place));
            number += 1;
        }
    }
    out + "];\n" + &named
}

/// One row.
fn one(source: &Source, row: &Table, place: &str) -> String {
    let need = |key: &str| text(row, key).unwrap_or_else(|| panic!("{place}: `{key}` is missing"));
    let origin = text(row, "source").or_else(|| text(source.document.as_table(), "source"));
    let examples = |key: &str| -> String {
        let parts = texts(row, key).into_iter().map(|example| format!("&[{}]", pieces(&example, place)));
        parts.collect::<Vec<_>>().join(", ")
    };
    format!(
        "Row {{ id: {:?}, class: Class::{}, what: {:?}, source: {:?}, find: {}, refused: &[{}], clean: &[{}] }},\n",
        need("id"),
        pascal(source.class),
        need("what"),
        origin.unwrap_or_else(|| panic!("{place}: `source` is missing")),
        find(source, row, place),
        examples("refused"),
        examples("clean"),
    )
}

/// How a row finds its material.
fn find(source: &Source, row: &Table, place: &str) -> String {
    if let Some(kind) = text(row, "find") {
        return format!("Find::{}", pascal(&kind));
    }
    for kind in ["foreign", "written", "runs", "lists"] {
        if let Some(look) = text(row, kind) {
            return format!("Find::{}({look})", pascal(kind));
        }
    }
    if let Some(tail) = text(row, "tail") {
        return format!("Find::Token {{ heads: &{:?}, tail: &[{}] }}", texts(row, "heads"), pieces(&tail, place));
    }
    let trigger = trigger(row, place);
    match (text(row, "pattern"), text(row, "look")) {
        (Some(pattern), None) => {
            let check = text(row, "check").unwrap_or_else(|| "check::always".to_owned());
            format!(
                "Find::Pattern {{ trigger: {trigger}, pattern: {:?}, check: {check} }}",
                whole(source, &pattern, place)
            )
        }
        (None, Some(look)) => format!("Find::Look {{ trigger: {trigger}, look: {look} }}"),
        _ => panic!("{place}: it needs a tail, a pattern or a look"),
    }
}

/// What every match of a row contains.
fn trigger(row: &Table, place: &str) -> String {
    match (texts(row, "words"), text(row, "likely"), text(row, "shape"), text(row, "line")) {
        (words, None, None, None) if !words.is_empty() => format!("Trigger::Words(&{words:?})"),
        (words, Some(likely), None, None) if !words.is_empty() => format!("Trigger::Likely(&{words:?}, {likely})"),
        (words, None, Some(shape), None) if words.is_empty() => format!("Trigger::Shape({shape})"),
        (words, None, None, Some(line)) if words.is_empty() => format!("Trigger::Line({line})"),
        _ => panic!("{place}: it needs words, a shape or a line"),
    }
}

/// A pattern with its shared parts written out.
fn whole(source: &Source, pattern: &str, place: &str) -> String {
    split(pattern, place).fold(String::new(), |all, (literal, name)| {
        let part = name.map(|name| {
            let of = |section: &str| source.document.get(section).and_then(|section| section.get(name));
            let list = of("lists")
                .and_then(Item::as_array)
                .map(|words| words.iter().filter_map(toml_edit::Value::as_str).collect::<Vec<_>>().join("|"));
            let part = list.or_else(|| of("parts").and_then(Item::as_str).map(|part| whole(source, part, place)));
            part.unwrap_or_else(|| panic!("{place}: no part is called `{name}`"))
        });
        all + literal + &part.unwrap_or_default()
    })
}

/// The pieces of an example or a tail: literal text, and `‹alphabet length›` for what is drawn. Nothing stands in `‹›`
/// where a page must not hold the whole.
fn pieces(example: &str, place: &str) -> String {
    let mut out = String::new();
    for (literal, run) in split(example, place) {
        if !literal.is_empty() {
            write!(out, "Lit({literal:?}), ").expect("a string takes it");
        }
        if let Some((alphabet, length)) = run.and_then(|run| run.split_once(' ')) {
            let (least, most) = length.split_once('-').unwrap_or((length, length));
            write!(out, "Run({}, {least}, {most}), ", alphabet.to_uppercase()).expect("a string takes it");
        }
    }
    out
}

/// The literal parts of a text, each with what stands in `‹›` behind it.
fn split<'t>(text: &'t str, place: &'t str) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    let mut parts = text.split('‹');
    let first = parts.next().unwrap_or_default();
    let mut rest = parts.map(move |part| part.split_once('›').unwrap_or_else(|| panic!("{place}: `‹` without `›`")));
    let mut literal = Some(first);
    std::iter::from_fn(move || {
        let literal_now = literal.take()?;
        let next = rest.next();
        literal = next.map(|(_, behind)| behind);
        Some((literal_now, next.map(|(inner, _)| inner)))
    })
}

fn text(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(Item::as_str).map(str::to_owned)
}

fn texts(table: &Table, key: &str) -> Vec<String> {
    let items = table.get(key).and_then(Item::as_array).into_iter().flatten();
    items.filter_map(toml_edit::Value::as_str).map(str::to_owned).collect()
}

/// `session-url` as `SessionUrl`.
fn pascal(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
