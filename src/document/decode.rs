//! Typed records from the tree.
//!
//! Unlike a decoder of JSON, this one knows what the record wants before it reads the scalar: text takes the characters
//! of the file, so that `012` stays `012` and a digest of digits keeps them all.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, Error as _, Expected, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::{Entry, Node, Resolved, Span, Value};

/// Why a tree is not the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeFault {
    /// The innermost value that does not fit.
    pub span: Span,
    /// What does not fit, as a lowercase fragment. It names types and fields of the record, never the value, unless a
    /// record's own `Deserialize` puts it there.
    pub message: String,
}

/// Decodes a located tree into one typed record.
///
/// # Errors
///
/// The first value that does not fit the type.
pub fn decode<T: DeserializeOwned>(node: &Node) -> Result<T, DecodeFault> {
    T::deserialize(NodeReader(node)).map_err(|refused| refused.at(node.span).into())
}

/// A fault whose place is known once the innermost reader has seen it.
#[derive(Debug)]
struct Refused {
    span: Option<Span>,
    message: String,
}

impl Refused {
    /// Gives the fault its place unless a reader further in has.
    fn at(self, span: Span) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl From<Refused> for DecodeFault {
    fn from(refused: Refused) -> Self {
        Self { span: refused.span.unwrap_or_default(), message: refused.message }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

/// Serde's own messages, less the value that they would quote.
impl de::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { span: None, message: message.to_string() }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {expected}"))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {expected}"))
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("expected one of {}", expected.join(", ")))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown key, expected one of {}", expected.join(", ")))
    }
}

struct NodeReader<'n>(&'n Node);

impl<'n> NodeReader<'n> {
    fn text(&self, expected: &'static str) -> Result<&'n str, Refused> {
        self.0.text().ok_or_else(|| Refused::invalid_type(Unexpected::Unit, &expected))
    }

    fn items<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Refused> {
        let mut access = Items(self.0.items().iter());
        let value = visitor.visit_seq(&mut access)?;
        match access.0.len() {
            0 => Ok(value),
            _ => Err(Refused::custom("expected fewer items")),
        }
    }

    fn entries<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_map(Entries { entries: self.0.entries().iter(), value: None })
    }
}

impl<'de> Deserializer<'de> for NodeReader<'_> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let value = match &self.0.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Resolved::Null => visitor.visit_unit(),
                Resolved::Bool(value) => visitor.visit_bool(value),
                Resolved::Integer(value) => visitor.visit_i64(value),
                Resolved::Float(value) => visitor.visit_f64(value),
                Resolved::Unheld | Resolved::Text => visitor.visit_str(&scalar.text),
            },
            Value::Sequence(_) => self.items(visitor),
            Value::Mapping(_) => self.entries(visitor),
        };
        value.map_err(|refused: Refused| refused.at(self.0.span))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let value = self.text("text").and_then(|text| visitor.visit_str(text));
        value.map_err(|refused| refused.at(self.0.span))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let span = self.0.span;
        let value = match &self.0.value {
            Value::Scalar(scalar) => visitor.visit_enum(StrDeserializer::new(&scalar.text)),
            Value::Mapping(entries) if entries.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(Entries { entries: entries.iter(), value: None }))
            }
            Value::Mapping(_) | Value::Sequence(_) => Err(Refused::custom("expected a word or one key")),
        };
        value.map_err(|refused: Refused| refused.at(span))
    }

    /// A record is a mapping; serde's visitors would take a sequence in the order of the fields too.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match &self.0.value {
            Value::Mapping(_) => self.deserialize_any(visitor),
            Value::Scalar(_) | Value::Sequence(_) => {
                Err(Refused::invalid_type(Unexpected::Other("no mapping"), &visitor).at(self.0.span))
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.deserialize_map(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 bytes byte_buf unit unit_struct seq tuple tuple_struct
        identifier
    }
}

/// A key is text, whatever it looks like; identifiers are newtypes around it.
struct KeyReader<'n>(&'n str);

impl<'de> Deserializer<'de> for KeyReader<'_> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_enum(StrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'n>(std::slice::Iter<'n, Node>);

impl<'de> de::SeqAccess<'de> for Items<'_> {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        self.0
            .next()
            .map(|node| seed.deserialize(NodeReader(node)).map_err(|refused| refused.at(node.span)))
            .transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Entries<'n> {
    entries: std::slice::Iter<'n, Entry>,
    value: Option<&'n Node>,
}

impl<'de> de::MapAccess<'de> for Entries<'_> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(&entry.value);
        seed.deserialize(KeyReader(&entry.key.text)).map(Some).map_err(|refused| refused.at(entry.key.span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let node = self.value.take().ok_or_else(|| Refused::custom("a value was asked for before its key"))?;
        seed.deserialize(NodeReader(node)).map_err(|refused| refused.at(node.span))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}
