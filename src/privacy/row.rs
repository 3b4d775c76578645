//! One row of the table: what it refuses, how it is found, and examples that prove it.

use std::fmt::Write as _;
use std::ops::Range;

use super::class::Class;

/// One row of the privacy table.
#[derive(Debug)]
pub struct Row {
    /// The name of the row, unique within the table.
    pub id: &'static str,
    /// The kind of material; its rule id is what findings carry.
    pub class: Class,
    /// What is found, in a few words.
    pub what: &'static str,
    /// Where the shape is known from.
    pub source: &'static str,
    pub(super) find: Find,
    /// Texts that must be refused, as pieces that are joined when a test runs.
    pub(super) refused: &'static [&'static [Piece]],
    /// Texts that must pass.
    pub(super) clean: &'static [&'static [Piece]],
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Row {}

/// How a row finds its material.
#[derive(Debug)]
pub(super) enum Find {
    /// One of several fixed heads, then a tail.
    Token { heads: &'static [&'static str], tail: &'static [Piece] },
    /// A pattern that runs only where its gate was seen, and a check of each match.
    Pattern { gate: &'static str, pattern: &'static str, check: fn(&Sight<'_>) -> bool },
    /// A field name, judged by its words.
    FieldName,
}

/// A part of a shape or of an example.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    /// Exactly this text.
    Lit(&'static str),
    /// So many characters of an alphabet.
    Run(Alphabet, u16, u16),
}

/// A set of characters that tokens are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alphabet {
    /// What the reference calls it.
    pub(super) name: &'static str,
    /// The inside of a bracket expression.
    pub(super) members: &'static str,
    /// Members in a scrambled order, to build examples from.
    sample: &'static str,
}

pub(super) const ALNUM: Alphabet =
    Alphabet { name: "letters and digits", members: "A-Za-z0-9", sample: "k7Qz2mXw9RbT4vNc8LpJ" };
pub(super) const LETTERS: Alphabet = Alphabet { name: "letters", members: "A-Za-z", sample: "kQzmXwRbTvNcLpJhGs" };
pub(super) const LOWER_ALNUM: Alphabet =
    Alphabet { name: "lower-case letters and digits", members: "a-z0-9", sample: "k7qz2mxw9rbt4vnc8lpj" };
pub(super) const UPPER_ALNUM: Alphabet =
    Alphabet { name: "upper-case letters and digits", members: "A-Z0-9", sample: "K7QZ2MXW5RBT4VNC6LPJ" };
pub(super) const DIGITS: Alphabet = Alphabet { name: "digits", members: "0-9", sample: "7294186350" };
pub(super) const HEX: Alphabet = Alphabet { name: "hex digits", members: "a-f0-9", sample: "7c2f9a1e4b8d6035" };
pub(super) const BASE64: Alphabet =
    Alphabet { name: "base64 characters", members: "A-Za-z0-9+/", sample: "k7Qz2mX+w9RbT4vNc8/LpJ" };
pub(super) const URL64: Alphabet =
    Alphabet { name: "base64url characters", members: "A-Za-z0-9_-", sample: "k7Qz2mXw9RbT-4vNc8_LpJ" };

impl Piece {
    /// Adds this piece to a pattern.
    fn to_pattern(self, pattern: &mut String) {
        match self {
            Self::Lit(text) => pattern.push_str(&regex::escape(text)),
            Self::Run(alphabet, least, most) => {
                write!(pattern, "[{}]{{{least},{most}}}", alphabet.members).expect("writing to a string succeeds");
            }
        }
    }

    /// Adds an example of this piece.
    fn to_example(self, example: &mut String) {
        match self {
            Self::Lit(text) => example.push_str(text),
            Self::Run(alphabet, least, _) => example.extend(alphabet.sample.chars().cycle().take(usize::from(least))),
        }
    }
}

/// Joins the pieces of an example.
pub(super) fn joined(pieces: &[Piece]) -> String {
    let mut example = String::new();
    pieces.iter().for_each(|piece| piece.to_example(&mut example));
    example
}

impl Find {
    /// The cheap pattern that every match of this row contains.
    pub(super) fn gate(&self) -> Option<String> {
        match self {
            Self::Token { heads, .. } => Some(alternatives(heads)),
            Self::Pattern { gate, .. } => Some((*gate).to_owned()),
            Self::FieldName => None,
        }
    }

    /// The pattern of this row.
    pub(super) fn pattern(&self) -> Option<String> {
        match self {
            Self::Token { heads, tail } => {
                let mut pattern = alternatives(heads);
                tail.iter().for_each(|piece| piece.to_pattern(&mut pattern));
                Some(pattern)
            }
            Self::Pattern { pattern, .. } => Some((*pattern).to_owned()),
            Self::FieldName => None,
        }
    }

    /// Examples that follow from the shape alone.
    #[cfg(test)]
    pub(super) fn examples(&self) -> Vec<String> {
        match self {
            Self::Token { heads, tail } => heads.iter().map(|head| format!("{head}{}", joined(tail))).collect(),
            Self::Pattern { .. } | Self::FieldName => Vec::new(),
        }
    }

    /// Whether a match stands: the row's own check, and for tokens no neighbour that would make it another word.
    pub(super) fn stands(&self, sight: &Sight<'_>) -> bool {
        match self {
            Self::Token { tail, .. } => sight.starts_word() && sight.ends_run(tail),
            Self::Pattern { check, .. } => check(sight),
            Self::FieldName => false,
        }
    }
}

fn alternatives(heads: &[&str]) -> String {
    let escaped: Vec<String> = heads.iter().map(|head| regex::escape(head)).collect();
    format!("(?:{})", escaped.join("|"))
}

/// A match with what stands around it.
#[derive(Debug)]
pub(super) struct Sight<'a> {
    /// The whole text.
    pub(super) text: &'a [u8],
    /// The match.
    pub(super) range: Range<usize>,
    /// The first group of the pattern, else the match.
    pub(super) value: Range<usize>,
}

impl<'a> Sight<'a> {
    pub(super) fn value(&self) -> &'a [u8] {
        &self.text[self.value.clone()]
    }

    /// The byte before the match; a space at the start of the text.
    pub(super) fn before(&self) -> u8 {
        self.range.start.checked_sub(1).map_or(b' ', |at| self.text[at])
    }

    /// The byte behind the match; a space at the end of the text.
    pub(super) fn behind(&self) -> u8 {
        self.text.get(self.range.end).copied().unwrap_or(b' ')
    }

    fn starts_word(&self) -> bool {
        let first = self.text[self.range.start];
        !(first.is_ascii_alphanumeric() && self.before().is_ascii_alphanumeric())
    }

    fn ends_run(&self, tail: &[Piece]) -> bool {
        let behind = self.behind();
        match tail.last() {
            Some(Piece::Run(alphabet, ..)) if alphabet.members.contains('_') => {
                !(behind.is_ascii_alphanumeric() || behind == b'_' || behind == b'-')
            }
            Some(Piece::Run(..)) => !behind.is_ascii_alphanumeric(),
            Some(Piece::Lit(_)) | None => true,
        }
    }
}
