use super::context::Context;
use super::exit::Exit;
use crate::app::{self, AnswerShape, Error};
use crate::vocabulary::Kind;

/// Print the JSON Schema of a kind of document, of all kinds, or of an answer
///
/// Without KIND, one schema for every document is printed; it branches on `schema_version`, and is the one for editors.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx schema > loopx.schema.json
  loopx schema gate
  loopx schema turn
  loopx schema --list")]
pub(super) struct Args {
    /// The kind, by its name or its version word
    #[arg(value_parser = kind, conflicts_with = "list")]
    kind: Option<Described>,
    /// List the kinds with their places instead
    #[arg(long)]
    list: bool,
}

/// What a schema is of.
#[derive(Debug, Clone, Copy)]
enum Described {
    Document(Kind),
    Answer(AnswerShape),
}

fn kind(word: &str) -> Result<Described, String> {
    let answer = AnswerShape::of(word).map(Described::Answer);
    answer.or_else(|| app::kind_of(word).map(Described::Document)).ok_or_else(|| match app::nearest_kind(word) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "loopx schema --list shows the kinds".to_owned(),
    })
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    if args.list {
        app::kinds().write(&mut context.out, context.format)?;
    } else {
        let schema = match args.kind {
            Some(Described::Answer(answer)) => answer.schema(),
            Some(Described::Document(kind)) => app::schema(Some(kind)),
            None => app::schema(None),
        };
        serde_json::to_writer_pretty(&mut context.out, &schema).map_err(std::io::Error::from)?;
        writeln!(context.out)?;
    }
    Ok(Exit::Done)
}
