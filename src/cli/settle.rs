use std::time::Duration;

use super::context::Context;
use super::exit::Exit;
use super::values::{duration, id, line, word};
use crate::app::{self, Error, SettleRequest};
use crate::render;
use crate::report::ReportFormat;
use crate::turn::Settlement;
use crate::vocabulary::{self, Id, LINE_LIMIT, Line, TurnResult};

/// The longest time that a goal's command may take, in seconds.
const LONGEST: u64 = 3_600;

/// Check a turn and record it once
///
/// Runs the goal's validation_command where the work is said to have passed, then writes the receipt of the turn, the
/// slot that it spends, and the progress of its todo. The same call again records nothing twice: it finishes what a
/// crash left out. The packet of the next turn comes with the answer.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx settle --turn turn-b48c9c6f8e88de03 --todo errors-6n1x --agent claude-review
  loopx settle --turn turn-b48c9c6f8e88de03 --todo errors-6n1x --done
  loopx settle --turn turn-b48c9c6f8e88de03 --todo errors-6n1x --outcome failed --summary \"two examples fail\"
  loopx settle --turn turn-b48c9c6f8e88de03 --todo errors-6n1x --dry-run")]
pub(super) struct Args {
    /// The turn, as the packet names it
    #[arg(long, value_name = "TURN", value_parser = id)]
    turn: Id,
    /// The todo of the packet
    #[arg(long, value_name = "ID", value_parser = id)]
    todo: Id,
    /// The agent; without it the one whose turn it is
    #[arg(long, alias = "agent-id", value_name = "ID", value_parser = id)]
    agent: Option<Id>,
    /// What you say of the work: passed, failed or blocked
    #[arg(long, value_name = "OUTCOME", value_parser = outcome, default_value = "passed", conflicts_with = "done")]
    outcome: TurnResult,
    /// The work passed and the todo is finished
    #[arg(long)]
    done: bool,
    /// One line about it, for the facts of the session
    #[arg(long, value_name = "LINE", value_parser = summary)]
    summary: Option<Line>,
    /// How long the goal's command may take, at most 60m
    #[arg(long, value_name = "DURATION", value_parser = timeout, default_value = "10m")]
    timeout: vocabulary::Duration,
    /// Show what would be written; nothing is run
    #[arg(long)]
    dry_run: bool,
}

fn outcome(text: &str) -> Result<TurnResult, String> {
    match word::<TurnResult>(text)? {
        TurnResult::Done => Err("use `--done`".to_owned()),
        outcome => Ok(outcome),
    }
}

fn summary(text: &str) -> Result<Line, String> {
    let told = line(text).map_err(str::to_owned)?;
    match text.chars().count() {
        count if count > LINE_LIMIT => Err(format!("use at most {LINE_LIMIT} characters, not {count}")),
        _ if text.contains(['\n', '\r']) => Err("say it in one line".to_owned()),
        _ => Ok(told),
    }
}

pub(super) fn timeout(text: &str) -> Result<vocabulary::Duration, String> {
    let timeout = duration(text).map_err(str::to_owned)?;
    match timeout.as_seconds() {
        1..=LONGEST => Ok(timeout),
        _ => Err("use at most 60m".to_owned()),
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let request = SettleRequest {
        turn: args.turn.clone(),
        todo: args.todo.clone(),
        agent: args.agent.clone(),
        outcome: if args.done { TurnResult::Done } else { args.outcome },
        summary: args.summary.clone(),
        timeout: Duration::from_secs(args.timeout.as_seconds()),
        dry_run: args.dry_run,
    };
    let settled = app::settle(&context.place, &request, context.given())?;
    let text = match context.format {
        ReportFormat::Human => render::settlement(&settled, args.dry_run),
        ReportFormat::Concise => render::settlement_concise(&settled),
        ReportFormat::Json => serde_json::to_string(&settled).map_err(std::io::Error::from)? + "\n",
    };
    context.out.write_all(text.as_bytes())?;
    Ok(exit(&settled, request.outcome))
}

/// Failed and blocked are what was asked for, or the answer no.
fn exit(settled: &Settlement, asked: TurnResult) -> Exit {
    match settled.result {
        _ if settled.refused.is_some() => Exit::Found,
        Some(TurnResult::Passed | TurnResult::Done) => Exit::Done,
        result if result == Some(asked) => Exit::Done,
        _ => Exit::Found,
    }
}
