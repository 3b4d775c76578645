use super::context::Context;
use super::exit::Exit;
use super::values::duration;
use crate::app::{self, Error, StatusRequest};
use crate::render::{self, RowFilter};
use crate::report::ReportFormat;
use crate::vocabulary::{Duration, Reason, Severity};

/// Show what waits for whom, over all goals: the answer to /loopx-global-summary
///
/// Nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx global-summary
  loopx global-summary 48h --format json")]
pub(super) struct SummaryArgs {
    /// Only what began within this time, as 48h or 2d; rows without a time are kept
    #[arg(value_name = "RANGE", value_parser = duration)]
    range: Option<Duration>,
    #[command(flatten)]
    of: Of,
}

/// Show the gates that wait, over all goals: the answer to /loopx-global-gates
///
/// Nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx global-gates --format json")]
pub(super) struct GatesArgs {
    #[command(flatten)]
    of: Of,
}

/// Show the todos that wait, over all goals: the answer to /loopx-global-todos
///
/// Nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx global-todos --format json")]
pub(super) struct TodosArgs {
    #[command(flatten)]
    of: Of,
}

/// Show what is wrong and cannot wait, over all goals: the answer to /loopx-global-risks
///
/// Nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx global-risks --agent codex-main")]
pub(super) struct RisksArgs {
    #[command(flatten)]
    of: Of,
}

/// Whose rows.
#[derive(Debug, clap::Args)]
struct Of {
    /// Only what concerns this agent; any unique prefix of its id
    #[arg(long, alias = "agent-id", value_name = "ID")]
    agent: Option<String>,
}

/// What is about gates.
const GATES: &[Reason] = &[
    Reason::MissingGateDecision,
    Reason::DecisionNotRecorded,
    Reason::GateDeferred,
    Reason::GateRejected,
    Reason::ConflictingDecisions,
];

/// What is about todos and their handoffs.
const TODOS: &[Reason] = &[
    Reason::OpenUserTodo,
    Reason::ChangeNotRecorded,
    Reason::HandoffNotApproved,
    Reason::HandoffNotAccepted,
    Reason::HandoffExpired,
    Reason::MissingValidation,
    Reason::FailedOutcome,
    Reason::StaleArtifact,
    Reason::AgentNotRegistered,
];

pub(super) fn summary(context: &mut Context, args: &SummaryArgs) -> Result<Exit, Error> {
    let since = args.range.map(|range| context.now().before(range));
    show(context, &args.of, RowFilter { since, ..RowFilter::default() })
}

pub(super) fn gates(context: &mut Context, args: &GatesArgs) -> Result<Exit, Error> {
    show(context, &args.of, RowFilter { reasons: GATES, ..RowFilter::default() })
}

pub(super) fn todos(context: &mut Context, args: &TodosArgs) -> Result<Exit, Error> {
    show(context, &args.of, RowFilter { reasons: TODOS, ..RowFilter::default() })
}

pub(super) fn risks(context: &mut Context, args: &RisksArgs) -> Result<Exit, Error> {
    show(context, &args.of, RowFilter { severity: Some(Severity::High), ..RowFilter::default() })
}

fn show(context: &mut Context, of: &Of, filter: RowFilter) -> Result<Exit, Error> {
    let asked = StatusRequest { agent: of.agent.clone(), ..StatusRequest::default() };
    let (state, view) = app::status(&context.place, asked, context.now())?;
    let view = RowFilter { agent: view.agent, ..filter };
    let text = match context.format {
        ReportFormat::Human | ReportFormat::Concise => render::status(&state.plan, &view, state.as_of),
        ReportFormat::Json => render::status_json(&state.plan, &view, state.as_of),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
