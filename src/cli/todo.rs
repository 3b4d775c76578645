use super::change::{NewArgs, TargetArgs, WhenArgs, run_unnamed as change, start_unnamed as start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, label, word};
use crate::app::Error;
use crate::change::{Action, NewDocument};
use crate::vocabulary::{Id, Label, Priority, TaskClass};

/// Add a todo, or say that one is done
///
/// It is shown first, as the lines that change and what follows from them, and written with --execute.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx todo add \"Backfill the March ledger\" --goal ledger --after shadow-7w2c
  loopx todo done retention-4b6n
  loopx todo done shadow-7w2c --evidence out-shadow-48h --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add a piece of work
    Add {
        /// What is to be done, in a few words
        #[arg(value_parser = label)]
        title: Label,
        /// What kind of work it is: advancement_task, continuous_monitor, blocker, user_gate or user_action
        #[arg(long = "class", value_name = "CLASS", value_parser = word::<TaskClass>, default_value = "advancement_task")]
        task_class: TaskClass,
        /// How important it is within the goal: P0 to P3
        #[arg(long, value_name = "PRIORITY", value_parser = word::<Priority>, default_value = "P1")]
        priority: Priority,
        /// A todo that has to be done first; several times for several
        #[arg(long, value_name = "TODO", value_parser = id)]
        after: Vec<Id>,
        /// Who has to do it
        #[arg(long, value_name = "NAME", value_parser = id)]
        assignee: Option<Id>,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Say that a todo is done, and what shows it; an agent finishes only what it was permitted to
    Done {
        /// The todo; any unique prefix of its id
        todo: String,
        /// What shows it, beside what stands there; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        when: WhenArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    match &args.command {
        Command::Add { title, task_class, priority, after, assignee, new, target } => {
            let (title, after, assignee) = (title.clone(), after.clone(), assignee.clone());
            let new_document =
                NewDocument::Todo { title, task_class: *task_class, priority: *priority, after, assignee };
            start(context, target, new.id(), new_document)
        }
        Command::Done { todo, evidence, when, target } => {
            change(context, target, Some(when), todo, Action::Finish { evidence: evidence.clone() })
        }
    }
}
