//! One pass over a text that says which rows are worth a try.
//!
//! An automaton of some eight hundred words takes milliseconds to build, more than a whole run on one file may take.
//! The table here is built in microseconds: every word is looked for by the rarest three letters in it, and three
//! letters of a text are one bit of a table that the fastest cache holds.

use std::borrow::Cow;
use std::ops::Range;

use super::byte_class::{OFTEN_BY_BYTE, letter, triple};
use super::policy::Policy;
use super::row::{Find, Trigger};
use super::shape::{Shape, behind_marks};

/// The words and shapes of all rows, each with the row it belongs to.
#[derive(Debug)]
pub(super) struct Prefilter {
    /// For each pair of letters, the set of third letters with which a word may stand here.
    thirds: Box<[u64]>,
    /// The same for the words alone of which three letters are known.
    triples: Box<[u64]>,
    /// For each pair of letters, how many threes of letters stand before those that begin with it.
    ranks: Box<[u16]>,
    /// For each three of letters in order, the first of its words; then the number of words.
    groups: Vec<u16>,
    /// The words, and their numbers in the order of their three letters.
    words: Vec<Word>,
    order: Vec<u16>,
    /// The words of one or two letters, and the letters that they begin with, one a bit.
    short: Vec<Word>,
    begin_short: u64,
    /// For each place in three letters and each letter, the shapes that may have it there.
    forms: [[u32; 64]; 3],
    /// The shapes.
    shapes: Vec<Form>,
    /// What lines may begin with.
    lines: Vec<Line>,
    /// How many rows there are.
    rows: usize,
}

/// The shape of a row.
#[derive(Debug)]
struct Form {
    stands: fn(&[u8], usize) -> bool,
    row: usize,
}

/// What a line of a row may begin with.
#[derive(Debug)]
struct Line {
    begins: fn(&[u8]) -> bool,
    row: usize,
}

/// A word of a row.
#[derive(Debug)]
struct Word {
    letters: Cow<'static, str>,
    /// The number of its rarest three letters.
    triple: usize,
    /// Where they stand in it.
    offset: u16,
    row: u16,
    /// Whether it counts only as it is written, and at the start of a word.
    exact: bool,
}

/// A set of rows; the table has fewer than six times 64.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rows([u64; 6]);

impl Rows {
    fn open(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    pub(super) fn holds(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }

    /// Those of the rows that are worth keeping.
    pub(super) fn only(self, is_kept: impl Fn(usize) -> bool) -> Self {
        let mut rows = Self::default();
        self.iter().filter(|&row| is_kept(row)).for_each(|row| rows.open(row));
        rows
    }

    /// The rows, in order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, mut left)| {
            std::iter::from_fn(move || {
                let row = at * 64 + left.trailing_zeros() as usize;
                (left != 0).then(|| left &= left - 1).map(|()| row)
            })
        })
    }
}

/// How many bytes of a longer text are one block: where triggers stand is known by the block.
const BLOCK: usize = 1 << 10;
/// Up to this length a text is searched as a whole.
const SHORT: usize = 8 * BLOCK;
/// How far before and behind the block of its trigger a match may reach; one that reaches farther is followed.
const BEFORE: usize = BLOCK;
const BEHIND: usize = 2 * BLOCK;

/// The rows whose triggers stand in a text, with the blocks that they stand in.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) rows: Rows,
    /// For each row one bit for each block; nothing for a short text.
    blocks: Vec<u64>,
    words: usize,
    length: usize,
}

impl Opened {
    fn new(length: usize, rows: usize) -> Self {
        let words = if length > SHORT { (length / BLOCK + 1).div_ceil(64) } else { 0 };
        Self { rows: Rows::default(), blocks: vec![0; words * rows], words, length }
    }

    fn holds(&self, row: usize, block: usize) -> bool {
        match self.words {
            0 => self.rows.holds(row),
            words => self.blocks[row * words + block / 64] >> (block % 64) & 1 == 1,
        }
    }

    fn open(&mut self, row: usize, block: usize) {
        self.rows.open(row);
        if self.words > 0 {
            self.blocks[row * self.words + block / 64] |= 1 << (block % 64);
        }
    }

    /// The parts of the text that matches of a row stand in, in order and apart.
    pub(super) fn windows(&self, row: usize) -> Vec<Range<usize>> {
        let mut windows: Vec<Range<usize>> = Vec::new();
        if self.words == 0 {
            windows.push(0..self.length);
        }
        for (at, &word) in self.blocks[row * self.words..(row + 1) * self.words].iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let start = (at * 64 + left.trailing_zeros() as usize) * BLOCK;
                left &= left - 1;
                let window = start.saturating_sub(BEFORE)..(start + BLOCK + BEHIND).min(self.length);
                match windows.last_mut() {
                    Some(last) if last.end >= window.start => last.end = window.end,
                    _ => windows.push(window),
                }
            }
        }
        windows
    }
}

/// A number of words, rows or letters of a word, of which there are fewer than 2^16.
fn few(number: usize) -> u16 {
    u16::try_from(number).expect("there are fewer than 2^16")
}

/// The bits of three letters.
const LAST_THREE: usize = (1 << 18) - 1;

impl Prefilter {
    /// Builds the prefilter of rows, which are known by their position.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a Find> + Clone, policy: &Policy) -> Self {
        let (thirds, triples, ranks) = (vec![0; 1 << 12].into(), vec![0; 1 << 12].into(), vec![0; 1 << 12].into());
        let (groups, words, order, short) = (Vec::new(), Vec::with_capacity(2048), Vec::new(), Vec::new());
        let (forms, shapes, lines) = ([[0; 64]; 3], Vec::new(), Vec::new());
        let mut prefilter =
            Self { thirds, triples, ranks, groups, words, order, short, begin_short: 0, forms, shapes, lines, rows: 0 };
        for (row, find) in rows.enumerate() {
            prefilter.rows = row + 1;
            let exact = matches!(find, Find::Token { .. });
            find.words(policy).for_each(|word| prefilter.add(word, row, exact));
            match find.trigger() {
                Some(Trigger::Shape(shape)) => prefilter.add_shape(shape, row),
                Some(Trigger::Line(begins)) => prefilter.lines.push(Line { begins: *begins, row }),
                _ => {}
            }
        }
        // A line begins wherever a break is the first of three letters.
        prefilter.open_all(letter(b'\n'));
        prefilter.sort();
        prefilter
    }

    /// Orders the words by their three letters.
    fn sort(&mut self) {
        let mut before = 0;
        for (rank, thirds) in self.ranks.iter_mut().zip(&self.triples) {
            *rank = before;
            before += few(thirds.count_ones() as usize);
        }
        self.groups = vec![0; usize::from(before) + 1];
        for word in &self.words {
            let rank = self.rank(word.triple);
            self.groups[rank] += 1;
        }
        let mut end = 0;
        for group in &mut self.groups {
            end += *group;
            *group = end;
        }
        self.order = vec![0; self.words.len()];
        for (number, word) in self.words.iter().enumerate().rev() {
            let rank = self.rank(word.triple);
            self.groups[rank] -= 1;
            self.order[usize::from(self.groups[rank])] = few(number);
        }
    }

    /// How many threes of letters that words have stand before one of them.
    fn rank(&self, triple: usize) -> usize {
        let (pair, third) = (triple >> 6, triple & 63);
        usize::from(self.ranks[pair]) + (self.triples[pair] & ((1 << third) - 1)).count_ones() as usize
    }

    fn add(&mut self, letters: Cow<'static, str>, row: usize, exact: bool) {
        let often = |byte: u8| OFTEN_BY_BYTE[usize::from(byte)];
        let parts = letters.as_bytes().array_windows().enumerate();
        let rarest = parts.min_by_key(|(_, [first, second, third])| often(*first) * often(*second) * often(*third));
        let Some((offset, part)) = rarest else { return self.add_short(letters, row, exact) };
        let triple = triple(part);
        self.thirds[triple >> 6] |= 1 << (triple & 63);
        self.triples[triple >> 6] |= 1 << (triple & 63);
        self.words.push(Word { letters, triple, offset: few(offset), row: few(row), exact });
    }

    /// Adds a word of one or two letters: it stands wherever its letters are the first of three.
    fn add_short(&mut self, letters: Cow<'static, str>, row: usize, exact: bool) {
        let first = letter(letters.as_bytes()[0]);
        match letters.as_bytes().get(1) {
            Some(&second) => self.thirds[first << 6 | letter(second)] = u64::MAX,
            None => self.open_all(first),
        }
        self.begin_short |= 1 << first;
        self.short.push(Word { letters, triple: first, offset: 0, row: few(row), exact });
    }

    /// Looks closer wherever a letter is the first of three.
    fn open_all(&mut self, first: usize) {
        self.thirds[first << 6..(first + 1) << 6].fill(u64::MAX);
    }

    fn add_shape(&mut self, shape: &Shape, row: usize) {
        let bit = 1 << self.shapes.len();
        let numbers = shape.at.map(|set| set.iter().fold(0u64, |numbers, &byte| numbers | 1 << letter(byte)));
        for (forms, numbers) in self.forms.iter_mut().zip(numbers) {
            let in_set = forms.iter_mut().enumerate().filter(|(number, _)| numbers >> number & 1 == 1);
            in_set.for_each(|(_, form)| *form |= bit);
        }
        let each = |numbers: u64| (0..64).filter(move |number| numbers >> number & 1 == 1);
        for first in each(numbers[0]) {
            each(numbers[1]).for_each(|second| self.thirds[first << 6 | second] |= numbers[2]);
        }
        self.shapes.push(Form { stands: shape.stands, row });
    }

    /// Lists the rows whose triggers stand in a text. In a `joined` text a word may also begin within another.
    pub(super) fn opened(&self, text: &[u8], joined: bool) -> Rows {
        self.opened_in(text, joined).rows
    }

    /// As [`opened`](Self::opened), with where the triggers of each row stand.
    pub(super) fn opened_in(&self, text: &[u8], joined: bool) -> Opened {
        let mut rows = Opened::new(text.len(), self.rows);
        let mut seen = triple(b"\n\n\n");
        for (at, &byte) in text.iter().enumerate() {
            seen = (seen << 6 | letter(byte)) & LAST_THREE;
            if self.may_open(seen) {
                // Behind the first two letters `at` is the last of three.
                self.open(text, at.wrapping_sub(2), seen, joined, &mut rows);
            }
        }
        for at in text.len()..text.len() + 2 {
            seen = (seen << 6 | letter(b'\n')) & LAST_THREE;
            if self.may_open(seen) {
                self.open(text, at.wrapping_sub(2), seen, joined, &mut rows);
            }
        }
        rows
    }

    /// Whether something of a row may stand where three letters do.
    fn may_open(&self, seen: usize) -> bool {
        self.thirds[seen >> 6] >> (seen & 63) & 1 == 1
    }

    /// Opens the rows of what stands around three letters at an offset.
    fn open(&self, text: &[u8], at: usize, seen: usize, joined: bool, rows: &mut Opened) {
        let block = at.min(text.len()) / BLOCK;
        let mut test = |word: &Word| {
            let row = usize::from(word.row);
            if !rows.holds(row, block) && word.stands(text, at.wrapping_sub(usize::from(word.offset)), joined) {
                rows.open(row, block);
            }
        };
        let (pair, third) = (seen >> 6, seen & 63);
        if self.triples[pair] >> third & 1 == 1 {
            let rank = self.rank(seen);
            let group = usize::from(self.groups[rank])..usize::from(self.groups[rank + 1]);
            self.order[group].iter().for_each(|&word| test(&self.words[usize::from(word)]));
        }
        if self.begin_short >> (seen >> 12) & 1 == 1 {
            self.short.iter().filter(|word| word.triple == seen >> 12).for_each(test);
        }
        let mut forms = self.forms[0][seen >> 12] & self.forms[1][pair & 63] & self.forms[2][third];
        while forms != 0 {
            let Form { stands, row } = self.shapes[forms.trailing_zeros() as usize];
            if !rows.holds(row, block) && stands(text, at) {
                rows.open(row, block);
            }
            forms &= forms - 1;
        }
        if seen >> 12 == letter(b'\n') {
            let line = behind_marks(text.get(at.wrapping_add(1)..).unwrap_or_default());
            self.lines.iter().filter(|one| (one.begins)(line)).for_each(|one| rows.open(one.row, block));
        }
    }
}

impl Word {
    /// Whether it stands at an offset of a text.
    fn stands(&self, text: &[u8], at: usize, joined: bool) -> bool {
        let Some(part) = text.get(at..).and_then(|rest| rest.get(..self.letters.len())) else { return false };
        if !self.exact {
            return part.eq_ignore_ascii_case(self.letters.as_bytes());
        }
        let starts = joined
            || !part[0].is_ascii_alphanumeric()
            || at.checked_sub(1).is_none_or(|before| !text[before].is_ascii_alphanumeric());
        starts && part == self.letters.as_bytes()
    }
}
