use serde_json::json;

use super::context::Context;
use super::exit::Exit;
use crate::app::Error;
use crate::document::to_json_pretty;
use crate::report::ReportFormat;

/// Print the version
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx version
  loopx version --format json")]
pub(super) struct Args {}

pub(super) fn run(context: &mut Context, _: &Args) -> Result<Exit, Error> {
    let version = env!("CARGO_PKG_VERSION");
    match context.format {
        ReportFormat::Human | ReportFormat::Concise => writeln!(context.out, "loopx {version}")?,
        ReportFormat::Json => {
            let shape = json!({ "schema_version": "loopx_version_v0", "name": "loopx", "version": version });
            context.out.write_all(to_json_pretty(&shape).as_bytes())?;
        }
    }
    Ok(Exit::Done)
}
