//! The schemas as a quick look reads them: borrowed from their generated text.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::vocabulary::Kind;

/// A part of a schema.
#[derive(Debug, PartialEq)]
pub(super) enum SchemaPart {
    Null,
    Flag(bool),
    Number(i64),
    Text(Cow<'static, str>),
    List(Vec<Self>),
    Object(Vec<(Cow<'static, str>, Self)>),
    /// What no look understands.
    Other,
}

/// The schema of a kind.
pub(super) fn known(kind: Kind) -> &'static SchemaPart {
    static SCHEMAS: [OnceLock<SchemaPart>; Kind::ALL.len()] = [const { OnceLock::new() }; Kind::ALL.len()];
    SCHEMAS[kind as usize].get_or_init(|| serde_json::from_str(kind.bare_schema()).expect("a test reads every one"))
}

impl SchemaPart {
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    pub(super) fn entries(&self) -> &[(Cow<'static, str>, Self)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Follows a reference from the root.
    pub(super) fn follow(&self, reference: &str) -> Option<&Self> {
        reference.strip_prefix("#/")?.split('/').try_fold(self, |place, name| place.get(name))
    }
}

impl<'de: 'static> Deserialize<'de> for SchemaPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de: 'static> Visitor<'de> for Reader {
    type Value = SchemaPart;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a schema")
    }

    fn visit_unit<E>(self) -> Result<SchemaPart, E> {
        Ok(SchemaPart::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<SchemaPart, E> {
        Ok(SchemaPart::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<SchemaPart, E> {
        Ok(SchemaPart::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<SchemaPart, E> {
        Ok(i64::try_from(number).map_or(SchemaPart::Other, SchemaPart::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<SchemaPart, E> {
        Ok(SchemaPart::Other)
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<SchemaPart, E> {
        Ok(SchemaPart::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<SchemaPart, E> {
        Ok(SchemaPart::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<SchemaPart, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(SchemaPart::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<SchemaPart, A::Error> {
        let mut object = Vec::new();
        while let Some((key, value)) = entries.next_entry::<SchemaPart, SchemaPart>()? {
            if let SchemaPart::Text(key) = key {
                object.push((key, value));
            }
        }
        Ok(SchemaPart::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::vocabulary::{Kind, bare_schema};

    #[test]
    fn what_is_known_of_each_kind_is_what_its_record_makes() {
        for kind in Kind::ALL {
            let known: Value = serde_json::from_str(kind.bare_schema()).expect("JSON");
            assert_eq!(known, bare_schema(*kind), "`SNAPSHOTS=overwrite cargo test` writes that of {kind:?}");
        }
    }
}
