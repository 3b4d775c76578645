//! What a value of a schema looks like, in one line of YAML.

use serde_json::Value as Json;

/// So many words of a vocabulary are listed; of more, the name is shown.
const LISTED: usize = 4;

/// The outline of a mapping or a list, such as `{ label: approve|reject|defer, by: ID, at: TIME }`; `None` for what is
/// one word.
pub(super) fn of(root: &Json, schema: &Json) -> Option<String> {
    let schema = resolved(root, schema);
    if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
        let required = texts(schema["required"].as_array().map(Vec::as_slice).unwrap_or_default());
        let entries: Vec<String> =
            required.iter().filter_map(|key| Some(format!("{key}: {}", value(root, properties.get(key)?)))).collect();
        return Some(if entries.is_empty() { "{ ... }".to_owned() } else { format!("{{ {} }}", entries.join(", ")) });
    }
    if let Some(items) = schema.get("items") {
        return Some(format!("[{}]", value(root, items)));
    }
    let values = schema.get("additionalProperties").filter(|values| values.is_object())?;
    Some(format!("{{ NAME: {} }}", value(root, values)))
}

/// What stands for a value of a schema.
fn value(root: &Json, schema: &Json) -> String {
    let schema = resolved(root, schema);
    let word = |key: &str| schema.get(key).and_then(Json::as_str);
    let words = texts(schema["enum"].as_array().map(Vec::as_slice).unwrap_or_default());
    match words.len() {
        0 => {}
        1..=LISTED => return words.join("|"),
        _ => return word("x-vocabulary").unwrap_or("WORD").to_uppercase(),
    }
    if let Some(outline) = of(root, schema) {
        return outline;
    }
    match (word("x-text"), word("type")) {
        (Some(text), _) => text.to_uppercase(),
        (None, Some("integer" | "number")) => "NUMBER".to_owned(),
        (None, Some("boolean")) => "true|false".to_owned(),
        _ => "TEXT".to_owned(),
    }
}

/// A schema without what it only refers to.
fn resolved<'a>(root: &'a Json, schema: &'a Json) -> &'a Json {
    let mut schema = schema;
    // A reference to itself would never end.
    for _ in 0..8 {
        match follow(root, schema) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

pub(super) fn texts(values: &[Json]) -> Vec<String> {
    values.iter().filter_map(Json::as_str).map(str::to_owned).collect()
}

pub(super) fn follow<'a>(root: &'a Json, schema: &Json) -> Option<&'a Json> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    root.pointer(pointer)
}
