//! Reads bytes that were written as numbers: decimal, octal or binary, in a list or as arguments of a program.

use super::readable::is_text_throughout;
use super::spaced::List;

/// The fewest numbers that hold a word worth a look.
const FEWEST: usize = 12;
/// The fewest numbers that are a file and no figures: figures are seldom spread over all values of a byte.
const FEWEST_OF_FILE: usize = 48;
/// Whatever is listed is longer than this and one window, so looking at every so many bytes suffices.
const STEP: usize = 16;
/// How many bytes of a sample must look like a list.
const WINDOW: usize = 8;

/// A number with its place.
#[derive(Debug, Clone, Copy)]
struct Number {
    start: usize,
    end: usize,
    negative: bool,
}

/// How numbers are written.
#[derive(Debug, Clone, Copy)]
enum Base {
    Binary,
    Octal,
    Decimal,
    /// Decimal, and no more than a byte holds.
    Byte,
}

impl Base {
    const ALL: [Self; 3] = [Self::Binary, Self::Octal, Self::Decimal];

    /// What a number stands for: a byte, or a character beyond.
    fn value(self, digits: &[u8], negative: bool) -> Option<u32> {
        let (radix, fits) = match self {
            Self::Binary => (2, digits.len() == 8),
            Self::Octal => (8, digits.len() == 3 && digits[0] < b'4'),
            Self::Decimal => (10, digits.len() <= 6),
            Self::Byte => (10, digits.len() <= 3),
        };
        if !fits {
            return None;
        }
        let value =
            digits.iter().try_fold(0u32, |value, &digit| Some(value * radix + char::from(digit).to_digit(radix)?));
        let value = value.filter(|value| !matches!(self, Self::Byte) || *value < 256);
        if negative { value.filter(|value| *value <= 128).map(|value| (256 - value) & 255) } else { value }
    }
}

/// Whether a text may hold a list of numbers.
pub(super) fn is_listed(text: &[u8]) -> bool {
    samples(text).any(|at| is_list_like(&text[at..at + WINDOW])) && !lists(text).is_empty()
}

fn samples(text: &[u8]) -> impl Iterator<Item = usize> {
    (0..text.len().saturating_sub(WINDOW - 1)).step_by(STEP)
}

fn is_list_like(window: &[u8]) -> bool {
    window.iter().all(|&byte| is_of_list(byte)) && window.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
}

/// Digits, what stands between numbers, and the letters of the calls that turn a number into a character.
fn is_of_list(byte: u8) -> bool {
    byte.is_ascii_digit() || is_joint(byte) || matches!(byte, b'c' | b'h' | b'a' | b'r' | b'C' | b'H' | b'A' | b'R')
}

fn is_joint(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b','
            | b';'
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'\n'
            | b'\r'
            | b'\t'
            | b'-'
            | b'+'
            | b'&'
            | b'|'
            | b'\\'
            | b'.'
    )
}

/// Lists the bytes that stand in a text as numbers.
pub(super) fn lists(text: &[u8]) -> Vec<List> {
    let mut found = Vec::new();
    let mut done = 0;
    for sample in samples(text) {
        if sample < done || !is_list_like(&text[sample..sample + WINDOW]) {
            continue;
        }
        let start = (done..sample).rev().take_while(|&at| is_of_list(text[at])).last().unwrap_or(sample);
        let length = text[sample..].iter().position(|&byte| !is_of_list(byte));
        done = length.map_or(text.len(), |length| sample + length);
        let numbers = numbers(text, start, done);
        if numbers.len() >= FEWEST {
            found.extend(read(text, &numbers));
        }
    }
    found
}

/// The numbers of a part of a text; digits that belong to a word are none.
fn numbers(text: &[u8], start: usize, end: usize) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut at = start;
    while at < end {
        let length = text[at..end].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let before = at.checked_sub(1).map(|before| text[before]);
        let negative = before == Some(b'-') && !(at > start + 1 && text[at - 2].is_ascii_digit());
        let glued = before.is_some_and(|byte| byte.is_ascii_alphabetic())
            || text.get(at + length).is_some_and(u8::is_ascii_alphabetic);
        if !glued {
            numbers.push(Number { start: at, end: at + length, negative });
        }
        at += length;
    }
    numbers
}

/// Reads numbers in the first base in which many in a row are text; else many of them are a file.
fn read(text: &[u8], numbers: &[Number]) -> Option<List> {
    let mut runs = Base::ALL.into_iter().map(|base| longest_run(text, numbers, base));
    let written = runs.by_ref().find(|list| list.bytes.len() >= FEWEST && is_text_throughout(&list.bytes));
    written.or_else(|| {
        let mut runs = [Base::Binary, Base::Byte].into_iter().map(|base| longest_run(text, numbers, base));
        runs.find(|list| list.bytes.len() >= FEWEST_OF_FILE && is_spread_out(&list.bytes))
    })
}

/// The longest run of numbers that are bytes or characters in a base.
fn longest_run(text: &[u8], numbers: &[Number], base: Base) -> List {
    let value = |number: &Number| base.value(&text[number.start..number.end], number.negative);
    let longest = numbers.split(|number| value(number).is_none()).max_by_key(|run| run.len()).unwrap_or_default();
    let values: Vec<u32> = longest.iter().filter_map(value).collect();
    let bytes = values.iter().map(|&value| u8::try_from(value)).collect::<Result<Vec<u8>, _>>();
    let characters = || values.iter().filter_map(|&value| char::from_u32(value)).collect::<String>().into_bytes();
    let range = longest.first().map_or(0, |first| first.start)..longest.last().map_or(0, |last| last.end);
    List { range, bytes: bytes.unwrap_or_else(|_| characters()) }
}

/// Whether bytes take many values, low ones and high ones, in no order.
fn is_spread_out(bytes: &[u8]) -> bool {
    let mut seen = [false; 256];
    bytes.iter().for_each(|&byte| seen[usize::from(byte)] = true);
    let distinct = seen.iter().filter(|seen| **seen).count();
    let high = bytes.iter().filter(|&&byte| byte >= 0x80).count();
    let falls = bytes.windows(2).filter(|pair| pair[0] > pair[1]).count();
    distinct >= 24 && high * 4 >= bytes.len() && high * 8 <= bytes.len() * 7 && falls * 4 >= bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{is_listed, lists};

    #[test]
    fn numbers_are_read_in_every_base() {
        for text in [
            "[104, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 33]",
            "104 101 108 108 111 32 119 111 114 108 100 33",
            "chr(104).chr(101).chr(108).chr(108).chr(111).chr(32).chr(119).chr(111).chr(114).chr(108).chr(100).chr(33)",
            "String.fromCharCode(104,101,108,108,111,32,119,111,114,108,100,33)",
            "150 145 154 154 157 040 167 157 162 154 144 041",
            "01101000 01100101 01101100 01101100 01101111 00100000 01110111 01101111 01110010 01101100 01100100 00100001",
        ] {
            assert!(is_listed(text.as_bytes()), "{text}");
            let found = lists(text.as_bytes());
            assert!(found.iter().any(|list| list.bytes == b"hello world!"), "{text} {found:?}");
        }
    }

    #[test]
    fn figures_are_no_bytes() {
        for text in [
            "2026-01-05 10:00:00 12 13 14 15 16 17 18 19 20 21",
            "[3, 4, 5, 10, 12, 99, 1200, 7, 8, 9, 10, 11, 12, 13]",
            "10.20.30.40, 10.20.30.41, 10.20.30.42, 10.20.30.43",
        ] {
            assert!(!is_listed(text.as_bytes()), "{text}");
        }
    }
}
