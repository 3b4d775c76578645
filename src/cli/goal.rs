use super::change::{ChangeArgs, NewArgs, TargetArgs, run as change, run_unnamed, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, label, line, named_scope, word};
use crate::app::Error;
use crate::change::{Action, NewDocument};
use crate::vocabulary::{Glob, GoalStatus, Id, Label, Line, Priority};

/// Start a goal, change its status, or let an agent work on it
///
/// Each is shown first, as the lines that change and what follows from them, and written with --execute. Repeating one
/// changes nothing. People start, pause, resume and complete goals; agents do not.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx goal new \"Reads come from the new store\" --write-scope \"services/ledger/**\" --stop \"A check fails\"
  loopx goal register ledger-cutover worker-bench --scope \"measurements only\"
  loopx goal pause ledger-cutover --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Start a goal as a draft; `loopx goal resume` lets agents work on it
    #[command(
        name = "new",
        after_help = "Examples:
  loopx goal new \"Reads come from the new store\" --write-scope \"services/ledger/**\" --stop \"A check fails\" \\
    --register \"codex-main=writes the switch\" --validation ./check --execute"
    )]
    Start {
        /// One line: what is true when this goal is done
        #[arg(value_parser = line)]
        objective: Line,
        /// A short name
        #[arg(long, value_name = "TEXT", value_parser = label)]
        title: Option<Label>,
        /// The person who owns it; without it whoever starts it
        #[arg(long, value_name = "NAME", value_parser = id)]
        owner: Option<Id>,
        /// An agent that may work on it, and its scope in one line; several times for several
        #[arg(long, value_name = "AGENT=SCOPE", value_parser = named_scope)]
        register: Vec<(Id, Line)>,
        /// What may be written, below the repository; several times for several
        #[arg(long, value_name = "GLOB", required = true)]
        write_scope: Vec<String>,
        /// When agents have to stop, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        stop: Line,
        /// How important it is: P0 to P3
        #[arg(long, value_name = "PRIORITY", value_parser = word::<Priority>, default_value = "P1")]
        priority: Priority,
        /// A word of the command that validates it; several times for several, in their order
        #[arg(long, value_name = "WORD", value_parser = line, allow_hyphen_values = true)]
        validation: Vec<Line>,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        doing: ChangeArgs,
    },
    /// Stop the work of agents on an active goal
    #[command(after_help = "Examples:
  loopx goal pause ledger-cutover --execute")]
    Pause {
        /// The goal; any unique prefix of its id
        of: String,
        #[command(flatten)]
        doing: ChangeArgs,
    },
    /// Let agents work on a goal that is a draft, paused or completed
    #[command(after_help = "Examples:
  loopx goal resume ledger-cutover --execute")]
    Resume {
        /// The goal; any unique prefix of its id
        of: String,
        #[command(flatten)]
        doing: ChangeArgs,
    },
    /// Say that a goal is reached; all its gates have to be decided
    #[command(after_help = "Examples:
  loopx goal complete ledger-cutover --execute")]
    Complete {
        /// The goal; any unique prefix of its id
        of: String,
        #[command(flatten)]
        doing: ChangeArgs,
    },
    /// List an agent in a goal, with what it may do
    #[command(after_help = "Examples:
  loopx goal register ledger-cutover worker-bench --scope \"measurements only\" --execute")]
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
    match &args.command {
        Command::Start { objective, title, owner, register, write_scope, stop, priority, validation, new, doing } => {
            let sheet = NewDocument::Goal {
                objective: objective.clone(),
                title: title.clone(),
                owner: owner.clone(),
                agents: register.iter().cloned().collect(),
                write_scope: write_scope.iter().map(|glob| Glob::new(glob.as_str())).collect(),
                stop_condition: stop.clone(),
                priority: *priority,
                validation_command: validation.clone(),
            };
            start(context, doing, new.id(), sheet)
        }
        Command::Pause { of, doing } => set_status(context, doing, of, GoalStatus::Paused),
        Command::Resume { of, doing } => set_status(context, doing, of, GoalStatus::Active),
        Command::Complete { of, doing } => set_status(context, doing, of, GoalStatus::Completed),
        Command::Register { of, agent, scope, target } => {
            run_unnamed(context, target, of, Action::Register { agent: agent.clone(), scope: scope.clone() })
        }
    }
}

fn set_status(context: &mut Context, doing: &ChangeArgs, of: &str, status: GoalStatus) -> Result<Exit, Error> {
    change(context, doing, of, Action::SetGoalStatus { status })
}
