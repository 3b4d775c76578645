use super::change::{ChangeArgs, run as change};
use super::context::Context;
use super::exit::Exit;
use super::values::line;
use crate::app::Error;
use crate::change::Action;
use crate::vocabulary::Line;

/// Close the binding of a session
///
/// It is shown first, as the lines that change and what follows from them, and written with --execute. The work of the
/// session keeps its state; another binding of the same agent can go on with it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx session close codex-q4 --reason \"the host is gone\" --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Close the binding of a session
    #[command(after_help = "Examples:
  loopx session close codex-q4 --reason \"the host is gone\" --execute")]
    Close {
        /// The session; any unique prefix of its id
        session: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Close { session, reason, change_args } = &args.command;
    change(context, change_args, session, Action::Close { reason: reason.clone() })
}
