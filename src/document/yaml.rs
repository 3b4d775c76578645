//! One pass over the events of the YAML parser.

use granit_parser::{ErrorKind, Event, Marker, Parser, ScalarStyle, ScanError, StrInput, options};

use super::build::{TooDeep, TreeBuilder};
use super::fault::{Fault, MAX_BYTES, MAX_DEPTH, Problem};
use super::{Comment, Node, Scalar, Span, Style, Value};

/// Reads the one document of a file; all that is wrong with it goes to `problems`.
pub(super) fn read(text: &str, problems: &mut Vec<Problem>) -> Option<(Node, Vec<Comment>)> {
    let mut reader =
        Reader { text, builder: TreeBuilder::new(problems), comments: Vec::new(), cursor: 0, documents: 0 };
    let mut parser = Parser::new_from_str_with_options(
        text,
        options! {
            strict_indentation: true,
            disallow_directives: true,
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
            // A file cannot hold more comments than bytes, and its size is bounded already.
            max_buffered_comment_events: MAX_BYTES,
        },
    );
    while let Some(next) = parser.next_event() {
        match next {
            Ok((event, span)) => {
                if reader.event(event, span).is_err() || reader.builder.is_hopeless() {
                    return None;
                }
            }
            Err(error) => {
                reader.refuse(&error);
                reader.look_behind(&mut parser);
                return None;
            }
        }
    }
    reader.finish()
}

struct Reader<'t, 'p> {
    text: &'t str,
    builder: TreeBuilder<'p>,
    comments: Vec<Comment>,
    /// One past the last thing read; a block scalar's header is looked for from here.
    cursor: usize,
    documents: usize,
}

/// Nothing more can be learned from this file.
struct Stopped;

impl From<TooDeep> for Stopped {
    fn from(_: TooDeep) -> Self {
        Self
    }
}

impl Reader<'_, '_> {
    fn event(&mut self, event: Event<'_>, span: granit_parser::Span) -> Result<(), Stopped> {
        let place = place(&span);
        let at = place.range().start;
        let bracket = !place.range().is_empty();
        if let Some(tag) = span.tag_span() {
            self.builder.problem(Problem::new(Fault::Tag, self::place(&tag)));
        }
        match event {
            Event::DocumentStart(..) => self.document_start(place)?,
            Event::Comment(text, _) => {
                self.comments.push(Comment { span: place, text: text.trim().into() });
            }
            Event::Anchor(..) => self.builder.problem(Problem::new(Fault::Anchor, place)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.builder.problem(Problem::new(Fault::Alias, place));
                self.builder.scalar(Box::default(), Style::Plain, place);
            }
            Event::Scalar(text, style, ..) => self.scalar(&text, style, place),
            Event::SequenceStart(..) => {
                self.check_indentation(at);
                self.builder.open_sequence(at, bracket)?;
            }
            Event::MappingStart(..) => {
                self.check_indentation(at);
                self.builder.open_mapping(at, bracket)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.builder.close(place.range().end),
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            // The parser is pinned, so this stands for events of a later version: refused, not skipped.
            _ => self.builder.problem(Problem::syntax(place, "a construct that is not read")),
        }
        self.cursor = self.cursor.max(place.range().end);
        Ok(())
    }

    fn document_start(&mut self, place: Span) -> Result<(), Stopped> {
        self.documents += 1;
        if self.documents == 1 {
            return Ok(());
        }
        self.builder.problem(Problem::new(Fault::SecondDocument, place));
        Err(Stopped)
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, place: Span) {
        let (style, place) = match style {
            ScalarStyle::Plain => (Style::Plain, place),
            ScalarStyle::SingleQuoted => (Style::SingleQuoted, place),
            ScalarStyle::DoubleQuoted => (Style::DoubleQuoted, place),
            ScalarStyle::Literal => (Style::Literal, self.block_scalar(place)),
            ScalarStyle::Folded => (Style::Folded, self.block_scalar(place)),
        };
        // The parser gives an absent value the text `~`.
        let (text, place) = if place.range().is_empty() { ("", self.absent(place)) } else { (text, place) };
        self.check_indentation(place.range().start);
        if self.builder.expects_key() {
            self.check_key(text, style, place);
        }
        self.builder.scalar(text.into(), style, place);
    }

    /// Where an absent value belongs: right behind its colon or dash. The parser places it before the colon, and behind
    /// all the blanks and comments that follow the dash.
    fn absent(&self, place: Span) -> Span {
        let at = place.range().start;
        let behind = self.text[at..].trim_start_matches([' ', '\t']);
        if behind.starts_with(':') && !self.builder.expects_key() {
            let colon = self.text.len() - behind.len();
            return Span::new(colon + 1, colon + 1);
        }
        let mut before = self.text[..at].trim_end();
        for comment in self.comments.iter().rev() {
            // A comment may end in blanks.
            let comment = comment.span.range();
            if !(comment.start < before.len() && before.len() <= comment.end) {
                break;
            }
            before = self.text[..comment.start].trim_end();
        }
        if before.ends_with('-') { Span::new(before.len(), before.len()) } else { place }
    }

    /// A key stands on one line, before its colon and behind no `?`.
    fn check_key(&mut self, text: &str, style: Style, place: Span) {
        let range = place.range();
        let explicit = self.text[..range.start].trim_end_matches([' ', '\t']).ends_with('?');
        let colon = self.text[range.end..].trim_start_matches([' ', '\t']).starts_with(':');
        if range.is_empty() || explicit || !colon {
            self.builder.problem(Problem::new(Fault::ComplexKey, place));
        } else if text == "<<" && style == Style::Plain {
            self.builder.problem(Problem::new(Fault::MergeKey, place));
        }
    }

    /// A block scalar from its `|` or `>` to the end of its last line that is not blank; the parser's own span begins
    /// at the first line of content and runs into the blank lines behind.
    fn block_scalar(&self, content: Span) -> Span {
        let content = content.range();
        let start = self.block_header(content.start).unwrap_or(content.start);
        let end = start + self.text[start..content.end.max(start)].trim_end().len();
        Span::new(start, end)
    }

    /// Finds the header between what was read last and the content: only white space, comments and the indicators
    /// `:`, `-` and `?` can stand before it.
    fn block_header(&self, end: usize) -> Option<usize> {
        let mut offset = self.cursor;
        while offset < end {
            match self.text.as_bytes()[offset] {
                b'|' | b'>' => return Some(offset),
                b'#' => offset += self.text[offset..end].find('\n')?,
                b' ' | b'\t' | b'\r' | b'\n' | b':' | b'-' | b'?' => offset += 1,
                _ => return None,
            }
        }
        None
    }

    fn refuse(&mut self, error: &ScanError) {
        let start = offset(error.marker()).min(self.text.len());
        let rest = &self.text[start..];
        let line = &rest[..rest.find(['\r', '\n']).unwrap_or(rest.len())];
        let character = line.chars().next().map_or(0, char::len_utf8);
        let problem = match error.kind() {
            ErrorKind::RecursionLimitExceeded => Problem::new(Fault::Nesting, Span::new(start, start + character)),
            ErrorKind::DirectiveDisallowed => Problem::new(Fault::Directive, Span::new(start, start + line.len())),
            kind => {
                if self.tabs(start, is_about_tabs(kind)) {
                    return;
                }
                // The one message that would quote the file.
                let quotes = matches!(kind, ErrorKind::UnexpectedCharacter { .. });
                let detail = if quotes { "nothing can begin with this character".into() } else { kind.to_string() };
                Problem::syntax(Span::new(start, start + character), detail)
            }
        };
        self.builder.problem(problem);
    }

    /// Lists the line that a tab indents, at the place where the parser stopped or, if the parser stopped for a tab, the
    /// first one below; then every later line that begins with a tab. Says whether there was one.
    fn tabs(&mut self, stopped: usize, below: bool) -> bool {
        let mut offset = self.text[..stopped].rfind('\n').map_or(0, |newline| newline + 1);
        let mut found = false;
        for line in self.text[offset..].split_inclusive('\n') {
            let content = line.trim_start_matches([' ', '\t']);
            let tab = line[..line.len() - content.len()].find('\t').filter(|_| !content.trim_start().is_empty());
            if let Some(tab) = tab.filter(|tab| !found || *tab == 0) {
                self.builder.problem(Problem::new(Fault::TabIndentation, Span::new(offset + tab, offset + tab + 1)));
                found = true;
            }
            if !found && !below {
                return false;
            }
            offset += line.len();
        }
        found
    }

    /// The parser takes some tabs at the start of a line as white space; how far they indent is anyone's guess.
    fn check_indentation(&mut self, start: usize) {
        let before = &self.text[..start];
        let above = before.trim_end_matches([' ', '\t', '-', '?']);
        if above.is_empty() || above.ends_with('\n') {
            let line = &before[above.len()..];
            let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
            if let Some(tab) = line[..indentation].find('\t').map(|tab| above.len() + tab) {
                self.builder.problem(Problem::new(Fault::TabIndentation, Span::new(tab, tab + 1)));
            }
        }
    }

    /// Behind a syntax error only the next document marker can still be found.
    fn look_behind<'i>(&mut self, parser: &mut Parser<'i, StrInput<'i>>) {
        if !matches!(parser.proceed_next_document(), Ok(true)) {
            return;
        }
        let next = parser.by_ref().map_while(Result::ok).find(|(event, _)| matches!(event, Event::DocumentStart(..)));
        if let Some((_, span)) = next {
            self.builder.problem(Problem::new(Fault::SecondDocument, place(&span)));
        }
    }

    fn finish(mut self) -> Option<(Node, Vec<Comment>)> {
        self.comments.sort_by_key(|comment| comment.span);
        if self.documents > 0 {
            return Some((self.builder.finish()?, self.comments));
        }
        // A file without content is a document all the same: its value is absent.
        let value = Value::Scalar(Scalar { text: Box::default(), style: Style::Plain });
        Some((Node { span: Span::new(self.text.len(), self.text.len()), value }, self.comments))
    }
}

fn is_about_tabs(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart
    )
}

fn offset(marker: &Marker) -> usize {
    marker.byte_offset().expect("text input has byte offsets")
}

fn place(span: &granit_parser::Span) -> Span {
    Span::new(offset(&span.start), offset(&span.end))
}
