//! The command line: arguments in, one call of `app`, one call of `report`, an exit code out.
//!
//! Comes in: arguments, streams, the working directory, the clock. Goes out: text on two streams and an [`Exit`].
//! Must not know: what any document means. One file per command.

mod actor;
mod bootstrap_command_pack;
mod change;

mod completions;
mod connect;
mod context;
mod examples;
mod exit;
mod doctor;
mod explain;
mod findings;
mod gate;
mod global;
mod goal;
mod handoff;
mod heartbeat_prompt;
mod host;
mod hook;
mod ingest;
mod init;
mod input;
mod lint;
mod mcp;
mod man;
mod next;
mod panics;
mod plan;
mod project;
mod proposal;
mod quota;
mod receipts;
mod reconcile;
mod scan;
mod reference;
mod record;
mod refresh_state;
mod review;
mod schema;
mod reward;
mod run;
mod session;
mod slash_commands;
mod start_goal;
mod settle;
mod status;
mod todo;
mod values;
mod version;
mod watch;
mod writeback;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use context::{Context, Globals};
pub use exit::Exit;
pub use reference::{command_line, exit_codes};

use crate::app::Error;
use crate::privacy::Wall;

/// Git-reviewed state for long-running agent goals
#[derive(Debug, Parser)]
#[command(name = "loopx", version, disable_help_subcommand = true, max_term_width = 100)]
#[command(after_help = "Start here:
  loopx init             write a small state directory
  loopx lint             check it
  loopx explain          list what can be explained")]
struct Arguments {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Args),
    Next(next::Args),
    Settle(settle::Args),
    Quota(quota::Args),
    Actor(actor::Args),
    Lint(lint::Args),
    Scan(scan::Args),
    Explain(explain::Args),
    Schema(schema::Args),
    Plan(plan::Args),
    Reconcile(reconcile::Args),
    Record(record::Args),
    Watch(watch::Args),
    Receipts(receipts::Args),
    Review(review::Args),
    Gate(gate::Args),
    Handoff(handoff::Args),
    Todo(todo::Args),
    Reward(reward::Args),
    Goal(goal::Args),
    Proposal(proposal::Args),
    Run(run::Args),
    RefreshState(refresh_state::Args),
    Session(session::Args),
    Writeback(writeback::Args),
    Status(status::Args),
    SlashCommands(slash_commands::Args),
    BootstrapCommandPack(bootstrap_command_pack::Args),
    StartGoal(start_goal::Args),
    GlobalSummary(global::SummaryArgs),
    GlobalGates(global::GatesArgs),
    GlobalTodos(global::TodosArgs),
    GlobalRisks(global::RisksArgs),
    HeartbeatPrompt(heartbeat_prompt::Args),
    Project(project::Args),
    Connect(connect::Args),
    Hook(hook::Args),
    Ingest(ingest::Args),
    Doctor(doctor::Args),
    Mcp(mcp::Args),
    Completions(completions::Args),
    Man(man::Args),
    Version(version::Args),
}

/// Runs one command line and gives its exit code.
#[must_use]
pub fn main() -> ExitCode {
    panics::install();
    let matches = command().try_get_matches();
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let exit = std::panic::catch_unwind(|| run(arguments)).unwrap_or(Exit::Failed);
    exit.into()
}

/// The command line as clap knows it, with examples in the help of every command.
fn command() -> clap::Command {
    examples::shared(Arguments::command())
}

/// Help and version are results; anything else is a mistake in the arguments, which are shown as any other text is.
fn usage(error: &clap::Error) -> ExitCode {
    // A reader that has left needs no answer.
    if error.use_stderr() {
        let shown = Wall::shipped().redact(&error.render().to_string());
        let _ = std::io::stderr().write_all(shown.as_bytes());
        Exit::Usage.into()
    } else {
        let _ = error.print();
        Exit::Done.into()
    }
}

fn run(arguments: Arguments) -> Exit {
    let mut context = match Context::new(&arguments.globals) {
        Ok(context) => context,
        Err(error) => return context::fail(&error),
    };
    if context.is_comment && !matches!(arguments.command, Command::Review(_)) {
        let result =
            context.refuse("only `loopx review` writes a comment: --format markdown goes with no other command");
        return context.end(result);
    }
    if context.host.is_some() && !matches!(arguments.command, Command::Lint(_) | Command::Scan(_)) {
        let result = context.refuse("only `loopx lint` and `loopx scan` write --format sarif and --format github");
        return context.end(result);
    }
    let result = run_command(&mut context, &arguments.command);
    context.end(result)
}

/// Runs one command.
fn run_command(context: &mut Context, command: &Command) -> Result<Exit, Error> {
    match command {
        Command::Next(args) => next::run(context, args),
        Command::Settle(args) => settle::run(context, args),
        Command::Quota(args) => quota::run(context, args),
        Command::Init(args) => init::run(context, args),
        Command::Actor(args) => actor::run(context, args),
        Command::Lint(args) => lint::run(context, args),
        Command::Scan(args) => scan::run(context, args),
        Command::Explain(args) => explain::run(context, args),
        Command::Schema(args) => schema::run(context, args),
        Command::Plan(args) => plan::run(context, args),
        Command::Reconcile(args) => reconcile::run(context, args),
        Command::Record(args) => record::run(context, args),
        Command::Watch(args) => watch::run(context, args),
        Command::Receipts(args) => receipts::run(context, args),
        Command::Review(args) => review::run(context, args),
        Command::Gate(args) => gate::run(context, args),
        Command::Handoff(args) => handoff::run(context, args),
        Command::Todo(args) => todo::run(context, args),
        Command::Reward(args) => reward::run(context, args),
        Command::Goal(args) => goal::run(context, args),
        Command::Proposal(args) => proposal::run(context, args),
        Command::Run(args) => run::run(context, args),
        Command::RefreshState(args) => refresh_state::run(context, args),
        Command::Session(args) => session::run(context, args),
        Command::Writeback(args) => writeback::run(context, args),
        Command::Status(args) => status::run(context, args),
        Command::SlashCommands(args) => slash_commands::run(context, args),
        Command::BootstrapCommandPack(args) => bootstrap_command_pack::run(context, args),
        Command::StartGoal(args) => start_goal::run(context, args),
        Command::GlobalSummary(args) => global::summary(context, args),
        Command::GlobalGates(args) => global::gates(context, args),
        Command::GlobalTodos(args) => global::todos(context, args),
        Command::GlobalRisks(args) => global::risks(context, args),
        Command::HeartbeatPrompt(args) => heartbeat_prompt::run(context, args),
        Command::Project(args) => project::run(context, args),
        Command::Connect(args) => connect::run(context, args),
        Command::Hook(args) => hook::run(context, args),
        Command::Ingest(args) => ingest::run(context, args),
        Command::Doctor(args) => doctor::run(context, args),
        Command::Mcp(args) => mcp::run(context, args, run_words),
        Command::Completions(args) => completions::run(context, args, self::command()),
        Command::Man(args) => man::run(context, args, self::command()),
        Command::Version(args) => version::run(context, args),
    }
}

/// Runs a command line that a program gives as words; says what is wrong with them.
fn run_words(context: &mut Context, words: &[String]) -> Result<Result<Exit, Error>, String> {
    let matches = command().try_get_matches_from(words);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(run_command(context, &arguments.command)),
        Err(error) => {
            let shown = Wall::shipped().redact(&error.render().to_string());
            let mistake = shown.split("\n\n").next().unwrap_or_default();
            Err(mistake.trim_start_matches("error: ").to_owned())
        }
    }
}
