use super::context::Context;
use super::exit::Exit;
use super::host::{HostArgs, print, unavailable};
use crate::app::{self, Error};
use crate::host_commands::Unavailable;

/// Print the text that a host gives an agent at each beat, with its digest
///
/// It depends on the goal, the agent and its scope alone: an equal digest means that nothing is to be renewed. Nothing
/// is written or spent.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx heartbeat-prompt --thin --goal ledger-cutover --agent codex-main
  loopx heartbeat-prompt --thin --goal-id ledger-cutover --agent-id codex-main --format json")]
pub(super) struct Args {
    /// The short body; there is no other one
    #[arg(long)]
    thin: bool,
    #[command(flatten)]
    asked: HostArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    if !args.thin {
        let what = "any other body than the thin one";
        return unavailable(context, Unavailable { what, instead: "loopx heartbeat-prompt --thin" });
    }
    let asking = match args.asked.asking() {
        Ok(asking) => asking,
        Err(what) => return unavailable(context, what),
    };
    let heartbeat = app::heartbeat_prompt(&context.place, &asking, context.now())?;
    let body = heartbeat.body().map_or_else(|_| String::new(), |body| format!("{body}\n"));
    print(context, &heartbeat.to_json(), &body)?;
    let Err(fault) = heartbeat.body() else { return Ok(Exit::Done) };
    let agents = heartbeat.registered_agents().collect::<Vec<_>>().join(", ");
    writeln!(context.err, "error[{}]: {fault}. Agents of the goal: {agents}", fault.word())?;
    Ok(Exit::Found)
}
