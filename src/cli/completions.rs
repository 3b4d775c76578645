use clap::Command;
use clap_complete::{Shell, generate};

use super::context::Context;
use super::exit::Exit;
use crate::app::Error;

/// Print what lets a shell complete commands, options and values
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx completions bash > loopx.bash    # then: source loopx.bash
  loopx completions zsh > _loopx         # into a folder of fpath
  loopx completions fish > loopx.fish")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(context: &mut Context, args: &Args, mut command: Command) -> Result<Exit, Error> {
    // The generator panics when its writer fails, and a reader may have left.
    let mut script = Vec::new();
    generate(args.shell, &mut command, "loopx", &mut script);
    context.out.write_all(&script)?;
    Ok(Exit::Done)
}
