//! The plain majority of files, read without the full parser.
//!
//! Block mappings and sequences of one-line values: plain words, quotes without escapes, brackets that close on their
//! line; comments and blank lines between. Whatever else comes, this reader hands over by `None` and the full parser
//! reads the file from its start: a file is either read to the same tree here or not at all. Laws and a fuzz target
//! hold the two against each other.

use super::build::TreeBuilder;
use super::fault::Problem;
use super::{Comment, Node, Span, Style};

/// The full parser refuses longer keys.
const LONGEST_KEY: usize = 1000;

/// Reads a file from `start`, or hands over.
pub(super) fn read(text: &str, start: usize) -> Option<(Node, Vec<Comment>)> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        builder: TreeBuilder::new(&mut problems),
        comments: Vec::new(),
        blocks: Vec::new(),
        vacant: Some(start),
    };
    let mut line = start;
    while line < text.len() {
        let rest = &reader.bytes[line..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let content = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
        if line > start || content != b"---" {
            reader.line(line, line + content.len())?;
        }
        line += length + 1;
    }
    let read = reader.finish()?;
    problems.is_empty().then_some(read)
}

struct Reader<'t, 'p> {
    text: &'t str,
    bytes: &'t [u8],
    builder: TreeBuilder<'p>,
    comments: Vec<Comment>,
    blocks: Vec<Block>,
    /// The place of the value that has not begun yet: of the whole file, of a key, of a dash.
    vacant: Option<usize>,
}

/// An open block collection.
#[derive(Clone, Copy)]
struct Block {
    indent: usize,
    is_sequence: bool,
}

/// A scalar on one line.
struct Word<'t> {
    text: std::borrow::Cow<'t, str>,
    style: Style,
    start: usize,
    end: usize,
}

impl<'t> Reader<'t, '_> {
    /// Reads the line from `start` to `end`, its line end excluded.
    fn line(&mut self, start: usize, end: usize) -> Option<()> {
        let content = self.skip_spaces(start, end);
        match self.byte(content, end) {
            None => return Some(()),
            Some(b'#') => return self.comment(content, end),
            Some(_) => {}
        }
        let is_item = self.is_dash(content, end);
        self.settle(content, content - start, is_item)?;
        self.block(content, start, end)?;
        self.builder.is_clean().then_some(())
    }

    /// Opens or closes collections until the innermost is the one that a line belongs to.
    fn settle(&mut self, at: usize, indent: usize, is_item: bool) -> Option<()> {
        if let Some(place) = self.vacant.take() {
            let nests = self
                .blocks
                .last()
                .is_none_or(|block| indent > block.indent || (indent == block.indent && is_item && !block.is_sequence));
            if nests {
                return self.open(at, Block { indent, is_sequence: is_item });
            }
            self.builder.scalar(Box::default(), Style::Plain, Span::new(place, place));
        }
        loop {
            let block = *self.blocks.last()?;
            if block.indent < indent || (block.indent == indent && is_item && !block.is_sequence) {
                return None;
            }
            if block.indent == indent && block.is_sequence == is_item {
                return Some(());
            }
            self.builder.close(at);
            self.blocks.pop();
        }
    }

    fn open(&mut self, at: usize, block: Block) -> Option<()> {
        let opened = if block.is_sequence {
            self.builder.open_sequence(at, false)
        } else {
            self.builder.open_mapping(at, false)
        };
        self.blocks.push(block);
        opened.ok()
    }

    /// Reads the entry or item at `at`, in the innermost collection; `line` is where its line starts.
    fn block(&mut self, mut at: usize, line: usize, end: usize) -> Option<()> {
        while self.is_dash(at, end) {
            let item = self.skip_spaces(at + 1, end);
            match self.byte(item, end) {
                None | Some(b'#' | b'[' | b'{') => return self.value(at + 1, end),
                Some(_) if self.is_dash(item, end) => {
                    self.open(item, Block { indent: item - line, is_sequence: true })?;
                    at = item;
                }
                Some(_) => {
                    let word = self.word(item, end, false)?;
                    let Some(colon) = self.colon(&word, end) else {
                        let after = self.scalar(word);
                        return self.rest(after, end);
                    };
                    self.open(item, Block { indent: item - line, is_sequence: false })?;
                    self.scalar(word);
                    return self.value(colon + 1, end);
                }
            }
        }
        let key = self.word(at, end, false)?;
        let colon = self.colon(&key, end)?;
        self.scalar(key);
        self.value(colon + 1, end)
    }

    /// Reads what stands behind a colon or a dash, to the end of the line.
    fn value(&mut self, place: usize, end: usize) -> Option<()> {
        let at = self.skip_spaces(place, end);
        let after = match self.byte(at, end) {
            None | Some(b'#') => {
                self.vacant = Some(place);
                place
            }
            Some(b'[' | b'{') => self.flow(at, end)?,
            Some(_) => {
                let word = self.word(at, end, false)?;
                self.scalar(word)
            }
        };
        self.rest(after, end)
    }

    /// Reads what may follow a value on its line: a comment.
    fn rest(&mut self, after: usize, end: usize) -> Option<()> {
        let rest = self.skip_spaces(after, end);
        match self.byte(rest, end) {
            None => Some(()),
            Some(b'#') if rest > after => self.comment(rest, end),
            Some(_) => None,
        }
    }

    /// Reads a collection in brackets and returns its end.
    fn flow(&mut self, start: usize, end: usize) -> Option<usize> {
        let is_mapping = self.bytes[start] == b'{';
        let opened =
            if is_mapping { self.builder.open_mapping(start, true) } else { self.builder.open_sequence(start, true) };
        opened.ok()?;
        let closer = if is_mapping { b'}' } else { b']' };
        let mut at = self.skip_spaces(start + 1, end);
        if self.byte(at, end) != Some(closer) {
            loop {
                if is_mapping {
                    at = self.flow_key(at, end)?;
                }
                at = match self.byte(at, end)? {
                    b'[' | b'{' => self.flow(at, end)?,
                    _ => {
                        let word = self.word(at, end, true)?;
                        self.scalar(word)
                    }
                };
                at = self.skip_spaces(at, end);
                match self.byte(at, end)? {
                    b',' => at = self.skip_spaces(at + 1, end),
                    byte if byte == closer => break,
                    _ => return None,
                }
            }
        }
        self.builder.close(at + 1);
        Some(at + 1)
    }

    /// Reads a key in braces and returns where its value begins.
    fn flow_key(&mut self, at: usize, end: usize) -> Option<usize> {
        let word = self.word(at, end, true)?;
        let colon = self.colon(&word, end).filter(|colon| colon + 1 < end)?;
        self.scalar(word);
        Some(self.skip_spaces(colon + 1, end))
    }

    /// Where the colon stands that makes a word a key the full parser would take: before a space or the end of the line.
    fn colon(&self, word: &Word<'t>, end: usize) -> Option<usize> {
        let colon = self.skip_spaces(word.end, end);
        let is_key = self.byte(colon, end) == Some(b':')
            && matches!(self.byte(colon + 1, end), None | Some(b' '))
            && word.end - word.start <= LONGEST_KEY;
        is_key.then_some(colon)
    }

    fn word(&self, at: usize, end: usize, in_brackets: bool) -> Option<Word<'t>> {
        match self.byte(at, end)? {
            b'"' | b'\'' => self.quoted(at, end),
            _ => self.plain(at, end, in_brackets),
        }
    }

    /// A plain scalar, up to the end of the line, a comment, a colon or, in brackets, an indicator; whether one of these
    /// may follow is the caller's to say.
    fn plain(&self, start: usize, end: usize, in_brackets: bool) -> Option<Word<'t>> {
        let bytes = &self.bytes[start..end];
        if !begins_plain(bytes) {
            return None;
        }
        let mut length = bytes.len();
        for (at, byte) in bytes.iter().enumerate() {
            let stops = match byte {
                b':' => match bytes.get(at + 1) {
                    None | Some(b' ') => true,
                    Some(next) => in_brackets && is_bracket_or_comma(*next),
                },
                b'#' => bytes[at - 1] == b' ',
                b'\t' => return None,
                byte => in_brackets && is_bracket_or_comma(*byte),
            };
            if stops {
                length = at;
                break;
            }
        }
        let text = self.text[start..start + length].trim_end_matches(' ');
        Some(Word { text: text.into(), style: Style::Plain, start, end: start + text.len() })
    }

    /// A scalar in quotes that holds no escape but, in single quotes, the doubled quote.
    fn quoted(&self, start: usize, end: usize) -> Option<Word<'t>> {
        let quote = self.bytes[start];
        let mut at = start + 1;
        loop {
            at += self.bytes[at..end].iter().position(|byte| *byte == quote || *byte == b'\\' && quote == b'"')?;
            match self.bytes[at] {
                b'\\' => return None,
                _ if quote == b'\'' && self.byte(at + 1, end) == Some(quote) => at += 2,
                _ => break,
            }
        }
        let inside = &self.text[start + 1..at];
        let (text, style) = match quote {
            b'"' => (inside.into(), Style::DoubleQuoted),
            _ if inside.contains('\'') => (inside.replace("''", "'").into(), Style::SingleQuoted),
            _ => (inside.into(), Style::SingleQuoted),
        };
        Some(Word { text, style, start, end: at + 1 })
    }

    /// Adds a scalar and returns its end.
    fn scalar(&mut self, word: Word<'t>) -> usize {
        self.builder.scalar(word.text.into(), word.style, Span::new(word.start, word.end));
        word.end
    }

    fn comment(&mut self, start: usize, end: usize) -> Option<()> {
        self.comments.push(Comment { span: Span::new(start, end), text: self.text[start + 1..end].trim().into() });
        Some(())
    }

    fn finish(mut self) -> Option<(Node, Vec<Comment>)> {
        self.blocks.last()?;
        if let Some(place) = self.vacant {
            self.builder.scalar(Box::default(), Style::Plain, Span::new(place, place));
        }
        for _ in 0..self.blocks.len() {
            self.builder.close(self.text.len());
        }
        Some((self.builder.finish()?, self.comments))
    }

    /// The byte at `at`, if the line goes that far.
    fn byte(&self, at: usize, end: usize) -> Option<u8> {
        (at < end).then(|| self.bytes[at])
    }

    fn skip_spaces(&self, from: usize, end: usize) -> usize {
        let mut at = from;
        while self.byte(at, end) == Some(b' ') {
            at += 1;
        }
        at
    }

    fn is_dash(&self, at: usize, end: usize) -> bool {
        self.byte(at, end) == Some(b'-') && matches!(self.byte(at + 1, end), None | Some(b' '))
    }
}

/// Whether a plain scalar surely begins here; the few others that YAML allows are left to the full parser, and so is
/// all that a merge key or a git conflict marker can begin with.
fn begins_plain(bytes: &[u8]) -> bool {
    match bytes {
        [first, ..] if first.is_ascii_alphanumeric() || !first.is_ascii() || b"_/($+~^;\\".contains(first) => true,
        [b'-' | b'.', second, ..] => second.is_ascii_alphanumeric(),
        _ => false,
    }
}

fn is_bracket_or_comma(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

#[cfg(test)]
mod tests {
    use super::read;

    /// The files that a state directory holds are the files that are read here.
    #[test]
    fn everyday_documents_need_no_handing_over() {
        let text = "---\n# About the gate.\nschema_version: operator_gate_v0\nquestion: May codex-main switch?\n\
                    blocks: [cutover-9d4m, 'b''c', \"d\"]  # two\nrequested: { by: codex-main, at: 2026-03-05T09:10:00Z }\n\
                    evidence:\n- out-1\n-   - nested\n    - deeper\n- a: 1\n  b:\n   c: é\n\ndecision:\n  label: approve\n\
                    until:\nnon_goals: []\n'quoted': {}\n";
        assert!(read(text, 0).is_some());
        assert!(read(&text.replace('\n', "\r\n"), 0).is_some());
    }

    #[test]
    fn anything_unusual_is_handed_over() {
        for text in [
            "",
            "# c\n",
            "text\n",
            "a: 1\n...\n",
            "%a: 1\n",
            "a: |\n  b\n",
            "a: &b c\n",
            "a: !b c\n",
            "a: *b\n",
            "? a\n: b\n",
            "<<: a\n",
            "a: \"\\n\"\n",
            "a: \"b\n  c\"\n",
            "a: b\n  c\n",
            "a: [b,\n  c]\n",
            "a: [b, ]\n",
            "a: [, b]\n",
            "a: {b}\n",
            "a: {b: }\n",
            "a: [b: c]\n",
            "a: {\"b\":c}\n",
            "a: [b #c\n",
            "a: b: c\n",
            "a: b:\n",
            "a: 'b' c\n",
            "a: [b]c\n",
            "a:b\n",
            "a: 1\na: 2\n",
            "a: 1\n b: 2\n",
            "  a: 1\nb: 2\n",
            "a:\n  b: 1\n c: 2\n",
            "- a\nb: 1\n",
            "a: 1\n- b\n",
            "a: @b\n",
            "a: - b\n",
            "- a\n  b\n",
            "a: 'b\n",
            "a: [b]: c\n",
            "[a]: b\n",
            "a: \"b\"#c\n",
        ] {
            assert!(read(text, 0).is_none(), "{text:?}");
        }
    }
}
