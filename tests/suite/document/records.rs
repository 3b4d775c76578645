//! Typed records from the tree.

use loopx::document::decode;

use super::read;

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
