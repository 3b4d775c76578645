//! What the contracts' own documents share: flags with one legal value, fields that may be null, and faults that
//! no schema says.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::closed::vocabulary;
use super::schema::MAY_BE_NULL;
use crate::document::Route;

vocabulary! {
    /// A rule that no schema says, about a document of a contract's own shape.
    ContractRule, "contract_rule", "a rule of a contract" {
        GateMissing = "memory/gate-missing": "each capability of memory has its gate",
        GateTwice = "memory/gate-twice": "a capability of memory has one gate",
        FutureGateMissing = "memory/future-gate-missing": "each capability that a later contract may open is listed",
        TooManyCandidates = "memory/too-many-candidates": "no more memories are named than were asked for",
        ContradictingStatus = "memory/contradicting-status": "an agent does not go on while a person has to act",
        Address = "memory/address": "memory names things by id, never by address",
        SessionWithoutRuntime = "projection/session-without-runtime": "where no runtime is bound, no session is named",
        NoRuntime = "writeback/no-runtime": "only a bound session is told something",
        NoSource = "writeback/no-source": "a writeback names the run or the todo that it reflects",
        ClassMismatch = "writeback/class-mismatch": "an event is written as the one class that reflects it",
        KeyMismatch = "writeback/key-mismatch": "a key is goal, source run and write class, with colons between",
        ImpossibleResult = "writeback/impossible-result": "a dry run is previewed, rejected or failed; an apply is applied, skipped, rejected or failed",
        NoRuntimeEvent = "writeback/no-runtime-event": "what was applied names the host's event",
        ResultRun = "writeback/result-run": "an apply leaves a run behind, a dry run none",
        NoProjection = "writeback/no-projection": "a read-only projection names the session first",
        SourceNotRecorded = "writeback/source-not-recorded": "the event has its receipt first",
        NoPreviewSupport = "writeback/no-preview-support": "the target can preview",
        ClassNotTaken = "writeback/class-not-taken": "the target takes the write class",
        NotPreviewed = "writeback/not-previewed": "nothing is applied before its preview was shown",
        AppliedTwice = "writeback/applied-twice": "a target takes a key at most once",
    }
}

impl ContractRule {
    /// Whether only an adapter, which knows the target, can say that a document breaks this rule.
    #[must_use]
    pub fn needs_knowledge(self) -> bool {
        matches!(
            self,
            Self::NoProjection
                | Self::SourceNotRecorded
                | Self::NoPreviewSupport
                | Self::ClassNotTaken
                | Self::NotPreviewed
                | Self::AppliedTwice
        )
    }
}

/// One fault of a document that passes its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractFault {
    /// Where it stands.
    pub route: Route,
    /// The rule it breaks.
    pub rule: ContractRule,
    /// What the rule does not say: which words are meant.
    pub about: Option<String>,
}

impl ContractFault {
    /// Says that a field breaks a rule; `field` is a dotted route.
    pub(super) fn at(field: &str, rule: ContractRule) -> Self {
        Self { route: Route::of(field), rule, about: None }
    }

    /// Adds which words are meant.
    pub(super) fn about(self, words: impl Into<String>) -> Self {
        Self { about: Some(words.into()), ..self }
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
                json_schema!({ "const": $value })
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
