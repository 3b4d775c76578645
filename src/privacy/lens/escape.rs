//! Decodes percent, backslash and HTML escapes, one level of them.

use std::ops::Range;

use crate::privacy::view::View;

/// Decodes one level of escapes; nothing when there are none.
pub(super) fn read(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let mut view = View::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    while at < bytes.len() {
        let decoded = match bytes[at] {
            b'%' => percent(bytes, at),
            b'\\' => backslash(bytes, at),
            b'&' => entity(text, at),
            _ => None,
        };
        let Some((plain, end)) = decoded else {
            at += 1;
            continue;
        };
        view.copy(text, kept..at);
        view.put(&plain, at..end);
        at = end;
        kept = end;
    }
    (kept > 0).then(|| {
        view.copy(text, kept..text.len());
        view
    })
}

/// The decoded text and the offset behind the escape.
type Decoded = Option<(String, usize)>;

/// `%2F`, as many in a row as make whole characters, and the old `%u002f`.
fn percent(bytes: &[u8], at: usize) -> Decoded {
    if matches!(bytes.get(at + 1), Some(b'u' | b'U')) {
        return unicode(bytes, at + 2, 4);
    }
    let mut decoded = Vec::new();
    let mut end = at;
    // A character takes at most four bytes; a run is decoded character by character so that places stay exact.
    while decoded.len() < 4 && bytes.get(end) == Some(&b'%') {
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
        b'e' => single("\u{1b}"),
        b'\\' => single("\\"),
        b'/' => single("/"),
        b'"' => single("\""),
        b'\'' => single("'"),
        b'`' => single("`"),
        b'x' => unicode(bytes, at + 2, 2),
        b'u' if bytes.get(at + 2) == Some(&b'{') => braced(bytes, at + 3),
        b'u' => unicode(bytes, at + 2, 4),
        b'U' => unicode(bytes, at + 2, 8),
        b'0'..=b'3' => octal(bytes, at + 1),
        b'\n' => Some((String::new(), skip_blanks(bytes, at + 2))),
        b'\r' if bytes.get(at + 2) == Some(&b'\n') => Some((String::new(), skip_blanks(bytes, at + 3))),
        _ => None,
    }
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

/// `\033`
fn octal(bytes: &[u8], from: usize) -> Decoded {
    let code = number(bytes, from..from + 3, 8)?;
    Some((char::from_u32(code)?.to_string(), from + 3))
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
        ] {
            assert_eq!(read(escaped).expect("it is escaped").text, "a/b", "{escaped}");
        }
        assert_eq!(read("%D0%B0\\ud83d\\ude00").expect("it is escaped").text, "а😀");
        assert_eq!(read("a\\\n   b").expect("it is escaped").text, "ab");
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in ["100% sure", "a & b", "x\\q", "%zz", "&#;", "&unknown;", "\\u12", "%", "\\", "&"] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
