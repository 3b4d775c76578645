use super::context::Context;
use super::exit::Exit;
use super::values::{id, word};
use crate::app::{self, Error, NextRequest};
use crate::render;
use crate::report::ReportFormat;
use crate::turn::{Cursor, line};
use crate::vocabulary::{HostSurface, Id};

/// Say what an agent may do now
///
/// Nothing is written. The packet of --format json is one line of at most 8,000 bytes. Start every turn with it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx next --agent codex-main --format json
  loopx next --agent codex-main --goal ledger-cutover
  loopx next --agent codex-main --host claude_code --cursor c1.0f1e2d3c4b5a6978.0.1772895600.1")]
pub(super) struct Args {
    /// The agent; its whole id
    #[arg(long, alias = "agent-id", value_name = "ID")]
    agent: String,
    /// One of its goals; without it the first one to turn to
    #[arg(long, alias = "goal-id", value_name = "ID")]
    goal: Option<String>,
    /// The session that works for it; without it the agent's only live one
    #[arg(long, value_name = "ID", value_parser = id)]
    session: Option<Id>,
    /// The host whose timer is asked about, such as claude_code
    #[arg(long, value_name = "HOST", value_parser = word::<HostSurface>)]
    host: Option<HostSurface>,
    /// The cursor of the packet before
    #[arg(long, value_name = "CURSOR", value_parser = cursor, requires = "host")]
    cursor: Option<Cursor>,
}

/// Reads a cursor.
pub(super) fn cursor(text: &str) -> Result<Cursor, &'static str> {
    Cursor::parse(text).ok_or("use the `cursor` of the schedule before, or leave it out")
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let request = NextRequest {
        agent: args.agent.clone(),
        goal: args.goal.clone(),
        session: args.session.clone(),
        host: args.host.map(Some),
        cursor: args.cursor.clone(),
    };
    let packet = app::next(&context.place, &request, context.now())?.packet;
    let text = match context.format {
        ReportFormat::Human => render::turn(&packet),
        ReportFormat::Concise => render::turn_concise(&packet),
        ReportFormat::Json => line(&packet) + "\n",
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
