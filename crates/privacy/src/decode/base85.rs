//! Reads base85 in the alphabet of RFC 1924 and git.

use std::ops::Range;

use super::readable::is_text_throughout;
use super::spaced::List;

/// The shortest run worth a look: three groups, twelve bytes.
const SHORTEST: usize = 15;
/// How many letters make a group, and how many groups in a row must be text.
const GROUP: usize = 5;
const GROUPS: usize = 3;
/// The letter of the highest value.
const HIGHEST: u8 = b'~';

/// What is no letter of the alphabet.
const NONE: u8 = 255;

/// The letters by their value.
const VALUES: [u8; 256] = {
    let letters = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < letters.len() {
        values[letters[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// Lists the runs of printable characters without a space that are long and hold more signs than words do.
fn runs(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(window) = text.get(at..at + SHORTEST) {
            // A space anywhere in the window rules out every run that begins before it.
            if let Some(space) = window.iter().rposition(|byte| !byte.is_ascii_graphic()) {
                at += space + 1;
                continue;
            }
            let start = at;
            let length = text[start..].iter().position(|byte| !byte.is_ascii_graphic());
            at = length.map_or(text.len(), |length| start + length);
            if signs(&text[start..at]) * 32 >= at - start {
                return Some(start..at);
            }
        }
        None
    })
}

/// How many characters are neither letters nor digits, nor join the words of a name, path or address.
fn signs(run: &[u8]) -> usize {
    run.iter()
        .filter(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b',' | b'"'))
        .count()
}

/// Lists the text that stands in base85.
pub(super) fn lists(text: &[u8]) -> Vec<List> {
    let mut found = Vec::new();
    for run in runs(text) {
        let read = read(&text[run.clone()]);
        found.extend(read.map(|(part, bytes)| List { range: run.start + part.start..run.start + part.end, bytes }));
    }
    found
}

/// Reads the text of a run from the first place on at which three groups in a row are text.
fn read(run: &[u8]) -> Option<(Range<usize>, Vec<u8>)> {
    // The first letter of a group tells whether its first byte is ASCII text: a break, an escape or printable.
    let opens = |at: usize| matches!(VALUES[usize::from(run[at])], 2..=4 | 8..=40);
    let start = (0..=run.len().checked_sub(SHORTEST)?).find(|&start| {
        (0..GROUPS).all(|group| opens(start + group * GROUP))
            && (0..GROUPS).all(|group| {
                let at = start + group * GROUP;
                bytes_of(&run[at..at + GROUP]).is_some_and(|bytes| {
                    bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t' | 0x1b | 0x80..))
                })
            })
    })?;
    let mut bytes = Vec::new();
    let mut end = start;
    while let Some(group) = run.get(end..end + GROUP).and_then(bytes_of) {
        bytes.extend(group);
        end += GROUP;
    }
    // The last group may be short: it is filled up with the highest letter, and as many bytes do not count.
    let rest = &run[end..run.len().min(end + GROUP)];
    let rest = rest.split(|&byte| VALUES[usize::from(byte)] == NONE).next().unwrap_or_default();
    let mut last = rest.to_vec();
    last.resize(GROUP, HIGHEST);
    if rest.len() > 1 && rest.len() < GROUP {
        bytes.extend(bytes_of(&last).unwrap_or_default().iter().take(rest.len() - 1));
    }
    is_text_throughout(&bytes).then_some((start..end + rest.len().min(GROUP - 1), bytes))
}

/// The four bytes of a group.
fn bytes_of(group: &[u8]) -> Option<[u8; 4]> {
    let number = group.iter().try_fold(0u64, |number, &byte| {
        let value = VALUES[usize::from(byte)];
        (value != NONE).then(|| number * 85 + u64::from(value))
    })?;
    u32::try_from(number).ok().map(u32::to_be_bytes)
}

/// Whether a text may hold text in base85.
pub(super) fn is_dense(text: &[u8]) -> bool {
    runs(text).any(|run| read(&text[run]).is_some())
}

#[cfg(test)]
mod tests {
    use super::{is_dense, lists};

    #[test]
    fn text_in_base85_is_read() {
        let text = "Xk~0{Zy<MXa%^NQAa8DCWgu;Da%CW4Ze$=~XJKh>";
        assert!(is_dense(text.as_bytes()));
        let found = lists(text.as_bytes());
        assert!(found.iter().any(|list| list.bytes.ends_with(b"world, once more and again")), "{found:?}");
    }

    #[test]
    fn code_and_addresses_are_not_dense() {
        for text in [
            "https://example.org/search?q=one+two&sort=asc&page=3&filter=open#top",
            "assert_eq!(session.read(&mut buffer).unwrap(),Some((1,vec![2,3])));",
            "std::collections::HashMap<String,Vec<Option<Box<dyn(Fn(&str)->bool)>>>>",
        ] {
            assert!(!is_dense(text.as_bytes()), "{text}");
        }
    }
}
