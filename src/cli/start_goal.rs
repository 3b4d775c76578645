use super::context::Context;
use super::exit::Exit;
use super::host::{HostArgs, line, print, unavailable};
use crate::app::{self, Error};
use crate::document::to_json_pretty;
use crate::host_commands::{Unavailable, goal_text, guided_start};
use crate::privacy::Wall;
use crate::report::ReportFormat;

/// Show the steps that start a goal: the answer to /loopx with a text
///
/// The goal text is kept as it is. No step is run and nothing is written: each names its command, and a person sees the
/// plan before the first todo.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx start-goal --guided --goal-text \"fix issue triage\"
  loopx start-goal --guided --project . --goal-text \"fix issue triage\" --format json")]
pub(super) struct Args {
    /// Step by step; there is no other way
    #[arg(long)]
    guided: bool,
    /// What is to be done, in the person's own words
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    goal_text: String,
    #[command(flatten)]
    asked: HostArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    if !args.guided {
        let what = "starting a goal in one step";
        return unavailable(context, Unavailable { what, instead: "loopx start-goal --guided --goal-text TEXT" });
    }
    let asking = match args.asked.asking() {
        Ok(asking) => asking,
        Err(what) => return unavailable(context, what),
    };
    let wall = Wall::shipped();
    let text = match goal_text(&args.goal_text, wall) {
        Ok(text) => text,
        Err(fault) => {
            if context.format == ReportFormat::Json {
                let packet = serde_json::json!({ "ok": false, "error": fault.word(), "goal_text": null });
                context.out.write_all(to_json_pretty(&packet).as_bytes())?;
            }
            writeln!(context.err, "error[{}]: {fault}", fault.word())?;
            return Ok(Exit::Found);
        }
    };
    let project = app::host_project(&context.place, &asking, context.now())?;
    let packet = guided_start(&project, text, wall);
    let mut words = format!("{}\n", packet["goal_text"].as_str().unwrap_or_default());
    for step in
        packet.pointer("/guided_transaction/ordered_steps").and_then(|steps| steps.as_array()).into_iter().flatten()
    {
        let name = step["step"].as_str().unwrap_or_default();
        words.push_str(&format!("{}. {name:21}  {}\n", step["order"], line(&step["command"])).replace("  \n", "\n"));
        words.push_str(&format!("   {}\n", step["note"].as_str().unwrap_or_default()));
    }
    print(context, &packet, &words)?;
    Ok(Exit::Done)
}
