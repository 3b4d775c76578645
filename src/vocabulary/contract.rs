//! What the contracts' own documents share: flags with one legal value, fields that may be null, and faults that
//! no schema says.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::schema::MAY_BE_NULL;
use crate::document::Route;

/// One fault of a document that passes its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where it stands.
    pub route: Route,
    /// The rule it breaks.
    pub rule: &'static str,
    /// What is wrong, in the program's own words.
    pub message: String,
}

impl Fault {
    /// Says that a field breaks a rule; `field` is a dotted route.
    pub(super) fn at(field: &str, rule: &'static str, message: impl Into<String>) -> Self {
        Self { route: Route::of(field), rule, message: message.into() }
    }
}

/// Lists where a document holds the address of something: a text with `://` in it.
pub(super) fn addresses(document: &Value) -> Vec<Route> {
    let mut waiting = vec![(Route::root(), document)];
    let mut found = Vec::new();
    while let Some((route, value)) = waiting.pop() {
        match value {
            Value::String(text) if text.contains("://") => found.push(route),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                waiting.extend(items.map(|(index, item)| (route.clone().index(index), item)));
            }
            Value::Object(entries) => {
                waiting.extend(entries.iter().map(|(key, value)| (route.clone().key(key), value)));
            }
            _ => {}
        }
    }
    found
}

/// Declares a flag with one legal value.
macro_rules! flag {
    ($(#[doc = $doc:literal])+ $name:ident = $value:literal) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $name;

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_bool($value)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match bool::deserialize(deserializer)? {
                    $value => Ok(Self),
                    _ => Err(D::Error::custom(concat!("only ", $value, " is legal here"))),
                }
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "boolean", "const": $value })
            }
        }
    };
}

flag!(
    /// Something that was not done and is not allowed; the only legal value is false.
    False = false
);
flag!(
    /// Something that always holds; the only legal value is true.
    True = true
);

/// A field that stands there even when it has nothing to say: then it is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nullable<T>(pub Option<T>);

impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Nullable<T> {
    /// The value, when there is one.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Nullable{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        if let Some(kind) = schema.remove("type") {
            schema.insert("type".into(), Value::Array(vec![kind, "null".into()]));
        }
        if let Some(Value::Array(words)) = schema.get_mut("enum") {
            words.push(Value::Null);
        }
        schema.insert(MAY_BE_NULL.into(), true.into());
        schema
    }
}
