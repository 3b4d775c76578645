//! One pass over a text that says which rows are worth a try.
//!
//! A set of some six hundred words as an automaton takes milliseconds to build, more than a whole run on one file
//! may take. The table here is built in microseconds: the first two letters lead to a bucket, the whole word decides.

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::row::Find;
use super::wall::Policy;

/// The words and shapes of all rows, each with the row it belongs to.
#[derive(Debug)]
pub(super) struct Gates {
    /// For each pair of letters, the position of its bucket, counted from 1; 0 when no word begins with it.
    starts: Box<[u16]>,
    buckets: Vec<Bucket>,
    shapes: RegexSet,
    rows_of_shapes: Vec<usize>,
}

/// The words that begin with one pair of letters.
#[derive(Debug, Default)]
struct Bucket {
    /// The third and the fourth letters of its words, as sets.
    thirds: Letters,
    fourths: Letters,
    /// Each word with its row.
    words: Vec<(Box<[u8]>, usize)>,
}

/// A set of letters of any case, by their last six bits.
#[derive(Debug, Clone, Copy, Default)]
struct Letters(u64);

impl Letters {
    /// Adds a letter; where the word has none, every letter.
    fn add(&mut self, letter: Option<&u8>) {
        self.0 |= letter.map_or(u64::MAX, |letter| 1 << (letter.to_ascii_lowercase() & 63));
    }

    fn hold(self, letter: Option<&u8>) -> bool {
        self.0 == u64::MAX || letter.is_some_and(|letter| self.0 >> (letter.to_ascii_lowercase() & 63) & 1 == 1)
    }
}

/// A set of rows; the table has fewer than six times 64.
#[derive(Debug, Clone, Copy, Default)]
struct Rows([u64; 6]);

impl Rows {
    fn open(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    fn holds(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }
}

/// The number of a pair of lower-case letters. Bytes that are no ASCII share numbers with those that are.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first & 127) << 7 | usize::from(second & 127)
}

impl Gates {
    /// Builds the gates of rows, which are known by their position.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a Find> + Clone, policy: &Policy) -> Self {
        let shapes = rows.clone().enumerate().filter_map(|(row, find)| Some((row, find.shape()?)));
        let (rows_of_shapes, shapes): (Vec<usize>, Vec<&str>) = shapes.unzip();
        let shapes = RegexSetBuilder::new(shapes).unicode(false).build().expect("a test compiles every shape");
        let mut gates = Self { starts: vec![0; 1 << 14].into(), buckets: Vec::new(), shapes, rows_of_shapes };
        for (row, find) in rows.enumerate() {
            find.words(policy).iter().for_each(|word| gates.add(word.to_ascii_lowercase().as_bytes(), row));
        }
        gates
    }

    fn add(&mut self, word: &[u8], row: usize) {
        // A word of one letter begins with every pair that begins with it.
        for second in word.get(1).map_or(0..=127, |&second| second..=second) {
            let start = &mut self.starts[pair(word[0], second)];
            if *start == 0 {
                self.buckets.push(Bucket::default());
                *start = u16::try_from(self.buckets.len()).expect("there are fewer pairs than 2^14");
            }
            let bucket = &mut self.buckets[usize::from(*start) - 1];
            bucket.thirds.add(word.get(2));
            bucket.fourths.add(word.get(3));
            bucket.words.push((word.into(), row));
        }
    }

    /// Lists the rows whose gates open, in order.
    pub(super) fn opened(&self, text: &[u8]) -> impl Iterator<Item = usize> + use<> {
        let mut rows = Rows::default();
        let mut first = b'\n';
        for (at, second) in text.iter().map(u8::to_ascii_lowercase).chain([b'\n']).enumerate() {
            let start = self.starts[pair(first, second)];
            first = second;
            if start != 0 {
                self.buckets[usize::from(start) - 1].open(&text[at.saturating_sub(1)..], &mut rows);
            }
        }
        if self.shapes.is_match(text) {
            self.shapes.matches(text).into_iter().for_each(|shape| rows.open(self.rows_of_shapes[shape]));
        }
        (0..rows.0.len() * 64).filter(move |&row| rows.holds(row))
    }
}

impl Bucket {
    /// Opens the rows of the words that a text begins with.
    fn open(&self, text: &[u8], rows: &mut Rows) {
        if self.thirds.hold(text.get(2)) && self.fourths.hold(text.get(3)) {
            for (word, row) in &self.words {
                if !rows.holds(*row) && starts_with(text, word) {
                    rows.open(*row);
                }
            }
        }
    }
}

fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word)
}
