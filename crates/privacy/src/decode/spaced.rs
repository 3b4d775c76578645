//! Reads what was written apart: letters with a space between each, and bytes in pairs of hex digits, as dumps show them.

use std::ops::Range;

use crate::view::View;

/// The fewest letters, one space apart, that are a word written apart.
const FEWEST_LETTERS: usize = 12;
/// The fewest bytes in hex that are a list of bytes.
const FEWEST_BYTES: usize = 8;
/// Whatever is written apart is longer than this, so looking at every so many bytes suffices.
const STEP: usize = 16;

/// Bytes that stand in a text as a list or as digits of a large base, with the place.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) range: Range<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// Whether a text holds something written apart.
pub(super) fn is_spread(text: &[u8]) -> bool {
    let is_apart = |at: usize| is_alternating(&text[at..]) && letters_around(text, at, 0).is_some();
    samples(text).any(is_apart) || !lists(text).is_empty()
}

fn samples(text: &[u8]) -> impl Iterator<Item = usize> {
    (0..text.len().saturating_sub(6)).step_by(STEP)
}

/// Whether single letters and single spaces take turns.
fn is_alternating(text: &[u8]) -> bool {
    let space = |at: usize| text[at] == b' ';
    (0..5).all(|at| space(at) != space(at + 1))
}

/// Whether nothing but hex digits stands here, in groups.
fn is_list_like(text: &[u8]) -> bool {
    text[..6].iter().all(|&byte| is_of_list(byte))
        && (1..=4).contains(&text[..6].iter().filter(|&&byte| is_joint(byte)).count())
}

/// What stands between the bytes of a list.
fn is_joint(byte: u8) -> bool {
    matches!(byte, b' ' | b':' | b',' | b'-' | b'\\' | b'\n' | b'\r' | b'\t')
}

fn is_of_list(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || is_joint(byte) || matches!(byte, b'x' | b'X')
}

/// Joins letters that were written apart; nothing when none were.
pub(super) fn read(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let mut view = View::with_capacity(text.len());
    let mut kept = 0;
    for sample in samples(bytes) {
        if sample < kept || !is_alternating(&bytes[sample..]) {
            continue;
        }
        let Some(Range { start, end }) = letters_around(bytes, sample, kept) else { continue };
        if !text.is_char_boundary(start) || !text.is_char_boundary(end) {
            continue;
        }
        view.copy(text, kept..start);
        for (at, letter) in text[start..end].char_indices().map(|(at, letter)| (start + at, letter)) {
            if letter == ' ' {
                view.put("", at..at + 1);
            } else {
                view.copy(text, at..at + letter.len_utf8());
            }
        }
        kept = end;
    }
    (kept > 0).then(|| {
        view.copy(text, kept..text.len());
        view
    })
}

/// The letters, one space apart, around a place where they take turns; not from before `from`.
fn letters_around(text: &[u8], at: usize, from: usize) -> Option<Range<usize>> {
    let odd = usize::from(text[at] == b' ');
    let is_apart = |place: usize| text.get(place).is_some_and(|&byte| (byte == b' ') == ((place + at + odd) % 2 == 1));
    let start = (from..at).rev().take_while(|&place| is_apart(place)).last().unwrap_or(at);
    let end = (at..text.len()).find(|&place| !is_apart(place)).unwrap_or(text.len());
    let part = whole_letters(text, start..end);
    (part.len() >= 2 * FEWEST_LETTERS - 1).then_some(part)
}

/// Takes from a part the letters at its ends that belong to words around it.
fn whole_letters(text: &[u8], part: Range<usize>) -> Range<usize> {
    let is_letter = |at: usize| text.get(at).is_some_and(|&byte| byte != b' ');
    let Range { mut start, mut end } = part;
    if is_letter(start) && start > 0 && is_letter(start - 1) {
        start += 1;
    }
    if is_letter(end) && end > start && is_letter(end - 1) {
        end -= 1;
    }
    start += usize::from(text.get(start) == Some(&b' '));
    end -= usize::from(end > start && text[end - 1] == b' ');
    start..end
}

/// Lists the bytes that stand in hex, in groups; the lines of one dump are one list.
pub(super) fn lists(text: &[u8]) -> Vec<List> {
    let mut found: Vec<List> = Vec::new();
    let mut done = 0;
    for sample in samples(text) {
        if sample < done || !is_list_like(&text[sample..]) {
            continue;
        }
        let start = (done..sample).rev().take_while(|&at| is_of_list(text[at])).last().unwrap_or(sample);
        let end =
            text[sample..].iter().position(|&byte| !is_of_list(byte)).map_or(text.len(), |length| sample + length);
        done = end;
        let Range { start, end } = whole_groups(text, start..end);
        // The last line of a dump may be short; nothing else that is worth reading is.
        if found.is_empty() && end - start < 2 * FEWEST_BYTES {
            continue;
        }
        let (bytes, is_dump) = bytes_of(&text[start..end]);
        match found.last_mut() {
            Some(last) if is_dump && is_next_line(&text[last.range.end..start]) => {
                last.bytes.extend(bytes);
                last.range.end = end;
            }
            _ => found.push(List { range: start..end, bytes }),
        }
    }
    found.retain(|list| list.bytes.len() >= FEWEST_BYTES);
    found
}

/// Takes from a part the digits at its ends that belong to words around it.
fn whole_groups(text: &[u8], part: Range<usize>) -> Range<usize> {
    let is_word = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric());
    let Range { mut start, mut end } = part;
    if is_word(start.checked_sub(1)) {
        start += text[start..end].iter().take_while(|&&byte| !is_joint(byte)).count();
    }
    if is_word(Some(end)) {
        end -= text[start..end].iter().rev().take_while(|&&byte| !is_joint(byte)).count();
    }
    start..end
}

/// Whether no more than the end of one line lies between two parts of a dump.
fn is_next_line(gap: &[u8]) -> bool {
    const LONGEST: usize = 80;
    gap.len() <= LONGEST && gap.iter().filter(|&&byte| byte == b'\n').count() <= 1
}

/// The bytes of groups of two or four digits; an offset begins a line of a dump, and what stands before it is none.
fn bytes_of(part: &[u8]) -> (Vec<u8>, bool) {
    if let Some(bytes) = bytes_of_words(part) {
        return (bytes, false);
    }
    let mut bytes = Vec::new();
    let mut is_dump = false;
    for group in part.split(|&byte| is_joint(byte)).filter(|group| !group.is_empty()) {
        let digits = group.strip_prefix(b"0x").or_else(|| group.strip_prefix(b"0X"));
        let digits = digits.or_else(|| group.strip_prefix(b"x")).unwrap_or(group);
        match digits.len() {
            2 | 4 if digits.iter().all(u8::is_ascii_hexdigit) => bytes.extend(super::base_n::unhex(digits)),
            6.. if !is_dump => {
                is_dump = true;
                bytes.clear();
            }
            _ => {}
        }
    }
    (bytes, is_dump)
}

/// The text of longer groups of equal length; the last one may be shorter.
fn bytes_of_words(part: &[u8]) -> Option<Vec<u8>> {
    const FEWEST_WORDS: usize = 3;
    let groups = || part.split(|&byte| is_joint(byte)).filter(|group| !group.is_empty());
    let length = groups().next().map(<[u8]>::len).filter(|length| *length >= 6)?;
    let (first, last) = (groups().count().checked_sub(1)?, groups().next_back()?);
    let is_even = first + 1 >= FEWEST_WORDS
        && length.is_multiple_of(2)
        && last.len() <= length
        && groups().take(first).all(|group| group.len() == length)
        && groups().flatten().all(u8::is_ascii_hexdigit);
    let bytes = || super::base_n::unhex(&groups().flatten().copied().collect::<Vec<u8>>());
    is_even.then(bytes).filter(|bytes| super::readable::is_text_throughout(bytes))
}

#[cfg(test)]
mod tests {
    use super::{is_spread, lists, read};

    #[test]
    fn bytes_are_read_however_they_are_grouped() {
        for text in [
            "68 65 6c 6c 6f 20 77 6f 72 6c 64 21",
            "see 68:65:6c:6c:6f:20:77:6f:72:6c:64:21 there",
            r"\x68\x65\x6c\x6c\x6f\x20\x77\x6f\x72\x6c\x64\x21",
            "{0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20, 0x77, 0x6f, 0x72, 0x6c, 0x64, 0x21}",
            "68656c6c 6f20776f 726c6421",
            "00000000: 6865 6c6c 6f20  hello \n00000006: 776f 726c 6421  world!\n",
            "00000000  68 65 6c 6c 6f 20 77 6f  |hello wo|\n00000008  72 6c 64 21              |rld!|\n",
        ] {
            assert!(is_spread(text.as_bytes()), "{text}");
            let found = lists(text.as_bytes());
            assert!(found.iter().any(|list| list.bytes == b"hello world!"), "{text} {found:?}");
        }
    }

    #[test]
    fn letters_are_joined() {
        let spread = "say h e l l o w o r l d o n c e m o r e please";
        assert!(is_spread(spread.as_bytes()));
        assert_eq!(read(spread).expect("it is written apart").text, "say helloworldoncemore please");
        assert!(read("a b c and words").is_none());
    }
}
