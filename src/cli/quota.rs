use serde_json::Value as Json;

use super::context::Context;
use super::exit::Exit;
use super::values::id;
use crate::app::{self, Answered, Error, GuardRequest, TimerReport};
use crate::document::to_json_pretty;
use crate::report::ReportFormat;
use crate::turn::host_named;
use crate::vocabulary::{HostSurface, Id, nearest};

/// Show what is left of quotas, and guard the turns of a host (contract 5)
///
/// `status` and `should-run` only read. An acknowledgement is kept beside git's own files and spends nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx quota status
  loopx quota should-run --agent codex-main --host codex_app --format json
  loopx quota scheduler-ack --agent codex-main --host codex_app --applied-rrule \"FREQ=MINUTELY;INTERVAL=30\"
  loopx quota spend --turn turn-b48c9c6f8e88de03
  loopx quota void --turn turn-b48c9c6f8e88de03 --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

/// Whose timer it is.
#[derive(Debug, clap::Args)]
struct Whose {
    /// The agent; its whole id
    #[arg(long, alias = "agent-id", value_name = "ID")]
    agent: String,
    /// One of its goals; without it the first one to turn to
    #[arg(long, alias = "goal-id", value_name = "ID")]
    goal: Option<String>,
    /// The host or its profile, such as codex_app_heartbeat or claude_code
    #[arg(long, aliases = ["profile", "host-surface"], value_name = "HOST", value_parser = host)]
    host: Option<HostSurface>,
    /// The recurrence rule that the host was seen to have
    #[arg(long, alias = "observed-host-rrule", value_name = "RRULE")]
    observed_rrule: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show what is left of the quota of each goal, and where it stands for each agent
    #[command(after_help = "Examples:\n  loopx quota status\n  loopx quota status --goal ledger-cutover")]
    Status {
        /// One goal; any unique prefix of its id
        #[arg(long, alias = "goal-id", value_name = "ID")]
        goal: Option<String>,
    },
    /// Say whether an agent should run now, and what its host does with its timer
    #[command(after_help = "Examples:\n  loopx quota should-run --agent codex-main --host claude_code")]
    ShouldRun {
        #[command(flatten)]
        whose: Whose,
    },
    /// Write the spend that a settled turn lacks
    #[command(after_help = "Examples:\n  loopx quota spend --turn turn-b48c9c6f8e88de03")]
    Spend {
        /// The turn
        #[arg(long, value_name = "TURN", value_parser = id)]
        turn: Id,
    },
    /// Take a spend back; only a person may
    #[command(after_help = "Examples:\n  loopx quota void --turn turn-b48c9c6f8e88de03 --by maya --execute")]
    Void {
        /// The turn
        #[arg(long, value_name = "TURN", value_parser = id)]
        turn: Id,
        /// Who does it; without it the policy's actor with your git identity
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
        /// Write it; without this it is only shown
        #[arg(long)]
        execute: bool,
    },
    /// Remember that a host applied the rule that it was told
    #[command(alias = "scheduler-ack-current")]
    #[command(
        after_help = "Examples:\n  loopx quota scheduler-ack --agent codex-main --host codex_app --applied-rrule \"FREQ=MINUTELY;INTERVAL=30\""
    )]
    SchedulerAck {
        #[command(flatten)]
        whose: Whose,
        /// The rule that it applied
        #[arg(long, value_name = "RRULE")]
        applied_rrule: Option<String>,
        /// The token of the hint
        #[arg(long, value_name = "TOKEN")]
        reset_token: Option<String>,
        /// The key of the hint
        #[arg(long, value_name = "KEY")]
        state_key: Option<String>,
    },
    /// Remember that a host could not change its timer, so that it is not asked again at once
    #[command(alias = "scheduler-fail-current")]
    #[command(
        after_help = "Examples:\n  loopx quota scheduler-fail --agent codex-main --host codex_app --kind timeout"
    )]
    SchedulerFail {
        #[command(flatten)]
        whose: Whose,
        /// Why: host_tool_failure, timeout, rejected or unavailable
        #[arg(long, alias = "failure-kind", value_name = "KIND", value_parser = kind)]
        kind: String,
    },
}

/// Why a host could not change its timer.
const KINDS: [&str; 4] = ["host_tool_failure", "timeout", "rejected", "unavailable"];

fn kind(text: &str) -> Result<String, String> {
    match KINDS.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("use one of: {}", KINDS.join(", "))),
    }
}

fn host(text: &str) -> Result<HostSurface, String> {
    use crate::vocabulary::ClosedWords as _;
    let known = || HostSurface::ALL.iter().map(|host| host.word());
    host_named(text).ok_or_else(|| match nearest(text, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of: {}", known().collect::<Vec<_>>().join(", ")),
    })
}

impl Whose {
    fn request(&self) -> GuardRequest {
        GuardRequest {
            agent: self.agent.clone(),
            goal: self.goal.clone(),
            host: self.host,
            observed_rrule: self.observed_rrule.clone(),
        }
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let now = context.now();
    let place = context.place.clone();
    match &args.command {
        Command::Status { goal } => {
            let json = app::quota_status(&place, goal.as_deref(), now)?;
            say(context, &json)
        }
        Command::ShouldRun { whose } => answer(context, &app::should_run(&place, &whose.request(), now)?),
        Command::Spend { turn } => {
            let json = app::quota_spend(&place, turn, now)?;
            say(context, &json)
        }
        Command::Void { turn, by, execute } => {
            let json = app::quota_void(&place, turn, by.as_deref(), *execute, now)?;
            say(context, &json)
        }
        Command::SchedulerAck { whose, applied_rrule, reset_token, state_key } => {
            let report = TimerReport {
                rrule: applied_rrule.clone(),
                reset_token: reset_token.clone(),
                state_key: state_key.clone(),
                failure: None,
            };
            answer(context, &app::acknowledge_timer(&place, &whose.request(), &report, now)?)
        }
        Command::SchedulerFail { whose, kind } => {
            let report = TimerReport { failure: Some(kind.clone()), ..TimerReport::default() };
            answer(context, &app::acknowledge_timer(&place, &whose.request(), &report, now)?)
        }
    }
}

fn answer(context: &mut Context, answered: &Answered) -> Result<Exit, Error> {
    say(context, &answered.json)?;
    Ok(if answered.is_ok { Exit::Done } else { Exit::Found })
}

fn say(context: &mut Context, json: &Json) -> Result<Exit, Error> {
    let text = match context.format {
        ReportFormat::Json => to_json_pretty(json),
        ReportFormat::Human | ReportFormat::Concise => crate::render::plain(json),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
