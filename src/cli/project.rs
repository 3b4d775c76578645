use std::path::{Path, PathBuf};

use super::context::Context;
use super::exit::Exit;
use super::input;
use crate::app::{self, Error, ErrorCode};

/// Project compact host summaries: the pure builder of contract 1
///
/// One JSON object of summaries, or one for each line, comes in; one read-only projection for each goes out. No state
/// directory is read and nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx project summaries.json
  my-host summaries | loopx project -")]
pub(super) struct Args {
    /// A file of summaries, or `-` for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let text = summaries(context, &args.file)?;
    let projected = app::project(&text);
    for line in &projected.projections {
        writeln!(context.out, "{line}")?;
    }
    for fault in &projected.faults {
        writeln!(context.err, "{fault}")?;
    }
    match (projected.projections.is_empty(), projected.faults.is_empty()) {
        (true, true) => Err(Error::of(ErrorCode::EmptySummaries)),
        (_, true) => Ok(Exit::Done),
        (_, false) => Ok(Exit::Found),
    }
}

fn summaries(context: &Context, file: &Path) -> Result<String, Error> {
    let bytes = match file == Path::new("-") {
        true => input::standard_input()?,
        false => input::file(context, file)?,
    };
    let fault = || Error::about(ErrorCode::CannotRead, format!("{}: it is no UTF-8 text", input::name(file)));
    String::from_utf8(bytes).map_err(|_| fault())
}
