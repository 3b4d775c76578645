//! What every command has at hand: streams, place, time, and how to end.

use std::cell::Cell;
use std::fmt::Display;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::rc::Rc;

use anstream::AutoStream;
use anstream::stream::{AsLockedWrite, RawStream};

use super::exit::Exit;
use crate::app::{self, Error, ErrorCode};
use crate::report::{HostFormat, ReportFormat};
use crate::vocabulary::Instant;

/// Runs a command line, given as words, in a context; says what is wrong with the words.
pub(super) type RunWords = fn(&mut Context, &[String]) -> Result<Result<Exit, Error>, String>;

/// Options that every command takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Globals {
    /// Run as if started in DIR
    #[arg(short = 'C', long = "project", value_name = "DIR", global = true)]
    start: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t, global = true)]
    format: OutputStyle,
    /// When to use colour
    #[arg(long, value_enum, default_value_t, global = true)]
    color: Color,
    /// Write results only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more about what is done
    #[arg(short, long, global = true)]
    verbose: bool,
    /// The time that verdicts are for, instead of the clock's
    #[arg(long, value_name = "RFC3339", value_parser = super::values::instant, global = true, overrides_with = "now")]
    now: Option<Instant>,
}

/// How results are written, as it is asked for: the formats of reports, of comments, and of hosts of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum OutputStyle {
    /// For people: every finding with its line, and what to do.
    #[default]
    Human,
    /// One line for each finding, for agents and grep.
    Concise,
    /// For programs; the shape is versioned.
    Json,
    /// A comment for a pull request (`review` only).
    Markdown,
    /// SARIF 2.1.0, for code scanning (`lint` and `scan` only).
    Sarif,
    /// Annotations of GitHub Actions, and the full list in the step's summary (`lint` and `scan` only).
    Github,
}

impl OutputStyle {
    fn format(self) -> ReportFormat {
        match self {
            Self::Human | Self::Markdown | Self::Sarif | Self::Github => ReportFormat::Human,
            Self::Concise => ReportFormat::Concise,
            Self::Json => ReportFormat::Json,
        }
    }

    fn host(self) -> Option<HostFormat> {
        match self {
            Self::Human | Self::Concise | Self::Json | Self::Markdown => None,
            Self::Sarif => Some(HostFormat::Sarif),
            Self::Github => Some(HostFormat::Github),
        }
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What one run has at hand.
pub(super) struct Context {
    /// Where results go.
    pub(super) out: Box<dyn Write>,
    /// Where everything else goes.
    pub(super) err: Box<dyn Write>,
    /// The working directory, absolute.
    pub(super) place: PathBuf,
    /// Whether `-C` names it.
    pub(super) is_started_elsewhere: bool,
    /// How results are written.
    pub(super) format: ReportFormat,
    /// Whether results are written as a comment for a pull request.
    pub(super) is_comment: bool,
    /// The host of code that results are written for.
    pub(super) host: Option<HostFormat>,
    /// Whether only results are wanted.
    pub(super) quiet: bool,
    verbose: bool,
    now: Option<Instant>,
    abandoned: Rc<Cell<bool>>,
}

impl Context {
    /// Opens the streams and finds the working directory.
    pub(super) fn new(globals: &Globals) -> Result<Self, Error> {
        let directory = globals.start.as_deref().unwrap_or(".".as_ref());
        let called = match &globals.start {
            Some(start) => format!("-C {}", start.display()),
            None => "the working directory".to_owned(),
        };
        let fault = |error: io::Error| Error::about(ErrorCode::CannotRead, format!("{called}: {}", error.kind()));
        let place = directory.canonicalize().map_err(fault)?;
        if !place.is_dir() {
            return Err(Error::about(ErrorCode::CannotRead, format!("-C {}: not a directory", directory.display())));
        }
        let abandoned = Rc::default();
        Ok(Self {
            out: stream(io::stdout(), globals.color, &abandoned),
            err: stream(io::stderr(), globals.color, &Rc::default()),
            place,
            is_started_elsewhere: globals.start.is_some(),
            format: globals.format.format(),
            is_comment: globals.format == OutputStyle::Markdown,
            host: globals.format.host(),
            quiet: globals.quiet,
            verbose: globals.verbose,
            now: globals.now,
            abandoned,
        })
    }

    /// A context whose streams are kept, for a command that a program calls; its results are JSON.
    #[cfg(feature = "mcp")]
    pub(super) fn captured(place: PathBuf, now: Option<Instant>) -> (Self, Captured) {
        let captured = Captured::default();
        let context = Self {
            out: Box::new(captured.out.clone()),
            err: Box::new(captured.err.clone()),
            place,
            format: ReportFormat::Json,
            is_started_elsewhere: false,
            is_comment: false,
            host: None,
            quiet: true,
            verbose: false,
            now,
            abandoned: Rc::default(),
        };
        (context, captured)
    }

    /// The time that verdicts are for, in whole seconds.
    pub(super) fn now(&self) -> Instant {
        self.now.unwrap_or_else(app::now)
    }

    /// The time that was given for verdicts.
    pub(super) fn given(&self) -> Option<Instant> {
        self.now
    }

    /// Whether whoever read the results has left.
    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.get()
    }

    /// What makes new ids differ: chance, or a given time, so that such a run can be repeated.
    pub(super) fn entropy(&self) -> u64 {
        match self.now {
            Some(now) => BuildHasherDefault::<DefaultHasher>::default().hash_one(now),
            None => RandomState::new().hash_one(std::process::id()),
        }
    }

    /// Whether results are words for people.
    pub(super) fn is_for_people(&self) -> bool {
        self.format == ReportFormat::Human && self.host.is_none()
    }

    /// Where words about what is done go: to people with the results, else beside them.
    pub(super) fn aside(&mut self) -> &mut dyn Write {
        if self.is_for_people() { &mut self.out } else { &mut self.err }
    }

    /// Says what is done, to those who want to know.
    pub(super) fn remark(&mut self, remark: impl Display) -> Result<(), Error> {
        if self.verbose {
            writeln!(self.err, "{remark}")?;
        }
        Ok(())
    }

    /// Says what is wrong with the command line beyond what its grammar can say.
    pub(super) fn refuse(&mut self, mistake: &str) -> Result<Exit, Error> {
        writeln!(self.err, "error: {mistake}\n\nFor more information, try '--help'.")?;
        Ok(Exit::Usage)
    }

    /// Says why a job failed, if it did, and flushes the streams.
    pub(super) fn end(mut self, result: Result<Exit, Error>) -> Exit {
        let result = result.and_then(|exit| self.out.flush().map(|()| exit).map_err(Error::from));
        let exit = result.unwrap_or_else(|error| say(&mut self.err, &error));
        let _ = self.err.flush();
        exit
    }
}

/// Says why a run failed before it had its streams.
pub(super) fn fail(error: &Error) -> Exit {
    say(&mut stream(io::stderr(), Color::Auto, &Rc::default()), error)
}

fn say(err: &mut dyn Write, error: &Error) -> Exit {
    // Nobody is left to tell when this fails.
    let _ = writeln!(err, "error[{}]: {error}", error.code.row().word);
    if matches!(error.code, ErrorCode::Refused | ErrorCode::CommitWidened) { Exit::Found } else { Exit::Failed }
}

/// A buffered stream that drops the colours its reader cannot show.
fn stream<S: RawStream + AsLockedWrite + 'static>(raw: S, color: Color, closed: &Rc<Cell<bool>>) -> Box<dyn Write> {
    let choice = match color {
        Color::Auto => AutoStream::choice(&raw),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    Box::new(Quiet { inner: BufWriter::new(AutoStream::new(raw, choice)), closed: Rc::clone(closed) })
}

/// A stream whose reader may leave: what is written after that goes nowhere, and nothing is said about it.
struct Quiet<W: Write> {
    inner: BufWriter<W>,
    closed: Rc<Cell<bool>>,
}

impl<W: Write> Quiet<W> {
    fn unless_closed<T>(&mut self, idle: T, act: impl FnOnce(&mut BufWriter<W>) -> io::Result<T>) -> io::Result<T> {
        if self.closed.get() {
            return Ok(idle);
        }
        match act(&mut self.inner) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed.set(true);
                Ok(idle)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Quiet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), BufWriter::flush)
    }
}

/// What a command has written to its two streams.
#[cfg(feature = "mcp")]
#[derive(Default)]
pub(super) struct Captured {
    out: Kept,
    err: Kept,
}

#[cfg(feature = "mcp")]
impl Captured {
    /// Results, and everything else.
    pub(super) fn text(&self) -> (String, String) {
        let text = |kept: &Kept| String::from_utf8_lossy(&kept.0.borrow()).into_owned();
        (text(&self.out), text(&self.err))
    }
}

/// A stream into memory.
#[cfg(feature = "mcp")]
#[derive(Clone, Default)]
struct Kept(Rc<std::cell::RefCell<Vec<u8>>>);

#[cfg(feature = "mcp")]
impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
