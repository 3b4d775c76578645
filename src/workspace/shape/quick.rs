//! A quick look at a document's shape: a yes is certain; anything else is for jsonschema to judge and to explain.
//!
//! Nearly every document of a team is right. To say so needs no compiled validator and no copy of the tree, and the few
//! keywords that our schemas use; a keyword or a pattern that is not known here is no yes.

use super::known::{SchemaPart, known};
use crate::document::{Entry, Node, Resolved, Value};
use crate::vocabulary::{Kind, certainly_matches};

/// Whether a document certainly has the shape of its kind.
pub(super) fn holds(kind: Kind, root: &Node) -> bool {
    let schema = known(kind);
    FieldLook { root: schema }.holds(schema, root)
}

struct FieldLook<'s> {
    /// Where references lead.
    root: &'s SchemaPart,
}

impl FieldLook<'_> {
    fn holds(&self, schema: &SchemaPart, node: &Node) -> bool {
        match schema {
            SchemaPart::Flag(all) => *all,
            SchemaPart::Object(keywords) => {
                keywords.iter().all(|(keyword, value)| self.keyword(schema, keyword, value, node))
                    && node.entries().iter().all(|entry| self.property(schema, entry))
            }
            _ => false,
        }
    }

    fn keyword(&self, schema: &SchemaPart, keyword: &str, value: &SchemaPart, node: &Node) -> bool {
        match keyword {
            "$schema" | "$defs" | "title" | "description" | "default" | "format" => true,
            // Judged together, entry by entry.
            "properties" | "patternProperties" | "additionalProperties" => true,
            "$ref" => {
                let place = value.text().and_then(|reference| self.root.follow(reference));
                place.is_some_and(|schema| self.holds(schema, node))
            }
            "type" => match value {
                SchemaPart::List(names) => names.iter().any(|name| is_of(node, name)),
                name => is_of(node, name),
            },
            "required" => value.items().iter().all(|name| name.text().is_some_and(|name| node.entry(name).is_some())),
            "items" => node.items().iter().all(|item| self.holds(value, item)),
            "allOf" => value.items().iter().all(|part| self.holds(part, node)),
            "if" => certainly_fails(value, node) || schema.get("then").is_some_and(|then| self.holds(then, node)),
            "then" => schema.get("if").is_some(),
            "anyOf" => value.items().iter().any(|option| self.holds(option, node)),
            "const" => is_text(node, value),
            "enum" => value.items().iter().any(|word| is_text(node, word)),
            "pattern" => text(node).is_none_or(|text| value.text().is_some_and(|form| certainly_matches(form, text))),
            "minLength" => {
                text(node).is_none_or(|text| value.number().is_some_and(|least| least <= i64::from(!text.is_empty())))
            }
            "maxLength" => {
                text(node).is_none_or(|text| at_most(value, text.len()) || at_most(value, text.chars().count()))
            }
            "minItems" => !is_sequence(node) || at_least(value, node.items().len()),
            "maxItems" => !is_sequence(node) || at_most(value, node.items().len()),
            "minProperties" => !is_mapping(node) || at_least(value, node.entries().len()),
            "maxProperties" => !is_mapping(node) || at_most(value, node.entries().len()),
            "uniqueItems" => are_distinct_texts(node.items()),
            "minimum" => integer(node).is_some_and(|number| value.number().is_some_and(|limit| limit <= number)),
            "maximum" => integer(node).is_some_and(|number| value.number().is_some_and(|limit| number <= limit)),
            other => other.starts_with("x-"),
        }
    }

    /// Whether an entry is what the schema says of its key.
    fn property(&self, schema: &SchemaPart, entry: &Entry) -> bool {
        let (key, value) = (&*entry.key.text, &entry.value);
        let named = schema.get("properties").and_then(|properties| properties.get(key));
        let mut is_known = named.is_some();
        if !named.is_none_or(|property| self.holds(property, value)) {
            return false;
        }
        for (form, property) in schema.get("patternProperties").map_or(&[][..], SchemaPart::entries) {
            if !certainly_matches(form, key) || !self.holds(property, value) {
                return false;
            }
            is_known = true;
        }
        is_known || schema.get("additionalProperties").is_none_or(|other| self.holds(other, value))
    }
}

fn is_sequence(node: &Node) -> bool {
    matches!(node.value, Value::Sequence(_))
}

fn is_mapping(node: &Node) -> bool {
    matches!(node.value, Value::Mapping(_))
}

/// What the node says, when it is text to JSON.
fn text(node: &Node) -> Option<&str> {
    let scalar = node.scalar()?;
    matches!(scalar.resolve(), Resolved::Text | Resolved::Unheld).then_some(&*scalar.text)
}

fn integer(node: &Node) -> Option<i64> {
    match node.scalar()?.resolve() {
        Resolved::Integer(number) => Some(number),
        Resolved::Null | Resolved::Bool(_) | Resolved::Float(_) | Resolved::Unheld | Resolved::Text => None,
    }
}

fn is_of(node: &Node, name: &SchemaPart) -> bool {
    match (&node.value, name.text()) {
        (Value::Mapping(_), Some("object")) | (Value::Sequence(_), Some("array")) => true,
        (Value::Scalar(scalar), Some(name)) => matches!(
            (scalar.resolve(), name),
            (Resolved::Text | Resolved::Unheld, "string")
                | (Resolved::Bool(_), "boolean")
                | (Resolved::Integer(_), "integer" | "number")
                | (Resolved::Float(_), "number")
                | (Resolved::Null, "null")
        ),
        _ => false,
    }
}

/// Whether a node is this word, truth value or null.
fn is_text(node: &Node, wanted: &SchemaPart) -> bool {
    match wanted {
        SchemaPart::Text(word) => text(node) == Some(word),
        SchemaPart::Flag(wanted) => node.scalar().is_some_and(|scalar| scalar.resolve() == Resolved::Bool(*wanted)),
        SchemaPart::Null => node.is_null(),
        SchemaPart::Number(_) | SchemaPart::List(_) | SchemaPart::Object(_) | SchemaPart::Other => false,
    }
}

/// Whether a condition certainly does not hold: it wants another word in one field.
fn certainly_fails(condition: &SchemaPart, node: &Node) -> bool {
    let properties = condition.get("properties").map_or(&[][..], SchemaPart::entries).iter();
    let mut wanted = properties.filter_map(|(key, property)| Some((node.get(key)?, property.get("const")?.text()?)));
    wanted.any(|(found, word)| found.scalar().is_some() && text(found) != Some(word))
}

fn at_least(limit: &SchemaPart, count: usize) -> bool {
    limit.number().is_some_and(|limit| i64::try_from(count).is_ok_and(|count| limit <= count))
}

fn at_most(limit: &SchemaPart, count: usize) -> bool {
    limit.number().is_some_and(|limit| i64::try_from(count).is_ok_and(|count| count <= limit))
}

/// Whether short lists of texts hold each once; what else a list may hold is not compared here.
fn are_distinct_texts(items: &[Node]) -> bool {
    const SHORT: usize = 32;
    items.len() <= SHORT
        && items.iter().enumerate().all(|(number, item)| {
            text(item).is_some_and(|known| items[..number].iter().all(|other| text(other) != Some(known)))
        })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::validator;
    use super::{Entry, Node, Value, holds};
    use crate::document::{Format, Scalar, Style, parse};
    use crate::vocabulary::Kind;

    /// Every document of a folder of this repository that names its kind.
    fn documents(folder: &str) -> Vec<(Kind, Node)> {
        let mut found = Vec::new();
        let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
        while let Some(path) = waiting.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).expect("a folder");
                waiting.extend(entries.map(|entry| entry.expect("an entry").path()));
            } else {
                found.extend(document(&path));
            }
        }
        found.sort_by_cached_key(|(kind, node)| (*kind as usize, node.to_json().to_string()));
        found
    }

    fn document(path: &Path) -> Option<(Kind, Node)> {
        let format = if path.extension()? == "json" { Format::Json } else { Format::Yaml };
        let root = parse(&std::fs::read(path).ok()?, format).document?.root;
        Some((Kind::of(root.get("schema_version")?.text()?)?, root))
    }

    fn children(node: &mut Node) -> Vec<&mut Node> {
        match &mut node.value {
            Value::Scalar(_) => Vec::new(),
            Value::Sequence(items) => items.iter_mut().collect(),
            Value::Mapping(entries) => entries.iter_mut().map(|entry| &mut entry.value).collect(),
        }
    }

    /// The node at the end of a way; a step of 0 ends it.
    fn place<'n>(root: &'n mut Node, way: &[usize]) -> &'n mut Node {
        let Some((step, rest)) = way.split_first() else { return root };
        let count = children(root).len();
        if *step == 0 || count == 0 {
            return root;
        }
        let child = children(root).into_iter().nth(step % count).expect("one of them");
        place(child, rest)
    }

    /// What a scalar of any field may be, and what none should.
    fn texts() -> impl Strategy<Value = String> {
        let plain = select(vec![
            "",
            "~",
            "true",
            "no",
            "12",
            "012",
            "1e9",
            "-1",
            "1.0",
            "1.5",
            "99999999999999999999",
            "none",
            "off",
            "a b",
            ".a",
            "a.",
            "-a",
            "a\r\nb",
            "a\n",
            "\u{85}",
            "\u{2003}",
            "\u{feff}",
            "5m",
            "5",
            "5mm",
            "a\\b",
            "src/**",
            "2026-01-31T09:00:00Z",
            "2026-01-31t09:00:00.5+01:00",
            "2026-01-31T09:00:00",
            "todo_done:a",
            "todo_done:",
            "todo_done:.a",
            "todo_done:a.",
            "pr_merged:#1",
            "capacity_available:a",
            "a@users.noreply.example.org",
            "a@noreply.",
            "a@b..noreply.c",
            "a@b.c.noreply.d",
            "a@example.org",
            "mem_1",
        ]);
        let digest = select(vec!["0123456789abcdef".repeat(4), "0123456789ABCDEF".repeat(4)]);
        let long = select(vec![59_usize, 60, 61, 120, 121, 180, 181, 600, 601]).prop_map(|length| "ä".repeat(length));
        prop_oneof![plain.prop_map(str::to_owned), digest, long, "\\PC{0,6}", "[ \\t\\r\\n\\u{0}-\\u{1f}a]{0,4}"]
    }

    #[derive(Debug, Clone)]
    enum Change {
        Scalar(String, bool),
        Remove,
        Repeat,
        Rename(String),
        Wrap,
    }

    fn changes() -> impl Strategy<Value = Change> {
        prop_oneof![
            8 => (texts(), any::<bool>()).prop_map(|(text, is_plain)| Change::Scalar(text, is_plain)),
            1 => Just(Change::Remove),
            1 => Just(Change::Repeat),
            1 => texts().prop_map(Change::Rename),
            1 => Just(Change::Wrap),
        ]
    }

    fn apply(node: &mut Node, change: &Change) {
        match (&mut node.value, change) {
            (value, Change::Scalar(text, is_plain)) => {
                let style = if *is_plain { Style::Plain } else { Style::DoubleQuoted };
                *value = Value::Scalar(Scalar { text: text.as_str().into(), style });
            }
            (Value::Mapping(entries), Change::Remove) => drop(entries.pop()),
            (Value::Sequence(items), Change::Remove) => drop(items.pop()),
            (Value::Sequence(items), Change::Repeat) => items.extend(items.first().cloned()),
            (Value::Mapping(entries), Change::Rename(key)) => {
                if let Some(entry) = entries.last_mut() {
                    entry.key.text = key.as_str().into();
                }
            }
            (_, Change::Wrap) => {
                let inner = node.clone();
                node.value = Value::Sequence(vec![inner]);
            }
            (Value::Scalar(_) | Value::Mapping(_), Change::Repeat) | (_, Change::Rename(_) | Change::Remove) => {}
        }
    }

    /// Whether each key stands once, as in every tree that was parsed.
    fn has_distinct_keys(node: &Node) -> bool {
        let entries: &[Entry] = node.entries();
        let is_new =
            |(number, entry): (usize, &Entry)| entries[..number].iter().all(|other| other.key.text != entry.key.text);
        entries.iter().enumerate().all(is_new)
            && entries.iter().map(|entry| &entry.value).chain(node.items()).all(has_distinct_keys)
    }

    #[test]
    fn what_a_quick_look_accepts_is_valid() {
        let documents = [documents("fixtures"), documents("state-example")].concat();
        let (mut accepted, mut refused) = (0, 0);
        let strategy = (0..documents.len(), vec((vec(0_usize..64, 0..6), changes()), 0..3));
        let mut runner =
            proptest::test_runner::TestRunner::new(ProptestConfig { cases: 20_000, ..ProptestConfig::default() });
        let law = |(number, changed): (usize, Vec<(Vec<usize>, Change)>)| {
            let (kind, mut root) = documents[number].clone();
            changed.iter().for_each(|(way, change)| apply(place(&mut root, way), change));
            if !has_distinct_keys(&root) {
                return Ok(());
            }
            let is_valid = validator(kind).is_valid(&root.to_json());
            prop_assert!(is_valid || !holds(kind, &root), "{}", root.to_json());
            Ok(())
        };
        runner.run(&strategy, law).expect("the law holds");
        for (kind, root) in &documents {
            let is_valid = validator(*kind).is_valid(&root.to_json());
            accepted += usize::from(holds(*kind, root));
            refused += usize::from(is_valid && !holds(*kind, root));
        }
        assert!(accepted > 20 * refused, "{accepted} documents are accepted, {refused} are handed over");
    }

    #[test]
    fn no_document_of_the_example_is_handed_over() {
        for (kind, root) in documents("state-example") {
            assert!(holds(kind, &root), "{}", root.to_json());
        }
    }
}
