use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use super::context::Context;
use super::exit::Exit;
use crate::app::Error;

/// Print the manual page, or write the pages of all commands into a folder
///
/// Pages are in roff, as `man` reads it, and say what `--help` says.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx man | man -l -
  loopx man man1")]
pub(super) struct Args {
    /// The folder that gets one page for each command; it is created where it does not exist
    folder: Option<PathBuf>,
}

pub(super) fn run(context: &mut Context, args: &Args, mut command: Command) -> Result<Exit, Error> {
    command.build();
    match &args.folder {
        None => Man::new(command).render(&mut context.out)?,
        Some(folder) => {
            let folder = context.place.join(folder);
            std::fs::create_dir_all(&folder)?;
            let count = pages(&folder, &command)?;
            writeln!(context.out, "{count} pages")?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the page of a command and those of the commands below it; gives how many those are.
fn pages(folder: &Path, command: &Command) -> io::Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    std::fs::write(folder.join(format!("{name}.1")), page)?;
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    below.map(|command| pages(folder, command)).try_fold(1, |count, more| Ok(count + more?))
}
