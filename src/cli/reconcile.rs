use super::context::Context;
use super::exit::Exit;
use super::plan::show;
use crate::app::{self, Error, Planned};
use crate::render::{self, CommitNote};
use crate::report::ReportFormat;
use crate::store::WrittenFiles;
use crate::vocabulary::{agrees, counted};

/// Write the projections and the attention queue that follow from the documents
///
/// Each file appears whole or not at all. Only files that loopx itself derives are written or removed; a second run
/// writes nothing. With --commit, decisions that lack their receipt are recorded too, in one commit on the authority
/// branch that holds nothing else.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx reconcile
  loopx reconcile --dry-run   the same as loopx plan
  loopx reconcile --commit    also records decisions")]
pub(super) struct Args {
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Record decisions that lack their receipt, in one commit
    #[arg(long)]
    commit: bool,
    /// Commit also when no branch is checked out
    #[arg(long, requires = "commit")]
    allow_detached: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let now = context.now();
    let planned = if args.dry_run {
        app::plan(&context.place, now)?
    } else if args.commit {
        let (planned, written) = app::commit(&context.place, now, args.allow_detached)?;
        if context.format == ReportFormat::Human {
            context.out.write_all(recording(&planned).as_bytes())?;
            say(context, &planned, &written)?;
        }
        planned
    } else {
        let (planned, written) = app::apply(&context.place, now)?;
        if context.format == ReportFormat::Human {
            say(context, &planned, &written)?;
        }
        planned
    };
    if args.dry_run || context.format != ReportFormat::Human || !planned.is_possible() {
        show(context, &planned, false)?;
    }
    Ok(if planned.is_possible() { Exit::Done } else { Exit::Found })
}

fn recording(planned: &Planned) -> String {
    let recording = &planned.recording;
    render::commit_note(&CommitNote {
        commit: recording.commit.as_ref().map(|commit| commit.short.as_str()),
        way: &recording.way,
        receipts: &recording.receipts,
        uncommitted: &recording.uncommitted,
        wall: &planned.state.workspace.wall,
    })
}

/// Says what was written, where anything could be.
fn say(context: &mut Context, planned: &Planned, written: &WrittenFiles) -> Result<(), Error> {
    if !planned.is_possible() {
        return Ok(());
    }
    let (changed, removed) = (written.written.len(), written.removed.len());
    let (kept, documents) = (planned.kept, counted(planned.state.documents(), "document"));
    let text = match changed + removed {
        0 => {
            let are = agrees(kept, "is", "are");
            format!("Nothing written: {} {are} up to date with {documents}.\n", counted(kept, "output"))
        }
        _ => {
            let were = agrees(kept, "it was", "they were");
            let written = counted(changed, "output");
            format!("{written} written, {removed} removed, {kept} as {were}. Look: loopx status\n")
        }
    };
    context.out.write_all(text.as_bytes())?;
    Ok(())
}
