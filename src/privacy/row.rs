//! One row of the table: what it refuses, how it is found, and examples that prove it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use super::class::{Class, Joins};
use super::field;
use super::shape::Shape;
use super::sight::Sight;
use super::wall::Policy;

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

impl Row {
    /// In which split texts this row is searched too.
    pub(super) fn joins(&self) -> Joins {
        // Other rows tell a person by a word with a number behind it, and neighbours often are such.
        const SPLIT_DATA: [&str; 4] = ["mail-address", "international-phone", "american-phone", "bank-account"];
        if self.class == Class::PersonalData && !SPLIT_DATA.contains(&self.id) {
            return Joins::Nothing;
        }
        self.class.joins()
    }

    /// Texts that must be refused, joined now: write them nowhere.
    pub fn refused_examples(&self) -> impl Iterator<Item = String> {
        let (heads, tail): (&[&str], &[Piece]) = match self.find {
            Find::Token { heads, tail } => (heads, tail),
            _ => (&[], &[]),
        };
        let of_shape = heads.iter().map(|head| format!("{head}{}", joined(tail)));
        of_shape.chain(self.refused.iter().map(|pieces| joined(pieces)))
    }

    /// Texts that must pass.
    pub fn clean_examples(&self) -> impl Iterator<Item = String> {
        self.clean.iter().map(|pieces| joined(pieces))
    }
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
    Pattern { gate: Gate, pattern: &'static str, check: fn(&Sight<'_>) -> bool },
    /// A look at the whole text where the gate was seen.
    Look { gate: Gate, look: Look },
    /// A look at texts that hold more than printable ASCII.
    Foreign(Look),
    /// The same, but for bytes that were decoded: they may be no text at all.
    Written(Look),
    /// A look at texts that hold long runs of encoded characters.
    Encoded(Look),
    /// Tickets with one of the prefixes of the policy.
    TicketPrefixes,
    /// Hosts that the policy names.
    PrivateHosts,
    /// Names of fields, by their words.
    FieldName,
    /// What other parts of the wall report under this row.
    Elsewhere,
}

/// What every match of a row contains; the row is tried only on texts that contain it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gate {
    /// One of some words in lower case; the text may write them in any case.
    Words(&'static [&'static str]),
    /// One of some words as above, in a text of which a quick look says that a match is possible at all: everyday
    /// documents hold such words, and to compile a pattern for them costs more than to read them.
    Likely(&'static [&'static str], fn(&[u8]) -> bool),
    /// A small shape, for material that has no word.
    Shape(Shape),
    /// What a line of the material may begin with, behind its marks.
    Line(fn(&[u8]) -> bool),
}

/// Lists what is refused in a text.
pub(super) type Look = fn(&str) -> Vec<Range<usize>>;

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
pub(super) const HEX_ANY: Alphabet =
    Alphabet { name: "hex digits of either case", members: "A-Fa-f0-9", sample: "7c2F9a1E4b8D6035" };
pub(super) const BASE64: Alphabet =
    Alphabet { name: "base64 characters", members: "A-Za-z0-9+/", sample: "k7Qz2mX+w9RbT4vNc8/LpJ" };
pub(super) const URL64: Alphabet =
    Alphabet { name: "base64url characters", members: "A-Za-z0-9_-", sample: "k7Qz2mXw9RbT-4vNc8_LpJ" };

/// Up to this length runs are counted.
const LONGEST_COUNTED: u16 = 80;

impl Piece {
    /// Adds this piece to a pattern.
    fn to_pattern(self, pattern: &mut String) {
        match self {
            Self::Lit(text) => pattern.push_str(&regex::escape(text)),
            Self::Run(alphabet, least, most) => {
                // A long counted run makes a large automaton; what is so long is refused however long it is.
                let most = if most > LONGEST_COUNTED { String::new() } else { most.to_string() };
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
    /// What every match contains, for rows that run only where it was seen.
    pub(super) fn gate(&self) -> Option<&Gate> {
        match self {
            Self::Pattern { gate, .. } | Self::Look { gate, .. } => Some(gate),
            _ => None,
        }
    }

    /// The words of which every match contains one; none for rows whose gate is a shape.
    pub(super) fn words<'a>(&self, policy: &'a Policy) -> Box<dyn Iterator<Item = Cow<'static, str>> + 'a> {
        let fixed = |words: &'static [&'static str]| Box::new(words.iter().map(|word| Cow::Borrowed(*word)));
        match self {
            Self::Token { heads, .. } => fixed(heads),
            Self::TicketPrefixes => Box::new(policy.ticket_words().map(|word| Cow::Owned(word.to_owned()))),
            Self::PrivateHosts => Box::new(policy.host_words().map(|word| Cow::Owned(word.to_owned()))),
            Self::FieldName => Box::new(field::words_of_refused_names().map(Cow::Borrowed)),
            _ => match self.gate() {
                Some(Gate::Words(words) | Gate::Likely(words, _)) => fixed(words),
                _ => Box::new(std::iter::empty()),
            },
        }
    }

    /// Whether a match is possible in a text whose gate opened.
    pub(super) fn is_likely(&self, text: &[u8]) -> bool {
        match self.gate() {
            Some(Gate::Likely(_, is_likely)) => is_likely(text),
            _ => true,
        }
    }

    /// The pattern of this row; nothing for rows that look at the whole text, or that the policy fills.
    pub(super) fn pattern(&self) -> Option<String> {
        match self {
            Self::Token { heads, tail } => {
                let mut pattern = alternatives(heads.iter().copied());
                tail.iter().for_each(|piece| piece.to_pattern(&mut pattern));
                Some(pattern)
            }
            Self::Pattern { pattern, .. } => Some((*pattern).to_owned()),
            _ => None,
        }
    }

    /// The pattern of a row that the policy fills.
    pub(super) fn pattern_of(&self, policy: &Policy) -> Option<String> {
        match self {
            Self::TicketPrefixes => policy.tickets(),
            Self::PrivateHosts => policy.hosts(),
            _ => None,
        }
    }

    /// Whether a match stands: the row's own check, and for tokens no neighbour that would make it another word.
    pub(super) fn stands(&self, sight: &Sight<'_>) -> bool {
        match self {
            Self::Token { tail, .. } => sight.starts_word() && sight.ends_run(tail) && !is_made_up(sight.matched()),
            Self::Pattern { check, .. } => check(sight),
            Self::TicketPrefixes | Self::PrivateHosts => sight.starts_word() && !sight.behind().is_ascii_alphanumeric(),
            Self::Look { .. }
            | Self::Foreign(_)
            | Self::Written(_)
            | Self::Encoded(_)
            | Self::FieldName
            | Self::Elsewhere => false,
        }
    }
}

/// An alternation of literal texts.
pub(super) fn alternatives<'a>(heads: impl Iterator<Item = &'a str>) -> String {
    let escaped: Vec<String> = heads.map(regex::escape).collect();
    format!("(?:{})", escaped.join("|"))
}

/// Whether a token is somebody's stand-in: a vendor's documented example, or one character over and over.
fn is_made_up(token: &[u8]) -> bool {
    let repeats = |length: usize| token.windows(length).any(|part| part.iter().all(|byte| *byte == part[0]));
    repeats(token.len().div_ceil(2).max(16)) || token.windows(7).any(|part| part.eq_ignore_ascii_case(b"example"))
}
