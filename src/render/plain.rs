//! A small answer for programs, drawn for people: one line for each value, by its place.

use serde_json::Value as Json;

use super::table::table;

/// Draws a JSON answer as indented text.
#[must_use]
pub fn plain(json: &Json) -> String {
    let mut rows = Vec::new();
    add(&mut rows, "", json);
    table(&rows)
}

fn add(rows: &mut Vec<Vec<String>>, name: &str, value: &Json) {
    match value {
        Json::Null => {}
        Json::Object(fields) => {
            for (field, value) in fields.iter().filter(|(field, _)| *field != "schema_version") {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                add(rows, &name, value);
            }
        }
        Json::Array(items) if items.iter().any(Json::is_object) => {
            for (number, item) in items.iter().enumerate() {
                add(rows, &format!("{name}.{}", number + 1), item);
            }
        }
        Json::Array(items) => rows.push(vec![name.to_owned(), items.iter().map(word).collect::<Vec<_>>().join(" ")]),
        scalar => rows.push(vec![name.to_owned(), word(scalar)]),
    }
}

fn word(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
