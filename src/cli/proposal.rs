use super::change::{ChangeArgs, NewArgs, run as change, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, label, line, paragraph, word};
use crate::app::Error;
use crate::change::{Action, NewDocument, new_todo_id};
use crate::vocabulary::{Id, Label, Line, Paragraph, Priority, ProposalType, TaskClass};

/// Add a proposal, make it a todo, or reject it
///
/// Each is shown first, as the lines that change and what follows from them, and written with --execute. Repeating one
/// changes nothing. Anybody adds proposals; people decide them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx proposal add \"The glossary repeats the schema\" --type refactor_warning --goal api-docs
  loopx proposal promote glossary-1w9d --title \"Cut the glossary\" --reason \"worth an hour\" --execute
  loopx proposal reject glossary-1w9d --reason \"the glossary stays\" --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add an idea for a person to decide on
    #[command(after_help = "Examples:
  loopx proposal add \"The glossary repeats the schema\" --type refactor_warning --goal api-docs --execute")]
    Add {
        /// The idea, in a few sentences
        #[arg(value_parser = paragraph)]
        summary: Paragraph,
        /// What it is about: exploration, refactor_warning, memory_consolidation or archive_suggestion
        #[arg(long = "type", value_name = "TYPE", value_parser = word::<ProposalType>, default_value = "exploration")]
        proposal_type: ProposalType,
        /// What supports it, at most five; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        doing: ChangeArgs,
    },
    /// Approve a proposal and add the todo that it becomes
    #[command(after_help = "Examples:
  loopx proposal promote glossary-1w9d --title \"Cut the glossary\" --reason \"worth an hour\" --execute")]
    Promote {
        /// The proposal; any unique prefix of its id
        proposal: String,
        /// What is to be done, in a few words
        #[arg(long, value_name = "TEXT", value_parser = label)]
        title: Label,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Line,
        /// What kind of work it is: advancement_task, blocker, user_gate or user_action
        #[arg(long = "class", value_name = "CLASS", value_parser = word::<TaskClass>, default_value = "advancement_task")]
        task_class: TaskClass,
        /// How important it is within the goal: P0 to P3
        #[arg(long, value_name = "PRIORITY", value_parser = word::<Priority>, default_value = "P1")]
        priority: Priority,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        doing: ChangeArgs,
    },
    /// Reject a proposal
    #[command(after_help = "Examples:
  loopx proposal reject glossary-1w9d --reason \"the glossary stays\" --execute")]
    Reject {
        /// The proposal; any unique prefix of its id
        proposal: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Line,
        #[command(flatten)]
        doing: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    match &args.command {
        Command::Add { summary, proposal_type, evidence, new, doing } => {
            let (summary, evidence) = (summary.clone(), evidence.clone());
            start(context, doing, new.id(), NewDocument::Proposal { proposal_type: *proposal_type, summary, evidence })
        }
        Command::Promote { proposal, title, reason, task_class, priority, new, doing } => {
            let entropy = context.entropy();
            let id = new.id().cloned().unwrap_or_else(|| Id::new(new_todo_id(title.as_str(), entropy)));
            let todo = NewDocument::Todo {
                title: title.clone(),
                task_class: *task_class,
                priority: *priority,
                after: Vec::new(),
                assignee: None,
            };
            change(context, doing, proposal, Action::Promote { reason: reason.clone(), todo, id })
        }
        Command::Reject { proposal, reason, doing } => {
            change(context, doing, proposal, Action::RejectProposal { reason: reason.clone() })
        }
    }
}
