use super::change::{TargetArgs, run_unnamed as change};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, line};
use crate::app::Error;
use crate::change::Action;
use crate::vocabulary::{Id, Line};

/// Let an agent work on a goal
///
/// It is shown first, as the lines that change and what follows from them, and written with --execute.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx goal register ledger-cutover worker-bench --scope \"measurements only\"")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List an agent in a goal, with what it may do
    Register {
        /// The goal; any unique prefix of its id
        of: String,
        /// The agent
        #[arg(value_parser = id)]
        agent: Id,
        /// What it may do, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        scope: Line,
        #[command(flatten)]
        target: TargetArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Register { of, agent, scope, target } = &args.command;
    change(context, target, None, of, Action::Register { agent: agent.clone(), scope: scope.clone() })
}
