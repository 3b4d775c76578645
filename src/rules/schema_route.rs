//! What a JSON Schema says of the value at a path.

use serde_json::Value;

use crate::privacy::{FieldPath, FieldStep};

/// Every part of a schema that speaks of the value at a path; none where no such value may stand.
pub(super) fn schemas_at<'s>(schema: &'s Value, path: &FieldPath) -> Vec<&'s Value> {
    let mut places = alternatives(schema, schema);
    for step in &path.0 {
        let inner = places.into_iter().filter_map(|place| match step {
            FieldStep::Key(key) => place
                .get("properties")
                .and_then(|fields| fields.get(&**key))
                .or_else(|| place.get("patternProperties")?.as_object()?.values().next())
                .or_else(|| place.get("additionalProperties").filter(|rest| rest.as_bool() != Some(false))),
            FieldStep::Index(_) => place.get("items"),
        });
        places = inner.flat_map(|place| alternatives(schema, place)).collect();
    }
    places
}

/// A place of a schema with everything that it refers to or chooses from.
fn alternatives<'s>(schema: &'s Value, place: &'s Value) -> Vec<&'s Value> {
    let mut all = vec![place];
    let mut next = 0;
    while let Some(place) = all.get(next).copied().filter(|_| next < 64) {
        let reference =
            place.get("$ref").and_then(Value::as_str).and_then(|path| schema.pointer(path.trim_start_matches('#')));
        all.extend(reference);
        for key in ["anyOf", "oneOf", "allOf"] {
            all.extend(place.get(key).and_then(Value::as_array).into_iter().flatten());
        }
        next += 1;
    }
    all
}
