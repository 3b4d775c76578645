//! The module `document`: what is read, where it stands, what is refused.

mod editing;
mod field_cases;
mod hostile;
mod laws;
mod meaning;
mod records;
mod sketch;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use loopx::document::{Document, Format, LineIndex, Node, Parsed, Route, Span, Value, parse};

/// As many cases as `PROPTEST_CASES` says; a failing one prints its input and is kept nowhere.
fn cases() -> proptest::test_runner::Config {
    proptest::test_runner::Config { failure_persistence: None, ..Default::default() }
}

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
            let oracle: serde_json::Value = match document.format {
                Format::Yaml => serde_yaml::from_str(&text).expect("the oracle reads it too"),
                Format::Json => serde_json::from_str(&text).expect("the oracle reads it too"),
            };
            assert_eq!(document.root.to_json(), oracle, "{}", path.display());
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

fn read(yaml: &str) -> Node {
    parse(yaml.as_bytes(), Format::Yaml).document.expect(yaml).root
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
