use super::change::{ChangeArgs, NewArgs, run as change, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, label, resume_when, word};
use crate::app::Error;
use crate::change::{Action, NewDocument, new_todo_id};
use crate::vocabulary::{Id, Label, Priority, ResumeWhen, TaskClass};

/// Add, claim, block, defer, resume, supersede or finish a todo
///
/// Each is shown first, as the lines that change and what follows from them, and written with --execute. Repeating one
/// changes nothing. Agents finish what they were permitted to, and leave the todos of people alone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx todo add \"Backfill the March ledger\" --goal ledger --after shadow-7w2c
  loopx todo claim retention-4b6n --agent codex-main --execute
  loopx todo defer retention-4b6n --resume todo_done:shadow-7w2c
  loopx todo done shadow-7w2c --evidence out-shadow-48h --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add a piece of work; agents add no todos of people and assign none to others
    #[command(after_help = "Examples:
  loopx todo add \"Backfill the March ledger\" --goal ledger --priority P0 --execute")]
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
        change_args: ChangeArgs,
    },
    /// Say that a todo is done, and what shows it; an agent finishes only what it was permitted to
    #[command(after_help = "Examples:
  loopx todo done shadow-7w2c --evidence out-shadow-48h --execute")]
    Done {
        /// The todo; any unique prefix of its id
        todo: String,
        /// What shows it, beside what stands there; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Claim an open todo for an agent; an approved handoff to the agent is accepted, with its receipt
    #[command(after_help = "Examples:
  loopx todo claim retention-4b6n --agent codex-main --execute
  loopx todo claim retention-4b6n --agent codex-main --release --execute")]
    Claim {
        /// The todo; any unique prefix of its id
        todo: String,
        /// Give the claim back instead
        #[arg(long)]
        release: bool,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Say that a todo cannot go on; to say why, ask a gate: loopx gate request
    #[command(after_help = "Examples:
  loopx todo block retention-4b6n --agent codex-main --execute")]
    Block {
        /// The todo; any unique prefix of its id
        todo: String,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Put a todo off until something else has happened
    #[command(after_help = "Examples:
  loopx todo defer retention-4b6n --resume todo_done:shadow-7w2c --execute
  loopx todo defer retention-4b6n --resume pr_merged:#41 --execute")]
    Defer {
        /// The todo; any unique prefix of its id
        todo: String,
        /// What resumes it: todo_done:ID, pr_merged:[OWNER/REPO]#N or capacity_available:CAP
        #[arg(long, value_name = "WHEN", value_parser = resume_when)]
        resume: ResumeWhen,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Open a todo that is blocked or deferred
    #[command(after_help = "Examples:
  loopx todo resume retention-4b6n --execute")]
    Resume {
        /// The todo; any unique prefix of its id
        todo: String,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Put a todo off until a new one is done, and let what waited for it wait for the new one
    #[command(after_help = "Examples:
  loopx todo supersede retention-4b6n \"Set the retention in two steps\" --execute")]
    Supersede {
        /// The old todo; any unique prefix of its id
        todo: String,
        /// What is to be done instead, in a few words
        #[arg(value_parser = label)]
        title: Label,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    match &args.command {
        Command::Add { title, task_class, priority, after, assignee, new, change_args } => {
            let (title, after, assignee) = (title.clone(), after.clone(), assignee.clone());
            let new_document =
                NewDocument::Todo { title, task_class: *task_class, priority: *priority, after, assignee };
            start(context, change_args, new.id(), new_document)
        }
        Command::Done { todo, evidence, change_args } => {
            change(context, change_args, todo, Action::Finish { evidence: evidence.clone() })
        }
        Command::Claim { todo, release, change_args } => {
            change(context, change_args, todo, if *release { Action::Release } else { Action::Claim })
        }
        Command::Block { todo, change_args } => change(context, change_args, todo, Action::Block),
        Command::Defer { todo, resume, change_args } => {
            change(context, change_args, todo, Action::Defer { until: resume.clone() })
        }
        Command::Resume { todo, change_args } => change(context, change_args, todo, Action::Resume),
        Command::Supersede { todo, title, new, change_args } => {
            let entropy = context.entropy();
            let new = new.id().cloned().unwrap_or_else(|| Id::new(new_todo_id(title.as_str(), entropy)));
            change(context, change_args, todo, Action::Supersede { title: title.clone(), new })
        }
    }
}
