use super::change::{Doing, New, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, line, word};
use crate::app::Error;
use crate::change::Sheet;
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
        new: New,
        #[command(flatten)]
        doing: Doing,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Give { judges, reward, reason, lesson, new, doing } = &args.command;
    let lesson = lesson.as_deref().map(Paragraph::new);
    let sheet = Sheet::Reward { judges: judges.clone(), reward: *reward, reason: reason.clone(), lesson };
    start(context, doing, new.id(), sheet)
}
