use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error};
use crate::document::to_json_pretty;
use crate::render::receipt_json;
use crate::report::ReportFormat;

/// Write the receipts that decisions lack beside the change
///
/// A change that decides carries its receipt: commit both together, and the decision counts once they are on the
/// authority branch. A receipt is never edited; one that stands there already and says something else is refused.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx record
  loopx record --dry-run")]
pub(super) struct Args {
    /// Show which receipts would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let beside = app::record(&context.place, context.now(), args.dry_run)?;
    let wall = &beside.state.workspace.wall;
    let text = match context.format {
        ReportFormat::Human => beside.said(args.dry_run),
        ReportFormat::Concise => {
            beside.written.iter().map(|receipt| format!("{}\n", wall.text(receipt.path()))).collect()
        }
        ReportFormat::Json => to_json_pretty(&serde_json::json!({
            "schema_version": "loopx_record_v0",
            "dry_run": args.dry_run,
            "written": beside.written.iter().map(|receipt| receipt_json(receipt, wall)).collect::<Vec<_>>(),
            "kept": beside.kept.iter().map(|receipt| receipt_json(receipt, wall)).collect::<Vec<_>>(),
        })),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
