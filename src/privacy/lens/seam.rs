//! Joins what a fold, a list or neighbouring values have split.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::privacy::view::{Lens, View};

/// A line break with the indentation and the comment or quote mark of the next line.
const FOLD: &str = r"[ \t]{0,40}\\?\r?\n[ \t]{0,200}(?:(?:#|//|>|\||\*)[ \t]{1,8}|\+[ \t]{0,8})?";

/// What stands between two items or two values: quotes, commas, list marks, short keys.
const NEIGHBOUR: &str = concat!(
    r#"["'`]?[ \t]{0,8}[,+&.]?[ \t]{0,8}\\?\r?\n[ \t]{0,200}(?:[-*][ \t]{1,8})?"#,
    r#"(?:["']?[A-Za-z_][\w-]{0,40}["']?[ \t]{0,8}[:=][ \t]{1,8})?["'`]?"#,
    r#"|["'`][ \t]{0,8}[,+.;]?[ \t]{0,8}(?:(?:["'][\w-]{1,40}["']|[\w-]{1,40})[ \t]{0,8}[:=][ \t]{0,8})?["'`]"#,
    r"|[ \t]{0,40}\|[ \t]{0,8}\r?\n[ \t]{0,8}\|(?:[ \t]{0,40}\|){0,4}[ \t]{0,8}|(?i:<w?br ?/?>)",
    r"|,[ \t]{0,4}(?:[A-Za-z_][\w-]{0,40}:[ \t]{1,4})?",
);

/// Joins a text at its folds, or at its folds and between neighbours; nothing when no word is split.
pub(super) fn read(text: &str, lens: Lens) -> Option<View> {
    static PATTERNS: OnceLock<[Regex; 2]> = OnceLock::new();
    let [fold, neighbour] = PATTERNS.get_or_init(|| {
        [FOLD, NEIGHBOUR].map(|pattern| {
            RegexBuilder::new(pattern).unicode(false).build().expect("a constant pattern that a test compiles")
        })
    });
    let pattern = if lens == Lens::Fold { fold } else { neighbour };
    let bytes = text.as_bytes();
    let mut view = View::with_capacity(text.len());
    let mut kept = 0;
    for found in pattern.find_iter(bytes) {
        let whole = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_graphic() || !byte.is_ascii());
        let splits_word = found.start() > kept && whole(bytes.get(found.start() - 1)) && whole(bytes.get(found.end()));
        if splits_word {
            view.copy(text, kept..found.start());
            view.put("", found.range());
            kept = found.end();
        }
    }
    (kept > 0).then(|| {
        view.copy(text, kept..text.len());
        view
    })
}

/// Whether a line seems to end within a word that the next line goes on with.
///
/// A line that begins with a list mark or punctuation goes on with nothing, nor does one that begins with a key behind
/// a line that is an entry itself.
pub(super) fn splits_word(text: &str) -> bool {
    let mut lines = text.split('\n').peekable();
    let mut begins_with = Start::Other;
    while let (Some(line), Some(next)) = (lines.next(), lines.peek()) {
        let next = start(next.as_bytes());
        let line = line.strip_suffix('\r').unwrap_or(line).as_bytes();
        let goes_on = line.last().is_some_and(|&last| is_inner(last))
            && match next {
                Start::Word => true,
                Start::Key => begins_with != Start::Key && !is_entry(line),
                Start::Other => false,
            };
        if goes_on {
            return true;
        }
        begins_with = next;
    }
    false
}

/// Whether a line is an entry of a mapping or an item of a list.
fn is_entry(line: &[u8]) -> bool {
    line.contains(&b':') || matches!(line.trim_ascii_start().first(), Some(b'-' | b'#' | b'{' | b'[' | b'}' | b']'))
}

fn is_inner(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'|' | b'>' | b'{' | b'[' | b',' | b'"' | b'\'')
}

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Word,
    Key,
    Other,
}

fn start(line: &[u8]) -> Start {
    let mut bytes = line.iter().skip_while(|byte| matches!(byte, b' ' | b'\t'));
    let opens = |first: &u8| first.is_ascii_alphanumeric() || matches!(first, b'/' | b'_' | b'+');
    if !bytes.clone().next().is_some_and(opens) {
        return Start::Other;
    }
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    match bytes.by_ref().take(60).find(|byte| !inner(byte)) {
        Some(b':') => Start::Key,
        _ => Start::Word,
    }
}

#[cfg(test)]
mod tests {
    use super::{Lens, read};

    #[test]
    fn folds_are_joined() {
        for folded in ["ab\n+cd", "ab\ncd", "ab\r\n    cd", "ab\\\n  cd", "ab\n# cd", "ab\n> cd"] {
            assert_eq!(read(folded, Lens::Fold).expect("it is folded").text, "abcd", "{folded}");
        }
        assert!(read("ab cd", Lens::Fold).is_none());
    }

    #[test]
    fn neighbours_are_joined() {
        for split in [
            "- ab\n- cd",
            "- \"ab\"\n- \"cd\"",
            "[ab, cd]",
            "[\"ab\",\"cd\"]",
            "a: ab\nb: cd",
            "{\"a\":\"ab\",\"b\":\"cd\"}",
            "'ab' + 'cd'",
            "a='ab'; b='cd'",
            "ab<wbr>cd",
            "| a | ab |\n|   | cd |",
        ] {
            let joined = read(split, Lens::Neighbour).expect("it is split").text;
            assert!(joined.contains("abcd"), "{split} {joined}");
        }
    }
}
