//! Joins what a fold, a list or neighbouring values have split.

use crate::shape::is_word;
use crate::view::{Decoder, View};

/// Joins a text at its folds, or at its folds and between neighbours; nothing when no word is split.
pub(super) fn read(text: &str, decoder: Decoder) -> Option<View> {
    let bytes = text.as_bytes();
    let seam = if decoder == Decoder::Fold { fold } else { neighbour };
    let mut view = View::with_capacity(text.len());
    let (mut kept, mut at) = (0, 0);
    while let Some(start) = bytes[at..].iter().position(|&byte| BEGINS_SEAM[usize::from(byte)]).map(|found| at + found)
    {
        let Some(end) = seam(Cursor { text: bytes, at: start }) else {
            at = start + 1;
            continue;
        };
        at = end.at;
        if start > kept && ends_part(bytes, start) && bytes.get(at).is_some_and(|&byte| begins_part(byte)) {
            view.copy_near(text, kept..start);
            view.put("", start..at);
            kept = at;
        }
    }
    (kept > 0).then(|| {
        view.copy_near(text, kept..text.len());
        view
    })
}

/// Whether a part of something split may end before an offset: not behind a sign that closes a word, nor behind the
/// padding of base64.
fn ends_part(text: &[u8], end: usize) -> bool {
    let last = text[end - 1];
    let is_padding = || last == b'=' && end > 8 && text[end - 8..end - 1].iter().all(|&byte| is_of_base64(byte));
    !last.is_ascii()
        || last.is_ascii_graphic()
            && !matches!(last, b';' | b',' | b'{' | b'}' | b')' | b'(' | b'[' | b']' | b'<' | b'|' | b'!')
            && !is_padding()
}

fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether the next part of something split may begin with a byte.
fn begins_part(byte: u8) -> bool {
    !byte.is_ascii()
        || byte.is_ascii_graphic()
            && !matches!(byte, b';' | b',' | b'{' | b'}' | b')' | b'(' | b'[' | b']' | b'<' | b'!')
}

/// The bytes that a seam may begin with.
const BEGINS_SEAM: [bool; 256] = {
    let mut begins = [false; 256];
    let signs = b"\"'` \t,+&.\\\r\n|<";
    let mut at = 0;
    while at < signs.len() {
        begins[signs[at] as usize] = true;
        at += 1;
    }
    begins
};

/// A place in a text, from which a seam is read piece by piece.
#[derive(Debug, Clone, Copy)]
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl Cursor<'_> {
    /// Behind one byte of a set.
    fn one(self, set: &[u8]) -> Option<Self> {
        self.text.get(self.at).filter(|byte| set.contains(byte)).map(|_| Self { at: self.at + 1, ..self })
    }

    /// Behind one byte of a set, if one stands here.
    fn maybe(self, set: &[u8]) -> Self {
        self.one(set).unwrap_or(self)
    }

    /// How many bytes of a kind stand here; no more are looked at than count.
    fn count(self, most: usize, kind: fn(u8) -> bool) -> usize {
        self.text[self.at..].iter().take(most).take_while(|&&byte| kind(byte)).count()
    }

    /// Behind so many blanks at most.
    fn blanks(self, most: usize) -> Self {
        Self { at: self.at + self.count(most, |byte| matches!(byte, b' ' | b'\t')), ..self }
    }

    /// Behind one blank or more, so many at most.
    fn apart(self, most: usize) -> Option<Self> {
        Some(self.blanks(most)).filter(|behind| behind.at > self.at)
    }

    /// Behind a word of letters, digits, underscores and dashes.
    fn word(self, most: usize) -> Option<Self> {
        let there = self.count(most, is_word);
        (there > 0).then_some(Self { at: self.at + there, ..self })
    }

    /// Behind a name: a word of 41 letters at most that begins with neither digit nor dash.
    fn name(self) -> Option<Self> {
        let first = self.text.get(self.at)?;
        (first.is_ascii_alphabetic() || *first == b'_').then(|| self.word(41))?
    }

    /// Behind the end of a line.
    fn line_end(self) -> Option<Self> {
        self.maybe(b"\r").one(b"\n")
    }
}

/// Behind a line break with the indentation and the comment or quote mark of the next line.
fn fold(start: Cursor<'_>) -> Option<Cursor<'_>> {
    let line = start.blanks(40).maybe(b"\\").line_end()?.blanks(200);
    let slashes = || line.one(b"/")?.one(b"/");
    let quoted = || line.one(b"#>|*").or_else(slashes)?.apart(8);
    let added = || Some(line.one(b"+")?.blanks(8));
    Some(quoted().or_else(added).unwrap_or(line))
}

/// Behind what stands between two items or two values: quotes, commas, list marks, short keys.
fn neighbour(start: Cursor<'_>) -> Option<Cursor<'_>> {
    let listed = || of_lines(start).or_else(|| of_quotes(start)).or_else(|| of_cells(start));
    let broken = || start.one(b"<")?.maybe(b"wW").one(b"bB")?.one(b"rR")?.maybe(b" ").maybe(b"/").one(b">");
    let counted = || {
        let item = start.one(b",")?.blanks(4);
        let key = || item.name()?.one(b":")?.apart(4);
        Some(key().unwrap_or(item))
    };
    listed().or_else(broken).or_else(counted)
}

/// Between values on two lines.
fn of_lines(start: Cursor<'_>) -> Option<Cursor<'_>> {
    // Of values without quotes a comma says that each stands for itself.
    let closed = start.one(QUOTES).map_or(start, |closed| closed.blanks(8).maybe(b",+&."));
    let line = closed.blanks(8).maybe(b"\\").line_end()?.blanks(200);
    let item = line.one(b"-*").and_then(|mark| mark.apart(8)).unwrap_or(line);
    let key = || item.maybe(b"\"'").name()?.maybe(b"\"'").blanks(8).one(b":=")?.apart(8);
    Some(key().unwrap_or(item).maybe(QUOTES))
}

/// Between two quoted values on one line, the second perhaps behind its key.
fn of_quotes(start: Cursor<'_>) -> Option<Cursor<'_>> {
    let next = start.one(QUOTES)?.blanks(8).maybe(b",+.;").blanks(8);
    let quoted = || next.one(b"\"'")?.word(40)?.one(b"\"'");
    let key = || Some(quoted().or_else(|| next.word(40))?.blanks(8).one(b":=")?.blanks(8));
    key().and_then(|value| value.one(QUOTES)).or_else(|| next.one(QUOTES))
}

/// Between the cells of a column.
fn of_cells(start: Cursor<'_>) -> Option<Cursor<'_>> {
    let mut cell = start.blanks(40).one(b"|")?.blanks(8).line_end()?.blanks(8).one(b"|")?;
    for _ in 0..4 {
        cell = cell.blanks(40).one(b"|").unwrap_or(cell);
    }
    Some(cell.blanks(8))
}

/// What opens and closes a value.
const QUOTES: &[u8] = b"\"'`";

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
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;
    use regex::bytes::RegexBuilder;

    use super::{BEGINS_SEAM, Cursor, Decoder, fold, neighbour, read};

    /// The same seams as regular expressions.
    const FOLD: &str = r"[ \t]{0,40}\\?\r?\n[ \t]{0,200}(?:(?:#|//|>|\||\*)[ \t]{1,8}|\+[ \t]{0,8})?";
    const NEIGHBOUR: &str = concat!(
        r#"(?:["'`][ \t]{0,8}[,+&.]?)?[ \t]{0,8}\\?\r?\n[ \t]{0,200}(?:[-*][ \t]{1,8})?"#,
        r#"(?:["']?[A-Za-z_][\w-]{0,40}["']?[ \t]{0,8}[:=][ \t]{1,8})?["'`]?"#,
        r#"|["'`][ \t]{0,8}[,+.;]?[ \t]{0,8}(?:(?:["'][\w-]{1,40}["']|[\w-]{1,40})[ \t]{0,8}[:=][ \t]{0,8})?["'`]"#,
        r"|[ \t]{0,40}\|[ \t]{0,8}\r?\n[ \t]{0,8}\|(?:[ \t]{0,40}\|){0,4}[ \t]{0,8}|(?i:<w?br ?/?>)",
        r"|,[ \t]{0,4}(?:[A-Za-z_][\w-]{0,40}:[ \t]{1,4})?",
    );

    /// Reads a seam.
    type Seam = fn(Cursor<'_>) -> Option<Cursor<'_>>;

    /// A text of pieces, blanks and letters as often as the limits of the patterns matter.
    fn text_of(pieces: &[(&str, usize)]) -> String {
        let times = |&(piece, times): &(&str, usize)| match piece {
            " " | "\t" | "k" | "-" if times > 36 => piece.repeat(times),
            " " | "\t" => piece.repeat(times % 11),
            _ => piece.to_owned(),
        };
        pieces.iter().map(times).collect()
    }

    #[test]
    fn seams_are_those_of_the_patterns() {
        let compiled = |pattern| RegexBuilder::new(pattern).unicode(false).build().expect("it compiles");
        let seams: [(_, Seam); 2] = [(compiled(FOLD), fold), (compiled(NEIGHBOUR), neighbour)];
        let pieces = proptest::collection::vec((proptest::sample::select(&PIECES[..]), 1..44_usize), 1..24);
        let mut runner = TestRunner::new(ProptestConfig::with_cases(20_000));
        let law = |pieces: Vec<(&str, usize)>| {
            let text = text_of(&pieces);
            for (pattern, seam) in &seams {
                let expected: Vec<_> = pattern.find_iter(text.as_bytes()).map(|found| found.range()).collect();
                let (mut found, mut at) = (Vec::new(), 0);
                while at < text.len() {
                    let end = seam(Cursor { text: text.as_bytes(), at }).map(|end| end.at);
                    prop_assert!(end.is_none() || BEGINS_SEAM[usize::from(text.as_bytes()[at])]);
                    found.extend(end.map(|end| at..end));
                    at = end.unwrap_or(at + 1);
                }
                prop_assert_eq!(&found, &expected, "{:?}", text);
            }
            Ok(())
        };
        runner.run(&pieces, law).expect("the law holds");
    }

    const PIECES: [&str; 33] = [
        " ", "\t", "\n", "\r\n", "\r", "\\", "\"", "'", "`", ",", "+", "&", ".", ";", "-", "*", "#", "//", "/", ">",
        "|", "<", "<br>", "<WBR />", "br", ":", "=", "k", "key", "_a-1", "9", "- ", "é",
    ];

    #[test]
    fn folds_are_joined() {
        for folded in ["ab\n+cd", "ab\ncd", "ab\r\n    cd", "ab\\\n  cd", "ab\n# cd", "ab\n> cd"] {
            assert_eq!(read(folded, Decoder::Fold).expect("it is folded").text, "abcd", "{folded}");
        }
        assert!(read("ab cd", Decoder::Fold).is_none());
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
            let joined = read(split, Decoder::Neighbour).expect("it is split").text;
            assert!(joined.contains("abcd"), "{split} {joined}");
        }
    }
}
