//! A text as a reader or a decoder sees it, with the way back to the bytes it came from.

use std::ops::Range;

/// How a view differs from the text it was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decoder {
    /// Compatibility forms, look-alikes and invisible characters read as plain letters.
    Lookalike,
    /// Percent, backslash and HTML escapes decoded.
    Escape,
    /// Lines joined that a fold had split.
    Fold,
    /// Neighbouring items joined.
    Neighbour,
    /// base64 or base64url decoded.
    Base64,
    /// base32 decoded.
    Base32,
    /// Hex digits decoded, written together or apart.
    Hex,
    /// Letters joined that were written apart.
    Spread,
    /// gzip or zlib inflated.
    Inflate,
}

/// A text with its map to the text it was made of.
#[derive(Debug)]
pub(super) struct View {
    pub(super) text: String,
    pieces: Vec<Piece>,
}

/// A part of the view that stems from one range of the source.
#[derive(Debug, Clone)]
struct Piece {
    /// Where it begins in the view.
    at: usize,
    /// The bytes of the source it stands for.
    source: Range<usize>,
    /// Whether it is a copy, byte for byte.
    copied: bool,
}

impl View {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), pieces: Vec::new() }
    }

    /// A view that stems as a whole from one range of the source.
    pub(super) fn of(text: String, source: Range<usize>) -> Self {
        Self { text, pieces: vec![Piece { at: 0, source, copied: false }] }
    }

    /// A text without its first bytes.
    pub(super) fn skipping(source: &str, bytes: usize) -> Self {
        let mut view = Self::with_capacity(source.len());
        view.copy(source, bytes..source.len());
        view
    }

    /// Copies a range of the source.
    pub(super) fn copy(&mut self, source: &str, range: Range<usize>) {
        self.append(&source[range.clone()], range.start);
    }

    /// Appends text that stands letter for letter at an offset of the source.
    pub(super) fn append(&mut self, text: &str, offset: usize) {
        if text.is_empty() {
            return;
        }
        let range = offset..offset + text.len();
        let at = self.text.len();
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some(last) if last.copied && last.source.end == range.start => last.source.end = range.end,
            _ => self.pieces.push(Piece { at, source: range, copied: true }),
        }
    }

    /// Copies what lies between two changes, or before the first and behind the last one: where it is long only what is
    /// near to a change, because the rest was searched as it stands already.
    pub(super) fn copy_near(&mut self, source: &str, range: Range<usize>) {
        let (is_first, is_last) = (range.start == 0, range.end == source.len());
        let head = if is_first { range.start } else { end_of_head(source, &range) };
        let tail = if is_last { range.end } else { start_of_tail(source, &range) };
        if tail <= head {
            return self.copy(source, range);
        }
        self.copy(source, range.start..head);
        self.put(GAP, head..tail);
        self.copy(source, tail..range.end);
    }

    /// Writes text in the place of a range of the source; empty text leaves a seam.
    pub(super) fn put(&mut self, text: &str, source: Range<usize>) {
        self.pieces.push(Piece { at: self.text.len(), source, copied: false });
        self.text.push_str(text);
    }

    /// The bytes of the source that a range of the view stems from.
    pub(super) fn source_of(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.locate(range.start, 0);
        let end = self.locate(range.end.max(range.start + 1) - 1, 1);
        start..end.max(start)
    }

    /// The source offset of a byte of the view (`side` 0) or of the byte behind it (`side` 1).
    fn locate(&self, offset: usize, side: usize) -> usize {
        let next = self.pieces.partition_point(|piece| piece.at <= offset);
        let Some(piece) = next.checked_sub(1).map(|index| &self.pieces[index]) else { return 0 };
        match (piece.copied, side) {
            (true, _) => (piece.source.start + (offset - piece.at) + side).min(piece.source.end),
            (false, 0) => piece.source.start,
            (false, _) => piece.source.end,
        }
    }

    /// Whether something was left out strictly inside a range of the view.
    pub(super) fn has_seam(&self, range: &Range<usize>) -> bool {
        self.first_seam(range).is_some()
    }

    /// The first place strictly inside a range of the view at which something was left out.
    pub(super) fn first_seam(&self, range: &Range<usize>) -> Option<usize> {
        self.seams(range.start + 1..range.end).next()
    }

    /// Whether something was left out exactly here.
    pub(super) fn is_seam(&self, offset: usize) -> bool {
        self.seams(offset..offset + 1).next().is_some()
    }

    /// How many times something was left out strictly inside a range of the view.
    pub(super) fn count_seams(&self, range: &Range<usize>) -> usize {
        self.seams(range.start + 1..range.end).count()
    }

    /// Offsets within a range at which something was left out.
    fn seams(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let first = self.pieces.partition_point(|piece| piece.at < range.start);
        self.pieces[first..]
            .iter()
            .enumerate()
            .take_while(move |(_, piece)| piece.at < range.end)
            .filter(move |(index, piece)| {
                let next = self.pieces.get(first + index + 1).map_or(self.text.len(), |next| next.at);
                !piece.copied && next == piece.at
            })
            .map(|(_, piece)| piece.at)
    }
}

/// What stands for a part that was left out: nothing is joined over it.
const GAP: &str = "\n\n";

/// How much of a part is near to a change: what makes a match stands no farther from it.
const NEAR: usize = 768;
/// How much farther the end of a word is looked for.
const LONGEST_WORD: usize = 4096;

/// Where the part of a range ends that is near to its start.
fn end_of_head(source: &str, range: &Range<usize>) -> usize {
    let from = source.floor_char_boundary((range.start + NEAR).min(range.end)).max(range.start);
    let most = source.floor_char_boundary((from + LONGEST_WORD).min(range.end)).max(from);
    source[from..most].find(is_break).map_or(range.end, |at| from + at)
}

/// Where the part of a range begins that is near to its end.
fn start_of_tail(source: &str, range: &Range<usize>) -> usize {
    let to = source.floor_char_boundary(range.end.saturating_sub(NEAR).max(range.start)).max(range.start);
    let least = source.floor_char_boundary(to.saturating_sub(LONGEST_WORD).max(range.start)).max(range.start);
    source[least..to].rfind(is_break).map_or(range.start, |at| least + at + 1)
}

fn is_break(character: char) -> bool {
    character == '\n'
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn only_what_is_near_to_a_change_is_copied() {
        let line = "nothing stands in this line\n";
        let source = format!("{}%41{}%42{}", line.repeat(200), line.repeat(200), line.repeat(200));
        let (first, second) = (line.len() * 200, line.len() * 400 + 3);
        let mut view = View::with_capacity(0);
        view.copy_near(&source, 0..first);
        view.put("A", first..first + 3);
        view.copy_near(&source, first + 3..second);
        view.put("B", second..second + 3);
        view.copy_near(&source, second + 3..source.len());
        assert!(
            view.text.len() < 5000 && view.text.contains("\nAnothing") && view.text.contains("\nBnothing"),
            "{}",
            view.text
        );
        let at = view.text.find('B').expect("it is there");
        assert_eq!(view.source_of(&(at..at + 1)), second..second + 3);
        assert_eq!(&source[view.source_of(&(at - 28..at))], line);
    }

    #[test]
    fn ranges_lead_back_to_their_source() {
        let source = "ab%63\nd";
        let mut view = View::with_capacity(8);
        view.copy(source, 0..2);
        view.put("c", 2..5);
        view.put("", 5..6);
        view.copy(source, 6..7);
        assert_eq!(view.text, "abcd");
        assert_eq!(view.source_of(&(0..2)), 0..2);
        assert_eq!(view.source_of(&(1..3)), 1..5);
        assert_eq!(view.source_of(&(2..4)), 2..7);
        assert!(view.has_seam(&(2..4)) && view.is_seam(3));
        assert!(!view.has_seam(&(0..3)) && !view.is_seam(2));
    }
}
