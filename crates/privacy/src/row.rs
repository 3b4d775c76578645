//! One row of the table: what it refuses, how it is found, and examples that prove it.

use std::borrow::Cow;
use std::ops::Range;

use super::class::{Class, Joins};
use super::field;
use super::match_context::MatchContext;
use super::piece::{Piece, alternatives, joined};
use super::policy::Policy;
use super::shape::Shape;

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
    Pattern { trigger: Trigger, pattern: &'static str, check: fn(&MatchContext<'_>) -> bool },
    /// A look at the whole text where the gate was seen.
    Look { trigger: Trigger, look: Look },
    /// A look at texts that hold more than printable ASCII.
    Foreign(Look),
    /// The same, but for bytes that were decoded: they may be no text at all.
    Written(Look),
    /// A look at the runs of a text that may be encoded or generated.
    Runs(LookAtRuns),
    /// A look at texts that hold lists of bytes, or what is written more densely than in base64.
    Lists(Look),
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
pub(super) enum Trigger {
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

/// Lists what is refused in a text whose runs are known.
pub(super) type LookAtRuns = fn(&str, &[Range<usize>]) -> Vec<Range<usize>>;

impl Find {
    /// What every match contains, for rows that run only where it was seen.
    pub(super) fn trigger(&self) -> Option<&Trigger> {
        match self {
            Self::Pattern { trigger, .. } | Self::Look { trigger, .. } => Some(trigger),
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
            _ => match self.trigger() {
                Some(Trigger::Words(words) | Trigger::Likely(words, _)) => fixed(words),
                _ => Box::new(std::iter::empty()),
            },
        }
    }

    /// Whether a match is possible in a text whose gate opened.
    pub(super) fn is_likely(&self, text: &[u8]) -> bool {
        match self.trigger() {
            Some(Trigger::Likely(_, is_likely)) => is_likely(text),
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
    pub(super) fn stands(&self, context: &MatchContext<'_>) -> bool {
        match self {
            Self::Token { heads, tail } => {
                let token = context.matched();
                let body =
                    heads.iter().filter_map(|head| token.strip_prefix(head.as_bytes())).min_by_key(|body| body.len());
                context.starts_word() && context.ends_run(tail) && !is_made_up(token, body.unwrap_or(token))
            }
            Self::Pattern { check, .. } => check(context),
            Self::TicketPrefixes | Self::PrivateHosts => {
                context.starts_word() && !context.behind().is_ascii_alphanumeric()
            }
            Self::Look { .. }
            | Self::Foreign(_)
            | Self::Written(_)
            | Self::Runs(_)
            | Self::Lists(_)
            | Self::FieldName
            | Self::Elsewhere => false,
        }
    }
}

/// Whether a token is somebody's stand-in: a vendor's documented example, or a body of one character over and over.
fn is_made_up(token: &[u8], body: &[u8]) -> bool {
    let mut counts = [0usize; 256];
    body.iter().filter(|byte| byte.is_ascii_alphanumeric()).for_each(|&byte| counts[usize::from(byte)] += 1);
    let (all, most) = (counts.iter().sum::<usize>(), counts.iter().max().copied().unwrap_or(0));
    let repeats = |length: usize| token.windows(length).any(|part| part.iter().all(|byte| *byte == part[0]));
    most * 4 >= all * 3
        || repeats(token.len().div_ceil(2).max(16))
        || token.windows(7).any(|part| part.eq_ignore_ascii_case(b"example"))
}
