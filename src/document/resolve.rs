//! What a plain scalar means: YAML 1.2 core schema for us, YAML 1.1 for some of those who read our files.

use super::{Key, Node, Scalar, Style, Value};

/// A scalar's meaning in the YAML 1.2 core schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolved {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of at most 64 bits.
    Integer(i64),
    /// A number that the 64-bit float of the same shortest digits stands for.
    Float(f64),
    /// A number by its form that neither of the two holds without a change: its text is all there is.
    Unheld,
    /// Text.
    Text,
}

/// Declares each ambiguity once, with what a reader makes of it.
macro_rules! ambiguities {
    ($($(#[$doc:meta])* $variant:ident, $reading:literal;)+) => {
        /// Why a plain scalar that is meant as text needs quotes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Ambiguity {
            $($(#[$doc])* $variant,)+
        }

        impl Ambiguity {
            /// What the reader makes of it, to follow "unquoted, this is ".
            #[must_use]
            pub const fn reading(self) -> &'static str {
                match self { $(Self::$variant => $reading,)+ }
            }
        }
    };
}

ambiguities! {
    /// `~`, `null`, nothing.
    Null, "null";
    /// `true`
    Boolean, "a boolean";
    /// `012`, `1e9`, `0o17`
    Number, "a number";
    /// `no`, `on`, `y`
    OldBoolean, "a boolean to YAML 1.1 readers";
    /// `1:30`, `1_000`, `0b1`
    OldNumber, "a number to YAML 1.1 readers";
    /// `2026-01-01`
    OldDate, "a date to YAML 1.1 readers";
    /// A whole RFC 3339 instant; fine in a field that holds a time.
    Timestamp, "a timestamp to YAML 1.1 readers";
    /// `=`, `<<`
    OldIndicator, "a special mark to YAML 1.1 readers";
}

impl Scalar {
    /// Resolves the scalar by the YAML 1.2 core schema; whatever is quoted is text.
    #[must_use]
    pub fn resolve(&self) -> Resolved {
        match self.style {
            Style::Plain => resolve(&self.text),
            Style::SingleQuoted | Style::DoubleQuoted | Style::Literal | Style::Folded => Resolved::Text,
        }
    }

    /// Why this scalar, meant as text, should be quoted.
    #[must_use]
    pub fn ambiguity(&self) -> Option<Ambiguity> {
        ambiguity(&self.text, self.style)
    }
}

impl Key {
    /// Why this key should be quoted.
    #[must_use]
    pub fn ambiguity(&self) -> Option<Ambiguity> {
        ambiguity(&self.text, self.style)
    }
}

impl Node {
    /// Whether the value is absent or null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.resolve() == Resolved::Null)
    }

    /// The value as JSON, numbers by the core schema.
    ///
    /// Nothing changes silently: a number that JSON's number types cannot hold (`1e999`, `.nan`, forty digits) stays
    /// the text it is in the file.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Resolved::Null => serde_json::Value::Null,
                Resolved::Bool(value) => value.into(),
                Resolved::Integer(value) => value.into(),
                Resolved::Float(value) => value.into(),
                Resolved::Unheld | Resolved::Text => (*scalar.text).into(),
            },
            Value::Sequence(items) => items.iter().map(Self::to_json).collect(),
            Value::Mapping(entries) => {
                entries.iter().map(|entry| (String::from(&*entry.key.text), entry.value.to_json())).collect()
            }
        }
    }
}

fn resolve(text: &str) -> Resolved {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "true" | "True" | "TRUE" => Resolved::Bool(true),
        "false" | "False" | "FALSE" => Resolved::Bool(false),
        _ if !begins_number(text) => Resolved::Text,
        _ => number(text),
    }
}

/// Whether a number or a date could begin so; nearly all texts are told from them by this.
fn begins_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
}

/// Whether a float's shortest digits are those that are written. Two writers may choose differently where a float lies
/// exactly between two equally short texts, so the choice of JSON writers counts too.
fn is_shortest(float: f64, written: &Decimal) -> bool {
    let of_json = serde_json::Number::from_f64(float).map(|number| number.to_string());
    let texts = [Some(format!("{float:e}")), of_json];
    texts.iter().flatten().any(|text| Decimal::read(text).as_ref() == Some(written))
}

fn number(text: &str) -> Resolved {
    let held = |integer: Result<i64, _>| integer.map_or(Resolved::Unheld, Resolved::Integer);
    let all = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    if let Some(octal) = text.strip_prefix("0o").filter(|digits| all(digits, 8)) {
        return held(i64::from_str_radix(octal, 8));
    }
    if let Some(hexadecimal) = text.strip_prefix("0x").filter(|digits| all(digits, 16)) {
        return held(i64::from_str_radix(hexadecimal, 16));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if all(unsigned, 10) {
        return held(text.parse());
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Resolved::Unheld;
    }
    match Decimal::read(unsigned) {
        None => Resolved::Text,
        Some(written) => match text.parse::<f64>() {
            Ok(float) if is_shortest(float.abs(), &written) => Resolved::Float(float),
            _ => Resolved::Unheld,
        },
    }
}

/// An unsigned decimal number by value: its digits without outer zeros, and the power of ten of the last one.
#[derive(PartialEq, Eq)]
struct Decimal {
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads `(. [0-9]+ | [0-9]+ (. [0-9]*)?) ([eE] [+-]? [0-9]+)?`.
    fn read(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                (mantissa, number.then(|| exponent.parse::<i32>().map_or(i64::from(i32::MAX), i64::from))?)
            }
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let trimmed = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - trimmed.len()).ok()?;
        let exponent = exponent - i64::try_from(fraction.len()).ok()? + dropped;
        let digits = trimmed.trim_start_matches('0');
        Some(Self { digits: digits.into(), exponent: if digits.is_empty() { 0 } else { exponent } })
    }
}

fn ambiguity(text: &str, style: Style) -> Option<Ambiguity> {
    if style != Style::Plain {
        return None;
    }
    match resolve(text) {
        Resolved::Null => Some(Ambiguity::Null),
        Resolved::Bool(_) => Some(Ambiguity::Boolean),
        Resolved::Integer(_) | Resolved::Float(_) | Resolved::Unheld => Some(Ambiguity::Number),
        Resolved::Text => old_reading(text),
    }
}

/// What a YAML 1.1 reader makes of a text, by the types of yaml.org/type and the habits of PyYAML.
fn old_reading(text: &str) -> Option<Ambiguity> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "n" | "N" | "no" | "No" | "NO" | "on" | "On" | "ON" | "off" | "Off"
        | "OFF" => Some(Ambiguity::OldBoolean),
        "=" | "<<" => Some(Ambiguity::OldIndicator),
        _ if !begins_number(text) => None,
        _ if is_old_number(text) => Some(Ambiguity::OldNumber),
        _ if is_rfc3339(text) => Some(Ambiguity::Timestamp),
        _ if is_old_date(text) => Some(Ambiguity::OldDate),
        _ => None,
    }
}

/// Binary, underscores between digits, base 60 (`1:30`, `1:30.5`).
fn is_old_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !begins_number(unsigned) {
        return false;
    }
    let joined = unsigned.replace('_', "");
    if let Some(digits) = joined.strip_prefix("0b") {
        return !digits.is_empty() && digits.bytes().all(|byte| matches!(byte, b'0' | b'1'));
    }
    let sexagesimal = || {
        let whole = joined.split_once('.').map_or(&*joined, |(whole, _)| whole);
        let mut places = whole.split(':');
        let number = |place: &str| !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit());
        let fraction = joined.split_once('.').is_none_or(|(_, rest)| rest.bytes().all(|byte| byte.is_ascii_digit()));
        whole.contains(':')
            && places.next().is_some_and(number)
            && places.all(|place| number(place) && place.parse::<u32>().is_ok_and(|place| place < 60))
            && fraction
    };
    let hidden = || joined.len() < unsigned.len() && resolve(&joined) != Resolved::Text;
    hidden() || sexagesimal()
}

/// `2026-01-01T09:30:00Z`, with an optional fraction of the second and any offset.
fn is_rfc3339(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let Some((time, rest)) = rest.split_at_checked(9) else { return false };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
            if offset.len() == fraction.len() {
                return false;
            }
            offset
        }
        None => rest,
    };
    fits(date, "0000-00-00")
        && (fits(time, "T00:00:00") || fits(time, "t00:00:00"))
        && (matches!(rest, "Z" | "z") || fits(rest, "+00:00") || fits(rest, "-00:00"))
}

/// Whether the text has a digit wherever the shape has `0`, and the shape's own character elsewhere.
pub fn fits(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text
            .bytes()
            .zip(shape.bytes())
            .all(|(byte, form)| if form == b'0' { byte.is_ascii_digit() } else { byte == form })
}

/// `2026-01-01` alone, or a date of YAML 1.1 followed by a time in one of its loose forms.
fn is_old_date(text: &str) -> bool {
    if fits(text, "0000-00-00") {
        return true;
    }
    let Some((date, time)) = text.split_once(['T', 't', ' ', '\t']) else { return false };
    let one_or_two = |part: &str| matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = date.split('-');
    let dated = parts.next().is_some_and(|year| fits(year, "0000"))
        && parts.next().is_some_and(one_or_two)
        && parts.next().is_some_and(one_or_two)
        && parts.next().is_none();
    let clock = |byte: u8| byte.is_ascii_digit() || b":.+- \tZ".contains(&byte);
    dated && time.contains(':') && time.bytes().all(clock)
}
