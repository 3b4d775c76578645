//! The pieces that token shapes and examples are made of.

use std::fmt::Write as _;

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
pub(super) const LOWER: Alphabet =
    Alphabet { name: "lower-case letters and digits", members: "a-z0-9", sample: "k7qz2mxw9rbt4vnc8lpj" };
pub(super) const UPPER: Alphabet =
    Alphabet { name: "upper-case letters and digits", members: "A-Z0-9", sample: "K7QZ2MXW5RBT4VNC6LPJ" };
pub(super) const DIGITS: Alphabet = Alphabet { name: "digits", members: "0-9", sample: "7294186350" };
pub(super) const HEX: Alphabet = Alphabet { name: "hex digits", members: "a-f0-9", sample: "7c2f9a1e4b8d6035" };
pub(super) const HEXANY: Alphabet =
    Alphabet { name: "hex digits of either case", members: "A-Fa-f0-9", sample: "7c2F9a1E4b8D6035" };
pub(super) const BASE64: Alphabet =
    Alphabet { name: "base64 characters", members: "A-Za-z0-9+/", sample: "k7Qz2mX+w9RbT4vNc8/LpJ" };
pub(super) const URL64: Alphabet =
    Alphabet { name: "base64url characters", members: "A-Za-z0-9_-", sample: "k7Qz2mXw9RbT-4vNc8_LpJ" };

/// Up to this length runs are counted.
const LONGEST_COUNTED: u16 = 80;

impl Piece {
    /// Adds this piece to a pattern.
    pub(super) fn to_pattern(self, pattern: &mut String) {
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
    pub(super) fn to_example(self, example: &mut String) {
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

/// An alternation of literal texts.
pub(super) fn alternatives<'a>(heads: impl Iterator<Item = &'a str>) -> String {
    let escaped: Vec<String> = heads.map(regex::escape).collect();
    format!("(?:{})", escaped.join("|"))
}
