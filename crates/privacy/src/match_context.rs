//! A match with what stands around it.

use std::ops::Range;

use super::piece::Piece;
use super::view::View;

/// How far a check looks to the left and right of a match.
const SURROUNDINGS: usize = 160;

/// A match with what stands around it.
#[derive(Debug)]
pub(super) struct MatchContext<'a> {
    /// The whole text.
    pub(super) text: &'a [u8],
    /// The match.
    pub(super) range: Range<usize>,
    /// The first group of the pattern, else the match.
    pub(super) value: Range<usize>,
    /// The joined view that the text is of: a seam ends a word.
    pub(super) joined: Option<&'a View>,
}

impl<'a> MatchContext<'a> {
    pub(super) fn matched(&self) -> &'a [u8] {
        &self.text[self.range.clone()]
    }

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

    /// What stands before the match on its line, as far as a check looks.
    pub(super) fn left(&self) -> &'a [u8] {
        let from = self.range.start.saturating_sub(SURROUNDINGS);
        let left = &self.text[from..self.range.start];
        left.iter().rposition(|&byte| byte == b'\n').map_or(left, |at| &left[at + 1..])
    }

    /// What stands behind the match on its line, as far as a check looks.
    pub(super) fn right(&self) -> &'a [u8] {
        let to = self.text.len().min(self.range.end + SURROUNDINGS);
        let right = &self.text[self.range.end..to];
        right.iter().position(|&byte| byte == b'\n').map_or(right, |at| &right[..at])
    }

    /// What is written before the match without a space between.
    pub(super) fn joined_left(&self) -> &'a [u8] {
        let left = self.left();
        left.iter().rposition(u8::is_ascii_whitespace).map_or(left, |at| &left[at + 1..])
    }

    /// Whether one mark alone stands before the match on its line, or in its quotes: that of a list or a diff.
    pub(super) fn follows_mark(&self) -> bool {
        matches!(self.left(), [_] | [.., b'"' | b'\'' | b'`', _])
    }

    /// Whether a word begins here.
    pub(super) fn starts_word(&self) -> bool {
        let first = self.text[self.range.start];
        !(first.is_ascii_alphanumeric() && self.before().is_ascii_alphanumeric())
            || self.joined.is_some_and(|view| view.is_seam(self.range.start))
    }

    /// Whether nothing behind the match belongs to its last run.
    pub(super) fn ends_run(&self, tail: &[Piece]) -> bool {
        let Some(Piece::Run(alphabet, ..)) = tail.last() else { return true };
        let behind = self.behind();
        !(behind.is_ascii_alphanumeric() || alphabet.members.contains('_') && matches!(behind, b'_' | b'-'))
            || self.joined.is_some_and(|view| view.is_seam(self.range.end))
    }

    /// Whether one of some lower-case words stands among the last words before the match.
    pub(super) fn follows_word(&self, words: &[&str], within: usize) -> bool {
        near_words(self.left()).rev().take(within).any(|word| is_one_of(word, words))
    }

    /// Whether one of some lower-case words stands among the first words behind the match.
    pub(super) fn precedes_word(&self, words: &[&str], within: usize) -> bool {
        near_words(self.right()).take(within).any(|word| is_one_of(word, words))
    }
}

fn near_words(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|one| one.as_bytes().eq_ignore_ascii_case(word))
}
