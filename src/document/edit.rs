//! Changes of a file's text that leave every other byte alone: comments, quotes, blank lines and line ends stay.

pub(super) use super::parse::is_invisible;
use super::{Ambiguity, Document, Entry, Node, Route, Scalar, Span, Step, Style, Value};

/// One replacement of a range of bytes.
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
    /// `None` when the route leads to no entry, or a block of several lines would stand inside brackets, or behind a
    /// block scalar the file ends in a blank line without a line end, of which no one can say whose it is.
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
        let indent = " ".repeat(prefix.len());
        let at = block_end(text, sibling, indent.len(), false);
        if at == text.len() && text.ends_with([' ', '\t']) && ends_in_block_scalar(&sibling.value) {
            return None;
        }
        let inserted = lines.map(|line| format!("{newline}{indent}{line}")).collect();
        Some(Edit { span: Span::new(at, at), text: inserted })
    }

    /// Removes the entry at a route with its comments.
    ///
    /// `None` when the route leads to no entry, or its mapping would be left empty.
    #[must_use]
    pub fn remove(&self, text: &str, route: &Route) -> Option<Edit> {
        let (Step::Key(key), parents) = route.0.split_last()? else { return None };
        let entries = self.root.at(&Route(parents.to_vec()))?.entries();
        let position = entries.iter().position(|entry| entry.key.text == *key)?;
        let (entry, next) = (&entries[position], entries.get(position + 1));
        let previous = position.checked_sub(1).map(|before| &entries[before]);
        let start = entry.key.span.start;
        let prefix = line_prefix(text, start as usize);
        let span = match (self.is_flow(text, route)?, next, previous) {
            (_, None, None) => return None,
            // In braces, and behind a dash, the next entry moves up.
            (true, Some(next), _) => Span { start, end: next.key.span.start },
            (false, Some(next), _) if !prefix.trim().is_empty() => Span { start, end: next.key.span.start },
            (true, None, Some(previous)) => Span { start: previous.value.span.end, end: entry.value.span.end },
            (false, ..) => {
                lines_of(text, entry, prefix, previous.is_some_and(|entry| ends_in_block_scalar(&entry.value)))
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

/// The lines of a block entry, to be removed. Blank lines behind it go along if they would become part of a block scalar
/// before it.
fn lines_of(text: &str, entry: &Entry, prefix: &str, behind_block_scalar: bool) -> Span {
    let line = entry.key.span.range().start - prefix.len();
    let end = block_end(text, entry, prefix.len(), behind_block_scalar);
    let rest = &text[end..];
    if behind_block_scalar && rest.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Span::new(line, text.len());
    }
    match rest.find('\n') {
        Some(newline) => Span::new(line, end + newline + 1),
        // The last line of a file without a final line end takes the line end before it along.
        None => {
            let above = text[..line].strip_suffix('\n').map_or(line, |above| above.trim_end_matches('\r').len());
            Span::new(above, text.len())
        }
    }
}

/// Where the last line of a block entry ends, before its line end. Comments on that line or below it and further in than
/// the key belong to the entry, and so do blank lines if they are asked for or its last value is a block scalar, which
/// may keep them.
fn block_end(text: &str, entry: &Entry, indent: usize, blank_lines: bool) -> usize {
    let line_end = |from: usize| {
        let line = &text[from..text[from..].find('\n').map_or(text.len(), |newline| from + newline)];
        from + line.strip_suffix('\r').unwrap_or(line).len()
    };
    let blank_lines = blank_lines || ends_in_block_scalar(&entry.value);
    let mut end = line_end(entry.value.span.range().end);
    let mut at = end;
    while let Some(start) = text[at..].find('\n').map(|newline| at + newline + 1).filter(|start| *start < text.len()) {
        at = line_end(start);
        let content = text[start..at].trim_start_matches([' ', '\t']);
        let is_own_comment = content.starts_with('#') && at - start - content.len() > indent;
        if is_own_comment || (content.is_empty() && blank_lines) {
            end = at;
        } else if !content.is_empty() {
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
