//! Values that need quotes: plain text in which YAML sees a key, a collection or an indicator.
//!
//! What the parser says of such a line is about its grammar and comes once for each bracket. Here a line is quoted in a
//! copy, and where that makes the line parse, one problem says so in place of all others of the line.

use super::edit::{Edit, apply, quoted};
use super::fault::{Fault, Problem};
use super::{Comment, Node, Span, yaml};

/// How many values of one file are tried: each costs a parse.
const MOST: usize = 20;

/// Puts one problem for each value that quotes mend in place of what the parser says of its line, and finds those
/// behind the place where the parser stopped.
pub(super) fn explain(text: &str, problems: &mut Vec<Problem>) {
    let mut edits: Vec<Edit> = Vec::new();
    let mut left = problems.clone();
    while edits.len() < MOST {
        let Some(edit) = left.iter().filter(|problem| is_grammar(problem)).find_map(|it| next(text, &edits, it)) else {
            break;
        };
        edits.push(edit);
        let (mended, after) = parse(text, &edits);
        let line = line_of(&mended, shifted(edits.last().expect("one was added").span, &edits));
        if after.iter().any(|problem| is_grammar(problem) && line_of(&mended, problem.span) == line) {
            edits.pop();
            break;
        }
        left = after;
    }
    if edits.is_empty() {
        return;
    }
    let (mended, mut rest) = parse(text, &edits);
    for problem in &mut rest {
        for span in std::iter::once(&mut problem.span).chain(&mut problem.also) {
            *span = original(&mended, *span, text, &edits);
        }
    }
    rest.extend(edits.iter().map(|edit| Problem::new(Fault::NeedsQuotes, edit.span)));
    *problems = rest;
}

/// Whether a problem is one of those that a missing quote brings about.
fn is_grammar(problem: &Problem) -> bool {
    matches!(problem.fault, Fault::Syntax | Fault::ComplexKey)
}

/// Reads a text with some values quoted.
fn parse(text: &str, edits: &[Edit]) -> (String, Vec<Problem>) {
    let mended = apply(text, edits).unwrap_or_default();
    let mut problems = Vec::new();
    let _: Option<(Node, Vec<Comment>)> = yaml::read(&mended, &mut problems);
    (mended, problems)
}

/// The edit that quotes the value on the line of a problem, unless one does so already.
fn next(text: &str, edits: &[Edit], problem: &Problem) -> Option<Edit> {
    let mended = apply(text, edits)?;
    let line = text.split_inclusive('\n').nth(line_of(&mended, problem.span))?;
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let span = value(line.trim_end_matches(['\n', '\r']))?;
    let span = Span::new(start + span.range().start, start + span.range().end);
    let is_new = edits.iter().all(|edit| edit.span != span);
    is_new.then(|| Edit { span, text: quoted(&text[span.range()]) })
}

/// The number of the line that a place begins on.
fn line_of(text: &str, span: Span) -> usize {
    text[..span.range().start.min(text.len())].bytes().filter(|byte| *byte == b'\n').count()
}

/// Where a place of the original stands once values are quoted.
fn shifted(span: Span, edits: &[Edit]) -> Span {
    let before = edits.iter().filter(|edit| edit.span < span);
    let grown: usize = before.map(|edit| edit.text.len() - edit.span.range().len()).sum();
    Span::new(span.range().start + grown, span.range().end + grown)
}

/// Where a place of the mended text stands in the original: on the same line, as far along.
fn original(mended: &str, span: Span, text: &str, edits: &[Edit]) -> Span {
    let place = |offset: usize| {
        let offset = offset.min(mended.len());
        let number = line_of(mended, Span::new(offset, offset));
        let begin = |text: &str| text.split_inclusive('\n').take(number).map(str::len).sum::<usize>();
        let (in_mended, in_text) = (begin(mended), begin(text));
        let line = text[in_text..].split('\n').next().unwrap_or_default();
        let along = (offset - in_mended).min(line.len());
        let is_quoted = edits.iter().any(|edit| (in_text..in_text + line.len()).contains(&edit.span.range().start));
        in_text + if is_quoted { 0 } else { along }
    };
    Span::new(place(span.range().start), place(span.range().end))
}

/// The plain value of a line that YAML does not read as one text; `None` where quotes would not mend the line.
fn value(line: &str) -> Option<Span> {
    let mut start = line.len() - line.trim_start_matches(' ').len();
    while let Some(rest) = line[start..].strip_prefix("- ") {
        start = line.len() - rest.trim_start_matches(' ').len();
    }
    start += key(&line[start..]).unwrap_or(0);
    let text = &line[start..];
    let end = start + text.find(" # ").unwrap_or(text.len());
    let text = line[start..end].trim_end_matches([' ', '\t']);
    needs_quotes(text).then(|| Span::new(start, start + text.len()))
}

/// The length of a key with its colon and the blanks behind it.
fn key(text: &str) -> Option<usize> {
    let end = match text.chars().next()? {
        quote @ ('"' | '\'') => 2 + text[1..].find(quote)?,
        '{' | '[' => return None,
        _ => text.find(": ")?,
    };
    let behind = text[end..].strip_prefix(": ")?;
    Some(text.len() - behind.trim_start_matches(' ').len())
}

/// Whether a text means something else to YAML unless it is quoted, and is not meant as what YAML sees.
fn needs_quotes(text: &str) -> bool {
    let follows = |open: char, close: char| {
        text.starts_with(open) && text.rfind(close).is_some_and(|at| !text[at + 1..].trim().is_empty())
    };
    match text.chars().next() {
        None | Some('"' | '\'' | '|' | '>' | '&' | '*' | '!' | '#') => false,
        Some('{') if text.starts_with("{{") => true,
        Some('{') => follows('{', '}'),
        Some('[') => follows('[', ']'),
        Some('@' | '`' | '%' | ',' | ']' | '}') => true,
        Some(_) => text.contains(": ") || text.ends_with(':'),
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn only_what_quotes_mend_is_a_value_without_them() {
        let found = |line: &'static str| value(line).map(|span| &line[span.range()]);
        for (line, expected) in [
            ("title: Publish: no interview", "Publish: no interview"),
            ("title: {{owner}} approves", "{{owner}} approves"),
            ("  - reason: see: this  # noted", "see: this"),
            ("- {{ owner }}", "{{ owner }}"),
            ("'a b': x: y", "x: y"),
            ("title: [draft] begin", "[draft] begin"),
            ("title: @maya decides", "@maya decides"),
            ("title: done:", "done:"),
        ] {
            assert_eq!(found(line), Some(expected), "{line}");
        }
        for line in ["title: x", "title: 'a: b'", "title: \"a: b", "after: [a, b", "at: { by: a: b }", "title: |", ""] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
