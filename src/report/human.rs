//! Findings as rustc shows them, right in 100 columns without colour.
//!
//! miette draws the marked line, since it knows wide characters and joined emoji; its frame is left out and its notes
//! are not used, because they cannot stand beside the mark, align over several files, or say what a fault means now.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};

use super::layout::{BOLD, WIDTH, wrap};
use super::{Batch, Report};
use crate::finding::{Finding, Label};
use crate::vocabulary::{Level, counted};

/// The most findings of one file that are drawn.
const PER_FILE: usize = 20;

/// Lines of related places are marked with dashes, the finding's own with carets.
const OWN: char = '^';
const RELATED: char = '-';

const QUIET: Style = AnsiColor::Blue.on_default();

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut shown: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (number, batch) in report.batches.iter().enumerate() {
        for finding in batch.findings {
            let shown = shown.entry((number, &finding.primary.path)).or_default();
            *shown += 1;
            if *shown <= PER_FILE {
                draw(out, batch, finding)?;
            }
        }
        for ((_, path), count) in shown.range((number, "")..) {
            if *count > PER_FILE {
                let more = counted(count - PER_FILE, "more finding");
                let path = batch.paths.text(batch.wall, path);
                writeln!(out, "{more} in {path}: loopx lint --format concise {path}\n")?;
            }
        }
    }
    Ok(())
}

fn draw(out: &mut dyn Write, batch: &Batch<'_>, finding: &Finding) -> io::Result<()> {
    let level = style(finding.level);
    let head = format!("{}[{}]", finding.level, finding.rule);
    writeln!(out, "{level}{head}{level:#}{BOLD}: {}{BOLD:#}", finding.message)?;
    let labels = || std::iter::once(&finding.primary).chain(&finding.related);
    let last_line = labels().filter_map(|label| label.place.as_ref()).map(|place| place.line).max();
    let page = FindingPage { batch, level: finding.level, gutter: last_line.unwrap_or(0).to_string().len() };
    page.place(out, "-->", &finding.primary, OWN)?;
    for label in &finding.related {
        page.place(out, ":::", label, RELATED)?;
    }
    page.footers(out, finding)?;
    writeln!(out)
}

fn style(level: Level) -> Style {
    match level {
        Level::Error => AnsiColor::Red.on_default().bold(),
        Level::Warning => AnsiColor::Yellow.on_default().bold(),
        Level::Note | Level::Off => BOLD,
    }
}

/// What all lines of one finding share.
struct FindingPage<'a> {
    batch: &'a Batch<'a>,
    level: Level,
    /// The width of the line numbers.
    gutter: usize,
}

impl FindingPage<'_> {
    /// An empty line with the bar that joins numbered ones.
    fn bar(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{:width$} {QUIET}|{QUIET:#}", "", width = self.gutter)
    }

    /// One place: where it is, and its line.
    fn place(&self, out: &mut dyn Write, arrow: &str, label: &Label, mark: char) -> io::Result<()> {
        let path = self.batch.path(label);
        let indent = self.gutter;
        write!(out, "{:indent$}{QUIET}{arrow}{QUIET:#} {path}", "")?;
        let Some(place) = &label.place else {
            return match &label.note {
                Some(note) => writeln!(out, ": {note}"),
                None => writeln!(out),
            };
        };
        writeln!(out, ":{}:{}", place.line, place.column)?;
        let Some(excerpt) = &place.excerpt else { return Ok(()) };
        let note = label.note.as_ref().map_or("", AsRef::as_ref);
        let room = WIDTH - self.gutter - 3;
        let window = Window::new(excerpt.text.as_ref(), excerpt.marked.clone(), room, columns(note) + 1);
        let (line, mut marks) = window.draw(mark, self.level);
        self.bar(out)?;
        writeln!(out, "{QUIET}{:indent$} |{QUIET:#}{}{line}", place.line, if line.is_empty() { "" } else { " " })?;
        if !note.is_empty() {
            let level = style(self.level);
            if strip_str(&marks).to_string().chars().count() + 1 + columns(note) > room {
                writeln!(out, "{:indent$} {QUIET}|{QUIET:#} {marks}", "")?;
                marks.clear();
            }
            marks = format!("{marks} {level}{note}{level:#}");
        }
        writeln!(out, "{:indent$} {QUIET}|{QUIET:#} {marks}", "")?;
        self.bar(out)
    }

    /// What is legal, what to do, and what the fault means now.
    fn footers(&self, out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
        let rows = [("legal:", &finding.legal), ("help:", &finding.help), ("now:", &finding.now)];
        let rows: Vec<_> = rows.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?))).collect();
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, text) in rows {
            let indent = self.gutter + 1;
            write!(out, "{:indent$}{QUIET}={QUIET:#} {BOLD}{name:width$}{BOLD:#}", "")?;
            let lines = wrap(text.as_ref(), WIDTH - indent - 3 - width);
            writeln!(out, " {}", lines.join(&format!("\n{:1$}", "", indent + 3 + width)))?;
        }
        Ok(())
    }
}

/// The part of a line around its mark that fits on the screen.
#[derive(Debug)]
struct Window {
    text: String,
    marked: Range<usize>,
}

impl Window {
    /// Cuts a line to `width` columns and writes `…` where it was cut; behind the mark `beside` columns are left to a
    /// note if that is possible.
    fn new(text: &str, marked: Range<usize>, width: usize, beside: usize) -> Self {
        let (mut start, mut end) = (0, text.len());
        if columns(text) > width {
            let room = width - 4;
            let spare = room.saturating_sub(columns(&text[marked.clone()]));
            start = back(text, marked.start, (spare / 2).min(spare.saturating_sub(beside)));
            end = forth(text, start, room);
        }
        let head = if start > 0 { "… " } else { "" };
        let tail = if end < text.len() { " …" } else { "" };
        let shift = |offset: usize| offset.clamp(start, end) - start + head.len();
        let marked = shift(marked.start)..shift(marked.end);
        // The last blank is what a mark behind the last character points at.
        Self {
            text: format!("{head}{}{tail} ", &text[start..end]),
            marked: marked.start..marked.end.max(marked.start + 1),
        }
    }

    /// The line, and the line of marks below it.
    fn draw(&self, mark: char, level: Level) -> (String, String) {
        let mut drawn = String::new();
        let handler = GraphicalReportHandler::new_themed(frameless(mark, level)).with_context_lines(0);
        handler.render_report(&mut drawn, self).expect("writing to a string succeeds");
        // Before the line and before its marks stand ` 1 | ` and `   | `; our own gutter takes their place.
        let mut lines = drawn.lines().filter(|line| !line.trim().is_empty());
        let mut next = || lines.next().and_then(|line| line.get(5..)).unwrap_or_default().trim_end().to_owned();
        (next(), next())
    }
}

impl fmt::Display for Window {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Window {}

impl Diagnostic for Window {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::new(None, self.marked.start, self.marked.len()))))
    }
}

impl SourceCode for Window {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from(0..self.text.len());
        Ok(Box::new(MietteSpanContents::new(self.text.as_bytes(), whole, 0, 0, 1)))
    }
}

/// A theme that draws nothing but the line and its marks.
fn frameless(mark: char, level: Level) -> GraphicalTheme {
    let characters = ThemeCharacters {
        underline: mark,
        vbar: '|',
        vbar_break: '|',
        hbar: ' ',
        ltop: ' ',
        lbot: ' ',
        error: String::new(),
        ..ThemeCharacters::ascii()
    };
    let colours = ThemeStyles::ansi();
    let highlight = match level {
        Level::Error => colours.error,
        Level::Warning => colours.warning,
        Level::Note | Level::Off => colours.advice,
    };
    GraphicalTheme { characters, styles: ThemeStyles { highlights: vec![highlight], ..ThemeStyles::none() } }
}

/// The columns of a text, or a little more: every character beyond ASCII may be a wide one.
fn columns(text: &str) -> usize {
    text.chars().map(wide).sum()
}

fn wide(character: char) -> usize {
    if character.is_ascii() { 1 } else { 2 }
}

/// The offset at most `room` columns before another.
fn back(text: &str, from: usize, room: usize) -> usize {
    let mut left = room;
    let mut start = from;
    for (offset, character) in text[..from].char_indices().rev() {
        let Some(rest) = left.checked_sub(wide(character)) else { break };
        (left, start) = (rest, offset);
    }
    start
}

/// The offset at most `room` columns behind another.
fn forth(text: &str, from: usize, room: usize) -> usize {
    let mut left = room;
    for (offset, character) in text[from..].char_indices() {
        let Some(rest) = left.checked_sub(wide(character)) else { return from + offset };
        left = rest;
    }
    text.len()
}
