//! One foreign member, read by closed lists of keys; and how its values become text.

use jiff::Timestamp;
use serde_json::{Map, Number, Value};

/// When something happened. Instants are compared as instants; whatever is no RFC 3339 time with an offset is
/// compared as text and is older than every instant.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MemberTime {
    Text(String),
    Instant(Timestamp),
}

/// One member of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Member<'a> {
    /// The value of a key; null when it is absent.
    pub(super) fn get(self, key: &str) -> &'a Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }

    /// Whether the value of a key counts as true, as [`truthy`] says.
    pub(super) fn has(self, key: &str) -> bool {
        truthy(self.get(key))
    }

    /// The first true value among keys.
    pub(super) fn first_true(self, keys: &[&str]) -> &'a Value {
        keys.iter().map(|key| self.get(key)).find(|value| truthy(value)).unwrap_or(&Value::Null)
    }

    /// Whether one of the keys holds a text that is not blank.
    pub(super) fn has_text(self, keys: &[&str]) -> bool {
        keys.iter().any(|key| scalar_text(self.get(key)).is_some_and(|text| !text.trim_matches(is_space).is_empty()))
    }

    /// The words of keys, trimmed and in lower case. A blank one says nothing, so that it hides no later key.
    pub(super) fn words<'k>(self, keys: &'k [&str]) -> impl Iterator<Item = String> + use<'a, 'k> {
        keys.iter()
            .map(move |key| self.get(key))
            .filter(|value| truthy(value))
            .filter_map(scalar_text)
            .map(|word| word.trim_matches(is_space).to_lowercase())
            .filter(|word| !word.is_empty())
    }

    /// The first word among keys, or the empty one.
    pub(super) fn word(self, keys: &[&str]) -> String {
        self.words(keys).next().unwrap_or_default()
    }

    /// The time of the member as the host wrote it, or the empty text.
    pub(super) fn time(self) -> String {
        scalar_text(self.first_true(&["created_at", "event_at", "updated_at", "timestamp"])).unwrap_or_default()
    }

    /// When the member happened.
    pub(super) fn moment(self) -> MemberTime {
        let time = self.time();
        time.parse().map_or(MemberTime::Text(time), MemberTime::Instant)
    }
}

/// Whether a value counts as true: it is not null, false, zero or empty. The text `false` does.
pub(super) fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
    }
}

/// The text of a scalar. Null and false say nothing. A list or an object is no compact summary: its text would
/// carry keys and values that nobody looked at.
pub(super) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) | Value::Array(_) | Value::Object(_) => None,
        Value::Bool(true) => Some("True".to_owned()),
        Value::Number(number) => Some(number_text(number)),
        Value::String(text) => Some(text.clone()),
    }
}

/// A text with each run of white space as one space; nothing when nothing else is there.
pub(super) fn collapsed(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Cuts a collapsed text to `limit` code points. A longer one keeps `limit - 1`, without a space at the end, and
/// gets three dots.
pub(super) fn bounded(text: String, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text;
    }
    let kept: String = text.chars().take(limit - 1).collect();
    format!("{}...", kept.trim_end_matches(is_space))
}

/// White space as the builder knows it: Unicode's, and the four information separators.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// A number as the builder prints it: the shortest digits that read back the same, with an exponent of at least
/// two digits below 1e-4 and from 1e16 on.
fn number_text(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        return number.to_string();
    };
    let scientific = format!("{float:e}");
    match scientific.split_once('e').map(|(digits, exponent)| (digits, exponent.parse::<i32>())) {
        Some((digits, Ok(exponent))) if !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ if float.fract() == 0.0 => format!("{float:.1}"),
        _ => float.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, number_text};
    use serde_json::{Number, json};

    #[test]
    fn numbers_print_as_the_builder_prints_them() {
        let cases = [
            (1.0, "1.0"),
            (-0.5, "-0.5"),
            (123_456.75, "123456.75"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e100, "1.25e+100"),
        ];
        for (float, expected) in cases {
            assert_eq!(number_text(&Number::from_f64(float).expect("is finite")), expected);
        }
        assert_eq!(number_text(&Number::from(u64::MAX)), u64::MAX.to_string());
    }

    #[test]
    fn instants_are_compared_as_instants_and_are_newer_than_anything_else() {
        let ordered = [
            "",
            "2026-01-01",
            "yesterday",
            "2026-01-01T11:00:00+08:00",
            "2026-01-01T10:00:00Z",
            "2026-01-01T10:00:00.5Z",
        ];
        let members = ordered.map(|time| json!({"created_at": time}));
        let moments = members.iter().map(|member| Member(member.as_object().expect("is an object")).moment());
        assert!(moments.is_sorted_by(|left, right| left < right));
    }
}
