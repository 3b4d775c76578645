use super::context::Context;
use super::exit::Exit;
use super::plan::show;
use crate::app::{self, Error};
use crate::report::Format;

/// Write the projections and the attention queue that follow from the documents
///
/// Each file appears whole or not at all. Only files that loopx itself derives are written or removed; a second run
/// writes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx reconcile
  loopx reconcile --dry-run   the same as loopx plan")]
pub(super) struct Args {
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let now = context.now();
    let planned = if args.dry_run {
        app::plan(&context.place, now)?
    } else {
        let (planned, written) = app::apply(&context.place, now)?;
        if context.format == Format::Human && planned.is_possible() {
            let (changed, removed) = (written.written.len(), written.removed.len());
            let documents = planned.state.documents();
            let text = match changed + removed {
                0 => format!("Nothing written: {} outputs are up to date with {documents} documents.\n", planned.kept),
                _ => format!(
                    "{changed} outputs written, {removed} removed, {} as they were. Look: loopx status\n",
                    planned.kept
                ),
            };
            context.out.write_all(text.as_bytes())?;
            return Ok(Exit::Done);
        }
        planned
    };
    show(context, &planned, false)?;
    Ok(if planned.is_possible() { Exit::Done } else { Exit::Found })
}
