use super::context::Context;
use super::exit::Exit;
use super::host::{HostArgs, line, print, unavailable};
use crate::app::{self, Error};
use crate::host_commands::bootstrap_pack;

/// Show what the project is and which commands go on from there: the answer to /loopx
///
/// Nothing is written, run or spent.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx bootstrap-command-pack --project .
  loopx bootstrap-command-pack --goal ledger-cutover --agent codex-main --format json")]
pub(super) struct Args {
    #[command(flatten)]
    asked: HostArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let asking = match args.asked.asking() {
        Ok(asking) => asking,
        Err(what) => return unavailable(context, what),
    };
    let project = app::host_project(&context.place, &asking, context.now())?;
    let pack = bootstrap_pack(&project);
    let text = |route: &str| pack.pointer(route).and_then(serde_json::Value::as_str).unwrap_or_default();
    let mut words = format!("{}: {}\n", text("/project_root_label"), text("/project_connection/reason"));
    for (name, command) in pack["commands"].as_object().into_iter().flatten() {
        words.push_str(&format!("  {name:16}  {}\n", line(command)));
    }
    words.push_str(&format!("{}\n", text("/message")));
    print(context, &pack, &words)?;
    Ok(Exit::Done)
}
