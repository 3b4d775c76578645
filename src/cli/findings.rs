//! How findings are shown, whichever command found them.

use std::fs::OpenOptions;
use std::io::Write;

use super::context::Context;
use crate::app::{Error, ErrorCode};
use crate::report::{self, HostFormat, Report};

/// The file that GitHub Actions shows as the summary of a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes what was found in the form that was asked for.
pub(super) fn show(context: &mut Context, found: &Report<'_>) -> Result<(), Error> {
    let Some(host) = context.host else { return Ok(report::write(&mut context.out, context.format, found)?) };
    report::write_for_host(&mut context.out, host, found)?;
    match std::env::var_os(STEP_SUMMARY).filter(|path| host == HostFormat::Github && !path.is_empty()) {
        None => Ok(()),
        Some(path) => {
            let file = OpenOptions::new().append(true).create(true).open(path);
            let written = file.and_then(|mut file| file.write_all(report::step_page(found).as_bytes()));
            written.map_err(|error| {
                Error::about(ErrorCode::CannotWriteOutput, format!("the file of {STEP_SUMMARY}: {}", error.kind()))
            })
        }
    }
}
