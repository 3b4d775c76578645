use std::io::{Read, Write};
use std::path::PathBuf;

use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, HookRequest};
use crate::hosts::Host;

/// The largest payload that is read, in bytes; a larger one is answered as one that cannot be read.
const LARGEST: u64 = 64 << 20;

/// Take one event of a host from standard input and answer it
///
/// `loopx connect` registers this command; no person has to type it. It always exits 0, and its standard output is what
/// the host expects.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx hook claude_code PreToolUse < event.json
  loopx hook codex_cli Stop < event.json")]
pub(super) struct Args {
    /// The host: claude_code, codex_cli, gemini_cli or opencode
    host: String,
    /// The host's own name of the event
    event: String,
}

/// Answers one event; whatever goes wrong, the exit code is 0.
pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Some(host) = Host::named(&args.host) else { return Ok(Exit::Done) };
    let mut payload = Vec::new();
    // A payload that ends early is judged as what arrived.
    let _ = std::io::stdin().lock().take(LARGEST).read_to_end(&mut payload);
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let project = host.row().project_variable.and_then(variable);
    let folders = match context.is_started_elsewhere {
        true => vec![context.place.clone()],
        false => project.into_iter().chain([context.place.clone()]).collect(),
    };
    let request = HookRequest {
        host,
        event: args.event.clone(),
        payload,
        folders,
        agent: std::env::var("LOOPX_AGENT").ok().filter(|agent| !agent.is_empty()),
        as_of: context.now(),
    };
    let answer = std::panic::catch_unwind(|| app::hook(&request));
    let answer = answer.unwrap_or_else(|_| app::hook_fallback(host, &args.event, &request.payload));
    // A host that has left needs no answer.
    let _ = context.out.write_all(answer.as_bytes());
    Ok(Exit::Done)
}
