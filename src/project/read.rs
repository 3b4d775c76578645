//! The text of `loopx project` as JSON values.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Why a stretch of the input is no JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct JsonFault {
    /// The line, from 1.
    pub line: usize,
    /// The byte in the line, from 1.
    pub column: usize,
    /// What is wrong there; never holds text of the input.
    pub message: String,
}

/// Reads one JSON value, or one after another as in JSON lines.
///
/// A value that can't be read is one [`JsonFault`]; reading goes on at the next line that is neither indented nor
/// closes something, so that a broken line hides no other one. An object that has a key twice is refused: nobody
/// knows which of the two counts.
#[must_use]
pub fn read(text: &str) -> Vec<Result<Value, JsonFault>> {
    let mut place = ReadPosition { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, column: 1 };
    let mut values = Vec::new();
    loop {
        place.skip(place.rest.len() - place.rest.trim_ascii_start().len());
        let mut stream = serde_json::Deserializer::from_str(place.rest).into_iter::<Strict>();
        let end = match stream.next() {
            None => return values,
            Some(Ok(Strict(value))) => {
                values.push(Ok(value));
                stream.byte_offset()
            }
            Some(Err(error)) => {
                values.push(Err(place.fault(&error)));
                next_value(place.rest)
            }
        };
        place.skip(end);
    }
}

/// Where the next value may begin, given that the one at the start is broken.
fn next_value(rest: &str) -> usize {
    let begins =
        |line: &str| line.starts_with(|first: char| !first.is_ascii_whitespace() && !matches!(first, '}' | ']'));
    rest.match_indices('\n').map(|(at, _)| at + 1).find(|at| begins(&rest[*at..])).unwrap_or(rest.len())
}

/// How far the text is read.
struct ReadPosition<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl ReadPosition<'_> {
    fn skip(&mut self, length: usize) {
        let (read, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += read.matches('\n').count();
        self.column = read.rfind('\n').map_or(self.column + length, |at| length - at);
    }

    /// The fault of the value that begins here.
    fn fault(&self, error: &serde_json::Error) -> JsonFault {
        let message = error.to_string();
        let place = message.rfind(" at line ").unwrap_or(message.len());
        let column = error.column().max(1);
        JsonFault {
            line: self.line + error.line().max(1) - 1,
            column: if error.line() <= 1 { self.column + column - 1 } else { column },
            message: message[..place].to_owned(),
        }
    }
}

/// A JSON value in which no object has a key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if values.contains_key(&key) {
                return Err(A::Error::custom("this object has a key twice"));
            }
            let Strict(value) = entries.next_value()?;
            values.insert(key, value);
        }
        Ok(values.into())
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn each_value_or_its_fault_stands_in_the_order_of_the_text() {
        let cases: [(&str, &[&str]); 13] = [
            ("", &[]),
            ("\u{feff} \r\n\t", &[]),
            ("{\n  \"a\": [1.5, -2, null]\n}\n", &[r#"{"a":[1.5,-2,null]}"#]),
            ("{\"a\":1}\r\n\r\n{\"b\":2}", &[r#"{"a":1}"#, r#"{"b":2}"#]),
            ("{\"a\":1} {\"b\":2}", &[r#"{"a":1}"#, r#"{"b":2}"#]),
            ("{\"a\":}\n{\"b\":2}", &["1:6: expected value", r#"{"b":2}"#]),
            ("{\"a\":1\n{\"b\":2}", &["2:1: expected `,` or `}`", r#"{"b":2}"#]),
            (
                "{\"a\":1}\nword\n[0\n{\"b\":2}",
                &[r#"{"a":1}"#, "2:1: expected value", "4:1: expected `,` or `]`", r#"{"b":2}"#],
            ),
            ("{\"a\":1},\n{\"b\":2}", &[r#"{"a":1}"#, "1:8: expected value", r#"{"b":2}"#]),
            ("{\n  \"a\": {\n    \"b\": x\n  }\n}\n", &["3:10: expected value"]),
            ("{\"a\":{\"b\":1,\"b\":2}}\n7", &["1:15: this object has a key twice", "7"]),
            ("{\"a\":\"open", &["1:10: EOF while parsing a string"]),
            ("{\"a\":1e999}", &["1:10: number out of range"]),
        ];
        for (text, expected) in cases {
            let read =
                read(text).into_iter().map(|value| value.map_or_else(|fault| fault.to_string(), |v| v.to_string()));
            assert_eq!(read.collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_a_fault() {
        let read = read(&"[".repeat(100_000));
        assert!(matches!(&read[..], [Err(fault)] if fault.message == "recursion limit exceeded"));
    }
}
