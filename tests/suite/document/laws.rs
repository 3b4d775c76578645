//! Laws over random documents, in every way to write them.

use loopx::document::{
    Document, Format, Node, Parsed, Span, Style, Value, is_read_fast, parse, parse_in_full, to_json_pretty, to_yaml,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::sketch::{NASTY, damages, draw, draw_everyday, everyday_records, records, texts};

fn tree(yaml: &str) -> Document {
    let parsed = parse(yaml.as_bytes(), Format::Yaml);
    assert_eq!(parsed.problems, [], "{yaml}");
    parsed.document.expect("no problem, so a tree")
}

fn oracle(yaml: &str) -> serde_json::Value {
    serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{error}\n{yaml}"))
}

fn check_soundness(bytes: &[u8], parsed: &Parsed) {
    let notes_only = parsed.problems.iter().all(|problem| problem.fault.is_note());
    assert_eq!(parsed.document.is_some(), notes_only);
    let text = str::from_utf8(bytes).ok();
    let inside = |span: Span| text.is_none_or(|text| text.get(span.range()).is_some());
    assert!(parsed.problems.iter().all(|problem| inside(problem.span) && problem.also.is_none_or(inside)));
    let Some(document) = &parsed.document else { return };
    assert!(document.comments.iter().all(|comment| inside(comment.span)));
    for node in nodes(&document.root) {
        assert!(inside(node.span) && node.entries().iter().all(|entry| inside(entry.key.span)));
        assert!(node.items().iter().all(|item| slice_holds(node, item)));
        assert!(node.entries().iter().all(|entry| slice_holds(node, &entry.value)));
    }
}

/// Every node, its parents first.
fn nodes(root: &Node) -> Vec<&Node> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(node) = found.get(next).copied() {
        found.extend(node.items());
        found.extend(node.entries().iter().map(|entry| &entry.value));
        next += 1;
    }
    found
}

proptest! {
    #![proptest_config(super::cases())]

    /// What is written is read back as it was, by us and by the oracle.
    #[test]
    fn written_records_read_back(record in records()) {
        let yaml = to_yaml(&record);
        prop_assert!(yaml.ends_with('\n'));
        prop_assert_eq!(&oracle(&yaml), &record, "{}", yaml);
        prop_assert_eq!(&tree(&yaml).root.to_json(), &record, "{}", yaml);
    }

    /// The oracle and we read the same from a file in any style.
    #[test]
    fn the_oracle_agrees(record in records(), seed: u64) {
        let yaml = draw(&record, seed);
        let document = tree(&yaml);
        prop_assert_eq!(&document.root.to_json(), &record, "{}", yaml);
        prop_assert_eq!(&oracle(&yaml), &record, "{}", yaml);
    }

    /// The fast path reads the same tree as the full parser, or none, also in files that are a little off.
    #[test]
    fn the_fast_path_is_the_full_parser(
        record in records(), everyday in everyday_records(), seed: u64, damage in damages()
    ) {
        for text in [draw(&record, seed), draw_everyday(&everyday, seed)] {
            let text = damage.iter().fold(text, |text, damage| damage.of(&text));
            let parsed = parse(text.as_bytes(), Format::Yaml);
            prop_assert_eq!(&parsed, &parse_in_full(text.as_bytes(), Format::Yaml), "{}", text);
            check_soundness(text.as_bytes(), &parsed);
        }
    }

    /// Whatever the bytes: no panic, a tree exactly when nothing is wrong, and every place inside the text.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), printable in "[ -~\n]{0,200}") {
        for bytes in [&bytes[..], printable.as_bytes()] {
            for format in [Format::Yaml, Format::Json] {
                let parsed = parse(bytes, format);
                check_soundness(bytes, &parsed);
                prop_assert_eq!(parsed, parse_in_full(bytes, format));
            }
        }
    }

    /// The text at a scalar's span, alone in a file, is that scalar.
    #[test]
    fn spans_hold_their_scalar(record in records(), seed: u64) {
        let yaml = draw(&record, seed);
        let document = tree(&yaml);
        let keys = |node: &Node| -> Vec<(String, Box<str>)> {
            node.entries().iter().map(|entry| (yaml[entry.key.span.range()].into(), entry.key.text.clone())).collect()
        };
        for node in nodes(&document.root) {
            for (slice, text) in keys(node) {
                let alone = tree(&slice);
                prop_assert_eq!(alone.root.text(), Some(&*text), "{}", yaml);
            }
            let slice = &yaml[node.span.range()];
            match &node.value {
                Value::Scalar(scalar) if matches!(scalar.style, Style::Literal | Style::Folded) => {
                    prop_assert!(slice.starts_with(['|', '>']) && slice.trim_end() == slice, "{}", yaml);
                }
                Value::Scalar(scalar) => {
                    let alone = tree(slice);
                    prop_assert_eq!(alone.root.text(), Some(&*scalar.text), "{}", yaml);
                }
                Value::Sequence(items) => {
                    prop_assert!(items.iter().all(|item| slice_holds(node, item)), "{}", yaml);
                }
                Value::Mapping(entries) => {
                    prop_assert!(entries.iter().all(|entry| slice_holds(node, &entry.value)), "{}", yaml);
                }
            }
        }
    }

    /// JSON is one tree in both formats, and ours takes exactly what `serde_json` takes.
    #[test]
    fn json_is_read_as_serde_json_reads_it(record in records()) {
        let json = to_json_pretty(&record);
        let compact = serde_json::to_string(&record).expect("text");
        for text in [&json, &compact] {
            let parsed = parse(text.as_bytes(), Format::Json);
            let control = text.contains(|character: char| "\u{7f}\u{85}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}".contains(character)
                || character.is_control() && !"\n\t".contains(character));
            prop_assert_eq!(parsed.document.is_none(), control, "{}", text);
            if let Some(document) = parsed.document {
                prop_assert_eq!(&document.root.to_json(), &record, "{}", text);
            }
        }
    }

    /// Damaged JSON is refused exactly when `serde_json` refuses it, but for the rules that we add.
    #[test]
    fn damaged_json_is_judged_as_serde_json_judges_it(record in records(), at: prop::sample::Index, byte in 32..127_u8, remove: bool) {
        let mut bytes = serde_json::to_vec(&record).expect("text");
        let at = at.index(bytes.len());
        if remove { bytes.remove(at); } else { bytes[at] = byte; }
        let parsed = parse(&bytes, Format::Json);
        let added = |name| ["control-character", "duplicate-key", "byte-order-mark", "not-utf8", "conflict-marker"].contains(&name);
        if !parsed.problems.iter().any(|problem| added(problem.fault.name())) {
            let accepted = match serde_json::from_slice::<serde_json::Value>(&bytes) {
                // A number beyond the floats is one to us: its text is kept.
                Err(error) if error.to_string().starts_with("number out of range") => {
                    serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_ok()
                }
                judged => judged.is_ok(),
            };
            prop_assert_eq!(parsed.document.is_some(), accepted, "{}", String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn scalars_are_written_so_that_every_reader_agrees(text in texts()) {
        for written in [loopx::document::scalar(&text), loopx::document::quoted(&text)] {
            for yaml in [format!("key: {written}\n"), format!("key: [{written}]\n"), format!("{written}: x\n")] {
                let json = tree(&yaml).root.to_json();
                prop_assert_eq!(&json, &oracle(&yaml), "{}", yaml);
                prop_assert!(json.to_string().contains(&serde_json::to_string(&text).expect("text")), "{}", yaml);
            }
        }
    }
}

fn slice_holds(outer: &Node, inner: &Node) -> bool {
    outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
}

/// The law above is about something: the fast path reads nearly all everyday files.
#[test]
fn the_fast_path_is_the_usual_one() {
    let mut runner = TestRunner::deterministic();
    let fast = (0..500_u64).filter(|seed| {
        let record = everyday_records().new_tree(&mut runner).expect("no filter to reject it").current();
        is_read_fast(&draw_everyday(&record, *seed))
    });
    let fast = fast.count();
    assert!(fast > 450, "{fast} of 500");
}

/// The nasty texts one by one, as keys and as values, so that none depends on chance.
#[test]
fn nasty_texts_survive_writing() {
    for text in NASTY {
        let record = serde_json::json!({ *text: text, "list": [text, { "inner": text }] });
        let yaml = to_yaml(&record);
        assert_eq!(tree(&yaml).root.to_json(), record, "{yaml}");
        assert_eq!(oracle(&yaml), record, "{yaml}");
        let is_ambiguous = |node: &Node| {
            node.scalar().is_some_and(|scalar| scalar.ambiguity().is_some())
                || node.entries().iter().any(|entry| entry.key.ambiguity().is_some())
        };
        assert!(!nodes(&tree(&yaml).root).into_iter().any(is_ambiguous), "a YAML 1.1 reader would differ:\n{yaml}");
    }
}

#[test]
fn records_are_written_in_block_style() {
    let record = serde_json::json!({ "a": [{ "b": 1, "c": ["x", []] }, "z"], "d": { "e": null, "f": "no" } });
    let expected = "a:\n  - b: 1\n    c:\n      - x\n      - []\n  - z\nd:\n  e: null\n  f: \"no\"\n";
    assert_eq!(to_yaml(&record), expected);
    let json = "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}\n";
    assert_eq!(to_json_pretty(&serde_json::json!({ "a": [1], "b": {} })), json);
}
