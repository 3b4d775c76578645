use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error};
use crate::vocabulary::Kind;

/// Print the JSON Schema of a kind of document, or of all kinds
///
/// Without KIND, one schema for every document is printed; it branches on `schema_version`, and is the one for editors.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx schema > loopx.schema.json
  loopx schema gate
  loopx schema --list")]
pub(super) struct Args {
    /// The kind, by its name or its version word
    #[arg(value_parser = kind, conflicts_with = "list")]
    kind: Option<Kind>,
    /// List the kinds with their places instead
    #[arg(long)]
    list: bool,
}

fn kind(word: &str) -> Result<Kind, String> {
    app::kind_of(word).ok_or_else(|| match app::nearest_kind(word) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "loopx schema --list shows the kinds".to_owned(),
    })
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    if args.list {
        app::kinds().write(&mut context.out, context.format)?;
    } else {
        serde_json::to_writer_pretty(&mut context.out, &app::schema(args.kind)).map_err(std::io::Error::from)?;
        writeln!(context.out)?;
    }
    Ok(Exit::Done)
}
