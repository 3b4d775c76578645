use super::change::{ChangeArgs, NewArgs, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, line, word};
use crate::app::Error;
use crate::change::NewDocument;
use crate::vocabulary::{Id, Line, Paragraph, RewardLabel};

/// Judge a run, an outcome or a handoff
///
/// It is shown first, and written with --execute, with its receipt. Only a person's judgment is a reward.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx reward give out-clock-fix-1 positive --reason \"fixed the cause\" --goal flaky-suite --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Judge a run, an outcome or a handoff
    #[command(after_help = "Examples:
  loopx reward give out-clock-fix-1 positive --reason \"fixed the cause\" --goal flaky-suite --execute")]
    Give {
        /// The run, outcome or handoff
        #[arg(value_parser = id)]
        judges: Id,
        /// The judgment: positive, negative, mixed or neutral
        #[arg(value_parser = word::<RewardLabel>)]
        reward: RewardLabel,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Line,
        /// What to learn from it, in a few sentences
        #[arg(long, value_name = "TEXT")]
        lesson: Option<String>,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Give { judges, reward, reason, lesson, new, change_args } = &args.command;
    let lesson = lesson.as_deref().map(Paragraph::new);
    let new_document = NewDocument::Reward { judges: judges.clone(), reward: *reward, reason: reason.clone(), lesson };
    start(context, change_args, new.id(), new_document)
}
