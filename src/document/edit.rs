//! Changes of a file's text that leave every other byte alone: comments, quotes, blank lines and line ends stay.

use super::parse::is_invisible;
use super::{Ambiguity, Document, Entry, Node, Route, Scalar, Span, Step, Style, Value};

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What goes; zero wide for an insertion.
    pub span: Span,
    /// What comes.
    pub text: String,
}

/// Carries out edits of one text, in any order.
///
/// `None` when two of them overlap, or one lies outside the text or splits a character: the edits belong to another
/// text then.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.span);
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in sorted {
        let range = edit.span.range();
        result.push_str(text.get(done..range.start)?);
        result.push_str(&edit.text);
        done = range.end;
    }
    result.push_str(text.get(done..)?);
    Some(result)
}

/// Writes a text as a quoted scalar: in single quotes if it can be read there, else in double quotes with escapes.
#[must_use]
pub fn quoted(text: &str) -> String {
    if !text.contains(is_invisible) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // All of these lie below U+10000.
            _ if is_invisible(character) => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes a text as the shortest scalar that every reader takes for this text, in brackets and outside: plain words stay
/// plain, and so does an instant, since only a field of time holds one; all else is [`quoted`].
#[must_use]
pub fn scalar(text: &str) -> String {
    let harmless = |character: char| character.is_alphanumeric() || " _-./+*@;()?!%=~&$|<>'\"".contains(character);
    let words = text.starts_with(char::is_alphanumeric) && !text.ends_with(' ') && text.chars().all(harmless);
    let plain = match (Scalar { text: text.into(), style: Style::Plain }).ambiguity() {
        None => words,
        Some(ambiguity) => ambiguity == Ambiguity::Timestamp,
    };
    if plain { text.into() } else { quoted(text) }
}

impl Document {
    /// Replaces the scalar at a route, or fills in the absent one; `value` is YAML (or JSON) as it shall stand there.
    ///
    /// `None` when the route leads to no scalar, or the whole file is absent.
    #[must_use]
    pub fn set(&self, route: &Route, value: &str) -> Option<Edit> {
        let node = self.root.at(route)?;
        node.scalar()?;
        let absent = node.span.range().is_empty();
        if absent && route.0.is_empty() {
            return None;
        }
        let text = if absent { format!(" {value}") } else { value.into() };
        Some(Edit { span: node.span, text })
    }

    /// Inserts an entry behind the one at a route, in the same mapping; `entry` is its YAML (or JSON) with its key,
    /// written as if the mapping were the whole file.
    ///
    /// `None` when the route leads to no entry, or a block of several lines would stand inside brackets.
    #[must_use]
    pub fn insert_after(&self, text: &str, route: &Route, entry: &str) -> Option<Edit> {
        let sibling = self.root.entry_at(route)?;
        let end = sibling.value.span.range().end;
        let prefix = line_prefix(text, sibling.key.span.range().start);
        let alone = prefix.trim_start_matches([' ', '\t']).is_empty();
        let lines = entry.trim_end().lines();
        let newline = line_end_of(text);
        if self.is_flow(text, route)? {
            if lines.clone().count() != 1 {
                return None;
            }
            let separator = if alone { format!(",{newline}{prefix}") } else { String::from(", ") };
            return Some(Edit { span: Span::new(end, end), text: format!("{separator}{}", entry.trim()) });
        }
        let indent = " ".repeat(prefix.chars().count());
        let at = block_end(text, sibling, indent.len());
        let inserted = lines.map(|line| format!("{newline}{indent}{line}")).collect();
        Some(Edit { span: Span::new(at, at), text: inserted })
    }

    /// Removes the entry at a route with its comments.
    ///
    /// `None` when the route leads to no entry, or its mapping would be left empty.
    #[must_use]
    pub fn remove(&self, text: &str, route: &Route) -> Option<Edit> {
        let (last, parents) = route.0.split_last()?;
        let entries = self.root.at(&Route(parents.to_vec()))?.entries();
        let position = entries.iter().position(|entry| *last == Step::Key(entry.key.text.clone()))?;
        let entry = &entries[position];
        let start = entry.key.span.range().start;
        if entries.len() == 1 {
            return None;
        }
        let span = if self.is_flow(text, route)? {
            match entries.get(position + 1) {
                Some(next) => Span { start: entry.key.span.start, end: next.key.span.start },
                None => Span { start: entries[position - 1].value.span.end, end: entry.value.span.end },
            }
        } else {
            let prefix = line_prefix(text, start);
            match entries.get(position + 1) {
                // Behind a dash the next entry moves up into its place.
                Some(next) if !prefix.trim().is_empty() => {
                    Span { start: entry.key.span.start, end: next.key.span.start }
                }
                _ => {
                    let line = start - prefix.len();
                    let end = block_end(text, entry, prefix.chars().count());
                    let next_line = text[end..].find('\n').map(|newline| end + newline + 1);
                    // The last line of a file without a final line end takes the line end before it along.
                    let from =
                        if next_line.is_some() { line } else { text[..line].trim_end_matches(['\r', '\n']).len() };
                    Span::new(from, next_line.unwrap_or(text.len()))
                }
            }
        };
        Some(Edit { span, text: String::new() })
    }

    /// Whether the mapping that holds the entry at a route is written in braces; `None` for the bare pair of `[a: b]`.
    fn is_flow(&self, text: &str, route: &Route) -> Option<bool> {
        let mut node = &self.root;
        let mut bracketed = is_bracketed(text, node);
        let mut inside = false;
        for step in &route.0[..route.0.len().checked_sub(1)?] {
            inside |= bracketed;
            node = node.step(step)?;
            bracketed = is_bracketed(text, node);
        }
        (bracketed || !inside).then_some(bracketed)
    }
}

/// Whether a collection has brackets; one without begins with its first child, which may have some.
fn is_bracketed(text: &str, node: &Node) -> bool {
    let child = match &node.value {
        Value::Scalar(_) => return false,
        Value::Sequence(items) => items.first().map(|item| item.span.start),
        Value::Mapping(entries) => entries.first().map(|entry| entry.key.span.start),
    };
    child != Some(node.span.start) && text[node.span.range()].starts_with(['[', '{'])
}

/// What stands before an offset on its line, less a byte-order mark.
fn line_prefix(text: &str, offset: usize) -> &str {
    let line = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    text[line..offset].trim_start_matches('\u{feff}')
}

/// The line end that the file uses.
fn line_end_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(newline) if text[..newline].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the last line of a block entry ends, before its line end. Comments on that line or below it and further in than
/// the key belong to the entry, and so do the blank lines that a block scalar may keep.
fn block_end(text: &str, entry: &Entry, indent: usize) -> usize {
    let line_end = |from: usize| {
        let line = &text[from..text[from..].find('\n').map_or(text.len(), |newline| from + newline)];
        from + line.strip_suffix('\r').unwrap_or(line).len()
    };
    let keeps_blank_lines = ends_in_block_scalar(&entry.value);
    let mut end = line_end(entry.value.span.range().end);
    let mut at = end;
    while let Some(newline) = text[at..].find('\n') {
        let start = at + newline + 1;
        let stop = line_end(start);
        let line = &text[start..stop];
        let content = line.trim_start_matches([' ', '\t']);
        let belongs = content.starts_with('#') && line.len() - content.len() > indent;
        if belongs || (content.is_empty() && keeps_blank_lines && start < text.len()) {
            end = stop;
        } else if !content.is_empty() {
            break;
        }
        at = stop;
        if start >= text.len() {
            break;
        }
    }
    end
}

fn ends_in_block_scalar(node: &Node) -> bool {
    let mut last = node;
    loop {
        match &last.value {
            Value::Scalar(scalar) => return matches!(scalar.style, Style::Literal | Style::Folded),
            Value::Sequence(items) => match items.last() {
                Some(item) => last = item,
                None => return false,
            },
            Value::Mapping(entries) => match entries.last() {
                Some(entry) => last = &entry.value,
                None => return false,
            },
        }
    }
}
