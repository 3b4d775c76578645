use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, StatusRequest};
use crate::render;
use crate::report::ReportFormat;

/// Show who is waiting on what and why
///
/// The documents are reconciled in memory; nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx status
  loopx status --goal ledger-cutover
  loopx status --agent codex-main --format concise
  loopx status --me
  loopx status --me maya")]
pub(super) struct Args {
    /// One goal in full; any unique prefix of its id
    #[arg(long, alias = "goal-id", value_name = "ID")]
    goal: Option<String>,
    /// Only what concerns this agent; any unique prefix of its id
    #[arg(long, alias = "agent-id", value_name = "ID")]
    agent: Option<String>,
    /// Only what this person can clear; without NAME the policy's actor with your git identity
    #[arg(long, value_name = "NAME", num_args = 0..=1)]
    me: Option<Option<String>>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let asked = StatusRequest { goal: args.goal.clone(), agent: args.agent.clone(), me: args.me.clone() };
    let (state, view) = app::status(&context.place, asked, context.now())?;
    let text = match context.format {
        ReportFormat::Human => render::status(&state.plan, &view, state.as_of),
        ReportFormat::Concise => render::concise(&state.plan, &view),
        ReportFormat::Json => render::status_json(&state.plan, &view, state.as_of),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
