//! The letters that prefilter tell apart, and how often each stands in everyday documents.

/// The number of each byte below 64: letters of either case, digits, the signs that words hold; 0 for all others.
pub(super) const LETTER: [u8; 256] = {
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

/// How often each byte stands in everyday documents.
pub(super) const OFTEN_BY_BYTE: [u32; 256] = {
    let mut often = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        often[byte] = OFTEN[LETTER[byte] as usize];
        byte += 1;
    }
    often
};

/// The number of a byte.
pub(super) fn letter(byte: u8) -> usize {
    usize::from(LETTER[usize::from(byte)])
}

/// The number of three letters.
pub(super) fn triple(letters: &[u8]) -> usize {
    letters.iter().fold(0, |number, &byte| number << 6 | letter(byte))
}
