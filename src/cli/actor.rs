use super::change::{TargetArgs, name_actor};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, word};
use crate::app::Error;
use crate::change::NewActor;
use crate::vocabulary::{ActorClass, Id};

/// Tell the policies who is who in git
///
/// A review believes an act of a person only in the commit of that person. An address is written as a hash that every
/// clone can check, unless it is a noreply address, which names nobody. It is shown first, and written with --execute.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx actor add maya --class owner --email \"$(git config user.email)\"
  loopx actor add codex-main --class agent --email codex-main@users.noreply.example --execute
  loopx actor add ines --class operator --class user --key SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add an actor, or one more git identity of an actor
    #[command(after_help = "Examples:
  loopx actor add codex-main --class agent --email codex-main@users.noreply.example --execute")]
    Add {
        /// The name that documents call the actor by
        #[arg(value_parser = id)]
        name: Id,
        /// The class that the actor acts in: user, operator, controller, owner, agent or host; several times for several
        #[arg(long = "class", value_name = "CLASS", value_parser = word::<ActorClass>, required = true)]
        classes: Vec<ActorClass>,
        /// An address that the actor commits with; several times for several
        #[arg(long = "email", value_name = "ADDRESS")]
        addresses: Vec<String>,
        /// The fingerprint of a key that the actor signs commits with, as git prints it; several times for several
        #[arg(long = "key", value_name = "FINGERPRINT")]
        keys: Vec<String>,
        #[command(flatten)]
        written: WrittenArg,
    },
}

/// Whether it is written.
#[derive(Debug, clap::Args)]
struct WrittenArg {
    /// Write it; without this it is only shown
    #[arg(long)]
    execute: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Add { name, classes, addresses, keys, written } = &args.command;
    let actor =
        NewActor { name: name.clone(), classes: classes.clone(), addresses: addresses.clone(), keys: keys.clone() };
    name_actor(context, &TargetArgs { goal: None, execute: written.execute }, actor)
}
