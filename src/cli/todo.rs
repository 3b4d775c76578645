use super::change::{Doing, id, run as change};
use super::context::Context;
use super::exit::Exit;
use crate::app::Error;
use crate::change::Act;
use crate::vocabulary::Id;

/// Say that a todo is done
///
/// It is shown first, as the lines that change and what follows from them, and written with --execute.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx todo done retention-4b6n
  loopx todo done shadow-7w2c --evidence out-shadow-48h --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say that a todo is done, and what shows it
    Done {
        /// The todo; any unique prefix of its id
        todo: String,
        /// What shows it, beside what stands there; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        doing: Doing,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Done { todo, evidence, doing } = &args.command;
    change(context, doing, todo, Act::Finish { evidence: evidence.clone() })
}
