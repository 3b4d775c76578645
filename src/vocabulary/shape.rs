//! Fields that may take two shapes. Each schema stays one branch, so a message never comes from the wrong one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::closed::ClosedWords;
use super::text::{ID_LIMIT, ID_PATTERN, Id};
use super::time::Duration;
use super::words::{Level, RuntimeId};

/// The todos that a gate holds back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Blocks {
    /// Every todo of the goal; the field is absent.
    #[default]
    Goal,
    /// These todos, at least one.
    Todos(Vec<Id>),
    /// Nothing: the gate is advisory; written `none`.
    Nothing,
}

impl Blocks {
    /// Whether the whole goal is blocked, which is how an absent field reads.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        matches!(self, Self::Goal)
    }

    /// The blocked todos, when they are listed.
    #[must_use]
    pub fn todos(&self) -> &[Id] {
        match self {
            Self::Todos(todos) => todos,
            Self::Goal | Self::Nothing => &[],
        }
    }
}

impl Serialize for Blocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Goal => serializer.serialize_none(),
            Self::Todos(todos) => todos.serialize(serializer),
            Self::Nothing => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for Blocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Blocks;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of todo ids, or the word none")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Blocks, E> {
                match text {
                    "none" => Ok(Blocks::Nothing),
                    _ => Err(E::custom("neither a list nor the word none")),
                }
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Blocks, A::Error> {
                let mut todos = Vec::new();
                while let Some(todo) = items.next_element()? {
                    todos.push(todo);
                }
                Ok(Blocks::Todos(todos))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl JsonSchema for Blocks {
    fn schema_name() -> Cow<'static, str> {
        "Blocks".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["array", "string"],
            "minItems": 1,
            "uniqueItems": true,
            "items": generator.subschema_for::<Id>(),
            "pattern": "^none$",
            "x-word": "none",
        })
    }
}

/// When the facts of a live session become stale: one limit, or one for each runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleAfter {
    /// The limit where no other is given.
    pub default: Duration,
    /// Limits of single runtimes.
    pub runtimes: BTreeMap<RuntimeId, Duration>,
}

impl Default for StaleAfter {
    fn default() -> Self {
        Self { default: Duration::hours(24), runtimes: BTreeMap::new() }
    }
}

impl StaleAfter {
    /// The limit of a runtime.
    #[must_use]
    pub fn of(&self, runtime: RuntimeId) -> Duration {
        self.runtimes.get(&runtime).copied().unwrap_or(self.default)
    }
}

impl Serialize for StaleAfter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.runtimes.is_empty() {
            return self.default.serialize(serializer);
        }
        let default = (String::from("default"), self.default);
        let runtimes = self.runtimes.iter().map(|(runtime, limit)| (runtime.to_string(), *limit));
        serializer.collect_map(std::iter::once(default).chain(runtimes))
    }
}

impl<'de> Deserialize<'de> for StaleAfter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = StaleAfter;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a duration, or one for each runtime")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<StaleAfter, E> {
                let default = Duration::parse(text).ok_or_else(|| E::custom("not a duration"))?;
                Ok(StaleAfter { default, ..StaleAfter::default() })
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<StaleAfter, A::Error> {
                let mut limits = StaleAfter::default();
                while let Some((key, limit)) = entries.next_entry::<String, Duration>()? {
                    if key == "default" {
                        limits.default = limit;
                    } else {
                        let runtime = RuntimeId::of(&key).ok_or_else(|| A::Error::custom("not a runtime id"))?;
                        limits.runtimes.insert(runtime, limit);
                    }
                }
                Ok(limits)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl JsonSchema for StaleAfter {
    fn schema_name() -> Cow<'static, str> {
        "StaleAfter".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let duration = generator.subschema_for::<Duration>();
        let mut properties = serde_json::Map::new();
        properties.insert("default".into(), duration.clone().into());
        for runtime in RuntimeId::ALL {
            properties.insert(runtime.word().into(), duration.clone().into());
        }
        json_schema!({
            "type": ["string", "object"],
            "pattern": super::text::DURATION_PATTERN,
            "x-text": "duration",
            "properties": properties,
            "additionalProperties": false,
        })
    }
}

/// The level of a rule: one for all documents, or with exceptions by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLevel {
    /// The level where no path says otherwise; absent keeps the shipped one.
    pub level: Option<Level>,
    /// Levels by path glob.
    pub paths: BTreeMap<String, Level>,
}

impl Serialize for RuleLevel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Long<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            level: Option<Level>,
            paths: &'a BTreeMap<String, Level>,
        }
        match self.level {
            Some(level) if self.paths.is_empty() => level.serialize(serializer),
            level => Long { level, paths: &self.paths }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RuleLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = RuleLevel;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a level, or a mapping with level and paths")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<RuleLevel, E> {
                let level = Level::of(text).ok_or_else(|| E::custom("not a level"))?;
                Ok(RuleLevel { level: Some(level), paths: BTreeMap::new() })
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<RuleLevel, A::Error> {
                let mut rule = RuleLevel { level: None, paths: BTreeMap::new() };
                while let Some(key) = entries.next_key::<String>()? {
                    match key.as_str() {
                        "level" => rule.level = Some(entries.next_value()?),
                        "paths" => rule.paths = entries.next_value()?,
                        _ => return Err(A::Error::custom("neither level nor paths")),
                    }
                }
                Ok(rule)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl JsonSchema for RuleLevel {
    fn schema_name() -> Cow<'static, str> {
        "RuleLevel".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let level = generator.subschema_for::<Level>();
        let words: Vec<_> = Level::ALL.iter().map(|level| level.word()).collect();
        json_schema!({
            "type": ["string", "object"],
            "pattern": format!("^(?:{})$", words.join("|")),
            "x-word": "level",
            "properties": {
                "level": level,
                "paths": { "type": "object", "additionalProperties": level },
            },
            "additionalProperties": false,
        })
    }
}

/// What came of what a receipt records: the label of a decision, or the status of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The label of a decision, reward or act.
    Label(Id),
    /// The status of an effect.
    Status(Id),
}

impl Outcome {
    /// The word, whichever it is.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Label(word) | Self::Status(word) => word.as_str(),
        }
    }
}

impl JsonSchema for Outcome {
    fn schema_name() -> Cow<'static, str> {
        "Outcome".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let word = json_schema!({ "type": "string", "pattern": ID_PATTERN, "maxLength": ID_LIMIT });
        json_schema!({
            "type": "object",
            "properties": { "label": word, "status": word },
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
        })
    }
}
