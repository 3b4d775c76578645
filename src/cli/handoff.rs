use super::change::{Doing, End, id, line, run as change};
use super::context::Context;
use super::exit::Exit;
use crate::app::Error;
use crate::change::Act;
use crate::vocabulary::{Id, Kind, Line};

/// Approve, accept, renew or take back a handoff
///
/// Each is shown first, as the lines that change and what follows from them, and written with --execute: the document
/// and, where something is decided, its receipt beside it. What a rule forbids is never written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx handoff approve backfill-5d1p --reason \"the limits are the goal's\"
  loopx handoff accept cutover-3y5k --by codex-main --execute
  loopx handoff renew cutover-3y5k --expires-in 48h")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Approve a handoff that no gate approves
    Approve {
        /// The handoff; any unique prefix of its id
        handoff: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        doing: Doing,
    },
    /// Take a handoff over, as the agent that it is for
    Accept {
        /// The handoff; any unique prefix of its id
        handoff: String,
        #[command(flatten)]
        doing: Doing,
    },
    /// Withdraw a handoff and draft it anew, under a new id
    Renew {
        /// The handoff; any unique prefix of its id
        handoff: String,
        /// What supports the new one; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        end: End,
        #[command(flatten)]
        doing: Doing,
    },
    /// Take a handoff back
    Withdraw {
        /// The handoff; any unique prefix of its id
        handoff: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        doing: Doing,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let (now, entropy) = (context.now(), context.entropy());
    match &args.command {
        Command::Approve { handoff, reason, doing } => {
            change(context, doing, handoff, Act::Approve { reason: reason.clone() })
        }
        Command::Accept { handoff, doing } => change(context, doing, handoff, Act::Accept),
        Command::Renew { handoff, evidence, end, doing } => {
            let act = Act::Renew { entropy, expires_at: end.instant(now), evidence: evidence.clone() };
            change(context, doing, handoff, act)
        }
        Command::Withdraw { handoff, reason, doing } => {
            change(context, doing, handoff, Act::Withdraw { kind: Kind::Handoff, reason: reason.clone() })
        }
    }
}
