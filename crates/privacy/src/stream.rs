//! Texts of any length, in windows: what a scan holds at once is bounded, whatever the file.

use std::io::{self, Read};
use std::ops::Range;

use super::compiled::Compiled;
use super::decode;
use super::hit::Hit;
use super::scan::Scan;
use super::wall::Wall;

/// How many bytes a window holds. Views of a window hold at most sixteen times as many.
const WINDOW: usize = 1 << 20;
/// How many bytes of a window are read again with the next one: what is split between two is whole in the second.
const OVERLAP: usize = 1 << 14;
/// How far binary content is told by a NUL.
const HEAD: usize = 8 << 10;
/// The shortest text within binary content that is worth a look.
const SHORTEST_STRING: usize = 8;

/// What a file of any size holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Streamed {
    /// Text, and what is refused in it, each with the line that it begins on, from 1.
    Text(Vec<(Hit, u32)>),
    /// No text: it was not scanned.
    Binary,
}

/// Whether bytes are no text: a NUL stands near their beginning, or they are neither UTF-8 nor UTF-16.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    let is_wide = || decode::wide_text(bytes).is_some();
    let has_nul = bytes[..bytes.len().min(HEAD)].contains(&0);
    (has_nul || std::str::from_utf8(bytes).is_err()) && !is_wide()
}

impl Wall {
    /// Lists what is refused in a text, in the order of the text.
    #[must_use]
    pub fn scan_text(&self, text: &str) -> Vec<Hit> {
        if text.len() <= WINDOW + OVERLAP {
            return Scan::of(self.compiled(), text).hits;
        }
        let mut hits = Vec::new();
        let mut rest = Window::first(text);
        while let Some(window) = rest {
            add(&mut hits, window.hits(self.compiled(), text));
            rest = window.next(text);
        }
        hits
    }

    /// Whether nothing is refused in a text: a scan that ends at the first hit.
    #[must_use]
    pub fn is_clean(&self, text: &str) -> bool {
        if text.len() <= WINDOW + OVERLAP {
            return Scan::is_clean(self.compiled(), text);
        }
        let windows = std::iter::successors(Window::first(text), |window| window.next(text));
        windows.into_iter().all(|window| Scan::is_clean(self.compiled(), &text[window.range]))
    }

    /// Lists what is refused in the strings of binary content; nothing is said of the rest.
    #[must_use]
    pub fn scan_strings(&self, bytes: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut start = 0;
        for part in bytes.chunk_by(|one, next| is_printable(*one) == is_printable(*next)) {
            let is_text = part.len() >= SHORTEST_STRING && part.first().is_some_and(|first| is_printable(*first));
            let text = Some(part).filter(|_| is_text).and_then(|part| std::str::from_utf8(part).ok());
            hits.extend(text.into_iter().flat_map(|text| self.scan_text(text)).map(|hit| at(hit, start)));
            start += part.len();
        }
        hits
    }

    /// Lists what is refused in what a reader gives, of which only a window is held at a time.
    ///
    /// # Errors
    /// What the reader says.
    pub fn scan_stream(&self, mut reader: impl Read) -> io::Result<Streamed> {
        let mut hits: Vec<(Hit, u32)> = Vec::new();
        let mut buffer: Vec<u8> = Vec::with_capacity(WINDOW + OVERLAP);
        let (mut offset, mut line, mut seen) = (0, 1u32, 0);
        loop {
            let most = (WINDOW + OVERLAP - buffer.len()) as u64;
            let read = reader.by_ref().take(most).read_to_end(&mut buffer)?;
            let is_last = read == 0;
            let Some(text) = sound(&buffer, is_last) else { return Ok(Streamed::Binary) };
            if offset == 0 && text.as_bytes()[..text.len().min(HEAD)].contains(&0) {
                return Ok(Streamed::Binary);
            }
            let end = if is_last { text.len() } else { end_of_window(text) };
            let window = &text[..end];
            let mut lines = Lines::new(window, line);
            for hit in Scan::of(self.compiled(), window).hits.into_iter().filter(|hit| offset + hit.span.end > seen) {
                let line = lines.of(hit.span.start);
                push(&mut hits, at(hit, offset), line);
            }
            if is_last {
                return Ok(Streamed::Text(hits));
            }
            seen = offset + end;
            let kept = start_of_overlap(text, end);
            line = Lines::new(window, line).of(kept);
            offset += kept;
            buffer.drain(..kept);
        }
    }
}

/// The text of a buffer up to a character that the next bytes go on with; nothing where it is none.
fn sound(buffer: &[u8], is_last: bool) -> Option<&str> {
    match std::str::from_utf8(buffer) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() && !is_last => {
            std::str::from_utf8(&buffer[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}

/// Counts lines forwards.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, line: u32) -> Self {
        Self { text, at: 0, line }
    }

    /// The line of an offset that is no smaller than the ones before.
    fn of(&mut self, offset: usize) -> u32 {
        let offset = offset.clamp(self.at, self.text.len());
        let breaks = self.text.as_bytes()[self.at..offset].iter().filter(|&&byte| byte == b'\n').count();
        self.line += u32::try_from(breaks).unwrap_or(u32::MAX);
        self.at = offset;
        self.line
    }
}

/// One window of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Window {
    range: Range<usize>,
    /// Up to where the windows before have told what they found.
    seen: usize,
}

impl Window {
    fn first(text: &str) -> Option<Self> {
        Some(Self { range: 0..end_of_window(text), seen: 0 })
    }

    fn next(&self, text: &str) -> Option<Self> {
        let end = self.range.end;
        let start = self.range.start + start_of_overlap(&text[self.range.start..], end - self.range.start);
        (end < text.len()).then(|| Self { range: start..start + end_of_window(&text[start..]), seen: end })
    }

    fn hits(&self, table: &Compiled, text: &str) -> impl Iterator<Item = Hit> {
        let (start, seen) = (self.range.start, self.seen);
        let hits = Scan::of(table, &text[self.range.clone()]).hits.into_iter();
        hits.map(move |hit| at(hit, start)).filter(move |hit| hit.span.end > seen)
    }
}

/// Where a window of a text ends: behind the last line that it holds whole, else behind a character.
fn end_of_window(text: &str) -> usize {
    if text.len() <= WINDOW {
        return text.len();
    }
    let end = text.floor_char_boundary(WINDOW);
    text[..end].rfind('\n').map(|at| at + 1).filter(|at| *at > end / 2).unwrap_or(end)
}

/// Where the next window begins: so far before the end of this one that what is split between them is whole.
fn start_of_overlap(text: &str, end: usize) -> usize {
    let start = text.floor_char_boundary(end.saturating_sub(OVERLAP).max(1));
    text[start..end].find('\n').map(|at| start + at + 1).filter(|at| *at < end).unwrap_or(start)
}

fn at(hit: Hit, offset: usize) -> Hit {
    Hit { span: offset + hit.span.start..offset + hit.span.end, ..hit }
}

/// Adds the hits of a window; one that the window before has seen in part is told once.
fn add(hits: &mut Vec<Hit>, more: impl Iterator<Item = Hit>) {
    for hit in more {
        match hits.iter_mut().rev().take(8).find(|last| is_same(last, &hit)) {
            Some(last) => last.span.end = last.span.end.max(hit.span.end),
            None => hits.push(hit),
        }
    }
}

fn push(hits: &mut Vec<(Hit, u32)>, hit: Hit, line: u32) {
    match hits.iter_mut().rev().take(8).find(|(last, _)| is_same(last, &hit)) {
        Some((last, _)) => last.span.end = last.span.end.max(hit.span.end),
        None => hits.push((hit, line)),
    }
}

fn is_same(last: &Hit, hit: &Hit) -> bool {
    last.rule.class == hit.rule.class && hit.span.start < last.span.end
}

fn is_printable(byte: u8) -> bool {
    byte == b'\t' || (b' '..0x7f).contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::{OVERLAP, Streamed, WINDOW, is_binary};
    use crate::wall::Wall;

    fn path(number: usize) -> String {
        format!("/ho{}/alice/x{number}", "me")
    }

    /// A text of several windows with a path at every place that windows could split.
    fn long() -> (String, Vec<usize>) {
        let (mut text, mut places) = (String::new(), Vec::new());
        while text.len() < 3 * WINDOW {
            let near = text.len() % WINDOW > WINDOW - 2 * OVERLAP || text.len() % WINDOW < 2 * OVERLAP;
            text.push_str(if near { "see " } else { "nothing stands in this line of the text at all\n" });
            if near {
                places.push(text.len());
                text.push_str(&path(text.len()));
                text.push_str(" there\n");
            }
        }
        (text, places)
    }

    #[test]
    fn windows_see_what_one_scan_of_the_whole_would() {
        let (text, places) = long();
        assert!(places.len() > 100);
        let wall = Wall::shipped();
        let starts: Vec<usize> = wall.scan_text(&text).iter().map(|hit| hit.span.start).collect();
        assert_eq!(starts, places);
        let Ok(Streamed::Text(hits)) = wall.scan_stream(text.as_bytes()) else { panic!("it is text") };
        let streamed: Vec<usize> = hits.iter().map(|(hit, _)| hit.span.start).collect();
        assert_eq!(streamed, places);
        let line_of = |at: usize| 1 + text[..at].matches('\n').count();
        assert!(hits.iter().all(|(hit, line)| line_of(hit.span.start) == *line as usize));
        assert!(!wall.is_clean(&text) && wall.is_clean(&"nothing\n".repeat(WINDOW / 4)));
    }

    #[test]
    fn one_line_longer_than_a_window_is_read_to_its_end() {
        let line = format!("{} {}", "word ".repeat(WINDOW / 3), path(1));
        assert_eq!(Wall::shipped().scan_text(&line).len(), 1);
    }

    #[test]
    fn what_is_no_text_is_told() {
        assert!(is_binary(b"a\0b") && is_binary(b"\xff\xfa\xfb") && !is_binary("é\n".as_bytes()) && !is_binary(b""));
        let wide: Vec<u8> =
            std::iter::once(0xfeff).chain("plain text".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert!(!is_binary(&wide));
        assert_eq!(Wall::shipped().scan_stream(&b"a\0b"[..]).ok(), Some(Streamed::Binary));
        let strings = [b"\0\x01\x02 see ", path(1).as_bytes(), b"\0\xff"].concat();
        assert_eq!(Wall::shipped().scan_strings(&strings).len(), 1);
    }
}
