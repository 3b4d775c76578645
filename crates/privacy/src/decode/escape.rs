//! Decodes percent, backslash, HTML and quoted-printable escapes, one level of them.

use std::ops::Range;

use super::confusables::is_invisible;
use crate::value::follows_algorithm;
use crate::view::View;

/// Decodes one level of escapes; nothing when there are none.
pub(super) fn read(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let mut view = View::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    let mut form = Form::default();
    while at < bytes.len() {
        let decoded = match bytes[at] {
            b'%' => percent(bytes, at),
            b'\\' => backslash(bytes, at),
            b'&' => entity(text, at),
            b'=' => quoted_printable(bytes, at),
            b'+' if is_beside_escape(bytes, at) || form.holds(bytes, at) => Some((" ".to_owned(), at + 1)),
            b'\r' if is_lone_return(bytes, at) => Some(("\n".to_owned(), at + 1)),
            b'~' | b'/' => pointer(bytes, at),
            _ => None,
        };
        let Some((plain, end)) = decoded else {
            at += 1;
            continue;
        };
        view.copy_near(text, kept..at);
        view.put(&plain, at..end);
        at = end;
        kept = end;
    }
    (kept > 0).then(|| {
        view.copy_near(text, kept..text.len());
        view
    })
}

/// The decoded text and the offset behind the escape.
type Decoded = Option<(String, usize)>;

/// `%2F`, and the old `%u002f`.
fn percent(bytes: &[u8], at: usize) -> Decoded {
    if matches!(bytes.get(at + 1), Some(b'u' | b'U')) {
        return unicode(bytes, at + 2, 4).map(sent);
    }
    // What was escaped behind a slash is a text of its own, as the last part of an address often is.
    let begins = at.checked_sub(1).is_some_and(|before| bytes[before] == b'/');
    let (text, end) = pairs(bytes, at).map(sent)?;
    Some(if begins && matches!(text.as_str(), "/" | "~" | "\\") { (format!(" {text}"), end) } else { (text, end) })
}

/// `=2F` and a line that ends in `=`, as mail writes them; an assigned number such as `=10` stays.
fn quoted_printable(bytes: &[u8], at: usize) -> Decoded {
    match &bytes[at + 1..] {
        [b'\n', ..] if breaks_softly(bytes, at) => Some((String::new(), at + 2)),
        [b'\r', b'\n', ..] if breaks_softly(bytes, at) => Some((String::new(), at + 3)),
        [first, second, ..] if is_upper_hex(*first) && is_upper_hex(*second) => pairs(bytes, at).filter(|(text, _)| {
            // Mail leaves letters and digits as they are; who writes them so writes several.
            let is_beside =
                || bytes.get(at + 3) == Some(&b'=') || at.checked_sub(3).is_some_and(|at| bytes[at] == b'=');
            let is_plain = |character: char| character.is_ascii_alphanumeric();
            !text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
                && (!text.chars().all(is_plain) || is_beside())
                && !follows_algorithm(&bytes[..=at])
        }),
        _ => None,
    }
}

/// Whether a text may hold quoted-printable escapes.
pub(super) fn is_quoted_printable(bytes: &[u8]) -> bool {
    let signs = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'=').map(|(at, _)| at);
    signs.into_iter().any(|at| match &bytes[at + 1..] {
        [b'\n', ..] | [b'\r', b'\n', ..] => breaks_softly(bytes, at),
        [first, second, ..] => is_upper_hex(*first) && is_upper_hex(*second),
        _ => false,
    })
}

/// Whether an equals sign at the end of a line joins it with the next: it stands right behind a word.
fn breaks_softly(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_graphic() && bytes[before] != b'=')
}

fn is_upper_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte)
}

/// Whether a plus stands for a space: beside percent escapes, as forms are sent.
fn is_beside_escape(bytes: &[u8], at: usize) -> bool {
    let is_escape = |from: usize| bytes.get(from) == Some(&b'%') && number(bytes, from + 1..from + 3, 16).is_some();
    is_escape(at + 1) || at.checked_sub(3).is_some_and(is_escape)
}

/// The last word without a space that a plus was met in, and whether it is a form as it is sent.
#[derive(Default)]
struct Form {
    end: usize,
    sent: bool,
}

impl Form {
    /// Whether a plus stands in a form: a word with a percent escape and a sign that gives a field its value.
    fn holds(&mut self, bytes: &[u8], at: usize) -> bool {
        if at >= self.end {
            let space = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
            let start = bytes[..at].iter().rposition(space).map_or(0, |space| space + 1).max(self.end);
            self.end = bytes[at..].iter().position(space).map_or(bytes.len(), |length| at + length);
            let word = &bytes[start..self.end];
            let escaped = |(offset, _): (usize, &u8)| number(word, offset + 1..offset + 3, 16).is_some();
            self.sent = word[..at - start].contains(&b'=')
                && word.iter().enumerate().filter(|(_, byte)| **byte == b'%').any(escaped);
        }
        self.sent
    }
}

/// A carriage return that ends a line by itself.
fn is_lone_return(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'\r' && bytes.get(at + 1).is_some_and(|&next| next != b'\n')
}

/// Whether lines end as they did on old machines.
pub(super) fn has_lone_return(bytes: &[u8]) -> bool {
    (0..bytes.len()).any(|at| is_lone_return(bytes, at))
}

/// Whether a text may hold a path that became one part of a JSON pointer.
pub(super) fn is_pointer(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|part| matches!(part, [b'~', b'1', next] if is_of_pointer(*next)))
}

/// `~1` for a slash, `~0` for a tilde; a part that begins with one of them is a text of its own.
fn pointer(bytes: &[u8], at: usize) -> Decoded {
    match &bytes[at..] {
        [b'/', b'~', b'1', next, ..] if is_of_pointer(*next) => Some((" /".to_owned(), at + 3)),
        [b'/', b'~', b'0', ..] => Some((" ~".to_owned(), at + 3)),
        [b'~', b'1', next, ..] if is_of_pointer(*next) => Some(("/".to_owned(), at + 2)),
        [b'~', b'0', b'~', b'1', ..] => Some(("~".to_owned(), at + 2)),
        _ => None,
    }
}

fn is_of_pointer(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'.' | b'~' | b'_')
}

/// A sign with two hex digits, as many in a row as make one character.
fn pairs(bytes: &[u8], at: usize) -> Decoded {
    let mut decoded = Vec::new();
    let mut end = at;
    // A character takes at most four bytes; a run is decoded character by character so that places stay exact.
    while decoded.len() < 4 && bytes.get(end) == Some(&bytes[at]) {
        decoded.push(u8::try_from(number(bytes, end + 1..end + 3, 16)?).ok()?);
        end += 3;
        if let Ok(text) = std::str::from_utf8(&decoded) {
            return Some((text.to_owned(), end));
        }
    }
    None
}

/// The escapes of JSON, YAML, shells and most languages.
fn backslash(bytes: &[u8], at: usize) -> Decoded {
    let single = |plain: &str| Some((plain.to_owned(), at + 2));
    match bytes.get(at + 1)? {
        b'n' => single("\n"),
        b'r' => single("\r"),
        b't' => single("\t"),
        b'b' | b'f' | b'v' | b'a' => single(" "),
        b'e' if bytes.get(at + 2) == Some(&b'[') => single("\u{1b}"),
        b'\\' => single("\\"),
        b'/' => single("/"),
        b'"' => single("\""),
        b'\'' if is_of_rich_text(bytes, at) => pairs_behind(bytes, at, 2).map(spelt),
        b'\'' => single("'"),
        b'`' => single("`"),
        b'x' => pairs_behind(bytes, at, 2).or_else(|| unicode(bytes, at + 2, 2)).map(spelt),
        b'u' if bytes.get(at + 2) == Some(&b'{') => braced(bytes, at + 3).map(spelt),
        b'u' => unicode(bytes, at + 2, 4),
        b'U' => unicode(bytes, at + 2, 8).map(spelt),
        b'0' if is_of_style(bytes, at) => unicode(bytes, at + 1, 6).map(spelt),
        b'0'..=b'3' => octal(bytes, at).map(spelt),
        b'\n' => Some((String::new(), skip_blanks(bytes, at + 2))),
        b'\r' if bytes.get(at + 2) == Some(&b'\n') => Some((String::new(), skip_blanks(bytes, at + 3))),
        _ => None,
    }
}

/// What an escape of code or of an address stands for. Who writes `\x00` there spells a character out and hides none:
/// controls read as a space, invisible characters as nothing. The escapes of JSON and HTML hide what they stand for.
fn spelt((text, end): (String, usize)) -> (String, usize) {
    let keeps = |character: char| !character.is_control() || matches!(character, '\n' | '\r' | '\t');
    let visible = text.chars().filter(|&character| !is_invisible(character));
    (visible.map(|character| if keeps(character) { character } else { ' ' }).collect(), end)
}

/// What a percent escape stands for; its controls read as a space too.
fn sent((text, end): (String, usize)) -> (String, usize) {
    let keeps = |character: char| !character.is_control() || matches!(character, '\n' | '\r' | '\t' | '\u{1b}');
    (text.chars().map(|character| if keeps(character) { character } else { ' ' }).collect(), end)
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| !matches!(byte, b' ' | b'\t')).map_or(bytes.len(), |offset| from + offset)
}

/// Reads so many hex digits as a character; a surrogate pair of two escapes is one character.
fn unicode(bytes: &[u8], from: usize, digits: usize) -> Decoded {
    let end = from + digits;
    let code = number(bytes, from..end, 16)?;
    if (0xd800..0xdc00).contains(&code) && bytes.get(end..end + 2) == Some(b"\\u") {
        let low = number(bytes, end + 2..end + 6, 16).filter(|low| (0xdc00..0xe000).contains(low))?;
        let whole = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        return Some((char::from_u32(whole)?.to_string(), end + 6));
    }
    Some((char::from_u32(code)?.to_string(), end))
}

/// `\u{2f}`
fn braced(bytes: &[u8], from: usize) -> Decoded {
    let length = bytes[from..].iter().take(7).position(|&byte| byte == b'}')?;
    let code = number(bytes, from..from + length, 16)?;
    Some((char::from_u32(code)?.to_string(), from + length + 1))
}

/// `\033`, as many in a row as make one character.
fn octal(bytes: &[u8], at: usize) -> Decoded {
    let byte = |from: usize| u8::try_from(number(bytes, from + 1..from + 4, 8)?).ok();
    gathered(bytes, at, 4, byte).or_else(|| Some((char::from(byte(at)?).to_string(), at + 4)))
}

/// Escapes of a mark of so many bytes and two hex digits, as many in a row as make one character.
fn pairs_behind(bytes: &[u8], at: usize, mark: usize) -> Decoded {
    let byte = |from: usize| u8::try_from(number(bytes, from + mark..from + mark + 2, 16)?).ok();
    gathered(bytes, at, mark + 2, byte)
}

/// Reads one character from as many escapes of equal length as it takes.
fn gathered(bytes: &[u8], at: usize, length: usize, byte: impl Fn(usize) -> Option<u8>) -> Decoded {
    let mut decoded = Vec::new();
    let mut end = at;
    while decoded.len() < 4
        && bytes.get(end..end + 2).is_some_and(|mark| {
            mark[0] == b'\\' && (length == 4 && mark[1].is_ascii_digit() || mark[1] == bytes[at + 1])
        })
    {
        decoded.push(byte(end)?);
        end += length;
        if let Ok(text) = std::str::from_utf8(&decoded) {
            return Some((text.to_owned(), end));
        }
    }
    None
}

/// Whether `\00002f` stands here, as in style sheets: letters below 256, or one of several such escapes.
fn is_of_style(bytes: &[u8], at: usize) -> bool {
    let is_escape =
        |from: usize| bytes.get(from..from + 3) == Some(br"\00") && number(bytes, from + 1..from + 7, 16).is_some();
    let beside = || is_escape(at + 7) || at.checked_sub(7).is_some_and(is_escape);
    is_escape(at) && (bytes[at + 3..at + 5] == *b"00" || beside())
}

/// Whether `\'2f` stands beside another such escape, as in rich text: one alone is a quote before digits.
fn is_of_rich_text(bytes: &[u8], at: usize) -> bool {
    let is_escape =
        |from: usize| bytes.get(from..from + 2) == Some(br"\'") && number(bytes, from + 2..from + 4, 16).is_some();
    is_escape(at) && (is_escape(at + 4) || at.checked_sub(4).is_some_and(is_escape))
}

fn number(bytes: &[u8], range: Range<usize>, radix: u32) -> Option<u32> {
    let digits = bytes.get(range).filter(|digits| !digits.is_empty())?;
    digits
        .iter()
        .try_fold(0u32, |number, &byte| number.checked_mul(radix)?.checked_add(char::from(byte).to_digit(radix)?))
}

/// Named characters of HTML that occur in tokens, paths and addresses.
const NAMED: &[(&str, &str)] = &[
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("sol", "/"),
    ("bsol", "\\"),
    ("colon", ":"),
    ("commat", "@"),
    ("equals", "="),
    ("lowbar", "_"),
    ("UnderBar", "_"),
    ("hyphen", "-"),
    ("dash", "-"),
    ("period", "."),
    ("num", "#"),
    ("percnt", "%"),
    ("plus", "+"),
    ("semi", ";"),
    ("excl", "!"),
    ("dollar", "$"),
    ("nbsp", " "),
    ("Tab", "\t"),
    ("NewLine", "\n"),
    ("shy", ""),
    ("ZeroWidthSpace", ""),
    ("zwj", ""),
    ("zwnj", ""),
    ("lrm", ""),
    ("rlm", ""),
];

/// `&#47;`, `&#x2f;`, `&sol;`
fn entity(text: &str, at: usize) -> Decoded {
    let bytes = text.as_bytes();
    let length = bytes[at..].iter().take(17).position(|&byte| byte == b';')?;
    let (name, end) = (&bytes[at + 1..at + length], at + length + 1);
    let code = match name {
        [b'#', b'x' | b'X', digits @ ..] => number(digits, 0..digits.len(), 16)?,
        [b'#', digits @ ..] => number(digits, 0..digits.len(), 10)?,
        _ => {
            let (_, plain) = NAMED.iter().find(|(named, _)| named.as_bytes() == name)?;
            return Some(((*plain).to_owned(), end));
        }
    };
    Some((char::from_u32(code)?.to_string(), end))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn every_form_decodes_to_the_same_text() {
        for escaped in [
            "a%2Fb",
            "a%2fb",
            "a%u002fb",
            r"a\/b",
            r"a\x2fb",
            r"a\u002fb",
            r"a\u{2f}b",
            r"a\057b",
            "a&#47;b",
            "a&#x2F;b",
            "a&sol;b",
            "a=2Fb",
            r"a\00002fb",
            "a=\n/b",
        ] {
            assert_eq!(read(escaped).expect("it is escaped").text, "a/b", "{escaped}");
        }
        assert_eq!(read("%D0%B0\\ud83d\\ude00").expect("it is escaped").text, "а😀");
        assert_eq!(read("a%3A+b").expect("it is escaped").text, "a: b");
        assert_eq!(read("/properties/~1srv~1x").expect("it is escaped").text, "/properties /srv/x");
        assert_eq!(read("a\rb").expect("it is escaped").text, "a\nb");
        assert_eq!(read("x=a+b&y=%2F").expect("it is escaped").text, "x=a b&y=/");
        assert_eq!(read(r"\'61\'2f").expect("it is escaped").text, "a/");
        assert_eq!(read(r"\xd0\xb0\320\260").expect("it is escaped").text, "аа");
        assert_eq!(read("a\\\n   b").expect("it is escaped").text, "ab");
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in [
            "100% sure",
            "a & b",
            "x\\q",
            "%zz",
            "&#;",
            "&unknown;",
            "\\u12",
            "%",
            "\\",
            "&",
            "N=10",
            "a ==\nb",
            "1 + 1",
            "~10 turns",
            "a ~1/b",
            "x\r\ny",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
