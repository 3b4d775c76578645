use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, StatusRequest};

/// Say what a word means
///
/// WORD is a rule, a row of the privacy table, a reason, an error code, a kind of document, a vocabulary, a word of one, or
/// the number of a row of `loopx status`. Without WORD, everything but the rows of that table is listed; a privacy rule
/// lists its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx explain
  loopx explain vocabulary/unknown-value
  loopx explain github-token
  loopx explain missing_gate_decision
  loopx explain gate_decision
  loopx explain gate
  loopx explain 1
  loopx explain 1 --goal ledger-cutover")]
pub(super) struct Args {
    /// What to explain
    word: Option<String>,
    /// A row as `loopx status --goal ID` numbers it
    #[arg(long, alias = "goal-id", value_name = "ID", requires = "word")]
    goal: Option<String>,
    /// A row as `loopx status --agent ID` numbers it
    #[arg(long, alias = "agent-id", value_name = "ID", requires = "word")]
    agent: Option<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Some(word) = &args.word else {
        app::topics().write(&mut context.out, context.format)?;
        return Ok(Exit::Done);
    };
    let explanation = match word.parse() {
        Ok(rank) => {
            let asked = StatusRequest { goal: args.goal.clone(), agent: args.agent.clone(), me: None };
            app::explain_row(&context.place, rank, &asked, context.now())?
        }
        Err(_) => app::explain(word),
    };
    explanation.write(&mut context.out, context.format)?;
    Ok(if explanation.meanings.is_empty() { Exit::Found } else { Exit::Done })
}
