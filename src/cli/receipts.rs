use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error};
use crate::render::{self, ReceiptRow};
use crate::report::ReportFormat;

/// List, show and verify what is recorded
///
/// A receipt counts when the authority ref holds it, is named by its effect, and is never changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx receipts list
  loopx receipts show backfill-8h2v
  loopx receipts verify
  loopx receipts verify --since 450e257")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the receipts, those that do not count yet too
    #[command(after_help = "Examples:
  loopx receipts list --goal ledger-cutover")]
    List {
        /// Only those of this goal; any unique prefix of its id
        #[arg(long, value_name = "ID")]
        goal: Option<String>,
    },
    /// Show one receipt, and the commit that it comes from
    #[command(after_help = "Examples:
  loopx receipts show backfill-8h2v")]
    Show {
        /// The id of the receipt, or of what it records; any unique prefix will do
        id: String,
    },
    /// Check that nobody touched a receipt since it was first committed
    ///
    /// Looks at the whole history of what is checked out. Exits 1 when a receipt was edited, deleted, renamed or
    /// invented, and 3 when a shallow clone lacks the history that would tell.
    #[command(after_help = "Examples:
  loopx receipts verify --since 450e257")]
    Verify {
        /// A commit that you trust: what it holds is taken as good, and must be part of this history
        #[arg(long, value_name = "REV")]
        since: Option<String>,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    match &args.command {
        Command::List { goal } => list(context, goal.as_deref()),
        Command::Show { id } => show(context, id),
        Command::Verify { since } => verify(context, since.as_deref()),
    }
}

fn list(context: &mut Context, goal: Option<&str>) -> Result<Exit, Error> {
    let listed = app::receipts::list(&context.place, goal, context.now())?;
    let rows: Vec<ReceiptRow<'_>> = listed.rows().collect();
    let (lacking, wall) = (listed.lacking, &listed.state.workspace.wall);
    let text = match context.format {
        ReportFormat::Human => render::listing(&rows, lacking, wall),
        ReportFormat::Concise => rows.iter().map(|row| format!("{}\n", wall.text(row.run_id))).collect(),
        ReportFormat::Json => render::listing_json(&rows, lacking, wall),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

fn show(context: &mut Context, id: &str) -> Result<Exit, Error> {
    let (state, sheet) = app::receipts::show(&context.place, id, context.now())?;
    let wall = &state.workspace.wall;
    let text = match context.format {
        ReportFormat::Human | ReportFormat::Concise => sheet.human(wall),
        ReportFormat::Json => sheet.to_json(wall),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

fn verify(context: &mut Context, since: Option<&str>) -> Result<Exit, Error> {
    let verification = app::receipts::verify(&context.place, since, context.now())?;
    let text = match context.format {
        ReportFormat::Human => verification.human(),
        ReportFormat::Concise => verification.concise(),
        ReportFormat::Json => verification.to_json(),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(match (verification.faults.is_empty(), &verification.cut) {
        (false, _) => Exit::Found,
        (true, Some(_)) => Exit::Failed,
        (true, None) => Exit::Done,
    })
}
