use super::context::Context;
use super::exit::Exit;
use super::host::print;
use crate::app::Error;
use crate::host_commands::{CATALOG, HostCommandKind, ParsedMessage, catalog_json, parse};
use crate::privacy::Wall;

/// List the messages that hosts know, or say what one of them means
///
/// Only the beginning of a message counts, exactly as it is spelled. A loopx message that no command has is refused, and
/// ordinary text is none. Nothing is run and nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx slash-commands
  loopx slash-commands --parse \"/loopx fix issue triage\" --format json")]
pub(super) struct Args {
    /// The message of a person, whole
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    parse: Option<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Some(message) = &args.parse else {
        let width = CATALOG.iter().map(|command| command.form.len()).max().unwrap_or_default();
        let line = |form: &str, intent: &str| format!("{form:width$}  {intent}\n");
        let lines: String = CATALOG.iter().map(|command| line(command.form, command.intent)).collect();
        print(context, &catalog_json(), &lines)?;
        return Ok(Exit::Done);
    };
    let wall = Wall::shipped();
    let parsed = parse(message, wall);
    print(context, &parsed.to_json(wall), &words(&parsed, wall))?;
    if !parsed.is_refused() {
        return Ok(Exit::Done);
    }
    let why = match parsed.fault {
        Some(fault) => fault.to_string(),
        None => "no command has this message".to_owned(),
    };
    writeln!(context.err, "error: {why}. The messages: loopx slash-commands")?;
    Ok(Exit::Found)
}

/// The command that a message means, as a person would type it.
fn words(parsed: &ParsedMessage, wall: &Wall) -> String {
    match parsed.cli() {
        Some(words) => {
            let quoted = |word: &String| match word.contains(|character: char| !character.is_ascii_graphic()) {
                true => format!("\"{}\"", wall.text(word)),
                false => wall.text(word).to_string(),
            };
            format!("loopx {}\n", words.iter().map(quoted).collect::<Vec<_>>().join(" "))
        }
        None if parsed.kind == HostCommandKind::NotLoopx => "not a loopx message\n".to_owned(),
        None => String::new(),
    }
}
