use super::context::Context;
use super::exit::Exit;
use crate::app::Error;

/// Print the version
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(context: &mut Context, _: &Args) -> Result<Exit, Error> {
    writeln!(context.out, "loopx {}", env!("CARGO_PKG_VERSION"))?;
    Ok(Exit::Done)
}
