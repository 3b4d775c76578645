//! The command line: arguments in, one call of `app`, one call of `report`, an exit code out.
//!
//! Comes in: arguments, streams, the working directory, the clock. Goes out: text on two streams and an [`Exit`].
//! Must not know: what any document means. One file per command.

mod actor;
mod change;
mod connect;
mod context;
mod examples;
mod exit;
mod doctor;
mod explain;
mod findings;
mod gate;
mod goal;
mod handoff;
mod hook;
mod ingest;
mod init;
mod lint;
mod panics;
mod plan;
mod project;
mod receipts;
mod reconcile;
mod scan;
mod reference;
mod record;
mod review;
mod schema;
mod reward;
mod session;
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
    Session(session::Args),
    Writeback(writeback::Args),
    Status(status::Args),
    Project(project::Args),
    Connect(connect::Args),
    Hook(hook::Args),
    Ingest(ingest::Args),
    Doctor(doctor::Args),
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
    let result = match &arguments.command {
        Command::Init(args) => init::run(&mut context, args),
        Command::Actor(args) => actor::run(&mut context, args),
        Command::Lint(args) => lint::run(&mut context, args),
        Command::Scan(args) => scan::run(&mut context, args),
        Command::Explain(args) => explain::run(&mut context, args),
        Command::Schema(args) => schema::run(&mut context, args),
        Command::Plan(args) => plan::run(&mut context, args),
        Command::Reconcile(args) => reconcile::run(&mut context, args),
        Command::Record(args) => record::run(&mut context, args),
        Command::Watch(args) => watch::run(&mut context, args),
        Command::Receipts(args) => receipts::run(&mut context, args),
        Command::Review(args) => review::run(&mut context, args),
        Command::Gate(args) => gate::run(&mut context, args),
        Command::Handoff(args) => handoff::run(&mut context, args),
        Command::Todo(args) => todo::run(&mut context, args),
        Command::Reward(args) => reward::run(&mut context, args),
        Command::Goal(args) => goal::run(&mut context, args),
        Command::Session(args) => session::run(&mut context, args),
        Command::Writeback(args) => writeback::run(&mut context, args),
        Command::Status(args) => status::run(&mut context, args),
        Command::Connect(args) => connect::run(&mut context, args),
        Command::Ingest(args) => ingest::run(&mut context, args),
        Command::Doctor(args) => doctor::run(&mut context, args),
        Command::Hook(args) => hook::run(&mut context, args),
        Command::Project(args) => project::run(&mut context, args),
        Command::Version(args) => version::run(&mut context, args),
    };
    context.end(result)
}
