//! Chance that is the same on every machine: SHA-256 in counter mode, keyed by what is being built.

use sha2::{Digest, Sha256};

pub(super) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub(super) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(super) const DIGITS: &str = "0123456789";
pub(super) const HEX: &str = "0123456789abcdef";
pub(super) const ALNUM: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub(super) const BASE64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
pub(super) const URL64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
pub(super) const UPPER_DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub(super) const LOWER_DIGITS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";

/// A stream of bytes that its key decides.
#[derive(Debug, Clone)]
pub(super) struct Chance {
    key: String,
    counter: u32,
    bytes: Vec<u8>,
}

impl Chance {
    pub(super) fn of(parts: &[&str]) -> Self {
        Self { key: parts.join("|"), counter: 0, bytes: Vec::new() }
    }

    fn byte(&mut self) -> u8 {
        if self.bytes.is_empty() {
            self.bytes = Sha256::digest(format!("{}#{}", self.key, self.counter)).to_vec();
            self.counter += 1;
        }
        self.bytes.pop().expect("a digest has bytes")
    }

    /// A number below a bound; the bias of the remainder is far below what a test could see.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let number = u32::from_be_bytes([self.byte(), self.byte(), self.byte(), self.byte()]);
        number as usize % bound.max(1)
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(super) fn run(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    pub(super) fn word(&mut self) -> String {
        let length = 3 + self.below(6);
        self.run(LOWER, length)
    }

    pub(super) fn uuid(&mut self) -> String {
        let groups: Vec<String> = [8, 4, 4, 4, 12].iter().map(|length| self.run(HEX, *length)).collect();
        groups.join("-")
    }
}
