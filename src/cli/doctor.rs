use serde_json::json;

use super::connect::answer_of;
use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error};
use crate::document::to_json_pretty;
use crate::privacy::Wall;
use crate::report::ReportFormat;

/// Look whether git, the authority ref, watching and connected hosts are in order
///
/// One line for each thing; what is wrong names the command or edit that mends it, and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx doctor
  loopx doctor --format json")]
pub(super) struct Args {}

pub(super) fn run(context: &mut Context, _: &Args) -> Result<Exit, Error> {
    let place = context.place.clone();
    let lines = app::doctor(&context.place, &|host, event, payload| answer_of(&place, host, event, payload))?;
    let is_sound = lines.iter().all(|line| line.is_sound);
    let wall = Wall::shipped();
    if context.format == ReportFormat::Json {
        let lines: Vec<_> = lines
            .iter()
            .map(|line| json!({ "about": line.about, "sound": line.is_sound, "text": wall.text(&line.text).to_string() }))
            .collect();
        let shape = json!({ "schema_version": "loopx_doctor_v0", "sound": is_sound, "lines": lines });
        context.out.write_all(to_json_pretty(&shape).as_bytes())?;
    } else {
        for line in &lines {
            let mark = if line.is_sound { "ok" } else { "mend" };
            writeln!(context.out, "{mark:4} {}: {}", line.about, wall.text(&line.text))?;
        }
    }
    Ok(if is_sound { Exit::Done } else { Exit::Found })
}
