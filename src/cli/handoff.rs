use super::change::{ChangeArgs, EndArgs, NewArgs, run as change, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, line};
use crate::app::Error;
use crate::change::{Action, NewDocument};
use crate::vocabulary::{Glob, Id, Kind, Line};

/// Draft, approve, accept, renew or withdraw a handoff
///
/// Each is shown first, as the lines that change and what follows from them, and written with --execute: the document
/// and, where something is decided, its receipt beside it. What a rule forbids is never written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx handoff draft cutover-9d4m --to codex-main --next \"Set the flag\" --stop \"The first failed check\"
  loopx handoff approve backfill-5d1p --reason \"the limits are the goal's\"
  loopx handoff accept cutover-3y5k --by codex-main --execute
  loopx handoff renew cutover-3y5k --expires-in 48h
  loopx handoff withdraw cutover-3y5k --reason \"somebody else takes over\"")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Draft the next action of an agent, for somebody to approve
    #[command(after_help = "Examples:
  loopx handoff draft cutover-9d4m --to codex-main --next \"Set the flag\" --stop \"The first failed check\"")]
    Draft {
        /// The todo that is handed over
        #[arg(value_parser = id)]
        todo: Id,
        /// The agent that takes over
        #[arg(long, value_name = "AGENT", value_parser = id)]
        to: Id,
        /// The agent that hands over; without it whoever drafts
        #[arg(long, value_name = "AGENT", value_parser = id)]
        from: Option<Id>,
        /// What to do next, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        next: Line,
        /// When to stop, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        stop: Line,
        /// The gate whose approval approves it; without it somebody approves the handoff itself
        #[arg(long, value_name = "GATE", value_parser = id)]
        gate: Option<Id>,
        /// What may be written, below the repository; several times for several, and without it what the goal allows
        #[arg(long, value_name = "GLOB")]
        write_scope: Vec<String>,
        /// What supports it; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        end: EndArgs,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Approve a handoff that no gate approves
    #[command(after_help = "Examples:
  loopx handoff approve backfill-5d1p --reason \"the limits are the goal's\" --execute")]
    Approve {
        /// The handoff; any unique prefix of its id
        handoff: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Take a handoff over, as the agent that it is for
    #[command(after_help = "Examples:
  loopx handoff accept cutover-3y5k --by codex-main --execute")]
    Accept {
        /// The handoff; any unique prefix of its id
        handoff: String,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Withdraw a handoff and draft it anew, under a new id
    #[command(after_help = "Examples:
  loopx handoff renew cutover-3y5k --expires-in 48h --execute")]
    Renew {
        /// The handoff; any unique prefix of its id
        handoff: String,
        /// What supports the new one; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        end: EndArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Take a handoff back
    #[command(after_help = "Examples:
  loopx handoff withdraw cutover-3y5k --reason \"another agent does it\" --execute")]
    Withdraw {
        /// The handoff; any unique prefix of its id
        handoff: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let (now, entropy) = (context.now(), context.entropy());
    match &args.command {
        Command::Draft { todo, to, from, next, stop, gate, write_scope, evidence, end, new, change_args } => {
            let new_document = NewDocument::Handoff {
                from_agent: from.clone(),
                to_agent: to.clone(),
                todo_id: todo.clone(),
                gate_id: gate.clone(),
                next_action: next.clone(),
                stop_condition: stop.clone(),
                write_scope: write_scope.iter().map(|glob| Glob::new(glob.as_str())).collect(),
                evidence: evidence.clone(),
                expires_at: end.instant(now),
            };
            start(context, change_args, new.id(), new_document)
        }
        Command::Approve { handoff, reason, change_args } => {
            change(context, change_args, handoff, Action::Approve { reason: reason.clone() })
        }
        Command::Accept { handoff, change_args } => change(context, change_args, handoff, Action::Accept),
        Command::Renew { handoff, evidence, end, change_args } => {
            let act = Action::Renew { entropy, expires_at: end.instant(now), evidence: evidence.clone() };
            change(context, change_args, handoff, act)
        }
        Command::Withdraw { handoff, reason, change_args } => {
            change(context, change_args, handoff, Action::Withdraw { kind: Kind::Handoff, reason: reason.clone() })
        }
    }
}
