//! What scalars mean, and the tree as JSON.

use loopx::document::{Format, Node, parse};

use super::read;

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

#[test]
fn json_keeps_what_its_numbers_cannot_hold() {
    let json =
        read("a: [1, 1.5, 1e999, 012, 4225332178759948004347560002921719079454, no, ~, true, '1', .nan]").to_json();
    let expected = r#"{"a":[1,1.5,"1e999",12,"4225332178759948004347560002921719079454","no",null,true,"1",".nan"]}"#;
    assert_eq!(json.to_string(), expected);
}
