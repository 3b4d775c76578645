//! What can be wrong with the text of a file, before any key means anything.

use std::borrow::Cow;

use super::Span;

/// The largest file that is read; the next byte is refused.
pub const MAX_BYTES: usize = 256 * 1024;

/// The most collections inside one another, the root included.
pub const MAX_DEPTH: usize = 64;

/// The most keys and values in one file, so that even a file of nothing but brackets is judged in a blink.
pub const MAX_NODES: usize = 32 * 1024;

/// The most problems that are listed of one file; a file with more is read no further.
pub const MAX_PROBLEMS: usize = 1000;

/// Declares every fault once: its variant, stable name, message and help.
macro_rules! faults {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $message:literal, $help:literal;)+) => {
        /// One kind of fault of a file's text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault {
            $($(#[$doc])* $variant,)+
        }

        impl Fault {
            /// Every fault, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The stable kebab-case name, the part behind `yaml/` in the rule's id.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The id of the rule that reports it.
            #[must_use]
            pub const fn rule(self) -> &'static str {
                match self { $(Self::$variant => concat!("yaml/", $name),)+ }
            }

            /// What is wrong, as a lowercase fragment that quotes nothing from the file.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }

            /// What to do about it, as an imperative fragment.
            #[must_use]
            pub const fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)+ }
            }
        }
    };
}

faults! {
    /// The text follows neither grammar; reading stops here.
    Syntax, "syntax", "the file does not parse", "mend the text at this place";
    /// A key stands twice in one mapping.
    DuplicateKey, "duplicate-key", "this key stands twice in one mapping", "keep one of the two; after a merge git may have taken one from each side";
    /// `title: a: b`, `title: {{ name }}`
    NeedsQuotes, "needs-quotes", "YAML does not read this as one text", "quote the value";
    /// `&name`
    Anchor, "anchor", "anchors are not read", "write the value out where it is needed";
    /// `*name`
    Alias, "alias", "aliases are not read", "write the value out";
    /// `<<`
    MergeKey, "merge-key", "merge keys are not read", "write the merged keys out";
    /// `!name`
    Tag, "tag", "tags are not read", "remove the tag; quote the value if it is text";
    /// A 65th collection inside 64 others.
    Nesting, "nesting", "nested deeper than 64 levels", "flatten the value";
    /// More than 256 KiB, or more than 32,768 keys and values.
    TooLarge, "too-large", "the file is larger than 256 KiB", "split it, or keep only a summary";
    /// A second `---`.
    SecondDocument, "second-document", "a second document begins here", "put each document into its own file";
    /// `%YAML`, `%TAG`
    Directive, "directive", "directives are not read", "remove the line";
    /// Bytes that are no UTF-8.
    NotUtf8, "not-utf8", "the bytes here are not UTF-8", "save the file as UTF-8";
    /// NUL and its like, line breaks that only some readers see, a byte-order mark inside the text.
    ControlCharacter, "control-character", "an invisible control character", "remove it, or escape it in double quotes";
    /// A tab where only spaces indent.
    TabIndentation, "tab-indentation", "a tab is used as indentation", "indent with spaces";
    /// A line that an unfinished git merge left behind.
    ConflictMarker, "conflict-marker", "a git conflict marker", "finish the merge and remove the marker";
    /// A byte-order mark before the text; a note, since the rest reads as if it were absent.
    ByteOrderMark, "byte-order-mark", "the file begins with a byte-order mark", "save the file without it";
    /// A key that is a collection, absent, or written with `?`.
    ComplexKey, "complex-key", "a key must be one line of text before its colon", "write `key: value`";
}

impl Fault {
    /// Whether the file is read all the same.
    #[must_use]
    pub const fn is_note(self) -> bool {
        matches!(self, Self::ByteOrderMark)
    }
}

/// One fault at one place. It never holds text of the file, which may be secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What.
    pub fault: Fault,
    /// The other place, such as the first of two equal keys.
    pub also: Option<Span>,
    /// The reader's own words, finer than the fault's message.
    pub detail: Option<Cow<'static, str>>,
}

impl Problem {
    pub(super) fn new(fault: Fault, span: Span) -> Self {
        Self { span, fault, also: None, detail: None }
    }

    pub(super) fn syntax(span: Span, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { detail: Some(detail.into()), ..Self::new(Fault::Syntax, span) }
    }

    /// The problem of a file that holds more than [`MAX_NODES`] keys and values.
    pub(super) fn too_many(span: Span) -> Self {
        Self {
            detail: Some("the file holds more than 32,768 keys and values".into()),
            ..Self::new(Fault::TooLarge, span)
        }
    }

    /// The problem of a file that is refused by its length alone, so that it need not be read.
    #[must_use]
    pub fn too_large() -> Self {
        Self::new(Fault::TooLarge, Span::default())
    }

    /// What is wrong, as a lowercase fragment.
    #[must_use]
    pub fn message(&self) -> &str {
        self.detail.as_deref().unwrap_or(self.fault.message())
    }
}

/// Whether a character must be escaped to stand in a file; a tab and the line ends are for the caller to judge.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}
