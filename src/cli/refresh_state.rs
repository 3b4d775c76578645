use super::context::Context;
use super::exit::Exit;
use super::run::Session;
use super::values::word;
use crate::app::{Error, Reported};
use crate::vocabulary::SessionStatus;

/// Report the status of a session as of now
///
/// The status and the time stand in the session's facts; they are written at once, and repeating it in the same second
/// changes nothing. A session that is not bound is refused.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx refresh-state --agent codex-main
  loopx refresh-state --session codex-q4 --status completed")]
pub(super) struct Args {
    /// The status; without it the last one still holds, and a session without facts is running
    #[arg(long, value_name = "STATUS", value_parser = word::<SessionStatus>)]
    status: Option<SessionStatus>,
    #[command(flatten)]
    session: Session,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    args.session.report(context, Reported::Status(args.status))
}
