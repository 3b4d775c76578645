//! JSON Schemas (2020-12) of every kind, made from the records.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::kinds::Kind;

/// Marks a field that a contract writes as null; see [`Nullable`](super::contract::Nullable).
pub(super) const MAY_BE_NULL: &str = "x-null";

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of one kind, closed and without nulls: an optional field is left out, never empty.
#[must_use]
pub fn schema(kind: Kind) -> &'static Value {
    static SCHEMAS: [OnceLock<Value>; Kind::ALL.len()] = [const { OnceLock::new() }; Kind::ALL.len()];
    SCHEMAS[kind as usize].get_or_init(|| {
        let mut schema = Value::from(kind.derived_schema());
        // These two are written by the program alone, which says null for what is absent.
        if !matches!(kind, Kind::AttentionQueue | Kind::Blocker) {
            refuse_null(&mut schema);
        }
        if let Some(object) = schema.as_object_mut() {
            object.insert("$schema".into(), DIALECT.into());
            object.insert("title".into(), kind.row().version.into());
        }
        schema
    })
}

/// What judges of the schema of a kind: the schema without the words that only explain.
#[must_use]
pub fn bare_schema(kind: Kind) -> Value {
    fn judging(part: &Value) -> Value {
        match part {
            Value::Object(entries) => {
                // A field may be called so too; words that explain are text.
                let explains = |(key, value): &(&String, &Value)| {
                    matches!(key.as_str(), "description" | "title") && value.is_string()
                };
                let entries = entries.iter().filter(|entry| !explains(entry));
                Value::Object(entries.map(|(key, value)| (key.clone(), judging(value))).collect())
            }
            Value::Array(items) => Value::Array(items.iter().map(judging).collect()),
            other => other.clone(),
        }
    }
    judging(schema(kind))
}

/// One schema for every kind, which branches on `schema_version`; what editors use.
#[must_use]
pub fn schema_of_all() -> Value {
    let mut definitions = Map::new();
    let mut branches = Vec::new();
    for kind in Kind::ALL {
        let version = kind.row().version;
        let mut branch = schema(*kind).clone();
        let nested = branch.as_object_mut().map(|object| {
            object.remove("$schema");
            object.remove("$defs")
        });
        if let Some(Some(Value::Object(nested))) = nested {
            definitions.extend(nested);
        }
        definitions.insert(version.into(), branch);
        branches.push(json!({
            "if": { "properties": { "schema_version": { "const": version } }, "required": ["schema_version"] },
            "then": { "$ref": format!("#/$defs/{version}") },
        }));
    }
    let versions: Vec<_> = Kind::ALL.iter().map(|kind| kind.row().version).collect();
    json!({
        "$schema": DIALECT,
        "title": "loopx documents",
        "type": "object",
        "required": ["schema_version"],
        "properties": { "schema_version": { "enum": versions } },
        "allOf": branches,
        "$defs": definitions,
    })
}

/// Takes `null` out of every type that is not marked, and an `anyOf` that only offered it.
fn refuse_null(schema: &mut Value) {
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        if let Value::Object(object) = value
            && !object.contains_key(MAY_BE_NULL)
        {
            drop_null_type(object);
            unwrap_nullable(object);
        }
        match value {
            Value::Object(object) => waiting.extend(object.values_mut()),
            Value::Array(items) => waiting.extend(items.iter_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn drop_null_type(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
}

fn unwrap_nullable(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get_mut("anyOf") else { return };
    options.retain(|option| option.get("type") != Some(&Value::from("null")));
    if let [only] = options.as_slice() {
        let only = only.clone();
        object.remove("anyOf");
        if let Value::Object(only) = only {
            object.extend(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Kind, schema};

    #[test]
    fn a_definition_means_the_same_in_every_kind() {
        let mut seen = BTreeMap::new();
        for kind in Kind::ALL {
            for (name, definition) in schema(*kind)["$defs"].as_object().into_iter().flatten() {
                let first = *seen.entry(name).or_insert(definition);
                assert_eq!(first, definition, "two records are called {name}");
            }
        }
    }
}
