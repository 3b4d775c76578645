//! Reads the allow-listed keys of a JSON payload and nothing else.
//!
//! Every other value is skipped without being built: it never becomes a string of this program.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// What is read of one value.
#[derive(Debug, Clone, Copy)]
pub(super) enum WantedValue {
    /// Its text.
    Text,
    /// Whether it is true.
    Flag,
    /// Its whole number.
    Number,
    /// Only that it is there.
    Presence,
    /// Whether it is a list with items.
    Items,
    /// These keys of an object.
    Object(&'static [AllowedKey]),
    /// These keys of each object of a list.
    Each(&'static [AllowedKey]),
}

/// One allow-listed key.
pub(super) type AllowedKey = (&'static str, WantedValue);

/// What was read of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Picked {
    Text(String),
    Flag(bool),
    Number(i64),
    /// There, and not more is known: another type than wanted, or more than one under the same key.
    Present,
    /// A list; whether it has items.
    List(bool),
    /// The objects of a list.
    Each(Vec<Self>),
    Null,
    Object(BTreeMap<&'static str, Self>),
}

impl Picked {
    /// The value at a route of keys.
    pub(super) fn at(&self, route: &[&str]) -> Option<&Self> {
        route.iter().try_fold(self, |value, key| match value {
            Self::Object(entries) => entries.get::<str>(key),
            _ => None,
        })
    }

    pub(super) fn text(&self, route: &[&str]) -> Option<&str> {
        match self.at(route)? {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a key is there with anything but null.
    pub(super) fn has(&self, route: &[&str]) -> bool {
        self.at(route).is_some_and(|value| *value != Self::Null)
    }
}

/// Reads the wanted keys of one JSON object; `None` when it is none, or anything follows it.
pub(super) fn pick(bytes: &[u8], keys: &'static [AllowedKey]) -> Option<Picked> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let picked = Pick(WantedValue::Object(keys)).deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    matches!(picked, Picked::Object(_)).then_some(picked)
}

/// Reads one value as far as it is wanted.
struct Pick(WantedValue);

impl<'de> DeserializeSeed<'de> for Pick {
    type Value = Picked;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Picked, D::Error> {
        match self.0 {
            // Without `deserialize_any` the value is skipped, whatever it is.
            WantedValue::Presence => {
                let value: Option<IgnoredAny> = Option::deserialize(deserializer)?;
                Ok(value.map_or(Picked::Null, |_| Picked::Present))
            }
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Pick {
    type Value = Picked;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Picked, E> {
        Ok(Picked::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Picked, E> {
        Ok(Picked::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Picked, E> {
        Ok(i64::try_from(value).map_or(Picked::Present, Picked::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Picked, E> {
        Ok(Picked::Present)
    }

    fn visit_str<E>(self, value: &str) -> Result<Picked, E> {
        Ok(if matches!(self.0, WantedValue::Text) { Picked::Text(value.to_owned()) } else { Picked::Present })
    }

    fn visit_unit<E>(self) -> Result<Picked, E> {
        Ok(Picked::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Picked, A::Error> {
        if let WantedValue::Each(keys) = self.0 {
            let mut all = Vec::new();
            while let Some(item) = items.next_element_seed(Self(WantedValue::Object(keys)))? {
                all.push(item);
            }
            return Ok(Picked::Each(all));
        }
        let mut has_items = false;
        while items.next_element::<IgnoredAny>()?.is_some() {
            has_items = true;
        }
        Ok(if matches!(self.0, WantedValue::Items) { Picked::List(has_items) } else { Picked::Present })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Picked, A::Error> {
        let WantedValue::Object(keys) = self.0 else {
            while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Picked::Present);
        };
        let mut picked = BTreeMap::new();
        while let Some(known) = entries.next_key_seed(KnownKey(keys))? {
            let Some((name, wanted)) = known else {
                entries.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = entries.next_value_seed(Self(*wanted))?;
            // Of two values under one key nobody can say which counts.
            picked.entry(*name).and_modify(|value| *value = Picked::Present).or_insert(value);
        }
        Ok(Picked::Object(picked))
    }
}

/// Finds the row of a key without keeping an unknown one.
struct KnownKey(&'static [AllowedKey]);

impl<'de> DeserializeSeed<'de> for KnownKey {
    type Value = Option<&'static AllowedKey>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KnownKey {
    type Value = Option<&'static AllowedKey>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|(name, _)| *name == key))
    }
}
