//! What the commands have in common that hosts run on behalf of a person: they read, and they write nothing.

use super::context::Context;
use super::exit::Exit;
use crate::app::{Asking, Error};
use crate::document::to_json_pretty;
use crate::host_commands::Unavailable;
use crate::report::ReportFormat;
use crate::vocabulary::{ClosedWords, HostSurface};

/// Which goal, agent and host.
#[derive(Debug, clap::Args)]
pub(super) struct HostArgs {
    /// The goal; without it the only one
    #[arg(long, alias = "goal-id", value_name = "ID")]
    goal: Option<String>,
    /// The agent
    #[arg(long, alias = "agent-id", value_name = "ID")]
    agent: Option<String>,
    /// The host that asks, such as codex_app or claude_code
    #[arg(long, value_name = "SURFACE")]
    host_surface: Option<String>,
}

impl HostArgs {
    /// What is asked; a host that nobody knows is unavailable.
    pub(super) fn asking(&self) -> Result<Asking, Unavailable> {
        let surface = match &self.host_surface {
            None => None,
            Some(word) => Some(
                HostSurface::of(word)
                    .ok_or(Unavailable { what: "this host surface", instead: "loopx explain host_surface" })?,
            ),
        };
        Ok(Asking { goal: self.goal.clone(), agent: self.agent.clone(), surface })
    }
}

/// Prints a packet: for programs as it is, for people in words.
pub(super) fn print(context: &mut Context, packet: &serde_json::Value, words: &str) -> Result<(), Error> {
    match context.format {
        ReportFormat::Json => context.out.write_all(to_json_pretty(packet).as_bytes())?,
        ReportFormat::Human | ReportFormat::Concise => context.out.write_all(words.as_bytes())?,
    }
    Ok(())
}

/// Says that something is not done here, and what is.
pub(super) fn unavailable(context: &mut Context, what: Unavailable) -> Result<Exit, Error> {
    match context.format {
        ReportFormat::Json => context.out.write_all(to_json_pretty(&what.to_json()).as_bytes())?,
        ReportFormat::Human | ReportFormat::Concise => {
            writeln!(context.err, "error[unavailable]: {} is not available. Instead: {}", what.what, what.instead)?;
        }
    }
    Ok(Exit::Found)
}

/// The words of a list of a packet on one line.
pub(super) fn line(words: &serde_json::Value) -> String {
    let words = words.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
    words.collect::<Vec<_>>().join(" ")
}
