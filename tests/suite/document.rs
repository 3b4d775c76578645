//! The room `document`: what is read, where it stands, what is refused.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use loopx::document::{Document, Format, LineIndex, Node, Parsed, Route, Span, Value, decode, parse};

/// The files of a fixture folder with one of the extensions, by name.
fn fixtures(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the fixture folder exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds fixtures", folder.display());
    paths
}

fn format_of(path: &Path) -> Format {
    if path.extension().is_some_and(|extension| extension == "json") { Format::Json } else { Format::Yaml }
}

/// Compares with the file beside the fixture, or rewrites it.
fn expect_beside(path: &Path, extension: &str, actual: &str) {
    let beside = path.with_extension(extension);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::write(&beside, actual).expect("writable");
    }
    let expected = std::fs::read_to_string(&beside).unwrap_or_default();
    assert_eq!(actual, expected, "{} (SNAPSHOTS=overwrite rewrites it)", beside.display());
}

fn show_span(lines: &LineIndex<'_>, span: Span) -> String {
    let (start, end) = (lines.place(span.start), lines.place(span.end));
    format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
}

fn show_problems(text: &str, parsed: &Parsed) -> String {
    let lines = LineIndex::new(text);
    let mut shown = String::new();
    for problem in &parsed.problems {
        let also = problem.also.map(|also| format!(" (also {})", show_span(&lines, also))).unwrap_or_default();
        let span = show_span(&lines, problem.span);
        writeln!(shown, "{span} {}: {}{also}", problem.fault.name(), problem.message()).expect("text");
    }
    shown
}

fn show_tree(text: &str, document: &Document) -> String {
    let lines = LineIndex::new(text);
    let mut shown = String::new();
    let mut open = vec![(Route::root(), &document.root)];
    while let Some((route, node)) = open.pop() {
        let span = show_span(&lines, node.span);
        match &node.value {
            Value::Scalar(scalar) => writeln!(shown, "{span} {route} {:?} {:?}", scalar.style, scalar.text),
            Value::Sequence(_) => writeln!(shown, "{span} {route} Sequence"),
            Value::Mapping(entries) => {
                let keys: Vec<String> = entries
                    .iter()
                    .map(|entry| format!("{} {:?}", show_span(&lines, entry.key.span), entry.key.style))
                    .collect();
                writeln!(shown, "{span} {route} Mapping [{}]", keys.join(", "))
            }
        }
        .expect("text");
        open.extend(children(&route, node).into_iter().rev());
    }
    for comment in &document.comments {
        writeln!(shown, "{} # {}", show_span(&lines, comment.span), comment.text).expect("text");
    }
    shown
}

fn children<'n>(route: &Route, node: &'n Node) -> Vec<(Route, &'n Node)> {
    let items = node.items().iter().enumerate().map(|(index, item)| (route.clone().index(index), item));
    let entries = node.entries().iter().map(|entry| (route.clone().key(&entry.key.text), &entry.value));
    items.chain(entries).collect()
}

#[test]
fn good_files_become_their_tree() {
    for (folder, extension) in [("yaml/ok", "yaml"), ("json/ok", "json")] {
        for path in fixtures(folder, extension) {
            let text = std::fs::read_to_string(&path).expect("text");
            let parsed = parse(text.as_bytes(), format_of(&path));
            assert_eq!(show_problems(&text, &parsed), "", "{}", path.display());
            let document = parsed.document.expect("no problem, so a tree");
            expect_beside(&path, "tree", &show_tree(&text, &document));
        }
    }
}

#[test]
fn bad_files_are_refused_with_every_problem() {
    for (folder, extension) in [("yaml/err", "yaml"), ("json/err", "json")] {
        for path in fixtures(folder, extension) {
            let text = std::fs::read_to_string(&path).expect("text");
            let parsed = parse(text.as_bytes(), format_of(&path));
            assert_eq!(parsed.document, None, "{}", path.display());
            expect_beside(&path, "txt", &show_problems(&text, &parsed));
        }
    }
}

/// A plain scalar, what it resolves to, and why it is ambiguous as text.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("", "Null", "Null"),
    ("~", "Null", "Null"),
    ("Null", "Null", "Null"),
    ("nULL", "Text", ""),
    ("True", "Bool(true)", "Boolean"),
    ("tRUE", "Text", ""),
    ("0", "Integer(0)", "Number"),
    ("-17", "Integer(-17)", "Number"),
    ("012", "Integer(12)", "Number"),
    ("0o17", "Integer(15)", "Number"),
    ("0xfF", "Integer(255)", "Number"),
    ("0o8", "Text", ""),
    ("9223372036854775808", "Unheld", "Number"),
    ("4225332178759948004347560002921719079454", "Unheld", "Number"),
    ("1e9", "Float(1000000000.0)", "Number"),
    ("00000000000000000000000000000000000012e5", "Float(1200000.0)", "Number"),
    ("1.50", "Float(1.5)", "Number"),
    (".5", "Float(0.5)", "Number"),
    ("5.", "Float(5.0)", "Number"),
    ("0.1", "Float(0.1)", "Number"),
    ("0.10000000000000000001", "Unheld", "Number"),
    ("1e999", "Unheld", "Number"),
    ("1e-999", "Unheld", "Number"),
    ("-.inf", "Unheld", "Number"),
    (".NaN", "Unheld", "Number"),
    ("-.nan", "Text", ""),
    (".", "Text", ""),
    ("1e", "Text", ""),
    ("1.2.3", "Text", ""),
    ("no", "Text", "OldBoolean"),
    ("NO", "Text", "OldBoolean"),
    ("on", "Text", "OldBoolean"),
    ("y", "Text", "OldBoolean"),
    ("nO", "Text", ""),
    ("1:30", "Text", "OldNumber"),
    ("-190:20:30.15", "Text", "OldNumber"),
    ("1:75", "Text", ""),
    ("a:30", "Text", ""),
    ("1_000", "Text", "OldNumber"),
    ("1_000.5", "Text", "OldNumber"),
    ("0b1010", "Text", "OldNumber"),
    ("0x_ff", "Text", "OldNumber"),
    ("_1", "Text", ""),
    ("=", "Text", "OldIndicator"),
    ("2026-01-01", "Text", "OldDate"),
    ("2026-1-1 9:30:00", "Text", "OldDate"),
    ("2026-01-01T09:30:00", "Text", "OldDate"),
    ("2026-01-01T09:30:00Z", "Text", "Timestamp"),
    ("2026-01-01T09:30:00.125+02:00", "Text", "Timestamp"),
    ("2026-01", "Text", ""),
    ("12:30:45", "Text", "OldNumber"),
    ("gate-1", "Text", ""),
    ("1st", "Text", ""),
];

#[test]
fn plain_scalars_resolve_by_the_core_schema() {
    for &(text, resolved, ambiguity) in MEANINGS {
        let parsed = parse(format!("key: {text}\n").as_bytes(), Format::Yaml);
        let document = parsed.document.expect(text);
        let scalar = document.root.get("key").and_then(Node::scalar).expect(text);
        assert_eq!(format!("{:?}", scalar.resolve()), resolved, "{text}");
        let found = scalar.ambiguity().map(|ambiguity| format!("{ambiguity:?}")).unwrap_or_default();
        assert_eq!(found, ambiguity, "{text}");
        let quoted = parse(format!("'{text}': \"{text}\"\n").as_bytes(), Format::Yaml).document.expect(text);
        let entry = &quoted.root.entries()[0];
        assert_eq!((entry.key.ambiguity(), entry.value.scalar().and_then(|quoted| quoted.ambiguity())), (None, None));
    }
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Id(String);

#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Blocks {
    None,
    Todo { id: Id },
    Label(String),
}

#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    id: Id,
    #[serde(default)]
    sha: Option<String>,
    #[serde(default)]
    count: Option<u32>,
    #[serde(default)]
    ratio: Option<f64>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    pair: Option<(i64, String)>,
    #[serde(default)]
    scope: std::collections::BTreeMap<String, Option<String>>,
    #[serde(default)]
    blocks: Option<Blocks>,
}

fn read(yaml: &str) -> Node {
    parse(yaml.as_bytes(), Format::Yaml).document.expect(yaml).root
}

#[test]
fn records_take_the_characters_of_the_file() {
    let yaml = "id: 013\nsha: 4225332178759948004347560002921719079454\ncount: 12\nratio: 3\ndone: true\n\
                tags: [no, 1e9, ~, 'x']\npair: [-1, 2]\nscope: { 1: a, on: ~, null: '' }\nblocks: { todo: { id: 07 } }\n";
    let record: Record = decode(&read(yaml)).expect("a whole record");
    let text = |text: &str| Some(String::from(text));
    assert_eq!(record.id, Id("013".into()));
    assert_eq!(record.sha, text("4225332178759948004347560002921719079454"));
    assert_eq!((record.count, record.ratio, record.done), (Some(12), Some(3.0), true));
    assert_eq!(record.tags, ["no", "1e9", "~", "x"]);
    assert_eq!(record.pair, Some((-1, String::from("2"))));
    let scope: Vec<_> = record.scope.into_iter().collect();
    assert_eq!(scope, [("1".into(), text("a")), ("null".into(), text("")), ("on".into(), None)]);
    assert_eq!(record.blocks, Some(Blocks::Todo { id: Id("07".into()) }));
    let short: Record = decode(&read("id: x\nblocks: none\nsha:\n")).expect("a short record");
    assert_eq!((short.blocks, short.sha), (Some(Blocks::None), None));
    let label: Record = decode(&read("id: x\nblocks: { label: 1.0 }\n")).expect("a label");
    assert_eq!(label.blocks, Some(Blocks::Label("1.0".into())));
}

/// Each fault points at the innermost value and repeats none of it.
#[test]
fn what_does_not_fit_a_record_is_told_without_its_value() {
    for (yaml, place, message) in [
        ("id: x\ncount: -s3cret", "-s3cret", "expected u32"),
        ("id: x\ncount: -70000", "-70000", "expected u32"),
        ("id: x\ndone: off", "off", "expected a boolean"),
        ("id: x\ndone: 'true'", "'true'", "expected a boolean"),
        ("id: x\ntags: s3cret", "s3cret", "expected a sequence"),
        ("id: x\ntags: [a, [b]]", "[b]", "expected text"),
        ("id: x\npair: [1, b, c]", "[1, b, c]", "expected fewer items"),
        ("id: x\npair: [1]", "[1]", "expected a tuple of size 2"),
        ("id: x\ns3cret: y", "s3cret", "unknown key, expected one of"),
        ("id: x\nblocks: s3cret", "s3cret", "expected one of none, todo, label"),
        ("id: x\nblocks: { todo: { it: x } }", "{ it: x }", "missing field `id`"),
        ("id: x\nblocks: { todo: 1, label: 2 }", "{ todo: 1, label: 2 }", "expected a word or one key"),
        ("tags: []", "tags: []", "missing field `id`"),
        ("- x", "x", "expected struct Record"),
    ] {
        let fault = decode::<Record>(&read(yaml)).expect_err(yaml);
        assert_eq!(&yaml[fault.span.range()], place, "{yaml}: {}", fault.message);
        assert!(fault.message.starts_with(message), "{yaml}: {}", fault.message);
    }
}

#[test]
fn json_keeps_what_its_numbers_cannot_hold() {
    let json =
        read("a: [1, 1.5, 1e999, 012, 4225332178759948004347560002921719079454, no, ~, true, '1', .nan]").to_json();
    let expected = r#"{"a":[1,1.5,"1e999",12,"4225332178759948004347560002921719079454","no",null,true,"1",".nan"]}"#;
    assert_eq!(json.to_string(), expected);
}

#[test]
fn places_count_characters_and_lines_of_both_kinds() {
    let lines = LineIndex::new("\u{feff}aé🦀b\r\nx\n\nlast");
    let place = |offset| (lines.place(offset).line, lines.place(offset).column);
    let of = |part: &str| u32::try_from("\u{feff}aé🦀b\r\nx\n\nlast".find(part).expect(part)).expect("small");
    assert_eq!([place(0), place(of("a")), place(of("b")), place(of("x"))], [(1, 1), (1, 1), (1, 4), (2, 1)]);
    assert_eq!([place(of("last")), place(of("last") + 4), place(999)], [(4, 1), (4, 5), (4, 5)]);
    assert_eq!(place(of("🦀") + 2), (1, 3));
    let content = |line| &"\u{feff}aé🦀b\r\nx\n\nlast"[lines.line_span(line).range()];
    assert_eq!([content(1), content(2), content(3), content(4), content(5)], ["\u{feff}aé🦀b", "x", "", "last", ""]);
}
