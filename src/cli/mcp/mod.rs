//! The same commands for programs that speak the Model Context Protocol: a call is a command line, its result that
//! command's JSON. Nothing is decided here.

#[cfg(feature = "mcp")]
mod arguments;
#[cfg(feature = "mcp")]
mod result;
#[cfg(feature = "mcp")]
mod running;
#[cfg(feature = "mcp")]
mod server;
#[cfg(feature = "mcp")]
mod tools;

#[cfg(feature = "mcp")]
use std::time::Duration;

use super::context::{Context, RunWords};
use super::exit::Exit;
use crate::app::Error;

/// Serve the turn as tools of the Model Context Protocol, over standard input and output
///
/// The tools next, status, lint and explain read. With --allow-writes there are settle, claim and request_gate too. Each
/// one is the command of its name, and answers with that command's JSON; nobody decides a gate here.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx mcp
  loopx mcp --allow-writes
  loopx -C path/to/state mcp --allow-writes")]
pub(super) struct Args {
    /// Serve the tools that write, too
    #[arg(long)]
    #[cfg_attr(not(feature = "mcp"), expect(dead_code, reason = "this build serves nothing"))]
    allow_writes: bool,
    /// How many seconds a call waits for its command
    #[arg(long, hide = true, default_value_t = 50)]
    #[cfg_attr(not(feature = "mcp"), expect(dead_code, reason = "this build serves nothing"))]
    call_limit: u64,
}

#[cfg(feature = "mcp")]
pub(super) fn run(context: &mut Context, args: &Args, run_words: RunWords) -> Result<Exit, Error> {
    let caller = running::Caller { place: context.place.clone(), now: context.given(), run_words };
    Ok(server::serve(caller, args.allow_writes, Duration::from_secs(args.call_limit))?)
}

#[cfg(not(feature = "mcp"))]
pub(super) fn run(context: &mut Context, _: &Args, _: RunWords) -> Result<Exit, Error> {
    context.refuse("this loopx was built without MCP: cargo install loopx --features mcp")
}
