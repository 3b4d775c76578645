//! Instants and durations. Instants are compared, never their text (product.md 9).

use std::borrow::Cow;
use std::fmt;

use jiff::{SignedDuration, Timestamp};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::text::{DURATION_PATTERN, INSTANT_PATTERN};

/// How far the clocks of two machines may differ: what is dated further ahead does not count yet.
pub const CLOCK_TOLERANCE: Duration = Duration::seconds(300);

/// A moment, from RFC 3339 text with an offset; written in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Timestamp);

impl Instant {
    /// Creates an instant from a timestamp.
    #[must_use]
    pub const fn new(timestamp: Timestamp) -> Self {
        Self(timestamp)
    }

    /// Reads RFC 3339 text with an offset.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    /// Returns the instant as a timestamp.
    #[must_use]
    pub const fn timestamp(self) -> Timestamp {
        self.0
    }

    /// The moment a duration later; the last possible moment when that is out of range.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.signed()).unwrap_or(Timestamp::MAX))
    }

    /// The instant that lies so long before this one.
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(duration.signed()).unwrap_or(Timestamp::MIN))
    }

    /// Whether this is dated so far ahead of `as_of` that it does not count yet (law 11).
    #[must_use]
    pub fn is_ahead_of(self, as_of: Self) -> bool {
        self > as_of.after(CLOCK_TOLERANCE)
    }

    /// The first moment that can be told from this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(SignedDuration::from_nanos(1)).unwrap_or(Timestamp::MAX))
    }

    /// The first whole second that is not before this moment, for people to read.
    #[must_use]
    pub fn in_whole_seconds(self) -> Self {
        let more = i64::from(self.0.subsec_nanosecond() > 0);
        Timestamp::from_second(self.0.as_second() + more).map_or(self, Self)
    }

    /// How long ago `earlier` was; zero when it lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        let seconds = self.0.duration_since(earlier.0).as_secs();
        Duration(u64::try_from(seconds).unwrap_or(0))
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not a moment that exists: use RFC 3339 with an offset"))
    }
}

impl JsonSchema for Instant {
    fn schema_name() -> Cow<'static, str> {
        "Instant".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": INSTANT_PATTERN,
            "description": "RFC 3339 with an offset, such as 2026-03-07T09:41:00Z",
            "x-text": "time",
        })
    }
}

/// A length of time in whole seconds, from text such as `24h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Duration {
    /// A duration of whole seconds.
    #[must_use]
    pub const fn seconds(seconds: u64) -> Self {
        Self(seconds)
    }

    /// A duration of whole hours.
    #[must_use]
    pub const fn hours(hours: u64) -> Self {
        Self(hours * 3600)
    }

    /// Returns the length in whole seconds.
    #[must_use]
    pub const fn as_seconds(self) -> u64 {
        self.0
    }

    /// Reads a number above zero with `s`, `m`, `h` or `d`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let unit = text.chars().next_back()?;
        let factor = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return None,
        };
        let number = &text[..text.len() - unit.len_utf8()];
        number.parse::<u64>().ok()?.checked_mul(factor).filter(|seconds| *seconds > 0).map(Self)
    }

    fn signed(self) -> SignedDuration {
        SignedDuration::from_secs(i64::try_from(self.0).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = match self.0 {
            seconds if seconds % 3_600 == 0 => (seconds / 3_600, "h"),
            seconds if seconds % 60 == 0 => (seconds / 60, "m"),
            seconds => (seconds, "s"),
        };
        write!(formatter, "{number}{unit}")
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not a duration: use a number with s, m, h or d"))
    }
}

impl JsonSchema for Duration {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": DURATION_PATTERN,
            "description": "A number with s, m, h or d, such as 24h",
            "x-text": "duration",
        })
    }
}
