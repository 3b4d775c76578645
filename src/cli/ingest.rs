use std::io::Read;
use std::path::PathBuf;

use serde_json::json;

use super::context::Context;
use super::exit::Exit;
use super::values::word;
use crate::app::{self, Error, ErrorCode};
use crate::document::to_json_pretty;
use crate::hosts::EXPORT_SURFACES;
use crate::report::ReportFormat;
use crate::vocabulary::HostSurface;

/// The largest export that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// Write the facts of a host's session file or export
///
/// For hosts without hooks. Only ids, times, kinds and statuses are read; what anybody said is skipped. The facts stand
/// below the git common directory, where every work tree of this clone reads them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx ingest claude_code session.jsonl
  opencode export SESSION | loopx ingest opencode -
  loopx ingest acp wire.ndjson --session codex-q4")]
pub(super) struct Args {
    /// The format: claude_code, codex_cli, gemini_cli, opencode or acp
    #[arg(value_parser = word::<HostSurface>)]
    host: HostSurface,
    /// The file; `-`, or nothing: standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The binding that it is of; without it the one that the session was announced for
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    if !EXPORT_SURFACES.contains(&args.host) {
        return context.refuse("only claude_code, codex_cli, gemini_cli, opencode and acp can be read");
    }
    let mut bytes = Vec::new();
    let fault = |error: std::io::Error| Error::about(ErrorCode::CannotRead, error.kind().to_string());
    if args.file.as_os_str() == "-" {
        std::io::stdin().lock().take(LARGEST).read_to_end(&mut bytes).map_err(fault)?;
    } else {
        let file = std::fs::File::open(context.place.join(&args.file)).map_err(fault)?;
        file.take(LARGEST).read_to_end(&mut bytes).map_err(fault)?;
    }
    let done = app::ingest(&context.place, args.host, &bytes, args.session.as_deref(), context.now())?;
    if context.format == ReportFormat::Json {
        let shape = json!({
            "schema_version": "loopx_ingest_v0",
            "session_id": done.session_id,
            "bound": done.is_bound,
            "status": done.facts.status,
            "updated_at": done.facts.updated_at,
            "unreadable_lines": done.unreadable_lines,
            "written": done.is_written,
        });
        context.out.write_all(to_json_pretty(&shape).as_bytes())?;
        return Ok(Exit::Done);
    }
    let state = if done.is_written { "written" } else { "unchanged" };
    writeln!(context.out, "Facts of {}: {}, {state}.", done.session_id, done.facts.status)?;
    if !done.is_bound {
        writeln!(context.out, "No binding names this session; name one with --session ID.")?;
    }
    if done.unreadable_lines > 0 {
        writeln!(context.out, "{} lines could not be read.", done.unreadable_lines)?;
    }
    Ok(Exit::Done)
}
