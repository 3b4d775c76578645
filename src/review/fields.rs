//! Which fields of a document two revisions have otherwise, whatever its file looks like.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::vocabulary::Record;

/// Lists whose order means something; every other list is a set.
const ORDERED: [&str; 2] = ["command", "validation_command"];

/// One field that two revisions have otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldChange {
    /// The dotted route.
    pub(super) field: String,
    /// The value before; null: none.
    pub(super) from: Json,
    /// The value after; null: none.
    pub(super) to: Json,
}

impl FieldChange {
    /// Whether this is a field, or a part of it.
    pub(super) fn is_of(&self, field: &str) -> bool {
        self.field.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// A record as plain data, with its defaults left out as its writer leaves them out.
pub(super) fn plain(record: &Record) -> Json {
    serde_json::to_value(record).unwrap_or_default()
}

/// The value at a dotted route; null where nothing stands.
pub(super) fn at<'a>(json: &'a Json, field: &str) -> &'a Json {
    field.split('.').fold(json, |json, key| json.get(key).unwrap_or(&Json::Null))
}

/// Lists the fields that differ, by route. What only one side has is listed as a whole.
pub(super) fn differences(before: &Json, after: &Json) -> Vec<FieldChange> {
    let mut found = Vec::new();
    compare("", before, after, &mut found);
    found
}

fn compare(field: &str, before: &Json, after: &Json, found: &mut Vec<FieldChange>) {
    match (before, after) {
        (Json::Object(old), Json::Object(new)) => {
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                let route = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                compare(&route, old.get(name).unwrap_or(&Json::Null), new.get(name).unwrap_or(&Json::Null), found);
            }
        }
        _ if is_same(field, before, after) => {}
        _ => found.push(FieldChange { field: field.to_owned(), from: before.clone(), to: after.clone() }),
    }
}

/// Whether two values of a field mean the same: the order of a set does not matter.
pub(super) fn is_same(field: &str, before: &Json, after: &Json) -> bool {
    match (before, after) {
        (Json::Array(old), Json::Array(new)) if !ORDERED.contains(&field) => sorted(old) == sorted(new),
        _ => before == after,
    }
}

fn sorted(list: &[Json]) -> Vec<String> {
    let mut items: Vec<String> = list.iter().map(Json::to_string).collect();
    items.sort_unstable();
    items
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{at, differences};

    #[test]
    fn order_of_sets_is_no_difference_and_order_of_commands_is() {
        let before = json!({ "blocks": ["a", "b"], "command": ["x", "y"], "act": { "by": "m", "at": "t" } });
        let after = json!({ "blocks": ["b", "a"], "command": ["y", "x"], "act": { "by": "n", "at": "t" } });
        let fields: Vec<_> = differences(&before, &after).into_iter().map(|change| change.field).collect();
        assert_eq!(fields, ["act.by", "command"]);
        assert_eq!(at(&before, "act.by"), &json!("m"));
        assert!(at(&before, "act.none").is_null());
    }

    #[test]
    fn what_one_side_lacks_is_one_difference() {
        let found = differences(&json!({}), &json!({ "decision": { "label": "approve" } }));
        assert_eq!(found.len(), 1);
        assert!(found[0].is_of("decision") && !found[0].is_of("dec"));
    }
}
