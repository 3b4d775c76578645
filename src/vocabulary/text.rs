//! The text types of documents. Their lengths keep transcripts out by shape (product.md 2).

use std::borrow::{Borrow, Cow};
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Longest label, in code points.
pub const LABEL_LIMIT: usize = 60;
/// Longest line, in code points.
pub const LINE_LIMIT: usize = 180;
/// Longest paragraph, in code points.
pub const PARAGRAPH_LIMIT: usize = 600;
/// Longest id, in code points.
pub const ID_LIMIT: usize = 120;
/// What an id looks like; a name that some systems reserve is refused by a rule of its own.
pub const ID_PATTERN: &str = "^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$";
/// A duration: a number with its unit.
pub const DURATION_PATTERN: &str = "^0{0,8}[1-9][0-9]{0,8}[smhd]$";
/// An instant: RFC 3339 with an offset.
pub const INSTANT_PATTERN: &str =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$";
/// The pattern of a SHA-256 digest in hex.
pub const DIGEST_PATTERN: &str = "^[0-9a-f]{64}$";
/// The pattern of a glob below the repository's root.
pub const GLOB_PATTERN: &str = "^[^\\s\\\\]+$";
/// What a todo may wait for.
pub const RESUME_PATTERN: &str = "^(?:todo_done:[A-Za-z0-9][A-Za-z0-9._-]*|pr_merged:(?:[A-Za-z0-9._-]+/[A-Za-z0-9._-]+)?#[0-9]+|capacity_available:[A-Za-z0-9][A-Za-z0-9._-]*)$";

/// Text that is not blank; the empty text has a fault of its own.
pub(super) const PARAGRAPH_PATTERN: &str = "^$|[^\\s]";
/// One line that is not blank; the empty text has a fault of its own.
pub(super) const ONE_LINE: &str = "^(?:[^\\r\\n]*[^\\s][^\\r\\n]*)?$";

/// Declares one text type: a newtype over text with its schema.
macro_rules! text {
    ($(#[doc = $doc:literal])+ $name:ident, $schema:tt) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Box<str>);

        impl $name {
            /// Takes text that the schema has already judged, or that the program made.
            #[must_use]
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }
            /// Returns the text as a string slice.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(&self.0)
            }
        }
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

text!(
    /// A short name on one line.
    Label,
    { "type": "string", "minLength": 1, "maxLength": LABEL_LIMIT, "pattern": ONE_LINE, "x-text": "label" }
);
text!(
    /// One sentence on one line.
    Line,
    { "type": "string", "minLength": 1, "maxLength": LINE_LIMIT, "pattern": ONE_LINE, "x-text": "line" }
);
text!(
    /// A few sentences; nothing longer exists.
    Paragraph,
    { "type": "string", "minLength": 1, "maxLength": PARAGRAPH_LIMIT, "pattern": PARAGRAPH_PATTERN, "x-text": "paragraph" }
);
text!(
    /// The id of an entity or an actor.
    Id,
    { "type": "string", "minLength": 1, "maxLength": ID_LIMIT, "pattern": ID_PATTERN, "x-text": "id" }
);
text!(
    /// A glob below the repository's root, with `/` between folders.
    Glob,
    { "type": "string", "minLength": 1, "maxLength": LINE_LIMIT, "pattern": GLOB_PATTERN, "x-text": "glob" }
);
text!(
    /// A SHA-256 in lower-case hex.
    Digest,
    { "type": "string", "pattern": DIGEST_PATTERN, "x-text": "digest" }
);
text!(
    /// What a todo waits for: `todo_done:ID`, `pr_merged:[OWNER/REPO]#N` or `capacity_available:CAP`.
    ResumeWhen,
    { "type": "string", "maxLength": LINE_LIMIT, "pattern": RESUME_PATTERN, "x-text": "resume" }
);

impl ResumeWhen {
    /// The todo this waits for, when it waits for one.
    #[must_use]
    pub fn todo(&self) -> Option<&str> {
        self.0.strip_prefix("todo_done:")
    }

    /// Whether this waits for a pull request, which no fact of a host can settle.
    #[must_use]
    pub fn is_pull_request(&self) -> bool {
        self.0.starts_with("pr_merged:")
    }
}
