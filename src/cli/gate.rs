use super::change::{ChangeArgs, EndArgs, NewArgs, run as change, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, instant, line, word};
use crate::app::Error;
use crate::change::{Action, NewDocument};
use crate::vocabulary::{Blocks, GateDecision, Id, Instant, Kind, Line, RequiredActor};

/// Request, decide or withdraw a gate
///
/// Each is shown first, as the lines that change and what follows from them, and written with --execute: the document
/// and, where something is decided, its receipt beside it. What a rule forbids is never written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx gate request \"May the read flag be switched?\" --goal ledger --blocks cutover-9d4m --by codex-main
  loopx gate decide cutover-2f8q approve --reason \"48 hours of shadow reads stay under the limit\"
  loopx gate decide cutover-2f8q defer --until 2026-03-12T09:00:00Z --reason \"freeze\" --execute
  loopx gate ask cutover-2f8q --evidence out-shadow-96h
  loopx gate withdraw cutover-2f8q --reason \"the cutover is called off\"")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Ask something that a person has to decide
    #[command(after_help = "Examples:
  loopx gate request \"May the read flag be switched?\" --goal ledger --blocks cutover-9d4m --by codex-main")]
    Request {
        /// The question, in one line
        #[arg(value_parser = line)]
        question: Line,
        /// The class that has to decide: user, operator, controller or owner
        #[arg(long = "from", value_name = "CLASS", value_parser = word::<RequiredActor>, default_value = "owner")]
        required_actor: RequiredActor,
        /// A todo that waits for the answer; several times for several, and without it the whole goal waits
        #[arg(long, value_name = "TODO", value_parser = id, conflicts_with = "advisory")]
        blocks: Vec<Id>,
        /// Nothing waits for the answer
        #[arg(long)]
        advisory: bool,
        /// What supports the request; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        end: EndArgs,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Answer a gate: approve, reject or defer
    #[command(after_help = "Examples:
  loopx gate decide cutover-2f8q approve --reason \"48 hours of shadow reads stay under the limit\" --execute")]
    Decide {
        /// The gate; any unique prefix of its id
        gate: String,
        /// The answer: approve, reject or defer
        #[arg(value_parser = word::<GateDecision>)]
        label: GateDecision,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Line,
        /// When a deferred gate is asked again
        #[arg(long, value_name = "RFC3339", value_parser = instant)]
        until: Option<Instant>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Ask a gate again that was answered or expired, or whose evidence is outdated
    #[command(after_help = "Examples:
  loopx gate ask cutover-2f8q --evidence out-shadow-96h --execute")]
    Ask {
        /// The gate; any unique prefix of its id
        gate: String,
        /// What supports the request from now on; several times for several
        #[arg(long, value_name = "ID", value_parser = id)]
        evidence: Vec<Id>,
        #[command(flatten)]
        end: EndArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Take a request back that has no answer yet
    #[command(after_help = "Examples:
  loopx gate withdraw cutover-2f8q --reason \"the flag goes away\" --execute")]
    Withdraw {
        /// The gate; any unique prefix of its id
        gate: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let now = context.now();
    match &args.command {
        Command::Request { question, required_actor, blocks, advisory, evidence, end, new, change_args } => {
            let blocks = match (advisory, &blocks[..]) {
                (true, _) => Blocks::Nothing,
                (false, []) => Blocks::Goal,
                (false, todos) => Blocks::Todos(todos.to_vec()),
            };
            let (question, required_actor) = (question.clone(), *required_actor);
            let (evidence, expires_at) = (evidence.clone(), end.instant(now));
            start(
                context,
                change_args,
                new.id(),
                NewDocument::Gate { question, required_actor, blocks, evidence, expires_at },
            )
        }
        Command::Decide { gate, label, reason, until, change_args } => {
            let act = Action::Decide { label: *label, reason: reason.clone(), until: *until };
            change(context, change_args, gate, act)
        }
        Command::Ask { gate, evidence, end, change_args } => {
            let act = Action::AskAgain { evidence: evidence.clone(), expires_at: end.instant(now) };
            change(context, change_args, gate, act)
        }
        Command::Withdraw { gate, reason, change_args } => {
            change(context, change_args, gate, Action::Withdraw { kind: Kind::Gate, reason: reason.clone() })
        }
    }
}
