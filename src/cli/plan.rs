use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, Planned};
use crate::render::{PlanView, changes};
use crate::report::ReportFormat;

/// Show what reconcile would write, in meaning first
///
/// Reads documents, facts and the receipts at the authority ref; writes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx plan
  loopx plan --diff
  loopx plan --exit-code      exit 1 when anything would change, or a decision lacks its receipt")]
pub(super) struct Args {
    /// Show the files themselves as differences too
    #[arg(long)]
    diff: bool,
    /// Exit 1 when anything would change or be recorded
    #[arg(long)]
    exit_code: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let planned = app::plan(&context.place, context.now())?;
    show(context, &planned, args.diff)?;
    Ok(if !planned.is_possible() || (args.exit_code && planned.is_change()) { Exit::Found } else { Exit::Done })
}

/// Writes a plan in the form that was asked for.
pub(super) fn show(context: &mut Context, planned: &Planned, diff: bool) -> Result<(), Error> {
    let plan = &planned.state.plan;
    let text = match context.format {
        ReportFormat::Json => planned.to_json(),
        ReportFormat::Concise => {
            planned.changes.iter().map(|change| change.concise(&planned.state.workspace.wall)).collect()
        }
        ReportFormat::Human if !planned.is_possible() => {
            let errors = planned.state.unusable();
            format!("Nothing planned: no goal has a valid document ({errors} with errors, see loopx lint).\n")
        }
        ReportFormat::Human => changes(&PlanView {
            changes: &planned.changes,
            kept: planned.kept,
            documents: planned.state.documents(),
            way: &planned.recording.way,
            receipts: &planned.recording.receipts,
            beside: planned.recording.beside,
            uncommitted: &planned.recording.uncommitted,
            then: &planned.recording.then,
            plan,
            diff,
            wall: &planned.state.workspace.wall,
        }),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(())
}
