use std::io::Read;
use std::path::{Path, PathBuf};

use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, ErrorCode, Input};
use crate::document;
use crate::report::{self, Format};

/// Check documents and report every finding
///
/// Without PATHS the whole state directory is checked: the nearest folder above with a `loopx.yaml`, else the only one
/// below the repository's root. With PATHS only what is found in them is reported; a document outside any state
/// directory is checked by itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx lint
  loopx lint goals/ledger-cutover
  loopx lint --format concise
  my-host export | loopx lint - --stdin-name facts.json")]
pub(super) struct Args {
    /// Files and folders, or `-` for one document on standard input
    paths: Vec<PathBuf>,
    /// What findings call the document on standard input; its ending says how it is written
    #[arg(long, value_name = "NAME")]
    stdin_name: Option<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let as_of = context.now();
    let linted = if args.paths == [Path::new("-")] {
        let bytes = standard_input()?;
        let name = args.stdin_name.as_deref().unwrap_or(name_of(&bytes));
        app::lint(&context.place, Input::Document { name, bytes: &bytes }, as_of)?
    } else {
        app::lint(&context.place, Input::Paths(&args.paths), as_of)?
    };
    let found = linted.report();
    report::write(&mut context.out, context.format, &found)?;
    if !context.quiet {
        match context.format {
            Format::Human => report::summarize(&mut context.out, &found)?,
            Format::Concise => report::summarize(&mut context.err, &found)?,
            Format::Json => {}
        }
    }
    Ok(if linted.has_errors() { Exit::Found } else { Exit::Done })
}

/// Reads so much of standard input that a document over the limit is seen to be one.
fn standard_input() -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let limit = document::MAX_BYTES as u64 + 1;
    let read = std::io::stdin().lock().take(limit).read_to_end(&mut bytes);
    read.map_err(|error| Error::about(ErrorCode::CannotRead, format!("standard input: {}", error.kind())))?;
    Ok(bytes)
}

/// A name for a document without one; what begins with a brace is JSON.
fn name_of(bytes: &[u8]) -> &'static str {
    match bytes.trim_ascii_start().first() {
        Some(b'{') => "stdin.json",
        _ => "stdin.yaml",
    }
}
