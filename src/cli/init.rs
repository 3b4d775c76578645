use std::path::PathBuf;

use serde_json::json;

use super::context::Context;
use super::exit::Exit;
use crate::app::{self, CiHost, Error, Initialized, ShippedPolicy};
use crate::document::to_json_pretty;
use crate::report::ReportFormat;

/// Write a small state directory: one goal, one todo, one gate
///
/// Whoever runs it becomes the owner in policies/team.yaml, or in the policy that --policy names, by the identity of git,
/// so that reviews protect the first commit already.
/// Nothing is overwritten: what is there already is left as it is, and named. In a state directory only the files
/// around the documents are added: ignored files, line ends, and the settings that let an editor check documents. With
/// --ci also a workflow that lints and reviews each change, and records decisions on the default branch.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx init
  loopx init .
  loopx init state/loopx
  loopx init --ci github
  loopx init --policy strict")]
pub(super) struct Args {
    /// Where the state directory is to stand
    #[arg(default_value = "loopx")]
    directory: PathBuf,
    /// Also write the workflows of this host of code
    #[arg(long, value_enum, value_name = "HOST")]
    ci: Option<CiHost>,
    /// Also write a shipped policy
    #[arg(long, value_enum, value_name = "NAME")]
    policy: Option<ShippedPolicy>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let made = app::init(&context.place, &args.directory, args.ci, args.policy, context.now(), context.entropy())?;
    match context.format {
        ReportFormat::Human => tell(context, &made)?,
        ReportFormat::Concise => made.written.iter().try_for_each(|path| writeln!(context.out, "{path}"))?,
        ReportFormat::Json => {
            let left: Vec<_> = made.left.iter().map(|(path, _)| path).collect();
            let shape = json!({ "schema_version": "loopx_init_v0", "written": made.written, "left": left });
            context.out.write_all(to_json_pretty(&shape).as_bytes())?;
        }
    }
    Ok(Exit::Done)
}

fn tell(context: &mut Context, made: &Initialized) -> Result<(), Error> {
    let out = &mut context.out;
    match (made.is_new, made.written.is_empty()) {
        (true, _) => writeln!(out, "Created a state directory with 1 goal, 1 todo and 1 gate.")?,
        (false, false) => writeln!(out, "The state directory was there; added the files around it.")?,
        (false, true) => writeln!(out, "The state directory was there; nothing was written.")?,
    }
    for path in &made.written {
        writeln!(out, "  + {path}")?;
    }
    if let Some(name) = &made.authority {
        writeln!(out, "  + git config loopx.authority {name}")?;
    }
    for (path, text) in &made.left {
        writeln!(out, "  = {path} is left as it is")?;
        // A schema is renewed by one command; of everything else it is shown what may be missing.
        if let Some(text) = text.as_ref().filter(|_| !path.ends_with(".schema.json")) {
            let mut lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.try_for_each(|line| writeln!(out, "      {line}"))?;
        }
    }
    writeln!(out, "Next:")?;
    if made.is_new && !made.has_owner {
        writeln!(out, "  loopx actor add NAME --class owner --email ADDRESS   let reviews know who you are")?;
    }
    writeln!(out, "  loopx lint          check what stands there")?;
    writeln!(out, "  loopx status        see who waits for what")?;
    writeln!(out, "  loopx explain gate  learn how a gate is decided")?;
    Ok(())
}
