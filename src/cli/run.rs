use std::io::Read as _;
use std::time::Duration;

use super::change::{observe, validate};
use super::context::Context;
use super::exit::Exit;
use super::settle::timeout;
use super::values::id;
use crate::app::{Error, Reported, SessionChoice, ValidationRequest};
use crate::vocabulary::{self, Id};

/// The most that is read of standard input, in bytes: an item is much shorter.
const LIMIT: u64 = 64 * 1024;

/// Record one item of what a session did, or check its work
///
/// The item is one flat JSON object with the keys of an outcome, an event, an approval, an artifact or a decision
/// (`loopx schema facts`). Transcripts, logs and unknown keys are refused, and a refusal names keys, never values.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx run validate --session codex-q4
  my-host last-outcome | loopx run record - --session codex-q4
  loopx run record '{\"outcome_id\": \"val-7\", \"kind\": \"validation\", \"status\": \"passed\"}' --agent codex-main")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

/// Whose session is reported of.
#[derive(Debug, clap::Args)]
pub(super) struct Session {
    /// The session; without it the one live session of the agent
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The agent; without it the agent with your git identity
    #[arg(long, alias = "agent-id", value_name = "ID", conflicts_with = "session")]
    agent: Option<String>,
    /// The goal, where nothing else tells
    #[arg(long, alias = "goal-id", value_name = "ID")]
    goal: Option<String>,
}

impl Session {
    /// Reports facts of the session.
    pub(super) fn report(&self, context: &mut Context, report: Reported) -> Result<Exit, Error> {
        observe(context, self.goal.as_deref(), self.choice(), report)
    }

    fn choice(&self) -> SessionChoice {
        SessionChoice { session: self.session.clone(), agent: self.agent.clone() }
    }
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Record one item in the facts of a bound session; it is written at once
    #[command(after_help = "Examples:
  my-host last-outcome | loopx run record - --session codex-q4
  loopx run record '{\"outcome_id\": \"val-7\", \"kind\": \"validation\", \"status\": \"passed\"}' --agent codex-main")]
    Record {
        /// The item as JSON, or `-` for standard input
        item: String,
        #[command(flatten)]
        session: Session,
    },
    /// Run the command that validates the session's goal, and record how it ended
    ///
    /// The command is the one of the reviewed branch. It runs without a shell at the root of the work tree, and what it
    /// writes is dropped.
    #[command(after_help = "Examples:
  loopx run validate --session codex-q4 --todo switch-9d4m")]
    Validate {
        /// The todo that the work was for
        #[arg(long, value_name = "ID", value_parser = id)]
        todo: Option<Id>,
        /// How long the command may take, at most 60m: a number with s, m, h or d
        #[arg(long, value_name = "DURATION", value_parser = timeout, default_value = "10m")]
        timeout: vocabulary::Duration,
        #[command(flatten)]
        session: Session,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    match &args.command {
        Command::Record { item, session } => {
            let item = match item.as_str() {
                "-" => standard_input()?,
                item => item.to_owned(),
            };
            session.report(context, Reported::Item(item))
        }
        Command::Validate { todo, timeout, session } => {
            let request = ValidationRequest {
                session: session.choice(),
                goal: session.goal.clone(),
                todo: todo.clone(),
                timeout: Duration::from_secs(timeout.as_seconds()),
            };
            validate(context, &request)
        }
    }
}

/// What comes in, as far as it could be an item; bytes that are no text are none.
fn standard_input() -> Result<String, Error> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
