use std::io::Read;
use std::path::{Path, PathBuf};

use super::context::Context;
use super::exit::Exit;
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
    let mut text = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text)
    } else {
        std::fs::File::open(context.place.join(file)).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| Error::about(ErrorCode::CannotRead, format!("the summaries: {}", error.kind())))?;
    Ok(text)
}
