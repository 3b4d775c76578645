//! One pass over a text that says which rows are worth a try.
//!
//! An automaton of some eight hundred words takes milliseconds to build, more than a whole run on one file may take.
//! The table here is built in microseconds: every word is looked for by the rarest three letters in it, and three
//! letters of a text are one bit of a table that the fastest cache holds.

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::row::Find;
use super::wall::Policy;

/// The words and shapes of all rows, each with the row it belongs to.
#[derive(Debug)]
pub(super) struct Gates {
    /// For each pair of letters, the set of third letters with which a word may stand here.
    thirds: Box<[u64]>,
    /// The same for the words alone of which three letters are known.
    triples: Box<[u64]>,
    /// For each pair of letters, how many threes of letters stand before those that begin with it.
    ranks: Box<[u16]>,
    /// For each three of letters in order, the first of its words; then the number of words.
    groups: Vec<u16>,
    /// The words, in the order of their three letters.
    words: Vec<Word>,
    /// The words of one or two letters.
    short: Vec<Word>,
    shapes: RegexSet,
    rows_of_shapes: Vec<usize>,
}

/// A word of a row.
#[derive(Debug)]
struct Word {
    /// The number of its rarest three letters.
    triple: usize,
    /// Where they stand in it.
    offset: usize,
    letters: Box<[u8]>,
    row: usize,
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
        (0..self.0.len() * 64).filter(move |&row| self.holds(row))
    }
}

/// The number of each byte below 64: letters of either case, digits, the signs that words hold; 0 for all others.
const LETTER: [u8; 256] = {
    let mut numbers = [0; 256];
    let signs = b" \n_-.:/@~=\"'<>$[]#+*\\|%,(?&";
    let mut at = 0;
    while at < 26 {
        numbers[b'a' as usize + at] = at as u8 + 1;
        numbers[b'A' as usize + at] = at as u8 + 1;
        at += 1;
    }
    at = 0;
    while at < 10 {
        numbers[b'0' as usize + at] = at as u8 + 27;
        at += 1;
    }
    at = 0;
    while at < signs.len() {
        numbers[signs[at] as usize] = at as u8 + 37;
        at += 1;
    }
    numbers
};

/// How often each letter, by its number, stands in everyday documents, in thousandths.
const OFTEN: [u32; 64] = [
    4, 80, 15, 30, 45, 120, 22, 20, 45, 70, 2, 8, 42, 26, 70, 75, 24, 2, 62, 65, 90, 30, 12, 16, 3, 20, 2, 20, 16, 16,
    12, 12, 12, 12, 12, 12, 12, 180, 40, 20, 30, 16, 30, 6, 3, 2, 3, 16, 4, 2, 3, 2, 3, 3, 3, 2, 3, 2, 2, 2, 8, 3, 1,
    2,
];

fn letter(byte: u8) -> usize {
    usize::from(LETTER[usize::from(byte)])
}

/// The number of three letters.
fn triple(letters: &[u8]) -> usize {
    letters.iter().fold(0, |number, &byte| number << 6 | letter(byte))
}

impl Gates {
    /// Builds the gates of rows, which are known by their position.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a Find> + Clone, policy: &Policy) -> Self {
        let shapes = rows.clone().enumerate().filter_map(|(row, find)| Some((row, find.shape()?)));
        let (rows_of_shapes, shapes): (Vec<usize>, Vec<&str>) = shapes.unzip();
        let shapes = RegexSetBuilder::new(shapes).unicode(false).build().expect("a test compiles every shape");
        let (thirds, triples) = (vec![0; 1 << 12].into(), vec![0; 1 << 12].into());
        let (ranks, groups, words, short) = (vec![0; 1 << 12].into(), Vec::new(), Vec::new(), Vec::new());
        let mut gates = Self { thirds, triples, ranks, groups, words, short, shapes, rows_of_shapes };
        for (row, find) in rows.enumerate() {
            let exact = matches!(find, Find::Token { .. });
            find.words(policy).iter().for_each(|word| gates.add(word.as_bytes(), row, exact));
        }
        gates.sort();
        gates
    }

    /// Orders the words, and notes where each three of letters begins.
    fn sort(&mut self) {
        const FEW: &str = "there are fewer words than 2^16";
        self.words.sort_by_key(|word| word.triple);
        let mut last = usize::MAX;
        for (at, word) in
            self.words.iter().enumerate().filter(|(_, word)| word.triple != std::mem::replace(&mut last, word.triple))
        {
            self.triples[word.triple >> 6] |= 1 << (word.triple & 63);
            self.groups.push(u16::try_from(at).expect(FEW));
        }
        self.groups.push(u16::try_from(self.words.len()).expect(FEW));
        let mut before = 0;
        for (rank, thirds) in self.ranks.iter_mut().zip(&self.triples) {
            *rank = before;
            before += u16::try_from(thirds.count_ones()).expect(FEW);
        }
    }

    fn add(&mut self, letters: &[u8], row: usize, exact: bool) {
        let rarity = |part: &[u8]| part.iter().map(|&byte| OFTEN[letter(byte)]).product::<u32>();
        let rarest = letters.windows(3).enumerate().min_by_key(|(_, part)| rarity(part));
        let Some((offset, part)) = rarest else { return self.add_short(letters, row, exact) };
        let triple = triple(part);
        self.thirds[triple >> 6] |= 1 << (triple & 63);
        self.words.push(Word { triple, offset, letters: letters.into(), row, exact });
    }

    /// Adds a word of one or two letters: it stands wherever its letters are the first of three.
    fn add_short(&mut self, letters: &[u8], row: usize, exact: bool) {
        let first = letter(letters[0]);
        match letters.get(1) {
            Some(&second) => self.thirds[first << 6 | letter(second)] = u64::MAX,
            None => self.thirds[first << 6..(first + 1) << 6].fill(u64::MAX),
        }
        self.short.push(Word { triple: first, offset: 0, letters: letters.into(), row, exact });
    }

    /// Lists the rows whose gates open. In a `joined` text a word may also begin within another.
    pub(super) fn opened(&self, text: &[u8], joined: bool) -> Rows {
        let mut rows = Rows::default();
        let mut seen = triple(b"\n\n\n");
        let mut step = |at: usize, byte: u8| {
            seen = (seen << 6 | letter(byte)) & ((1 << 18) - 1);
            if self.thirds[seen >> 6] >> (seen & 63) & 1 == 1 {
                // Behind the first two letters `at` is the last of three.
                self.open(text, at.wrapping_sub(2), seen, joined, &mut rows);
            }
        };
        text.iter().enumerate().for_each(|(at, &byte)| step(at, byte));
        (0..2).for_each(|beyond| step(text.len() + beyond, b'\n'));
        if self.shapes.is_match(text) {
            self.shapes.matches(text).into_iter().for_each(|shape| rows.open(self.rows_of_shapes[shape]));
        }
        rows
    }

    /// Opens the rows of the words whose three letters stand at an offset.
    fn open(&self, text: &[u8], at: usize, seen: usize, joined: bool, rows: &mut Rows) {
        let mut test = |word: &Word| {
            if !rows.holds(word.row) && word.stands(text, at.wrapping_sub(word.offset), joined) {
                rows.open(word.row);
            }
        };
        let (pair, third) = (seen >> 6, seen & 63);
        let thirds = self.triples[pair];
        if thirds >> third & 1 == 1 {
            let rank = usize::from(self.ranks[pair]) + (thirds & ((1 << third) - 1)).count_ones() as usize;
            let group = usize::from(self.groups[rank])..usize::from(self.groups[rank + 1]);
            self.words[group].iter().for_each(&mut test);
        }
        if self.thirds[pair] == u64::MAX {
            self.short.iter().filter(|word| word.triple == seen >> 12).for_each(test);
        }
    }
}

impl Word {
    /// Whether it stands at an offset of a text.
    fn stands(&self, text: &[u8], at: usize, joined: bool) -> bool {
        let Some(part) = text.get(at..).and_then(|rest| rest.get(..self.letters.len())) else { return false };
        if !self.exact {
            return part.eq_ignore_ascii_case(&self.letters);
        }
        let starts = joined
            || !part[0].is_ascii_alphanumeric()
            || at.checked_sub(1).is_none_or(|before| !text[before].is_ascii_alphanumeric());
        starts && *part == *self.letters
    }
}
