//! One row, ready to search with: its pattern is compiled when a gate first opens.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::class::{Class, Joins};
use super::row::{Find, Row};
use super::sight::Sight;
use super::view::View;
use super::wall::Policy;

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
    pub(super) fn places(&self, text: &str, joined: Option<&View>) -> Vec<Range<usize>> {
        if self.row.find.is_likely(text.as_bytes()) { self.found(text, joined) } else { Vec::new() }
    }

    /// The same, without the quick look at what is likely.
    pub(super) fn found(&self, text: &str, joined: Option<&View>) -> Vec<Range<usize>> {
        if let Find::Look { look, .. } = self.row.find {
            return look(text);
        }
        let compiled = self.compiled.get_or_init(|| {
            let pattern = self.of_policy.clone().or_else(|| self.row.find.pattern())?;
            let compiled = RegexBuilder::new(&pattern).unicode(false).size_limit(LARGEST).build();
            Some(compiled.expect("a test compiles every pattern of the table, and those of the largest policy"))
        });
        let sight = Sight { text: text.as_bytes(), range: 0..0, value: 0..0, joined };
        compiled.as_ref().map(|compiled| self.matches(compiled, sight)).unwrap_or_default()
    }

    /// Whether a place in a joined text is one thing that was split, and no neighbours of which each stands for itself.
    ///
    /// Tokens are told by their own shape; a path or an address goes on with whatever follows it.
    pub(super) fn is_split(&self, view: &View, place: &Range<usize>, joins: Joins) -> bool {
        let Some(seam) = view.first_seam(place) else { return false };
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

    fn matches(&self, compiled: &Regex, mut sight: Sight<'_>) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(found) = (from <= sight.text.len()).then(|| compiled.captures_at(sight.text, from)).flatten() {
            sight.range = found.get(0).expect("group 0 is the match").range();
            sight.value = found.iter().skip(1).flatten().next().map_or(sight.range.clone(), |group| group.range());
            let stands = self.row.find.stands(&sight);
            // A match that does not stand may hide one in its value: `token: password=...`.
            let next =
                if stands || sight.value.start == sight.range.start { sight.range.end } else { sight.value.start };
            from = next.max(sight.range.start + 1);
            if stands {
                places.push(sight.range.clone());
            }
        }
        places
    }
}
