//! Strict JSON (RFC 8259) into the same tree.
//!
//! Own reader: `serde_json` keeps neither places nor the first of two equal keys, and the YAML parser takes more than
//! JSON (comments, bare words) and less (tabs, long keys). Escapes and surrogates are left to `serde_json`.

use super::build::{TooDeep, TreeBuilder};
use super::fault::Problem;
use super::{Node, Span, Style};

/// Reads the one value of a file from `start`; what is wrong with it goes to `problems`.
pub(super) fn read(text: &str, start: usize, problems: &mut Vec<Problem>) -> Option<Node> {
    let mut reader = Reader { text, at: start, builder: TreeBuilder::new(problems), closers: Vec::new() };
    match reader.document() {
        Ok(()) => reader.builder.finish(),
        Err(Refused::Syntax(span, message)) => {
            reader.builder.problem(Problem::syntax(span, message));
            None
        }
        Err(Refused::TooDeep) => None,
    }
}

struct Reader<'t, 'p> {
    text: &'t str,
    at: usize,
    builder: TreeBuilder<'p>,
    /// The brackets that end the open collections.
    closers: Vec<u8>,
}

enum Refused {
    Syntax(Span, &'static str),
    TooDeep,
}

impl From<TooDeep> for Refused {
    fn from(_: TooDeep) -> Self {
        Self::TooDeep
    }
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<(), Refused> {
        self.value()?;
        while let Some(&closer) = self.closers.last() {
            self.member(closer)?;
            if self.builder.is_hopeless() {
                return Ok(());
            }
        }
        match self.next() {
            None => Ok(()),
            Some(_) => Err(self.wrong("nothing may follow the value")),
        }
    }

    /// Reads what stands behind a value inside a collection: its end, or a comma and the next value.
    fn member(&mut self, closer: u8) -> Result<(), Refused> {
        match self.next() {
            Some(byte) if byte == closer => self.close(),
            Some(b',') => {
                self.at += 1;
                match self.next() {
                    Some(byte) if byte == closer => Err(self.wrong("a comma must be followed by another value")),
                    _ => self.entry(closer),
                }
            }
            None => Err(self.wrong("the file ends inside a collection")),
            Some(_) => Err(self.wrong("a comma or the closing bracket is missing here")),
        }
    }

    /// Reads an item, or a key with its value.
    fn entry(&mut self, closer: u8) -> Result<(), Refused> {
        if closer == b'}' {
            match self.next() {
                Some(b'"') => self.string()?,
                _ => return Err(self.wrong("a key in double quotes must stand here")),
            }
            match self.next() {
                Some(b':') => self.at += 1,
                _ => return Err(self.wrong("a colon must follow the key")),
            }
        }
        self.value()
    }

    fn value(&mut self) -> Result<(), Refused> {
        match self.next() {
            Some(b'{') => {
                self.builder.open_mapping(self.at, true)?;
                self.open(b'}')
            }
            Some(b'[') => {
                self.builder.open_sequence(self.at, true)?;
                self.open(b']')
            }
            Some(b'"') => self.string(),
            Some(_) => self.word(),
            None => Err(self.wrong("a value is missing here")),
        }
    }

    /// Steps into a collection and, through the one recursion, only to its first scalar or bracket.
    fn open(&mut self, closer: u8) -> Result<(), Refused> {
        self.at += 1;
        self.closers.push(closer);
        match self.next() {
            Some(byte) if byte == closer => self.close(),
            _ => self.entry(closer),
        }
    }

    fn close(&mut self) -> Result<(), Refused> {
        self.at += 1;
        self.closers.pop();
        self.builder.close(self.at);
        Ok(())
    }

    fn string(&mut self) -> Result<(), Refused> {
        let start = self.at;
        let mut end = start + 1;
        let mut escaped = false;
        loop {
            match self.text.as_bytes().get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(b'\n') | None => return Err(Refused::Syntax(Span::new(start, start + 1), "unclosed quote")),
                Some(b'\t') => return Err(Refused::Syntax(Span::new(end, end + 1), "a tab in a string must be `\\t`")),
                Some(_) => end += 1,
            }
        }
        self.at = end + 1;
        let span = Span::new(start, self.at);
        let text = if escaped {
            let refused = |_| Refused::Syntax(span, "an escape in this string is not JSON");
            serde_json::from_str::<Box<str>>(&self.text[span.range()]).map_err(refused)?
        } else {
            self.text[start + 1..end].into()
        };
        self.builder.scalar(text, Style::DoubleQuoted, span);
        Ok(())
    }

    /// Reads `true`, `false`, `null` or a number.
    fn word(&mut self) -> Result<(), Refused> {
        let rest = &self.text[self.at..];
        let length = rest.find([' ', '\t', '\n', '\r', ',', ':', '[', ']', '{', '}', '"']).unwrap_or(rest.len());
        let word = &rest[..length];
        if !matches!(word, "true" | "false" | "null") && !is_number(word.as_bytes()) {
            return Err(self.wrong("neither a value nor a number of JSON"));
        }
        let span = Span::new(self.at, self.at + length);
        self.builder.scalar(word.into(), Style::Plain, span);
        self.at += length;
        Ok(())
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let distance = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.at += distance.unwrap_or(rest.len());
        distance.map(|distance| rest[distance])
    }

    /// Refuses the character here.
    fn wrong(&self, message: &'static str) -> Refused {
        let width = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Refused::Syntax(Span::new(self.at, self.at + width), message)
    }
}

/// Whether this is `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}
