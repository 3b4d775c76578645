//! One row, ready to search with: its pattern is compiled when a gate first opens.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Captures, Regex, RegexBuilder};

use super::class::{Class, Joins};
use super::match_context::MatchContext;
use super::policy::Policy;
use super::randomness::disorder;
use super::row::{Find, Row};
use super::view::View;

/// The largest automaton, in bytes: that of a policy which is nothing but prefixes.
const LARGEST: usize = 1 << 30;

/// A row that is found by pattern or by a look behind a gate.
#[derive(Debug)]
pub(super) struct Detector {
    pub(super) row: &'static Row,
    /// The pattern of a row that the policy fills.
    of_policy: Option<String>,
    /// Compiled when the gate first opens; nothing for rows without a pattern.
    compiled: OnceLock<Option<Regex>>,
}

impl Detector {
    pub(super) fn new(row: &'static Row, policy: &Policy) -> Self {
        Self { row, of_policy: row.find.pattern_of(policy), compiled: OnceLock::new() }
    }

    /// Lists the places of this row in a text.
    pub(super) fn places(&self, text: &str, joined: Option<&View>, windows: &[Range<usize>]) -> Vec<Range<usize>> {
        if self.row.find.is_likely(text.as_bytes()) { self.found_in(text, joined, windows) } else { Vec::new() }
    }

    /// The same in all of a text, without the quick look at what is likely.
    #[cfg(test)]
    pub(super) fn found(&self, text: &str, joined: Option<&View>) -> Vec<Range<usize>> {
        self.found_in(text, joined, std::slice::from_ref(&(0..text.len())))
    }

    fn found_in(&self, text: &str, joined: Option<&View>, windows: &[Range<usize>]) -> Vec<Range<usize>> {
        if let Find::Look { look, .. } = self.row.find {
            return look(text);
        }
        let compiled = self.compiled.get_or_init(|| {
            let pattern = self.of_policy.clone().or_else(|| self.row.find.pattern())?;
            let compiled = RegexBuilder::new(&pattern).unicode(false).size_limit(LARGEST).build();
            Some(compiled.expect("a test compiles every pattern of the table, and those of the largest policy"))
        });
        let context = MatchContext { text: text.as_bytes(), range: 0..0, value: 0..0, joined };
        compiled.as_ref().map(|compiled| self.matches(compiled, context, windows)).unwrap_or_default()
    }

    /// Whether a place in a joined text is one thing that was split, and no neighbours of which each stands for itself.
    ///
    /// Tokens are told by their own shape; a path or an address goes on with whatever follows it.
    pub(super) fn is_split(&self, view: &View, place: &Range<usize>, joins: Joins) -> bool {
        /// In how many places something is split over neighbours at most.
        const MOST_SEAMS: usize = 6;
        /// How long its parts are on average at least.
        const SHORTEST_PART: usize = 6;
        let Some(seam) = view.first_seam(place) else { return false };
        let seams = view.count_seams(place);
        if joins == Joins::Neighbours && (seams > MOST_SEAMS || place.len() < SHORTEST_PART * (seams + 1)) {
            return false;
        }
        let is_shaped = matches!(self.row.find, Find::Token { .. }) || self.row.class != Class::Secret;
        if !is_shaped && !is_torn(&view.text.as_bytes()[..place.end], place.start, seam) {
            return false;
        }
        if self.row.class == Class::Secret || joins == Joins::Folds && self.row.class == Class::LocalPath {
            return true;
        }
        let (left, right) = (&view.text.as_bytes()[place.start..seam], &view.text.as_bytes()[seam..place.end]);
        let begins_anew = matches!(right[0], b'/' | b'~') || right.windows(3).any(|part| part == b"://");
        // A name of a team and a number behind it are no ticket, a column of numbers is no card.
        let counts = right[0].is_ascii_digit() && left.iter().all(u8::is_ascii_alphabetic)
            || left.iter().chain(right).all(u8::is_ascii_digit);
        let whole = || {
            let found = self.compiled.get().and_then(|compiled| compiled.as_ref()?.find(left));
            found.is_some_and(|found| found.range() == (0..left.len()))
        };
        !begins_anew && !counts && (self.row.class == Class::SessionUrl || !whole())
    }

    fn matches(&self, compiled: &Regex, mut context: MatchContext<'_>, windows: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut from = 0;
        for window in windows {
            from = from.max(window.start);
            while let Some(found) = Self::next_match(compiled, context.text, from..window.end) {
                context.range = found.get(0).expect("group 0 is the match").range();
                context.value =
                    found.iter().skip(1).flatten().next().map_or(context.range.clone(), |group| group.range());
                let stands = self.row.find.stands(&context);
                // A match that does not stand may hide one in its value: `token: password=...`.
                let next = if stands || context.value.start == context.range.start {
                    context.range.end
                } else {
                    context.value.start
                };
                from = next.max(context.range.start + 1);
                if stands {
                    places.push(context.range.clone());
                }
            }
        }
        places
    }

    /// The next match that begins within a window; one that reaches its end is followed as far as it goes.
    fn next_match<'t>(compiled: &Regex, text: &'t [u8], window: Range<usize>) -> Option<Captures<'t>> {
        /// How far a match is followed first; twice as far each time, so that a long one costs no more than its length.
        const STEP: usize = 1 << 13;
        if window.start > window.end {
            return None;
        }
        let (mut end, mut step) = (window.end, STEP);
        loop {
            let found = compiled.captures_at(&text[..end], window.start)?;
            let reaches = found.get(0).is_some_and(|whole| whole.end() == end) && end < text.len();
            if !reaches {
                return Some(found);
            }
            end = (end + step).min(text.len());
            step *= 2;
        }
    }
}

/// Whether a match may have been torn at a seam: in its key, or in a value of which a part is more than a word, a sign or
/// a name of code.
fn is_torn(text: &[u8], start: usize, seam: usize) -> bool {
    let is_end = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'=' | b':' | b'"' | b'\'' | b'`' | b'(' | b')' | b',')
    };
    let left = text[..seam].iter().rposition(is_end).map_or(0, |at| at + 1);
    if text[seam..].iter().any(|byte| is_end(byte) || matches!(byte, b'@' | b'/')) || left <= start {
        return true;
    }
    let is_value = |part: &[u8]| part.iter().any(u8::is_ascii_digit) || part.len() >= 8 && disorder(part) >= 40;
    is_value(&text[left..seam]) || is_value(&text[seam..])
}
