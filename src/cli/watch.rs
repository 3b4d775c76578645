use std::io::{IsTerminal, Write};
use std::time::Instant as Clock;

use jiff::tz::TimeZone;

use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, WatchOptions};
use crate::render::{self, WatchEvent};
use crate::report::ReportFormat;

/// Keep the outputs in step with the documents, and say what changes
///
/// One line for each change of meaning; a save that changes nothing says nothing. Ends on Ctrl-C, after the run in
/// hand. With --commit it records decisions too: use that in a clone that nobody edits.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx watch
  loopx watch --format json
  loopx watch --exec 'git -C .. status --short'
  loopx watch --once          one look, then the end")]
pub(super) struct Args {
    /// Look once, and end
    #[arg(long)]
    once: bool,
    /// Record decisions that lack their receipt, in one commit each time
    #[arg(long)]
    commit: bool,
    /// Look again and again instead of waiting for the system's events
    #[arg(long, conflicts_with = "once")]
    poll: bool,
    /// Run this after each change, once for all that came meanwhile; its output goes to stderr
    #[arg(long, value_name = "CMD", conflicts_with = "once")]
    exec: Option<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let wanted = WatchOptions { commit: args.commit, once: args.once, poll: args.poll, exec: args.exec.clone() };
    let place = context.place.clone();
    // A time that was given runs on from there.
    let (given, begun) = (context.given(), Clock::now());
    let clock = || {
        given
            .map_or_else(app::now, |given| given.after(crate::vocabulary::Duration::seconds(begun.elapsed().as_secs())))
    };
    let mut screen = WatchScreen::new(context);
    let is_possible = app::watch(&place, &wanted, &clock, &mut |event, status_line| screen.show(event, status_line))?;
    Ok(if is_possible { Exit::Done } else { Exit::Found })
}

/// Where a watch is seen: lines, and on a terminal one last line that is drawn anew.
struct WatchScreen<'a> {
    context: &'a mut Context,
    zone: TimeZone,
    has_foot: bool,
}

/// Goes back to the first column and clears the line.
const CLEAR: &str = "\r\x1b[K";

impl<'a> WatchScreen<'a> {
    fn new(context: &'a mut Context) -> Self {
        let has_foot = context.format == ReportFormat::Human && std::io::stdout().is_terminal();
        Self { context, zone: TimeZone::system(), has_foot }
    }

    fn show(&mut self, event: &WatchEvent, status_line: app::StatusLine) -> Result<bool, Error> {
        let time = event.at.timestamp().to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string();
        let lines = match self.context.format {
            ReportFormat::Human => render::watch_lines(event, &time),
            ReportFormat::Concise => render::watch_concise(event),
            ReportFormat::Json => render::watch_json(event),
        };
        let is_last = matches!(event.what, render::WatchEventKind::Ended { .. });
        let status_line = match self.has_foot && !is_last {
            true => render::watch_foot(status_line.goals, status_line.waiting, status_line.errors),
            false => String::new(),
        };
        let clear = if self.has_foot { CLEAR } else { "" };
        write!(self.context.out, "{clear}{lines}{status_line}")?;
        self.context.out.flush()?;
        Ok(!self.context.is_abandoned())
    }
}
